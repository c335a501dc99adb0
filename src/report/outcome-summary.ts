import type { Address } from '../model/address.ts';
import type { Outcome } from '../model/event.ts';
import { groupBy } from '../model/graph.ts';
import { groupLogicalChanges } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import { countPlannedDeletions } from '../model/planned-deletions.ts';
import { logicalNameOf, targetsOf } from './fold-changes.ts';
import { notComparedState } from './not-compared-text.ts';
import { orderedPastVerbs, pastVerbOf, pastVerbs } from './past-verbs.ts';
import { alsoChangedText, sentAddressesIn } from './plan-notes.ts';
import type { Style } from './style.ts';
import { count, sumLines, tookText } from './text.ts';

/*
 * Counts what an apply has done, and sums it up in one sentence.
 *
 * - A logical change is what people count as one change: the changes of one variable in three targets. An outcome lists addresses, one for
 *   each target, so all counts and lists here first turn addresses into the names of logical changes.
 * - A past verb is the word for a change that was carried out: `created`, `updated`, `noted`.
 */

/** The names of the logical changes that were done, by past verb. */
type NamesByVerb = Map<string, string[]>;

/**
 * Returns the names of the logical changes that these addresses belong to, each once: `projects/web/env/A [production, preview]` for two of
 * the targets of one variable. Used to count and list an outcome as people count changes. An address without a change in the plan is its
 * own name.
 */
function logicalNamesIn({ changes }: Plan, addresses: readonly Address[]): string[] {
  if (addresses.length === 0) return [];
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
 * Returns the names of the logical changes (what people count as one change, such as a variable in three targets) of these entries of an
 * outcome, each once, for the lists that `trueup apply` prints at its end.
 */
export const logicalNamesOf = (plan: Plan, entries: { address: Address }[]): string[] =>
  logicalNamesIn(
    plan,
    entries.map(({ address }) => address),
  );

/**
 * Groups the names of the finished changes by verb (`created`, `deleted`), for the list of changes and for
 * the counts of the summary. A variable in several targets has one name.
 */
export function doneNamesByVerb(plan: Plan, outcome: Outcome): NamesByVerb {
  const verbs = new Map(plan.changes.map((change) => [change.address, pastVerbOf(change)]));
  const addressesByVerb = groupBy(outcome.done, (address) => verbs.get(address) ?? pastVerbs.noop);
  return new Map([...addressesByVerb].map(([verb, addresses]) => [verb, logicalNamesIn(plan, addresses)]));
}

/**
 * Sums an apply up: `Applied 3 changes in 4.1s: 2 created, 1 deleted.` Printed as the last line of an apply,
 * because people and scripts look there first; in a log it is one line. Also the headline of the comment about an
 * apply. `took` is the duration in milliseconds.
 */
export function outcomeSummaryText(
  plan: Plan,
  outcome: Outcome,
  { style, took }: { style: Style; took?: number },
): string {
  const { text, paint } = summarySentence(plan, outcome, took);
  // Says behind the counts that objects were not compared, because a finished apply is then no proof that the account is as declared.
  const lines = sumLines([text, ...notComparedState(plan)].join(' '), style);
  return lines.map(style[paint]).join('\n');
}

/**
 * Returns the sentence that sums an apply up, for `outcomeSummaryText`, and the name of its colour. The worst outcome decides:
 *
 *   | outcome                              | text                                                                           | colour |
 *   | a signal, or a change failed         | `Apply stopped`, `Apply failed`; only changes are counted                      | alarm  |
 *   | a follow-up action (`$then`) failed  | `Apply failed`                                                                 | alarm  |
 *   | a rate limit postponed changes       | `Apply not finished`; they are `left`                                          | warn   |
 *   | an action has still to be sent       | `Apply not finished`; it is `owed`                                             | warn   |
 *   | all is done                          | `Applied 3 changes`, only the actions, or `There was nothing to apply`         | strong |
 */
function summarySentence(
  plan: Plan,
  outcome: Outcome,
  took: number | undefined,
): { text: string; paint: 'alarm' | 'warn' | 'strong' } {
  const doneNumbers = doneNumbersByVerb(plan, outcome);
  const doneCount = [...doneNumbers.values()].reduce((sum, number) => sum + number, 0);
  const failedCount = logicalNamesOf(plan, outcome.failed).length;
  const postponedCount = logicalNamesOf(plan, outcome.postponed).length;
  const skippedCount = logicalNamesOf(plan, outcome.skipped).length;
  const postponedText = postponedCount > 0 ? `, ${postponedCount} left` : '';
  if (failedCount > 0 || skippedCount > 0 || outcome.interrupted) {
    const state = outcome.interrupted ? 'Apply stopped' : 'Apply failed';
    const after = took === undefined ? '' : ` after ${tookText(took)}`;
    const counts = `${doneCount} done, ${failedCount} failed${postponedText}, ${skippedCount} not tried`;
    return { text: `${state}${after}: ${counts}.`, paint: 'alarm' };
  }
  const actions = countFollowUpActions(outcome);
  const doneText = `${doneCount} done${postponedText}`;
  const doneAndActions = [doneText, ...actions.texts].join(', ');
  if (actions.failed > 0) return { text: `Apply failed: ${doneAndActions}.`, paint: 'alarm' };
  if (postponedCount > 0) return { text: `Apply not finished: ${doneText}.`, paint: 'warn' };
  if (actions.pending > 0) return { text: `Apply not finished: ${doneAndActions}.`, paint: 'warn' };
  if (outcome.done.length === 0) {
    const text = actions.texts.length > 0 ? actions.texts.join(', ') : 'There was nothing to apply';
    return { text: `${text}.`, paint: 'strong' };
  }
  const within = took === undefined ? '' : ` in ${tookText(took)}`;
  const counts = [doneCountsText(doneNumbers, plan, outcome), ...actions.texts].join(', ');
  return { text: `Applied ${count(doneCount, 'change')}${within}: ${counts}.`, paint: 'strong' };
}

/**
 * Counts the follow-up actions by outcome, for the summary of an apply. `texts` has the counts above zero: `2 actions sent`. Actions that
 * had nothing to do are not counted.
 */
function countFollowUpActions({ actions = [] }: Outcome): {
  pending: number;
  failed: number;
  texts: string[];
} {
  const countResults = (...results: string[]) =>
    actions.filter(({ result }) => results.includes(result)).length;
  const sent = countResults('done');
  const pending = countResults('owed');
  const failed = countResults('refused', 'unknown');
  const texts = [
    ...(sent > 0 ? [`${count(sent, 'action')} sent`] : []),
    ...(pending > 0 ? [`${count(pending, 'action')} owed`] : []),
    ...(failed > 0 ? [`${count(failed, 'action')} failed`] : []),
  ];
  return { pending, failed, texts };
}

/** Formats the numbers of changes that were done, by verb, for the summary: `2 created, 3 adopted (1 of them changed)`. */
function doneCountsText(doneNumbers: ReadonlyMap<string, number>, plan: Plan, outcome: Outcome): string {
  const sentAddresses = sentAddressesIn(plan);
  const actions = new Map(plan.changes.map(({ address, action }) => [address, action]));
  const changedAdoptions = logicalNamesIn(
    plan,
    outcome.done.filter((address) => sentAddresses.has(address) && actions.get(address) === 'adopt'),
  ).length;
  return [...doneNumbers]
    .map(([verb, number]) => {
      const alsoChanged = verb === pastVerbs.adopt ? alsoChangedText(changedAdoptions) : '';
      return `${number} ${verb}${alsoChanged}`;
    })
    .join(', ');
}

/**
 * Counts the changes that were done, by verb, in the order of reports. A deleted container counts with everything in it, as in the plan.
 * `namesByVerb`: the names of the changes, if the caller has them already.
 */
export function doneNumbersByVerb(
  plan: Plan,
  outcome: Outcome,
  namesByVerb = doneNamesByVerb(plan, outcome),
): Map<string, number> {
  const done = new Set(outcome.done);
  const deletedCount = countPlannedDeletions(plan.changes.filter(({ address }) => done.has(address))).objects;
  return new Map(
    orderedPastVerbs
      .filter((verb) => namesByVerb.has(verb))
      .map((verb) => [verb, verb === pastVerbs.delete ? deletedCount : namesByVerb.get(verb)!.length]),
  );
}

/**
 * Counts what the applies of several stacks have done, for the head of their comment: `40 created, 3 updated, 2 failed, 1 not tried`. Empty
 * if nothing was applied.
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
