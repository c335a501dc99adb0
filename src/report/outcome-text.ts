import { indexByAddress } from '../model/address.ts';
import { type Outcome, runEndOf } from '../model/event.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import type { ActionOutcome } from '../model/planned-action.ts';
import { actionEndTexts } from './action-texts.ts';
import { contentsText } from './contents-text.ts';
import { hintLines } from './diagnostics-text.ts';
import { rateLimitDurationText, skipReasonText } from './events-text.ts';
import { createFailureGrouping, groupFailures } from './failures.ts';
import { doneNamesByVerb, doneNumbersByVerb, logicalNamesOf, outcomeSummaryText } from './outcome-summary.ts';
import { rememberFailure, type StackFailures } from './stacks/stack-failures.ts';
import type { Style } from './style.ts';
import { cleanLine, count, firstLines, fold, wrap } from './text.ts';
import type { Goal } from './verified-text.ts';

/*
 * Prints the end of an apply: the changes that were made, those that were not and why, and a summary in one sentence.
 *
 * - `outcome-summary.ts` explains logical changes and past verbs.
 * - A follow-up action, such as a redeployment, is sent after all changes. A pending one stays in the ledger for the next apply.
 */

const maxNamedAddresses = 8;
const maxNamesPerFailure = 3;

interface OutcomeTextOptions {
  style: Style;
  now: number;
  took?: number;
  /** The failures of other stacks of the command: those of the same cause are only referred to. */
  failures?: StackFailures | undefined;
  /** The state that the run leads to. Default: the configuration. */
  goal?: Goal;
}

/**
 * Formats the outcome of an apply for a terminal or a log. Used by `apply` and `undo` as the last thing that they print, so the last line
 * is the summary.
 *
 * `now` is in milliseconds since 1970, to say how long a rate limit lasts. `took` is the duration of the run in milliseconds, if it was
 * measured.
 */
export function outcomeText(
  plan: Plan,
  outcome: Outcome,
  { style, now, took, failures, goal = 'configuration' }: OutcomeTextOptions,
): string {
  return [
    doneLines(plan, outcome, style),
    followUpActionLines(plan, outcome, style),
    failedLines(plan, outcome, style, failures),
    postponedLines(plan, outcome, style, now),
    skippedLines(plan, outcome, style),
    overwrittenLines(outcome, style),
    nextStepTexts(plan, outcome, goal).flatMap((text) => wrap(text, style.prose)),
    [outcomeSummaryText(plan, outcome, { style, took })],
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/**
 * Lists the changes that an apply has made under a heading for each verb: `created (2):`. If there are many, prints only their number. A
 * deleted container counts with everything in it, and its line says so, because the plan and the summary count in the same way.
 */
function doneLines(plan: Plan, outcome: Outcome, style: Style): string[] {
  const namesByVerb = doneNamesByVerb(plan, outcome);
  const changesByAddress = indexByAddress(plan.changes);
  const contentsOf = (name: string) => {
    const change = changesByAddress.get(name);
    return change ? contentsText([change]) : '';
  };
  return [...doneNumbersByVerb(plan, outcome, namesByVerb)].flatMap(([verb, number]) => {
    const names = namesByVerb.get(verb)!;
    const heading = `${style.add(verb)} (${number})`;
    return names.length > maxNamedAddresses
      ? [heading]
      : [`${heading}:`, ...names.map((name) => `  ${cleanLine(name)}${contentsOf(name)}`)];
  });
}

/** Lists the outcomes of the follow-up actions (`$then`) at the end of an apply, with their reason and hint. */
function followUpActionLines(plan: Plan, outcome: Outcome, style: Style): string[] {
  const paints: Record<ActionOutcome['result'], (text: string) => string> = {
    done: style.add,
    nothing: style.quiet,
    owed: style.warn,
    refused: style.alarm,
    unknown: style.alarm,
  };
  return actionEndTexts(plan, outcome).flatMap(({ result, word, name, why, hint }) => [
    `${paints[result](word)} ${name}`,
    ...(why === undefined ? [] : fold(`  ${why}`, style.prose, '  ')),
    ...(hint === undefined ? [] : hintLines([hint], style)),
  ]);
}

/**
 * Lists the changes that failed, by cause, so that an error which hit many changes is printed once: the first names, the error, and one
 * hint. An error that another stack has already printed is only referred to.
 */
function failedLines(plan: Plan, outcome: Outcome, style: Style, failures?: StackFailures): string[] {
  const causeOf = createFailureGrouping(plan, failures?.command.causeByText);
  return groupFailures(plan, outcome).flatMap(({ message, hint, failed }) => {
    const names = logicalNamesOf(plan, failed);
    const more = names.length - maxNamesPerFailure;
    const { error, address } = failed[0]!;
    const nameLines = [
      ...names.slice(0, maxNamesPerFailure).map((name) => `${style.alarm('failed')} ${cleanLine(name)}`),
      ...(more > 0 ? [`${style.alarm('failed')} ${more} more for the same reason`] : []),
    ];
    const earlier =
      failures && rememberFailure(failures, 'firstInOutcomes', causeOf(error, address), address);
    if (earlier !== undefined)
      return [...nameLines, ...fold(`  Error: the same as for ${earlier}`, style.prose, '  ')];
    return [
      ...nameLines,
      ...message.flatMap((line, index) =>
        index === 0 ? fold(`  Error: ${line}`, style.prose, '  ') : fold(`  ${line}`, style.prose, '  | '),
      ),
      ...hintLines(hint, style),
    ];
  });
}

/** Lists at the end of an apply the changes that it did not try, by reason: mostly the failure of a change that they depend on. */
function skippedLines(plan: Plan, { skipped }: Outcome, style: Style): string[] {
  return [...groupBy(skipped, ({ reason }) => reason)].flatMap(([skipReason, skippedChanges]) => {
    const names = logicalNamesOf(plan, skippedChanges);
    const reason = ` (${names.length}), because ${skipReasonText(skipReason)}`;
    return listWithReason('not tried', reason, names, style);
  });
}

/** Warns of objects that somebody else changed between our last read and our write, because our write may have undone that change. */
function overwrittenLines({ overwritten }: Outcome, style: Style): string[] {
  if (overwritten.length === 0) return [];
  const heading =
    'Somebody else changed these between our last read and our write; their changes may be lost:';
  return [
    ...wrap(heading, style.prose).map(style.warn),
    ...firstNameLines(overwritten, style),
    ...wrap('Check in the dashboard who changed what, and redo it if it is missing.', style.prose),
  ];
}

/** Lists the changes that an apply left to a later run because of a rate limit, by rate limit, with the time until the limit ends. */
function postponedLines(plan: Plan, { postponed }: Outcome, style: Style, now: number): string[] {
  const changesByLimit = groupBy(postponed, ({ rateLimit }) => rateLimit.bucket);
  return [...changesByLimit.values()].flatMap((postponedChanges) => {
    const names = logicalNamesOf(plan, postponedChanges);
    const reason = ` (${names.length}), because ${rateLimitDurationText(postponedChanges, now)}`;
    return listWithReason('left', reason, names, style);
  });
}

/** Formats a heading such as `not tried (2), because ...:`, with its first words (`label`) in colour, and the names below it. */
function listWithReason(label: string, reason: string, names: string[], style: Style): string[] {
  const [firstLine, ...otherLines] = fold(`${label}${reason}:`, style.prose);
  return [firstLine!.replace(label, style.warn), ...otherLines, ...firstNameLines(names, style)];
}

/**
 * Lists the first names of changed objects in the summary of an apply, one on each line, and the number of the others, so that a long list
 * does not hide the summary.
 */
const firstNameLines = (names: readonly string[], style: Style): string[] =>
  firstLines(
    names.map((name) => `  ${cleanLine(name)}`),
    maxNamedAddresses,
    (more) => style.quiet(`  ${more}`),
  );

/**
 * States what the ledger contains after a run that did not finish, so that people can predict the next run.
 *
 * A request without a usable answer may have taken effect. The ledger notes the object that the request may have created, so the text must
 * not call that change unrecorded.
 */
export function ledgerStateText(
  plan: Plan,
  { failed, skipped, interrupted }: Pick<Outcome, 'failed' | 'skipped' | 'interrupted'>,
): string {
  const unknown = failed.filter(({ error }) => isOutcomeUnknown(error));
  if (unknown.length === 0)
    return 'The applied changes are recorded; those that failed or were not tried are not.';
  const otherFailures =
    failed.length > unknown.length || skipped.length > 0 || interrupted
      ? ' Other changes that failed or were not tried are not recorded.'
      : '';
  const changes = count(logicalNamesOf(plan, unknown).length, 'change');
  return `The applied changes are recorded. The outcome of ${changes} is unknown: the ledger notes the objects that may exist, and the next plan looks for them.${otherFailures}`;
}

/**
 * True if a request may have taken effect although it ended with this error, for example because the connection broke before the answer.
 */
const isOutcomeUnknown = (error: unknown): boolean => {
  const { mayBeCarriedOut, isUnknown } = (error ?? {}) as { mayBeCarriedOut?: boolean; isUnknown?: boolean };
  return mayBeCarriedOut === true || isUnknown === true;
};

/** Says how to continue a destroy or an undo. An apply would create the deleted objects again, or write the undone values. */
export const continueReversalText =
  'Run the same command again to continue; an apply would reverse the changes made so far.';

/**
 * Returns the sentences at the end of an unfinished run that say what the ledger contains and what to do
 * next; empty if all is done, or if only the outcome of an action is unknown. A failure comes first, because it decides what to do even if
 * other changes were postponed.
 */
function nextStepTexts(plan: Plan, outcome: Outcome, goal: Goal): string[] {
  const { failed, postponed, skipped, interrupted } = outcome;
  if (failed.length > 0 || skipped.length > 0 || interrupted)
    return [
      ledgerStateText(plan, { failed, skipped, interrupted }),
      goal === 'configuration'
        ? 'Run `trueup plan` to see the remaining changes; the next apply continues from there.'
        : continueReversalText,
    ];
  if (postponed.length > 0)
    return [
      appliedRecordedText(outcome),
      goal === 'configuration'
        ? 'Run it again then; the next apply continues from there. `--max-wait` makes it wait longer.'
        : `${continueReversalText} \`--max-wait\` makes it wait longer.`,
    ];
  return pendingActionsText(outcome);
}

/** States, after an apply without failed changes that a rate limit stopped, that the ledger has the other changes. */
export const appliedRecordedText = (outcome: Outcome): string =>
  runEndOf(outcome) === 'failed'
    ? 'The applied changes are recorded.'
    : 'The applied changes are recorded, and nothing failed.';

/**
 * States after an apply of all changes that actions are pending: they could not be sent yet (`owed`) or failed without effect (`refused`),
 * so the ledger still has them. Empty if there are none.
 */
export const pendingActionsText = ({ actions = [] }: Outcome): string[] =>
  actions.some(({ result }) => result === 'owed' || result === 'refused')
    ? [
        'All changes are applied and recorded. Pending actions are in the ledger: the next plan shows them and the next apply runs them.',
      ]
    : [];
