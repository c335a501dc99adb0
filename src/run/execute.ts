import { type Address, isWithin } from '../model/address.ts';
import { type Change, makesObject } from '../model/change.ts';
import type { ApplyEvent, Outcome, RateLimit } from '../model/event.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { isRead, type Operation, type Quota, type Request, type Send } from '../model/plan.ts';
import { type CollectionId, collectionId, type Live, type SecretTo } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { holesIn, lookUp } from '../model/value.ts';
import { openPreconditions } from './checks.ts';
import { fill } from './fill.ts';
import { type LookedUp, lookedUp } from './look-up.ts';
import { overwrittenBy } from './overwritten.ts';
import { type BooksOptions, openBooks } from './recorder.ts';
import { schedule } from './schedule.ts';
import { isLastStaged, saysStaged, stagedAnswer } from './staged-answer.ts';
import { isOpen, lookedUpFor, madeAnyway, notKnown, refusedFor, withValue } from './unclear-answer.ts';

export interface ApplyOptions extends BooksOptions {
  send: Send;
  /** Without it no room is reserved for what is deleted and made anew. */
  quota?: Quota;
  parallelism: number;
  onEvent(event: ApplyEvent): void;
  /** Keeps the ledger as it is now: what a crash of this machine must not lose, or (`everywhere`) no crash at all. */
  save(ledger: Ledger, how: Saving): Promise<void>;
  /** Reads these collections again, as they are now. `staged`: what the run has staged by then. */
  refresh(collections: CollectionId[], staged?: Ledger['staged']): Promise<Live>;
  /** Takes a secret where it belongs. A failure leaves the object tainted. */
  deliver?(to: SecretTo, secret: Sealed, address: Address): Promise<void>;
  /** Once aborted, what is in flight is finished and nothing new is started. */
  stop?: AbortSignal;
}

/** `touched`: of which addresses the ledger says something else than at the last time. */
export interface Saving {
  touched: Address[];
  everywhere?: boolean;
}

/**
 * Does what the plan says, and writes down what happened. Never throws for what the platform answers: see the outcome. If the
 * ledger cannot be kept, what is in flight is finished and nothing new is started, and that error is thrown.
 */
export async function apply(options: ApplyOptions): Promise<{ outcome: Outcome; ledger: Ledger }> {
  const { plan, secrets, send, quota, onEvent } = options;
  const changeOf = new Map(plan.changes.map((change) => [change.address, change]));
  const books = openBooks(options);
  const { live, kinds, refresh, now } = options;
  const preconditions = openPreconditions({
    plan,
    live,
    kinds,
    ledger: options.ledger,
    refresh,
    idsOf: books.idsOf,
    now,
  });
  // How many operations an address still waits for.
  const left = new Map<Address, number>();
  for (const { changes } of plan.operations)
    for (const address of changes) left.set(address, (left.get(address) ?? 0) + 1);
  const failed = new Map<Address, unknown>();
  const skipped = new Map<Address, string>();
  const postponed = new Map<Operation, RateLimit>();
  const done: Address[] = [];
  const overwritten: Address[] = [];
  // Changes without requests, by the object that has to be made before they mean anything.
  const attached = new Map<Address, Change[]>();
  // The nearest first.
  const makers = [...left.keys()]
    .filter((address) => makesObject(changeOf.get(address)))
    .sort((a, b) => b.length - a.length);

  const record = (change: Change) => {
    books.record(change);
    if (change.action !== 'noop') done.push(change.address);
    for (const other of attached.get(change.address) ?? []) record(other);
  };
  const foundAgain = await preconditions.foundAgain(options.ledger);
  for (const change of plan.changes) {
    const { address, action, after } = change;
    const isOurs = action !== 'noop' || books.ledger.entries[address] !== undefined || after?.meta.existing;
    if (left.has(address) || !isOurs) continue;
    if (action === 'forget') {
      const kept = [...foundAgain].find((one) => isWithin(address, one));
      if (kept === address) failed.set(address, new Error(`${address} was not gone; plan again`));
      else if (kept !== undefined) skipped.set(address, kept);
      if (kept !== undefined) continue;
    }
    const maker = makers.find((one) => isWithin(address, one));
    if (maker !== undefined) attached.set(maker, [...(attached.get(maker) ?? []), change]);
    else record(change);
  }
  const save = (everywhere = false) => options.save(books.kept(), { touched: books.touched(), everywhere });
  // Before the first write: what is begun, and what was there before.
  await save(plan.operations.length > 0);

  const missing = missingSecrets(plan.operations, secrets);
  /** Until the secret has arrived, the ledger says that the object is of no use. */
  const handOver = async ({ address, path }: NonNullable<Request['shows']>, answer: unknown) => {
    const to = changeOf.get(address)?.after?.meta.secretTo;
    const secret = lookUp(answer, path);
    if (to !== undefined && to !== 'discard') {
      if (typeof secret !== 'string')
        throw new Error(
          `the platform's answer does not hold the ${path.join('.')}, which is shown only once: run again, which makes ${address} anew`,
        );
      const sealed = new Sealed(secret);
      options.masking.know(sealed);
      await options.deliver?.(to, sealed, address);
    }
    books.delivered(address);
    await save(true);
  };

  const operations = new Map(plan.operations.map((operation) => [operation.id, operation]));
  const perform = async (operation: Operation) => {
    for (const address of operation.changes) {
      const name = missing.get(address);
      if (name !== undefined) throw new Error(`the secret ${name} is not available`);
    }
    for (const id of operation.reserves ?? []) await quota?.reserve(id, reservedIn(operations.get(id)!));
    const checked = await preconditions.check(operation);
    const results: unknown[] = [];
    let isBegun = false;
    let isStagedUnseen = false;
    for (const [index, request] of operation.requests.entries()) {
      const whole = fill(request, { attribute: books.attribute, secrets, results });
      const { keep } = books.begin(whole, operation.requests.slice(index + 1));
      if (keep) await save(keep === 'everywhere');
      const isLast = operation.requests.slice(index + 1).every(isRead);
      const concerned = lookedUpFor(whole, operation, isLast);
      const unread: { error?: Error } = {};
      // Once it has begun, what it changes is no longer as it was planned on.
      let answer = await send(whole, isBegun ? undefined : checked.again).catch(async (error) => {
        if (isOpen(error, request) && (concerned.length > 0 || request.stages)) {
          unread.error = error;
          return undefined;
        }
        if ((error as { sent?: boolean }).sent === false) {
          const { found: made } = await lookAt(operation, whole, refusedFor(error, whole, books.ledger));
          books.refused(whole, made);
          if (made.size > 0) throw madeAnyway(error, made.keys());
        }
        throw error;
      });
      const isUnclear = unread.error !== undefined || !saysStaged(whole, answer);
      isStagedUnseen ||= isUnclear;
      // Nothing is promoted of which nobody knows whether it is whole.
      if (request.stages && (isUnclear || (isStagedUnseen && isLastStaged(operation, index))))
        answer = await lookAtStaged(operation, whole, answer, unread.error, isLastStaged(operation, index));
      results.push(answer);
      isBegun ||= !isRead(request);
      const { refused, unknown } = books.note(whole, answer, operation.kind, unread.error ? concerned : []);
      const open = await lookUpUnknown(operation, whole, unknown, unread.error, results);
      if (unknown.size === 0) expectAsPlanned(whole, answer);
      // What exists by now is kept by now: the next request may wait for long.
      if (operation.requests.length > 1) await save();
      const notDone = [...refused, ...open].map(([address, error]) => ({ address, error }));
      if (notDone.length > 0 && !isLast) throw new Error(textOf(notDone));
      for (const { address, error } of notDone) failed.set(address, error);
      if (notDone.length > 0) throw new PartlyRefused(notDone);
      if (whole.shows) await handOver(whole.shows, answer);
    }
    overwritten.push(...(await overwrittenBy(operation, checked.seen, { kinds, changeOf, refresh })));
  };

  /** What the account shows to be done, of these addresses; nothing where it cannot be read. */
  const lookAt = async (
    { kind, parent }: Operation,
    request: Request,
    addresses: Address[],
  ): Promise<LookedUp> => {
    const nothing: LookedUp = { found: new Map(), unseen: new Map() };
    if (addresses.length === 0) return nothing;
    const changes = addresses.map((address) => changeOf.get(address)!);
    const { ledger, expected } = books;
    return refresh([collectionId(kind, parent)]).then(
      (live) => lookedUp({ request, changes, live, ledger, kinds, key: options.key, expected }),
      () => nothing,
    );
  };

  /** The answer to a request that stages, promotes or discards, with what it does not say. Throws where the account does not show it. */
  const lookAtStaged = async (
    { kind, parent }: Operation,
    request: Request,
    answer: unknown,
    unread: Error | undefined,
    isLast: boolean,
  ): Promise<unknown> => {
    const { staged } = books.ledger;
    const live = await refresh([collectionId(kind, parent)], staged).catch(() => undefined);
    const of = { request, answer, unread, isLast, staged, kind: kinds.get(kind)!, key: options.key };
    return stagedAnswer({ ...of, live });
  };

  /** What an answer does not say the account may show. Gives back why it is not known of the others; `results` get the ids that are found. */
  const lookUpUnknown = async (
    operation: Operation,
    request: Request,
    unknown: ReadonlyMap<Address, string | undefined>,
    unread: Error | undefined,
    results: unknown[],
  ): Promise<Map<Address, Error>> => {
    if (unknown.size === 0) return new Map();
    const { found, unseen } = await lookAt(operation, request, [...unknown.keys()]);
    books.learn(request, found, operation.kind);
    for (const one of request.returns ?? [])
      if ('path' in one && found.has(one.address))
        results.push(withValue(results.pop(), one.path, found.get(one.address)!.at(-1)));
    const left = [...unknown].filter(([address]) => !found.has(address));
    return new Map(left.map(([address, said]) => [address, notKnown(unread, said, unseen.get(address))]));
  };

  const idsAfter = ({ kind, changes }: Operation): Record<Address, string> => {
    if (kinds.get(kind)!.secretId) return {};
    const ids = changes.map((address) => [address, books.idsOf(address).at(-1)]);
    return Object.fromEntries(ids.filter(([, id]) => id !== undefined));
  };

  const finish = (operation: Operation) => {
    for (const address of operation.changes) {
      left.set(address, left.get(address)! - 1);
      const change = changeOf.get(address);
      if (left.get(address)! > 0 || failed.has(address) || skipped.has(address) || !change) continue;
      record(change);
    }
  };

  const postpone = (operation: Operation, rateLimit: RateLimit) => {
    postponed.set(operation, rateLimit);
    onEvent({ type: 'left', operation, rateLimit });
  };

  let unkept: { error: unknown } | undefined;
  await schedule({
    operations: plan.operations,
    parallelism: options.parallelism,
    stopped: () => unkept !== undefined || (options.stop?.aborted ?? false),
    run: async (operation) => {
      onEvent({ type: 'started', operation });
      let result: 'done' | 'failed' = 'done';
      try {
        await perform(operation);
        finish(operation);
        onEvent({ type: 'succeeded', operation, ids: idsAfter(operation) });
      } catch (error) {
        result = 'failed';
        const { rateLimit } = error as { rateLimit?: RateLimit };
        if (rateLimit) postpone(operation, rateLimit);
        else {
          if (error instanceof PartlyRefused) finish(operation);
          else for (const address of operation.changes) failed.set(address, error);
          onEvent({ type: 'failed', operation, error });
        }
      }
      quota?.release(operation.id);
      await save().catch((error) => {
        unkept ??= { error };
      });
      return result;
    },
    skip: (operation, because) => {
      quota?.release(operation.id);
      const rateLimit = because === 'stopped' ? undefined : postponed.get(because.failed);
      if (rateLimit) return postpone(operation, rateLimit);
      const text = because === 'stopped' ? 'the run was stopped' : because.failed.changes[0]!;
      for (const address of operation.changes) if (!failed.has(address)) skipped.set(address, text);
      onEvent({ type: 'skipped', operation, because: text });
    },
  });
  books.close();
  if (!unkept) await save(true);
  else throw unkept.error;

  const limited = new Map<Address, RateLimit>();
  for (const [{ changes }, rateLimit] of postponed)
    for (const address of changes) if (!failed.has(address)) limited.set(address, rateLimit);
  const recorded = new Set(done);
  for (const [maker, changes] of attached)
    for (const { address, action } of changes) {
      if (action === 'noop' || recorded.has(address)) continue;
      const rateLimit = limited.get(maker);
      if (rateLimit) limited.set(address, rateLimit);
      else skipped.set(address, maker);
    }
  const outcome: Outcome = {
    done: done.filter((address) => !failed.has(address) && !skipped.has(address)).sort(),
    failed: [...failed].map(([address, error]) => ({ address, error })),
    left: [...limited].map(([address, rateLimit]) => ({ address, rateLimit })),
    skipped: [...skipped]
      .filter(([address]) => !failed.has(address) && !limited.has(address))
      .map(([address, because]) => ({ address, because })),
    overwritten,
    interrupted: (options.stop?.aborted ?? false) && skipped.size + failed.size > 0,
  };
  return { outcome, ledger: books.kept() };
}

/**
 * The addresses for which a secret has to be sent that is not available, with its name. None of their requests is sent, the
 * earlier ones included: what they delete could not be created again.
 */
function missingSecrets(operations: Operation[], secrets: ReadonlyMap<string, Sealed>): Map<Address, string> {
  const missing = new Map<Address, string>();
  for (const { changes, requests } of operations)
    for (const hole of holesIn(requests))
      if ('$secret' in hole && !secrets.has(hole.$secret))
        for (const address of changes) missing.set(address, hole.$secret);
  return missing;
}

const reservedIn = ({ requests }: Operation) =>
  requests.flatMap(({ endpoint, reserved }) => (reserved === undefined ? [] : endpoint));

/** Throws where an answer shows that what was planned on has changed since. Versions are kept as texts, numbers included. */
function expectAsPlanned({ expects = [] }: Request, answer: unknown): void {
  for (const { path, value } of expects)
    if (String(lookUp(answer, path)) !== String(value))
      throw new Error('it was changed by somebody else since it was read; plan again');
}

type NotDone = { address: Address; error: Error }[];

/** Some items of a batch were refused, or nobody knows; the others are done. */
class PartlyRefused extends Error {
  constructor(refused: NotDone) {
    super(textOf(refused));
  }
}

/** What several addresses have in common is said once. */
function textOf(notDone: NotDone): string {
  const byText = groupBy(notDone, ({ error }) => error.message);
  return [...byText]
    .map(([text, of]) => `${of.map(({ address }) => address).join(', ')}: ${text}`)
    .join('; ');
}
