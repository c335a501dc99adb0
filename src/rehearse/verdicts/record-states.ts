import { childKinds } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Meaning } from '../../kind/meaning.ts';
import type { AccountFacts } from '../../kind/read.ts';
import type { Address } from '../../model/address.ts';
import type { LedgerKey } from '../../model/digest.ts';
import type { ApplyEvent } from '../../model/event.ts';
import type { Ledger } from '../../model/ledger.ts';
import type { Operation } from '../../model/plan.ts';
import { type Endpoint, isRead, type Request, type Send } from '../../model/request.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  type Desired,
  type Live,
} from '../../model/resource.ts';
import { observe } from '../../observe/observe.ts';
import { prepareRefresh } from '../../observe/refresh.ts';

/** The account at one moment of an apply. */
export interface AccountState {
  /** The part of the account that decides what happens to requests of visitors, as `observe` has read it. */
  live: Live;
  /** The endpoint of the last request before this state: `PATCH /v1/security/firewall/config`. Undefined for the state before the apply. */
  request: Endpoint | undefined;
}

/** What reading the account after a request needs. */
export interface StateReader {
  desired: Desired;
  ledger: Ledger;
  kinds: Kinds;
  facts: AccountFacts;
  key: LedgerKey | undefined;
  /** Natural addresses whose objects are meant by another address, because `$was` renames them. */
  aliases: ReadonlyMap<Address, Address>;
  /** Sends the reads. They must not count as requests of the apply. */
  send: Send;
}

/** The recording of an apply. */
export interface StateRecording {
  /** Sends the requests of the apply, and reads the account after those that can change what visitors meet. */
  send: Send;
  /** Must get all events of the apply, because they tell which operations are running when a request is sent. */
  onEvent(event: Pick<ApplyEvent, 'type'> & { operation?: Operation }): void;
  /** Reads the postponed collections. Must be called after the apply, so that the last state is the one after it. */
  finish(): Promise<void>;
  /** The states so far: first the state before the apply, then the states after its requests, in order. */
  states: readonly AccountState[];
}

/**
 * Starts to record the states of an account while a plan is applied to a twin (a copy of the platform on this machine), so that
 * `judgeTransitions` can tell what visitors meet on the way. The apply must use the `send` and `onEvent` of the result. Records nothing if
 * no operation of the plan changes an object of the kinds that visitors notice (`meaning.visitorKinds`). Throws if the account cannot be read.
 */
export async function recordStates(
  operations: readonly Operation[],
  { visitorKinds, hostKinds }: Pick<Meaning, 'visitorKinds' | 'hostKinds'>,
  reader: StateReader,
  send: Send,
): Promise<StateRecording> {
  const kinds = new Set(visitorKinds);
  if (!operations.some(({ kind }) => kinds.has(kind)))
    return { send, onEvent: () => {}, finish: async () => {}, states: [] };
  const narrowed = narrowToKinds(reader, kinds);
  const liveBefore = await readAll(narrowed);
  const recorder = new StateRecorder(narrowed, liveBefore, { visitorKinds: kinds, hostKinds });
  return {
    states: recorder.states,
    finish: () => recorder.finish(),
    onEvent: (event) => recorder.noteEvent(event),
    send: async (request, ...options) => {
      const answer = await send(request, ...options);
      if (!isRead(request)) await recorder.recordRequest(request);
      return answer;
    },
  };
}

/** The members of `Meaning` with the same names. */
interface RecordedKinds {
  visitorKinds: ReadonlySet<string>;
  hostKinds: readonly string[];
}

/**
 * Adds a state after each request that visitors may notice. It reads only the collections (lists of objects) that the request can have
 * changed, so that a recording of many requests stays cheap.
 *
 * Contents of a new project or domain lead to no state of their own: a project without a deployment answers nothing, and no name of a new
 * zone had an answer before. Their collections are postponed: they are read together with the next state, or by `finish`. Hosts
 * (`hostKinds`) are read at once, because visitors may use them already.
 */
class StateRecorder {
  readonly states: AccountState[];
  readonly #reader: StateReader;
  readonly #liveBefore: Live;
  readonly #kinds: RecordedKinds;
  readonly #refreshOf: ReturnType<typeof prepareRefresh>;
  readonly #postponed = new Set<CollectionId>();
  /** The last request with postponed collections. `finish` names it as the request of its state. */
  #postponedRequest: Request | undefined;
  /** The operations that are being applied, by which the objects that a request changes are found. */
  readonly #running = new Set<Operation>();
  /** One read at a time, because each builds on the one before. */
  #lastRead: Promise<unknown> = Promise.resolve();

  /**
   * Starts with the state before the apply (`liveBefore`). `reader`: what reading the twin (the simulated account of a rehearsal) needs.
   */
  constructor(reader: StateReader, liveBefore: Live, kinds: RecordedKinds) {
    this.#reader = reader;
    this.#liveBefore = liveBefore;
    this.#kinds = kinds;
    this.#refreshOf = prepareRefresh(reader);
    this.states = [{ live: liveBefore, request: undefined }];
  }

  /**
   * Keeps which operations of the apply are running, by its events. A request does not name its operation, so `#record` looks among these
   * for the objects that a request can have changed.
   */
  noteEvent({ type, operation }: Parameters<StateRecording['onEvent']>[0]): void {
    if (!operation) return;
    if (type === 'started') this.#running.add(operation);
    else this.#running.delete(operation);
  }

  /**
   * Records the state of the twin (the simulated account of a rehearsal) after a request that was sent, or postpones the reading. Requests
   * that only prepare a staged version are ignored, because visitors notice nothing before it is promoted.
   */
  async recordRequest(request: Request): Promise<void> {
    this.#lastRead = this.#lastRead.then(async () => {
      if (!isStagedChange(request)) await this.#record(request);
    });
    await this.#lastRead;
  }

  /**
   * Adds the state after a request that was sent. If visitors notice none of the collections (lists of objects) that it changed, because
   * these are in a new object, only remembers them, to read them together with a later state.
   */
  async #record(request: Request): Promise<void> {
    const context = { ...this.#reader, live: this.#liveBefore };
    const collections = collectionsOf(request, this.#running, this.#kinds.visitorKinds, context);
    if ([...collections].some((id) => this.#isNoticeable(id))) {
      await this.#addState(request, collections);
      return;
    }
    for (const id of collections) this.#postponed.add(id);
    if (collections.size > 0) this.#postponedRequest = request;
  }

  /** Adds a last state if collections are still postponed. */
  async finish(): Promise<void> {
    if (this.#postponedRequest && this.#postponed.size > 0)
      await this.#addState(this.#postponedRequest, new Set());
  }

  /**
   * Adds the state after a request: the one before, with the new contents of these collections (lists of objects) and of those whose
   * reading was postponed.
   */
  async #addState({ endpoint }: Request, collections: ReadonlySet<CollectionId>): Promise<void> {
    const unreadCollections = new Set([...this.#postponed, ...collections]);
    this.#postponed.clear();
    const { live } = this.states.at(-1)!;
    this.states.push({ live: await readAgain(this.#refreshOf, live, unreadCollections), request: endpoint });
  }

  /**
   * True if visitors can notice a change of a collection (a list of objects), so that it is read at once: unless it is in an object that
   * the apply creates, such as a project, which answers nothing yet. Hosts always count, because visitors may use them already.
   */
  #isNoticeable(id: CollectionId): boolean {
    const [parent, kind] = collectionParts(id);
    const isHost = this.#kinds.hostKinds.includes(kind);
    return isHost || !isInNewObject(parent, this.#liveBefore, this.#reader.desired);
  }
}

/**
 * Returns the input of a reader of the account with only the declared and recorded objects of some kinds. `recordStates` narrows to
 * `visitorKinds`, because it reads again and again during an apply, and needs only the lists that decide about requests of visitors.
 */
function narrowToKinds(reader: StateReader, kinds: ReadonlySet<string>): StateReader {
  const { desired, ledger } = reader;
  const resources = new Map([...desired.resources].filter(([, { kind }]) => kinds.has(kind)));
  const entries = Object.fromEntries(
    Object.entries(ledger.entries).filter(([, { kind }]) => kinds.has(kind)),
  );
  return { ...reader, desired: { ...desired, resources }, ledger: { ...ledger, entries } };
}

const readAll = ({ desired, ledger, kinds, send, ...options }: StateReader): Promise<Live> =>
  observe(desired, ledger, kinds, send, options);

/**
 * Returns the collections (lists of objects) that a request of the apply can have changed, so that the recorder reads only these again:
 * those of the running operations that send this endpoint, and those of the objects that these operations change, because one request can
 * write a firewall together with its rules. Empty if visitors cannot notice the request. `visitorKinds`: the kinds that decide how requests
 * of visitors are answered. `live`: the account before the apply, for deleted objects.
 */
function collectionsOf(
  { endpoint }: Request,
  running: ReadonlySet<Operation>,
  visitorKinds: ReadonlySet<string>,
  { kinds, desired, live }: StateReader & { live: Live },
): Set<CollectionId> {
  const mayHaveSent = ({ requests }: Operation) => requests.some((request) => request.endpoint === endpoint);
  const isRootContainer = ({ kind, parent }: Operation) =>
    parent === undefined && childKinds(kinds, kind).length > 0;
  const isDeletion = endpoint.startsWith('DELETE ');
  // Visitors reach a root container, such as a project, only through its children. Its deletion counts, because it also deletes them.
  const isNoticeable = (operation: Operation) =>
    visitorKinds.has(operation.kind) && (isDeletion || !isRootContainer(operation));
  const operations = [...running].filter((operation) => mayHaveSent(operation) && isNoticeable(operation));
  const collectionsOfChange = (address: Address) =>
    [desired.resources.get(address), live.resources.get(address)].flatMap((object) =>
      object ? collectionId(object.kind, object.parent) : [],
    );
  return new Set(
    operations.flatMap(({ kind, parent, changes }) => [
      collectionId(kind, parent),
      ...changes.flatMap(collectionsOfChange),
    ]),
  );
}

/** True for a request that changes a staged version. Visitors meet it only when the last request of the operation promotes the version. */
const isStagedChange = ({ stages }: Request): boolean => stages?.version !== undefined;

/**
 * True if an address belongs to a project, domain or other object at the top of the account, or to something in it, that did not exist
 * before the apply (`live`): no visitor can use it yet, so `StateRecorder` need not read it at once. False if the list of the objects at
 * the top could not be read, because the object may exist then. A partly read list is enough: it was asked for all objects that the
 * configuration declares.
 */
function isInNewObject(address: Address | undefined, live: Live, desired: Desired): boolean {
  if (address === undefined || live.resources.has(address)) return false;
  const resource = desired.resources.get(address);
  if (!resource) return false;
  if (resource.parent !== undefined) return isInNewObject(resource.parent, live, desired);
  const list = collectionId(resource.kind, undefined);
  return live.complete.has(list) || live.partial.has(list);
}

/**
 * Reads some collections (lists of objects) of the twin (the simulated account of a rehearsal) again, and returns an earlier reading of the
 * twin (`before`) with their new contents. So each step of a recorded apply costs only the lists that it changes. Objects and unreadable
 * lists are left out if an object around them no longer exists: `refreshOf` keeps them, because it reads only these collections.
 */
async function readAgain(
  refreshOf: ReturnType<typeof prepareRefresh>,
  before: Live,
  collections: ReadonlySet<CollectionId>,
): Promise<Live> {
  const live = await refreshOf(before)(collections);
  // The map of a refresh looks up other objects in the map before it. Copies prevent that a long recording builds a long chain of maps.
  const resources = new Map(live.resources);
  const isGone = (address: Address | undefined): boolean =>
    address !== undefined && (!resources.has(address) || isGone(resources.get(address)!.parent));
  return {
    ...live,
    resources: new Map([...resources].filter(([, { parent }]) => !isGone(parent))),
    // A refresh names only the complete collections that it has read. The others are as complete as before.
    complete: new Set([...before.complete, ...live.complete]),
    unreadable: new Map([...live.unreadable].filter(([id]) => !isGone(collectionParts(id)[0]))),
  };
}
