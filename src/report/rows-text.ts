import { escapeRegExp } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { familiesOf, familyMemberOf, listMembers } from '../model/secret-families.ts';
import { show } from './show.ts';
import { plainly, type Style } from './style.ts';
import { clean, cleanLine, count, cut, displayWidth, fold, joinAsSentence, padded } from './text.ts';

/** Formats a value for a cell of a table. */
const cell = (value: unknown): string => (value === undefined ? '' : cleanLine(show(value)));

/** The most terminal columns of a table column, except the last one. */
const maxCellWidth = 44;

/**
 * Formats objects of the account, or the results of a lookup, as a table with the names of the fields as its head, for `trueup get` and
 * `trueup wait`. Leaves out columns without any value.
 */
export function tableText(
  rows: readonly Record<string, unknown>[],
  columns: readonly string[],
  style: Style,
): string {
  const shownColumns = columns.filter((name) => rows.some((row) => row[name] !== undefined));
  const cells = [
    shownColumns.map((name) => name.toUpperCase()),
    ...rows.map((row) => shownColumns.map((name) => cell(row[name]))),
  ];
  const widths = shownColumns.map((_, index) =>
    Math.min(maxCellWidth, Math.max(...cells.map((line) => displayWidth(line[index]!)))),
  );
  // The last column needs no padding, and only the width of the terminal cuts it.
  const formatCell = (text: string, index: number) =>
    index === shownColumns.length - 1 ? text : padded(cut(text, widths[index]!), widths[index]!);
  const lines = cells.map((line) => cut(line.map(formatCell).join('  ').trimEnd(), style.width));
  const [head = '', ...rowLines] = lines;
  return plainly([style.quiet(head), ...rowLines].join('\n'), style);
}

/**
 * Formats one object with a line for each field, for the result of an action, and for `trueup get` and `trueup wait`
 * of one object.
 */
export function fieldsText(row: Record<string, unknown>, style: Style): string {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...entries.map(([name]) => displayWidth(name)));
  const lines = entries.flatMap(([name, value]) => {
    const [first = '', ...continuationLines] = fold(cell(value), Math.max(20, style.prose - width - 2));
    return [
      `${style.strong(padded(name, width))}  ${first}`,
      ...continuationLines.map((line) => ' '.repeat(width + 2) + line),
    ];
  });
  return plainly(lines.join('\n'), style);
}

/** A secret of a configuration, without its value, as `secrets` lists it. */
export interface SecretLine {
  /** The name of the secret: `database`, `db[at]` for a member of a family, or `field secret of ADDRESS` for a reference. */
  name: string;
  /**
   * The source: `env NAME`, `file PATH` or `command WORDS`. For a reference `account`, or `configuration` if the configuration has the
   * value.
   */
  source: string;
  /** The addresses of the objects that need it. */
  neededBy: string[];
  state: 'there' | 'missing' | 'not checked' | 'not needed';
  /** The reason why it is missing; `hint` says what to do. */
  why?: string;
  hint?: string;
}

const maxUsers = 10;

/**
 * Formats the secrets of a stack with their states for the command `secrets`, missing ones in red. The last line counts them; `stackId`
 * names the stack in it.
 */
export function secretsText(
  secrets: SecretLine[],
  { style, stackId }: { style: Style; stackId?: string },
): string {
  const nameWidth = Math.min(40, Math.max(0, ...secrets.map(({ name }) => cleanLine(name).length)));
  const lines = joinFamilies(secrets).flatMap((secret) => formatSecretLines(secret, nameWidth, style));
  const number = (state: SecretLine['state']) => secrets.filter((secret) => secret.state === state).length;
  const [missing, unchecked] = [number('missing'), number('not checked')];
  const total = [
    `${stackId === undefined ? '' : `${cleanLine(stackId)}: `}${count(secrets.length, 'secret')}`,
    ...(secrets.length === 0 ? [] : [missing === 0 ? 'none missing' : `${missing} missing`]),
    ...(unchecked > 0 ? [`${unchecked} not checked`] : []),
  ].join(', ');
  return plainly([...lines, ...(lines.length > 0 ? [''] : []), style.strong(`${total}.`)].join('\n'), style);
}

/** Members of one family in one state are one entry if there are at least so many. */
const minJoinedMembers = 3;

/** A secret, or several members of a family with one state, as `secrets` shows them. */
interface ShownSecret extends SecretLine {
  /** For members of a family, how many they are: `58 of 60 members`. */
  members?: string;
}

/**
 * Joins the members of a family (secrets with one name and different keys, such as `db[at]` and `db[de]`) that are missing for one
 * reason, or all available, into one entry for the command `secrets`, so that 60 members take as many lines as one. All other secrets
 * stay as they are.
 */
function joinFamilies(secrets: SecretLine[]): ShownSecret[] {
  const families = familiesOf(secrets.map(({ name }) => name));
  return [...groupBy(secrets, joinKeyOf).values()].flatMap((group) => {
    if (group.length < minJoinedMembers) return group;
    // Only members of a family share a key.
    const { family } = familyMemberOf(group[0]!.name)!;
    return [joinMembers(family, group, families.get(family)!.length)];
  });
}

/**
 * Returns a text that is equal for the members of a family (`db[at]` and `db[de]`) with one state, source type and reason, so that
 * `trueup secrets` joins them into one entry. A secret without a family has its own text.
 */
function joinKeyOf({ name, state, source, why = '', hint = '' }: SecretLine): string {
  const member = familyMemberOf(name);
  if (member === undefined) return JSON.stringify([name]);
  const [sourceType] = source.split(' ');
  return JSON.stringify([member.family, state, sourceType, withoutKey(`${why}\n${hint}`, member.key)]);
}

/** Joins some members of a family with one state into one entry. `total`: the number of all members of the family. */
function joinMembers(family: string, members: SecretLine[], total: number): ShownSecret {
  const [first] = members as [SecretLine];
  const [sourceType = ''] = first.source.split(' ');
  // Without the type, and without the key of the member within a file: `file secrets.json, key at` becomes `secrets.json`.
  const sources = members.map(({ source }) =>
    source.slice(sourceType.length + 1).replace(/, key [^,]*$/, ''),
  );
  return {
    ...first,
    name: family,
    members: `${members.length} of ${total} members`,
    source: `${sourceType} ${listMembers([...new Set(sources)])}`,
    neededBy: [...new Set(members.flatMap(({ neededBy }) => neededBy))].sort(),
    hint: first.hint && `${first.hint}; likewise for the others`,
  };
}

/**
 * Returns a text without the words that end with the key of a secret, such as `DB_AT` and `db[at]`, so that those of all members are equal.
 */
const withoutKey = (text: string, key: string): string =>
  text.replace(new RegExp(`\\S*[^\\sA-Za-z0-9]${escapeRegExp(key)}\\b`, 'gi'), '\0');

/**
 * Formats one secret for the command `secrets`, or several members of a family (`db[at]`, `db[de]`, ...) with one state: name, for a
 * family the number of these members (`58 of 60 members`), state and source, then the objects that need it, why it is missing, and a
 * hint. Further lines of the reason begin with `|`.
 */
function formatSecretLines(
  { name, members, source, neededBy, state, why, hint }: ShownSecret,
  nameWidth: number,
  style: Style,
): string[] {
  const stateTexts: Partial<Record<SecretLine['state'], string>> = {
    missing: style.alarm('missing'),
    there: 'available',
  };
  const stateText = stateTexts[state] ?? style.quiet(state);
  const more = neededBy.length - maxUsers;
  const users = neededBy.slice(0, maxUsers).map(cleanLine);
  const needed = more > 0 ? `${users.join(', ')} and ${more} more` : joinAsSentence(users);
  const reasonLines = why === undefined ? [] : clean(why).split('\n');
  return [
    `${style.strong(cleanLine(name).padEnd(nameWidth))}  ${members === undefined ? '' : `${members} `}${stateText}  ${cleanLine(source)}`,
    ...(needed === '' ? [] : fold(`  needed by ${needed}`, style.width, '    ').map(style.quiet)),
    ...reasonLines.flatMap((line, index) => fold(`  ${index === 0 ? '' : '| '}${line}`, style.prose, '    ')),
    ...(hint === undefined ? [] : fold(`  -> ${cleanLine(hint)}`, style.prose, '     ')),
  ];
}
