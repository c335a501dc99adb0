import type { Action, Change, FieldCause, Grade } from '../../model/change.ts';
import { isDrift } from '../../model/plan.ts';
import { visible } from '../clean.ts';

/** HTML that may stand in a page as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A part of a template: text is escaped, lists are joined, an absent part leaves nothing. */
export type Part = Markup | string | number | false | undefined | Part[];

/** A template whose parts cannot break out of it: all but `Markup` is escaped. Attributes must stand in double quotes. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(String.raw({ raw: texts }, ...parts.map(markupTextOf)));
}

/** Text for an element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  visible(text).replace(/[&<>"'`]/g, (char) => `&#${char.charCodeAt(0)};`);

function markupTextOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(markupTextOf).join('');
  return part === undefined || part === false ? '' : escapeHtml(String(part));
}

/** The worst first. */
export const grades: Grade[] = ['irreversible', 'destructive', 'disruptive', 'safe'];

/** The actions in the order of the summary, each with its sign and what is said of a change. */
export const actions: { action: Exclude<Action, 'noop'>; sign: string; verb: string }[] = [
  { action: 'create', sign: '+', verb: 'create' },
  { action: 'adopt', sign: '=', verb: 'adopt' },
  { action: 'update', sign: '~', verb: 'update' },
  { action: 'replace', sign: '±', verb: 'replace' },
  { action: 'move', sign: '>', verb: 'move' },
  { action: 'release', sign: '.', verb: 'stop managing' },
  { action: 'forget', sign: '.', verb: 'forget' },
  { action: 'delete', sign: '−', verb: 'delete' },
];

/** Why a field differs, for people; the ones to look at come first. */
export const causes: { cause: FieldCause; label: string; means: string }[] = [
  { cause: 'conflict', label: 'conflict', means: 'changed outside and here' },
  { cause: 'drift', label: 'drift', means: 'changed outside, this puts it back' },
  { cause: 'unknown', label: 'edit or drift', means: 'what was last applied is unknown' },
  { cause: 'unverified', label: 'unverified', means: 'a secret that cannot be compared' },
  { cause: 'edit', label: 'edit', means: 'changed in the configuration' },
  { cause: 'released', label: 'no longer managed', means: 'it stays as it is' },
  { cause: 'recorded', label: 'recorded', means: 'already set; only the ledger is updated' },
];

/** The cause to name for a whole change: of its fields' causes the one that matters most; without any, it is drift or an edit. */
export function causeOf(change: Change): (typeof causes)[number] {
  const found = change.fields.map(({ cause }) => cause);
  const named = isDrift(change) && !found.includes('conflict') ? ['drift'] : found;
  return causes.find(({ cause }) => named.includes(cause)) ?? causes.find(({ cause }) => cause === 'edit')!;
}
