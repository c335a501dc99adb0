import { escapeName, unescapeName } from '../model/address.ts';
import { groupBy, memoize } from '../model/graph.ts';
import type { Kind, Kinds } from './kind.ts';
import { hasTargets } from './row-target.ts';
import { normalTextOf } from './traits.ts';

/*
 * Some names have several spellings: a domain can be written in Unicode, in upper case or with a final dot, and an e-mail address with its
 * `@`, which addresses escape. Addresses have the normal spelling, so an address glob that a person writes is brought into it before it is
 * matched.
 *
 *   | Written                       | Normal spelling                  | Because                                            |
 *   | ----------------------------- | -------------------------------- | -------------------------------------------------- |
 *   | `domains/MÜNCHEN.example.`    | `domains/xn--mnchen-3ya.example` | a name behind `domains/` is a domain               |
 *   | `domains/*.EXAMPLE.com`       | `domains/*.example.com`          | the text between wildcards is a part of one        |
 *   | `{a,b}/münchen.example`       | … `{münchen.example,xn--…}`      | the name may be a domain, or something else        |
 *   | `projects/web/env/API_URL`    | the same                         | each spelling of a variable is another variable    |
 *   | `projects/web/members/a@b.com` | `projects/web/members/a%40b.com` | the name of a member has no target                 |
 *   | `projects/web/env/A@preview`  | the same                         | a variable has a target behind its `@`             |
 *   | `{a,b}/a@b.com`               | … `{a@b.com,a%40b.com}`          | the `@` may begin a target                         |
 */

/** Returns the normal spelling of a name, for a section whose names have several; undefined for any other section. */
type SpellName = ((name: string) => string) | undefined;

/**
 * Returns an address glob with its names in their normal spelling: `domains/*.example.com` for `domains/*.EXAMPLE.com`. A person may write
 * a domain in several ways (`--target`, `owns`), but addresses have only the normal spelling. Goes through the glob from left to right,
 * because the name in front of another, such as `domains`, decides whether that has several spellings.
 */
export function normalAddressGlob(glob: string, kinds: Kinds): string {
  const sections = sectionsIn(kinds);
  // The section is the literal name in front of the current one.
  let position: SpellingContext = { section: undefined, isAtStart: true };
  // Each alternative of a group `{a,b}` begins at the position in front of the group.
  const groups: SpellingContext[] = [];
  return tokensOf(glob)
    .map((token) => {
      const { section, isAtStart } = position;
      switch (token) {
        case '/':
          position = { section, isAtStart: true };
          return token;
        case '{':
          groups.push(position);
          return token;
        case ',':
          position = groups.at(-1) ?? position;
          return token;
        case '}':
          groups.pop();
          // The alternatives may end with different sections.
          position = { section: undefined, isAtStart: false };
          return token;
        default:
          position = { section: isAtStart && isLiteralToken(token) ? token : undefined, isAtStart: false };
          // Not at the start, the text continues a name, like `b` in `{x,y}b`.
          return isAtStart ? spellName(token, section, sections) : token;
      }
    })
    .join('');
}

/**
 * Returns a name of an address glob in its normal spelling, so that the glob matches addresses, which have only that. `section`: the
 * literal name in front, such as `domains`, which decides about the spelling; undefined if a wildcard or a group stands there, so that any
 * section is possible. A name with an escape of the glob (`\`) stays. In a section whose names have no target, such as `members`, an `@` is
 * escaped, because addresses escape it there (`a%40b.com`); in `A@preview` it separates the target.
 */
function spellName(
  name: string,
  section: string | undefined,
  { isSection, mayHaveTargets, spellingOf, allSpellings }: ReturnType<typeof sectionsIn>,
): string {
  if (name.includes('\\') || isSection(name)) return name;
  if (section === undefined) return spellForAnySection(name, allSpellings);
  const spelling = spellingOf(section);
  if (spelling) return spellPieces(name, spelling);
  const isAtSignEscaped = isSection(section) && !mayHaveTargets(section);
  return isAtSignEscaped ? escapeAtSigns(name) : name;
}

/** The position in a glob before a token: the section whose names are expected there, and whether a name begins there. */
interface SpellingContext {
  section: string | undefined;
  isAtStart: boolean;
}

/** Splits a glob into `/`, the signs of groups, and the texts between them. Takes linear time, since a class ends within 100 characters. */
const tokensOf = (glob: string): string[] => glob.match(/[/{},]|(?:\\.|\[[^\]]{0,100}\]|[^/{},])+/gsu) ?? [];

/** True for a token without wildcards and escapes that is not the end of a group. */
const isLiteralToken = (token: string): boolean => !/[*?[\\}]/.test(token);

/**
 * Returns a name of a glob with the normal spelling of each text between its wildcards, so that `*.EXAMPLE.com` matches addresses with
 * `example.com`. A dot in front of a wildcard is not a final dot, so it stays.
 */
const spellPieces = (name: string, spelling: (name: string) => string): string =>
  name
    .split(/([*?]|\[[^\]]{0,100}\])/)
    .map((piece, index, pieces) => {
      // `split` with a group returns the texts at even indexes, and the wildcards between them.
      const isWildcard = index % 2 === 1;
      if (isWildcard || piece === '') return piece;
      const isBeforeWildcard = index < pieces.length - 1;
      // The spelling of a domain drops a final dot.
      const dot = isBeforeWildcard && piece.endsWith('.') ? '.' : '';
      return `${escapeName(spelling(unescapeName(piece)))}${dot}`;
    })
    .join('');

/**
 * Returns a name of an address glob with each `@` as addresses have it, so that `*@a.com` matches the member `ada%40a.com`. An `@` in front
 * of a name stays, because addresses do not escape it, and so does one in a class such as `[@.]`.
 */
const escapeAtSigns = (name: string): string =>
  name.replace(/\[[^\]]{0,100}\]|(?<!^)@/g, (match) => (match === '@' ? '%40' : match));

/**
 * Returns a name of an address glob behind a wildcard or a group, as in `{a,b}/münchen.example`, so that it is unknown in which section it
 * is. A name with an `@` becomes a group of both spellings, `{a@b.com,a%40b.com}`: with a target behind the `@`, or a name without one. A
 * name that may be a domain in Unicode becomes `{münchen.example,xn--…}`. `allSpellings`: returns the spelling functions of all sections.
 */
function spellForAnySection(name: string, allSpellings: () => Iterable<(name: string) => string>): string {
  const withoutTarget = escapeAtSigns(name);
  if (withoutTarget !== name) return `{${name},${withoutTarget}}`;
  const mayBeUnicodeDomain = isLiteralToken(name) && /\P{ASCII}/u.test(name) && name.includes('.');
  if (!mayBeUnicodeDomain) return name;
  const normal = [...allSpellings()].map((spelling) => escapeName(spelling(unescapeName(name))));
  return `{${[...new Set([name, ...normal])].join(',')}}`;
}

/**
 * Indexes kinds by section (`domains`), and returns what bringing an address glob into its normal spelling asks about one section: how its
 * names are spelled, and whether they may have a target behind an `@`. The schemas of its kinds are made only for a name of that section,
 * since making those of all kinds takes longer than reading a small configuration.
 */
const sectionsIn = memoize((kinds: Kinds) => {
  const kindsBySection = groupBy(kinds.values(), ({ section }) => section);
  /** Returns the spelling of a section's names. A section has one only if all kinds with it agree. */
  const spellingOf = (section: string): SpellName => {
    const spellings = new Set((kindsBySection.get(section) ?? []).map(nameSpellingOf));
    return spellings.size === 1 ? [...spellings][0] : undefined;
  };
  return {
    isSection: (name: string) => kindsBySection.has(name),
    mayHaveTargets: (section: string) => (kindsBySection.get(section) ?? []).some(hasTargets),
    spellingOf,
    allSpellings: () => new Set([...kindsBySection.keys()].flatMap((section) => spellingOf(section) ?? [])),
  };
});

/** Returns the spelling of the first name of a kind's objects; undefined if each spelling is another name. */
function nameSpellingOf({ key, fields }: Kind): SpellName {
  const schema = fields[key[0] ?? ''];
  return schema && normalTextOf(schema);
}
