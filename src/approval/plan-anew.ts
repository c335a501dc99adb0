import { type Address, isWithinAny } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import type { Change } from '../model/change.ts';
import { hasErrors, Problems, problem } from '../model/diagnostic.ts';
import { isEmpty, type Plan } from '../model/plan.ts';
import { type CollectionId, collectionId } from '../model/resource.ts';
import { type OpenPlanOptions, openPlan, type Planned } from '../run/open-plan.ts';
import { readCache } from '../run/read-cache.ts';
import type { Session } from '../run/session.ts';
import {
  refuseChanged,
  refuseOthers,
  refuseUnlikeShownBeside,
  withoutConflictsWithin,
} from './plan-as-approved.ts';
import type { SavedPlan } from './saved-plan.ts';

/** The approved plan: one that was shown, or one that was saved in a file. */
export type Agreed = { shown: Plan } | { file: string; approved: SavedPlan };

/** What other stacks of the same run have done since. */
export interface DoneBeside {
  /** The objects that they created, with their stacks. */
  awaited: ReadonlyMap<Address, string>;
  /** The lists with one order or one draft for all that they wrote to. */
  written: ReadonlySet<CollectionId>;
  /** The objects that they deleted. */
  deleted: ReadonlySet<Address>;
}

/**
 * Plans one of several stacks again, after those that it needs were applied. Returns the plan only if it is the approved one, except for what
 * the other stacks of the run changed. The account is read once and planned twice: with everything that is there, and, to compare, as if the
 * objects that other stacks created were still missing. Throws `Problems`.
 */
export async function planAnew(
  session: Session,
  agreed: Agreed,
  options: OpenPlanOptions,
  { awaited, written, deleted }: DoneBeside,
): Promise<Planned> {
  if ('approved' in agreed) refuseOthers(agreed.approved, session, agreed.file);
  const { firstContact } = 'approved' in agreed ? agreed.approved : agreed.shown;
  const own = {
    ...options,
    canary: { agreed: firstContact },
    ...('approved' in agreed ? { review: isReview(agreed.approved) } : {}),
  };
  const open = 'approved' in agreed && isBegun(session, agreed.approved) ? new Map() : awaited;
  const [planned, blind] = await bothPlans(session, own, open);
  const plan = withoutRequests(blind.plan, written);
  const accepted =
    'approved' in agreed
      ? refuseUnapproved(
          { ...agreed, approved: withoutRequests(agreed.approved, written) },
          { ...blind, plan: plan },
          session,
          deleted,
        )
      : refuseUnlikeShownBeside(withoutRequests(agreed.shown, written), plan, session, deleted);
  const result = withoutConflictsWithin(planned, accepted);
  const errors = result.plan.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Problems(errors);
  if (!doesNoMore(planned.plan, blind.plan, open))
    throw new Problems([
      problem(
        'apply/changed',
        'what other stacks created changes more of this plan than was approved, so nothing was applied',
        { hint: 'plan again: what they created now exists' },
      ),
    ]);
  return 'approved' in agreed ? { ...result, digest: agreed.approved.checksum } : result;
}

/** Like `refuseChanged`, but accepts a plan that has nothing left to do. Throws `Problems`. */
export function refuseUnapproved(
  { approved, file }: Extract<Agreed, { file: string }>,
  current: Planned,
  session: Session,
  deleted: ReadonlySet<Address>,
): ReadonlySet<Address> {
  const { plan } = current;
  const isOver = isBegun(session, approved) && isEmpty(plan) && !hasErrors(plan.diagnostics);
  return isOver ? new Set() : refuseChanged(approved, current, session, file, deleted);
}

/** The plan, and the same without what is awaited; once the lists show what an earlier run created. */
async function bothPlans(
  session: Session,
  options: OpenPlanOptions,
  awaited: ReadonlyMap<Address, string>,
): Promise<[Planned, Planned]> {
  for (;;) {
    const { send } = readCache(session.connection.send);
    const reading: Session = Object.assign(Object.create(session) as Session, {
      connection: { ...session.connection, send },
    });
    const planned = await openPlan(reading, options);
    if (planned.settlesIn === undefined)
      return [
        planned,
        awaited.size === 0 ? planned : await openPlan(reading, { ...options, awaitedStacks: awaited }),
      ];
    session.say(
      `Waiting ${Math.ceil(planned.settlesIn / 1000)} s: the account may not show what the last run created yet.`,
    );
    await session.clock.sleep(planned.settlesIn + 1);
  }
}

/** A plan without its requests to these lists, and without positions in them: they depend on what is there, which this run has changed itself. */
export function withoutRequests<
  P extends {
    changes: (Pick<Change, 'address' | 'kind' | 'parent'> & { position?: unknown })[];
    operations: { changes: Address[]; requests: unknown[] }[];
  },
>(plan: P, lists: ReadonlySet<CollectionId>): P {
  const there = plan.changes.filter(({ kind, parent }) => lists.has(collectionId(kind, parent)));
  const addresses = new Set(there.map(({ address }) => address));
  return {
    ...plan,
    changes: plan.changes.map((change) => {
      const { position: _, ...rest } = change;
      return addresses.has(change.address) ? rest : change;
    }),
    operations: plan.operations.map((operation) =>
      operation.changes.some((address) => addresses.has(address))
        ? { ...operation, requests: [] }
        : operation,
    ),
  };
}

/** True if it was made in a review: missing parts are told in the same words as there. */
export const isReview = ({ diagnostics }: SavedPlan): boolean =>
  diagnostics.some(({ code }) => code === 'secret/left-out');

/** True if a plan has the changes of the approved one, but for what is awaited. Fewer requests may do the same once all ids are known. */
function doesNoMore(plan: Plan, approved: Plan, awaited: ReadonlyMap<Address, string>): boolean {
  const changesOf = ({ changes }: Plan) => changes.filter(({ address }) => !awaited.has(address));
  const agreed = new Map(changesOf(approved).map((change) => [change.address, change]));
  const made = changesOf(plan);
  const isAgreed = (change: Change) => {
    const other = agreed.get(change.address);
    return other && (outline(change) === outline(other) || isSettingOfNew(change, other, awaited));
  };
  return made.length === agreed.size && made.every(isAgreed);
}

/** The action on an object and its grade. */
const outline = ({ action, grade, permissions = [], fields }: Change): string =>
  canonical([action, grade, permissions, fields.map(({ path }) => path)]);

/**
 * True for settings that a new object has from the start, such as the firewall of a project: they were to be set, now they are found, and
 * some may be as wanted already.
 */
function isSettingOfNew(change: Change, agreed: Change, awaited: ReadonlyMap<Address, string>): boolean {
  const { action, grade, permissions = [], fields } = change;
  const paths = new Set(agreed.fields.map(({ path }) => path));
  return (
    isWithinAny(change.address, awaited) &&
    agreed.action === 'update' &&
    ['adopt', 'update', 'noop'].includes(action) &&
    fields.every(({ path }) => paths.has(path)) &&
    (fields.length === 0 || grade === agreed.grade) &&
    permissions.every((permission) => agreed.permissions?.includes(permission))
  );
}

/** True if a saved plan was carried out before, at least in part: what it had to wait for is there since. */
export const isBegun = ({ ledger }: Pick<Session, 'ledger'>, { checksum }: SavedPlan): boolean =>
  ledger.plan === checksum;
