import type { Position } from '../../model/diagnostic.ts';
import { addTo } from '../../model/graph.ts';

/** A part of a file, by offsets: where a value or a key stands. */
export interface Spot {
  source: Source;
  start: number;
  end: number;
}

const quoteWidth = 150;
const mask = '(secret)';

/**
 * The text of one file, with everything that messages need in order to quote it.
 *
 * Terms:
 *   spot      a part of the text, by offsets
 *   position  file, line and column of a spot, as a diagnostic shows it; perhaps with the quoted line
 *   mask      a spot that quoted lines must not show, because it holds a secret
 *
 * Premise: which spots hold secrets is certain only after the whole configuration was read, but problems are found before that. So
 *   1. `position` returns positions without their line, and remembers them,
 *   2. readers `mask` the secrets that they find,
 *   3. `quote` adds the lines to all positions at the end.
 */
export class Source {
  readonly file: string;
  readonly text: string;
  /** The real folder of the file, where relative paths in the file start; undefined for text that is in no file. */
  readonly folder: string | undefined;
  /** True if the text could not be parsed. Then nothing distinguishes secrets from other values, so lines are quoted without values. */
  broken = false;
  /** True for data files and files of variables. Their values may be secret from readers of the configuration. */
  isOutside = false;
  /**
   * False for data files and files of variables: their lines are named, but never quoted. A value on such a line may be a secret that no block has
   * read, so that nothing has masked it.
   */
  isQuoted = true;
  #starts?: number[];
  readonly #masks = new Map<number, [start: number, end: number][]>();
  #unquoted: Position[] = [];

  constructor(file: string, text: string, folder?: string) {
    this.file = file;
    this.text = text;
    this.folder = folder;
  }

  /** Returns the position of an offset, for a diagnostic. `quote` adds its line later. */
  position(offset: number): Position {
    const validOffset = Math.max(0, Math.min(offset, this.text.length));
    const line = this.#lineOf(validOffset);
    const position: Position = {
      file: this.file,
      line,
      column: validOffset - this.#lineStarts()[line - 1]! + 1,
    };
    this.#unquoted.push(position);
    return position;
  }

  /** Returns the position of a spot with its line. Only for callers that run after everything was read, so that all masks are known. */
  quotedPosition(start: number, end: number): Position {
    const line = this.#lineOf(start);
    const lineStart = this.#lineStarts()[line - 1]!;
    const position: Position = { file: this.file, line, column: start - lineStart + 1 };
    const isOneLine = this.#lineOf(end) === line && end > start;
    return {
      ...position,
      ...(isOneLine ? { endColumn: end - lineStart + 1 } : {}),
      ...this.#quoted(position),
    };
  }

  /** Keeps a spot out of all quoted lines, because it holds a secret. */
  mask(start: number, end: number): void {
    if (this.text === '') return;
    const last = this.#lineOf(Math.max(start, end - 1));
    for (let line = this.#lineOf(start); line <= last; line++) addTo(this.#masks, line, [start, end]);
  }

  /** True if a spot is masked, even in part. */
  isMasked(start: number, end: number): boolean {
    const masks = this.#masks.get(this.#lineOf(Math.max(0, Math.min(start, this.text.length))));
    return masks?.some(([from, to]) => from < end && to > start) ?? false;
  }

  /** Returns the masked spots in their order, without overlaps, for a caller that prints the text itself. */
  masked(): [start: number, end: number][] {
    return mergeMasks([...this.#masks.values()].flat().map(([start, end]) => [start, end]));
  }

  /** Adds the quoted line to all positions that were returned so far. */
  quote(): void {
    for (const [line, masks] of this.#masks) this.#masks.set(line, mergeMasks(masks));
    for (const position of this.#unquoted) Object.assign(position, this.#quoted(position));
    this.#unquoted = [];
  }

  /** Returns the line of a position as a message can show it: cut if it is long, without control characters and secrets. */
  #quoted({ line, column }: Position): Pick<Position, 'text' | 'caret'> {
    if (!this.isQuoted) return {};
    const starts = this.#lineStarts();
    const lineStart = starts[line - 1] ?? 0;
    const lineEnd = (starts[line] ?? this.text.length + 1) - 1;
    const isShort = lineEnd - lineStart <= quoteWidth;
    const start = isShort ? lineStart : Math.max(lineStart, lineStart + column - 1 - quoteWidth / 2);
    const end = isShort ? lineEnd : Math.min(lineEnd, start + quoteWidth);
    const masks = this.#masks.get(line) ?? [];
    const textUpTo = (to: number) =>
      this.broken
        ? lineWithoutValues(this.text.slice(start, to), start === lineStart)
        : this.#masked(start, to, masks);
    const ellipsis = start > lineStart ? '…' : '';
    const text = `${ellipsis}${textUpTo(end)}${end < lineEnd ? '…' : ''}`;
    // A position inside a mask would show how long the secret is up to there, so the caret points at the mask's start.
    const offset = lineStart + column - 1;
    const [caretOffset] = masks.find(([from, to]) => from <= offset && offset < to) ?? [offset];
    return {
      text: text.length > quoteWidth + 2 ? `${text.slice(0, quoteWidth)}…` : text,
      caret: ellipsis.length + textUpTo(Math.max(start, caretOffset)).length,
    };
  }

  /** Returns the offsets at which lines begin. Computed on demand, because most files have no problem that needs a position. */
  #lineStarts(): number[] {
    if (this.#starts) return this.#starts;
    const starts: number[] = [];
    for (let index = 0; index !== -1; index = this.text.indexOf('\n', index) + 1 || -1) starts.push(index);
    this.#starts = starts;
    return starts;
  }

  /** Returns the number of the line (from 1) that an offset is in. */
  #lineOf(offset: number): number {
    const starts = this.#lineStarts();
    return Math.max(
      1,
      binarySearch(starts, (start) => start > offset),
    );
  }

  /** Returns the text between two offsets with a placeholder for each mask. */
  #masked(start: number, end: number, masks: [number, number][]): string {
    let shown = '';
    let index = start;
    for (let i = binarySearch(masks, ([, to]) => to > start); i < masks.length && masks[i]![0] < end; i++) {
      const [from, to] = masks[i]!;
      shown += printable(this.text.slice(index, Math.max(index, from))) + mask;
      index = to;
    }
    return shown + printable(this.text.slice(Math.min(index, end), end));
  }
}

/** Sorts masks and joins those that overlap or touch. */
function mergeMasks(masks: [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  for (const [from, to] of masks.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

/** Returns the index of the first item that fulfils a condition which all later items fulfil too, by binary search: a file may have a million lines. */
function binarySearch<T>(list: T[], condition: (item: T) => boolean): number {
  let low = 0;
  for (let high = list.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (condition(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the position of a spot's start, for a diagnostic. */
export const positionOf = ({ source, start }: Spot): Position => source.position(start);

/** Removes escape sequences and line ends, because quoted lines are printed to terminals and logs. */
const printable = (text: string) =>
  text
    .replace(/\t/g, ' ')
    .replace(/\r$/, '')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '�');

/** Returns a line with `…` for each value, so that a line of a file with syntax errors can be quoted without its secrets. Keeps the key in front and punctuation. */
export function lineWithoutValues(text: string, fromLineStart: boolean): string {
  const key = fromLineStart ? (/^\s*(?:- +)*(?:[\w.$-]+:(?=\s|$))?/.exec(text)?.[0] ?? '') : '';
  return printable(key + text.slice(key.length).replace(/[^\s[\]{},:"'&*|>?!-]+/g, '…'));
}
