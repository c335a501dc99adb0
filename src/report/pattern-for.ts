import type { Address } from '../model/address.ts';
import { createAddressMatcher, globFault } from '../model/glob.ts';
import { groupBy, memoize } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';

/*
 * Finds a pattern that names several addresses of a plan, so that a report can print `projects/site-*` for 40 projects and a reader can
 * give the pattern to `--target`.
 *
 * 1. Split the addresses into names: `projects/site-a/env/KEY` has four.
 * 2. For the names at one position, list the ways to write them: `{site-a,site-b}`, `site-*`, `*`.
 * 3. Combine these ways over all positions, and take the first combination that matches the given addresses and no other one.
 *
 * Target suffix: the end of the address of a variable in one target, such as `@production`. A pattern without it matches the variable in
 * every target.
 */

/** The most names, and columns, of a list in braces: a longer list is hard to read. */
const maxBracedNames = 4;
const maxBracedWidth = 40;

/**
 * Returns a pattern that matches all `members` and no other one of `addresses`, such as `projects/site-*`; undefined
 * if none is found. A report prints it to name 40 changes at once, and the reader can give it to `--target`. Patterns
 * without target suffixes are tried first, because they are shorter.
 */
export function patternFor(members: readonly Address[], addresses: readonly Address[]): string | undefined {
  const memberSet = new Set(members);
  const otherAddresses = candidatesFor(members, addresses).filter((address) => !memberSet.has(address));
  const membersWithoutSuffix = [...new Set(members.map(addressWithoutTarget))];
  const matchesExactly = (pattern: string) => {
    if (globFault(pattern) !== undefined) return false;
    const matches = createAddressMatcher([pattern]);
    const mayMatch = quickTestFor(pattern);
    return members.every(matches) && !otherAddresses.some((address) => mayMatch(address) && matches(address));
  };
  const candidates = [...patternCandidates(membersWithoutSuffix), ...patternCandidates([...memberSet])];
  return candidates.find(matchesExactly);
}

/**
 * Returns the addresses of a plan that a pattern for the group `members` may match, with its members: those with as many names (the parts
 * between slashes) as these, and with the same name at each position at which all members have the same one. Every pattern of the group has
 * these names as they are. A large plan has many groups, so these candidates come from an index that is made once for each plan.
 */
function candidatesFor(members: readonly Address[], addresses: readonly Address[]): readonly Address[] {
  const memberNames = members.map(namesWithoutTarget);
  const [firstNames = []] = memberNames;
  const sharedPositions = [...firstNames.keys()].filter((position) =>
    memberNames.every((names) => names[position] === firstNames[position]),
  );
  const findByNames = addressIndexOf(addresses);
  return findByNames(sharedPositions, firstNames);
}

/**
 * Returns the index of a plan's addresses by their names, made once for each plan: a function to find those with as many names as `names`,
 * and with the same names at some positions. Each set of positions is indexed when it is first asked for. There are few, because addresses
 * have few names.
 */
const addressIndexOf = memoize((addresses: readonly Address[]) => {
  const indexes = new Map<string, Map<string, Address[]>>();
  return (positions: readonly number[], names: readonly string[]): readonly Address[] => {
    const keyOf = (addressNames: readonly string[]) =>
      JSON.stringify([addressNames.length, ...positions.map((position) => addressNames[position])]);
    const index =
      indexes.get(positions.join()) ?? groupBy(addresses, (address) => keyOf(namesWithoutTarget(address)));
    indexes.set(positions.join(), index);
    return index.get(keyOf(names)) ?? [];
  };
});

/**
 * Returns the names of an address, the last one up to its first `@`, so that a variable in one target counts as similar to the same
 * variable in another target.
 */
const namesWithoutTarget = (address: Address): string[] => address.replace(/([^/])@[^/]*$/, '$1').split('/');

/**
 * Returns a quick test that is false only for addresses that a pattern cannot match: it compares the
 * beginning and the end of the pattern, for `projects/site-{a,b}/env/KEY` `projects/site-` and `/env/KEY`. Used
 * before the slow match, because nearly all addresses of a large plan fail it.
 */
function quickTestFor(pattern: string): (address: Address) => boolean {
  // A backslash escapes a character of the pattern, and addresses lack it.
  if (pattern.includes('\\')) return () => true;
  const [front] = /^[^*{]*/.exec(pattern)!;
  const [end] = /[^*}]*$/.exec(pattern)!;
  return (address) =>
    address.startsWith(front) && (address.endsWith(end) || addressWithoutTarget(address).endsWith(end));
}

/**
 * Returns the possible patterns (globs such as `webhooks/site-*`) for these addresses, by which a report names several changes at once, the
 * easiest to read first; none if the addresses differ in depth. The caller takes the first one that matches no other address.
 */
function patternCandidates(addresses: string[]): string[] {
  const split = addresses.map((address) => address.replaceAll('\\', '\\\\').split('/'));
  const depth = split[0]?.length ?? 0;
  if (split.some(({ length }) => length !== depth)) return [];
  const formsByPosition = Array.from({ length: depth }, (_, index) =>
    namePatternsOf([...new Set(split.map((names) => names[index]!))]),
  );
  const combinations = formsByPosition.reduce<string[][]>(
    (paths, forms) => paths.flatMap((path) => forms.map((form) => [...path, form])),
    [[]],
  );
  return combinations.map((path) => path.join('/'));
}

/**
 * Returns patterns that match all of these names, the easiest to read first; the caller takes the first that
 * matches no other address. For `site-a` and `site-b`: `site-{a,b}`, `site-*`. All names are in braces if
 * they are few and short; the other patterns keep the common beginning or end, preferably up to a separator.
 */
function namePatternsOf(names: string[]): string[] {
  if (names.length === 1) return names;
  const commonFront = commonBeginningOf(names);
  const withoutFront = names.map((name) => name.slice(commonFront.length));
  const commonEnd = reversed(commonBeginningOf(withoutFront.map(reversed)));
  const middles = withoutFront.map((name) => name.slice(0, name.length - commonEnd.length)).sort();
  const braced = `${commonFront}{${middles.join(',')}}${commonEnd}`;
  // `site-*` is easier to read than `site-a*`. The caller takes it only if it matches no other address.
  const word = /^.*[-_.]/.exec(commonFront)?.[0]; // `site-` of `site-a`
  const tail = /[-_.].*$/.exec(commonEnd)?.[0]; // `-prod` of `a-prod`
  return [
    ...new Set([
      ...(names.length <= maxBracedNames && braced.length <= maxBracedWidth ? [braced] : []),
      ...(word === undefined ? [] : [`${word}*`]),
      ...(tail === undefined ? [] : [`*${tail}`]),
      ...(word === undefined || tail === undefined ? [] : [`${word}*${tail}`]),
      ...(word === undefined && tail === undefined ? ['*'] : []),
      `${commonFront}*`,
      `${commonFront}*${commonEnd}`,
    ]),
  ];
}

/**
 * Returns the longest beginning of whole characters that all texts have in common, so that a report can write several
 * names as one pattern: `site-` for `site-a` and `site-b`.
 */
function commonBeginningOf([first = '', ...otherTexts]: string[]): string {
  let length = first.length;
  for (const text of otherTexts) while (!text.startsWith(first.slice(0, length))) length--;
  // Without the first half of a surrogate pair at its end.
  return first.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** Returns a text from its last character to its first: the common beginning of reversed texts is their common end. */
const reversed = (text: string): string => [...text].reverse().join('');
