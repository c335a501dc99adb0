/*
 * Compares two texts line by line, and prints the difference as a unified diff. The time of an exact comparison grows with the
 * square of the number of changed lines, so long texts are cut at their anchors, and compared exactly between these.
 *
 *   line     with its line end, which the last line of a text may lack
 *   run      consecutive lines that are all removed, all added, or all in both texts
 *   anchor   a line that each text has exactly once, at places that are in the same order as those of the other anchors
 */
import { diffArrays } from 'diff';
import { addTo, appendAll } from '../model/graph.ts';

/** Consecutive lines that were removed, were added, or (with neither) are in both texts. */
interface LineRun {
  value: string[];
  added: boolean;
  removed: boolean;
}

/** Texts with fewer lines together are compared exactly. */
const longLineCount = 5000;

/** The positions of an equal line in both texts. */
type LinePair = readonly [oldIndex: number, newIndex: number];

/**
 * Compares two lists of lines for a diff, and returns the runs (consecutive lines that are all removed, all added, or all equal) in their
 * order. Lists with fewer than `longCount` lines together get the shortest difference. Longer ones get the shortest difference between
 * each two anchors (lines that both have exactly once, in the same order), because the exact comparison of all lines would take too long.
 */
export function compareLongTexts(before: string[], after: string[], longCount = longLineCount): LineRun[] {
  if (before.length + after.length < longCount) return diffArrays(before, after);
  const pairs: LinePair[] = [];
  let [oldStart, newStart] = [0, 0];
  for (const anchor of findAnchors(before, after)) {
    const [oldAnchor, newAnchor] = anchor;
    appendAll(pairs, pairEqualLines(before, after, [oldStart, oldAnchor], [newStart, newAnchor]));
    pairs.push(anchor);
    [oldStart, newStart] = [oldAnchor + 1, newAnchor + 1];
  }
  appendAll(pairs, pairEqualLines(before, after, [oldStart, before.length], [newStart, after.length]));
  return toRuns(before, after, pairs);
}

/** A range of the lines of a text, without the line at its end. */
type LineRange = readonly [start: number, end: number];

/**
 * Returns as many pairs of equal lines as possible within a range of each text. Lines that only one range has are left out of the
 * comparison, because its time grows with the number of changed lines.
 */
function pairEqualLines(
  before: readonly string[],
  after: readonly string[],
  oldRange: LineRange,
  newRange: LineRange,
): LinePair[] {
  const oldIndexes = indexesOfLines(before, oldRange, new Set(after.slice(...newRange)));
  const newIndexes = indexesOfLines(after, newRange, new Set(before.slice(...oldRange)));
  const runs = diffArrays(
    oldIndexes.map((index) => before[index]!),
    newIndexes.map((index) => after[index]!),
  );
  const pairs: LinePair[] = [];
  let [oldPosition, newPosition] = [0, 0];
  for (const { value, added, removed } of runs) {
    if (!added && !removed)
      for (const i of value.keys()) pairs.push([oldIndexes[oldPosition + i]!, newIndexes[newPosition + i]!]);
    if (!added) oldPosition += value.length;
    if (!removed) newPosition += value.length;
  }
  return pairs;
}

/** Returns the indexes in a range of a text at which one of the `wanted` lines stands. */
const indexesOfLines = (
  lines: readonly string[],
  [start, end]: LineRange,
  wanted: ReadonlySet<string>,
): number[] =>
  Array.from({ length: end - start }, (_, i) => start + i).filter((index) => wanted.has(lines[index]!));

/**
 * Returns the difference of two texts as runs of lines: equal, removed or added. `pairs`: the positions of the equal lines in both texts,
 * in their order, as `compareLongTexts` has found them. All other lines are removed or added.
 */
function toRuns(before: readonly string[], after: readonly string[], pairs: readonly LinePair[]): LineRun[] {
  const runs: LineRun[] = [];
  let equal: string[] = [];
  let [oldStart, newStart] = [0, 0];
  const addChanges = (oldEnd: number, newEnd: number) => {
    if (oldEnd === oldStart && newEnd === newStart) return;
    if (equal.length > 0) runs.push({ value: equal, added: false, removed: false });
    equal = [];
    if (oldEnd > oldStart) runs.push({ value: before.slice(oldStart, oldEnd), added: false, removed: true });
    if (newEnd > newStart) runs.push({ value: after.slice(newStart, newEnd), added: true, removed: false });
  };
  for (const [oldIndex, newIndex] of pairs) {
    addChanges(oldIndex, newIndex);
    equal.push(before[oldIndex]!);
    [oldStart, newStart] = [oldIndex + 1, newIndex + 1];
  }
  addChanges(before.length, after.length);
  if (equal.length > 0) runs.push({ value: equal, added: false, removed: false });
  return runs;
}

/**
 * Returns the positions of the anchors in both texts: lines that each text has exactly once, as many as possible that are in the same
 * order in both. Long texts are compared only between them.
 */
function findAnchors(before: readonly string[], after: readonly string[]): LinePair[] {
  const oldPositions = new Map<string, number[]>();
  const newPositions = new Map<string, number[]>();
  for (const [index, line] of before.entries()) addTo(oldPositions, line, index);
  for (const [index, line] of after.entries()) addTo(newPositions, line, index);
  const pairs = [...oldPositions].flatMap(([line, [oldIndex, ...otherIndexes]]) => {
    const [newIndex, ...others] = newPositions.get(line) ?? [];
    const isUnique = newIndex !== undefined && otherIndexes.length === 0 && others.length === 0;
    return isUnique ? [[oldIndex!, newIndex] as const] : [];
  });
  return longestIncreasing(pairs, ([, newIndex]) => newIndex);
}

/**
 * Returns the longest subsequence of a list in which the numbers of the items increase. Used for lines that two texts share, in the order
 * of the old text and with their positions in the new one as numbers: the result has the most lines that both texts have in the same
 * order.
 */
function longestIncreasing<T>(items: readonly T[], numberOf: (item: T) => number): T[] {
  interface Chain {
    item: T;
    previous: Chain | undefined;
  }
  /** For each length, the chain whose last number is the smallest. */
  const chains: Chain[] = [];
  for (const item of items) {
    let [low, high] = [0, chains.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numberOf(chains[middle]!.item) < numberOf(item)) low = middle + 1;
      else high = middle;
    }
    chains[low] = { item, previous: chains[low - 1] };
  }
  const longest: T[] = [];
  for (let chain = chains.at(-1); chain; chain = chain.previous) longest.push(chain.item);
  return longest.reverse();
}

/** A part of a unified diff: changed lines and the equal ones around them. */
interface LineHunk {
  oldStart: number;
  newStart: number;
  lines: string[];
}

/**
 * Formats the differences of two texts as lines of a unified diff, without its header, for reports and for commands that change files.
 * Around each difference stand `context` equal lines. Differences that are closer together are one hunk. `longCount`: see
 * `compareLongTexts`.
 */
export function formatHunks(before: string, after: string, context: number, longCount?: number): string[] {
  const splitLines = (text: string) => text.split(/(?<=\n)/).filter((line) => line !== '');
  const runs = compareLongTexts(splitLines(before), splitLines(after), longCount);
  return collectHunks(runs, context).flatMap(formatHunk);
}

/**
 * Collects the runs (see the top of the file) of two compared texts into hunks, each with changes that are at most twice `context` lines
 * apart. A hunk begins with up to `context` equal lines before its first change, and ends with up to `context` of those after its last one.
 */
function collectHunks(runs: LineRun[], context: number): LineHunk[] {
  const hunks: LineHunk[] = [];
  let hunk: LineHunk | undefined;
  let [oldLine, newLine] = [1, 1];
  for (const [index, { value, added, removed }] of runs.entries()) {
    const isLast = index === runs.length - 1;
    if (added || removed) {
      if (!hunk) {
        const lead = runs[index - 1]?.value.slice(-context).map((line) => ` ${line}`) ?? [];
        hunk = { oldStart: oldLine - lead.length, newStart: newLine - lead.length, lines: lead };
        hunks.push(hunk);
      }
      for (const line of value) hunk.lines.push((added ? '+' : '-') + line);
    } else if (hunk) {
      const isJoined = value.length <= context * 2 && !isLast;
      for (const line of isJoined ? value : value.slice(0, context)) hunk.lines.push(` ${line}`);
      if (!isJoined) hunk = undefined;
    }
    if (!added) oldLine += value.length;
    if (!removed) newLine += value.length;
  }
  return hunks;
}

/**
 * Formats a hunk (a difference with the equal lines around it) in the form of `diff -u`: its head, such as `@@ -1,3 +1,4 @@`, and its
 * lines. In the head, a text without lines in the hunk has the position of the line before.
 */
function formatHunk({ oldStart, newStart, lines }: LineHunk): string[] {
  const formatRange = (start: number, otherMark: string) => {
    const lineCount = lines.filter((line) => !line.startsWith(otherMark)).length;
    return `${lineCount === 0 ? start - 1 : start},${lineCount}`;
  };
  const body = lines.flatMap((line) =>
    line.endsWith('\n') ? [line.slice(0, -1)] : [line, '\\ No newline at end of file'],
  );
  return [`@@ -${formatRange(oldStart, '+')} +${formatRange(newStart, '-')} @@`, ...body];
}
