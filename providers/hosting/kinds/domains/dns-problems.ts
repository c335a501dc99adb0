import { isIPv4, isIPv6 } from 'node:net';
import type { Fields, Value } from '#kind';
import { hostTypes, normalName, toAscii } from './dns-content.ts';

export interface RecordProblem {
  path: string[];
  message: string;
  hint?: string;
}

/** What is wrong with one record as written, as far as it can be told without the platform. */
export const problemsOf = (record: Fields, zone: string): RecordProblem[] => [
  ...wrongMembers(record),
  ...wrongName(record, zone),
  ...(typeof record.value === 'string' ? wrongValue(String(record.type), record.value) : []),
];

const contentOf = (type: Value | undefined) =>
  type === 'SRV' ? 'srv' : type === 'HTTPS' ? 'https' : 'value';

/** Members that the type needs or cannot have. */
function wrongMembers(record: Fields): RecordProblem[] {
  const { type } = record;
  const needed = [contentOf(type), ...(type === 'MX' ? ['mxPriority'] : [])];
  const given = ['value', 'srv', 'https', 'mxPriority'].filter((name) => record[name] !== undefined);
  return [
    ...needed
      .filter((name) => !given.includes(name))
      .map((name) => ({ path: [], message: `a record of type ${type} needs \`${name}\`` })),
    ...given
      .filter((name) => !needed.includes(name))
      .map((name) => ({
        path: [name],
        message: `a record of type ${type} has no \`${name}\``,
        hint: `it has ${needed.map((other) => `\`${other}\``).join(' and ')}`,
      })),
  ];
}

function wrongName({ type, name }: Fields, zone: string): RecordProblem[] {
  const normal = normalName(String(name), zone);
  const wrong = (message: string, hint?: string) => [{ path: ['name'], message, ...(hint ? { hint } : {}) }];
  if (normal.endsWith('.'))
    return wrong(
      `\`${name}\` is not in the zone ${zone}`,
      'a name with a final dot is written in full; without one it is relative to the zone',
    );
  if (!isAscii(normal)) return wrong(`\`${name}\` is no name`);
  return type === 'NS' && normal === '@'
    ? wrong('the platform does not allow NS records at the apex', 'the domain has nameservers of its own')
    : [];
}

function wrongValue(type: string, value: string): RecordProblem[] {
  const wrong = (message: string, hint?: string) => [{ path: ['value'], message, ...(hint ? { hint } : {}) }];
  if (value === '') return wrong(`the platform refuses an empty record of type ${type}`);
  if (type === 'A' && !isIPv4(value)) return wrong('a record of type A needs an IPv4 address');
  if (type === 'AAAA' && !isIPv6(value)) return wrong('a record of type AAAA needs an IPv6 address');
  if (type === 'MX' && value === '.') return wrong('the platform refuses `.` as a mail server');
  if (type === 'CAA' && !/^\s*\d+\s+\w+\s+\S/.test(value))
    return wrong('a CAA record reads `flags tag "value"`', 'for example `0 issue "letsencrypt.org"`');
  return hostTypes.includes(type) && !isAscii(toAscii(value)) ? wrong('this is no host name') : [];
}

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);
