import { visible } from '../clean.ts';

/** HTML that may stand in a page as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: text is escaped, lists are joined, what is not there leaves nothing. */
export type Part = Markup | string | number | false | undefined | Part[];

/** A template whose parts cannot break out of it: all but `Markup` is escaped. Attributes must stand in double quotes. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(String.raw({ raw: texts }, ...parts.map(textOf)));
}

/** Text for an element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  visible(text).replace(/[&<>"'`]/g, (char) => `&#${char.charCodeAt(0)};`);

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join('');
  return part === undefined || part === false ? '' : escapeHtml(String(part));
}
