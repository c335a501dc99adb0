import { isHole, isPlainObject } from '../model/value.ts';

/**
 * Returns two values with their invisible differences spelled out: `café` written with one or with two characters becomes `caf<U+00E9>`
 * and `cafe<U+0301>`. Used before two values are printed side by side, since a reader could not see why they count as different: besides
 * accents, these are no-break spaces, characters without a width, and spaces at the end of a line.
 *
 * Looks into lists and objects. Texts that look different stay as they are.
 */
export function spellOutDifferences(before: unknown, after: unknown): [unknown, unknown] {
  if (typeof before === 'string' && typeof after === 'string') return spellTextDifferences(before, after);
  if (Array.isArray(before) && Array.isArray(after)) {
    const pairs = before.map((item, index) => spellOutDifferences(item, after[index]));
    return [
      pairs.map(([itemBefore]) => itemBefore),
      after.map((itemAfter, index) => pairs[index]?.[1] ?? itemAfter),
    ];
  }
  if (!isPlainObject(before) || !isPlainObject(after) || isHole(before) || isHole(after))
    return [before, after];
  const [spelledBefore, spelledAfter] = [{ ...before }, { ...after }];
  for (const name of Object.keys(spelledBefore))
    if (Object.hasOwn(spelledAfter, name))
      [spelledBefore[name], spelledAfter[name]] = spellOutDifferences(
        spelledBefore[name],
        spelledAfter[name],
      );
  return [spelledBefore, spelledAfter];
}

/**
 * Spells out the invisible differences of two texts, line by line. Texts with different numbers of lines stay, because that difference is
 * visible.
 */
function spellTextDifferences(before: string, after: string): [string, string] {
  if (before === after) return [before, after];
  const [linesBefore, linesAfter] = [before.split('\n'), after.split('\n')];
  if (linesBefore.length !== linesAfter.length) return [before, after];
  const isOneLine = linesBefore.length === 1;
  const pairs = linesBefore.map((line, index) => spellLineDifferences(line, linesAfter[index]!, isOneLine));
  return [pairs.map(([line]) => line).join('\n'), pairs.map(([, line]) => line).join('\n')];
}

/**
 * Spells out the characters between the common beginning and the common end of two lines that look the same. Lines that look different
 * stay. `isOneLine`: the whole text is one line. Reports print such a text in quotes if it ends with spaces, so those are visible.
 */
function spellLineDifferences(before: string, after: string, isOneLine: boolean): [string, string] {
  const lookOf = (line: string) => {
    const look = line
      .normalize('NFKC')
      .replace(variationSelectors, '')
      .replace(/\p{Zs}/gu, ' ');
    return isOneLine ? look : look.replace(/[ \t\r]+$/, '');
  };
  if (before === after || lookOf(before) !== lookOf(after)) return [before, after];
  const [charsBefore, charsAfter] = [[...before], [...after]];
  const shorterLength = Math.min(charsBefore.length, charsAfter.length);
  let start = 0;
  while (start < shorterLength && charsBefore[start] === charsAfter[start]) start++;
  let end = 0;
  while (end < shorterLength - start && charsBefore.at(-1 - end) === charsAfter.at(-1 - end)) end++;
  const spellMiddle = (chars: string[]) => {
    const middle = chars.slice(start, chars.length - end).map(spellCharacter);
    return [...chars.slice(0, start), ...middle, ...chars.slice(chars.length - end)].join('');
  };
  return [spellMiddle(charsBefore), spellMiddle(charsAfter)];
}

/** Characters without a width that only choose how the character before them looks. */
const variationSelectors = /[\u034f\u180b-\u180f\ufe00-\ufe0f]/g;

/** Writes a character as `<U+00E9>`, unless it is printable ASCII. */
const spellCharacter = (char: string): string =>
  /^[!-~]$/.test(char) ? char : `<U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`;
