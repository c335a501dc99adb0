import type { Change, ChangeAction, FieldCause, Grade } from '../../model/change.ts';
import { isDrift } from '../../model/plan.ts';
import { escapeHidden } from '../text.ts';

/** HTML that is safe to insert into a page. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: text is escaped, lists are joined, `undefined` and `false` become nothing. */
export type Part = Markup | string | number | false | undefined | Part[];

/**
 * Creates markup from a template. Everything except `Markup` is escaped, so that text from outside cannot become HTML. Attributes must have
 * double quotes.
 */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(String.raw({ raw: texts }, ...parts.map(markupTextOf)));
}

/** Escapes a text for an element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  escapeHidden(text).replace(/[&<>"'`]/g, (char) => `&#${char.charCodeAt(0)};`);

/**
 * Returns the HTML text of a value in a template. Text is escaped, so that a name from the account cannot add elements to a report; only
 * `Markup` can.
 */
function markupTextOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(markupTextOf).join('');
  return part === undefined || part === false ? '' : escapeHtml(String(part));
}

/** All grades, the worst first. */
export const gradesWorstFirst: Grade[] = ['irreversible', 'destructive', 'disruptive', 'safe'];

/** All actions but `noop` in the order of the summary, each with its sign and its verb. */
export const actionsInOrder: { action: Exclude<ChangeAction, 'noop'>; sign: string; verb: string }[] = [
  { action: 'create', sign: '+', verb: 'create' },
  { action: 'adopt', sign: '=', verb: 'adopt' },
  { action: 'update', sign: '~', verb: 'update' },
  { action: 'replace', sign: '±', verb: 'replace' },
  { action: 'move', sign: '>', verb: 'move' },
  { action: 'release', sign: '.', verb: 'stop managing' },
  { action: 'forget', sign: '.', verb: 'stop managing' },
  { action: 'delete', sign: '−', verb: 'delete' },
];

/** Returns the action by which the page filters a change. A forgotten object counts as released, as in all counts. */
export const filterActionOf = ({ action }: Pick<Change, 'action'>): ChangeAction =>
  action === 'forget' ? 'release' : action;

/** The words for the causes of differences. Those that need attention come first. */
export const causes: { cause: FieldCause; label: string; means: string }[] = [
  { cause: 'conflict', label: 'conflict', means: 'changed outside and here' },
  { cause: 'drift', label: 'drift', means: 'changed outside, this puts it back' },
  { cause: 'unknown', label: 'edit or drift', means: 'the last applied value is unknown' },
  { cause: 'unverified', label: 'unverified', means: 'a secret that cannot be compared' },
  { cause: 'edit', label: 'edit', means: 'changed in the configuration' },
  { cause: 'released', label: 'no longer managed', means: 'it stays as it is' },
  { cause: 'recorded', label: 'recorded', means: 'already set; only the ledger is updated' },
];

/**
 * Returns the cause of a whole change, which the page of a plan shows in its row and can filter by: the most important cause of its fields
 * (an edit if none differs). Drift of the whole object or its position is more important than all causes but a conflict.
 */
export function causeOf(change: Change): (typeof causes)[number] {
  const fieldCauses = change.fields.map(({ cause }) => cause);
  const candidates = isDrift(change) && !fieldCauses.includes('conflict') ? ['drift'] : fieldCauses;
  const edit = causes.find(({ cause }) => cause === 'edit')!;
  // `causes` begins with the most important one.
  return causes.find(({ cause }) => candidates.includes(cause)) ?? edit;
}
