import { isReadable } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { ApplyEvent, Outcome } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { Masking } from '../model/masking.ts';
import type { Operation, Plan, Quota } from '../model/plan.ts';
import { isProgramError } from '../model/program-error.ts';
import { isRead, type Request, type Send } from '../model/request.ts';
import {
  type CollectionId,
  collectionId,
  externalDestination,
  type Live,
  type Meta,
  type SecretTo,
} from '../model/resource.ts';
import { Sealed, sealedIn } from '../model/sealed.ts';
import { type FileContent, holesIn, isRef, type Path, valueAtPath } from '../model/value.ts';
import type { LedgerNow } from '../observe/refresh.ts';
import type { CheckCanary } from './check-first-change.ts';
import type { Checks } from './checks.ts';
import { fillRequest, missingSecrets, withFile } from './fill-request.ts';
import { type LookedUp, lookedUp } from './look-up.ts';
import type { Recorder, RecorderOptions } from './recorder.ts';
import {
  expectAsPlanned,
  isGone,
  isLastStaged,
  isOpen,
  lookedUpFor,
  madeAnyway,
  notKnown,
  PartlyRefused,
  refusedFor,
  saysStaged,
  stagedAnswer,
  textOf,
  unexpectedAnswer,
  withValue,
} from './unclear-answer.ts';

interface PerformerOptions
  extends Pick<ExecuteOptions, 'send' | 'quota' | 'refresh' | 'deliver' | 'contents'> {
  plan: Plan;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  masking: Masking;
  key?: LedgerKey | undefined;
}

/** The parts of a run that an operation goes through. */
interface Parts {
  recorder: Recorder;
  checks: Checks;
  /** Stores the ledger as it is now. */
  save(everywhere?: boolean): Promise<void>;
}

/** An operation that is under way. */
interface Course {
  operation: Operation;
  /** The answers so far. */
  results: unknown[];
  /** True once a write was answered. */
  isBegun: boolean;
  /** True if an answer did not say what it staged. */
  isStagedUnseen: boolean;
  /** The error that the platform answered last. */
  refusal?: Error;
  /** Checks once more if the first write had to wait. */
  confirm(): Promise<void>;
}

/** An answer, or the reason why there is none although the request may have had its effect. */
interface Answer {
  answer?: unknown;
  unread?: Error;
}

/** Performs operations: checks, fills the holes of each request, sends it, records the answer, and looks up whatever the answer does not say. */
export class Performer {
  readonly #options: PerformerOptions;
  readonly #parts: Parts;
  readonly #changeOf: ReadonlyMap<Address, Change>;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #missingSecrets: ReadonlyMap<Address, string>;

  constructor(options: PerformerOptions, parts: Parts) {
    const { changes, operations } = options.plan;
    this.#options = options;
    this.#parts = parts;
    this.#changeOf = new Map(changes.map((change) => [change.address, change]));
    this.#operations = new Map(operations.map((operation) => [operation.id, operation]));
    const missing = missingSecrets(operations, options.secrets);
    this.#missingSecrets = new Map(missing.map(({ address, name }) => [address, name]));
  }

  /**
   * Sends all requests of an operation, one after the other. Returns the addresses at which somebody else's write may be lost. Throws if
   * the operation is not done; `PartlyRefused` if all was sent.
   */
  async perform(operation: Operation): Promise<Address[]> {
    const { quota } = this.#options;
    const { checks } = this.#parts;
    for (const address of operation.changes) {
      const name = this.#missingSecrets.get(address);
      if (name !== undefined) throw new Error(`the secret ${name} is not available`);
    }
    for (const id of operation.reserves ?? [])
      await quota?.reserve(id, reservedIn(this.#operations.get(id)!));
    const { seen, again } = await checks.check(operation);
    const course: Course = { operation, results: [], isBegun: false, isStagedUnseen: false, confirm: again };
    for (const index of operation.requests.keys()) await this.#request(index, course);
    return checks.overwritten(operation, seen);
  }

  async #request(index: number, course: Course): Promise<void> {
    const { secrets } = this.#options;
    const { recorder, save } = this.#parts;
    const { operation, results } = course;
    const following = operation.requests.slice(index + 1);
    const isLast = following.every(isRead);
    await this.#readGenerated(operation.requests[index]!);
    const attribute = (address: Address, attr: string) => recorder.known.attribute(address, attr);
    const request = fillRequest(operation.requests[index]!, { attribute, secrets, results });
    const keep = recorder.begin(request, following, operation);
    if (keep) await save(keep === 'everywhere');
    const concerned = lookedUpFor(request, operation, isLast);
    try {
      const received = await this.#send(request, course, concerned.length > 0);
      await this.#take(received, { index, request, course, concerned });
    } catch (error) {
      throw isProgramError(error) ? unexpectedAnswer(request, operation, course.refusal, error) : error;
    }
  }

  /**
   * Records the answer to a request, and looks up what it does not say. Throws if a change of the request is not done.
   * `concerned`: the addresses whose outcome the account shows if the answer does not.
   */
  async #take(
    { answer, unread }: Answer,
    {
      index,
      request,
      course,
      concerned,
    }: { index: number; request: Request; course: Course; concerned: Address[] },
  ): Promise<void> {
    const { recorder, save } = this.#parts;
    const { operation, results } = course;
    results.push(await this.#staged(index, request, course, { answer, unread }));
    course.isBegun ||= !isRead(request);
    const { refused, unknown } = recorder.note(
      request,
      results.at(-1),
      operation.kind,
      unread ? concerned : [],
    );
    const open = await this.#lookUpUnknown(request, course, unknown, unread);
    if (unknown.size === 0) expectAsPlanned(request, results.at(-1));
    // What exists by now is kept by now: the next request may wait for long.
    if (operation.requests.length > 1) await save();
    const notDone = [...refused, ...open].map(([address, error]) => ({ address, error }));
    const isLast = operation.requests.slice(index + 1).every(isRead);
    if (notDone.length > 0) throw isLast ? new PartlyRefused(notDone) : new Error(textOf(notDone));
    if (request.shows) await this.#handOver(request.shows, answer);
  }

  /**
   * Reads the objects of this run whose fields a request needs and the configuration does not state: the platform has filled them in, for
   * example a generated secret.
   */
  async #readGenerated({ params, body }: Request): Promise<void> {
    const { masking, refresh } = this.#options;
    const { known } = this.#parts.recorder;
    const needed = holesIn([params, body].filter((part) => part !== undefined))
      .filter(isRef)
      .filter(({ $ref, attr }) => attr !== 'id' && known.attribute($ref, attr) === undefined);
    for (const change of new Set(needed.flatMap(({ $ref }) => this.#changeOf.get($ref) ?? [])))
      known.learn(change, await refresh([collectionId(change.kind, change.parent)]));
    for (const { $ref, attr } of needed)
      for (const secret of sealedIn(known.attribute($ref, attr))) masking.know(secret);
  }

  /** `isLookedUp`: the account can show the outcome. */
  async #send(request: Request, course: Course, isLookedUp: boolean): Promise<Answer> {
    // Once it has begun, what it changes is no longer as it was planned on.
    const confirm = course.isBegun ? undefined : course.confirm;
    const filed = withFile(request, this.#options.contents ?? new Map());
    const sent = () => this.#options.send(filed, confirm);
    try {
      return { answer: await sent().catch((error) => this.#askedAgain(error, request, course, sent)) };
    } catch (error) {
      course.refusal = error as Error;
      if (isOpen(error, request) && (isLookedUp || request.stages)) return { unread: error as Error };
      if ((error as { sent?: boolean }).sent === false) {
        const { recorder } = this.#parts;
        const doubtful = refusedFor(error, request, recorder.ledger);
        const { found: made } = await this.#lookAt(request, doubtful);
        recorder.refused(request, made);
        if (made.size > 0) throw madeAnyway(error as Error, made.keys());
      }
      throw error;
    }
  }

  /** Repeats a deletion that was "not found", unless it can be looked up: that answer must come twice, since a proxy may have given it. */
  #askedAgain(
    error: unknown,
    request: Request,
    { operation }: Course,
    sent: () => Promise<unknown>,
  ): Promise<unknown> {
    if (isReadable(this.#options.kinds.get(operation.kind)!) || !isGone(error, request)) throw error;
    return sent();
  }

  /** Completes the answer with the staged version in the account, which is read only if the answer does not say all. */
  async #staged(
    index: number,
    request: Request,
    course: Course,
    { answer, unread }: Answer,
  ): Promise<unknown> {
    const { kinds, key, refresh } = this.#options;
    const { kind, parent } = course.operation;
    const isUnclear = unread !== undefined || !saysStaged(request, answer);
    course.isStagedUnseen ||= isUnclear;
    const isLast = isLastStaged(course.operation, index);
    // Nothing is promoted of which nobody knows whether it is whole.
    if (!request.stages || !(isUnclear || (course.isStagedUnseen && isLast))) return answer;
    const { staged } = this.#parts.recorder.ledger;
    const live = await refresh([collectionId(kind, parent)], { staged }).catch(() => undefined);
    return stagedAnswer({ request, answer, unread, isLast, staged, kind: kinds.get(kind)!, key, live });
  }

  /** Looks up what an answer does not say, and adds the ids. Returns why the other addresses are unknown. */
  async #lookUpUnknown(
    request: Request,
    { operation, results }: Course,
    unknown: ReadonlyMap<Address, string | undefined>,
    unread: Error | undefined,
  ): Promise<Map<Address, Error>> {
    if (unknown.size === 0) return new Map();
    const { found, unseen } = await this.#lookAt(request, [...unknown.keys()]);
    this.#parts.recorder.learn(request, found, operation.kind);
    for (const one of request.returns ?? [])
      if ('path' in one && found.has(one.address))
        results.push(withValue(results.pop(), one.path, found.get(one.address)!.at(-1)));
    const left = [...unknown].filter(([address]) => !found.has(address));
    return new Map(left.map(([address, said]) => [address, notKnown(unread, said, unseen.get(address))]));
  }

  /** Reads the account for these addresses, and returns those that are done; none if it cannot be read. */
  async #lookAt(request: Request, addresses: Address[]): Promise<LookedUp> {
    const nothing: LookedUp = { found: new Map(), unseen: new Map() };
    if (addresses.length === 0) return nothing;
    const { refresh, kinds, key } = this.#options;
    const { recorder } = this.#parts;
    const changes = addresses.map((address) => this.#changeOf.get(address)!);
    // A document has several collections.
    const collections = new Set(changes.map(({ kind, parent }) => collectionId(kind, parent)));
    const expected = (change: Change) => recorder.expected(change);
    return refresh([...collections]).then(
      (live) => lookedUp({ request, changes, live, ledger: recorder.ledger, kinds, key, expected }),
      () => nothing,
    );
  }

  /**
   * Delivers a secret that is shown only once. Until it has arrived, the ledger marks the object as tainted: for a variable until that is
   * written, which another operation does. The journal has the delivery at once. If it is lost together with the machine, the next run
   * recreates the object.
   */
  async #handOver({ address, path }: NonNullable<Request['shows']>, answer: unknown): Promise<void> {
    const { masking, deliver } = this.#options;
    const { recorder, save } = this.#parts;
    const meta: Meta = this.#changeOf.get(address)?.after?.meta ?? {};
    const to = externalDestination(meta);
    if (meta.secretTo !== undefined && to !== 'discard') {
      const members = this.#shownMembers(address, path, answer);
      for (const sealed of members.values()) masking.know(sealed);
      if (to === undefined) return recorder.known.setShown(address, members);
      await deliver?.(to, members.get(path.join('.'))!, address);
    }
    recorder.delivered(address);
    await save();
  }

  /** The secret in an answer, and the other members that contain it. Throws if the secret is missing. */
  #shownMembers(address: Address, path: Path, answer: unknown): ReadonlyMap<string, Sealed> {
    const kind = this.#options.kinds.get(this.#changeOf.get(address)!.kind)!;
    const names = [path.join('.'), ...(kind.shows?.also ?? [])];
    const members = new Map(
      names.flatMap((name): [string, Sealed][] => {
        const text = valueAtPath(answer, name.split('.'));
        return typeof text === 'string' ? [[name, new Sealed(text)]] : [];
      }),
    );
    if (!members.has(names[0]!))
      throw new Error(
        `the response does not contain the ${names[0]}, which is shown only once: run again to recreate ${address}`,
      );
    return members;
  }
}

const reservedIn = ({ requests }: Operation) =>
  requests.flatMap(({ endpoint, reserved }) => (reserved === undefined ? [] : endpoint));

export interface ExecuteOptions extends RecorderOptions {
  send: Send;
  /** Without it, no room is reserved for objects that are deleted and made anew. */
  quota?: Quota;
  parallelism: number;
  /** The content of files, by the values of the fields that name them. Default: none. */
  contents?: ReadonlyMap<string, FileContent> | undefined;
  onEvent(event: ApplyEvent): void;
  /** Stores the ledger as it is now: on the disk of this machine or, with `everywhere`, wherever it is kept. */
  save(ledger: Ledger, how: Saving): Promise<void>;
  /** Reads these collections again. `now`: what the run has changed in the ledger so far. */
  refresh(collections: CollectionId[], now?: LedgerNow): Promise<Live>;
  /** Called with the outcome, before the ledger is stored for the last time. */
  onOutcome?(outcome: Outcome): void;
  /** Delivers a secret. If that fails, the object stays tainted. */
  deliver?(to: SecretTo, secret: Sealed, address: Address): Promise<void>;
  /** Reads the canary of the plan once it is sent. Without it, the plan has no canary. */
  checkCanary?: CheckCanary | undefined;
  /** Once aborted, requests in flight are finished and nothing new is started. */
  stop?: AbortSignal;
}

/** `touched`: the addresses whose entries have changed since the last time. */
interface Saving {
  touched: Address[];
  everywhere?: boolean;
}
