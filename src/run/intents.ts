import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { seenId } from '../model/digest.ts';
import type { BegunEntry, Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { isRead, type Plan, type Request } from '../model/plan.ts';
import { type CollectionId, collectionId, type Live } from '../model/resource.ts';
import { begunEntry } from './entry.ts';

/** What a run has begun: in the ledger before its first write, so that the next run knows what it finds. */
export interface Begun {
  /**
   * A request is about to be sent: what it creates is in doubt until its answer was heard, or that of the read among the `following`
   * ones that tells the id. Gives back these addresses.
   */
  begins(request: Request, following: Request[]): Address[];
  /** Its answer was heard, but for what it says nothing of; or it certainly had no effect. */
  heard(request: Request, unknown?: ReadonlyMap<Address, unknown>): void;
  /** What became of it was found out. */
  found(address: Address): void;
  /** What was to be done under this address is done. */
  ends(address: Address): void;
  /** The run is over: what is not in doubt is left to the next plan. */
  close(): void;
}

export interface BegunOptions {
  plan: Plan;
  live: Live;
  kinds: Kinds;
  key?: LedgerKey | undefined;
  /** The change as it is recorded, with what is known by now filled in. */
  known(change: Change): Change;
}

/** Notes in the ledger all that a plan will create. */
export function openBegun(ledger: Pick<Ledger, 'begun'>, options: BegunOptions): Begun {
  const { plan, kinds, key, known } = options;
  const changeOf = new Map(plan.changes.map((change) => [change.address, change]));
  const begun: Record<Address, BegunEntry> = { ...ledger.begun, ...toBegin(options) };
  const inDoubt = new Set<Address>();
  let size = Object.keys(begun).length;
  const drop = (address: Address) => {
    if (begun[address]) size--;
    delete begun[address];
    if (size === 0) delete ledger.begun;
  };
  if (size > 0) ledger.begun = begun;
  return {
    begins(request, following) {
      const write = following.findIndex((one) => !isRead(one));
      const told = following.slice(0, write < 0 ? following.length : write);
      const created = [request, ...told]
        .flatMap(createdBy)
        .filter((address) => begun[address] && changeOf.has(address));
      for (const address of created) {
        const { entry, seen } = begun[address]!;
        const change = changeOf.get(address)!;
        // By now it is known what it refers to.
        const now = begunEntry(known(change), kinds.get(change.kind)!, key, entry.salt);
        begun[address] = { entry: now, seen, sent: true };
        inDoubt.add(address);
      }
      return created;
    },
    heard(request, unknown) {
      for (const address of createdBy(request)) if (!unknown?.has(address)) inDoubt.delete(address);
    },
    found: (address) => void inDoubt.delete(address),
    ends: drop,
    close() {
      for (const address of Object.keys(begun)) if (!inDoubt.has(address)) drop(address);
    },
  };
}

/** The addresses of which a request may create something. */
export const createdBy = ({ returns = [], batch = [], shows }: Request): Address[] => [
  ...new Set([...returns.map(({ address }) => address), ...batch.flat(), ...(shows ? [shows.address] : [])]),
];

function toBegin({ plan, live, kinds, key, known }: BegunOptions): Record<Address, BegunEntry> {
  const created = new Set(plan.operations.flatMap(({ requests }) => requests.flatMap(createdBy)));
  const siblings = new Map<CollectionId, string[]>();
  for (const { kind, parent, ids } of live.resources.values()) {
    const at = collectionId(kind, parent);
    siblings.set(at, [...(siblings.get(at) ?? []), ...ids]);
  }
  return Object.fromEntries(
    plan.changes
      .filter(({ address, action, after }) => created.has(address) && after && action !== 'delete')
      .map((change) => {
        const { address, parent } = change;
        const kind = kinds.get(change.kind)!;
        const entry = begunEntry(known(change), kind, key);
        const here = live.resources.get(address);
        const ids = kind.identity
          ? (siblings.get(collectionId(kind.name, parent)) ?? [])
          : (here?.alternatives ?? (here ? [here] : [])).flatMap((one) => one.ids);
        return [address, { entry, seen: ids.map((id) => seenId(entry.salt, id)).sort() }];
      }),
  );
}
