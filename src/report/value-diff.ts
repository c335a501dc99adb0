import { createTwoFilesPatch, structuredPatch } from 'diff';
import { byText } from '../model/graph.ts';
import { Sealed } from '../model/sealed.ts';
import { isHole, isPlainObject } from '../model/value.ts';
import { inside, walk } from '../model/walk.ts';
import { cleanLine, visible } from './clean.ts';
import { cutCounted, cutPair } from './cut.ts';
import { layOut } from './show.ts';
import { spellOutDifferences } from './spell-out-differences.ts';

/** One line of a difference: gone, new, or (`|`) the same; `~` stands for lines left out. */
interface DiffLine {
  mark: '+' | '-' | '|' | '~';
  text: string;
}

const contextLines = 2;
const maxDiffLines = 30;

/** A small unified diff of two values. `whole`: nothing is left out or cut. */
export function valueDiff(before: unknown, after: unknown, width: number, whole = false): DiffLine[] {
  const [a, b] = linesOfBoth(before, after, width);
  const lines = diffLines(a, b, whole ? Number.MAX_SAFE_INTEGER : contextLines);
  if (whole) return lines;
  const cut = cutMatchingLines(lines, width);
  if (cut.length <= maxDiffLines) return cut;
  return [...cut.slice(0, maxDiffLines), { mark: '~', text: `... ${cut.length - maxDiffLines} more lines` }];
}

function diffLines(a: string[], b: string[], context: number): DiffLine[] {
  const [before, after] = [a, b].map((lines) => lines.map((line) => `${line}\n`).join('')) as [
    string,
    string,
  ];
  const patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength: 2000 });
  // Hardly anything in common: looking for it would take too long.
  if (!patch)
    return [
      ...a.map((text) => ({ mark: '-' as const, text })),
      ...b.map((text) => ({ mark: '+' as const, text })),
    ];
  return patch.hunks.flatMap((hunk, index): DiffLine[] => [
    ...(index > 0 || hunk.oldStart > 1 ? [{ mark: '~' as const, text: '...' }] : []),
    ...hunk.lines.map((line) => ({
      mark: line.startsWith(' ') ? '|' : (line[0] as DiffLine['mark']),
      text: line.slice(1),
    })),
  ]);
}

/**
 * Two values as they are to be shown beside each other: texts that only look the same are told apart, the members of objects are in one
 * order, since that is no difference, and a single scalar, or a single `value`, has no brackets on both sides.
 */
export function normalizeSides(one: unknown, other: unknown): [unknown, unknown] {
  const [before, after] = spellOutDifferences(one, other);
  const names = new Map<string, number>();
  walk(after, (one) => {
    if (isPlainObject(one))
      for (const name of Object.keys(one)) names.set(name, names.get(name) ?? names.size);
    return inside;
  });
  const place = (name: string) => names.get(name) ?? names.size;
  const ordered = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(ordered);
    if (!isPlainObject(value)) return value;
    const members = Object.entries(value).sort(([a], [b]) => place(a) - place(b) || byText(a, b));
    return Object.fromEntries(members.map(([name, item]) => [name, ordered(item)]));
  };
  const [a, b] = [singleScalarIn(before), singleScalarIn(after)];
  return a && b ? [a.is, b.is] : [ordered(before), ordered(after)];
}

/** The scalar in a list that holds nothing else. */
function singleScalarIn(value: unknown): { is: unknown } | undefined {
  if (!Array.isArray(value) || value.length !== 1) return undefined;
  const [item] = value as [unknown];
  const only = isPlainObject(item) && Object.keys(item).join() === 'value' ? item.value : item;
  return typeof only === 'object' && !isHole(only) && !(only instanceof Sealed) ? undefined : { is: only };
}

/** Text by its own lines; anything else laid out. */
export function valueLines(value: unknown, width: number): string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? textLines(value) : layOut(value, Math.min(width, 60), 'plain', true);
}

/** The line end of a last line does not begin another one. */
export const textLines = (text: string): string[] => visible(text).replace(/\n$/, '').split('\n');

/** The lines of two values. Of two texts it is said which one does not end its last line, if only one does. */
export function linesOfBoth(before: unknown, after: unknown, width: number): [string[], string[]] {
  const isOpen = (value: unknown) => typeof value === 'string' && !value.endsWith('\n');
  const differ = typeof before === 'string' && typeof after === 'string' && isOpen(before) !== isOpen(after);
  const lines = (value: unknown) => [
    ...valueLines(value, width),
    ...(differ && isOpen(value) ? ['\\ no line end here'] : []),
  ];
  return [lines(before), lines(after)];
}

/** Cuts long lines where they do not differ: a run of removed ones is matched with the run of added ones after it. */
function cutMatchingLines(lines: DiffLine[], width: number): DiffLine[] {
  const result = lines.map((line) => ({ ...line }));
  for (let index = 0; index < result.length; ) {
    const removed = lineRunOf('-', result, index);
    const added = lineRunOf('+', result, index + removed.length);
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const [a, b] = [removed[i], added[i]];
      if (a && b) [a.text, b.text] = cutPair(a.text, b.text, width);
      else if (a) a.text = cutCounted(a.text, width);
      else if (b) b.text = cutCounted(b.text, width);
    }
    const same = result[index + removed.length + added.length];
    if (same) same.text = cutCounted(same.text, width);
    index += removed.length + added.length + 1;
  }
  return result;
}

function lineRunOf(mark: string, lines: DiffLine[], from: number): DiffLine[] {
  const end = lines.findIndex((line, index) => index >= from && line.mark !== mark);
  return lines.slice(from, end < 0 ? undefined : end);
}

/** Two texts as a unified diff, as `git diff` prints one; empty where they are the same. */
export function textDiff(before: string, after: string, names: { from: string; to: string }): string {
  if (before === after) return '';
  const patch = createTwoFilesPatch(names.from, names.to, before, after, undefined, undefined, {
    context: 3,
  });
  return patch.split('\n').slice(1).map(cleanLine).join('\n').trimEnd();
}
