/*
 * Compares two texts line by line, and prints the difference as a unified diff. The time of an exact comparison grows with the
 * square of the number of changed lines, so long texts are cut at their anchors, and compared exactly between these.
 *
 *   line     with its line end, which the last line of a text may lack
 *   run      consecutive lines that are all removed, all added, or all in both texts
 *   anchor   a line that each text has exactly once, at places that are in the same order as those of the other anchors
 */
import { diffArrays } from 'diff';
import { addTo } from '../model/graph.ts';

/** Consecutive lines that were removed, were added, or (with neither) are in both texts. */
interface LineRun {
  value: string[];
  added: boolean;
  removed: boolean;
}

/** Texts with fewer lines together are compared exactly. */
const longLineCount = 5000;

/** Returns the runs of two lists of lines, in their order. Between the same two anchors, no shorter difference exists. */
export function compareLongTexts(before: string[], after: string[], longCount = longLineCount): LineRun[] {
  if (before.length + after.length < longCount) return diffArrays(before, after);
  const runs: LineRun[] = [];
  let [oldIndex, newIndex] = [0, 0];
  for (const [oldAnchor, newAnchor] of [
    ...findAnchors(before, after),
    [before.length, after.length] as const,
  ]) {
    for (const run of diffArrays(before.slice(oldIndex, oldAnchor), after.slice(newIndex, newAnchor)))
      addRun(runs, run);
    const value = before.slice(oldAnchor, oldAnchor + 1);
    if (value.length > 0) addRun(runs, { value, added: false, removed: false });
    [oldIndex, newIndex] = [oldAnchor + 1, newAnchor + 1];
  }
  return runs;
}

/** Appends a run to others. Lines of both texts behind lines of both texts become one run with them. */
function addRun(runs: LineRun[], run: LineRun): void {
  const last = runs.at(-1);
  const isEqual = ({ added, removed }: LineRun) => !added && !removed;
  if (last && isEqual(last) && isEqual(run)) for (const line of run.value) last.value.push(line);
  else runs.push({ ...run, value: [...run.value] });
}

/** Returns the positions of the anchors in both texts: of the lines that each has once, the longest sequence in one order. */
function findAnchors(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
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

/** Returns the longest part of a list, in its order, in which the numbers of the items increase. */
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

/** Prints the differences of two texts as lines of a unified diff, with `context` equal lines around each, without its header. */
export function formatHunks(before: string, after: string, context: number, longCount?: number): string[] {
  const [oldLines, newLines] = [before, after].map((text) =>
    text.split(/(?<=\n)/).filter((line) => line !== ''),
  );
  const runs = compareLongTexts(oldLines!, newLines!, longCount);
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
  return hunks.flatMap(formatHunk);
}

/** Prints a hunk with its head, such as `@@ -1,3 +1,4 @@`. A position without lines is that of the line before. */
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
