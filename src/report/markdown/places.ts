import { cleanLine } from '../clean.ts';
import { code, htmlCode, htmlText } from './forms.ts';

/** A line of a file, and in a place of the configuration also a column. */
interface Line {
  file: string;
  line: number;
  column?: number;
}

/** How a place is told: by the path that people know, and where the address of its line is known, as a link there. */
export interface Places {
  /** The path from the top of the repository. */
  locate(file: string): string;
  /** The address of a line of such a path; undefined where there is none. */
  url?(path: string, line: number): string | undefined;
}

/** Paths as they are, and no links. */
export const plainPlaces: Places = { locate: (file) => file };

/** `trueup.yaml:33:5`, as it stands in a block. */
export function placeText({ file, line, column }: Line, { locate }: Places): string {
  return cleanLine([locate(file), line, ...(column === undefined ? [] : [column])].join(':'));
}

/** The same within a line of Markdown: a link, if it can be one. */
export function placeLink({ file, line }: Line, places: Places): string {
  const path = places.locate(file);
  const text = code(`${cleanLine(path)}:${line}`);
  const url = places.url?.(path, line);
  return url === undefined ? text : `[${text}](${url})`;
}

/** The same within a line of HTML. */
export function placeHtml({ file, line }: Line, places: Places): string {
  const path = places.locate(file);
  const text = htmlCode(`${cleanLine(path)}:${line}`);
  const url = places.url?.(path, line);
  return url === undefined ? text : `<a href="${htmlText(url)}">${text}</a>`;
}
