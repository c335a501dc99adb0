import type { Address } from '../model/address.ts';
import type { Pace } from '../model/budget.ts';
import type { Change, FieldChange } from '../model/change.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { compileGlob, createAddressMatcher } from '../model/glob.ts';
import { countLogicalChanges, groupLogicalChanges } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import { namesInPath } from '../model/value.ts';
import { forecast } from '../report/forecast.ts';
import { count, durationText } from '../report/text.ts';
import { type GuardSubject, listSubjects, withFindings } from './guard-subjects.ts';
import { asList, type Guards } from './guards.ts';

/*
 * Decides which guards refuse a plan. A guard is a rule of the operator in the guards file: something that is denied, a limit, or a freeze
 * (a time without applies). Guards are compared with subjects; see `guard-subjects.ts`.
 */

/** The circumstances under which a plan is judged. */
interface GuardContext {
  /** The current time in milliseconds since 1970. */
  now: number;
  pace: Pace | undefined;
  /** True if the plan is about to be applied. During a freeze, planning only gives a warning. */
  writes: boolean;
  /** Returns the address of an object before the renames of the plan. Default: its current address. */
  formerOf?: ((address: Address) => Address) | undefined;
}

/**
 * Returns a problem for each guard (rule of the operator) that refuses the plan; for a freeze only a warning,
 * unless the plan is about to be applied. A plan without any effect is never refused. Called for every plan,
 * and again before it is applied, because guards and the time may have changed. Guards are compared with
 * subjects: the changes of the plan, and effects without a change of their own, such as the deletion of an
 * object together with its project.
 */
export function evaluateGuards(plan: Plan, guards: Guards, context: GuardContext): Diagnostic[] {
  const subjects = listSubjects(plan, context.formerOf);
  if (subjects.length === 0 && plan.operations.length === 0) return [];
  const withCodes = guards.deny.some(({ finding }) => finding) ? withFindings(subjects, plan) : subjects;
  return [
    ...guards.deny.flatMap((rule) => checkDenyRule(rule.finding ? withCodes : subjects, rule, plan)),
    ...checkLimits(plan, subjects, guards, context),
    ...guards.freeze.flatMap((rule) => checkFreezeRule(subjects, rule, plan, context)),
  ];
}

/**
 * Returns a problem if a rule under `deny` of the guards file refuses something of the plan: a change, an action,
 * or an implied deletion (`subjects`).
 */
function checkDenyRule(subjects: GuardSubject[], guard: Guards['deny'][number], plan: Plan): Diagnostic[] {
  if (!appliesToStack(guard.stack, plan)) return [];
  const refused = subjects.filter(createDenyTest(guard));
  if (refused.length === 0) return [];
  return [
    toRefusalDiagnostic(problem, 'guards/denied', refused, guard, (names, shown) =>
      guard.finding
        ? `the guards refuse the finding ${describeFindings(shown, guard)} of ${names}`
        : `the guards refuse to ${describeDeed(shown, names)}`,
    ),
  ];
}

/**
 * Returns a test whether a rule under `deny` of the guards file refuses a change, an action, or an implied deletion
 * (`subject`): whether it meets all conditions of the rule. A condition that the rule does not have is always met.
 */
function createDenyTest(guard: Guards['deny'][number]): (subject: GuardSubject) => boolean {
  const kinds = asList(guard.kind);
  const actions = asList(guard.action);
  const grades = asList(guard.grade);
  const causes = asList(guard.cause);
  const matchesAddress = createAddressTest(guard.at);
  const matchesField = createFieldTest(asList(guard.field));
  const matchesRun = createNameTest(asList(guard.run));
  const matchesFinding = createNameTest(asList(guard.finding));
  // One field has to meet both conditions on fields.
  const meetsFieldConditions = ({ path, cause }: FieldChange) =>
    matchesField(path) && (!causes || causes.includes(cause));
  return (subject) =>
    matchesAddress(subject) &&
    (!guard.run || (subject.run !== undefined && matchesRun(subject.run))) &&
    (!kinds || kinds.includes(subject.kind)) &&
    (!actions || actions.some((name) => hasAction(subject, name))) &&
    (!guard.finding || (subject.findings ?? []).some(matchesFinding)) &&
    (!grades || grades.includes(subject.grade)) &&
    (!(guard.field || causes) || subject.fields.some(meetsFieldConditions));
}

/**
 * True if an action of a guard is that of a change. A replacement is also a deletion, and `takeover` is any change of an object that
 * another stack owned until now.
 */
const hasAction = ({ action, takenFrom }: GuardSubject, name: string): boolean =>
  name === action ||
  (name === 'delete' && action === 'replace') ||
  (name === 'takeover' && takenFrom !== undefined);

/**
 * Returns a problem for each number of the plan that exceeds its limit under `limits` of the guards file:
 * deletions, requests, changes that cost money, and the duration by the forecast. `subjects`: the changes of the
 * plan, and its effects without a change of their own. `pace`: the rate limits for the forecast.
 */
function checkLimits(
  plan: Plan,
  subjects: GuardSubject[],
  { limits }: Guards,
  { pace }: GuardContext,
): Diagnostic[] {
  const numbers = measurePlan(plan, subjects, pace);
  return limitNames.flatMap((name) => {
    const limit = limits[name];
    const number = numbers[name];
    if (!limit || number <= limit.most) return [];
    const most = name === 'duration' ? durationText(limit.most * 1000) : limit.most;
    return problem(
      'guards/limit',
      `this plan ${limitedNumberTexts[name](number)}; the guards allow ${most}`,
      {
        hint: 'split it (--target), or ask the owner of the guards',
        related: [{ message: 'the limit', at: limit.place }],
      },
    );
  });
}

/** The names of the limits that guards can set, in the order of their problems. */
const limitNames = ['deletions', 'requests', 'cost', 'duration'] as const;
type LimitName = (typeof limitNames)[number];

/** The words for a number of a plan that exceeds its limit. */
const limitedNumberTexts: Record<LimitName, (number: number) => string> = {
  deletions: (number) => `deletes ${count(number, 'object')}`,
  requests: (number) => `sends ${count(number, 'request')}`,
  cost: (number) => `has ${count(number, 'change')} that cost money`,
  duration: (number) => `takes about ${durationText(number * 1000)}`,
};

/** Returns the numbers of a plan that guards can limit. The duration is in seconds. */
function measurePlan(
  plan: Plan,
  subjects: GuardSubject[],
  pace: Pace | undefined,
): Record<LimitName, number> {
  const { requests, seconds } = forecast(plan, pace);
  const costly = plan.changes.filter(({ permissions }) => permissions?.includes('cost'));
  // An object that moves to another container counts as deleted from the old one. The subjects have it among their deletions,
  // `deletedObjects` lacks it.
  const movedCount = subjects.filter(({ movesTo }) => movesTo !== undefined).length;
  const deletions = plan.deletedObjects
    ? plan.deletedObjects.length + movedCount
    : subjects.filter(({ action }) => action === 'delete').length;
  return { deletions, requests, cost: countLogicalChanges(costly), duration: seconds };
}

/**
 * Returns a problem if a rule under `freeze` of the guards file forbids a change, an action or an implied deletion
 * (`subjects`) at this time. If the plan is not about to be applied, it is only a warning.
 */
function checkFreezeRule(
  subjects: GuardSubject[],
  guard: Guards['freeze'][number],
  plan: Plan,
  { now, writes }: GuardContext,
): Diagnostic[] {
  const isNow = Date.parse(guard.from) <= now && now < Date.parse(guard.until);
  if (!isNow || !appliesToStack(guard.stack, plan)) return [];
  const frozen = subjects.filter(createAddressTest(guard.at));
  if (frozen.length === 0) return [];
  const create = writes ? problem : warning;
  return [
    toRefusalDiagnostic(
      create,
      'guards/freeze',
      frozen,
      guard,
      (names) => `${names} is frozen until ${guard.until}`,
    ),
  ];
}

/** The number of addresses that a message names. */
const mostGuardNames = 3;

/**
 * Creates one diagnostic for everything in a plan (`subjects`: changes, actions and implied deletions) that one
 * rule of the guards file refuses, with the rule's own message and its position in the file. `create`: `problem` or
 * `warning`. `format`: returns the beginning of the message from the names of the objects.
 */
function toRefusalDiagnostic(
  create: typeof problem,
  code: string,
  subjects: GuardSubject[],
  { message, place }: Guards['deny'][number] | Guards['freeze'][number],
  format: (names: string, subjects: GuardSubject[]) => string,
): Diagnostic {
  // An object that moves has two subjects. Its new address is enough.
  const shownSubjects = subjects.filter(
    ({ movesTo }) => !subjects.some(({ address }) => address === movesTo),
  );
  // A variable that changes in several targets is one logical change, with one name. Members of changes that subjects lack count as absent.
  const groups = groupLogicalChanges(shownSubjects as (GuardSubject & Change)[]);
  const logicalChanges = groups.map(([subject]) => subject!);
  const [first] = logicalChanges as [GuardSubject, ...GuardSubject[]];
  const names = listFirst(
    logicalChanges.map(({ address, former }) =>
      former === undefined ? address : `${address} (until now ${former})`,
    ),
    mostGuardNames,
  );
  return create(code, `${format(names, shownSubjects)}: ${message}`, {
    address: logicalChanges.length === 1 ? first.address : undefined,
    at: first.at,
    related: [{ message: 'the guard', at: place }],
  });
}

/**
 * Returns the words for what a guard refuses, for its message: `delete projects/web`, or `run promote on
 * projects/web` for an action. If the subjects (the refused changes and runs, which count as updates) have different
 * actions, the verb is `change`. `names`: their addresses as text.
 */
function describeDeed(subjects: GuardSubject[], names: string): string {
  const run = sharedValueOf(subjects.map((subject) => subject.run));
  // An action on the whole account has its own name as its target.
  if (run !== undefined) return run === names ? `run ${run}` : `run ${run} on ${names}`;
  if (subjects.every(({ movesTo }) => movesTo !== undefined)) return `move ${names} to another container`;
  if (subjects.every(({ takenFrom }) => takenFrom !== undefined)) return `take over ${names}`;
  const action = sharedValueOf(subjects.map((subject) => subject.action)) ?? 'change';
  return `${action} ${names}`;
}

/** Returns the value if all values are equal, otherwise undefined. */
const sharedValueOf = <T>(values: readonly T[]): T | undefined =>
  new Set(values).size === 1 ? values[0] : undefined;

/** Returns the codes of the findings that a guard refuses, for its message. `subjects`: what causes them. */
const describeFindings = (subjects: GuardSubject[], { finding }: Guards['deny'][number]): string => {
  const codes = subjects.flatMap(({ findings = [] }) => findings).filter(createNameTest(asList(finding)));
  return [...new Set(codes)].sort().join(', ');
};

/** True if a rule applies to the stack of the plan. A rule without `stack` applies to all stacks. */
function appliesToStack(stack: string | string[] | undefined, plan: Plan): boolean {
  return createNameTest(asList(stack))(plan.stack);
}

/**
 * Returns a test for the condition `at` of a guard. It tests an object's current address, its former one, and its addresses under its other
 * names, so that neither a rename nor another name evades a guard. Without globs, every object passes.
 */
function createAddressTest(
  at: string | string[] | undefined,
): (subject: Pick<GuardSubject, 'address' | 'former' | 'otherAddresses'>) => boolean {
  const globs = asList(at);
  if (!globs) return () => true;
  const matches = createAddressMatcher(globs);
  return ({ address, former, otherAddresses = [] }) =>
    matches(address) || (former !== undefined && matches(former)) || otherAddresses.some(matches);
}

/**
 * Returns a test of names for a condition of a guard: true if a glob matches, or if the rule has no such condition
 * (undefined).
 */
function createNameTest(globs: string[] | undefined): (name: string) => boolean {
  const compiled = globs?.map((glob) => compileGlob(glob, { hasParts: false }));
  return (name) => !compiled || compiled.some(({ matches }) => matches(name));
}

/**
 * Returns a test of dotted paths of fields for the condition `field` of a guard. A glob that matches a field
 * also matches all fields inside it. A dot in the name of a member is escaped in a path but need not be in a
 * glob. Without globs, every path passes.
 */
function createFieldTest(globs: string[] | undefined): (path: string) => boolean {
  const matches = createNameTest(globs);
  return (path) => {
    const names = namesInPath(path);
    return matches(path) || names.some((_, index) => matches(names.slice(0, index + 1).join('.')));
  };
}
