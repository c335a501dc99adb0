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

/** Returns the target of an SRV or HTTPS record in stored form: a host, or `.` for no target, which an empty text also means. */
export function storedTarget(member: string, host: string): string {
  return host === '.' || host === '' ? '.' : storedHost(member, host);
}

/**
 * Returns a CAA value in stored form: `flags tag "value"`. Throws 400 for one that the service refuses, such as a value without quotes
 * (anomalyco/sst#5253).
 */
export function storedCaa(text: string): string {
  const [, flags = '', tag = '', value = ''] =
    /^(\d{1,3})\s+([a-z0-9]+)\s+"([^"]*)"$/i.exec(text.trim()) ?? [];
  const invalid = (message = `Invalid record value: "${text}".`) =>
    new ApiError(400, 'invalid_value', message).by('PF42');
  if (flags === '' || Number(flags) > 255) throw invalid();
  if (/^issue(wild)?$/i.test(tag)) {
    const [issuer = '', ...parameters] = value.split(';').map((parameter) => parameter.trim());
    if (!isDomainName(issuer)) throw invalid();
    // The service knows only this parameter and blames it for all others (dnscontrol, November 2025).
    if (parameters.some((parameter) => !/^(cansignhttpexchanges\s*=\s*yes)?$/.test(parameter)))
      throw invalid('Unexpected "cansignhttpexchanges" value.');
  } else if (value === '') throw invalid();
  return `${Number(flags)} ${tag} "${value}"`;
}

/** Throws 400 for invalid params of an HTTPS record. `ech` must be a base64 list of configurations, not any base64. */
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

/** Returns the 400 of a member that a record of its type cannot have, and that of one that it must have. */
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
  if (type === 'CNAME' && name === '') {
    throw new ApiError(
      400,
      'invalid_name',
      "Please specify a name or use an ALIAS Record instead, if you're attempting to set a CNAME value for the apex domain.",
    ).by('PF85');
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
  if (mxPriority === undefined) throw missing('mxPriority').by('PF43');
  return { ...stored, mxPriority };
}

/** True if two records of one type have the same value. */
function sameContent(a: RecordContent, b: RecordContent): boolean {
  const key = (recordContent: RecordContent) =>
    JSON.stringify([recordContent.value, recordContent.mxPriority, recordContent.srv, recordContent.https]);
  return key(a) === key(b);
}

/** The most values of one name and type. */
const mostValues = 50;

/**
 * Checks that a record can stand beside the `others` of its zone. Throws 409 with the id of the record that conflicts, and 400 for one
 * value too many. The platform's own records give way to the user's, so they do not count (dnscontrol).
 */
export function checkBesideOthers(content: RecordContent, zone: string, others: DnsRecord[]): void {
  const { name, type } = content;
  const sameName = others.filter((record) => record.name === name && record.creator !== 'system');
  const sameType = sameName.filter((record) => record.type === type);
  const refuseConflict = (old: DnsRecord | undefined, reason: string, rule?: string) => {
    if (old === undefined) return;
    const attempted = `"${name}" ${type}${content.value === undefined ? '' : ` "${content.value}"`}`;
    const message = `Existing record ("${old.id}") conflict with attempted ${attempted} creation. ${reason}`;
    const error = new ApiError(409, 'record_conflicts', message, { oldId: old.id });
    throw rule === undefined ? error : error.by(rule);
  };
  refuseConflict(
    sameType.find((record) => sameContent(record, content)),
    'It has the same name, type and value.',
  );
  refuseConflict(
    type === 'CNAME' ? sameName[0] : sameName.find((record) => record.type === 'CNAME'),
    'CNAME record cannot be created if any other record exists with the same name.',
    'PF41',
  );
  if (sameType.length >= mostValues)
    throw badRequest(
      `You have reached the maximum number of DNS values (${mostValues}) for ${type} "${name}" on "${zone}".`,
    ).by('PF83');
}
