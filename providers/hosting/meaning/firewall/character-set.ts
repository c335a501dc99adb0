/*
 * Sets of characters, for regular expressions that ignore case. The operators of the firewall are case insensitive ("All operators are case
 * insensitive", vercel.com/docs/vercel-firewall/vercel-waf/rule-configuration), so every set is in lower case: it never has the letters A
 * to Z. A text never has a line break, since no part of a request that a rule compares has one.
 */

/** Characters as sorted ranges of UTF-16 code units, both ends included, that neither touch nor overlap. */
export type CharacterSet = readonly (readonly [number, number])[];

const last = 0xffff;
const [upperA, upperZ, toLower] = [65, 90, 32];
const lineBreak = 10;

/** Returns the set of the characters in ranges that may overlap, in lower case. */
export function characterSet(ranges: Iterable<readonly [number, number]>): CharacterSet {
  const folded: (readonly [number, number])[] = [];
  for (const [from, to] of ranges) {
    const [upperFrom, upperTo] = [Math.max(from, upperA), Math.min(to, upperZ)];
    if (upperFrom <= upperTo) folded.push([upperFrom + toLower, upperTo + toLower]);
    folded.push(...without([[from, to]], upperA, upperZ));
  }
  return without(merge(folded), lineBreak, lineBreak);
}

/** Returns the characters that are not in a set. */
export function complement(set: CharacterSet): CharacterSet {
  const ranges: (readonly [number, number])[] = [];
  let from = 0;
  for (const [start, end] of set) {
    if (start > from) ranges.push([from, start - 1]);
    from = end + 1;
  }
  if (from <= last) ranges.push([from, last]);
  return without(without(ranges, upperA, upperZ), lineBreak, lineBreak);
}

/** Every character that a text can have. */
export const anyCharacter: CharacterSet = complement([]);

/** True if a set has a character. */
export const includes = (set: CharacterSet, character: number): boolean =>
  set.some(([from, to]) => from <= character && character <= to);

function merge(ranges: readonly (readonly [number, number])[]): CharacterSet {
  const merged: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1);
    if (previous && from <= previous[1] + 1) previous[1] = Math.max(previous[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Returns ranges without those characters that are in another range. */
function without(ranges: CharacterSet, start: number, end: number): CharacterSet {
  return ranges.flatMap(([from, to]): CharacterSet => {
    if (to < start || from > end) return [[from, to]];
    const before: CharacterSet = from < start ? [[from, start - 1]] : [];
    return to > end ? [...before, [end + 1, to]] : before;
  });
}
