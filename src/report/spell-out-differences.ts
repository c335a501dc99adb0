import { isHole, isPlainObject } from '../model/value.ts';

/**
 * Returns two values for people to compare. Texts in them that differ but look the same (`é` as one character or as two, a no-break
 * space, a blank at the end of a line) have their differing characters spelled: `caf<U+00E9>` and `cafe<U+0301>`.
 */
export function spellOutDifferences(before: unknown, after: unknown): [unknown, unknown] {
  if (typeof before === 'string' && typeof after === 'string') return spellTextDifferences(before, after);
  if (Array.isArray(before) && Array.isArray(after)) {
    const pairs = before.map((item, index) => spellOutDifferences(item, after[index]));
    return [pairs.map(([item]) => item), after.map((item, index) => pairs[index]?.[1] ?? item)];
  }
  if (!isPlainObject(before) || !isPlainObject(after) || isHole(before) || isHole(after))
    return [before, after];
  const [own, other] = [{ ...before }, { ...after }];
  for (const name of Object.keys(own))
    if (Object.hasOwn(other, name)) [own[name], other[name]] = spellOutDifferences(own[name], other[name]);
  return [own, other];
}

function spellTextDifferences(before: string, after: string): [string, string] {
  if (before === after) return [before, after];
  const [a, b] = [before.split('\n'), after.split('\n')];
  if (a.length !== b.length) return [before, after];
  const isOneLine = a.length === 1;
  const pairs = a.map((line, index) => spellLineDifferences(line, b[index]!, isOneLine));
  return [pairs.map(([line]) => line).join('\n'), pairs.map(([, line]) => line).join('\n')];
}

/** The blanks at the end of a text of one line are shown in quotes by all who print it. */
function spellLineDifferences(before: string, after: string, isOneLine: boolean): [string, string] {
  const lookOf = (line: string) => {
    const look = line
      .normalize('NFKC')
      .replace(variationSelectors, '')
      .replace(/\p{Zs}/gu, ' ');
    return isOneLine ? look : look.replace(/[ \t\r]+$/, '');
  };
  if (before === after || lookOf(before) !== lookOf(after)) return [before, after];
  const [a, b] = [[...before], [...after]];
  const longest = Math.min(a.length, b.length);
  let start = 0;
  while (start < longest && a[start] === b[start]) start++;
  let end = 0;
  while (end < longest - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const spellMiddle = (chars: string[]) => {
    const middle = chars.slice(start, chars.length - end).map(spellCharacter);
    return [...chars.slice(0, start), ...middle, ...chars.slice(chars.length - end)].join('');
  };
  return [spellMiddle(a), spellMiddle(b)];
}

/** Characters that choose the look of the one before them. */
const variationSelectors = /[\u034f\u180b-\u180f\ufe00-\ufe0f]/g;

const spellCharacter = (char: string): string =>
  /^[!-~]$/.test(char) ? char : `<U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`;
