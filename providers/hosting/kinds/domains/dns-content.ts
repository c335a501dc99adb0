/**
 * The content of a DNS record in normal form. Records are compared and sent in this one form: names relative to the zone, hosts
 * absolute with a final dot, both in lower case and ASCII.
 */
import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import {
  type ApiObject,
  canonicalJson,
  type Fields,
  isPlainObject,
  revealed,
  Sealed,
  type Value,
} from '#kind';
import { normalServiceParams } from './service-params.ts';

/** Types whose value is a host. */
export const hostTypes = ['ALIAS', 'CNAME', 'MX', 'NS'];

/**
 * Returns a DNS name in lower case and punycode (ASCII), so that spellings of one name compare as equal. Converts
 * label by label, because DNS names may have labels that are invalid in host names (`_sip`, `*`).
 */
export const toAscii = (name: string): string =>
  name
    .toLowerCase()
    .split('.')
    .map((label) => (/^[\x20-\x7e]*$/.test(label) ? label : domainToASCII(label) || label))
    .join('.');

/** Returns the name of a record relative to its zone (domain); the zone itself is `@`. A name outside the zone keeps its final dot. */
export function normalName(name: string, zone: string): string {
  const ascii = toAscii(name);
  if (ascii === '' || ascii === `${zone}.`) return '@';
  return ascii.endsWith(`.${zone}.`) ? ascii.slice(0, -zone.length - 2) : ascii;
}

/**
 * Returns the full name, with a final dot, of the host that a record points to. A single label without a dot is
 * relative to the zone (domain), `@` is the zone.
 */
function normalHost(host: string, zone: string): string {
  const ascii = toAscii(host);
  if (ascii === '@') return `${zone}.`;
  if (ascii.endsWith('.')) return ascii;
  return ascii.includes('.') ? `${ascii}.` : `${ascii}.${zone}.`;
}

/**
 * Returns a record in normal form, so that declared and live records compare as equal if they mean the same. Values
 * that are not known yet stay as they are.
 */
export function normalRecord(type: string, record: Fields, zone: string): Fields {
  const { value, mxPriority, srv, https, ttl, comment } = record;
  const host = (target: Value) => onText(target, (text) => normalHost(text, zone));
  return present({
    value: value && onText(value, (text) => normalValue(type, text, zone)),
    mxPriority,
    srv: srv && normalSrv(srv as Fields, host),
    https: https && normalHttps(https as Fields, host),
    ttl,
    comment,
  });
}

type Host = (target: Value) => Value;

/** Returns the data of an SRV record with its target in normal form. `host` normalizes a host name. */
const normalSrv = ({ priority, weight, port, target }: Fields, host: Host): Value => ({
  priority: priority!,
  weight: weight!,
  port: port!,
  target: host(target!),
});

/**
 * Returns the data of an HTTPS record with its target and service parameters in normal form. `host` normalizes a
 * host name.
 */
const normalHttps = ({ priority, target, params = '' }: Fields, host: Host): Value => ({
  priority: priority!,
  target: host(target!),
  params: onText(params, normalServiceParams),
});

/** Returns the value of a DNS record in normal form for its type, so that spellings of one value compare as equal. */
function normalValue(type: string, value: string, zone: string): string {
  if (hostTypes.includes(type)) return normalHost(value, zone);
  // One address has many spellings.
  if (type === 'AAAA' && isIPv6(value) && URL.canParse(`http://[${value}]`))
    return new URL(`http://[${value}]`).hostname.slice(1, -1);
  if (type !== 'CAA') return value;
  const [, flags, tag, text] = /^\s*(\d+)\s+(\w+)\s+(.*?)\s*$/s.exec(value) ?? [];
  return flags === undefined
    ? value
    : `${Number(flags)} ${tag!.toLowerCase()} "${text!.replace(/^"(.*)"$/s, '$1')}"`;
}

/**
 * Returns a record of an API answer in the form of the YAML. In answers, hosts may lack the final dot, and the parts
 * of SRV and HTTPS records come as one text or as an object.
 */
export function fromApi(row: ApiObject): Fields {
  const { name, type, value, ttl, comment, priority, mxPriority, srv, https } = row as Fields;
  const words = String(value ?? '').split(/\s+/);
  const absolute = (host: Value | undefined) => `${String(host ?? '').replace(/\.$/, '')}.`;
  const fields: Fields = present({ name: name || '@', type, ttl, comment: comment || '' });
  if (type === 'SRV') {
    const [weight, port] = words.map(Number) as [number, number];
    const packed = (data(srv) ?? { priority, weight, port, target: words[2] }) as Fields;
    return { ...fields, srv: { ...packed, target: absolute(packed.target) } };
  }
  if (type === 'HTTPS') {
    const packed = (data(https) ?? {
      priority,
      target: words[0],
      params: String(value ?? '').replace(/^\s*\S+\s*/, ''),
    }) as Fields;
    return { ...fields, https: { ...packed, target: absolute(packed.target) } };
  }
  if (type === 'MX') fields.mxPriority = (mxPriority ?? priority)!;
  return { ...fields, value: hostTypes.includes(String(type)) ? absolute(value) : value! };
}

/** Types whose value begins with a number if the record is read alone. */
const numbered = ['MX', 'SRV', 'HTTPS'];

/**
 * Returns a record that was read by its id in the form of a list's record. In the answer of a single read, the type
 * has another name and the priority is part of the value.
 */
export function rowFromSingle({ recordType: type, value, ...record }: ApiObject): ApiObject {
  if (!numbered.includes(String(type))) return { ...record, type, value };
  const [, priority, content] = /^(\d+)\s*(.*)$/s.exec(String(value)) ?? [];
  if (priority === undefined) throw new Error(`the response has a ${type} record without a priority`);
  return { ...record, type, priority: Number(priority), value: content };
}

/** The data of a record as an object, unless there is nothing in it. */
const data = (value: Value | undefined): Fields | undefined =>
  isPlainObject(value) && Object.keys(value).length > 0 ? (value as Fields) : undefined;

/** Identifies a member within its set: all of its content, without the fields that can be changed in place (ttl, comment). */
export const memberKey = ({ ttl: _, comment: __, ...content }: Fields): string =>
  canonicalJson(revealed(content));

const onText = (value: Value, change: (text: string) => string): Value => {
  if (value instanceof Sealed) return new Sealed(change(value.reveal()), value.secretName);
  return typeof value === 'string' ? change(value) : value;
};

const present = (fields: Record<string, Value | undefined>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
