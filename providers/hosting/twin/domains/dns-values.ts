import { ApiError, badRequest } from '../errors.ts';
import { isAscii, isDomainName, lower } from '../validate.ts';

/** A record's name below its zone in stored form ('' at the apex), or 400 invalid_name. */
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

/** A host in stored form: lower-case with a trailing dot. Unicode and names of one label are refused. */
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

/** A CAA value in stored form: `flags tag "value"`, always quoted. */
export function storedCaa(text: string): string {
  const [, flags = '', tag = '', rest = ''] = /^(\d{1,3})\s+([a-z0-9]+)\s+(.+)$/i.exec(text.trim()) ?? [];
  const invalid = (why: string) => new ApiError(400, 'invalid_value', `The CAA value "${text}" ${why}.`);
  if (flags === '' || Number(flags) > 255) throw invalid('is not a set of flags, a tag and a value');
  const value = /^"(.*)"$/.exec(rest)?.[1] ?? rest;
  if (value.includes('"')) throw invalid('has a quote inside its value');
  if (/^issue(wild)?$/i.test(tag)) {
    const [issuer = '', ...parameters] = value.split(';').map((part) => part.trim());
    if (!isDomainName(issuer)) throw invalid('does not name a fully qualified domain');
    for (const parameter of parameters) {
      // The service knows only this parameter and blames it for all others (dns-quirks, November 2025).
      if (/^(cansignhttpexchanges\s*=\s*yes)?$/.test(parameter)) continue;
      throw invalid('has an invalid cansignhttpexchanges parameter');
    }
  } else if (value === '') throw invalid('does not name a fully qualified domain');
  return `${Number(flags)} ${tag} "${value}"`;
}

/** The params of an HTTPS record. `ech` must be a base64 list of configurations, not any base64. */
export function checkHttpsParams(params: string): void {
  const ech = /(?:^|\s)ech="?([^"\s]*)/.exec(params)?.[1];
  if (ech === undefined) return;
  const bytes = Buffer.from(ech, 'base64');
  const isList =
    bytes.length > 4 && bytes.readUInt16BE(0) === bytes.length - 2 && bytes.readUInt16BE(2) === 0xfe0d;
  if (!isList) throw badRequest('Invalid base64 value for the key ech.');
}
