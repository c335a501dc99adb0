/*
 * Runs the checks of a provider, and turns what they find into problems that commands print.
 *
 *   | command    | views                          | result                                                             |
 *   | ---------- | ------------------------------ | ------------------------------------------------------------------ |
 *   | `validate` | one, of the configurations     | all findings                                                       |
 *   | `plan`     | two, of the account before and | each finding with its state: new, unchanged or fixed. An unchanged |
 *   |            | after the changes              | error becomes a warning, because it must not stop other changes.   |
 */
import type { Check, Finding, Meaning, PlanViews, View, ViewedChange } from '../kind/meaning.ts';
import type { Scope } from '../kind/provider.ts';
import { type Address, isWithinAny } from '../model/address.ts';
import { asksForWrite, type Change } from '../model/change.ts';
import { asWarning, type Diagnostic, type FindingState } from '../model/diagnostic.ts';
import { canonicalJson } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import { onlyUndoesDrift } from '../model/plan.ts';
import type { Desired } from '../model/resource.ts';
import { dropUndefined } from '../model/walk.ts';
import { findPosition } from './find-position.ts';
import { applyFindingRules, checkRuleCodes, type JudgedFindings } from './finding-rules.ts';
import { type FoundSecrets, findSecrets } from './found-secrets.ts';
import { viewOfConfigurations } from './view.ts';

/**
 * A configuration without errors in one of its stages. `platform`: the account that it is for; undefined if the configuration does not name
 * one.
 */
export interface CheckedConfiguration {
  desired: Desired;
  stage?: string | undefined;
  platform?: Scope | undefined;
}

/**
 * Returns the findings in configurations as diagnostics with positions in their files, and the values that findings call secret. Used by
 * `validate`, which reads no account, and by `diff` for these secrets. The configurations of one account and stage become one view, because
 * they refer to each other's objects. `isPart`: the account has more configurations than these, so an object that the view lacks may be
 * declared by another one.
 */
export async function findInConfigurations(
  meaning: Meaning,
  configurations: readonly CheckedConfiguration[],
  { isPart = false } = {},
): Promise<JudgedFindings & FoundSecrets> {
  const stages = viewStages(configurations);
  const checks = await loadChecks(
    meaning,
    stages.map(({ view }) => view),
  );
  const checkedViews = stages.map((stage) => {
    // The views of other stages of the account are compared with, but judged on their own.
    const otherStages = stages.filter((other) => other !== stage && other.account === stage.account);
    const besides = isPart ? 'unread' : otherStages.map(({ view }) => view);
    const findings = findAll(checks, { ...stage.view, besides });
    return { view: stage.view, findings, configurations: stage.configurations };
  });
  const { secrets, hideLines } = findSecrets(checkedViews);
  const judged = checkedViews.flatMap(({ findings, configurations: desired }) => {
    const diagnostics = findings.map((finding) => hideLines(toDiagnostic(finding, desired)));
    return judgeByOwnRules(diagnostics, desired);
  });
  const faultyRules = await Promise.all(
    configurations.map(({ desired }) => checkRuleCodes(desired.findingRules, meaning)),
  );
  return {
    shown: [...faultyRules.flat(), ...judged.flatMap(({ shown }) => shown)],
    suppressed: judged.flatMap(({ suppressed }) => suppressed),
    secrets,
    hideLines,
  };
}

/** The findings of a plan. `shown` and `suppressed` exist after the plan, new or unchanged; the plan removes the `fixed` ones. */
export interface PlanFindings extends JudgedFindings, FoundSecrets {
  fixed: Diagnostic[];
}

/**
 * The configurations of one stage of one account, with the view that they make together. `account`: a text that is equal for equal
 * accounts.
 */
interface ViewedStage {
  account: string;
  view: View;
  configurations: readonly Desired[];
}

/**
 * Returns a view (the objects that checks read) for each account and stage of some configurations, because the stacks of one stage refer to
 * each other's objects. Used by `validate`, and by `trueup diff` to find secrets.
 */
function viewStages(configurations: readonly CheckedConfiguration[]): ViewedStage[] {
  const groups = groupBy(configurations, ({ stage, platform }) => canonicalJson([stage, platform]));
  return [...groups.values()].map((sameStage) => {
    const desired = sameStage.map((configuration) => configuration.desired);
    return {
      account: canonicalJson(sameStage[0]!.platform),
      view: viewOfConfigurations(desired),
      configurations: desired,
    };
  });
}

/** Applies to each finding the rules (`findings:`) of the configuration that has its object. */
function judgeByOwnRules(
  diagnostics: readonly Diagnostic[],
  configurations: readonly Desired[],
): JudgedFindings[] {
  const byOwner = groupBy(diagnostics, ({ address = '' }) =>
    configurations.find(({ resources }) => resources.has(address)),
  );
  return [...byOwner].map(([owner, findings]) => applyFindingRules(findings, owner?.findingRules));
}

/**
 * Returns the findings of a plan, each with its state (new, unchanged or fixed) and the changes that cause it, so that a reviewer sees what
 * the plan makes worse or better. The rules of the configuration (`findings:`) apply to all of them; an unchanged error is only a warning,
 * because the plan does not cause it. `views`: the account before and after the plan.
 */
export async function findInPlan(
  meaning: Meaning,
  views: PlanViews,
  { changes, actions = [], desired }: CheckedPlan,
): Promise<PlanFindings> {
  const checks = await loadChecks(meaning, [views.before, views.after]);
  const after = findAll(checks, views.after);
  // Without changes both views are equal, so nothing is new or fixed.
  const before = changes.length === 0 ? after : findAll(checks, views.before);
  const byState = splitByState(before, after);
  const changedAddresses = new Set(changes.map(({ address }) => address));
  const foundSecrets = findSecrets([
    { view: views.before, findings: before, configurations: [] },
    { view: views.after, findings: after, configurations: [desired] },
  ]);
  const toDiagnostics = (state: FindingState, findings: readonly Finding[]) =>
    findings.map((finding) => ({
      ...foundSecrets.hideLines(toDiagnostic(finding, [desired])),
      finding: { state, causes: state === 'unchanged' ? [] : causesOf(finding, changedAddresses) },
    }));
  // Changes that need something else to take effect, such as a deployment, are always new findings.
  const ofChanges =
    changes.length === 0 ? [] : (await meaning.loadChangeCheck()).find({ changes, actions }, views.after);
  const diagnostics = [
    ...toDiagnostics('new', [...byState.new, ...ofChanges]),
    ...toDiagnostics('unchanged', byState.unchanged),
    ...toDiagnostics('fixed', byState.fixed),
  ];
  const rules = desired.findingRules;
  const { shown, suppressed } = applyFindingRules(diagnostics, rules);
  const isFixed = ({ finding }: Diagnostic) => finding?.state === 'fixed';
  const remaining = shown.filter((diagnostic) => !isFixed(diagnostic));
  return {
    shown: [...(await checkRuleCodes(rules, meaning)), ...remaining.map(stopNothingIfUnchanged)],
    suppressed: suppressed.filter((diagnostic) => !isFixed(diagnostic)),
    fixed: shown.filter(isFixed),
    ...foundSecrets,
  };
}

/**
 * Splits the findings (problems that checks are sure of) of an account before and after a plan by what the plan does to them. A finding
 * that becomes worse is new: a rule that no request reaches does harm only once its firewall is on.
 */
function splitByState(
  before: readonly Finding[],
  after: readonly Finding[],
): Record<FindingState, readonly Finding[]> {
  const severitiesBefore = worstSeverities(before);
  const keysAfter = new Set(after.map(findingKey));
  const isNew = (finding: Finding) =>
    rankOf(finding) > (severitiesBefore.get(findingKey(finding)) ?? rankOfAbsence);
  return {
    new: after.filter(isNew),
    unchanged: after.filter((finding) => !isNew(finding)),
    fixed: before.filter((finding) => !keysAfter.has(findingKey(finding))),
  };
}

/** The parts of a plan that its findings depend on. */
interface CheckedPlan {
  /** Its changes, without those that change nothing: see `toViewedChanges`. */
  changes: readonly ViewedChange[];
  /** The actions that follow the changes, and the object that each is about. */
  actions?: readonly { action: string; about: Address }[];
  desired: Desired;
}

/**
 * Loads the checks that can find something in views of an account: those for the kinds of their objects. Others are not loaded, so that a
 * plan stays fast.
 */
async function loadChecks({ checks }: Meaning, views: readonly View[]): Promise<readonly Check[]> {
  const groups = checks.filter(({ kinds }) =>
    kinds.some((kind) => views.some((view) => view.ofKind(kind).length > 0)),
  );
  return (await Promise.all(groups.map((group) => group.load()))).flat();
}

const findAll = (checks: readonly Check[], view: View): Finding[] =>
  checks.flatMap((check) => [...check.find(view)]);

/** Returns a key that is equal for the same finding before and after a plan. */
const findingKey = ({ code, address, subject = '' }: Finding): string =>
  JSON.stringify([code, address, subject]);

/** The rank of a finding that is not there, below all others. */
const rankOfAbsence = -1;
/** Returns the severity of a finding as a number, to compare severities. */
const rankOf = ({ severity }: Finding): number => ['note', 'warning', 'error'].indexOf(severity);

/** Returns the rank of the worst finding for each `findingKey`. Used to tell whether a plan makes a finding worse. */
function worstSeverities(findings: readonly Finding[]): ReadonlyMap<string, number> {
  const worst = new Map<string, number>();
  for (const finding of findings) {
    const key = findingKey(finding);
    worst.set(key, Math.max(rankOf(finding), worst.get(key) ?? rankOfAbsence));
  }
  return worst;
}

/**
 * Returns the changed objects that may have caused a finding (a problem that a check is sure of), because a plan shows the finding at these
 * changes: those of the finding's objects that change themselves or, if none does, those inside a changed object.
 */
function causesOf({ address, related = [] }: Finding, changed: ReadonlySet<Address>): Address[] {
  const concerned = [...new Set([address, ...related.map((place) => place.address)])];
  const changedSubjects = concerned.filter((subject) => changed.has(subject));
  return changedSubjects.length > 0
    ? changedSubjects
    : concerned.filter((subject) => isWithinAny(subject, changed));
}

/** Returns an error that the account has already as a warning, because it must not stop changes that have nothing to do with it. */
const stopNothingIfUnchanged = (diagnostic: Diagnostic): Diagnostic =>
  diagnostic.severity === 'error' && diagnostic.finding?.state === 'unchanged'
    ? asWarning(diagnostic)
    : diagnostic;

/** Returns the changes of a plan as checks see them. Left out are unchanged objects (`noop`). */
export const toViewedChanges = (changes: readonly Change[]): ViewedChange[] =>
  changes.filter(({ action }) => action !== 'noop').map(toViewedChange);

/**
 * Returns the parts of a change that checks for harmful configuration read. `paths` lacks secrets that cannot be compared (`unverified`):
 * they are sent although they may be unchanged, and a check reports only certain changes.
 */
const toViewedChange = (change: Change): ViewedChange => ({
  address: change.address,
  kind: change.kind,
  parent: change.parent,
  action: change.action,
  paths: change.fields
    .filter((field) => asksForWrite(field) && field.cause !== 'unverified')
    .map(({ path }) => path),
  before: change.before?.fields,
  onlyUndoesDrift: onlyUndoesDrift(change),
});

/**
 * Returns a finding (a problem that a check is sure of) as a problem that commands print, with the places of its objects in the files of
 * the configurations. Objects that are not declared have none.
 */
function toDiagnostic(
  { code, severity, message, hint, address, path, related = [] }: Finding,
  configurations: readonly Desired[],
): Diagnostic {
  const position = findPosition(address, path, configurations);
  const places = related.flatMap((place) => {
    const relatedPosition = findPosition(place.address, place.path, configurations);
    return relatedPosition ? [{ message: place.message, at: relatedPosition }] : [];
  });
  return dropUndefined({
    severity,
    code,
    message,
    hint,
    address,
    at: position,
    related: places.length > 0 ? places : undefined,
  });
}
