import type { Position } from '../../model/diagnostic.ts';
import { addTo } from '../../model/graph.ts';
import { findUrlPasswords, type MaskedSpan } from './find-url-passwords.ts';
import { readablePartsOf } from './readable-parts.ts';

/** A part of a file, by offsets: where a value or a key stands. */
export interface Spot {
  source: Source;
  start: number;
  end: number;
  /**
   * The place of the cell, for a value in a CSV file. `start` and `end` are those of its row, which messages name. Masks hide
   * only the cell.
   */
  cell?: { start: number; end: number };
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
  /**
   * True if the text has a syntax error or a problem such as a repeated key. Then nothing distinguishes
   * secrets from other values, so lines are quoted without values.
   */
  broken = false;
  /**
   * True for files of variables, data files that git does not track, and values that stand in no file. They
   * may be secret from readers of the configuration.
   */
  isOutside = false;
  /**
   * False for data files and files of variables: their lines are named, but never quoted. A value on such a line may be a secret that no
   * block has read, so that nothing has masked it.
   */
  isQuoted = true;
  #starts?: number[];
  readonly #masks = new Map<number, [start: number, end: number][]>();
  #unquoted: Position[] = [];

  /**
   * Takes over the text of one configuration file, to make the positions in messages and to quote its lines
   * without secrets. `file`: its name for people. `folder`: where its relative paths start; undefined if it
   * is no real file.
   */
  constructor(file: string, text: string, folder?: string) {
    this.file = file;
    this.text = text;
    this.folder = folder;
  }

  /**
   * Returns the line and column of an offset in this file, for a message. The text of the line is added
   * later, by `quote`, when all secrets are masked.
   */
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

  /**
   * Returns the position of a part of this file with the text of its line, for a plan that shows the line of
   * a change. The text is added at once, so call it only after everything was read and all secrets are
   * masked.
   */
  quotedPosition(start: number, end: number): Position {
    const line = this.#lineOf(start);
    const lineStart = this.#lineStarts()[line - 1]!;
    const position: Position = { file: this.file, line, column: start - lineStart + 1 };
    const isOneLine = this.#lineOf(end) === line && end > start;
    return {
      ...position,
      endColumn: isOneLine ? end - lineStart + 1 : undefined,
      ...this.#quoted(position),
    };
  }

  /**
   * Masks a part of the text, because it holds a secret: no quoted line shows it. `start` and `end` are
   * offsets; the part may have several lines. A value that stands in no file has no text, and nothing to
   * mask.
   */
  mask(start: number, end: number): void {
    if (this.text === '') return;
    const last = this.#lineOf(Math.max(start, end - 1));
    for (let line = this.#lineOf(start); line <= last; line++) addTo(this.#masks, line, [start, end]);
  }

  /**
   * True if a mask covers a part of a spot's first line, as it does for every value that `maskNode` masks.
   */
  isMasked(start: number, end: number): boolean {
    const masks = this.#masks.get(this.#lineOf(Math.max(0, Math.min(start, this.text.length))));
    return masks?.some(([from, to]) => from < end && to > start) ?? false;
  }

  /** Returns the masked spots in their order, without overlaps, for a caller that prints the text itself. */
  masked(): [start: number, end: number][] {
    return mergeMasks([...this.#masks.values()].flat().map(([start, end]) => [start, end]));
  }

  /**
   * Adds the text of its line to each position in this file that a message points at. Called once, after all
   * secrets were masked and before messages are printed, so that no line shows a secret.
   */
  quote(): void {
    for (const [line, masks] of this.#masks) this.#masks.set(line, mergeMasks(masks));
    for (const position of this.#unquoted) Object.assign(position, this.#quoted(position));
    this.#unquoted = [];
  }

  /**
   * Returns the text of a position's line as a message shows it, without control characters and secrets, and
   * cut if it is long. `caret`: the column of that text at which the message points. In a `broken` file any
   * value may be a secret, so no value of the line is shown.
   */
  #quoted({ line, column }: Position): Pick<Position, 'text' | 'caret'> {
    if (!this.isQuoted) return {};
    const starts = this.#lineStarts();
    const lineStart = starts[line - 1] ?? 0;
    const lineEnd = (starts[line] ?? this.text.length + 1) - 1;
    const offset = lineStart + column - 1;
    // A long line is cut to a window around the position.
    const isShort = lineEnd - lineStart <= quoteWidth;
    const windowStart = isShort ? lineStart : Math.max(lineStart, offset - quoteWidth / 2);
    const windowEnd = isShort ? lineEnd : Math.min(lineEnd, windowStart + quoteWidth);
    const knownMasks = this.#masks.get(line) ?? [];
    const urlMasks = findUrlPasswords(this.text, windowStart, windowEnd);
    // A line of a data file may have very many masks, so they are only copied and merged if needed.
    const masks =
      urlMasks.length === 0
        ? knownMasks
        : mergeMasks([...knownMasks.map(([from, to]): MaskedSpan => [from, to]), ...urlMasks]);
    /** Returns the window up to an offset, as it is shown. */
    const shownUpTo = (end: number) =>
      this.broken
        ? lineWithoutValues(this.text.slice(lineStart, lineEnd), windowStart - lineStart, end - lineStart)
        : this.#maskedText(windowStart, end, masks);
    const ellipsis = windowStart > lineStart ? '…' : '';
    const text = `${ellipsis}${shownUpTo(windowEnd)}${windowEnd < lineEnd ? '…' : ''}`;
    // `(secret)` can be longer than the secret. Otherwise, only the two ellipses can exceed the width of the window.
    const isTooLong = text.length > quoteWidth + 2;
    // A caret inside a mask would show how long the secret is up to there, so it points at the mask's start.
    const [caretOffset] = masks.find(([from, to]) => from <= offset && offset < to) ?? [offset];
    return {
      text: isTooLong ? `${text.slice(0, quoteWidth)}…` : text,
      caret: ellipsis.length + shownUpTo(Math.max(windowStart, caretOffset)).length,
    };
  }

  /**
   * Returns the offsets at which the lines of this file begin, to turn an offset into a line number for
   * messages. Computed at the first call, because most files have no problem and need none.
   */
  #lineStarts(): number[] {
    if (this.#starts) return this.#starts;
    const starts = [0];
    let newline = this.text.indexOf('\n');
    while (newline !== -1) {
      starts.push(newline + 1);
      newline = this.text.indexOf('\n', newline + 1);
    }
    this.#starts = starts;
    return starts;
  }

  /**
   * Returns the number of the line, from 1, that contains an offset of this file, for the position in a message. Uses a binary search,
   * because a file may be large.
   */
  #lineOf(offset: number): number {
    const starts = this.#lineStarts();
    return Math.max(
      1,
      binarySearch(starts, (start) => start > offset),
    );
  }

  /**
   * Returns the text of the file between two offsets, for a line that a message quotes, with `(secret)` in
   * place of each mask. `masks`: the places that hold a secret, as start and end offsets, sorted and without
   * overlaps.
   */
  #maskedText(start: number, end: number, masks: [number, number][]): string {
    let text = '';
    let index = start;
    const firstMask = binarySearch(masks, ([, to]) => to > start);
    for (let i = firstMask; i < masks.length && masks[i]![0] < end; i++) {
      const [from, to] = masks[i]!;
      text += printable(this.text.slice(index, Math.max(index, from))) + mask;
      index = to;
    }
    return text + printable(this.text.slice(Math.min(index, end), end));
  }
}

/**
 * Returns masks (the places of secrets in a file, as start and end offsets) in order, with those that overlap
 * or touch joined, so that a quoted line shows each secret as one placeholder. Sorts the given list in place.
 */
function mergeMasks(masks: [number, number][]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [start, end] of masks.sort((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1);
    if (previous && start <= previous[1]) previous[1] = Math.max(previous[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/**
 * Returns the index of the first item that fulfils a condition; the length of the list if none does. All
 * later items must fulfil it too. Used to find the line of an offset and the masks in a line, because a file
 * may have a million lines.
 */
function binarySearch<T>(list: T[], condition: (item: T) => boolean): number {
  let low = 0;
  for (let high = list.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (condition(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns a place as messages name it: `data/sites.csv:3`. */
export const nameOfPlace = (spot: Spot): string => {
  const { file, line } = positionOf(spot);
  return `${file}:${line}`;
};

/** True if two spots are the same part of a text. The caller compares the texts. */
export const isSameRange = (a: Spot, b: Spot): boolean =>
  a.start === b.start && a.end === b.end && a.cell?.start === b.cell?.start;

/** Returns the position of a spot's start, for a diagnostic. */
export const positionOf = ({ source, start }: Spot): Position => source.position(start);

/**
 * Returns a part of a file's line without escape sequences, other control characters and line ends, so that a
 * message can quote it: terminals and logs would obey such characters.
 */
const printable = (text: string) =>
  text
    .replace(/\t/g, ' ')
    .replace(/\r$/, '')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '�');

/**
 * Returns a part of a line with `…` for each value, so that a line of a file with syntax errors can be quoted without its secrets. Keys
 * stay readable. The part begins at `start` and goes to `end`, by default the whole line.
 */
export function lineWithoutValues(line: string, start = 0, end = line.length): string {
  // Blanks and the signs of YAML stay.
  const hideValues = (text: string) => text.replace(/[^\s[\]{},:"'&*|>?!-]+/g, '…');
  let text = '';
  let index = start;
  for (const [from, to] of readablePartsOf(line)) {
    if (to <= start || from >= end) continue;
    text += hideValues(line.slice(index, Math.max(index, from)));
    text += line.slice(Math.max(from, start), Math.min(to, end));
    index = Math.min(to, end);
  }
  return printable(text + hideValues(line.slice(index, end)));
}
