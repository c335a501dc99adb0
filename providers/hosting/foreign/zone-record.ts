import type { ForeignObject, ZoneRecord } from '#kind';

/** A record of a zone as the platform would answer it, or why it can have none of this type. */
export function record(
  zone: string,
  { name, type, ttl, data }: ZoneRecord,
  id: string,
): ForeignObject | { why: string } {
  const at = { id, name: name === '@' ? '' : name, type, ...(ttl === undefined ? {} : { ttl }) };
  const content = contentOf(type, data);
  if ('why' in content) return { why: String(content.why) };
  if (type === 'NS' && name === '@') return { why: "the platform provides the domain's nameservers" };
  return { kind: 'dnsRecord', in: { kind: 'domain', id: zone }, object: { ...at, ...content } };
}

function contentOf(type: string, data: string[]): Record<string, unknown> {
  const [first = '', second = '', third = '', fourth = ''] = data;
  if (['A', 'AAAA', 'ALIAS', 'CNAME', 'NS'].includes(type)) return { value: first };
  // One text is cut into pieces only on the wire.
  if (type === 'TXT') return { value: data.join('') };
  if (type === 'MX') return { mxPriority: Number(first), value: second };
  if (type === 'CAA') return { value: `${first} ${second} "${third}"` };
  if (type === 'SRV')
    return {
      srv: { priority: Number(first), weight: Number(second), port: Number(third), target: fourth },
    };
  if (type === 'HTTPS')
    return { https: { priority: Number(first), target: second, params: data.slice(2).join(' ') } };
  if (type === 'SOA') return { why: 'the platform manages it itself' };
  return { why: `the platform does not support records of type ${type}` };
}
