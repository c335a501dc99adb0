import { withIds } from '../kind/digests.ts';
import { resolveFields } from '../kind/empty-is-absent.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, indexByAddress, lastNameOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { memoize } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { type Live, type LiveResource, withAlternatives } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { Fields, Value } from '../model/value.ts';

interface KnownObjectsOptions {
  plan: Plan;
  live: Live;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
}

/**
 * Knows the current ids and attributes of all objects while a run changes them. The run fills references in requests and ledger entries
 * from here: an object that it has just created has an id that the plan did not know.
 */
export class KnownObjects {
  readonly #options: KnownObjectsOptions;
  readonly #changeOf: ReadonlyMap<Address, Change>;
  readonly #ids: Map<Address, string[]>;
  /** The fields of objects of the plan that were read again during the run. */
  readonly #readFields = new Map<Address, Fields>();
  /** The ids that this run has recorded for objects that it changed. */
  readonly #recordedIds = new Set<string>();
  /** The ids of objects that this run has deleted, as far as no later object has them. */
  readonly #deletedIds = new Set<string>();
  /** Returns the ids of all objects of a kind in the account as it was read. */
  readonly #liveIdsOf = memoize((kind: Kind): ReadonlySet<string> => {
    const { resources, hiddenIds = [] } = this.#options.live;
    const objects = [...resources.values()].filter((resource) => resource.kind === kind.name);
    return new Set([...withAlternatives(objects).flatMap(({ ids }) => ids), ...hiddenIds]);
  });
  /** The members of a creation's answer that the platform shows only once, sealed. */
  readonly #shownSecrets = new Map<Address, ReadonlyMap<string, Sealed>>();

  /**
   * Takes over the ids of all live objects before an apply starts. A request often needs the id of another
   * object, so the run looks up ids here to fill references into requests, and adds those of the objects that
   * it creates.
   */
  constructor(options: KnownObjectsOptions) {
    const { plan, live } = options;
    this.#options = options;
    this.#changeOf = indexByAddress(plan.changes);
    this.#ids = new Map([...live.resources].map(([address, { ids }]) => [address, ids]));
    // At the address of a change, the account may have further objects that are not ours, so only the planned ones count. A change without
    // `before` and `after` only removes a ledger entry: its object stays, and other changes may still refer to it, for example to end a
    // link.
    for (const { address, before, after } of plan.changes)
      if (before || after) this.#ids.set(address, before?.ids ?? []);
  }

  /** Returns all current ids of an address. */
  idsOf(address: Address): string[] {
    return this.#ids.get(address) ?? [];
  }

  /**
   * Sets the current ids of the objects at an address, after a request has created, found or deleted some.
   * They are remembered as ids of this run, so that later requests can refer to them and checks do not take
   * them for those of others.
   */
  setIds(address: Address, ids: string[]): void {
    this.#ids.set(address, ids);
    for (const id of ids) {
      this.#recordedIds.add(id);
      this.#deletedIds.delete(id);
    }
  }

  /** True if this run has recorded the id, for an object that it has created, found or changed. */
  isRecordedByRun(id: string): boolean {
    return this.#recordedIds.has(id);
  }

  /**
   * Takes note that this run has deleted the object with an id, so that a later creation may get the id again, like that of a firewall
   * bypass.
   */
  markDeleted(id: string): void {
    this.#deletedIds.add(id);
  }

  /**
   * True if an object of this kind had the id when the account was read, or if this run has recorded the id, unless the run has deleted the
   * object since. Then no later creation of the run made the object with it. Used where the answer to a creation also lists other objects.
   */
  isKnownId(kind: Kind, id: string): boolean {
    if (this.#deletedIds.has(id)) return false;
    return this.#recordedIds.has(id) || this.#liveIdsOf(kind).has(id);
  }

  /**
   * Takes the fields of an object of the plan from `live`, a later reading of its collection. Used for references to
   * fields that the platform fills in, such as a generated secret. Does nothing if the reading lacks the object.
   */
  addReadFields({ address, kind, parent }: Change, live: Live): void {
    const ids = this.idsOf(address);
    const isSameObject = (object: LiveResource) =>
      object.kind === kind && object.parent === parent && object.ids.some((id) => ids.includes(id));
    const resource = [...live.resources.values()].find(isSameObject);
    if (resource) this.#readFields.set(address, resource.fields);
  }

  /** Keeps the secrets that the answer to a creation shows only once, for the variables that they are written to. */
  keepShownSecret(address: Address, members: ReadonlyMap<string, Sealed>): void {
    this.#shownSecrets.set(address, members);
  }

  /** True if this run has received the secret of an object that is shown only once. */
  hasShownSecret(address: Address): boolean {
    return this.#shownSecrets.has(address);
  }

  /**
   * Returns an attribute of an object (its id or a field) to fill a reference in a request, right before it
   * is sent; undefined while it is not known. A secret that was shown only once comes first, then the desired
   * field, then the field as it was read.
   */
  attribute(address: Address, attr: string): Value | undefined {
    // An address `#ID` names an object of the account by its id.
    if (attr === 'id' && address.startsWith('#')) return lastNameOf(address);
    if (attr === 'id') return this.#ids.get(address)?.at(-1);
    const shown = this.#shownSecrets.get(address)?.get(attr);
    if (shown) return shown;
    const { live } = this.#options;
    return (
      this.#changeOf.get(address)?.after?.fields[attr] ??
      (this.#readFields.get(address) ?? live.resources.get(address)?.fields)?.[attr]
    );
  }

  /**
   * Returns a change with its references filled, as far as their attributes are known, and with ids instead of addresses, also in the form
   * of a variable that takes another object's secret (`secretOf`). Used to digest the applied values for the ledger, because these digests
   * must not depend on the names in the configuration.
   */
  fillReferences(change: Change): Change {
    const { after } = change;
    if (!after) return change;
    const { kinds, secrets } = this.#options;
    const attribute = (address: Address, attr: string) => this.attribute(address, attr);
    const fields = resolveFields(kinds.get(change.kind)!, after, { secrets, attribute });
    const idOf = (address: Address) => this.attribute(address, 'id');
    const { secretOf } = after.meta;
    const secretOfWithIds = secretOf && { ...secretOf, form: withIds(secretOf.form, idOf) };
    const meta = secretOfWithIds ? { ...after.meta, secretOf: secretOfWithIds } : after.meta;
    return { ...change, after: { ...after, meta, fields: withIds(fields, idOf) as Fields } };
  }
}
