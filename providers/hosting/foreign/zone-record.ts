import type { ForeignObject, ZoneRecord } from '#kind';

/** The number of fields in the data of each type which the platform has, and which of them are numbers. */
const layouts: Partial<Record<string, { fields: number; more?: true; numbers?: number[] }>> = {
  A: { fields: 1 },
  AAAA: { fields: 1 },
  ALIAS: { fields: 1 },
  CAA: { fields: 3, numbers: [0] },
  CNAME: { fields: 1 },
  HTTPS: { fields: 2, more: true, numbers: [0] },
  MX: { fields: 2, numbers: [0] },
  NS: { fields: 1 },
  SRV: { fields: 4, numbers: [0, 1, 2] },
  TXT: { fields: 1, more: true },
};

/**
 * Returns a record of a zone file in the form of an API answer, or the reason why the platform cannot have it. Used
 * to convert zone files to YAML.
 */
export function record(
  zone: string,
  { name, type, ttl, data }: ZoneRecord,
  id: string,
): ForeignObject | { why: string } {
  if (type === 'SOA') return { why: 'the platform manages it itself' };
  const layout = layouts[type];
  if (!layout) return { why: `the platform does not support records of type ${type}` };
  if (data.length < layout.fields || (data.length > layout.fields && !layout.more))
    return { why: `its data has ${data.length} fields instead of ${layout.fields}` };
  const wrong = layout.numbers?.find((index) => !/^\d+$/.test(data[index]!));
  if (wrong !== undefined) return { why: `field ${wrong + 1} of its data is not a number` };
  if (type === 'NS' && name === '@') return { why: "the platform provides the domain's nameservers" };
  return {
    kind: 'dnsRecord',
    in: { kind: 'domain', id: zone },
    object: {
      id,
      name: name === '@' ? '' : name,
      type,
      ...(ttl === undefined ? {} : { ttl }),
      ...contentOf(type, data),
    },
    isWhole: true,
  };
}

/**
 * Returns the members with the content of a DNS record, in the form of an API answer. `data`: the words of the
 * record in a zone file.
 */
function contentOf(type: string, data: string[]): Record<string, unknown> {
  const [first = '', second = '', third = '', fourth = ''] = data;
  // A text is cut into pieces only on the wire.
  if (type === 'TXT') return { value: data.join('') };
  if (type === 'MX') return { mxPriority: Number(first), value: second };
  if (type === 'CAA') return { value: `${first} ${second} "${third}"` };
  if (type === 'SRV')
    return {
      srv: { priority: Number(first), weight: Number(second), port: Number(third), target: fourth },
    };
  if (type === 'HTTPS')
    return { https: { priority: Number(first), target: second, params: data.slice(2).join(' ') } };
  return { value: first };
}
