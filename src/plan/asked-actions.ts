/**
 * The actions that follow the changes of a plan.
 *
 * Terms: `$then` in the block of a resource has rules. A rule names an action (`redeploy`), its input, and the objects that the action is
 * about. Rules of several resources may ask for the same action with the same input about the same object: it is then sent once. An owed
 * action is one that an earlier run should have sent and did not; the ledger has these.
 */
import type { Action } from '../kind/action.ts';
import { type Address, ancestorsAmong, globOf, isWithin } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { addTo, groupBy } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { onlyUndoesDrift, type Plan } from '../model/plan.ts';
import { actionId, type PlannedAction } from '../model/planned-action.ts';
import type { ActionRule, Desired, Resource } from '../model/resource.ts';
import { isNarrowedBy, type PlanOptions } from './input.ts';

/** The data on which the actions of a plan depend, besides its changes. */
interface AskedActionsOptions {
  desired: Desired;
  ledger: Pick<Ledger, 'owed'>;
  /** All actions of the platform, by name. */
  actions: ReadonlyMap<string, Action>;
  options: Pick<PlanOptions, 'destroy' | 'targets' | 'excludes' | 'noActions'>;
}

/** An action that an earlier run should have sent. */
type RecordedOwedAction = NonNullable<Ledger['owed']>[string];

/**
 * Returns the actions (`$then`, such as a redeployment) that follow the changes of a plan, sorted by id:
 * those that changes ask for, and those that earlier runs owe (they should have sent them, and did not). They
 * are shown in the plan and sent after the changes. All that are to be sent have the state `due`: whether the
 * account still needs them is checked right before they are sent. An action that is not sent has another
 * state: `left` if this run skips it and the ledger still owes it, `over` if the configuration dropped it or
 * the run destroys what it is for.
 */
export function findAskedActions(
  { changes }: Pick<Plan, 'changes'>,
  { desired, ledger, actions, options }: AskedActionsOptions,
): PlannedAction[] {
  const uses = listRuleUses(desired, actions);
  const askingChanges = options.destroy ? undefined : findAskingChanges(changes, uses);
  const declared = Array.from(
    groupBy(uses, ({ id }) => id),
    ([id, sameUses]) => createPlannedAction(id, sameUses, askingChanges?.get(id) ?? []),
  );
  // Without a change that asks for it, a declared action is sent only if an earlier run owes it.
  const asked = declared.filter(({ after }) => after.length > 0);
  const findDeclared = createOwedActionFinder(declared);
  const owedActions = Object.entries(ledger.owed ?? {}).map(([id, owed]): PlannedAction => {
    const action = options.destroy ? undefined : findDeclared(id, owed);
    if (action) return { ...action, owed };
    return { ...createUnaskedAction(id, owed, actions), ...endOfUnasked(owed, changes, options), owed };
  });
  const planned = new Map([...asked, ...owedActions].map((action) => [action.id, action]));
  return [...planned.values()]
    .map((action) => leaveUnsent(action, options))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Creates the function which returns the declared action that an owed one stands for (an action that an earlier run left undone): the
 * same one or, if the configuration has given it another input since, the one with the new input. Undefined if the configuration no
 * longer asks for it.
 */
function createOwedActionFinder(
  declared: readonly PlannedAction[],
): (id: string, owed: RecordedOwedAction) => PlannedAction | undefined {
  const byId = new Map(declared.map((action) => [action.id, action]));
  const bySubject = groupBy(declared, subjectKey);
  return (id, owed) => byId.get(id) ?? findWithNewInput(owed, bySubject.get(subjectKey(owed)) ?? []);
}

/**
 * Returns an action with the state `left` if this run does not send it although it is due: `--no-actions` skips all, and a plan with
 * `--target` or `--exclude` skips those that no change of the plan asks for.
 */
function leaveUnsent(action: PlannedAction, options: AskedActionsOptions['options']): PlannedAction {
  if (action.state !== 'due') return action;
  if (options.noActions) return { ...action, state: 'left', why: 'skipped by --no-actions' };
  return isNarrowedBy(options) && action.after.length === 0 ? { ...action, ...notPartOfPlan } : action;
}

/** The state of an owed action that stays owed, because this plan is about other parts of the stack. */
const notPartOfPlan: UnsentState = { state: 'left', why: 'pending, and not part of this plan' };

/** A rule in the block of a resource, with one of the actions that it asks for. */
interface RuleUse {
  /** The id of the planned action. Equal actions of several rules have the same id. */
  id: string;
  resource: Resource;
  rule: ActionRule;
  action: Action;
  /** The object that the action is about. */
  about: Address | undefined;
}

/**
 * Returns the uses of all rules (`$then`) in the configuration: one for each object that a rule names, or one without an object for an
 * action of the whole account. The plan makes its actions from them.
 */
function listRuleUses({ resources }: Desired, actions: ReadonlyMap<string, Action>): RuleUse[] {
  const subjectsOf = createSubjectFinder(resources);
  return [...resources.values()].flatMap((resource) =>
    (resource.meta.actions ?? []).flatMap((rule) => {
      const action = actions.get(rule.action);
      if (!action) return [];
      return subjectsOf(rule, action).map((about) => {
        const id = actionId({ action: rule.action, input: rule.input, about });
        return { id, resource, rule, action, about };
      });
    }),
  );
}

/**
 * Creates the function which returns the addresses of the objects for which a rule (`$then`) asks for its
 * action: each gets one action, such as one redeployment for each project. Returns `[undefined]` for an
 * action of the whole account. Most rules name one address, so that is looked up: matching thousands of rules
 * with thousands of addresses would be slow.
 */
function createSubjectFinder(
  resources: ReadonlyMap<Address, Resource>,
): (rule: ActionRule, action: Action) => (Address | undefined)[] {
  const byKind = groupBy(resources.values(), ({ kind }) => kind);
  return ({ about }, { on: subjectKind }) => {
    if (subjectKind === undefined) return [undefined];
    const [glob, ...otherGlobs] = about;
    const isAddress = glob !== undefined && otherGlobs.length === 0 && globOf(glob) === glob;
    if (isAddress && resources.get(glob)?.kind === subjectKind) return [glob];
    const addresses = (byKind.get(subjectKind) ?? []).map(({ address }) => address);
    return addresses.filter(createAddressMatcher(about));
  };
}

/**
 * Creates an action of the plan, such as a redeployment, from the rules that ask for it. Equal actions of several rules become one, with
 * the longest wait, so that a redeployment is sent once and not once for each variable. `after`: the changes that ask for it, from
 * `findAskingChanges`.
 */
function createPlannedAction(id: string, uses: readonly RuleUse[], after: Address[]): PlannedAction {
  // The id of all uses is the same, and with it their action, input and object.
  const { rule, action, about } = uses[0]!;
  const wait = uses.reduce((longest, use) => Math.max(longest, use.rule.wait ?? 0), 0);
  return {
    id,
    action: action.name,
    input: rule.input,
    grade: action.grade,
    gradeReason: action.why,
    after: [...new Set(after)],
    from: [...new Set(uses.map(({ resource }) => resource.address))],
    state: 'due',
    starts: action.starts,
    about,
    wait: wait > 0 ? wait : undefined,
  };
}

/**
 * Returns the changes that ask for each action (such as a redeployment), by its id: changes of the resource whose block has the rule
 * (`$then`), and of objects in that resource. An action without such changes is not sent, unless an earlier run owes it.
 */
function findAskingChanges(changes: readonly Change[], uses: readonly RuleUse[]): Map<string, Address[]> {
  const usesAt = groupBy(uses, ({ resource }) => resource.address);
  const askingChanges = new Map<string, Address[]>();
  // A rule in the block of a project also applies to the variables in the project.
  for (const change of usesAt.size > 0 ? changes : [])
    for (const ruleAddress of ancestorsAmong(change.address, usesAt))
      for (const { id, rule } of usesAt.get(ruleAddress)!)
        if (asksFor(change, ruleAddress, rule)) addTo(askingChanges, id, change.address);
  return askingChanges;
}

/**
 * True if a change makes a rule ask for its action. `ruleAddress`: the resource with the rule; the change is of this resource or of an
 * object in it. A change that only undoes drift asks for an action only if the rule has `drift`, because the account is then as the last
 * run left it.
 */
function asksFor(change: Change, ruleAddress: Address, { when, drift }: ActionRule): boolean {
  const { action, moves, changesLedgerOnly, address, fields } = change;
  if (action === 'noop' || action === 'release' || action === 'forget' || changesLedgerOnly) return false;
  // Fields with these causes only change the ledger.
  const sentFields = fields.filter(({ cause }) => cause !== 'recorded' && cause !== 'released');
  const onlyRecords = (action === 'adopt' || action === 'update') && sentFields.length === 0 && !moves;
  if (onlyRecords) return false;
  if (onlyUndoesDrift(change) && !drift) return false;
  if (!when) return true;
  // `when` names fields of the resource and sections in it: `env` for `projects/web/env/API_URL` in `projects/web`.
  if (address !== ruleAddress) {
    const [section] = address.slice(ruleAddress.length + 1).split('/');
    return when.includes(section!);
  }
  // A new object is new in all of its fields.
  return createsObject(change) || sentFields.some(({ path }) => when.includes(path.split('.')[0]!));
}

/**
 * Returns a key that is equal for the same action (`$then`) about the same object, even with different input. Used to find the declared
 * action that replaces one that an earlier run left undone.
 */
const subjectKey = ({ action, about }: Pick<PlannedAction, 'action' | 'about'>): string =>
  JSON.stringify([action, about]);

/**
 * Finds the declared action that replaces an owed one (an action that an earlier run left undone) whose input the configuration has
 * changed since: one of the same blocks (`from`). The plan then sends it once, with the new input. Called only if no declared action has
 * the same id, which contains the input. `candidates`: the declared actions of the same name about the same object.
 */
const findWithNewInput = (
  { from }: RecordedOwedAction,
  candidates: readonly PlannedAction[],
): PlannedAction | undefined =>
  candidates.find((candidate) => candidate.from.some((address) => from.includes(address)));

/** The state of an action that is not sent, and its reason for people. */
type UnsentState = Required<Pick<PlannedAction, 'state' | 'why'>>;

/**
 * Returns the state of an owed action (one that an earlier run left undone) that no rule of this plan asks for. If it is over, the apply
 * removes it from the ledger without sending it. A plan of `destroy` has no rules. If it deletes only a part of the stack, an action stays
 * owed unless the plan removes its object or all blocks that asked for it.
 */
function endOfUnasked(
  { about, from }: RecordedOwedAction,
  changes: readonly Change[],
  options: AskedActionsOptions['options'],
): UnsentState {
  if (!options.destroy) return { state: 'over', why: 'the configuration no longer asks for it' };
  if (!isNarrowedBy(options)) return { state: 'over', why: 'the stack is being destroyed' };
  // All changes of such a plan delete or release.
  const removed = new Set(changes.filter(({ action }) => action !== 'noop').map(({ address }) => address));
  const isRemoved = (address: Address) => ancestorsAmong(address, removed).length > 0;
  const isOver = (about !== undefined && isRemoved(about)) || from.every(isRemoved);
  return isOver ? { state: 'over', why: 'this plan removes its object or its `$then`' } : notPartOfPlan;
}

/** Creates the entry of the plan for an owed action (one that an earlier run left undone) that no rule asks for, without its state. */
const createUnaskedAction = (
  id: string,
  { action, about, input, from }: RecordedOwedAction,
  actions: ReadonlyMap<string, Action>,
): Omit<PlannedAction, 'state'> => ({
  id,
  action,
  about,
  input: input as PlannedAction['input'],
  grade: actions.get(action)?.grade ?? 'safe',
  after: [],
  from,
});

/**
 * True if a change at `address` asks for an action, or is inside the object that the action is about. Used to hold the action back if the
 * change fails.
 */
export const mayConcern = (address: Address, { about, after }: PlannedAction): boolean =>
  after.includes(address) || (about !== undefined && isWithin(address, about));
