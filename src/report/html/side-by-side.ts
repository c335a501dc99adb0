import { diffWordsWithSpace, structuredPatch } from 'diff';

/** A piece of a line; `differs`: not so on the other side. */
export interface Piece {
  text: string;
  differs: boolean;
}

/** One side of a row: a line and its number, from 1. */
export interface Side {
  line: number;
  pieces: Piece[];
}

/** A row of a comparison: the same on both sides, different, on one side only, or so many equal lines left out. */
export type Row =
  | { type: 'same'; before: Side; after: Side }
  | { type: 'changed'; before?: Side; after?: Side }
  | { type: 'skipped'; lines: number };

const context = 3;
/** Words are compared only in lines that are not longer: beyond, the page would take too long to make. */
const longest = 4000;

/** Two texts, by lines, in rows of two sides. Only equal lines far from any difference are left out, and counted. */
export function sideBySide(before: string[], after: string[]): Row[] {
  const [a, b] = [before, after].map((lines) => lines.map((line) => `${line}\n`).join('')) as [
    string,
    string,
  ];
  const patch = structuredPatch('', '', a, b, '', '', { context, maxEditLength: 2000 });
  const hunks = patch?.hunks ?? [
    {
      oldStart: 1,
      newStart: 1,
      lines: [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)],
    },
  ];
  const rows: Row[] = [];
  let next = 1;
  for (const { oldStart, newStart, lines } of hunks) {
    // Of an empty side the patch says that it starts at 0.
    const start = Math.max(1, oldStart);
    if (start > next) rows.push({ type: 'skipped', lines: start - next });
    rows.push(...rowsOf(lines, start, Math.max(1, newStart)));
    next = start + lines.filter((line) => !line.startsWith('+')).length;
  }
  const rest = before.length - next + 1;
  return patch && rest > 0 ? [...rows, { type: 'skipped', lines: rest }] : rows;
}

/** Removed lines stand beside the added ones that follow them. */
function rowsOf(lines: string[], oldStart: number, newStart: number): Row[] {
  const rows: Row[] = [];
  let [oldLine, newLine] = [oldStart, newStart];
  for (let at = 0; at < lines.length; ) {
    const removed = runOf('-', lines, at);
    const added = runOf('+', lines, at + removed.length);
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const [left, right] = compared(removed[i], added[i]);
      rows.push({
        type: 'changed',
        ...(left ? { before: { line: oldLine++, pieces: left } } : {}),
        ...(right ? { after: { line: newLine++, pieces: right } } : {}),
      });
    }
    at += removed.length + added.length;
    if (removed.length + added.length > 0) continue;
    const pieces = [{ text: lines[at++]!.slice(1), differs: false }];
    rows.push({
      type: 'same',
      before: { line: oldLine++, pieces },
      after: { line: newLine++, pieces },
    });
  }
  return rows;
}

function runOf(mark: string, lines: string[], from: number): string[] {
  const end = lines.findIndex((line, at) => at >= from && !line.startsWith(mark));
  return lines.slice(from, end < 0 ? undefined : end).map((line) => line.slice(1));
}

/** Two lines with what differs in them; a line that has no counterpart, or nothing in common with it, differs as a whole. */
function compared(before?: string, after?: string): [Piece[] | undefined, Piece[] | undefined] {
  const whole = (text?: string) => (text === undefined ? undefined : [{ text, differs: true }]);
  if (before === undefined || after === undefined || before.length + after.length > longest)
    return [whole(before), whole(after)];
  const parts = diffWordsWithSpace(before, after);
  const shared = parts.filter(({ added, removed }) => !added && !removed);
  if (shared.reduce((sum, { value }) => sum + value.trim().length, 0) * 3 < before.trim().length)
    return [whole(before), whole(after)];
  const side = (other: 'added' | 'removed') =>
    parts
      .filter((part) => !part[other])
      .map(({ value, added, removed }) => ({ text: value, differs: added || removed }));
  return [side('added'), side('removed')];
}
