import { cleanLine } from '../clean.ts';

/** The longest run of backticks: what stands around the text has to be longer. */
const longestBacktickRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Lines as a block in which nothing means anything; of the language `diff`, `+`, `-`, `!` and `#` in front of a line colour it. */
export function fence(lines: string[], language: string): string {
  const text = lines.join('\n');
  const ticks = '`'.repeat(Math.max(3, longestBacktickRun(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** Text by users or servers within a line: no mention, link, HTML or emphasis in it counts. */
export function code(text: string): string {
  const line = cleanLine(text).trim() || ' ';
  const ticks = '`'.repeat(longestBacktickRun(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return ticks + space + line + space + ticks;
}

/** Text within a line of HTML, where Markdown does not count. */
export const htmlText = (text: string): string =>
  cleanLine(text).replace(/[&<>"'`@#]/g, (char) => `&#${char.charCodeAt(0)};`);

/** A name within a line of HTML. */
export const htmlCode = (text: string): string => `<code>${htmlText(text)}</code>`;

const start = '<!-- trueup:plan:';

/** The first line of a report, which nobody sees: by it the comment of a stack is found again. */
export const stackMarker = (stack: string): string =>
  `${start}${stack.replace(/[^\w.-]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)} -->`;

/** The marker that a text begins with, if it does. */
export function markerIn(text: string): string | undefined {
  const [line = ''] = text.split('\n', 1);
  return line.startsWith(start) && line.trimEnd().endsWith(' -->') ? line.trimEnd() : undefined;
}

/** The size limit of a comment on GitHub, in characters; a text of so many bytes never has more. */
export const commentLimit = 65_536;

/** A line of a file, and in a place of the configuration also a column. */
interface LinkTarget {
  file: string;
  line: number;
  column?: number;
}

/** Shows a place by the path that people know, as a link if the address of its line is known. */
export interface Places {
  /** The path from the top of the repository. */
  locate(file: string): string;
  /** The address of a line of such a path; undefined where there is none. */
  url?(path: string, line: number): string | undefined;
}

/** Paths as they are, and no links. */
export const plainPlaces: Places = { locate: (file) => file };

/** `trueup.yaml:33:5`, as it stands in a block. */
export function placeText({ file, line, column }: LinkTarget, { locate }: Places): string {
  return cleanLine([locate(file), line, ...(column === undefined ? [] : [column])].join(':'));
}

/** The same within a line of Markdown: a link, if it can be one. */
export function placeLink({ file, line }: LinkTarget, places: Places): string {
  const path = places.locate(file);
  const text = code(`${cleanLine(path)}:${line}`);
  const url = places.url?.(path, line);
  return url === undefined ? text : `[${text}](${url})`;
}

/** The same within a line of HTML. */
export function placeHtml({ file, line }: LinkTarget, places: Places): string {
  const path = places.locate(file);
  const text = htmlCode(`${cleanLine(path)}:${line}`);
  const url = places.url?.(path, line);
  return url === undefined ? text : `<a href="${htmlText(url)}">${text}</a>`;
}

/** A part of a report in several lengths, the longest first, and how much room it takes from others: `urgent` ones come first. */
export interface Piece {
  forms: string[];
  urgent: boolean;
}

/** As GitHub may count: no text has more characters than bytes. */
export const sizeOf = (text: string): number => new TextEncoder().encode(text).length;

/** The share of the room that urgent parts may take before everything else is at least named. */
const urgentShare = 0.6;
const pieceSeparator = 2;

/**
 * Which form of each piece there is room for, by its index; `undefined` where there is none. Pieces are in the order of
 * their importance: what is urgent is told in full, then all are named, then all are told at more length, step by step, as far as it goes.
 */
export function withinRoom(pieces: Piece[], room: number): (number | undefined)[] {
  const chosen: (number | undefined)[] = pieces.map(() => undefined);
  const sizes = pieces.map(({ forms }) => forms.map((form) => sizeOf(form) + pieceSeparator));
  let used = 0;
  const take = (formOf: (forms: string[]) => number, limit: number, only: (piece: Piece) => boolean) => {
    for (const [at, piece] of pieces.entries()) {
      const form = formOf(piece.forms);
      const old = chosen[at];
      if (!only(piece) || (old !== undefined && old <= form)) continue;
      const more = sizes[at]![form]! - (old === undefined ? 0 : sizes[at]![old]!);
      if (used + more > limit) continue;
      used += more;
      chosen[at] = form;
    }
  };
  const longest = () => 0;
  take(longest, room * urgentShare, ({ urgent }) => urgent);
  take(
    (forms) => forms.length - 1,
    room,
    () => true,
  );
  // Everybody a step longer before anybody two.
  const steps = Math.max(0, ...pieces.map(({ forms }) => forms.length - 1));
  for (let step = 1; step <= steps; step++)
    take(
      (forms) => Math.max(0, forms.length - 1 - step),
      room,
      () => true,
    );
  return chosen;
}
