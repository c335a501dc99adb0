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
 * Returns the result of a rehearsal, which `plan --rehearse` prints: its verdict, and the findings behind it. A finding that contradicts
 * the plan makes the verdict `fails`. Otherwise a part that could not be checked makes it `unknown`.
 */
export function toRehearsal(facts: RehearsalFacts): Rehearsal {
  const { planned, rehearsed, outcome, verified, rules, mask } = facts;
  const changeAt = indexByAddress(rehearsed.plan.changes);
  const countAt = (addresses: readonly string[]) =>
    countLogicalChanges(addresses.flatMap((address) => changeAt.get(address) ?? []).filter(isAppliedChange));
  const unread = findUnreadFailures(facts);
  const rehearsedCount = hasErrors(rehearsed.plan.diagnostics) ? 0 : countWanted(rehearsed);
  const unknownCount = countWanted(planned) - rehearsedCount + countAt([...unread.keys()]);
  const secondPlan = verified?.planned.plan;
  const changedKinds = new Set(planned.plan.changes.filter(isAppliedChange).map(({ kind }) => kind));
  const actions = (planned.plan.actions ?? []).filter(isOpenAction).map(notRehearsed);
  const findings: RehearsalFindings = {
    changes: { rehearsed: countAt(outcome.done), unknown: Math.max(0, unknownCount) },
    kinds: [...changedKinds].sort().map((kind) => ({ kind, basis: rules.rulesOf(kind).basis })),
    refused: outcome.failed
      .filter(({ address }) => !unread.has(address))
      .map((failure) => toRefusedChange(failure, changeAt.get(failure.address)?.kind ?? '', facts)),
    skipped: [
      ...new Set(
        [...outcome.skipped, ...outcome.postponed].map(({ address }) => addressWithoutTarget(address)),
      ),
    ],
    remaining: secondPlan && listRemaining(secondPlan),
    secondPlanErrors: listErrors(secondPlan?.diagnostics ?? [], mask),
    undeclared: (verified?.sideEffects ?? []).map(({ address, kind, type }) => ({
      address,
      kind,
      type,
      isConsequence: isAppliedChange(changeAt.get(address)),
    })),
    notModelled: [...facts.notModelled, ...unread.values(), ...actions].map((object) => ({
      ...object,
      reason: mask(object.reason),
    })),
    crashes: facts.crashes,
    placeholders: facts.placeholders,
    visitors: facts.visitors,
    requests: facts.requests,
    duration: facts.duration,
  };
  return { verdict: decideVerdict(findings), ...findings };
}

/** The result of a rehearsal without the verdict that follows from it. */
type RehearsalFindings = Omit<Rehearsal, 'verdict'>;

/**
 * Decides the verdict of a rehearsal: `fails` if a finding contradicts the plan, otherwise `unknown` if a part of the plan could not be
 * checked.
 */
function decideVerdict(findings: RehearsalFindings): RehearsalVerdict {
  if (contradictsPlan(findings)) return 'fails';
  return isCompletelyChecked(findings) ? 'green' : 'unknown';
}

/** True if the rehearsed apply did not do what the plan says, or did more, or if a run after a crash did not. */
function contradictsPlan({
  refused,
  remaining = [],
  secondPlanErrors,
  undeclared,
  crashes,
  visitors,
}: RehearsalFindings): boolean {
  const isNotDone = refused.length > 0 || remaining.length > 0 || secondPlanErrors.length > 0;
  const hasUnplannedEffect = undeclared.some(({ isConsequence }) => !isConsequence);
  const isNotRecovered = crashes !== undefined && crashes.failures.length > 0;
  // Visitors met an answer on the way that they meet neither before the apply nor after it.
  const hasOtherAnswer = visitors !== undefined && visitors.thirds.length > 0;
  return isNotDone || hasUnplannedEffect || isNotRecovered || hasOtherAnswer;
}

/** True if a rehearsal could check every change of the plan, with a second plan after the apply, and what visitors meet meanwhile. */
function isCompletelyChecked({ changes, remaining, visitors, notModelled }: RehearsalFindings): boolean {
  const wasPlannedAgain = remaining !== undefined;
  const areVisitorsUndecided = visitors !== undefined && hasUndecided(visitors);
  const isPartNotModelled = notModelled.some(({ isConcerned }) => isConcerned);
  return changes.unknown === 0 && wasPlannedAgain && !areVisitorsUndecided && !isPartNotModelled;
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
 * Returns the errors of the plan that a rehearsal (`plan --rehearse`) makes after the apply to its simulated account, for the report. Equal
 * problems that were folded into one are listed one by one. `mask`: hides secrets.
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
 * Returns the failed changes of a rehearsal that name an object which the plan did not read: by an id like `prj_1a2b` that the account of
 * the twin lacks (`knownTexts`: all its texts). The twin (the simulated account) cannot have such an object, so its refusal says nothing
 * about the account. The report lists these changes as not modelled.
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
