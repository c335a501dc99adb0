import { isIPv4, isIPv6 } from 'node:net';
import type { Fields, Value } from '#kind';
import { hostTypes, normalName } from './dns-content.ts';
import { nameProblems } from './host-name.ts';
import { serviceParamsProblem } from './service-params.ts';

interface RecordProblem {
  path: string[];
  message: string;
  hint?: string;
  severity?: 'warning';
}

/**
 * Finds the mistakes in a declared DNS record that can be found without a request. Used by `validate`, so that the
 * platform does not reject the record later.
 */
export const problemsOf = (record: Fields, zone: string): RecordProblem[] => [
  ...wrongMembers(record),
  ...wrongName(record, zone),
  ...(typeof record.value === 'string' ? wrongValue(String(record.type), record.value) : []),
  ...wrongParams(record.https as Fields | undefined),
];

/** The platform decides about the values of service parameters; a text that it could only refuse is found here. */
function wrongParams(https: Fields | undefined): RecordProblem[] {
  const finding = typeof https?.params === 'string' ? serviceParamsProblem(https.params) : undefined;
  return finding ? [{ path: ['https', 'params'], hint: 'such as `alpn="h3,h2" port=443`', ...finding }] : [];
}

const contentOf = (type: Value | undefined) =>
  type === 'SRV' ? 'srv' : type === 'HTTPS' ? 'https' : 'value';

/** Reports members of a DNS record that its type needs but that are missing, or that its type cannot have. */
function wrongMembers(record: Fields): RecordProblem[] {
  const { type } = record;
  const needed = [contentOf(type), ...(type === 'MX' ? ['mxPriority'] : [])];
  const setMembers = ['value', 'srv', 'https', 'mxPriority'].filter((name) => record[name] !== undefined);
  return [
    ...needed
      .filter((name) => !setMembers.includes(name))
      .map((name) => ({ path: [], message: `a record of type ${type} needs \`${name}\`` })),
    ...setMembers
      .filter((name) => !needed.includes(name))
      .map((name) => ({
        path: [name],
        message: `a record of type ${type} cannot have \`${name}\``,
        hint: `it has ${needed.map((member) => `\`${member}\``).join(' and ')}`,
      })),
  ];
}

/** Reports the name of a DNS record that is outside its zone (domain), invalid, or impossible for its type. */
function wrongName({ type, name }: Fields, zone: string): RecordProblem[] {
  const normal = normalName(String(name), zone);
  const wrong = (message: string, hint?: string) => [{ path: ['name'], message, hint }];
  if (normal.endsWith('.'))
    return wrong(
      `\`${name}\` is not in the zone ${zone}`,
      'a name with a trailing dot is absolute; without one it is relative to the zone',
    );
  if (type === 'NS' && normal === '@')
    return wrong('the platform does not allow NS records at the apex', 'the domain has its own nameservers');
  if (type === 'CNAME' && normal === '@')
    return wrong('the platform does not allow a CNAME at the apex', 'use an ALIAS instead');
  return normal === '@' ? [] : nameProblems(normal).map((finding) => ({ path: ['name'], ...finding }));
}

/** Reports the value of a DNS record that the platform would reject for its type. */
function wrongValue(type: string, value: string): RecordProblem[] {
  const wrong = (message: string, hint?: string) => [{ path: ['value'], message, hint }];
  if (value === '') return wrong(`the platform rejects an empty record of type ${type}`);
  if (type === 'A' && !isIPv4(value)) return wrong('a record of type A needs an IPv4 address');
  if (type === 'AAAA' && !isIPv6(value)) return wrong('a record of type AAAA needs an IPv6 address');
  if (type === 'MX' && value === '.') return wrong('the platform rejects `.` as a mail server');
  if (type === 'CAA') return wrongCaa(value).map((finding) => ({ path: ['value'], ...finding }));
  if (!hostTypes.includes(type) || value === '@') return [];
  return nameProblems(value).map((finding) => ({ path: ['value'], ...finding }));
}

/**
 * Reports a CAA value (the authorities that may issue certificates) that the platform rejects: no record may forbid
 * all issuers, and only one parameter is allowed.
 */
function wrongCaa(value: string): { message: string; hint?: string }[] {
  const [, flags, tag = '', quoted = ''] = /^\s*(\d+)\s+(\w+)\s+(\S.*?)\s*$/s.exec(value) ?? [];
  if (flags === undefined)
    return [
      {
        message: 'a CAA record must be `flags tag "value"`',
        hint: 'for example `0 issue "letsencrypt.org"`',
      },
    ];
  if (Number(flags) > 255) return [{ message: 'the flags of a CAA record must be a number from 0 to 255' }];
  const [issuer = '', ...parameters] = quoted
    .replace(/^"(.*)"$/s, '$1')
    .split(';')
    .map((text) => text.trim());
  if (!/^issue(wild)?$/i.test(tag)) return [];
  if (issuer === '')
    return [
      {
        message: `the platform rejects a CAA record whose \`${tag}\` names no issuer`,
        hint: 'name the only authority that may issue certificates: `0 issue "letsencrypt.org"`',
      },
    ];
  const parameter = parameters.find((parameter) => !/^(cansignhttpexchanges\s*=\s*yes)?$/.test(parameter));
  return parameter === undefined
    ? []
    : [
        {
          message: `the platform rejects the parameter \`${parameter}\``,
          hint: 'it only accepts `cansignhttpexchanges=yes`',
        },
      ];
}
