import { type Address, indexByAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import type { Outcome } from '../model/event.ts';
import { addressWithoutTarget, countLogicalChanges } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import { isOpenAction, type PlannedAction } from '../model/planned-action.ts';
import type {
  CrashPoints,
  NotModelled,
  RefusedChange,
  Rehearsal,
  RehearsalVerdict,
  SecondPlanError,
} from '../model/rehearsal.ts';
import type { WayReport } from '../model/way.ts';
import type { Planned } from '../run/open-plan.ts';
import type { Verified } from '../run/verify.ts';
import type { RuleKnowledge } from './rule-knowledge.ts';
import { findUnreadId } from './unknown-names.ts';

/** Everything that a rehearsal has found out. */
export interface RehearsalFacts {
  /** The plan of the account. */
  planned: Planned;
  /** The plan that was applied to the twin: without the changes that concern something unmodelled. */
  rehearsed: Planned;
  outcome: Outcome;
  /** The second plan on the twin; absent if the apply did not do everything. */
  verified?: Verified | undefined;
  notModelled: readonly NotModelled[];
  crashes: CrashPoints | undefined;
  placeholders: string[];
  /** What visitors meet during the apply; absent if it did not do everything, or if it changes nothing that visitors meet. */
  visitors?: WayReport | undefined;
  requests: number;
  duration: Rehearsal['duration'];
  /** All texts of the twin's account before the apply. */
  knownTexts: ReadonlySet<string>;
  /** The twin's rules, with the evidence for each of them. */
  rules: RuleKnowledge;
  /** Hides secrets in texts of the twin. */
  mask(text: string): string;
}

/**
 * Returns the result of a rehearsal, which `plan --rehearse` prints: its verdict, and the findings behind it. A finding that contradicts the plan makes
 * the verdict `fails`. Otherwise a part that could not be checked makes it `unknown`.
 */
export function toRehearsal(facts: RehearsalFacts): Rehearsal {
  const { planned, rehearsed, outcome, verified, crashes, visitors, placeholders, rules, mask } = facts;
  const changeAt = indexByAddress(rehearsed.plan.changes);
  const countAt = (addresses: readonly string[]) =>
    countLogicalChanges(addresses.flatMap((address) => changeAt.get(address) ?? []).filter(isAppliedChange));
  const unread = findUnreadFailures(facts);
  const refused = outcome.failed
    .filter(({ address }) => !unread.has(address))
    .map((failure) => toRefusedChange(failure, changeAt.get(failure.address)?.kind ?? '', facts));
  const rehearsedCount = hasErrors(rehearsed.plan.diagnostics) ? 0 : countWanted(rehearsed);
  const unknownCount = countWanted(planned) - rehearsedCount + countAt([...unread.keys()]);
  const secondPlan = verified?.planned.plan;
  const remaining = secondPlan && listRemaining(secondPlan);
  const secondPlanErrors = listErrors(secondPlan?.diagnostics ?? [], mask);
  const undeclared = (verified?.sideEffects ?? []).map(({ address, kind, type }) => ({
    address,
    kind,
    type,
    isConsequence: isAppliedChange(changeAt.get(address)),
  }));
  const actions = (planned.plan.actions ?? []).filter(isOpenAction).map(notRehearsed);
  const notModelled = [...facts.notModelled, ...unread.values(), ...actions].map((object) => ({
    ...object,
    reason: mask(object.reason),
  }));
  const changedKinds = [
    ...new Set(planned.plan.changes.filter(isAppliedChange).map(({ kind }) => kind)),
  ].sort();
  const hasUnplannedEffect = undeclared.some(({ isConsequence }) => !isConsequence);
  // Visitors met an answer on the way that they meet neither before the apply nor after it.
  const hasOtherAnswer = (visitors?.thirds.length ?? 0) > 0;
  const isNotDone = refused.length > 0 || (remaining?.length ?? 0) > 0 || secondPlanErrors.length > 0;
  const isNotRecovered = (crashes?.failures.length ?? 0) > 0;
  const isFailed = isNotDone || hasUnplannedEffect || isNotRecovered || hasOtherAnswer;
  const areVisitorsUndecided = visitors !== undefined && hasUndecided(visitors);
  const isPartNotModelled = notModelled.some(({ isConcerned }) => isConcerned);
  const isUnknown = unknownCount > 0 || secondPlan === undefined || areVisitorsUndecided || isPartNotModelled;
  const verdictUnlessFailed = isUnknown ? 'unknown' : 'green';
  const verdict: RehearsalVerdict = isFailed ? 'fails' : verdictUnlessFailed;
  const skipped = [...outcome.skipped, ...outcome.postponed].map(({ address }) =>
    addressWithoutTarget(address),
  );
  return {
    verdict,
    changes: { rehearsed: countAt(outcome.done), unknown: Math.max(0, unknownCount) },
    kinds: changedKinds.map((kind) => ({ kind, basis: rules.rulesOf(kind).basis })),
    refused,
    skipped: [...new Set(skipped)],
    remaining,
    secondPlanErrors,
    undeclared,
    notModelled,
    crashes,
    placeholders,
    visitors,
    requests: facts.requests,
    duration: facts.duration,
  };
}

/**
 * Returns a change that the twin (the simulated account of a rehearsal) refused, for the report: with the rule of the twin that refused it,
 * and the source that says the platform has this rule.
 */
function toRefusedChange(
  { address, error }: Outcome['failed'][number],
  kind: string,
  { rules, mask }: RehearsalFacts,
): RefusedChange {
  const { message, status, code, rule } = error as Error & {
    status?: number;
    code?: string;
    rule?: string;
  };
  const { basis, source, rule: id } = rules.sourceOf(rule);
  return { address, kind, message: mask(message), status, code, rule: id, source, basis };
}

/**
 * Returns the addresses at which the plan after a rehearsed apply would still do something, in the account or in the ledger; none for an
 * empty plan. After an apply, nothing should remain.
 */
const listRemaining = ({ changes, operations }: Plan): Address[] => [
  ...new Set([
    ...changes.flatMap(({ action, address }) => (action === 'noop' ? [] : [address])),
    ...operations.flatMap((operation) => operation.changes),
  ]),
];

/**
 * Returns the errors of the plan that a rehearsal (`plan --rehearse`) makes after the apply to its simulated account, for the report. Equal problems that
 * were folded into one are listed one by one. `mask`: hides secrets.
 */
const listErrors = (diagnostics: readonly Diagnostic[], mask: (text: string) => string): SecondPlanError[] =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .flatMap((diagnostic) => diagnostic.folded ?? [diagnostic])
    .map(({ address, message }) => ({ address, message: mask(message) }));

/**
 * Returns an action that follows the changes as a part of the plan that is not rehearsed: the twin (the simulated account) does not do the
 * work that actions start.
 */
const notRehearsed = ({ action, about }: PlannedAction): NotModelled => ({
  kind: 'action',
  address: about ?? action,
  reason: `the action \`${action}\` is not rehearsed`,
  isConcerned: true,
});

/** True if it is not decided for some request whether it meets a third verdict. */
const hasUndecided = ({ undecided, mixed, unread }: WayReport): boolean =>
  undecided.length + mixed.length + unread.length > 0;

/**
 * Returns the failed changes of a rehearsal that name an object which the plan did not read. The twin (the simulated account) cannot have
 * such an object, so its refusal says nothing about the account. The report lists these changes as not modelled.
 */
function findUnreadFailures({ outcome, rehearsed, knownTexts }: RehearsalFacts): Map<Address, NotModelled> {
  const failures = outcome.failed.flatMap(({ address, error }): [Address, NotModelled][] => {
    const operations = rehearsed.plan.operations.filter(({ changes }) => changes.includes(address));
    const id = findUnreadId(
      operations.flatMap(({ requests }) => requests),
      knownTexts,
    );
    if (id === undefined) return [];
    const { kind } = operations[0]!;
    const reason = `it names ${id}, which the plan did not read; the twin answered: ${(error as Error).message}`;
    return [[address, { kind, address, reason, isConcerned: true }]];
  });
  return new Map(failures);
}

/** True for a change that a plan counts. False if the object stays as it is, also if its ledger entry is updated. */
const isAppliedChange = (change: Change | undefined): boolean =>
  change !== undefined && change.action !== 'noop' && !change.changesLedgerOnly;

/** Returns the number of changes that a plan makes, as people count them. */
const countWanted = ({ plan }: Planned): number => countLogicalChanges(plan.changes.filter(isAppliedChange));
