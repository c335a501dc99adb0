import { groupBy } from '../../model/graph.ts';
import { cleanLine } from '../text.ts';

/*
 * Helpers for Markdown reports: escaping, links, the marker of a comment, and the choice of what fits into a comment.
 *
 * - The marker is the invisible first line of a comment. By it a later run finds the comment of its stack and replaces it.
 * - A part of a report comes in several forms, the longest first. `withinRoom` chooses the form of each part, or none, so that all together
 *   fit.
 */

/** Returns the length of the longest run of backticks in a text. A fence or code mark that encloses the text has to be longer. */
const longestBacktickRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/**
 * Formats lines as a code block of a comment, so that nothing in them is Markdown: its backticks are longer
 * than any in the lines. In the language `diff`, a `+`, `-`, `!` or `#` in front of a line colours it.
 */
export function fence(lines: string[], language: string): string {
  const text = lines.join('\n');
  const ticks = '`'.repeat(Math.max(3, longestBacktickRun(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** Formats a text from outside as code within a line, so that mentions, links, HTML and emphasis in it have no effect. */
export function code(text: string): string {
  const line = cleanLine(text).trim() || ' ';
  const ticks = '`'.repeat(longestBacktickRun(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return ticks + space + line + space + ticks;
}

/** Escapes a text for a line of HTML within Markdown. */
export const htmlText = (text: string): string =>
  cleanLine(text).replace(/[&<>"'`@#]/g, (char) => `&#${char.charCodeAt(0)};`);

/** Formats a name as code within a line of HTML. */
export const htmlCode = (text: string): string => `<code>${htmlText(text)}</code>`;

/** The beginning of every marker. */
const start = '<!-- trueup:plan:';

/** Returns the marker of the comment of a stack. */
export const stackMarker = (stack: string): string =>
  `${start}${stack.replace(/[^\w.-]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)} -->`;

/** Returns the marker at the beginning of a comment; undefined if it has none. */
export function markerIn(text: string): string | undefined {
  const [line = ''] = text.split('\n', 1);
  return line.startsWith(start) && line.trimEnd().endsWith(' -->') ? line.trimEnd() : undefined;
}

/** The size limit of a comment on GitHub in characters. We use it for bytes, since a text never has more characters than bytes. */
export const commentLimit = 65_536;

/** A line of a file, with a column if it is a place of the configuration. */
interface LinkTarget {
  file: string;
  line: number;
  column?: number;
}

/** The way in which places of files are shown: their paths, and their links if the web address of the repository is known. */
export interface Places {
  /** Returns the path of a file from the top of the repository. */
  locate(file: string): string;
  /** Returns the web address of a line of such a path; undefined if there is none. */
  url?(path: string, line: number): string | undefined;
}

/** Shows paths unchanged, without links. */
export const plainPlaces: Places = { locate: (file) => file };

/** Formats a place for a code block: `trueup.yaml:33:5`. */
export function placeText({ file, line, column }: LinkTarget, { locate }: Places): string {
  return cleanLine([locate(file), line, ...(column === undefined ? [] : [column])].join(':'));
}

/** Formats a place of the configuration for Markdown text: as a link to the line on GitHub or GitLab if possible, otherwise as code. */
export const placeLink = (place: LinkTarget, places: Places): string =>
  linkPlace(place, places, code, (text, url) => `[${text}](${url})`);

/** Like `placeLink`, for HTML within Markdown, such as the summary of a fold. */
export const placeHtml = (place: LinkTarget, places: Places): string =>
  linkPlace(place, places, htmlCode, (text, url) => `<a href="${htmlText(url)}">${text}</a>`);

/**
 * Formats a line of the configuration for a comment as `format` does, and with `link` turns it into a link if
 * the repository's web address is known.
 */
function linkPlace(
  { file, line }: LinkTarget,
  places: Places,
  format: (text: string) => string,
  link: (text: string, url: string) => string,
): string {
  const path = places.locate(file);
  const text = format(`${cleanLine(path)}:${line}`);
  const url = places.url?.(path, line);
  return url === undefined ? text : link(text, url);
}

/** A part of a report in several forms. The comment shows one of them. */
export interface Piece {
  /** Its forms, the longest first. */
  forms: string[];
  /** True if it gets room for its longest form before other parts get any. */
  urgent: boolean;
}

/** Returns the size of a text in bytes. */
export const byteLengthOf = (text: string): number => new TextEncoder().encode(text).length;

/** The share of the room that the longest forms of urgent parts may take. The rest is for the other parts. */
const urgentShare = 0.6;
export const separatorSize = 2;

/**
 * Chooses a form for each part of a comment, so that the chosen ones fit into `room` bytes. A part has the same
 * content in several forms, the longest first. Returns the index of each form; undefined for a part without
 * room. Parts are in the order of their importance.
 *
 * 1. Urgent parts get their longest forms, up to a share of the room.
 * 2. All parts without a form get their shortest one.
 * 3. Each part gets the next longer form that has room, again and again.
 */
export function withinRoom(pieces: Piece[], room: number): (number | undefined)[] {
  const chosen: (number | undefined)[] = pieces.map(() => undefined);
  const sizes = pieces.map(({ forms }) => forms.map((form) => byteLengthOf(form) + separatorSize));
  let usedRoom = 0;
  // Gives the part at `index` this form, unless it has a longer one already or there is no room.
  const choose = (index: number, form: number, limit: number) => {
    const previous = chosen[index];
    if (previous !== undefined && previous <= form) return;
    const extra = sizes[index]![form]! - (previous === undefined ? 0 : sizes[index]![previous]!);
    if (usedRoom + extra > limit) return;
    usedRoom += extra;
    chosen[index] = form;
  };
  for (const [index, { urgent }] of pieces.entries()) if (urgent) choose(index, 0, room * urgentShare);
  // Step 0 is the shortest form. Each part gets one step before any part gets two.
  const steps = Math.max(0, ...pieces.map(({ forms }) => forms.length));
  for (let step = 0; step < steps; step++)
    for (const [index, { forms }] of pieces.entries()) {
      const shortestForm = forms.length - 1;
      choose(index, Math.max(0, shortestForm - step), room);
    }
  return chosen;
}

/** Returns the chosen form of a part as the only item of a list. Empty for a part without room (`chosen` is undefined). */
export const chosenForm = ({ forms }: Pick<Piece, 'forms'>, chosen: number | undefined): string[] =>
  chosen === undefined ? [] : [forms[chosen]!];

/** A part of a report below a heading. */
export interface HeadedPiece extends Piece {
  heading: string;
}

/** A part of the comment about a plan, with its number of changes. */
export interface PlanPart extends HeadedPiece {
  changes: number;
  /** True if the part is a problem. Without changes and problem, it is another item, such as an action or a source. */
  isProblem?: true;
  /** The number of changes that each form shows without details. Absent for parts that are not about changes. */
  withoutDetails?: number[];
}

/**
 * Returns the headings of a comment in order, each with the texts of its parts (`pieces`). A part has several forms of different length;
 * `chosen` has for each part the index of the form that `withinRoom` gave it, or undefined if there is no room for the part. A heading
 * whose parts all have no room has no texts.
 */
export const sectionsOfPieces = (
  pieces: HeadedPiece[],
  chosen: (number | undefined)[],
): { heading: string; texts: string[] }[] =>
  [...groupBy(pieces.keys(), (index) => pieces[index]!.heading)].map(([heading, indices]) => ({
    heading: `#### ${heading}`,
    texts: indices.flatMap((index) => chosenForm(pieces[index]!, chosen[index])),
  }));

/**
 * Returns the first texts that fit into `room` bytes, with an empty line between them. The first one that does not fit ends the list,
 * since the room stays negative after it. Used for errors of a stack that was not planned or applied.
 */
export function textsWithinRoom(texts: string[], room: number): string[] {
  let remainingRoom = room;
  return texts.filter((text) => {
    remainingRoom -= byteLengthOf(text) + separatorSize;
    return remainingRoom >= 0;
  });
}

/**
 * Joins blocks of Markdown with empty lines between them. Items of one list have none between them, because Markdown would make it a loose
 * list.
 */
export const joinBlocks = (texts: string[]): string =>
  texts.reduce((joined, text) => {
    if (joined === '') return text;
    const isList = text.startsWith('- ') && joined.split('\n').at(-1)!.startsWith('- ');
    return `${joined}${isList ? '\n' : '\n\n'}${text}`;
  }, '');
