/*
 * How messages name secrets.
 *
 *   family   a declared secret with several members: `${secret.db[at]}` and `${secret.db[be]}` are members of the family `db`
 *
 * A company of 60 sites has 60 members in a family. A message about each of them would hide the others, so it names the family, counts the
 * missing members, and shows two of them.
 */
import { groupBy } from './graph.ts';

/** A secret as a message names it. */
export interface NamedSecret {
  name: string;
  /** The environment variable that it comes from, if it does. */
  variable?: string;
  /** For a member of a family, the names of all members that the configuration uses. */
  family?: readonly string[];
}

/** Returns the family and the key of a secret such as `db[at]`; undefined for a secret without members. */
export function familyMemberOf(name: string): { family: string; key: string } | undefined {
  const [, family, key] = /^([^\s[\]]+)\[([^\s[\]]+)\]$/.exec(name) ?? [];
  return family === undefined ? undefined : { family, key: key! };
}

/**
 * Returns the secrets that are members of a family (a declared secret with one value for each key), by the name of the family: `db[at]` and
 * `db[be]` under `db`. Leaves out secrets without a key. Used by reports that join the members of a family, or count how many of them are
 * missing.
 */
export const familiesOf = (names: Iterable<string>): Map<string, string[]> =>
  groupBy(
    [...names].filter((name) => familyMemberOf(name)),
    (name) => familyMemberOf(name)!.family,
  );

const shownMembers = 2;
const maxFamilyLines = 10;
/** The names of variables that secrets without a declared source come from begin with this. */
const ownPrefix = 'TRUEUP_SECRET_';
/** From so many missing members on, a hint suggests one JSON secret for all of them. */
const manyMembers = 10;

/** Lists the first two texts, and counts the others: `a, b (58 more)`. */
export function listMembers(members: readonly string[]): string {
  const more = members.length - shownMembers;
  return more > 1 ? `${members.slice(0, shownMembers).join(', ')}, ... (${more} more)` : members.join(', ');
}

/**
 * Returns a line for each family of missing secrets, and one for the secrets without a family, for the message into which all of them are
 * folded. Empty if no family has two missing members: then a list of names is short enough.
 *
 * @example `secret.db: 60 of 60 members missing: TRUEUP_SECRET_db_AT, TRUEUP_SECRET_db_BE, ... (58 more)`
 */
export function missingFamilyLines(secrets: readonly NamedSecret[]): string[] {
  const distinct = [...new Map(secrets.map((secret) => [secret.name, secret])).values()];
  const byFamily = groupBy(distinct, ({ name }) => familyMemberOf(name)?.family);
  const secretsAlone = (byFamily.get(undefined) ?? []).map(({ name }) => `secret.${name}`);
  byFamily.delete(undefined);
  if (![...byFamily.values()].some((members) => members.length > 1)) return [];
  const familyLines = [...byFamily].map(
    ([family, members]) => `secret.${family}: ${missingMembersText(members)}`,
  );
  const hidden = familyLines.length - maxFamilyLines;
  return [
    ...familyLines.slice(0, hidden > 0 ? maxFamilyLines : undefined),
    ...(hidden > 0 ? [`and ${hidden} more ${hidden === 1 ? 'family' : 'families'}`] : []),
    ...(secretsAlone.length > 0 ? [listMembers(secretsAlone)] : []),
  ];
}

/**
 * Returns, for the message about missing secrets, how many members of one family (a declared secret with one value for each key) are
 * missing, of how many, and the first ones: `60 of 60 members missing: TRUEUP_SECRET_db_AT, ...`. `members`: the missing ones; `family` of
 * each has the names of all members.
 */
function missingMembersText(members: readonly NamedSecret[]): string {
  // The members of a family in one stack share one list. Other stacks of a workspace have their own.
  const lists = new Set(members.flatMap(({ family }) => (family === undefined ? [] : [family])));
  const familyMembers = new Set([...lists].flat());
  for (const { name } of members) familyMembers.add(name);
  const variables = new Set(members.map(({ name, variable }) => variable ?? familyMemberOf(name)!.key));
  return `${members.length} of ${familyMembers.size} members missing: ${listMembers([...variables])}`;
}

/**
 * Returns the names of secrets for a list in a message, with a family instead of its members: `db (60 members)`. A member that is alone
 * keeps its name.
 */
export const namesByFamily = (names: readonly string[]): string[] =>
  [...groupBy(names, (name) => familyMemberOf(name)?.family ?? name)].map(([family, members]) =>
    members.length === 1 ? members[0]! : `${family} (${members.length} members)`,
  );

/**
 * Returns advice for the message about missing secrets, if many of them are members of one family, such as `db[host]` and `db[user]`: they
 * can be keys of one JSON secret. Empty for a small family, and for one whose declaration names a source. `secrets`: the missing ones.
 */
export function jsonSecretAdvice(secrets: readonly NamedSecret[]): string {
  const members = secrets.filter(
    ({ name, variable }) => familyMemberOf(name) && variable?.startsWith(ownPrefix),
  );
  const byVariable = new Map(members.map((member) => [member.variable, member]));
  const families = groupBy([...byVariable.values()], ({ name }) => familyMemberOf(name)!.family);
  const [largest] = [...families].sort(([, a], [, b]) => b.length - a.length);
  if (largest === undefined || largest[1].length < manyMembers) return '';
  const [family, [member]] = largest;
  // `TRUEUP_SECRET_db` of `TRUEUP_SECRET_db_at`: the key has no characters that would be replaced by several.
  const variable = member!.variable!.slice(0, -1 - familyMemberOf(member!.name)!.key.length);
  return `; or write \`${family}: { json: {} }\`, and set one variable ${variable} to a JSON object of all members`;
}
