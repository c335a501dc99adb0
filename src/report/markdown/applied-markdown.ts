import type { Address } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { type Outcome, runEndOf } from '../../model/event.ts';
import { listFirst } from '../../model/fold-wordings.ts';
import { groupBy } from '../../model/graph.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan } from '../../model/plan.ts';
import { undoneActionTexts } from '../action-texts.ts';
import { rateLimitDurationText, skipReasonText } from '../events-text.ts';
import { groupFailures } from '../failures.ts';
import { foldChanges, formatEntryName } from '../fold-changes.ts';
import { matchText, notComparedState, notSetState } from '../not-compared-text.ts';
import {
  appliedRecordedText,
  ledgerStateText,
  orderedPastVerbs,
  outcomeSummaryText,
  pastVerbOf,
  pendingActionsText,
} from '../outcome-text.ts';
import { accountText, sentAddressesIn } from '../plan-notes.ts';
import { styleFor } from '../style.ts';
import { capitalized, cleanLine, count, cut, firstLines, fold } from '../text.ts';
import { columns, diagnosticForms } from './diff-lines.ts';
import {
  byteLengthOf,
  code,
  commentLimit,
  fence,
  type HeadedPiece,
  type Places,
  placeLink,
  plainPlaces,
  sectionsOfPieces,
  stackMarker,
  textsWithinRoom,
  withinRoom,
} from './forms.ts';
import { everyStack, truncatedText } from './stacks-markdown.ts';

/** The result of applying one stack, or several (`parts`). Any member may be absent, because a run can end at any point. */
export interface ApplyResult {
  /** The name of the stack in the workspace, if several are applied. */
  id?: string;
  plan?: Plan;
  /** Absent if there was nothing to do, or the apply did not start. */
  outcome?: Outcome;
  /** The time of the outcome, in milliseconds since 1970. */
  at?: number;
  /**
   * The result of the verification by a second plan: if it has no changes, a sentence, and the warnings about objects that do not work yet; absent if
   * there was no second plan.
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
 * request, without the marker line by which a comment is found again. The result and the next step are at the
 * top, failures are open, finished changes are collapsed. Never longer than `limit` bytes: parts without room
 * are left out and counted.
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
  const notReady = typeof proof === 'object' ? proof.notReady : [];
  const parts = [
    ...appliedParts(plan, outcome, { at, places }),
    ...notReady.map((diagnostic) => notReadyPart(diagnostic, places)),
  ];
  const chosen = withinRoom(parts, limit - reservedBytes - byteLengthOf(head.join('\n\n')));
  const sections = sectionsOfPieces(parts, chosen).flatMap(({ heading, texts }) =>
    texts.length > 0 ? [[heading, ...texts].join('\n\n')] : [],
  );
  const truncatedCount = parts.reduce(
    (sum, { changes }, index) => sum + (chosen[index] === undefined ? changes : 0),
    0,
  );
  const truncated =
    truncatedCount > 0
      ? [`**Truncated: ${count(truncatedCount, 'change')}.** The log of the run has them.`]
      : [];
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

/**
 * Returns the sentence in the comment about an apply that says whether a second plan has verified the outcome. Empty if no second plan was asked for.
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
 * next. Empty if nothing is left to do. `proof`: the result of the second plan, which verifies the apply.
 */
function nextText(plan: Plan, outcome: Outcome, proof: ApplyResult['proof']): string[] {
  const { failed, postponed, skipped, interrupted } = outcome;
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
  return `${marker}\n\n${appliedMarkdown(plan, result, limit - byteLengthOf(marker) - 2, places)}`;
}

/** True unless a second plan found something left to do, or could not be made. */
const isProven = (proof: ApplyResult['proof']): boolean => proof !== 'unsettled' && proof !== 'unread';

/** True if the apply did not start because the plan has errors. */
const isRefused = ({ plan, outcome }: ApplyResult): boolean =>
  !outcome && plan !== undefined && hasErrors(plan.diagnostics);

/**
 * True if a stack is fully applied, its actions included, and no second plan has found anything left to do. In the comment about the
 * apply of several stacks, the others come first, because they need attention.
 */
const isFullyApplied = ({ failed, skipped, outcome, proof }: ApplyResult): boolean =>
  failed === undefined &&
  skipped === undefined &&
  isProven(proof) &&
  (!outcome || runEndOf(outcome) === 'done');

/**
 * Formats the outcomes of several stacks for the comment about their apply: a line for all of them, then a part for each, unfinished ones first. Each
 * part gets an equal share of the remaining room. A part that does not fit is only named, or counted after the first ten.
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
  let room = limit - byteLengthOf(head) - reservedBytes;
  for (const [index, result] of order.entries()) {
    const share = Math.floor(room / (order.length - index));
    const name = `---\n\n${code(result.id ?? '')}`;
    const text = [name, stackText(result, share - byteLengthOf(name) - 4, places)].join('\n\n').trimEnd();
    if (byteLengthOf(text) + 2 > share) truncatedIds.push(result.id ?? '');
    else {
      texts.push(text);
      room -= byteLengthOf(text) + 2;
    }
  }
  const truncated = truncatedIds.length > 0 ? [truncatedText(truncatedIds)] : [];
  return `${[head, ...texts, ...truncated].join('\n\n')}\n`;
}

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

/** A part of the report under a heading, with its number of changes and its forms (see `forms.ts`). */
interface AppliedPart extends HeadedPiece {
  changes: number;
}

/**
 * Returns the parts of the comment about an apply: failures, changes that were not made, changes of others
 * that may be lost, actions that were not done, and the collapsed list of finished changes. `at` is the time of the outcome in
 * milliseconds since 1970.
 */
const appliedParts = (
  plan: Plan,
  outcome: Outcome,
  { at, places }: { at: number; places: Places },
): AppliedPart[] => [
  ...failedParts(plan, outcome, places),
  ...notDoneParts(plan, outcome, at),
  ...overwrittenParts(outcome),
  ...undoneActionParts(plan, outcome),
  ...doneParts(plan, outcome),
];

/** The most names in a sentence, and in the shorter form of a list. */
const maxNamesInSentence = 20;
const maxLineLength = 400;
const maxNamesPerCause = 50;

/** Lists the failed changes for the comment about an apply, by cause, each with the error and the place of its first change in the configuration. */
function failedParts(plan: Plan, outcome: Outcome, places: Places): AppliedPart[] {
  const heading = `Failed (${numberOf(plan, outcome.failed)})`;
  return groupFailures(plan, outcome).map(({ message, hint, failed }): AppliedPart => {
    const names = namesAmong(plan, failed);
    const lines = [
      ...firstLines(names, maxNamesPerCause).map((name) => `- ${name}`),
      ...message.map((line, index) => (index === 0 ? `  Error: ${line}` : `  ${line}`)),
      ...hint.map((line, index) => `  ${index === 0 ? `-> ${line}` : line}`),
    ].flatMap((line) => fold(cut(line, maxLineLength), columns, '  '));
    const position = changesAmong(plan, failed).find(({ at }) => at !== undefined)?.at;
    const link = position ? [`At ${placeLink(position, places)}:`] : [];
    const short = [lines[0]!, cut(`  Error: ${message[0]}`, 160)];
    return {
      heading,
      forms: [[...link, fence(lines, 'diff')].join('\n\n'), fence(short, 'diff')],
      urgent: true,
      changes: names.length,
    };
  });
}

/**
 * Lists for the report about an apply (comment and CI summary) the skipped changes by reason and the postponed ones by rate limit, each in two lengths,
 * since its room is limited.
 */
function notDoneParts(plan: Plan, { skipped, postponed }: Outcome, now: number): AppliedPart[] {
  const partFor = (heading: string, reason: string, entries: { address: Address }[]): AppliedPart => {
    const names = namesAmong(plan, entries);
    return {
      heading,
      forms: [
        `Because ${code(reason)}: ${listFirst(names.map(code), maxNamesInSentence)}`,
        `Because ${code(cut(reason, 160))}: ${names.length}`,
      ],
      urgent: true,
      changes: names.length,
    };
  };
  return [
    ...[...groupBy(skipped, ({ reason }) => reason)].map(([skipReason, entries]) =>
      partFor(`Not tried (${numberOf(plan, skipped)})`, skipReasonText(skipReason), entries),
    ),
    ...[...groupBy(postponed, ({ rateLimit }) => rateLimit.bucket).values()].map((entries) =>
      partFor(`Left for later (${numberOf(plan, postponed)})`, rateLimitDurationText(entries, now), entries),
    ),
  ];
}

/** Warns of objects that somebody else changed between our last read and our write, because these changes may be lost. */
function overwrittenParts({ overwritten }: Outcome): AppliedPart[] {
  if (overwritten.length === 0) return [];
  return [
    {
      heading: `Possibly overwritten (${overwritten.length})`,
      forms: [
        `Somebody else changed these between our last read and our write; their changes may be lost: ${listFirst(overwritten.map(code), maxNamesInSentence)}. Check in the dashboard who changed what, and redo it if it is missing.`,
      ],
      urgent: true,
      changes: 0,
    },
  ];
}

/** Lists the follow-up actions (`$then`) that an apply did not do, each with the reason and the next step. */
function undoneActionParts(plan: Plan, outcome: Outcome): AppliedPart[] {
  const texts = undoneActionTexts(plan, outcome);
  return texts.map(({ word, name, why, hint }) => ({
    heading: `Then (${texts.length})`,
    forms: [
      `- ${word} ${code(name)}${why === undefined ? '' : `: ${code(why)}`}${hint === undefined ? '' : ` -> ${code(hint)}`}`,
    ],
    urgent: true,
    changes: 0,
  }));
}

/** Returns the part of the comment about an apply for a warning about objects that do not work yet, such as domains without a DNS record. */
const notReadyPart = (diagnostic: Diagnostic, places: Places): AppliedPart => ({
  heading: 'Not ready yet',
  forms: diagnosticForms(diagnostic, places),
  urgent: true,
  changes: 0,
});

/**
 * Groups the finished changes of an apply by verb (`created`, `deleted`), each group with its number of changes and a
 * line for each name, for the list in the comment. Changes that read alike share a line: `40 x projects/site-*`.
 */
function groupDoneByVerb(
  plan: Plan,
  doneAddresses: ReadonlySet<Address>,
): { verb: string; number: number; lines: string[] }[] {
  const sentAddresses = sentAddressesIn(plan);
  const planAddresses = plan.changes.map(({ address }) => address);
  const doneChanges = plan.changes.filter(({ address }) => doneAddresses.has(address));
  const changesByVerb = groupBy(doneChanges, pastVerbOf);
  return orderedPastVerbs.flatMap((verb) => {
    const changes = changesByVerb.get(verb) ?? [];
    const lines = foldChanges(changes, { sentAddresses, planAddresses }).map((entry) => {
      const { count, name, targets } = formatEntryName(entry);
      const suffix = targets.length > 0 ? ` [${targets.join(', ')}]` : '';
      return cut(cleanLine(`${count === undefined ? '' : `${count} x `}${name}${suffix}`), maxLineLength);
    });
    return changes.length > 0 ? [{ verb, number: countLogicalChanges(changes), lines }] : [];
  });
}

/**
 * Formats the finished changes for the comment about an apply, by verb and collapsed. Changes that read alike
 * share a line. Returns one part in three lengths: all lines, the first lines of each verb, and only the counts.
 * Empty if nothing was done.
 */
function doneParts(plan: Plan, { done }: Outcome): AppliedPart[] {
  const verbGroups = groupDoneByVerb(plan, new Set(done));
  if (verbGroups.length === 0) return [];
  const number = verbGroups.reduce((sum, group) => sum + group.number, 0);
  const counts = verbGroups.map((group) => `${group.number} ${group.verb}`).join(', ');
  const collapsedForm = (maxLines: number) => {
    const lines = verbGroups.flatMap((group) =>
      firstLines(group.lines, maxLines).map((line) => `${group.verb.padEnd(verbWidth)} ${line}`),
    );
    return `<details><summary>${counts}</summary>\n\n${fence(lines, '')}\n\n</details>`;
  };
  return [
    {
      heading: `Done (${number})`,
      forms: [collapsedForm(Number.MAX_SAFE_INTEGER), collapsedForm(maxNamesInSentence), counts],
      urgent: false,
      changes: number,
    },
  ];
}

/** The width of the longest past verb, so that the names in the list are aligned. */
const verbWidth = Math.max(...orderedPastVerbs.map((verb) => verb.length));

/** Returns the changes of a plan with the addresses of these entries of its outcome. */
const changesAmong = (plan: Plan, entries: { address: Address }[]): Change[] => {
  const addresses = new Set(entries.map(({ address }) => address));
  return plan.changes.filter(({ address }) => addresses.has(address));
};

/** Counts the changes of these entries as people do: the targets of one variable are one change. */
const numberOf = (plan: Plan, entries: { address: Address }[]): number =>
  countLogicalChanges(changesAmong(plan, entries));

/**
 * Returns the names of changes with a certain outcome, such as the failed ones, for a list in the comment.
 * The targets of one variable share a name: `projects/web/env/A [production, preview]`. An address without a
 * change in the plan is its own name.
 */
function namesAmong(plan: Plan, entries: { address: Address }[]): string[] {
  const changes = changesAmong(plan, entries);
  const changedAddresses = new Set(changes.map(({ address }) => address));
  const names = foldChanges(changes, { sentAddresses: new Set(), planAddresses: [], isFull: true }).map(
    (entry) => {
      const { name, targets } = formatEntryName(entry);
      return cleanLine(targets.length > 0 ? `${name} [${targets.join(', ')}]` : name);
    },
  );
  return [
    ...names,
    ...entries
      .map(({ address }) => address)
      .filter((address) => !changedAddresses.has(address))
      .map(cleanLine),
  ];
}
