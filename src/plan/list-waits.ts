/*
 * The declared objects that are not ready. The first row that fits decides what the plan says about an object:
 *
 *   | the object                                                      | the plan has                     |
 *   | --------------------------------------------------------------- | -------------------------------- |
 *   | is new, and is ready at once or nearly always (no `$wait`)      | nothing                          |
 *   | is new                                                          | a wait                           |
 *   | exists, and its readiness was not read (`unchecked`)            | an item that was not compared    |
 *   | exists, and is ready                                            | nothing                          |
 *   | exists, and the platform still works on it, or it has `$wait`   | a wait                           |
 *   | exists, and needs an object that this plan creates or changes   | a wait                           |
 *   | exists, and needs something else                                | a warning                        |
 */
import type { Kinds } from '../kind/kind.ts';
import { indexByAddress } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import { type Diagnostic, notReadyCode, warning } from '../model/diagnostic.ts';
import type { NotComparedFinding } from '../model/not-compared.ts';
import type { PlanWait } from '../model/plan.ts';
import { describePending, type LiveResource, type MissingObject, type Resource } from '../model/resource.ts';
import { containsValue, visitMembers } from '../model/walk.ts';

/** What a plan says about one object that is not ready; see the table above. At most one member is present. */
interface Unreadiness {
  wait?: PlanWait;
  warning?: Diagnostic;
  unchecked?: NotComparedFinding;
}

/**
 * Lists the declared objects that are not ready yet: live ones that the platform still works on, or that need something elsewhere (a domain
 * without its DNS record), and new ones that will take time. Shown in the plan, and used by an apply that waits (`$wait`). `warnings`:
 * about objects for which waiting would not help. `unchecked`: the objects whose readiness was not read.
 */
export function listWaits(changes: readonly Change[], kinds: Kinds) {
  const changeOf = indexByAddress(changes);
  const unready = changes.flatMap((change): Unreadiness | [] => {
    const { address, kind, after, before, action } = change;
    const readiness = kinds.get(kind)?.read.later;
    if (!readiness || !after || action === 'forget') return [];
    if (!createsObject(change)) return before ? describeUnready(before, after, changeOf) : [];
    // A new object of a kind that is nearly always ready at once is not worth a mention, unless its block has `$wait`.
    const { wait: minutes } = after.meta;
    if (readiness.rarely && minutes === undefined) return [];
    return { wait: withMinutes({ address, why: `ready once ${readiness.until}` }, minutes) };
  });
  return {
    waiting: unready.flatMap(({ wait }) => wait ?? []),
    warnings: unready.flatMap(({ warning }) => warning ?? []),
    unchecked: unready.flatMap(({ unchecked }) => unchecked ?? []),
  };
}

/**
 * Returns what the plan says about a live object that is not ready; empty if it is ready. It waits if the
 * platform is still working on it, if its block has `$wait`, or if this plan creates or changes the object that
 * it needs. If it needs something else, there is only a warning, because waiting would not help. `unchecked`:
 * why its readiness was not read.
 */
function describeUnready(
  { pending, unchecked }: LiveResource,
  { address, kind, at, meta: { wait: minutes } }: Resource,
  changeOf: ReadonlyMap<string, Change>,
): Unreadiness {
  if (unchecked !== undefined)
    return { unchecked: { cause: 'unchecked', why: unchecked, address, kind, at } };
  if (!pending) return {};
  const { needs, reason, failed } = pending;
  const provider = needs && findProvider(needs, changeOf);
  if (needs && provider && !provider.isLive)
    return {
      wait: withMinutes({ address, why: `${reason}; this plan sets ${provider.address} for it` }, minutes),
    };
  if (!needs || minutes !== undefined)
    return {
      wait: withMinutes({ address, why: describePending(pending), ...(failed && { failed }) }, minutes),
    };
  const hint = provider
    ? `the account has ${provider.address} for it: ${needs.hintIfLive}`
    : `it needs ${needs.what}`;
  return { warning: warning(notReadyCode, `${address}: ${reason}`, { address, at, hint }) };
}

const withMinutes = (wait: PlanWait, minutes: number | undefined): PlanWait =>
  minutes === undefined ? wait : { ...wait, minutes };

/**
 * Returns the declared object that another object needs before it works, such as the DNS record of a domain,
 * and whether the account has it already. The plan says that it sets this object if not, and advises the user
 * if it is there but does not help. `from`: the objects that would do, each with the value that it must have.
 * Undefined if the configuration declares none of them.
 */
function findProvider(
  { from }: MissingObject,
  changeOf: ReadonlyMap<string, Change>,
): { address: string; isLive: boolean } | undefined {
  // The value may be anywhere in the fields.
  const hasValue = (object: Resource | LiveResource | undefined, value: string) =>
    containsValue(object?.fields, (part) => part === value || visitMembers);
  const declared = from.filter(({ address, value }) => hasValue(changeOf.get(address)?.after, value));
  const live = declared.find(({ address, value }) => {
    const { action, before } = changeOf.get(address)!;
    // An object that is as desired has the value, even if it cannot be seen: a value that equals a secret of the run is sealed.
    return action === 'noop' || hasValue(before, value);
  });
  const provider = live ?? declared[0];
  return provider && { address: provider.address, isLive: provider === live };
}
