import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { type Outcome, runEndOf } from '../../model/event.ts';
import { isEmpty, type Plan } from '../../model/plan.ts';
import { matchText, notComparedState, notSetState } from '../not-compared-text.ts';
import { outcomeSummaryText, sumOutcomesText } from '../outcome-summary.ts';
import {
  appliedRecordedText,
  continueReversalText,
  ledgerStateText,
  pendingActionsText,
} from '../outcome-text.ts';
import { accountText } from '../plan-notes.ts';
import { findRepeatedFailures, repeatedFailureTitle, type StackOutcome } from '../stacks/stack-failures.ts';
import { styleFor } from '../style.ts';
import { capitalized, cleanLine, count, cut } from '../text.ts';
import type { Goal } from '../verified-text.ts';
import { type AppliedPart, appliedParts, notReadyWarningPart } from './applied-parts.ts';
import { diagnosticForms } from './diff-lines.ts';
import {
  byteLengthOf,
  code,
  commentLimit,
  fence,
  type Places,
  plainPlaces,
  sectionsOfPieces,
  separatorSize,
  stackMarker,
  textsWithinRoom,
  withinRoom,
} from './forms.ts';
import { everyStack, reservedForNames, truncatedText } from './stacks-markdown.ts';

/** The result of applying one stack, or several (`parts`). Any member may be absent, because a run can end at any point. */
export interface ApplyResult {
  /** The name of the stack in the workspace, if several are applied. */
  id?: string;
  plan?: Plan;
  /** Absent if there was nothing to do, or the apply did not start. */
  outcome?: Outcome;
  /** The time of the outcome, in milliseconds since 1970. */
  at?: number;
  /** The state that the run leads to. Absent: the configuration. */
  goal?: Goal;
  /**
   * The result of the verification by a second plan: if it has no changes, a sentence, and the warnings about objects that do not work yet;
   * absent if there was no second plan.
   */
  proof?: { verified: string; notReady: Diagnostic[] } | 'unsettled' | 'unread';
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
 * Formats the outcome of an apply as Markdown for the summary of the CI job and the comment on a pull
 * request, without the marker line by which a comment is found again. The result, the `proof` (what a second plan found) and the next step
 * are at the top, failures and objects that are not ready are open, finished changes are collapsed. Never longer than `limit` bytes: parts
 * without room are left out and counted.
 */
export function appliedMarkdown(
  plan: Plan,
  { outcome, at = 0, proof, goal = 'configuration' }: ApplyResult,
  limit: number,
  places: Places = plainPlaces,
): string {
  const title = `### trueup apply: ${[plan.stack, ...accountText(plan)].map(code).join(', ')}`;
  if (!outcome) return `${title}\n\n${isEmpty(plan) ? nothingAppliedText(plan) : notAppliedText(plan)}\n`;
  const style = styleFor({ color: false, width: Number.MAX_SAFE_INTEGER });
  const head = [
    title,
    [`**${cleanLine(outcomeSummaryText(plan, outcome, { style }))}**`, ...proofNotes(proof)].join(' '),
    ...nextText(plan, outcome, { proof, goal }),
  ];
  const notReady = typeof proof === 'object' ? proof.notReady : [];
  const parts = [
    ...appliedParts(plan, outcome, { at, places }),
    ...notReady.map((diagnostic) => notReadyWarningPart(diagnostic, places)),
  ];
  const chosen = withinRoom(parts, limit - reservedBytes - byteLengthOf(head.join('\n\n')));
  const sections = sectionsOfPieces(parts, chosen).flatMap(({ heading, texts }) =>
    texts.length > 0 ? [[heading, ...texts].join('\n\n')] : [],
  );
  const absentParts = parts.filter((_, index) => chosen[index] === undefined);
  return `${[...head, ...sections, ...truncatedChangesText(absentParts)].join('\n\n')}\n`;
}

/** Counts the changes in the parts for which the comment about an apply has no room. Empty if nothing is missing. */
function truncatedChangesText(absentParts: AppliedPart[]): string[] {
  const number = absentParts.reduce((sum, { changes }) => sum + changes, 0);
  return number > 0 ? [`**Truncated: ${count(number, 'change')}.** The log of the run has them.`] : [];
}

/**
 * Returns the text of the comment about an apply that had nothing to do. Names the parts that were not compared, so that it does not look
 * like a full check.
 */
const nothingAppliedText = (plan: Plan): string =>
  [
    '**There was nothing to apply.**',
    `${capitalized(matchText(plan))}.`,
    ...notComparedState(plan),
    ...notSetState(plan),
  ].join(' ');

/** Returns the text of the comment for a plan with changes if the apply did not begin. */
const notAppliedText = (plan: Plan): string =>
  [
    '**Not applied.** The run ended before its first change, for example because the plan was not approved.',
    ...notComparedState(plan),
  ].join(' ');

/**
 * Returns the sentence in the comment about an apply that says whether a second plan has verified the outcome. Empty if no second plan was
 * asked for.
 */
function proofNotes(proof: ApplyResult['proof']): string[] {
  if (proof === undefined) return [];
  if (proof === 'unsettled')
    return [
      '**Not verified: the account still differs from the configuration.** The log of the run shows how.',
    ];
  return [proof === 'unread' ? '**Not verified:** the account could not be read again.' : proof.verified];
}

/**
 * Returns the sentences for the top of the comment about an apply: what the ledger contains, and what to do
 * next. Empty if nothing is left to do. `proof`: the result of the second plan, which verifies the apply or shows
 * remaining changes.
 */
function nextText(
  plan: Plan,
  outcome: Outcome,
  { proof, goal }: { proof: ApplyResult['proof']; goal: Goal },
): string[] {
  const { failed, postponed, skipped, interrupted } = outcome;
  const isReversal = goal !== 'configuration';
  if (isReversal && (interrupted || failed.length + skipped.length + postponed.length > 0))
    return [`${ledgerStateText(plan, outcome)} ${continueReversalText}`];
  if (failed.length > 0 || skipped.length > 0 || interrupted)
    return [
      `${ledgerStateText(plan, outcome)} Next: fix the errors below, then run the workflow again or merge a fix. The next apply continues from there.`,
    ];
  if (postponed.length > 0)
    return [
      `${appliedRecordedText(outcome)} Next: run the workflow again at the time below. It continues from there.`,
    ];
  return isProven(proof)
    ? pendingActionsText(outcome)
    : ['Next: run the workflow again. It plans again and applies the remaining changes.'];
}

/**
 * Formats the report of an apply for the comment of its stack, with the marker by which a later run finds the comment. Several stacks share
 * one report. Never longer than `limit` bytes. Undefined if the run ended without a plan that can be applied: `failureMarkdown` reports
 * that.
 */
export function applyCommentMarkdown(
  result: ApplyResult,
  limit = commentLimit,
  places: Places = plainPlaces,
): string | undefined {
  if (result.parts) return stacksApplied(result, limit, places);
  const { plan } = result;
  if (!plan || result.failed || isRefused(result)) return undefined;
  const marker = stackMarker(plan.stack);
  return `${marker}\n\n${appliedMarkdown(plan, result, limit - byteLengthOf(marker) - separatorSize, places)}`;
}

/** True unless a second plan found something left to do, or could not be made. */
const isProven = (proof: ApplyResult['proof']): boolean => proof !== 'unsettled' && proof !== 'unread';

/** True if the apply did not start because the plan has errors. */
const isRefused = ({ plan, outcome }: ApplyResult): boolean =>
  !outcome && plan !== undefined && hasErrors(plan.diagnostics);

/**
 * True if a stack is fully applied, its actions included, and no second plan has found anything left to do (`proof`). In the comment about
 * the apply of several stacks, the others come first, because they need attention. If there was nothing to send, its plan must be empty.
 */
function isFullyApplied({ plan, failed, skipped, outcome, proof }: ApplyResult): boolean {
  if (failed !== undefined || skipped !== undefined || !isProven(proof)) return false;
  return outcome ? runEndOf(outcome) === 'done' : plan !== undefined && isEmpty(plan);
}

/**
 * Formats the outcomes of several stacks for the comment about their apply: a line for all of them, then a part for each, unfinished ones
 * first. A part that does not fit is only named, or counted after the first ten.
 */
function stacksApplied({ parts = [], failed }: ApplyResult, limit: number, places: Places): string {
  const appliedCount = parts.filter(isFullyApplied).length;
  const outcomes = parts.flatMap(({ id = '', plan, outcome }) =>
    plan && outcome ? [{ id, plan, outcome }] : [],
  );
  const sum = sumOutcomesText(outcomes);
  const head = [
    stackMarker(everyStack),
    `### trueup apply: ${appliedCount} of ${count(parts.length, 'stack')} fully applied`,
    ...(failed ?? []).map((diagnostic) => diagnosticForms(diagnostic, places)[1]!),
    ...(sum === '' ? [] : [`**All stacks: ${sum}.**`]),
    ...repeatedFailureBlocks(outcomes),
  ].join('\n\n');
  const unfinishedFirst = [...parts].sort((a, b) => Number(isFullyApplied(a)) - Number(isFullyApplied(b)));
  const room = limit - byteLengthOf(head) - reservedForNames(parts.map(({ id = '' }) => id));
  const { texts, truncatedIds } = stackTextsWithinRoom(unfinishedFirst, room, places);
  const truncated = truncatedIds.length > 0 ? [truncatedText(truncatedIds)] : [];
  return `${[head, ...texts, ...truncated].join('\n\n')}\n`;
}

/**
 * Formats the parts of several stacks for the comment about their apply so that all of them fit into `room` bytes, each with an empty line
 * behind it. Each part may take an equal share of the room that is left. Returns the stacks whose parts are too long by their names.
 */
function stackTextsWithinRoom(
  results: ApplyResult[],
  room: number,
  places: Places,
): { texts: string[]; truncatedIds: string[] } {
  const texts: string[] = [];
  const truncatedIds: string[] = [];
  let remainingRoom = room;
  for (const [index, result] of results.entries()) {
    const share = Math.floor(remainingRoom / (results.length - index));
    const name = `---\n\n${code(result.id ?? '')}`;
    // An empty line follows the name, and another one is between this part and the next.
    const textRoom = share - byteLengthOf(name) - 2 * separatorSize;
    const text = [name, stackText(result, textRoom, places)].join('\n\n').trimEnd();
    const size = byteLengthOf(text) + separatorSize;
    if (size > share) truncatedIds.push(result.id ?? '');
    else {
      texts.push(text);
      remainingRoom -= size;
    }
  }
  return { texts, truncatedIds };
}

/** Returns a block for each error that several stacks have in common, so that a reader sees the cause before 60 parts. */
const repeatedFailureBlocks = (outcomes: readonly StackOutcome[]): string[] =>
  findRepeatedFailures(outcomes).map((failure) => {
    const lines = [`Error: ${failure.message.join(' ')}`, ...failure.hint.map((line) => `-> ${line}`)];
    return [
      `**${repeatedFailureTitle(failure, code)}**`,
      fence(
        lines.map((line) => cut(line, maxErrorLength)),
        '',
      ),
    ].join('\n\n');
  });

/** The most columns of an error that several stacks have in common. */
const maxErrorLength = 400;

/**
 * Formats the part of one stack in the comment about the apply of several, in at most `limit` bytes: its
 * outcome, or as many of its errors as fit, or why it was not started.
 */
function stackText(result: ApplyResult, limit: number, places: Places): string {
  if (result.plan && !result.failed && result.skipped === undefined)
    return appliedMarkdown(result.plan, result, limit, places);
  if (!result.failed) return `**${cleanLine(result.skipped ?? 'Not started.')}**`;
  const texts = result.failed.map((diagnostic) => diagnosticForms(diagnostic, places)[0]!);
  return [
    `**This could not be applied: ${count(texts.length, 'error')}.**`,
    ...textsWithinRoom(texts, limit - 100),
  ].join('\n\n');
}
