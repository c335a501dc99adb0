/**
 * DNS records: sets and rows.
 *
 * A set is all records of one name and type; a row of the platform is one record. Rows are paired with the wanted members by
 * their content. What is left over on both sides is paired into updates, so that a changed address is never absent; the rest
 * is created, then deleted. Only rows that are ours ever reach this: the others were set aside before.
 */
import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { type Draft, type Fields, type Request, request, revealed, type Step, type Value } from '#kind';

const hostTypes = ['ALIAS', 'CNAME', 'MX', 'NS'];

/** A name relative to the zone, in lower case and ASCII; the zone itself is `@`. */
export function normalName(name: string, zone: string): string {
  const ascii = toAscii(name.replace(/\.$/, ''));
  if (ascii === '' || ascii === '@' || (name.endsWith('.') && ascii === zone)) return '@';
  return name.endsWith('.') && ascii.endsWith(`.${zone}`) ? ascii.slice(0, -zone.length - 1) : ascii;
}

/** A host that a record points to, without the final dot. A single label is relative to the zone, `@` is the zone. */
export function normalHost(host: string, zone: string): string {
  const ascii = toAscii(host.replace(/(?<=.)\.$/, ''));
  if (ascii === '@') return zone;
  return ascii.includes('.') || host.endsWith('.') ? ascii : `${ascii}.${zone}`;
}

// `domainToASCII` refuses what is legal in DNS (an underscore in front, a wildcard): label by label, only where needed.
const toAscii = (name: string) =>
  name
    .toLowerCase()
    .split('.')
    .map((label) => (/^[\x20-\x7e]*$/.test(label) ? label : domainToASCII(label)))
    .join('.');

/** One member of a set in normal form; members that are not given stay out. Holes stay as they are. */
export function normalRecord(type: string, { value, srv, https, ...rest }: Fields, zone: string): Fields {
  const host = (target: Value | undefined) =>
    typeof target === 'string' ? normalHost(target, zone) : target!;
  const record: Fields = { ...rest };
  if (srv !== undefined) record.srv = { ...(srv as Fields), target: host((srv as Fields).target) };
  if (https !== undefined) record.https = normalHttps(https as Fields);
  if (value !== undefined) record.value = typeof value === 'string' ? normalValue(type, value, zone) : value;
  return record;
}

const normalHttps = ({ priority, target, params }: Fields): Fields => ({
  priority: priority!,
  target: typeof target === 'string' ? toAscii(target.replace(/(?<=.)\.$/, '')) : target!,
  params: typeof params === 'string' ? params.trim().split(/\s+/).join(' ') : (params ?? ''),
});

function normalValue(type: string, value: string, zone: string): string {
  if (hostTypes.includes(type)) return normalHost(value, zone);
  // One address has many spellings.
  if (type === 'AAAA' && isIPv6(value)) return new URL(`http://[${value}]`).hostname.slice(1, -1);
  if (type !== 'CAA') return value;
  const [, flags, tag, text] = /^\s*(\d+)\s+(\w+)\s+(.*?)\s*$/s.exec(value) ?? [];
  return flags === undefined ? value : `${flags} ${tag!.toLowerCase()} "${text!.replace(/^"(.*)"$/s, '$1')}"`;
}

/** A row of the list: hosts may come with a final dot, SRV and HTTPS packed into the value or as objects. */
export function fromApi(row: Record<string, unknown>): Fields {
  const { name, type, value, ttl, comment, priority, mxPriority, srv, https } = row as Record<
    string,
    Value
  > & { value?: string };
  const words = String(value ?? '')
    .trim()
    .split(/\s+/);
  const packed: Fields =
    type === 'SRV'
      ? {
          srv:
            srv ??
            ({
              priority,
              weight: Number(words[0]),
              port: Number(words[1]),
              target: words[2] ?? '.',
            } as Fields),
        }
      : type === 'HTTPS'
        ? {
            https:
              https ?? ({ priority, target: words[0] ?? '.', params: words.slice(1).join(' ') } as Fields),
          }
        : { value: value as Value };
  const all: Fields = { name: name || '@', type: type!, ...packed, ttl: ttl!, comment: comment || '' };
  if (type === 'MX') all.mxPriority = mxPriority ?? priority!;
  // A host that the platform answers is absolute, also one without dots.
  if (typeof all.value === 'string' && hostTypes.includes(String(type)))
    all.value = `${all.value.replace(/\.$/, '')}.`;
  if (all.srv)
    all.srv = { ...(all.srv as Fields), target: `${String((all.srv as Fields).target).replace(/\.$/, '')}.` };
  return Object.fromEntries(Object.entries(all).filter(([, item]) => item !== undefined)) as Fields;
}

/** What identifies a member within its set: everything but the ttl and the comment. */
export function memberKey({ value, mxPriority, srv, https }: Fields): string {
  return JSON.stringify(revealed([value ?? null, mxPriority ?? null, srv ?? null, https ?? null]));
}

/** What is wrong with one record as written: members that its type needs or cannot have. */
export function membersOf(record: Fields): { path: string[]; message: string; hint?: string }[] {
  const { type, name, value, mxPriority, srv, https } = record;
  const content = type === 'SRV' ? 'srv' : type === 'HTTPS' ? 'https' : 'value';
  const found: { path: string[]; message: string; hint?: string }[] = [];
  const given = { value, srv, https };
  for (const member of ['value', 'srv', 'https'] as const) {
    if (member === content && given[member] === undefined)
      found.push({ path: [], message: `a ${type} record needs \`${member}\`` });
    if (member !== content && given[member] !== undefined)
      found.push({
        path: [member],
        message: `a ${type} record has no \`${member}\``,
        hint: `write \`${content}\``,
      });
  }
  if (type === 'MX' && mxPriority === undefined)
    found.push({ path: [], message: 'an MX record needs `mxPriority`' });
  if (type !== 'MX' && mxPriority !== undefined)
    found.push({ path: ['mxPriority'], message: `a ${type} record has no \`mxPriority\`` });
  if (type === 'NS' && (name === '@' || name === ''))
    found.push({ path: ['name'], message: 'the platform does not allow NS records at the apex' });
  if (value === '' && type !== undefined)
    found.push({ path: ['value'], message: `the platform refuses an empty ${type} record` });
  if (type === 'MX' && value === '.')
    found.push({ path: ['value'], message: 'the platform refuses `.` as a mail server' });
  if (type === 'CAA' && typeof value === 'string' && !/^\s*\d+\s+\w+\s+\S/.test(value))
    found.push({
      path: ['value'],
      message: 'a CAA record reads `flags tag "value"`',
      hint: 'for example `0 issue "letsencrypt.org"`',
    });
  return found;
}

/** A CNAME allows nothing beside it. */
export function clashes(siblings: { address: string; fields: Fields }[]) {
  const byName = new Map<string, { address: string; fields: Fields }[]>();
  for (const sibling of siblings) {
    const name = String(sibling.fields.name);
    byName.set(name, [...(byName.get(name) ?? []), sibling]);
  }
  return [...byName.values()].flatMap((at) => {
    const cname = at.find(({ fields }) => fields.type === 'CNAME');
    const several = cname && (cname.fields.records as Fields[]).length > 1;
    if (!cname || (at.length === 1 && !several)) return [];
    const others = at.filter((sibling) => sibling !== cname).map(({ address }) => address);
    return [
      {
        addresses: [cname.address, ...others],
        message: several
          ? `${cname.address} has several values; a name has one CNAME`
          : `${cname.address} stands beside ${others.join(', ')}; a CNAME allows no other record at its name`,
        hint: 'keep one of them; at the apex an ALIAS does what a CNAME cannot',
      },
    ];
  });
}

/** All steps of one zone as drafts, one for each set. A CNAME and other types make room for each other. */
export function writes(steps: Step[]): Draft[] {
  const drafts = steps.map((step) => ({ step, draft: draftOf(step) }));
  for (const { step, draft } of drafts) {
    if (step.action !== 'create') continue;
    const { name, type } = step.after!.fields;
    const before = drafts.filter(
      ({ step: { action, before } }) =>
        action === 'delete' &&
        before!.fields.name === name &&
        (type === 'CNAME' || before!.fields.type === 'CNAME'),
    );
    if (before.length === 0) continue;
    draft.after = before.map((other) => other.draft);
    draft.disrupts = 'the name answers nothing between the deletion and the creation';
  }
  return drafts.map(({ draft }) => draft);
}

function draftOf({ address, before, after }: Step): Draft {
  const { name, type } = (after ?? before)!.fields;
  const rows = (before?.rows ?? []).map(({ id, fields }) => ({
    id,
    record: (fields.records as Fields[])[0]!,
  }));
  const unmet = [...((after?.fields.records ?? []) as Fields[])];
  const kept: Request[] = [];
  const left: typeof rows = [];
  for (const row of rows) {
    const index = unmet.findIndex((record) => memberKey(record) === memberKey(row.record));
    if (index < 0) left.push(row);
    else {
      const [record] = unmet.splice(index, 1);
      const changed = changesOf(row.record, record!);
      if (Object.keys(changed).length > 0) kept.push(patch(row.id, changed));
    }
  }
  const paired = unmet
    .splice(0, left.length)
    .map((record, index) => patch(left[index]!.id, content(type, record)));
  const created = unmet.map((record) => ({
    ...request('POST /v2/domains/{domain}/records', {
      name: name === '@' ? '' : name,
      type,
      ...content(type, record),
    }),
    returns: [{ address, path: ['uid'] }],
  }));
  const deleted = left.slice(paired.length).map(({ id }) => ({
    ...request('DELETE /v2/domains/{domain}/records/{record}', undefined, { record: id }),
    drops: [{ address, id }],
  }));
  return { changes: [address], requests: [...kept, ...paired, ...created, ...deleted] };
}

const patch = (id: string, body: Fields) =>
  request('PATCH /v1/domains/records/{record}', body, { record: id });

const changesOf = (row: Fields, record: Fields): Fields =>
  Object.fromEntries(
    Object.entries({ ttl: record.ttl, comment: record.comment }).filter(
      ([name, value]) => value !== undefined && value !== row[name],
    ),
  ) as Fields;

/** A member as the endpoints want it: hosts with the final dot, so that they are absolute. */
function content(type: Value | undefined, { value, srv, https, ...rest }: Fields): Fields {
  const dotted = (host: Value | undefined) =>
    typeof host === 'string' ? `${host.replace(/\.$/, '')}.` : host!;
  const pointing = (service: Value) => ({
    ...(service as Fields),
    target: dotted((service as Fields).target),
  });
  return {
    ...rest,
    ...(srv === undefined ? {} : { srv: pointing(srv) }),
    ...(https === undefined ? {} : { https: pointing(https) }),
    ...(value === undefined ? {} : { value: hostTypes.includes(String(type)) ? dotted(value) : value }),
  };
}
