import { isIPv4, isIPv6 } from 'node:net';
import { ApiError, badRequest } from '../errors.ts';
import { isAscii, isDomainName, lower } from '../validate.ts';
import type { CreateRecord, DnsRecord } from './dns-record-body.ts';

/** Returns a record's name below its zone in stored form ('' at the apex), or throws 400 invalid_name. */
export function storedName(name: string): string {
  const valid =
    name === '' ||
    (name.length <= 253 &&
      name
        .split('.')
        .every(
          (label, i) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label) || (label === '*' && i === 0),
        ));
  if (!valid) throw new ApiError(400, 'invalid_name', `The record name "${name}" is not valid.`);
  return lower(name);
}

/** Returns a host in stored form: lower-case with a trailing dot. Throws for Unicode and names of one label. */
export function storedHost(member: string, host: string): string {
  if (!isAscii(host)) {
    throw badRequest(`Invalid request: \`${member}\` should contain only ASCII characters (use punycode).`);
  }
  if (!isDomainName(host)) {
    throw badRequest(`Invalid request: \`${member}\` should be a fully qualified domain name.`);
  }
  return `${lower(host).replace(/\.$/, '')}.`;
}

/** The target of an SRV or HTTPS record: a host, or `.` for none. An empty SRV target means none too. */
export function storedTarget(member: string, host: string): string {
  return host === '.' || host === '' ? '.' : storedHost(member, host);
}

/** Returns a CAA value in stored form: `flags tag "value"`, always quoted. Throws 400 for one that the service refuses. */
export function storedCaa(text: string): string {
  const [, flags = '', tag = '', quotedValue = ''] =
    /^(\d{1,3})\s+([a-z0-9]+)\s+(.+)$/i.exec(text.trim()) ?? [];
  const invalid = (why: string) => new ApiError(400, 'invalid_value', `The CAA value "${text}" ${why}.`);
  if (flags === '' || Number(flags) > 255) throw invalid('is not a set of flags, a tag and a value');
  const value = /^"(.*)"$/.exec(quotedValue)?.[1] ?? quotedValue;
  if (value.includes('"')) throw invalid('has a quote inside its value');
  if (/^issue(wild)?$/i.test(tag)) {
    const [issuer = '', ...parameters] = value.split(';').map((parameter) => parameter.trim());
    if (!isDomainName(issuer)) throw invalid('does not name a fully qualified domain');
    for (const parameter of parameters) {
      // The service knows only this parameter and blames it for all others (dns-quirks, November 2025).
      if (/^(cansignhttpexchanges\s*=\s*yes)?$/.test(parameter)) continue;
      throw invalid('has an invalid cansignhttpexchanges parameter');
    }
  } else if (value === '') throw invalid('does not name a fully qualified domain');
  return `${Number(flags)} ${tag} "${value}"`;
}

/** Checks the params of an HTTPS record. `ech` must be a base64 list of configurations, not any base64. */
export function checkHttpsParams(params: string): void {
  const ech = /(?:^|\s)ech="?([^"\s]*)/.exec(params)?.[1];
  if (ech === undefined) return;
  const bytes = Buffer.from(ech, 'base64');
  const isList =
    bytes.length > 4 && bytes.readUInt16BE(0) === bytes.length - 2 && bytes.readUInt16BE(2) === 0xfe0d;
  if (!isList) throw badRequest('Invalid base64 value for the key ech.');
}

/** The part of a record that its writer decides. */
export type RecordContent = Omit<DnsRecord, 'id' | 'creator' | 'createdAt' | 'updatedAt'>;

const extra = (member: string) =>
  badRequest(`Invalid request: should NOT have additional property \`${member}\`.`);
const missing = (member: string) => badRequest(`Invalid request: missing required property \`${member}\`.`);

/** Returns a record's text value in stored form, or throws 400 if the type cannot have it. */
function storedValue(type: string, value: string): string {
  switch (type) {
    case 'A':
      if (!isIPv4(value)) throw badRequest('Invalid request: `value` should be an IPv4 address.');
      return value;
    case 'AAAA':
      if (!isIPv6(value)) throw badRequest('Invalid request: `value` should be an IPv6 address.');
      return value;
    case 'CAA':
      return storedCaa(value);
    case 'TXT':
      return value;
    default:
      return storedHost('value', value);
  }
}

/** Checks a record's members against its type and puts them into stored form, or throws 400. */
export function checkRecord(body: CreateRecord): RecordContent {
  const { type, value, mxPriority, srv, https } = body;
  // The catalog's bodies of SRV, HTTPS and TXT have no name; clients send one all the same.
  if (body.name === undefined && !['SRV', 'HTTPS', 'TXT'].includes(type)) throw missing('name');
  const name = storedName(body.name ?? '');
  const content: RecordContent = { type, name, ttl: body.ttl ?? 60, comment: body.comment ?? '' };
  if (type !== 'MX' && mxPriority !== undefined) throw extra('mxPriority');
  if (type !== 'SRV' && srv !== undefined) throw extra('srv');
  if (type !== 'HTTPS' && https !== undefined) throw extra('https');
  if (type === 'NS' && name === '') {
    throw new ApiError(400, 'invalid_name', 'NS records can only be set on subdomains.');
  }
  if (type === 'SRV') {
    if (srv === undefined) throw missing('srv');
    if (value !== undefined) throw extra('value');
    const target = storedTarget('srv.target', srv.target ?? '');
    const { priority, weight, port } = srv;
    return { ...content, srv: { priority: priority ?? 0, weight: weight ?? 0, port: port ?? 0, target } };
  }
  if (type === 'HTTPS') {
    if (https === undefined) throw missing('https');
    if (value !== undefined) throw extra('value');
    const params = (https.params ?? '').trim();
    checkHttpsParams(params);
    const target = storedTarget('https.target', https.target ?? '');
    return { ...content, https: { priority: https.priority ?? 0, target, params } };
  }
  if (value === undefined || value === '') {
    if (type === 'CAA' && value === '') {
      throw badRequest('Invalid request: `value` should be a fully qualified domain name.');
    }
    throw missing('value');
  }
  const stored = { ...content, value: storedValue(type, value) };
  if (type !== 'MX') return stored;
  if (mxPriority === undefined) throw missing('mxPriority');
  return { ...stored, mxPriority };
}

/** True if two records of one type have the same value. */
function sameContent(a: RecordContent, b: RecordContent): boolean {
  const key = (recordContent: RecordContent) =>
    JSON.stringify([recordContent.value, recordContent.mxPriority, recordContent.srv, recordContent.https]);
  return key(a) === key(b);
}

/** Checks that a record can coexist with the rest of its zone. Throws 409 with the id of the conflicting record. */
export function checkNoConflict(content: RecordContent, records: DnsRecord[]): void {
  // The platform's own records give way to the user's (dns-quirks).
  const sameName = records.filter((record) => record.name === content.name && record.creator !== 'system');
  const conflict = (old: DnsRecord, message: string) => {
    throw new ApiError(409, 'record_conflict', message, { oldId: old.id });
  };
  const twin = sameName.find((record) => record.type === content.type && sameContent(record, content));
  if (twin !== undefined) conflict(twin, 'A record with the same name, type and value already exists.');
  const cname = sameName.find((record) => record.type === 'CNAME');
  if (cname !== undefined) conflict(cname, `A CNAME record for "${content.name}" already exists.`);
  if (content.type === 'CNAME' && sameName[0] !== undefined) {
    conflict(sameName[0], `A CNAME record cannot stand beside another record for "${content.name}".`);
  }
}
