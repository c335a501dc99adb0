import { type Address, indexByAddress } from '../model/address.ts';
import type { Change, ChangeAction } from '../model/change.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import { type Outcome, runEndOf } from '../model/event.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import { groupBy } from '../model/graph.ts';
import { groupLogicalChanges } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import type { ActionOutcome } from '../model/planned-action.ts';
import { countPlannedDeletions } from '../model/planned-deletions.ts';
import { actionEndTexts, undoneActionTexts } from './action-texts.ts';
import { contentsText } from './contents-text.ts';
import { hintLines } from './diagnostics-text.ts';
import { rateLimitDurationText, skipReasonText } from './events-text.ts';
import { createFailureGrouping, failureLines, findPlannedOperation, groupFailures } from './failures.ts';
import { logicalNameOf, targetsOf } from './fold-changes.ts';
import { notComparedState } from './not-compared-text.ts';
import { alsoChangedText, sentAddressesIn } from './plan-notes.ts';
import { findEarlierFailure, type StackFailures } from './stacks/stack-failures.ts';
import type { Style } from './style.ts';
import { cleanLine, count, firstLines, fold, sumLines, tookText, wrap } from './text.ts';

/*
 * Prints the end of an apply: the changes that were made, those that were not and why, and a summary in one sentence.
 *
 * - A logical change is what people count as one change: the changes of one variable in three targets. An outcome lists addresses, one for
 *   each target, so all counts and lists here first turn addresses into the names of logical changes.
 * - A past verb is the word for a change that was carried out: `created`, `updated`, `noted`.
 * - A follow-up action, such as a redeployment, is sent after all changes. A pending one stays in the ledger for the next apply.
 */

const maxNamedAddresses = 8;
const maxNamesPerFailure = 3;

/** The past verb of each action of a change. */
export const pastVerbs: Record<ChangeAction, string> = {
  create: 'created',
  adopt: 'adopted',
  update: 'updated',
  replace: 'replaced',
  move: 'moved',
  release: 'released',
  forget: 'released',
  delete: 'deleted',
  noop: 'checked',
};

/** Returns the past verb of a change. A change that only updates the ledger is `noted`. */
export const pastVerbOf = ({
  action,
  changesLedgerOnly,
}: Pick<Change, 'action' | 'changesLedgerOnly'>): string => (changesLedgerOnly ? 'noted' : pastVerbs[action]);

/** All past verbs, each once, in the order in which reports list them. */
export const orderedPastVerbs = [...new Set([...Object.values(pastVerbs), 'noted'])];

interface OutcomeTextOptions {
  style: Style;
  now: number;
  took?: number;
  /** The failures of other stacks of the command: those of the same cause are only referred to. */
  failures?: StackFailures | undefined;
}

/**
 * Formats the outcome of an apply for a terminal or a log. Used by `apply` and `undo` as the last thing that they print, so the last line is
 * the summary.
 *
 * `now` is in milliseconds since 1970, to say how long a rate limit lasts. `took` is the duration of the run in milliseconds, if it was
 * measured.
 */
export function outcomeText(
  plan: Plan,
  outcome: Outcome,
  { style, now, took, failures }: OutcomeTextOptions,
): string {
  return [
    doneLines(plan, outcome, style),
    followUpActionLines(plan, outcome, style),
    failedLines(plan, outcome, style, failures),
    postponedLines(plan, outcome, style, now),
    skippedLines(plan, outcome, style),
    overwrittenLines(outcome, style),
    nextStepLines(plan, outcome, style),
    [outcomeSummaryText(plan, outcome, { style, took })],
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** The names of the logical changes that were done, by past verb. */
type NamesByVerb = Map<string, string[]>;

/**
 * Returns the names of the logical changes that these addresses belong to, each once: `projects/web/env/A [production, preview]` for two of
 * the targets of one variable. Used to count and list an outcome as people count changes. An address without a change in the plan is its
 * own name.
 */
function logicalNamesIn({ changes }: Plan, addresses: readonly Address[]): string[] {
  const addressSet = new Set(addresses);
  const names = new Map<Address, string>();
  for (const logicalChange of groupLogicalChanges(changes)) {
    const listedChanges = logicalChange.filter(({ address }) => addressSet.has(address));
    if (listedChanges.length === 0) continue;
    const targets = targetsOf(listedChanges);
    const suffix = targets.length > 0 ? ` [${targets.join(', ')}]` : '';
    const name = `${logicalNameOf(listedChanges)}${suffix}`;
    for (const { address } of listedChanges) names.set(address, name);
  }
  return [...new Set(addresses.map((address) => names.get(address) ?? address))];
}

/**
 * Returns the names of the logical changes (what people count as one change, such as a variable in three targets) of these entries of an outcome,
 * each once, for the lists that `trueup apply` prints at its end.
 */
const logicalNamesOf = (plan: Plan, entries: { address: Address }[]): string[] =>
  logicalNamesIn(
    plan,
    entries.map(({ address }) => address),
  );

/**
 * Groups the names of the finished changes by verb (`created`, `deleted`), for the list of changes and for
 * the counts of the summary. A variable in several targets has one name.
 */
function doneNamesByVerb(plan: Plan, outcome: Outcome): NamesByVerb {
  const verbs = new Map(plan.changes.map((change) => [change.address, pastVerbOf(change)]));
  const addressesByVerb = groupBy(outcome.done, (address) => verbs.get(address) ?? pastVerbs.noop);
  return new Map([...addressesByVerb].map(([verb, addresses]) => [verb, logicalNamesIn(plan, addresses)]));
}

/**
 * Lists the changes that an apply has made under a heading for each verb: `created (2):`. If there are many, prints only their number. A deleted
 * container counts with everything in it, and its line says so, because the plan and the summary count in the same way.
 */
function doneLines(plan: Plan, outcome: Outcome, style: Style): string[] {
  const namesByVerb = doneNamesByVerb(plan, outcome);
  const changesByAddress = indexByAddress(plan.changes);
  const contentsOf = (name: string) => {
    const change = changesByAddress.get(name);
    return change ? contentsText([change]) : '';
  };
  return [...doneNumbersByVerb(plan, outcome)].flatMap(([verb, number]) => {
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
      failures && findEarlierFailure(failures, 'firstInOutcomes', causeOf(error, address), address);
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

/** Lists the first names, one on each line, and the number of the others, so that a long list does not hide the summary. */
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

/** States what the ledger contains and how to go on after an unfinished run. Empty after a finished run. */
function nextStepLines(plan: Plan, outcome: Outcome, { prose }: Style): string[] {
  return nextStepTexts(plan, outcome).flatMap((text) => wrap(text, prose));
}

/**
 * Returns the sentences at the end of an unfinished apply that say what the ledger contains and what to do
 * next; empty if all is done, or if only the outcome of an action is unknown. A failure comes first, because it decides what to do even if
 * other changes were postponed.
 */
function nextStepTexts(plan: Plan, outcome: Outcome): string[] {
  const { failed, postponed, skipped, interrupted } = outcome;
  if (failed.length > 0 || skipped.length > 0 || interrupted)
    return [
      ledgerStateText(plan, { failed, skipped, interrupted }),
      'Run `trueup plan` to see the remaining changes; the next apply continues from there.',
    ];
  if (postponed.length > 0)
    return [
      appliedRecordedText(outcome),
      'Run it again then; the next apply continues from there. `--max-wait` makes it wait longer.',
    ];
  return pendingActionsText(outcome);
}

/** States, after an apply without failed changes that a rate limit stopped, that the ledger has the other changes. */
export const appliedRecordedText = (outcome: Outcome): string =>
  runEndOf(outcome) === 'failed'
    ? 'The applied changes are recorded.'
    : 'The applied changes are recorded, and nothing failed.';

/**
 * States after an apply of all changes that actions are still to be sent. Empty if there are none, or if the outcomes of all others are
 * unknown.
 */
export const pendingActionsText = ({ actions = [] }: Outcome): string[] =>
  actions.some(({ result }) => result === 'owed' || result === 'refused')
    ? [
        'All changes are applied and recorded. Pending actions are in the ledger: the next plan shows them and the next apply runs them.',
      ]
    : [];

/**
 * Sums an apply up: `Applied 3 changes in 4.1s: 2 created, 1 deleted.` Printed as the last line of an apply,
 * because people and scripts look there first; in a log it is one line. Also the headline of the comment about an
 * apply. The worst outcome decides how it begins:
 *
 *   stopped, or a change failed             `Apply stopped` or `Apply failed`; counts only changes; reports list actions on their own
 *   a follow-up action (`$then`) failed     `Apply failed`
 *   a rate limit postponed changes          `Apply not finished`; they are `left`
 *   an action has still to be sent          `Apply not finished`; it is `owed`
 *   all is done                             `Applied`, only the actions, or `There was nothing to apply.`
 *
 * `took` is the duration in milliseconds.
 */
export function outcomeSummaryText(
  plan: Plan,
  outcome: Outcome,
  { style, took }: { style: Style; took?: number },
): string {
  // Says behind the counts that objects were not compared, because a finished apply is then no proof that the account is as declared.
  const formatSummary = (text: string, paint: (line: string) => string) =>
    sumLines([text, ...notComparedState(plan)].join(' '), style)
      .map(paint)
      .join('\n');
  const doneCount = [...doneNumbersByVerb(plan, outcome).values()].reduce((sum, number) => sum + number, 0);
  const countOf = (entries: { address: Address }[]) => logicalNamesOf(plan, entries).length;
  const failedCount = countOf(outcome.failed);
  const postponedCount = countOf(outcome.postponed);
  const skippedCount = countOf(outcome.skipped);
  const postponedText = postponedCount > 0 ? `, ${postponedCount} left` : '';
  if (failedCount > 0 || skippedCount > 0 || outcome.interrupted) {
    const state = outcome.interrupted ? 'Apply stopped' : 'Apply failed';
    const after = took === undefined ? '' : ` after ${tookText(took)}`;
    return formatSummary(
      `${state}${after}: ${doneCount} done, ${failedCount} failed${postponedText}, ${skippedCount} not tried.`,
      style.alarm,
    );
  }
  const actions = countFollowUpActions(outcome);
  const doneAndActions = [`${doneCount} done${postponedText}`, ...actions.texts].join(', ');
  if (actions.failed > 0) return formatSummary(`Apply failed: ${doneAndActions}.`, style.alarm);
  if (postponedCount > 0)
    return formatSummary(`Apply not finished: ${doneCount} done${postponedText}.`, style.warn);
  if (actions.pending > 0) return formatSummary(`Apply not finished: ${doneAndActions}.`, style.warn);
  if (outcome.done.length === 0 && actions.texts.length > 0)
    return formatSummary(`${actions.texts.join(', ')}.`, style.strong);
  if (outcome.done.length === 0) return formatSummary('There was nothing to apply.', style.strong);
  const within = took === undefined ? '' : ` in ${tookText(took)}`;
  return formatSummary(
    `Applied ${count(doneCount, 'change')}${within}: ${[doneCountsText(plan, outcome), ...actions.texts].join(', ')}.`,
    style.strong,
  );
}

/**
 * Counts the follow-up actions by outcome, for the summary of an apply. `texts` has the counts above zero: `2 actions sent`. Actions that had
 * nothing to do are not counted.
 */
function countFollowUpActions({ actions = [] }: Outcome): {
  pending: number;
  failed: number;
  texts: string[];
} {
  const countResults = (...results: string[]) =>
    actions.filter(({ result }) => results.includes(result)).length;
  const [sent, pending, failed] = [
    countResults('done'),
    countResults('owed'),
    countResults('refused', 'unknown'),
  ];
  const texts = [
    ...(sent > 0 ? [`${count(sent, 'action')} sent`] : []),
    ...(pending > 0 ? [`${count(pending, 'action')} owed`] : []),
    ...(failed > 0 ? [`${count(failed, 'action')} failed`] : []),
  ];
  return { pending, failed, texts };
}

/**
 * Counts the changes that were done, by verb, for the summary: `2 created, 3 adopted (1 of them changed)`. A deleted container counts with everything
 * in it, as in the plan.
 */
function doneCountsText(plan: Plan, outcome: Outcome): string {
  const sentAddresses = sentAddressesIn(plan);
  const actions = new Map(plan.changes.map(({ address, action }) => [address, action]));
  const changedAdoptions = logicalNamesIn(
    plan,
    outcome.done.filter((address) => sentAddresses.has(address) && actions.get(address) === 'adopt'),
  ).length;
  return [...doneNumbersByVerb(plan, outcome)]
    .map(([verb, number]) => {
      const alsoChanged = verb === pastVerbs.adopt ? alsoChangedText(changedAdoptions) : '';
      return `${number} ${verb}${alsoChanged}`;
    })
    .join(', ');
}

/** Counts the changes that were done, by verb, in the order of reports. A deleted container counts with everything in it, as in the plan. */
function doneNumbersByVerb(plan: Plan, outcome: Outcome): Map<string, number> {
  const namesByVerb = doneNamesByVerb(plan, outcome);
  const done = new Set(outcome.done);
  const deletedCount = countPlannedDeletions(plan.changes.filter(({ address }) => done.has(address))).objects;
  return new Map(
    orderedPastVerbs
      .filter((verb) => namesByVerb.has(verb))
      .map((verb) => [verb, verb === pastVerbs.delete ? deletedCount : namesByVerb.get(verb)!.length]),
  );
}

/**
 * Counts what the applies of several stacks have done, for the head of their comment: `40 created, 3 updated, 2 failed, 1 not tried`. Empty if
 * nothing was applied.
 */
export function sumOutcomesText(parts: readonly { plan: Plan; outcome: Outcome }[]): string {
  const sums = new Map<string, number>();
  const add = (word: string, number: number) => sums.set(word, (sums.get(word) ?? 0) + number);
  for (const { plan, outcome } of parts) {
    for (const [verb, number] of doneNumbersByVerb(plan, outcome)) add(verb, number);
    add('failed', logicalNamesOf(plan, outcome.failed).length);
    add('left', logicalNamesOf(plan, outcome.postponed).length);
    add('not tried', logicalNamesOf(plan, outcome.skipped).length);
  }
  return [...orderedPastVerbs, 'failed', 'left', 'not tried']
    .flatMap((word) => ((sums.get(word) ?? 0) > 0 ? [`${sums.get(word)} ${word}`] : []))
    .join(', ');
}

/**
 * Returns a problem for each change and each follow-up action (`$then`) that an apply did not do, and for each change that may have
 * overwritten one of somebody else, at the line of the configuration that declares it: an error for each failure, a warning otherwise. Used
 * by formats that can only print problems, such as Terraform's stream and the annotations of CI systems. Problems with one cause (`alike`)
 * become one that lists their places, because a rate limit may postpone thousands of changes. `now` is in milliseconds since 1970.
 */
export function outcomeDiagnostics(plan: Plan, outcome: Outcome, now: number): Diagnostic[] {
  const { failed, postponed, skipped, overwritten } = outcome;
  const causeOf = createFailureGrouping(plan);
  const changesByAddress = indexByAddress(plan.changes);
  const subjectOf = (address: Address): Pick<Diagnostic, 'address' | 'at'> => {
    return { address, at: changesByAddress.get(address)?.at };
  };
  const postponedByLimit = groupBy(postponed, ({ rateLimit }) => rateLimit.bucket);
  return foldDiagnostics([
    ...overwritten.map((address) =>
      warning('apply/overwritten', 'somebody else changed this between our last read and our write', {
        ...subjectOf(address),
        hint: 'their changes may be lost',
      }),
    ),
    ...[...postponedByLimit.values()].flatMap((postponedChanges) => {
      const message = `left because ${rateLimitDurationText(postponedChanges, now)}`;
      const hint = 'run it again then; it continues from there';
      const alike = { cause: message, are: `changes ${message}`, hint };
      return postponedChanges.map(({ address }) =>
        warning('apply/left', message, { ...subjectOf(address), hint, alike }),
      );
    }),
    ...skipped.map(({ address, reason }) => {
      const message = `not tried because ${skipReasonText(reason)}`;
      const alike = { cause: message, are: `changes ${message}` };
      return warning('apply/skipped', message, { ...subjectOf(address), alike });
    }),
    ...failed.map(({ address, error }) => {
      const { message, hint } = failureLines(error, findPlannedOperation(plan, address));
      return problem('apply/failed', message.join('\n'), {
        ...subjectOf(address),
        hint: hint.length > 0 ? hint.join('\n') : undefined,
        alike: { cause: causeOf(error, address) },
      });
    }),
    ...undoneActionTexts(plan, outcome).map(({ result, word, name, action, why, hint }) => {
      const create = result === 'owed' ? warning : problem;
      const [source = action?.about] = action?.from ?? [];
      return create('then/not-done', `${word} ${name}${why === undefined ? '' : `: ${why}`}`, {
        address: action?.about,
        at: source === undefined ? undefined : subjectOf(source).at,
        hint,
      });
    }),
  ]);
}
