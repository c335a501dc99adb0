import type { Action } from '../kind/action.ts';
import { type Address, isWithin } from '../model/address.ts';
import { matcherOf } from '../model/address-glob.ts';
import { type Change, createsObject } from '../model/change.ts';
import { addTo } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { isDrift, type Plan, putsBack } from '../model/plan.ts';
import { actionId, type PlannedAction } from '../model/planned-action.ts';
import type { ActionRule, Desired, Resource } from '../model/resource.ts';
import type { PlanOptions } from './input.ts';

interface AskedOptions {
  desired: Desired;
  ledger: Pick<Ledger, 'owed'>;
  actions: ReadonlyMap<string, Action>;
  options: Pick<PlanOptions, 'destroy' | 'targets' | 'excludes' | 'noActions'>;
}

/**
 * The actions that follow the changes of a plan: those that `$then` asks for, each once, and those that earlier runs owe. Pure: the
 * account has not been asked yet, so all that are to be sent are `due`.
 */
export function findAskedActions(
  { changes }: Pick<Plan, 'changes'>,
  { desired, ledger, actions, options }: AskedOptions,
): PlannedAction[] {
  const { owed = {} } = ledger;
  const able = ableIn(desired, actions);
  if (!options.destroy) askFor(changes, able);
  const asked = [...able.values()].filter(({ after }) => after.length > 0);
  const planned = new Map<string, PlannedAction>(asked.map((one) => [one.id, withoutItems(one)]));
  for (const [id, debt] of Object.entries(owed)) {
    const own = able.get(id) ?? newestLike(debt, able);
    if (own && !options.destroy)
      planned.set(own.id, { ...(planned.get(own.id) ?? withoutItems(own)), owed: debt });
    else planned.set(id, { ...dropped(id, debt, actions), owed: debt });
  }
  const isPart = (options.targets?.length ?? 0) + (options.excludes?.length ?? 0) > 0;
  return [...planned.values()]
    .map((plannedAction) => {
      if (plannedAction.state !== 'due') return plannedAction;
      if (options.noActions)
        return { ...plannedAction, state: 'left' as const, why: 'skipped by --no-actions' };
      return isPart && plannedAction.after.length === 0
        ? { ...plannedAction, state: 'left' as const, why: 'pending, and not part of this plan' }
        : plannedAction;
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** All actions that the configuration could ask for, by id. `items`: each resource that has one, with its item. */
type Able = PlannedAction & { items: { resource: Resource; item: ActionRule }[] };

const withoutItems = ({ items: _, ...one }: Able): PlannedAction => one;

function ableIn({ resources }: Desired, actions: ReadonlyMap<string, Action>): Map<string, Able> {
  const able = new Map<string, Able>();
  for (const resource of resources.values())
    for (const item of resource.meta.actions ?? []) {
      const action = actions.get(item.action);
      if (!action) continue;
      for (const about of aboutsOf(item, action, resources)) {
        const place = about === undefined ? {} : { about };
        const id = actionId({ action: item.action, input: item.input, ...place });
        const known = able.get(id);
        const wait = Math.max(known?.wait ?? 0, item.wait ?? 0);
        able.set(id, {
          ...(known ?? plannedOf(id, item.input, action)),
          ...place,
          ...(wait > 0 ? { wait } : {}),
          from: [...new Set([...(known?.from ?? []), resource.address])],
          items: [...(known?.items ?? []), { resource, item }],
        });
      }
    }
  return able;
}

function aboutsOf(
  { about }: ActionRule,
  { on }: Action,
  resources: ReadonlyMap<Address, Resource>,
): (Address | undefined)[] {
  if (on === undefined) return [undefined];
  const fits = matcherOf(about);
  return [...resources.values()].flatMap(({ kind, address }) =>
    kind === on && fits(address) ? [address] : [],
  );
}

const plannedOf = (
  id: string,
  input: ActionRule['input'],
  { name, grade, why, starts }: Action,
): PlannedAction => ({
  id,
  action: name,
  input,
  grade,
  ...(why === undefined ? {} : { gradeReason: why }),
  after: [],
  from: [],
  state: 'due',
  ...(starts === undefined ? {} : { starts }),
});

/** Adds to each action the changes that ask for it. */
function askFor(changes: readonly Change[], able: ReadonlyMap<string, Able>): void {
  const itemsAt = new Map<Address, { one: Able; item: ActionRule }[]>();
  for (const one of able.values())
    for (const { resource, item } of one.items) addTo(itemsAt, resource.address, { one, item });
  if (itemsAt.size === 0) return;
  for (const change of changes)
    for (const around of placesAround(change.address))
      for (const { one, item } of itemsAt.get(around) ?? [])
        if (asksFor(change, around, item) && !one.after.includes(change.address))
          one.after = [...one.after, change.address];
}

/** An address, and the addresses of all that it lies in. */
const placesAround = (address: Address): Address[] => {
  const parts = address.split('/');
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('/'));
};

/** True if an item of `$then` waits for this change, of its resource or of something in that. */
function asksFor(change: Change, around: Address, { when, drift }: ActionRule): boolean {
  const { action, moves, changesLedgerOnly, address, fields } = change;
  if (action === 'noop' || action === 'release' || action === 'forget' || changesLedgerOnly) return false;
  const sent = fields.filter(({ cause }) => cause !== 'recorded' && cause !== 'released');
  // Recording what is there already changes nothing.
  if ((action === 'adopt' || action === 'update') && sent.length === 0 && !moves) return false;
  const isBack = putsBack(change) || (isDrift(change) && (createsObject(change) || action === 'delete'));
  if (isBack && !drift) return false;
  if (!when) return true;
  if (address !== around) return when.includes(address.slice(around.length + 1).split('/')[0]!);
  // An object that comes or goes has all of its fields with it.
  return createsObject(change) || sent.some(({ path }) => when.includes(path.split('.')[0]!));
}

/** The same action about the same object with another input: the newest input wins. */
const newestLike = (
  { action, about, from }: NonNullable<Ledger['owed']>[string],
  able: ReadonlyMap<string, Able>,
): Able | undefined =>
  [...able.values()].find(
    (one) =>
      one.action === action && one.about === about && one.from.some((address) => from.includes(address)),
  );

function dropped(
  id: string,
  { action, about, input, from }: NonNullable<Ledger['owed']>[string],
  actions: ReadonlyMap<string, Action>,
): PlannedAction {
  const known = actions.get(action);
  return {
    id,
    action,
    ...(about === undefined ? {} : { about }),
    input: input as PlannedAction['input'],
    grade: known?.grade ?? 'safe',
    after: [],
    from,
    state: 'over',
    why: 'the configuration no longer asks for it',
  };
}

/** True if a change may concern the subject of an action: if the change fails, the action is not sent. */
export const mayConcern = (address: Address, { about, after }: PlannedAction): boolean =>
  after.includes(address) || (about !== undefined && isWithin(address, about));
