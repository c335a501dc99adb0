import type { Address } from '../model/address.ts';
import { matcherOf } from '../model/address-glob.ts';
import { globFault } from '../model/glob.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';

/** So many names in braces can still be read, and so long may they be. */
const fewPatterns = 4;
const widestPattern = 40;

/**
 * A pattern that, given to `--target`, matches exactly these addresses of all that a plan has; undefined where none of the
 * usual form does. Of the
 * characters that mean something in a glob, names in addresses contain only the backslash.
 */
export function patternFor(members: readonly Address[], addresses: readonly Address[]): string | undefined {
  const inIt = new Set(members);
  const wholes = [...new Set(members.map(addressWithoutTarget))];
  const isRight = (pattern: string) => {
    if (globFault(pattern) !== undefined) return false;
    const [matches, mayMatch] = [matcherOf([pattern]), endsOf(pattern)];
    return (
      members.every(matches) &&
      !addresses.some((address) => mayMatch(address) && !inIt.has(address) && matches(address))
    );
  };
  return [...patternCandidates(wholes), ...patternCandidates([...inIt])].find(isRight);
}

/** A test for what a pattern is fixed in, its beginning and its end: nearly all addresses fail it, and it takes no time. */
function endsOf(pattern: string): (address: Address) => boolean {
  if (pattern.includes('\\')) return () => true;
  const [front] = /^[^*{]*/.exec(pattern)!;
  const [end] = /[^*}]*$/.exec(pattern)!;
  return (address) =>
    address.startsWith(front) && (address.endsWith(end) || addressWithoutTarget(address).endsWith(end));
}

/** Patterns for addresses of one depth, the one that reads best first. */
function patternCandidates(addresses: string[]): string[] {
  const split = addresses.map((address) => address.replaceAll('\\', '\\\\').split('/'));
  const depth = split[0]?.length ?? 0;
  if (split.some(({ length }) => length !== depth)) return [];
  const forms = Array.from({ length: depth }, (_, index) =>
    namePatternsOf([...new Set(split.map((names) => names[index]!))]),
  );
  const made = forms.reduce<string[][]>(
    (paths, options) => paths.flatMap((path) => options.map((option) => [...path, option])),
    [[]],
  );
  return made.map((path) => path.join('/'));
}

/** The ways to say several names in one step: what they share around a `*`, and the names themselves where they are few. */
function namePatternsOf(names: string[]): string[] {
  if (names.length === 1) return names;
  const front = shared(names, (name) => name);
  const back = shared(
    names.map((name) => name.slice(front.length)),
    (name) => [...name].reverse().join(''),
  );
  const end = [...back].reverse().join('');
  const listed = `${front}{${names
    .map((name) => name.slice(front.length, name.length - end.length))
    .sort()
    .join(',')}}${end}`;
  // `site-*` reads better than `site-a*`, where it is right.
  const word = /^.*[-_.]/.exec(front)?.[0];
  const tail = /[-_.].*$/.exec(end)?.[0];
  return [
    ...new Set([
      ...(names.length <= fewPatterns && listed.length <= widestPattern ? [listed] : []),
      ...(word === undefined ? [] : [`${word}*`]),
      ...(tail === undefined ? [] : [`*${tail}`]),
      ...(word === undefined || tail === undefined ? [] : [`${word}*${tail}`]),
      ...(word === undefined && tail === undefined ? ['*'] : []),
      `${front}*`,
      `${front}*${end}`,
    ]),
  ];
}

/** The longest beginning that all texts share, once they are turned. */
function shared(texts: string[], turned: (text: string) => string): string {
  const [first = '', ...others] = texts.map(turned);
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
