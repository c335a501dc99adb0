import { createTwoFilesPatch, structuredPatch } from 'diff';
import { byText } from '../model/graph.ts';
import { Sealed } from '../model/sealed.ts';
import { isHole, isPlainObject } from '../model/value.ts';
import { visitDeep, visitMembers } from '../model/walk.ts';
import { formatHunks } from './line-diff.ts';
import { layOut } from './show.ts';
import { cleanLine, cutCounted, cutPair, equalEndsOf, escapeHidden } from './text.ts';

/** One line of a diff: removed (`-`), added (`+`) or equal (`|`). `~` stands for lines that are left out. */
export interface DiffLine {
  mark: '+' | '-' | '|' | '~';
  text: string;
}

const contextLines = 2;
const maxDiffLines = 30;

/**
 * Compares two values by their lines. Used to print a field whose values do not fit into one line. Unless `isVerbose`, leaves out equal
 * lines that are far from a difference, cuts long lines, and counts the lines after the first 30.
 */
export function valueDiff(before: unknown, after: unknown, width: number, isVerbose = false): DiffLine[] {
  const [a, b] = linesOfBoth(before, after, width);
  const lines = diffLines(a, b, isVerbose ? Number.MAX_SAFE_INTEGER : contextLines);
  if (isVerbose) return lines;
  const cutLines = cutMatchingLines(lines, width);
  const more = cutLines.length - maxDiffLines;
  return more > 0
    ? [...cutLines.slice(0, maxDiffLines), { mark: '~', text: `... ${more} more lines` }]
    : cutLines;
}

/**
 * Compares two lists of lines for the small diff of a field in a plan, and returns the differing ones (marked
 * `-` and `+`), each with up to `context` equal lines (marked `|`) before and after it. A line marked `~`
 * stands for equal lines that are left out.
 */
function diffLines(a: string[], b: string[], context: number): DiffLine[] {
  return compareLines(a, b, context).flatMap((hunk, index): DiffLine[] => [
    ...(index > 0 || hunk.oldStart > 1 ? [{ mark: '~' as const, text: '...' }] : []),
    ...hunk.lines.map((line) => ({
      mark: line.startsWith(' ') ? '|' : (line[0] as DiffLine['mark']),
      text: line.slice(1),
    })),
  ]);
}

/** Lines that differ, with equal lines around them. The first character of a line is `-`, `+` or a space. Line numbers count from 1. */
interface Hunk {
  oldStart: number;
  newStart: number;
  lines: string[];
}

/**
 * Compares two lists of lines and returns the hunks: the differing lines, marked `-` and `+`, each with up to
 * `context` equal lines around them. Used for diffs in texts and on pages. If more than 2,000 lines
 * differ, the search is given up, and all lines count as different.
 */
export function compareLines(before: string[], after: string[], context: number): Hunk[] {
  const toText = (lines: string[]) => lines.map((line) => `${line}\n`).join('');
  const patch = structuredPatch('', '', toText(before), toText(after), '', '', {
    context,
    maxEditLength: 2000,
  });
  const lines = [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
  return patch?.hunks ?? [{ oldStart: 1, newStart: 1, lines }];
}

/**
 * Prepares two values for printing side by side, so that they differ on paper only if they really differ:
 *
 *   - Texts that look the same but differ get their invisible differences spelled out.
 *   - The members of objects have one order on both sides, because their order does not count.
 *   - If both sides are a list with a single scalar, each becomes that scalar.
 */
export function normalizeSides(rawBefore: unknown, rawAfter: unknown): [unknown, unknown] {
  const [before, after] = spellOutDifferences(rawBefore, rawAfter);
  const [scalarBefore, scalarAfter] = [singleScalarIn(before), singleScalarIn(after)];
  if (scalarBefore && scalarAfter) return [scalarBefore.scalar, scalarAfter.scalar];
  const ranks = memberRanksIn(after);
  return [sortMembers(before, ranks), sortMembers(after, ranks)];
}

/**
 * Returns the rank of each name among the members of all objects in a value: its place in the order of their first occurrence. Used to show
 * two values with their members in the same order (`sortMembers`).
 */
function memberRanksIn(value: unknown): Map<string, number> {
  const ranks = new Map<string, number>();
  visitDeep(value, (node) => {
    if (isPlainObject(node))
      for (const name of Object.keys(node)) ranks.set(name, ranks.get(name) ?? ranks.size);
    return visitMembers;
  });
  return ranks;
}

/**
 * Returns a value with the members of all its objects sorted by their ranks (`memberRanksIn`), so that two values that are shown together
 * have them in the same order. Members without a rank come last, by name.
 */
function sortMembers(value: unknown, ranks: ReadonlyMap<string, number>): unknown {
  if (Array.isArray(value)) return value.map((item) => sortMembers(item, ranks));
  if (!isPlainObject(value)) return value;
  const rankOf = (name: string) => ranks.get(name) ?? ranks.size;
  const members = Object.entries(value).sort(([a], [b]) => rankOf(a) - rankOf(b) || byText(a, b));
  return Object.fromEntries(members.map(([name, item]) => [name, sortMembers(item, ranks)]));
}

/**
 * Returns the only item of a list if it is a scalar, so that reports print `192.0.2.1 → 192.0.2.2` without the brackets
 * of `[192.0.2.1]` and `[{ value: 192.0.2.1 }]`; undefined for other values, and for null. In an object (`scalar`),
 * since the item may be undefined itself.
 */
function singleScalarIn(list: unknown): { scalar: unknown } | undefined {
  if (!Array.isArray(list) || list.length !== 1) return undefined;
  const [item] = list as [unknown];
  const scalar = isPlainObject(item) && Object.keys(item).join() === 'value' ? item.value : item;
  // Values that are still unknown and secrets are objects in memory, but print as one word.
  const isOneWord = typeof scalar !== 'object' || isHole(scalar) || scalar instanceof Sealed;
  return isOneWord ? { scalar } : undefined;
}

/**
 * Returns a value as lines, to print it in the output of a plan or to compare it line by line with another value: a text by its own lines,
 * anything else in the block style of YAML. `width`: the width of the terminal.
 */
export function valueLines(value: unknown, width: number): string[] {
  if (value === undefined) return [];
  return typeof value === 'string'
    ? textLines(value)
    : layOut(value, Math.min(width, 60), 'plain', { isSpread: true });
}

/** Splits a text into lines, ready to print. A line end at the end of the text does not start another line. */
export const textLines = (text: string): string[] => escapeHidden(text).replace(/\n$/, '').split('\n');

/**
 * Returns two values as lines. If only one of two texts ends with a line end, the other text gets a last line about that, because the
 * difference would be invisible.
 */
export function linesOfBoth(before: unknown, after: unknown, width: number): [string[], string[]] {
  const lacksLineEnd = (value: unknown) => typeof value === 'string' && !value.endsWith('\n');
  const endsDiffer =
    typeof before === 'string' && typeof after === 'string' && lacksLineEnd(before) !== lacksLineEnd(after);
  const lines = (value: unknown) => [
    ...valueLines(value, width),
    ...(endsDiffer && lacksLineEnd(value) ? ['\\ no line end here'] : []),
  ];
  return [lines(before), lines(after)];
}

/**
 * Cuts the long lines of a diff where they do not differ, so that the difference stays visible. Several
 * removed lines with added lines behind them are compared one by one: the first removed line with the first
 * added line, and so on.
 */
function cutMatchingLines(lines: DiffLine[], width: number): DiffLine[] {
  const cutLines = lines.map((line) => ({ ...line }));
  for (let index = 0; index < cutLines.length; ) {
    const removed = runFrom(index, cutLines, ({ mark }) => mark === '-');
    const added = runFrom(index + removed.length, cutLines, ({ mark }) => mark === '+');
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const [a, b] = [removed[i], added[i]];
      if (a && b) [a.text, b.text] = cutPair(a.text, b.text, width);
      else if (a) a.text = cutCounted(a.text, width);
      else if (b) b.text = cutCounted(b.text, width);
    }
    // The next line, if there is one, is neither removed nor added.
    const equalLine = cutLines[index + removed.length + added.length];
    if (equalLine) equalLine.text = cutCounted(equalLine.text, width);
    index += removed.length + added.length + 1;
  }
  return cutLines;
}

/**
 * Returns the lines that follow each other from index `start` on and for which `isInRun` is true, such as all removed lines of a
 * difference.
 */
export function runFrom<T>(start: number, lines: T[], isInRun: (line: T) => boolean): T[] {
  const end = lines.findIndex((line, index) => index >= start && !isInRun(line));
  return lines.slice(start, end < 0 ? undefined : end);
}

/**
 * Formats the difference of two texts as a unified diff, like `git diff`, for commands that change files. Empty if the texts are equal.
 * `show`: returns a compared line as it is shown.
 */
export function textDiff(
  before: string,
  after: string,
  names: { from: string; to: string },
  show = (line: string): string => line,
): string {
  if (before === after) return '';
  // The library quotes names of files where a diff needs it. Its first line, a row of `=`, is left out.
  const header = createTwoFilesPatch(names.from, names.to, '', '').trimEnd().split('\n').slice(1);
  return [...header, ...formatHunks(before, after, 3)]
    .map((line) => cleanLine(show(line)))
    .join('\n')
    .trimEnd();
}

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
  const sharedNames = Object.keys(before).filter((name) => Object.hasOwn(after, name));
  for (const name of sharedNames)
    [spelledBefore[name], spelledAfter[name]] = spellOutDifferences(before[name], after[name]);
  return [spelledBefore, spelledAfter];
}

/**
 * Returns two texts with the differences that cannot be seen, such as a no-break space, spelled out: in each line from the first to the
 * last different character. Texts with different numbers of lines stay, because that difference is visible.
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
 * Spells out the characters in which two lines differ if they look the same: a no-break space becomes its
 * code, so that a reader of a plan sees the difference. Returns lines that look different unchanged. Spaces
 * at the end of a line are invisible in a text of several lines, but not with `isOneLine`, because reports
 * put such a text in quotes.
 */
function spellLineDifferences(before: string, after: string, isOneLine: boolean): [string, string] {
  if (before === after || lookOf(before, isOneLine) !== lookOf(after, isOneLine)) return [before, after];
  const [charsBefore, charsAfter] = [[...before], [...after]];
  const { front, back } = equalEndsOf(charsBefore, charsAfter);
  const spellMiddle = (chars: string[]) => {
    const end = chars.length - back;
    return [
      ...chars.slice(0, front),
      ...chars.slice(front, end).map(spellCharacter),
      ...chars.slice(end),
    ].join('');
  };
  return [spellMiddle(charsBefore), spellMiddle(charsAfter)];
}

/** Returns a text that is equal for lines that look the same. `isOneLine`: spaces at the end of the line are visible. */
function lookOf(line: string, isOneLine: boolean): string {
  const look = line
    .normalize('NFKC')
    .replace(variationSelectors, '')
    .replace(/\p{Zs}/gu, ' ');
  return isOneLine ? look : look.replace(/[ \t\r]+$/, '');
}

/** Characters without a width that only choose how the character before them looks. */
const variationSelectors = /[\u034f\u180b-\u180f\ufe00-\ufe0f]/g;

/** Writes a character as `<U+00E9>`, unless it is printable ASCII. */
const spellCharacter = (char: string): string =>
  /^[!-~]$/.test(char) ? char : `<U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`;
