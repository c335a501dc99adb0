import { withIds } from '../kind/digests.ts';
import { knownFields } from '../kind/empty-is-absent.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Address, lastNameOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { Fields, Value } from '../model/value.ts';

interface KnownObjectsOptions {
  plan: Plan;
  live: Live;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
}

/** The current ids and attributes of objects, which fill references. */
export class KnownObjects {
  readonly #options: KnownObjectsOptions;
  readonly #changeOf: ReadonlyMap<Address, Change>;
  readonly #ids: Map<Address, string[]>;
  /** What the account shows of objects that this run has made. */
  readonly #made = new Map<Address, Fields>();
  /** What the platform showed once at the creation of an object, sealed. */
  readonly #shown = new Map<Address, ReadonlyMap<string, Sealed>>();

  constructor(options: KnownObjectsOptions) {
    const { plan, live } = options;
    this.#options = options;
    this.#changeOf = new Map(plan.changes.map((change) => [change.address, change]));
    this.#ids = new Map([...live.resources].map(([address, { ids }]) => [address, ids]));
    // A change is about what was planned on: under its address there may be more that is not ours. A change without both sides only forgets
    // a ledger entry, and other changes may still refer to the object, such as one that ends a link to it.
    for (const { address, before, after } of plan.changes)
      if (before || after) this.#ids.set(address, before?.ids ?? []);
  }

  /** All current ids of an address. */
  idsOf(address: Address): string[] {
    return this.#ids.get(address) ?? [];
  }

  setIds(address: Address, ids: string[]): void {
    this.#ids.set(address, ids);
  }

  /** Takes the fields of an object that this run has made from a later reading of its collection. */
  learn({ address, kind, parent }: Change, live: Live): void {
    const ids = this.idsOf(address);
    const isMade = (object: LiveResource) =>
      object.kind === kind && object.parent === parent && object.ids.some((id) => ids.includes(id));
    const resource = [...live.resources.values()].find(isMade);
    if (resource) this.#made.set(address, resource.fields);
  }

  /** Keeps what the platform shows once at the creation of an object, for the variables that it is written to. */
  setShown(address: Address, members: ReadonlyMap<string, Sealed>): void {
    this.#shown.set(address, members);
  }

  /** True if this run has been shown the secret of an object. */
  isShown(address: Address): boolean {
    return this.#shown.has(address);
  }

  /** An attribute of an object; undefined while it is not known. */
  attribute(address: Address, attr: string): Value | undefined {
    // An object that was never read, only mentioned: its address is made of its id.
    if (attr === 'id' && address.startsWith('#')) return lastNameOf(address);
    if (attr === 'id') return this.#ids.get(address)?.at(-1);
    const shown = this.#shown.get(address)?.get(attr);
    if (shown) return shown;
    const { live } = this.#options;
    return (
      this.#changeOf.get(address)?.after?.fields[attr] ??
      (this.#made.get(address) ?? live.resources.get(address)?.fields)?.[attr]
    );
  }

  /** The change with its references filled, if known, by ids in place of addresses. */
  filled(change: Change): Change {
    const { after } = change;
    if (!after) return change;
    const { kinds, secrets } = this.#options;
    const attribute = (address: Address, attr: string) => this.attribute(address, attr);
    const fields = knownFields(kinds.get(change.kind)!, after, { secrets, attribute });
    const idOf = (address: Address) => this.attribute(address, 'id');
    const { secretOf } = after.meta;
    const meta = secretOf
      ? { ...after.meta, secretOf: { ...secretOf, form: withIds(secretOf.form, idOf) } }
      : after.meta;
    return { ...change, after: { ...after, meta, fields: withIds(fields, idOf) as Fields } };
  }
}
