/*
 * Plans on the filled twin, and leaves out everything that the twin cannot show. The plan that remains can be rehearsed: each change of it
 * is a change of the account's plan, by the same action.
 *
 * Terms
 *   real plan      the plan of the account
 *   not modelled   see `find-not-modelled.ts`; here also changes, for example one that the planner refuses only on the twin
 *   excluded       addresses that are left out of the plan on the twin, as if by `--exclude`
 *   still refused  excluded addresses whose blocks the planner refuses nevertheless, for example because of a person; their blocks are left
 *                  out of the declarations, too
 *
 * Without an excluded change another one can become impossible, and must be excluded as well. So the plan is made again until nothing more
 * is excluded.
 */
import { type Address, globOf, globWithContents, indexByAddress, isWithinAny } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import type { NotModelled } from '../model/rehearsal.ts';
import type { Desired } from '../model/resource.ts';
import { type OpenPlanOptions, openSessionPlan, type Planned } from '../run/open-plan.ts';
import type { RunSession } from '../run/session.ts';
import { findNotModelled } from './find-not-modelled.ts';

/** A plan on the twin that can be applied there. */
export interface ModelledPlan {
  rehearsed: Planned;
  /** The options of the plan, with the exclusions. */
  modelledOptions: OpenPlanOptions;
  /** The declarations of the plan: without `$existing` blocks whose objects the twin lacks, and without blocks that are still refused. */
  desired: Desired;
  notModelled: NotModelled[];
}

/** The plan on the filled twin that corresponds to a real plan, before anything is applied to the twin. */
export interface TwinPlan {
  onTwin: Planned;
  /** What the twin does not model, by the comparison with the real plan. */
  notModelled: readonly NotModelled[];
}

/**
 * Plans on the twin (a copy of the platform on this machine, filled with the objects of the account), before anything is applied to it, and
 * finds the objects that it does not model, because their changes cannot be rehearsed. `session`: a run on the twin. `planned`: the real
 * plan. `leftOut`: the objects that the fill left out, with reasons. `contradicted`: the kinds for which a real account contradicts the
 * twin, each with what shows it.
 */
export async function planOnTwin(
  session: RunSession,
  options: OpenPlanOptions,
  planned: Planned,
  leftOut: ReadonlyMap<Address, string>,
  contradicted: ReadonlyMap<string, string>,
): Promise<TwinPlan> {
  const onTwin = await openSessionPlan(session, options);
  const different = findNotModelled({ real: planned, onTwin, kinds: session.kinds, leftOut });
  return {
    onTwin,
    notModelled: [
      ...different,
      ...findNotCompared(planned.plan),
      ...findContradicted(planned.plan, contradicted),
    ],
  };
}

/**
 * Returns the declared objects that an incomplete plan could not compare with the account. The twin (the simulated account of a rehearsal)
 * must not have them planned: it has none of the objects that were not read, so it would plan to create all of them. The other causes
 * concern single secrets, errors, and objects that were compared.
 */
export const findNotCompared = ({ notCompared = [] }: Plan): NotModelled[] =>
  notCompared.flatMap(({ cause, items }) =>
    cause === 'unread' || cause === 'dependency'
      ? items.map(({ address, kind }) => ({
          address,
          kind,
          reason: 'the plan could not compare this with the account',
          isConcerned: true,
        }))
      : [],
  );

/**
 * Returns the plan that can be rehearsed: that on the twin (the simulated account of a rehearsal) without the changes that cannot, and the
 * reason of each. Excludes these changes and plans again, until no other change has to be excluded. Errors that remain then keep the plan
 * from being applied. `session`: a run on the twin. `planned`: the real plan. `planNow`: the plan on the twin as it is now, perhaps after
 * the applies of other stacks. `foundBefore`: the objects that the twin does not model, by the comparison before any apply.
 */
export async function planModelled(
  session: RunSession,
  options: OpenPlanOptions,
  planned: Planned,
  planNow: Planned,
  foundBefore: TwinPlan['notModelled'],
): Promise<ModelledPlan> {
  const notModelled = indexByAddress(foundBefore);
  const realChanges = indexByAddress(planned.plan.changes);
  /** The addresses that the plan leaves out, as by `--exclude`. */
  const excluded = new Set<Address>();
  /** The excluded addresses about which the planner reported an error nevertheless: their blocks are left out of the declarations. */
  const stillRefused = new Set<Address>();
  let rehearsed = planNow;
  let modelledOptions = options;
  let { desired } = session;
  // An exclusion can make another one necessary, so this is repeated until nothing is added.
  for (;;) {
    const countBefore = excluded.size + stillRefused.size;
    const refused = findRefused(rehearsed.plan, realChanges);
    // The planner checks blocks although their changes are excluded.
    for (const { address } of refused) if (excluded.has(address)) stillRefused.add(address);
    for (const object of notModelled.values()) if (object.isConcerned) excluded.add(object.address);
    const newlyFound = [
      ...findDependentChanges(planned.plan, realChanges, excluded),
      ...refused,
      ...findUnplanned(rehearsed.plan, realChanges),
    ];
    for (const object of newlyFound) {
      // The first reason is the one to report, unless the plan did not concern the object then.
      if (!notModelled.get(object.address)?.isConcerned) notModelled.set(object.address, object);
      excluded.add(object.address);
    }
    if (excluded.size + stillRefused.size === countBefore)
      return { rehearsed, modelledOptions, desired, notModelled: [...notModelled.values()] };
    modelledOptions = withExclusions(options, excluded);
    desired = withoutRefusedBlocks(session.desired, excluded, stillRefused);
    rehearsed = await openSessionPlan({ ...session, desired }, modelledOptions);
  }
}

/** The changes of the real plan. */
type ChangesByAddress = ReadonlyMap<Address, Change>;

/**
 * Returns the changes of kinds for which a real account has contradicted the twin (the simulated account of a rehearsal), because their
 * rehearsal would prove nothing. `contradicted`: these kinds, each with what shows it.
 */
const findContradicted = ({ changes }: Plan, contradicted: ReadonlyMap<string, string>): NotModelled[] =>
  changes.flatMap(({ address, kind, action }) =>
    action === 'noop' || !contradicted.has(kind)
      ? []
      : [
          {
            kind,
            address,
            isConcerned: true,
            reason: `a real account has contradicted what the twin does (${contradicted.get(kind)})`,
          },
        ],
  );

/**
 * Returns the changes that cannot be rehearsed because they need an excluded change, one that the twin (the simulated account of a
 * rehearsal) cannot play, directly or through other changes. The planner does not exclude them itself: the need can be only a name in a
 * field. Operations are in the order of the apply, so an operation comes after those that it depends on.
 */
function findDependentChanges(
  { operations }: Plan,
  realChanges: ChangesByAddress,
  excluded: ReadonlySet<Address>,
): NotModelled[] {
  // The excluded address that an operation needs, by the id of the operation.
  const neededById = new Map<string, Address>();
  return operations.flatMap(({ id, changes: addresses, dependsOn }) => {
    const excludedAddress = addresses.find((address) => excluded.has(address));
    const needed =
      excludedAddress ?? dependsOn.flatMap((operationId) => neededById.get(operationId) ?? [])[0];
    if (needed === undefined) return [];
    neededById.set(id, needed);
    return addresses
      .filter((address) => !excluded.has(address))
      .map((address) => ({
        kind: realChanges.get(address)!.kind,
        address,
        isConcerned: true,
        reason:
          excludedAddress === undefined
            ? `it needs ${needed}, which is not rehearsed`
            : `one request writes it together with ${needed}, which is not rehearsed`,
      }));
  });
}

/**
 * Returns the changes that the planner refuses on the twin (the simulated account of a rehearsal), for example because they name a person
 * whom it does not have. The real plan has no errors, so such a refusal says nothing about the account. A refusal that names no object is
 * about the whole plan.
 */
function findRefused({ diagnostics }: Plan, realChanges: ChangesByAddress): NotModelled[] {
  const errors = diagnostics
    .filter(({ severity }) => severity === 'error')
    .flatMap((diagnostic) => diagnostic.folded ?? [diagnostic]);
  return errors.flatMap(({ address, message: reason }) => {
    const addresses = address === undefined ? [...realChanges.keys()] : [address];
    return addresses.map((refused) => ({
      kind: realChanges.get(refused)?.kind ?? '',
      address: refused,
      reason,
      isConcerned: realChanges.has(refused),
    }));
  });
}

/**
 * Returns the changes of the plan on the twin (the simulated account of a rehearsal) that the plan of the account does not make, or makes
 * by another action, so that the rehearsal leaves them out. They come from objects that the twin lacks.
 */
function findUnplanned(onTwin: Plan, realChanges: ChangesByAddress): NotModelled[] {
  return onTwin.changes.flatMap(({ address, kind, action }) => {
    const realAction = realChanges.get(address)?.action ?? 'noop';
    if (action === 'noop' || action === realAction) return [];
    const reason = `the account needs ${realAction === 'noop' ? 'no change' : realAction}, the twin ${action}`;
    return [{ kind, address, reason, isConcerned: realAction !== 'noop' }];
  });
}

/**
 * Returns the declarations without the blocks that the planner checks although their changes are excluded, and without everything in them:
 * excluded `$existing` blocks, whose objects have to exist, and `stillRefused`, the excluded addresses about which an earlier plan had an
 * error nevertheless (see `planModelled`). One such error would keep the whole plan from a rehearsal.
 */
function withoutRefusedBlocks(
  desired: Desired,
  excluded: ReadonlySet<Address>,
  stillRefused: ReadonlySet<Address>,
): Desired {
  const existing = [...excluded].filter((address) => desired.resources.get(address)?.meta.existing);
  const dropped = new Set([...stillRefused, ...existing]);
  if (dropped.size === 0) return desired;
  const remaining = [...desired.resources].filter(([address]) => !isWithinAny(address, dropped));
  return { ...desired, resources: new Map(remaining) };
}

/**
 * Returns the options of a plan that leaves out these addresses and everything in them, because the twin (the simulated account of a
 * rehearsal) cannot play them. An address without a change on the twin is no error then.
 */
export function withExclusions(options: OpenPlanOptions, addresses: ReadonlySet<Address>): OpenPlanOptions {
  if (addresses.size === 0) return options;
  const globs = [...addresses].flatMap((address) => [globOf(address), globWithContents(address)]);
  const excludes = [...(options.excludes ?? []), ...globs];
  return { ...options, excludes, toleratesMissing: 'one-of-several' };
}
