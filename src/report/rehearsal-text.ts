import { textWithoutNames } from '../model/fold-diagnostics.ts';
import { listFew } from '../model/fold-wordings.ts';
import { byText, groupBy } from '../model/graph.ts';
import { pluralOfKind } from '../model/plural-of-kind.ts';
import type { NotModelled, Rehearsal } from '../model/rehearsal.ts';
import { perWindow, roughly, waitOf } from './forecast.ts';
import { cleanLine, count, joinAsSentence } from './text.ts';
import { visitorsTexts } from './visitors-text.ts';

/**
 * Formats the verdict of a rehearsal (the plan was applied to a twin, a local imitation of the platform) in one sentence, for the line of
 * a comment and the first line of the text.
 */
export const rehearsalVerdictText = (rehearsal: Rehearsal): string =>
  `Rehearsal on a twin: ${rehearsal.verdict === 'fails' ? failureText(rehearsal) : verdictTexts[rehearsal.verdict]}.`;

const verdictTexts = {
  green: 'the plan would be applied completely',
  unknown: 'nothing failed, but a part of the plan could not be rehearsed',
};

/**
 * Returns the most important failure of a rehearsal (the trial of a plan on a twin, a local imitation of the platform) as the end of a
 * sentence, because the verdict has one line.
 */
function failureText({ refused, remaining, secondPlanErrors, undeclared, crashes }: Rehearsal): string {
  if (refused.length > 0 || (remaining?.length ?? 0) > 0 || secondPlanErrors.length > 0)
    return 'the plan would fail';
  if (undeclared.some(({ isConsequence }) => !isConsequence))
    return 'an apply would change more than the plan says';
  if (crashes && crashes.failures.length > 0) return 'after a crash, the next apply would need a person';
  return 'visitors would meet something on the way that neither the old nor the new configuration says';
}

/** The most errors, crashes or objects that get a line each. */
const maxListedReasons = 3;

/**
 * Returns the sentences about a rehearsal (the plan was applied to a twin, a local imitation of the platform) below its verdict: accepted
 * and refused changes, whether a second plan is empty, as it should be after an apply, whether anything else changed, and the objects
 * that the twin does not model. Each sentence is one line of the text, and one item of the details in a comment.
 */
export function rehearsalTexts(rehearsal: Rehearsal): string[] {
  const { changes, refused, skipped, remaining, undeclared, placeholders, requests } = rehearsal;
  const total = changes.rehearsed + changes.unknown + refused.length + skipped.length;
  return [
    `Accepted: ${changes.rehearsed} of ${count(total, 'change')}, with ${count(requests, 'request')} to the twin.`,
    ...durationTexts(rehearsal.duration),
    ...foldByReason(refused, reasonOfRefusal).map(([first, names]) => refusedText(first, names)),
    ...(skipped.length > 0 ? [`Not tried after that: ${listCleanNames(skipped)}.`] : []),
    ...secondPlanTexts(rehearsal),
    ...(remaining === undefined ? [] : undeclaredTexts(undeclared)),
    ...crashTexts(rehearsal.crashes),
    ...visitorsTexts(rehearsal.visitors),
    ...(placeholders.length > 0
      ? [
          `Sent with a placeholder, because the secret is not available here: ${listCleanNames(placeholders)}.`,
        ]
      : []),
    ...notModelledTexts(rehearsal.notModelled),
    ...basisTexts(rehearsal.kinds),
  ];
}

/**
 * Returns the sentence of a rehearsal (the trial of a plan) about the duration of an apply and the documented rate limit that decides
 * about it, so that an approver knows both before a plan with thousands of requests starts. As a list; empty if the duration is unknown.
 */
function durationTexts(duration: Rehearsal['duration']): string[] {
  if (!duration) return [];
  const { seconds, limits } = duration;
  const [mostUsed] = limits;
  const time = `An apply takes about ${roughly(seconds)}`;
  if (!mostUsed) return [`${time}; no documented rate limit counts its requests.`];
  // The most used limit need not be the slowest: a limit per hour lets the last request through later than one per minute.
  const slowest = limits.reduce(
    (longest, limit) => (waitOf(limit) > waitOf(longest) ? limit : longest),
    mostUsed,
  );
  const { what, requests, allowed, window } = slowest;
  return [
    waitOf(slowest) > 0
      ? `${time}, because of ${requests} ${what}: ${allowed} ${perWindow(window)} are allowed.`
      : `${time}, within all documented rate limits: at most ${requests} of ${allowed} ${what} ${perWindow(window)}.`,
  ];
}

/** Formats a refusal with its rule and the basis of the rule, so that a reader can judge how far to trust it. */
const refusedText = ({ message, rule, basis }: RehearsalRefusal, names: string): string =>
  `Refused: ${names}: ${cleanLine(message)} (${rule === undefined ? '' : `${rule}, `}${basis})`;

type RehearsalRefusal = Rehearsal['refused'][number];

/**
 * Returns a text that is equal for refusals with one cause: the rule and the answer, without the request's path and the name of the object.
 */
const reasonOfRefusal = ({ kind, address, message, rule, basis }: RehearsalRefusal): string =>
  [kind, rule, basis, textWithoutNames({ message: message.replace(/^[A-Z]+ \S+ /, ''), address })].join(' ');

/**
 * Groups the objects in the report of a rehearsal by the reason why they are listed. Returns for each reason the first object that has
 * it, and the names of the first three with the number of the others. So one cause is one line, also if it concerns hundreds of objects.
 */
const foldByReason = <T extends { address: string }>(
  objects: readonly T[],
  reasonOf: (object: T) => string,
): [T, string][] =>
  [...groupBy(objects, reasonOf).values()].map((group) => [
    group[0]!,
    listCleanNames(group.map(({ address }) => address)),
  ]);

/**
 * Returns the sentences of a rehearsal (the trial of a plan on a twin) about the second plan (made after the trial; it should be
 * empty): why it is refused, or what it still changes. None if there was no second plan.
 */
function secondPlanTexts({ remaining, secondPlanErrors }: Rehearsal): string[] {
  if (remaining === undefined) return [];
  if (secondPlanErrors.length > 0)
    return [
      ...secondPlanErrors
        .slice(0, maxListedReasons)
        .map((error) => `A second plan is refused: ${errorText(error)}.`),
      ...(secondPlanErrors.length > maxListedReasons
        ? [`It is refused for ${count(secondPlanErrors.length - maxListedReasons, 'further reason')}.`]
        : []),
    ];
  return [
    remaining.length === 0
      ? 'A second plan is empty.'
      : `A second plan still changes ${listCleanNames(remaining)}.`,
  ];
}

/** Formats an error of a plan with its object, which most messages name already. */
const errorText = ({ address, message }: Rehearsal['secondPlanErrors'][number]): string =>
  cleanLine(address === undefined || message.includes(address) ? message : `${address}: ${message}`);

/**
 * Returns the sentence about the sources of the rules by which the twin (the copy of the platform for rehearsals) treats the changed kinds:
 * documented, measured or only inferred. The weakest source decides, because the verdict of the rehearsal is only as reliable. As a list;
 * empty without kinds.
 */
function basisTexts(kinds: Rehearsal['kinds']): string[] {
  if (kinds.length === 0) return [];
  const inferred = kinds.flatMap(({ kind, basis }) => (basis === 'inferred' ? [kind] : []));
  if (inferred.length > 0) return [`The twin's rules are only inferred for ${listCleanNames(inferred)}.`];
  const areDocumented = kinds.every(({ basis }) => basis === 'documented');
  return [
    `The twin's rules for the changed kinds are ${areDocumented ? 'documented' : 'documented or measured'}.`,
  ];
}

/**
 * Returns the sentences of a rehearsal (the trial of a plan on a twin) about its crashes: it killed the run after some of its steps, and
 * checked if the next run finishes the plan.
 */
function crashTexts(crashes: Rehearsal['crashes']): string[] {
  if (!crashes || crashes.tried === 0) return [];
  const { tried, total, failures } = crashes;
  const tries = `Killed after ${tried} of ${count(total, 'step')}`;
  if (failures.length === 0) return [`${tries}: the next run always finishes the plan, without duplicates.`];
  return [
    `${tries}: ${count(failures.length, 'time')} the next run does not reach the same account.`,
    ...failures
      .slice(0, maxListedReasons)
      .map(({ step, reason }) => `  after ${cleanLine(step)}: ${cleanLine(reason)}`),
  ];
}

/**
 * Returns the sentences of a rehearsal (the trial of a plan on a twin, a local imitation of the platform) about changes in the twin that
 * the plan does not contain, so that a reviewer sees what the platform does beside the plan. A consequence is a change that the platform
 * itself makes to an object of the plan.
 */
function undeclaredTexts(undeclared: Rehearsal['undeclared']): string[] {
  const namesOf = ({ isConsequence }: { isConsequence: boolean }) => [
    ...new Set(
      undeclared.filter((change) => change.isConsequence === isConsequence).map(({ address }) => address),
    ),
  ];
  const [foreign, consequences] = [namesOf({ isConsequence: false }), namesOf({ isConsequence: true })];
  return [
    foreign.length === 0
      ? 'Nothing outside the plan changed in the twin.'
      : `Changed without being in the plan: ${listCleanNames(foreign)}.`,
    ...(consequences.length > 0
      ? [`The platform also changes other fields of ${listCleanNames(consequences)}.`]
      : []),
  ];
}

/**
 * Returns the sentences of a rehearsal about objects that the twin (the local imitation of the platform) does not model, counted by kind:
 * first those that the plan concerns, with the first few reasons and the objects of each. Reasons are equal if only the names of the
 * objects in them differ.
 */
function notModelledTexts(notModelled: readonly NotModelled[]): string[] {
  const concerned = notModelled.filter(({ isConcerned }) => isConcerned);
  const unconcerned = notModelled.filter(({ isConcerned }) => !isConcerned);
  return [
    ...(concerned.length > 0 ? [`Not modelled, and so not rehearsed: ${kindCounts(concerned)}.`] : []),
    ...foldByReason(concerned, ({ address, reason: message }) => textWithoutNames({ message, address }))
      .slice(0, maxListedReasons)
      .map(([{ reason }, names]) => `  ${names}: ${cleanLine(reason)}`),
    ...(unconcerned.length > 0
      ? [`Not modelled, but not concerned by the plan: ${kindCounts(unconcerned)}.`]
      : []),
  ];
}

/** Counts objects by kind for a sentence of a rehearsal: `2 kinds: 3 webhooks and 1 drain`. */
function kindCounts(objects: readonly { kind: string }[]): string {
  const counts = [...groupBy(objects, ({ kind }) => kind)]
    .sort(([a], [b]) => byText(a, b))
    .map(([kind, ofKind]) => (ofKind.length === 1 ? `1 ${kind}` : `${ofKind.length} ${pluralOfKind(kind)}`));
  return `${count(counts.length, 'kind')}: ${joinAsSentence(counts)}`;
}

/** Lists the first three of several names, and counts the others. */
const listCleanNames = (names: readonly string[]): string => listFew(names.map(cleanLine));
