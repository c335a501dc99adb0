import type { Change, FieldChange } from '../model/change.ts';
import { hasErrors, shellQuoted } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { countLogicalChanges, groupLogicalChanges } from '../model/logical-changes.ts';
import { asksForNothing, canaryOperation, type Plan, type Summary } from '../model/plan.ts';
import { followingTexts } from './action-texts.ts';
import { findingFooterLines } from './finding-lines.ts';
import { findingCountsTexts } from './finding-text.ts';
import { logicalNameOf } from './fold-changes.ts';
import { durationOf, readsText, waitLines } from './forecast.ts';
import {
  noChangesText,
  notComparedLine,
  notComparedState,
  notComparedTexts,
  notComparedTitle,
} from './not-compared-text.ts';
import type { PlanContext } from './plan-context.ts';
import {
  alsoChangedText,
  conflictText,
  countFieldsWith,
  deletionTexts,
  guardsTexts,
  handoverTexts,
  renewedTexts,
  summarizePlan,
  waitingTexts,
  waitingTitle,
} from './plan-notes.ts';
import { rehearsalTexts, rehearsalVerdictText } from './rehearsal-text.ts';
import { countPlannedRequests, methodCountsOf } from './request-text.ts';
import { cleanLine, count, errorLines, fold, joinAsSentence, sumLines, wrap } from './text.ts';
import { unmanagedAddresses, unmanagedTexts } from './unmanaged-text.ts';

/*
 * Prints the end of a plan, below its changes. Each function returns the lines of one block, or none if there is nothing to say:
 *
 * waiting objects, unmanaged objects, ledger updates, first contact, remarks about fields, limits of a later undo, findings, guards,
 * objects that were not compared, the rehearsal, and the summary. The summary is last, because people and tools look for it there.
 */

/**
 * Returns the blocks of lines below the changes of a plan, such as unmanaged objects, doubts and comparisons that
 * were not possible, and last the summary. In a log the summary is one line, so that tools can match it.
 */
export function planFooter(plan: Plan, context: PlanContext): string[][] {
  return [
    waitingLines(plan, context),
    unmanagedTextLines(plan, context),
    renewalLines(plan, context),
    firstContactLines(plan, context),
    fieldRemarkLines(plan, context),
    undoLimitLines(plan, context),
    findingFooterLines(plan, context),
    guardsTexts(plan).flatMap((text) => wrap(text, context.style.width).map(context.style.quiet)),
    notComparedLines(plan, context),
    rehearsalLines(plan, context),
    summaryLines(plan, context),
  ].filter((lines) => lines.length > 0);
}

const maxWaitingShown = 20;

/**
 * Lists below a plan, and after an apply, the declared objects that are not ready, or will not be ready right after their creation, such as
 * domains to verify.
 */
export function waitingLines(
  plan: Pick<Plan, 'waiting'>,
  { style, verbose }: Pick<PlanContext, 'style' | 'verbose'>,
): string[] {
  const texts = waitingTexts(plan);
  if (texts.length === 0) return [];
  const shownTexts = verbose ? texts : texts.slice(0, maxWaitingShown);
  const more = texts.length - shownTexts.length;
  return [
    `${waitingTitle}:`,
    ...shownTexts.flatMap(({ name, text }) => fold(`  ${name}: ${text}`, style.prose, '      ')),
    ...(more > 0 ? [`  ... and ${more} more`] : []),
  ].map(style.quiet);
}

/**
 * Counts the objects of the account that no stack manages, by kind, so that people see which objects the plan leaves alone. A verbose
 * report lists them.
 */
function unmanagedTextLines(plan: Plan, { style, verbose }: PlanContext): string[] {
  const counts = unmanagedTexts(plan, cleanLine);
  if (counts.length === 0) return [];
  const lines = wrap(`Not managed here, left alone: ${counts.join(', ')}.`, style.width);
  const addresses = verbose ? unmanagedAddresses(plan).map((address) => `  ${cleanLine(address)}`) : [];
  return [...lines, ...addresses].map(style.quiet);
}

/** States below a plan for which objects an apply only updates the ledger, and which objects wait for another stack to take them over. */
function renewalLines(plan: Plan, { style, verbose }: PlanContext): string[] {
  const lines = [...renewedTexts(plan), ...handoverTexts(plan)].flatMap((text) => wrap(text, style.width));
  const renewals = plan.changes.filter(({ changesLedgerOnly }) => verbose && changesLedgerOnly);
  const names = groupLogicalChanges(renewals).map(logicalNameOf);
  return [...lines, ...names.map((name) => `  ${cleanLine(name)}`).sort()].map(style.quiet);
}

/** States which harmless change an apply tries first on an account that it has never written to. */
function firstContactLines(plan: Plan, { style }: PlanContext): string[] {
  return firstContactTexts(plan, (text) => `\`${text}\``).flatMap((text) => wrap(text, style.width));
}

/**
 * Sums up doubts about fields, with advice: conflicts, changes of unknown origin, and secrets that cannot be compared. Conflicts are left
 * out if they are an error, because that error has the advice.
 */
function fieldRemarkLines({ changes, diagnostics }: Plan, { style }: PlanContext): string[] {
  const unknownCount = countFieldsWith(changes, 'unknown');
  const unverifiedCount = countUnverifiedSecrets(changes);
  const isConflictRefused = diagnostics.some(
    ({ code, severity }) => code === 'guard/conflict' && severity === 'error',
  );
  const conflictTexts = isConflictRefused
    ? []
    : conflictText(changes).map((text) => `${text} ${acceptHint(changes)}`);
  const unknownText = `For ${count(unknownCount, 'field')} it is unclear whether the change was made here or outside: the last applied value is unknown.`;
  const unverifiedText = `${count(unverifiedCount, 'secret')} cannot be read back and compared; sent again because of --send-unverified.`;
  const wrapAll = (texts: string[]) => texts.flatMap((text) => wrap(text, style.width));
  return [
    ...wrapAll(conflictTexts).map(style.warn),
    ...wrapAll(unknownCount > 0 ? [unknownText] : []).map(style.quiet),
    ...wrapAll(unverifiedCount > 0 ? [unverifiedText] : []).map(style.quiet),
  ];
}

/**
 * Returns the hint below a plan with conflicts (fields changed both outside and here): the command `trueup accept` that keeps the outside
 * values. Names the object if there is only one.
 */
function acceptHint(changes: Change[]): string {
  const [firstConflict, ...otherConflicts] = groupLogicalChanges(
    changes.filter(({ fields }) => fields.some(({ cause }) => cause === 'conflict')),
  );
  return otherConflicts.length === 0
    ? `To keep the outside changes, run \`trueup accept ${shellQuoted(cleanLine(logicalNameOf(firstConflict!)))}\`.`
    : 'To keep the outside changes, run `trueup accept ADDRESS`.';
}

const maxUndoNames = 3;

/**
 * Lists at the end of a plan the changes that a later `trueup undo` could not restore, or only without a
 * value, such as a deleted secret. Irreversible changes are left out, because the plan already marks them as
 * such.
 */
function undoLimitLines({ changes }: Plan, { style, verbose }: PlanContext): string[] {
  const linesFor = (can: 'but for a value' | 'no', label: string) => {
    const limitedChanges = groupLogicalChanges(
      changes.filter(({ undo, grade }) => undo?.can === can && grade !== 'irreversible'),
    );
    if (limitedChanges.length === 0) return [];
    const names = limitedChanges.map((logicalChange) => cleanLine(logicalNameOf(logicalChange)));
    const shownNames = listFirst(names, verbose ? names.length : maxUndoNames);
    return wrap(`${label}: ${shownNames}.`, style.width).map(style.quiet);
  };
  return [
    ...linesFor('but for a value', 'A later undo cannot restore every value of'),
    ...linesFor('no', 'A later undo cannot restore'),
  ];
}

/**
 * Counts the secrets that are sent without a comparison. Unlike `countFieldsWith` it includes adopted objects, whose secrets are sent too.
 */
export const countUnverifiedSecrets = (changes: Change[]): number =>
  groupLogicalChanges(changes.filter(({ fields }) => fields.some(isUnverified)))
    .flatMap(([change]) => change!.fields)
    .filter(isUnverified).length;

/** True for a secret that is sent although it could not be compared. */
const isUnverified = ({ cause }: FieldChange) => cause === 'unverified';

/**
 * Lists the objects and secrets that were not compared with the account, by cause. If there are none, lists the failed reads that make the
 * plan incomplete although they concern no declared object.
 *
 * The texts do not depend on whether the operator goes on with an incomplete plan (`--allow-incomplete`).
 */
function notComparedLines(plan: Plan, { style, verbose }: PlanContext): string[] {
  const texts = notComparedTexts(plan);
  const title = plan.complete ? notComparedTitle : 'This plan is incomplete; not compared';
  const causeLines = texts.flatMap((text) => [
    ...fold(`  - ${verbose ? `${text.text}:` : notComparedLine(text)}`, style.prose, '    '),
    ...(verbose ? text.names.map((name) => `      ${name}`) : []),
  ]);
  const readMessages = texts.length > 0 || plan.complete ? [] : incompleteReadMessages(plan);
  if (causeLines.length + readMessages.length === 0) return [];
  return [
    ...wrap(`${title}:`, style.width).map(plan.complete ? style.quiet : style.alarm),
    ...causeLines.map(plan.complete ? style.quiet : (line) => line),
    ...readMessages.flatMap((message) => fold(`  - ${message}`, style.prose, '    ')),
  ];
}

/**
 * Formats the result of the plan's rehearsal (its trial on a twin, a local imitation of the platform); nothing if the plan was not
 * rehearsed.
 */
function rehearsalLines({ rehearsal }: Plan, { style }: PlanContext): string[] {
  if (!rehearsal) return [];
  const paint = { green: style.strong, fails: style.alarm, unknown: style.warn }[rehearsal.verdict];
  return [
    ...wrap(rehearsalVerdictText(rehearsal), style.width).map(paint),
    ...rehearsalTexts(rehearsal).flatMap((text) => fold(`  ${text}`, style.prose, '    ')),
  ];
}

/**
 * Returns the reasons why a plan is incomplete: the messages of the failed reads of the account, or a general
 * sentence. The end of a plan's report has them only if it lists no objects that were not compared, because that list
 * gives the reasons.
 */
function incompleteReadMessages({ diagnostics }: Plan): string[] {
  const messages = diagnostics
    .filter(({ code }) => code === 'observe/incomplete')
    .map((diagnostic) => errorLines(diagnostic).message.join(' '));
  return messages.length > 0 ? messages : ['not everything could be read or planned'];
}

/**
 * Sums the plan up at the end of its text, so that readers need not count: the requests that planning took, the requests with which an
 * apply makes its changes, the waits for rate limits, warnings about deletions, and last the counts. The number of requests there includes
 * those of the actions that follow (`$then`):
 *
 *     Read with 28 requests. To send: 4 POST in 4 operations, about 2 min.
 *     Plan: 4 to create, 0 to adopt, 0 to update, 0 to delete, then 1 build. 5 requests. Incomplete: 2 objects not compared.
 *
 * A complete plan that sends and adopts nothing has the first sentence, then one that says so (or that errors have to be fixed first), with
 * the numbers of findings and of objects that were not compared.
 */
function summaryLines(plan: Plan, { style, pace }: PlanContext): string[] {
  const reads = readsText(plan);
  if (asksForNothing(plan) && plan.complete) {
    const text = [nothingPlannedText(plan), ...findingCountsTexts(plan), ...notComparedState(plan)].join(' ');
    return [...reads.map(style.quiet), ...wrap(text, style.width).map(style.strong)];
  }

  const traffic = [...reads, ...toSendTexts(plan, pace)].join(' ');
  const counts = [summaryCountsText(summarizePlan(plan)), ...followingTexts(plan)].join(', ');
  const requestCount = count(countPlannedRequests(plan).total, 'request');
  const summary = [
    `Plan: ${counts}. ${requestCount}.`,
    ...findingCountsTexts(plan),
    ...notComparedState(plan),
  ].join(' ');
  return [
    ...(traffic === '' ? [] : wrap(traffic, style.width).map(style.quiet)),
    ...waitLines(plan, pace, style.width).map(style.warn),
    ...deletionTexts(plan).flatMap((text) => wrap(text, style.width).map(style.warn)),
    ...sumLines(summary, style).map(style.strong),
  ];
}

/** Returns the sentence about the requests with which an apply makes its changes, without those of actions; empty if it sends none. */
function toSendTexts(plan: Plan, pace: PlanContext['pace']): string[] {
  const { operations } = plan;
  if (operations.length === 0) return [];
  const methodCounts = methodCountsOf(operations.flatMap(({ requests }) => requests));
  return [
    `To send: ${joinAsSentence(methodCounts)} in ${count(operations.length, 'operation')}${durationOf(plan, pace)}.`,
  ];
}

/** Returns the summary of a plan that sends and adopts nothing: because of errors, or because nothing differs. */
const nothingPlannedText = (plan: Plan): string =>
  hasErrors(plan.diagnostics) ? 'Nothing is planned until the errors are fixed.' : noChangesText(plan);

/**
 * Formats the counts of a plan for its last line: `3 to create, 1 to adopt, 2 to update, 0 to delete`. The other actions appear only if
 * there are any. `withZeros: false`: only actions with changes, for the changes of one kind.
 */
export function summaryCountsText(summary: Summary, { withZeros = true } = {}): string {
  const alwaysShown = withZeros ? ['create', 'adopt', 'update', 'delete'] : [];
  const shownActions = (
    ['create', 'adopt', 'update', 'replace', 'move', 'release', 'delete'] as const
  ).filter((action) => summary[action] > 0 || alwaysShown.includes(action));
  const alsoChanged = (action: string) => (action === 'adopt' ? alsoChangedText(summary.adoptAndUpdate) : '');
  return shownActions.map((action) => `${summary[action]} to ${action}${alsoChanged(action)}`).join(', ');
}

/**
 * Returns the sentence of a plan about the canary (the harmless change that an apply does first, and checks, on an account that is new to
 * the ledger), or that no change is harmless enough; empty on any other account. `quote` formats a change as code.
 */
export function firstContactTexts(plan: Plan, quote: (text: string) => string): string[] {
  const { firstContact, operations, changes } = plan;
  if (!firstContact) return [];
  const canary = canaryOperation(plan);
  if (!canary)
    return ['First contact with this account: no change is harmless enough to be tried before the others.'];
  const sent = new Set(operations.flatMap((operation) => operation.changes));
  const otherCount = countLogicalChanges(changes.filter(({ address }) => sent.has(address))) - 1;
  const firstChanges = changes.filter(({ address }) => canary.changes.includes(address));
  const verb = firstChanges.every(({ action }) => action === 'create') ? 'create' : 'update';
  const name = quote(cleanLine(`${verb} ${logicalNameOf(firstChanges)}`));
  const otherChanges = otherCount === 1 ? 'the other change' : `the other ${otherCount} changes`;
  return [
    `First contact with this account: ${name} is done first and checked by a fresh read before ${otherChanges}.`,
  ];
}
