import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { Outcome } from '../../model/event.ts';
import { groupBy } from '../../model/graph.ts';
import type { Plan } from '../../model/plan.ts';
import { cleanLine } from '../clean.ts';
import { count } from '../count.ts';
import { capitalized, matchText, notComparedState, notSetState } from '../not-compared-text.ts';
import { ledgerStateText, outcomeSummaryText } from '../outcome-text.ts';
import { accountText } from '../plan-notes.ts';
import { styleFor } from '../style.ts';
import { appliedParts } from './applied-parts.ts';
import { diagnosticForms } from './diff-lines.ts';
import { code, commentLimit, type Places, plainPlaces, sizeOf, stackMarker, withinRoom } from './forms.ts';
import { everyStack } from './stacks-markdown.ts';

/** The outcome of one stack that was to be applied, as far as it got. */
export interface Deed {
  /** Its name in the workspace, where several are applied. */
  id?: string;
  plan?: Plan;
  /** Absent where there was nothing to do, or nothing was begun. */
  outcome?: Outcome;
  /** When the outcome was known, in milliseconds since 1970. */
  at?: number;
  /** The findings of a second plan: a sentence if it has no changes; absent if none was made. */
  proof?: { verified: string } | 'unsettled' | 'unread';
  /** Why it could not be begun, or ended. */
  failed?: Diagnostic[] | undefined;
  /** Why it was not begun, in a sentence. */
  skipped?: string;
  /** The outcomes of several stacks, in the order in which they were begun. */
  parts?: Deed[];
}

/** For headings, and what is said of the rest. */
const appliedRoom = 1_500;
/**
 * Tells the outcome of an apply, without a marker: how it ended and what comes next at the top, what failed open, what was done folded. Never longer
 * than `limit` bytes; what is left out is counted.
 */
export function appliedMarkdown(
  plan: Plan,
  { outcome, at = 0, proof }: Deed,
  limit: number,
  places: Places = plainPlaces,
): string {
  const title = `### trueup apply: ${[plan.stack, ...accountText(plan)].map(code).join(', ')}`;
  if (!outcome) return `${title}\n\n${nothingAppliedText(plan)}\n`;
  const style = styleFor({ color: false, width: Number.MAX_SAFE_INTEGER });
  const head = [
    title,
    [`**${cleanLine(outcomeSummaryText(plan, outcome, { style }))}**`, ...proofNotes(proof)].join(' '),
    ...nextText(plan, outcome, proof),
  ];
  const parts = appliedParts(plan, outcome, { at, places });
  const chosen = withinRoom(parts, limit - appliedRoom - sizeOf(head.join('\n\n')));
  const sections = [...groupBy(parts.keys(), (key) => parts[key]!.heading)].flatMap(([heading, indices]) => {
    const texts = indices.flatMap((index) => parts[index]!.forms[chosen[index] ?? -1] ?? []);
    return texts.length > 0 ? [[`#### ${heading}`, ...texts].join('\n\n')] : [];
  });
  const left = parts.reduce(
    (sum, { changes }, index) => sum + (chosen[index] === undefined ? changes : 0),
    0,
  );
  const rest = left > 0 ? [`**Truncated: ${left} changes.** The log of the run has them.`] : [];
  return `${[...head, ...sections, ...rest].join('\n\n')}\n`;
}

const nothingAppliedText = (plan: Plan): string =>
  [
    '**There was nothing to apply.**',
    `${capitalized(matchText(plan))}.`,
    ...notComparedState(plan),
    ...notSetState(plan),
  ].join(' ');

function proofNotes(proof: Deed['proof']): string[] {
  if (proof === undefined) return [];
  if (proof === 'unsettled')
    return [
      '**Not verified: the account still differs from the configuration.** The log of the run shows how.',
    ];
  return [proof === 'unread' ? '**Not verified:** the account could not be read again.' : proof.verified];
}

function nextText(plan: Plan, outcome: Outcome, proof: Deed['proof']): string[] {
  const { failed, left, skipped, interrupted } = outcome;
  if (failed.length > 0 || skipped.length > 0 || interrupted)
    return [
      `${ledgerStateText(plan, outcome)} Next: fix the errors below, then run the workflow again or merge a fix. The next apply continues from there.`,
    ];
  if (left.length > 0)
    return [
      'What was applied is recorded, and nothing failed. Next: run the workflow again at the time below. It continues from there.',
    ];
  return isProven(proof) ? [] : ['Next: run the workflow again. It plans again and applies what is left.'];
}

/**
 * The report of a run for the comment of its stack, with the marker; of several stacks in one. Never longer than `limit` bytes. Undefined
 * where nobody knows what it is about, since it ended before.
 */
export function deedMarkdown(
  deed: Deed,
  limit = commentLimit,
  places: Places = plainPlaces,
): string | undefined {
  if (deed.parts) return stacksApplied(deed, limit, places);
  const { plan } = deed;
  if (!plan || deed.failed || isRefused(deed)) return undefined;
  const marker = stackMarker(plan.stack);
  return `${marker}\n\n${appliedMarkdown(plan, deed, limit - sizeOf(marker) - 2, places)}`;
}

/** True unless a second plan has something left to do, or could not be made. */
const isProven = (proof: Deed['proof']): boolean => proof !== 'unsettled' && proof !== 'unread';

/** True where the plan has errors, and nothing was begun. */
const isRefused = ({ plan, outcome }: Deed): boolean =>
  !outcome && plan !== undefined && hasErrors(plan.diagnostics);

const isWhole = ({ failed, skipped, outcome, proof }: Deed): boolean =>
  failed === undefined &&
  skipped === undefined &&
  isProven(proof) &&
  (!outcome ||
    (outcome.failed.length + outcome.skipped.length + outcome.left.length === 0 && !outcome.interrupted));

/** Tells the outcomes of several stacks: a line for all, then a part for each, unfinished ones first. */
function stacksApplied({ parts = [], failed }: Deed, limit: number, places: Places): string {
  const whole = parts.filter(isWhole).length;
  const head = [
    stackMarker(everyStack),
    `### trueup apply: ${whole} of ${count(parts.length, 'stack')} fully applied`,
    ...(failed ?? []).map((diagnostic) => diagnosticForms(diagnostic, places)[1]!),
  ].join('\n\n');
  const order = [...parts].sort((a, b) => Number(isWhole(a)) - Number(isWhole(b)));
  const texts: string[] = [];
  const left: string[] = [];
  let room = limit - sizeOf(head) - appliedRoom;
  for (const [at, part] of order.entries()) {
    const share = Math.floor(room / (order.length - at));
    const name = `---\n\n${code(part.id ?? '')}`;
    const text = [name, partText(part, share - sizeOf(name) - 4, places)].join('\n\n').trimEnd();
    if (sizeOf(text) + 2 > share) left.push(part.id ?? '');
    else {
      texts.push(text);
      room -= sizeOf(text) + 2;
    }
  }
  const more = left.length - fewIds;
  const rest =
    left.length > 0
      ? [
          `**Truncated: ${left.slice(0, fewIds).map(code).join(', ')}${more > 0 ? ` and ${more} more` : ''}.**`,
        ]
      : [];
  return `${[head, ...texts, ...rest].join('\n\n')}\n`;
}

const fewIds = 10;

function partText(deed: Deed, limit: number, places: Places): string {
  if (deed.plan && !deed.failed && deed.skipped === undefined)
    return appliedMarkdown(deed.plan, deed, limit, places);
  if (!deed.failed) return `**${cleanLine(deed.skipped ?? 'Not started.')}**`;
  const texts = deed.failed.map((diagnostic) => diagnosticForms(diagnostic, places)[0]!);
  const kept: string[] = [];
  let room = limit - 100;
  for (const text of texts) {
    room -= sizeOf(text) + 2;
    if (room >= 0) kept.push(text);
  }
  return [`**This could not be applied: ${count(texts.length, 'error')}.**`, ...kept].join('\n\n');
}
