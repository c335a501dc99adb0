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
export interface WayReader {
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
export interface WayRecording {
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
 * Starts to record what visitors meet while a plan is applied to a twin: `judgeTransitions` compares the recorded states. Only requests of operations for
 * kinds of `meaning.wayKinds` are followed by a read, and only their collections are read again, so that a recording of many requests stays cheap. Records
 * nothing if the plan has no such operation. Throws if the account cannot be read.
 *
 * Requests for the contents of a new project or domain lead to no state of their own: a project without a deployment answers nothing, and no name of a new
 * zone had an answer before. These collections are read together with the next state, or by `finish`. Hosts (`meaning.hostKinds`) are read at once, because
 * visitors may use them already.
 */
export async function recordWay(
  operations: readonly Operation[],
  { wayKinds, hostKinds }: Pick<Meaning, 'wayKinds' | 'hostKinds'>,
  reader: WayReader,
  send: Send,
): Promise<WayRecording> {
  const kinds = new Set(wayKinds);
  if (!operations.some(({ kind }) => kinds.has(kind)))
    return { send, onEvent: () => {}, finish: async () => {}, states: [] };
  const narrowed = narrowToKinds(reader, kinds);
  const liveBefore = await readAll(narrowed);
  const refreshOf = prepareRefresh(narrowed);
  const states: AccountState[] = [{ live: liveBefore, request: undefined }];
  const postponed = new Set<CollectionId>();
  let postponedRequest: Request | undefined;
  const running = new Set<Operation>();
  // One read at a time, because each builds on the one before.
  let lastRead: Promise<unknown> = Promise.resolve();
  const addState = async ({ endpoint }: Request, collections: ReadonlySet<CollectionId>) => {
    const unreadCollections = new Set([...postponed, ...collections]);
    postponed.clear();
    states.push({
      live: await readAgain(refreshOf, states.at(-1)!.live, unreadCollections),
      request: endpoint,
    });
  };
  const canWait = (id: CollectionId): boolean => {
    const [parent, kind] = collectionParts(id);
    return !hostKinds.includes(kind) && isInNewObject(parent, liveBefore, narrowed.desired);
  };
  const record = async (request: Request) => {
    if (isStagedChange(request)) return;
    const collections = collectionsOf(request, running, kinds, { ...narrowed, live: liveBefore });
    if (![...collections].every(canWait)) return addState(request, collections);
    for (const id of collections) postponed.add(id);
    if (collections.size > 0) postponedRequest = request;
  };
  return {
    states,
    finish: async () => {
      if (postponedRequest && postponed.size > 0) await addState(postponedRequest, new Set());
    },
    onEvent({ type, operation }) {
      if (!operation) return;
      if (type === 'started') running.add(operation);
      else running.delete(operation);
    },
    send: async (request, ...options) => {
      const answer = await send(request, ...options);
      if (!isRead(request)) {
        lastRead = lastRead.then(() => record(request));
        await lastRead;
      }
      return answer;
    },
  };
}

/** Returns a reader with only the declared and recorded objects of some kinds, so that nothing else is read. */
function narrowToKinds(reader: WayReader, kinds: ReadonlySet<string>): WayReader {
  const { desired, ledger } = reader;
  const resources = new Map([...desired.resources].filter(([, { kind }]) => kinds.has(kind)));
  const entries = Object.fromEntries(
    Object.entries(ledger.entries).filter(([, { kind }]) => kinds.has(kind)),
  );
  return { ...reader, desired: { ...desired, resources }, ledger: { ...ledger, entries } };
}

const readAll = ({ desired, ledger, kinds, send, ...options }: WayReader): Promise<Live> =>
  observe(desired, ledger, kinds, send, options);

/**
 * Returns the collections that a request can have changed, so that only they are read again: the collections of the running operations with this endpoint,
 * and those of the objects that these operations change, because one request can write a firewall together with its rules. An object with children and
 * without a parent, such as a project, answers no request itself. So only its deletion counts, because it also deletes its children. `live`: the account
 * before the apply, for deleted objects.
 */
function collectionsOf(
  { endpoint }: Request,
  running: ReadonlySet<Operation>,
  wayKinds: ReadonlySet<string>,
  { kinds, desired, live }: WayReader & { live: Live },
): Set<CollectionId> {
  const operations = [...running].filter(
    ({ kind, parent, requests }) =>
      wayKinds.has(kind) &&
      (parent !== undefined || endpoint.startsWith('DELETE ') || childKinds(kinds, kind).length === 0) &&
      requests.some((request) => request.endpoint === endpoint),
  );
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
 * True if an address belongs to a project, domain or other object at the top of the account, or to something in it, that did not exist before the apply.
 * False if the list of these objects could not be read, because the object may exist then.
 */
function isInNewObject(address: Address | undefined, live: Live, desired: Desired): boolean {
  if (address === undefined || live.resources.has(address)) return false;
  const resource = desired.resources.get(address);
  if (!resource) return false;
  if (resource.parent !== undefined) return isInNewObject(resource.parent, live, desired);
  const id = collectionId(resource.kind, undefined);
  return live.complete.has(id) || live.partial.has(id);
}

/**
 * Returns an earlier reading of the twin with the new state of some collections (lists of objects), without objects whose parents no longer exist. So
 * each step of an apply costs only the lists that it changes.
 */
async function readAgain(
  refreshOf: ReturnType<typeof prepareRefresh>,
  before: Live,
  collections: ReadonlySet<CollectionId>,
): Promise<Live> {
  const live = await refreshOf(before)(collections);
  // A plain map, because each reading builds on the one before.
  const resources = new Map(live.resources);
  const isGone = (address: Address | undefined): boolean =>
    address !== undefined && (!resources.has(address) || isGone(resources.get(address)!.parent));
  return {
    ...live,
    resources: new Map([...resources].filter(([, { parent }]) => !isGone(parent))),
    complete: new Set([...before.complete, ...live.complete]),
    unreadable: new Map([...live.unreadable].filter(([id]) => !isGone(collectionParts(id)[0]))),
  };
}
