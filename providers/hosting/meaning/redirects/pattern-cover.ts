/*
 * Decides whether a pattern covers another one: it matches every path that the other one matches. False means "no" or "unknown".
 *
 * Both patterns belong to one project, so what no source states is the same for both: the default of `caseSensitive`, and whether a slash
 * at the end matters. A path pattern is compared part by part:
 *
 *   | part of the first | matches                                    |
 *   | ----------------- | ------------------------------------------ |
 *   | text              | the same text                              |
 *   | `:name`           | a text, or a parameter for one part        |
 *   | `:name+`          | at least one part                          |
 *   | `:name*`          | any parts                                  |
 *   | `(.*)`, at the end | any text behind the slash                  |
 */
import { matchPattern, type PathPattern } from './path-pattern.ts';

type Part =
  | { type: 'text'; text: string }
  | { type: 'one' | 'optional' | 'some' | 'any' | 'rest' | 'special'; text: string };

/**
 * True if `first` certainly matches every path that `second` matches, so that a route above with `first` leaves nothing for one with
 * `second`.
 */
export function coversPattern(first: PathPattern, second: PathPattern): boolean {
  if (matchesEverything(first)) return true;
  if (!isAtLeastAsLoose(first, second)) return hasOnlyParameters(first) && coversParts(first, second);
  if (first.syntax === second.syntax && first.source === second.source)
    return first.literal !== undefined || first.readings.length > 0;
  return first.syntax === 'regex' ? coversPath(first, second) : coversParts(first, second);
}

/** True for a pattern that matches all paths. */
export const matchesEverything = ({ syntax, source, readings }: PathPattern): boolean =>
  readings.length > 0 &&
  (syntax === 'regex'
    ? /^\^?\/?(\.\*|\(\.\*\))\$?$/.test(source)
    : syntax === 'path-to-regexp' && /^\/(:[a-z_]\w*)?\(\.\*\)$/i.test(source));

/**
 * True if a pattern ignores upper and lower case whenever the other one does. What it leaves out (`(?!...)`) can grow then, so that does
 * not count.
 */
const isAtLeastAsLoose = (first: PathPattern, second: PathPattern): boolean =>
  first.isCaseSensitive === second.isCaseSensitive ||
  (!first.source.includes('(?') &&
    (first.isCaseSensitive === false ||
      (first.isCaseSensitive === undefined && second.isCaseSensitive === true)));

/** True for a path pattern without texts, to which upper and lower case do not matter. */
const hasOnlyParameters = (pattern: PathPattern): boolean =>
  pattern.syntax === 'path-to-regexp' &&
  partsOf(pattern).every(({ type }) => type !== 'text' && type !== 'special');

/** True if a regular expression matches a plain path. The path of a path pattern may have a slash at the end. */
function coversPath(first: PathPattern, { literal, syntax }: PathPattern): boolean {
  if (literal === undefined || first.source.includes('(?')) return false;
  const ownCase = {
    ...first,
    readings: first.readings.filter(({ flags }) => first.isCaseSensitive !== undefined || flags === ''),
  };
  const paths = syntax === 'equals' ? [literal] : [literal, `${literal}/`];
  return paths.every((path) => matchPattern(ownCase, path).verdict === 'yes');
}

function coversParts(first: PathPattern, second: PathPattern): boolean {
  if (second.syntax === 'regex' || (first.syntax === 'equals' && second.syntax !== 'equals')) return false;
  const wanted = partsOf(first);
  const actual = partsOf(second);
  const hasOddPart = [...wanted, ...actual].some(
    ({ type, text }) => type === 'special' || (type === 'text' && text === ''),
  );
  if (hasOddPart) return false;
  for (const [index, part] of wanted.entries()) {
    const actualPart = actual[index];
    const isThere = actualPart !== undefined && actualPart.type !== 'any' && actualPart.type !== 'optional';
    if (part.type === 'any') return actual.slice(index).every(({ type }) => type !== 'rest');
    if (part.type === 'some') return isThere && actual.slice(index).every(({ type }) => type !== 'rest');
    if (part.type === 'rest') return isThere;
    if (part.type === 'optional' || !actualPart) return false;
    if (
      part.type === 'one'
        ? actualPart.type !== 'one' && actualPart.type !== 'text'
        : !isSameText(part, actualPart, first)
    )
      return false;
  }
  return wanted.length === actual.length;
}

const isSameText = (part: Part, other: Part, { isCaseSensitive }: PathPattern): boolean =>
  other.type === 'text' &&
  (part.text === other.text ||
    (isCaseSensitive === false && part.text.toLowerCase() === other.text.toLowerCase()));

const modifiers = { '': 'one', '?': 'optional', '+': 'some', '*': 'any' } as const;

/** Returns the parts of a path pattern between its slashes. */
function partsOf({ source, literal }: PathPattern): Part[] {
  // A slash in a group is no separator.
  if (!source.startsWith('/') || /\([^)]*\/[^)]*\)/.test(source)) return [{ type: 'special', text: source }];
  const texts = source.slice(1).split('/');
  if (literal !== undefined) return texts.map((text) => ({ type: 'text', text }));
  return texts.map((text, index): Part => {
    const [, modifier] = /^:[a-z_]\w*([*+?]?)$/i.exec(text) ?? [];
    if (modifier !== undefined) return { type: modifiers[modifier as keyof typeof modifiers], text };
    if (/^(:[a-z_]\w*)?\(\.\*\)$/i.test(text))
      return { type: index === texts.length - 1 ? 'rest' : 'special', text };
    return { type: /[:()*+?]/.test(text) ? 'special' : 'text', text };
  });
}
