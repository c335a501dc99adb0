import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { Outcome } from '../../model/event.ts';
import { listFirst } from '../../model/fold-wordings.ts';
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

/** The result of applying one stack, or several (`parts`). Any member may be absent, because a run can end at any point. */
export interface ApplyResult {
  /** The name of the stack in the workspace, if several are applied. */
  id?: string;
  plan?: Plan;
  /** Absent if there was nothing to do, or the apply did not start. */
  outcome?: Outcome;
  /** The time of the outcome, in milliseconds since 1970. */
  at?: number;
  /** The result of the verification by a second plan: a sentence if it has no changes; absent if there was no second plan. */
  proof?: { verified: string } | 'unsettled' | 'unread';
  /** Why the apply could not start or end. */
  failed?: Diagnostic[] | undefined;
  /** Why the apply was not started, as a sentence. */
  skipped?: string;
  /** The outcomes of several stacks, in the order in which they were started. */
  parts?: ApplyResult[];
}

/** The bytes kept free for headings and for the line that counts truncated changes. */
const reservedBytes = 1_500;

/**
 * Formats the outcome of an apply as Markdown, without a marker. The result and the next step are at the top, failures are open, finished
 * changes are folded. Never longer than `limit` bytes: parts without room are left out and counted.
 */
export function appliedMarkdown(
  plan: Plan,
  { outcome, at = 0, proof }: ApplyResult,
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
  const chosen = withinRoom(parts, limit - reservedBytes - sizeOf(head.join('\n\n')));
  const sections = [...groupBy(parts.keys(), (key) => parts[key]!.heading)].flatMap(([heading, indices]) => {
    const texts = indices.flatMap((index) => parts[index]!.forms[chosen[index] ?? -1] ?? []);
    return texts.length > 0 ? [[`#### ${heading}`, ...texts].join('\n\n')] : [];
  });
  const truncatedCount = parts.reduce(
    (sum, { changes }, index) => sum + (chosen[index] === undefined ? changes : 0),
    0,
  );
  const truncated =
    truncatedCount > 0 ? [`**Truncated: ${truncatedCount} changes.** The log of the run has them.`] : [];
  return `${[...head, ...sections, ...truncated].join('\n\n')}\n`;
}

/** Returns the text of the comment for an apply that had nothing to do. */
const nothingAppliedText = (plan: Plan): string =>
  [
    '**There was nothing to apply.**',
    `${capitalized(matchText(plan))}.`,
    ...notComparedState(plan),
    ...notSetState(plan),
  ].join(' ');

/** Returns the sentence that tells the reader whether a second plan has verified the outcome. Empty if no second plan was asked for. */
function proofNotes(proof: ApplyResult['proof']): string[] {
  if (proof === undefined) return [];
  if (proof === 'unsettled')
    return [
      '**Not verified: the account still differs from the configuration.** The log of the run shows how.',
    ];
  return [proof === 'unread' ? '**Not verified:** the account could not be read again.' : proof.verified];
}

/** Returns the sentences for the top of the report: what the ledger contains, and what to do next. Empty if nothing is left to do. */
function nextText(plan: Plan, outcome: Outcome, proof: ApplyResult['proof']): string[] {
  const { failed, left: postponed, skipped, interrupted } = outcome;
  if (failed.length > 0 || skipped.length > 0 || interrupted)
    return [
      `${ledgerStateText(plan, outcome)} Next: fix the errors below, then run the workflow again or merge a fix. The next apply continues from there.`,
    ];
  if (postponed.length > 0)
    return [
      'What was applied is recorded, and nothing failed. Next: run the workflow again at the time below. It continues from there.',
    ];
  return isProven(proof) ? [] : ['Next: run the workflow again. It plans again and applies what is left.'];
}

/**
 * Formats the report of an apply for the comment of its stack, with the marker by which a later run finds the comment. Several stacks share
 * one report. Never longer than `limit` bytes. Undefined if the run ended without a plan that can be applied: `failureMarkdown` reports
 * that.
 */
export function applyCommentMarkdown(
  deed: ApplyResult,
  limit = commentLimit,
  places: Places = plainPlaces,
): string | undefined {
  if (deed.parts) return stacksApplied(deed, limit, places);
  const { plan } = deed;
  if (!plan || deed.failed || isRefused(deed)) return undefined;
  const marker = stackMarker(plan.stack);
  return `${marker}\n\n${appliedMarkdown(plan, deed, limit - sizeOf(marker) - 2, places)}`;
}

/** True unless a second plan found something left to do, or could not be made. */
const isProven = (proof: ApplyResult['proof']): boolean => proof !== 'unsettled' && proof !== 'unread';

/** True if the apply did not start because the plan has errors. */
const isRefused = ({ plan, outcome }: ApplyResult): boolean =>
  !outcome && plan !== undefined && hasErrors(plan.diagnostics);

/** True if a stack is fully applied and no second plan has found anything left to do. The others come first in the report. */
const isFullyApplied = ({ failed, skipped, outcome, proof }: ApplyResult): boolean =>
  failed === undefined &&
  skipped === undefined &&
  isProven(proof) &&
  (!outcome ||
    (outcome.failed.length + outcome.skipped.length + outcome.left.length === 0 && !outcome.interrupted));

/**
 * Formats the outcomes of several stacks: a line for all of them, then a part for each, unfinished ones first. Each part gets an equal
 * share of the remaining room. A part that does not fit is only named.
 */
function stacksApplied({ parts = [], failed }: ApplyResult, limit: number, places: Places): string {
  const appliedCount = parts.filter(isFullyApplied).length;
  const head = [
    stackMarker(everyStack),
    `### trueup apply: ${appliedCount} of ${count(parts.length, 'stack')} fully applied`,
    ...(failed ?? []).map((diagnostic) => diagnosticForms(diagnostic, places)[1]!),
  ].join('\n\n');
  const order = [...parts].sort((a, b) => Number(isFullyApplied(a)) - Number(isFullyApplied(b)));
  const texts: string[] = [];
  const truncatedIds: string[] = [];
  let room = limit - sizeOf(head) - reservedBytes;
  for (const [index, deed] of order.entries()) {
    const share = Math.floor(room / (order.length - index));
    const name = `---\n\n${code(deed.id ?? '')}`;
    const text = [name, stackText(deed, share - sizeOf(name) - 4, places)].join('\n\n').trimEnd();
    if (sizeOf(text) + 2 > share) truncatedIds.push(deed.id ?? '');
    else {
      texts.push(text);
      room -= sizeOf(text) + 2;
    }
  }
  const truncated =
    truncatedIds.length > 0 ? [`**Truncated: ${listFirst(truncatedIds.map(code), maxListedIds)}.**`] : [];
  return `${[head, ...texts, ...truncated].join('\n\n')}\n`;
}

const maxListedIds = 10;

/** Formats the part of one stack in a report of several: its outcome, its errors as far as there is room, or why it was not started. */
function stackText(deed: ApplyResult, limit: number, places: Places): string {
  if (deed.plan && !deed.failed && deed.skipped === undefined)
    return appliedMarkdown(deed.plan, deed, limit, places);
  if (!deed.failed) return `**${cleanLine(deed.skipped ?? 'Not started.')}**`;
  const texts = deed.failed.map((diagnostic) => diagnosticForms(diagnostic, places)[0]!);
  const shownTexts: string[] = [];
  let room = limit - 100;
  for (const text of texts) {
    room -= sizeOf(text) + 2;
    if (room >= 0) shownTexts.push(text);
  }
  return [`**This could not be applied: ${count(texts.length, 'error')}.**`, ...shownTexts].join('\n\n');
}
