import type { Position } from '../../model/diagnostic.ts';
import { addTo } from '../../model/graph.ts';

/** A stretch of a file, by offsets. */
export interface Spot {
  source: Source;
  start: number;
  end: number;
}

const quoteWidth = 150;
const mask = '(secret)';

/**
 * One file that is read. Positions are handed out while the configuration is read; the lines they quote are filled in at the end
 * (`quote`), when it is known which stretches hold secrets.
 */
export class Source {
  readonly file: string;
  readonly text: string;
  /** The folder that the file really lies in, where it is one: paths in it start there. */
  readonly folder: string | undefined;
  /** The file could not be parsed, so secrets cannot be told from the rest: lines are quoted without values. */
  broken = false;
  /** It is no text of the configuration itself, as a data file or a file of variables: its values are not known to everybody. */
  isOutside = false;
  /**
   * False for data files and files of variables: their lines are named, and never quoted. Of what stands beside a value nobody knows that
   * it is no secret: no block may have read it.
   */
  isQuoted = true;
  #starts?: number[];
  readonly #masks = new Map<number, [start: number, end: number][]>();
  #handedOut: Position[] = [];

  constructor(file: string, text: string, folder?: string) {
    this.file = file;
    this.text = text;
    this.folder = folder;
  }

  /** The place of `offset`; its line is quoted later. */
  position(offset: number): Position {
    const within = Math.max(0, Math.min(offset, this.text.length));
    const line = this.#lineOf(within);
    const position: Position = { file: this.file, line, column: within - this.#lineStarts()[line - 1]! + 1 };
    this.#handedOut.push(position);
    return position;
  }

  /** The place of a stretch, with its line, once all is read: what is masked is known by then. */
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

  /** Keeps the text between two offsets out of every quoted line. */
  mask(start: number, end: number): void {
    if (this.text === '') return;
    const last = this.#lineOf(Math.max(start, end - 1));
    for (let line = this.#lineOf(start); line <= last; line++) addTo(this.#masks, line, [start, end]);
  }

  /** True if a stretch is, even in part, kept out of quoted lines. */
  isMasked(start: number, end: number): boolean {
    const masks = this.#masks.get(this.#lineOf(Math.max(0, Math.min(start, this.text.length))));
    return masks?.some(([from, to]) => from < end && to > start) ?? false;
  }

  /** The stretches that are kept out of quoted lines, in order and apart. */
  masked(): [start: number, end: number][] {
    return mergeMasks([...this.#masks.values()].flat().map(([start, end]) => [start, end]));
  }

  /** Fills in the lines of all positions handed out so far. */
  quote(): void {
    for (const [line, masks] of this.#masks) this.#masks.set(line, mergeMasks(masks));
    for (const position of this.#handedOut) Object.assign(position, this.#quoted(position));
    this.#handedOut = [];
  }

  #quoted({ line, column }: Position): Pick<Position, 'text' | 'caret'> {
    if (!this.isQuoted) return {};
    const starts = this.#lineStarts();
    const lineStart = starts[line - 1] ?? 0;
    const lineEnd = (starts[line] ?? this.text.length + 1) - 1;
    const whole = lineEnd - lineStart <= quoteWidth;
    const start = whole ? lineStart : Math.max(lineStart, lineStart + column - 1 - quoteWidth / 2);
    const end = whole ? lineEnd : Math.min(lineEnd, start + quoteWidth);
    const masks = this.#masks.get(line) ?? [];
    const shownUpTo = (to: number) =>
      this.broken
        ? structureOf(this.text.slice(start, to), start === lineStart)
        : this.#masked(start, to, masks);
    const cut = start > lineStart ? '…' : '';
    const text = `${cut}${shownUpTo(end)}${end < lineEnd ? '…' : ''}`;
    // What is inside a masked stretch is pointed at where the stretch begins.
    const offset = lineStart + column - 1;
    const [pointed] = masks.find(([from, to]) => from <= offset && offset < to) ?? [offset];
    return {
      text: text.length > quoteWidth + 2 ? `${text.slice(0, quoteWidth)}…` : text,
      caret: cut.length + shownUpTo(Math.max(start, pointed)).length,
    };
  }

  /** The offsets at which lines begin; found on demand, since most files have no problem to place. */
  #lineStarts(): number[] {
    if (this.#starts) return this.#starts;
    const starts: number[] = [];
    for (let index = 0; index !== -1; index = this.text.indexOf('\n', index) + 1 || -1) starts.push(index);
    this.#starts = starts;
    return starts;
  }

  /** The line, from 1, that an offset is in. */
  #lineOf(offset: number): number {
    const starts = this.#lineStarts();
    return Math.max(
      1,
      binarySearch(starts, (start) => start > offset),
    );
  }

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

/** Masks in order, those that touch made one. */
function mergeMasks(masks: [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  for (const [from, to] of masks.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

/** The index of the first that is so, where all behind it are, too: there may be very many. */
function binarySearch<T>(list: T[], isSo: (item: T) => boolean): number {
  let low = 0;
  for (let high = list.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (isSo(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The place of a stretch. */
export const positionOf = ({ source, start }: Spot): Position => source.position(start);

// A quoted line is printed to terminals and logs: no escape sequences, no line ends.
const printable = (text: string) =>
  text
    .replace(/\t/g, ' ')
    .replace(/\r$/, '')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '�');

/** The shape of a line: the key in front and punctuation, but no value. */
export function structureOf(text: string, fromLineStart: boolean): string {
  const key = fromLineStart ? (/^\s*(?:- +)*(?:[\w.$-]+:(?=\s|$))?/.exec(text)?.[0] ?? '') : '';
  return printable(key + text.slice(key.length).replace(/[^\s[\]{},:"'&*|>?!-]+/g, '…'));
}
