import { secretIdOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, escapeName } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { type LedgerKey, secretId } from '../model/ledger-key.ts';
import type { Masking } from '../model/masking.ts';
import type { Move } from '../model/move.ts';
import type { Operation, Plan, PlanSource } from '../model/plan.ts';
import { isRead, type Request } from '../model/request.ts';
import type { Live } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { holesIn, valueAtPath } from '../model/value.ts';
import { createLedgerEntry, unfinishedEntry } from './create-ledger-entry.ts';
import { Intents } from './intents.ts';
import { KnownObjects } from './known-objects.ts';
import { LedgerEntries, UpdatedAt } from './ledger-entries.ts';
import { ListOrders } from './list-orders.ts';
import { rowTargets, unitsAfter } from './row-targets.ts';
import { Staging } from './staging.ts';
import { batchAnswer, isId } from './unclear-answer.ts';

export interface RecorderOptions {
  plan: Plan;
  live: Live;
  ledger: Ledger;
  /** The renames that the account does not have yet. */
  moves: Move[];
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  /** The secrets of the run, kept out of what the platform says. */
  masking: Masking;
  key?: LedgerKey | undefined;
  /** The configuration's files, for the ledger. */
  inputs: string[];
  /** The time, in milliseconds. */
  now(): number;
}

interface Noted {
  /** Items of a batch that were refused. */
  refused: ReadonlyMap<Address, Error>;
  /** Addresses whose outcome the answer leaves open, each with any of its words that may be about it. */
  unknown: ReadonlyMap<Address, string | undefined>;
}

/** Records a run in the ledger as it goes: the current ids of objects, and the changes that were made. The ledger has only what happened. */
export class Recorder {
  /** The current ledger, under the configuration's names; changes with every entry. */
  readonly ledger: Ledger;
  /** The current ids and attributes of objects. */
  readonly known: KnownObjects;
  readonly #options: RecorderOptions;
  readonly #changeOf: ReadonlyMap<Address, Change>;
  readonly #parentKinds: ReadonlySet<string>;
  readonly #entries: LedgerEntries;
  readonly #updatedAt: UpdatedAt;
  readonly #staging: Staging;
  readonly #intents: Intents;
  readonly #orders: ListOrders;
  /** The addresses whose changes are done. */
  readonly #done = new Set<Address>();

  constructor(options: RecorderOptions) {
    const { plan, live, ledger: before, moves, inputs, now } = options;
    const changeOf = new Map(plan.changes.map((change) => [change.address, change]));
    this.#options = options;
    this.#changeOf = changeOf;
    this.#parentKinds = new Set([...options.kinds.values()].flatMap(({ parent }) => parent ?? []));
    this.known = new KnownObjects(options);
    this.#entries = new LedgerEntries(plan, before.entries, moves);
    const entries = this.#entries.of;
    // A plan that leaves anything out says nothing of the files that this came from.
    const isWhole = Object.keys(entries).every(
      (address) => entries[address]!.existing || changeOf.has(address),
    );
    const { unverifiedFirstChange, ...known } = before;
    const sends = plan.operations.length > 0;
    const firstChange = sends ? plan.firstContact?.firstChange : unverifiedFirstChange;
    this.ledger = {
      ...known,
      ...(firstChange === undefined ? {} : { unverifiedFirstChange: firstChange }),
      entries,
      inputs: isWhole ? inputs : union(before.inputs, inputs),
      ...(plan.sources ? { sources: remembered(plan.sources) } : {}),
    };
    // From now on something may be on its way, whatever is heard of it.
    if (sends) this.ledger.lastWrite = new Date(now()).toISOString();
    this.#updatedAt = new UpdatedAt(plan, this.#entries);
    const expected = (change: Change) => this.expected(change);
    this.#staging = new Staging(this.ledger, {
      ...{ plan, live, changeOf, expected },
      hasHoles: (change) => holesIn(this.known.filled(change).after?.fields).length > 0,
      touch: (collection) => this.#entries.touchList(collection),
    });
    this.#intents = new Intents(this.ledger, { ...options, known: (change) => this.known.filled(change) });
    this.#orders = new ListOrders(this.ledger, options);
    this.#touchIntents();
  }

  /** The ledger to store now: entries that are not renamed yet under their old names. */
  kept(): Ledger {
    return this.#entries.kept(this.ledger);
  }

  /** The addresses whose entries have changed since the last call. */
  touched(): Address[] {
    return this.#entries.touched();
  }

  knows(address: Address): boolean {
    return this.#entries.of[address] !== undefined;
  }

  /** The current ids of an operation's objects, as far as they may be shown. */
  shownIds({ kind, changes }: Operation): Record<Address, string> {
    if (secretIdOf(this.#kindOf(kind)) !== undefined) return {};
    return Object.fromEntries(
      changes.flatMap((address) => {
        const id = this.known.idsOf(address).at(-1);
        return id === undefined ? [] : [[address, id]];
      }),
    );
  }

  /** The entry that the ledger gets once a change is done. */
  expected(change: Change): LedgerEntry | undefined {
    const { address } = change;
    return createLedgerEntry(
      this.known.filled(change),
      this.#kindOf(change.kind),
      this.known.idsOf(address),
      this.#entries.of[address],
      this.#options.key,
    );
  }

  /** Records a finished change. */
  record(change: Change): void {
    const { address, action } = change;
    const entry = this.expected(change);
    const updatedAt = this.#updatedAt.of(change, this.known.idsOf(address));
    if (entry) this.#entries.put(address, updatedAt === undefined ? entry : { ...entry, updatedAt });
    else this.#entries.drop(address);
    this.#intents.ends(address);
    this.#done.add(address);
    this.#noteWritten(change);
    this.#entries.renameDone(address, () => Object.keys(this.ledger.begun ?? {}));
    // A deleted container took its contents with it. Most kinds hold nothing, so there is nothing to search for.
    if (action === 'delete' && this.#parentKinds.has(change.kind))
      for (const other of this.#entries.below(address)) this.#entries.remove(other);
  }

  /**
   * Called before a request of an operation is sent, with those after it. Tells whether the ledger has to be stored first: on this
   * machine, or wherever it is kept.
   */
  begin(
    request: Request,
    following: Request[],
    { changes }: Pick<Operation, 'changes'>,
  ): 'here' | 'everywhere' | undefined {
    if (isRead(request)) return undefined;
    this.ledger.lastWrite = new Date(this.#options.now()).toISOString();
    const created = this.#intents.begins(request, following);
    for (const address of created) this.#entries.touch(address);
    const lists = this.#orders.begins(changes);
    for (const id of lists) this.#entries.touchList(id);
    if (this.#staging.begins(request.stages)) return 'everywhere';
    return created.length > 0 || lists.length > 0 ? 'here' : undefined;
  }

  /** Records an answer. `unread`: addresses on which it is silent, since it cannot be read. */
  note(request: Request, answer: unknown, kindName: string, unread: readonly Address[] = []): Noted {
    const { drops = [], returns = [] } = request;
    const kind = this.#kindOf(kindName);
    const isUnread = unread.length > 0;
    const batch = batchAnswer(request, answer, kind, { masking: this.#options.masking, isUnread });
    const told = returns.map((one) => ({
      address: one.address,
      id: 'id' in one ? one.id : valueAtPath(answer, one.path),
    }));
    const unknown = new Map<Address, string | undefined>([
      ...unread.map((address) => [address, undefined] as const),
      ...batch.unknown,
      ...told.flatMap(({ address, id }) => (isId(id) ? [] : [[address, undefined] as const])),
    ]);
    const { refused } = batch;
    const isDone = ({ address }: { address: Address }) => !refused.has(address) && !unknown.has(address);
    this.#noteGone(request, drops.filter(isDone), kind);
    for (const { address, id } of told.filter(isDone))
      if (isLabelled(kind)) this.#setNew(request, kind, address, this.#ownIds(kind, String(id)));
      else this.#set(request, kind, address, [...this.known.idsOf(address), String(id)]);
    if (request.stages) this.#staging.answered(request.stages);
    this.#intents.heard(request, unknown);
    const isSaid = new Set([...drops, ...returns].map(({ address }) => address));
    for (const [address, id] of batch.ids)
      if (!isSaid.has(address)) this.#setNew(request, kind, address, this.#ownIds(kind, id));
    this.#updatedAt.note(kind, answer);
    return { refused, unknown };
  }

  /** Records what the account has shown in place of an answer. `found`: the current ids of addresses. */
  learn(request: Request, found: ReadonlyMap<Address, string[]>, kindName: string): void {
    const kind = this.#kindOf(kindName);
    if (isLabelled(kind))
      for (const { address, id } of request.drops ?? [])
        if (found.has(address)) this.#entries.remove(besides(address, id));
    for (const [address, now] of found) {
      const isNew = now.some((id) => !this.known.idsOf(address).includes(id));
      if (isNew) this.#setNew(request, kind, address, now);
      else this.#set(request, kind, address, now);
      this.#intents.found(address);
    }
  }

  /** Records that a request had no effect, except at these addresses, which stay in doubt. */
  refused(request: Request, made: ReadonlyMap<Address, unknown>): void {
    // A read that fails says nothing of the write before it.
    if (!isRead(request)) this.#intents.heard(request, made);
  }

  /** Records that the secret of a creation was delivered. */
  delivered(address: Address): void {
    const { tainted: _, ...entry } = this.#entries.of[address]!;
    this.#entries.put(address, entry);
  }

  /** Records whether the account kept the canary. `memories`: what it shows instead, if it did not. */
  canaryChecked(memories: ReadonlyMap<Address, NonNullable<LedgerEntry['notKept']>> | undefined): void {
    if (!memories) delete this.ledger.unverifiedFirstChange;
    for (const [address, notKept] of memories ?? [])
      this.#entries.put(address, { ...this.#entries.of[address]!, notKept });
  }

  /** Called at the end of the run. */
  close(): void {
    this.#touchIntents();
    this.#intents.close();
    this.#staging.close();
    this.#orders.close((address) => this.#done.has(address), this.#entries.of);
    this.#recordTargets();
  }

  /** Records the targets of all rows that hold units of ours. */
  #recordTargets(): void {
    const { plan, live, kinds } = this.#options;
    const entries = this.#entries.of;
    const targets = rowTargets({
      units: unitsAfter({ plan, live, kinds, known: this.known, entries }),
      entries,
      joined: new Set(plan.joined),
    });
    for (const [address, known] of targets)
      this.#entries.put(address, { ...this.#entries.of[address]!, targets: known });
  }

  /** The secret of an object has arrived once all variables for it are written. */
  #noteWritten({ after }: Change): void {
    const object = after?.meta.secretOf?.object;
    if (object === undefined || !this.known.isShown(object)) return;
    const variables = this.#options.plan.changes.filter(
      (change) => change.after?.meta.secretOf?.object === object,
    );
    if (variables.every(({ address }) => this.#done.has(address))) this.delivered(object);
  }

  #kindOf(name: string): Kind {
    return this.#options.kinds.get(name)!;
  }

  #touchIntents(): void {
    for (const address of Object.keys(this.ledger.begun ?? {})) this.#entries.touch(address);
  }

  #noteGone(request: Request, drops: { address: Address; id: string }[], kind: Kind): void {
    for (const { address, id } of drops) {
      if (isLabelled(kind)) this.#entries.remove(besides(address, id));
      const left = this.known.idsOf(address).filter((other) => other !== id);
      this.#set(request, kind, address, left);
    }
  }

  /** Sets the ids of an address; in the ledger, too, unless they are only staged so far. */
  #set(request: Request, kind: Kind, address: Address, now: string[]): void {
    this.known.setIds(address, now);
    this.#staging.enter(request.stages, () => this.#assign(address, kind, now));
  }

  #setNew(request: Request, kind: Kind, address: Address, now: string[]): void {
    const entry = this.#entries.of[address];
    // Known until it is gone: the run may end before.
    if (isLabelled(kind) && entry)
      for (const old of this.#changeOf.get(address)?.before?.ids ?? [])
        if (!now.includes(old)) this.#entries.put(besides(address, old), { ...entry, ids: [old] });
    this.#set(request, kind, address, now);
  }

  #assign(address: Address, operated: Kind, now: string[]): void {
    // Gone by our own hand, until it is created again: not "deleted outside".
    if (now.length === 0) {
      this.#entries.drop(address);
      return;
    }
    const change = this.#changeOf.get(address);
    const old = this.#entries.of[address];
    const kind = change ? this.#kindOf(change.kind) : operated;
    const filled = change && this.known.filled(change);
    const entry = unfinishedEntry(filled, kind, now, old, this.#options.key);
    // Not when another one goes: the secret of the new one may have arrived by then.
    const isMore = now.some((id) => !old?.ids.includes(id));
    const isOwed = kind.shows && createsObject(change) && isMore;
    this.#entries.put(address, isOwed ? { ...entry, tainted: true } : entry);
  }

  /** The ids that the ledger may keep. Without a key nothing of a secret is kept. */
  #ownIds(kind: Kind, id: string): string[] {
    const { key } = this.#options;
    if (secretIdOf(kind) === undefined) return [id];
    return key ? [secretId(key, id)] : [];
  }
}

/** True for objects whose label names their address; only the id tells such an object from others with the same label. */
const isLabelled = ({ shape }: Kind): boolean => !shape.isNamed;

/** The address of an object whose replacement is made before it goes: the one at which it would be found without a label. */
const besides = (address: Address, id: string): Address =>
  [...address.split('/').slice(0, -1), escapeName(id)].join('/');

const remembered = (sources: PlanSource[]): Record<string, string> =>
  Object.fromEntries(sources.map(({ name, source }) => [name, source]));

const union = (one: string[], other: string[]) => [...new Set([...one, ...other])].sort();
