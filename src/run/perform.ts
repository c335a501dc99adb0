/*
 * Sends the requests of one operation.
 *
 * Terms
 * - operation: the requests that make one or more changes, sent one after the other. A later request may need ids from earlier answers.
 * - hole: a place in a request that is filled just before sending: with an id, an attribute, a secret, or part of an earlier answer.
 * - unclear: an error is unclear if the run looks in the account whether its request was done all the same
 *   (`unclear-answer.ts`).
 * - staged: changed in a version that is not live yet (`staged-answer.ts`).
 *
 * Steps for each request
 * 1. Fill its holes.
 * 2. Record in the ledger that it is about to be sent, and store that if a run after an interruption has to know it
 *   (see `Recorder.recordSending`).
 * 3. Send it. An unclear error is handled as an answer without content.
 * 4. Record what the answer shows.
 * 5. Look in the account for outcomes that the answer does not show.
 * 6. Throw if a change is not done.
 */
import { isReadable } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { isProgramError } from '../model/describe-errors.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Masking } from '../model/masking.ts';
import type { Operation, Plan } from '../model/plan.ts';
import { isRead, type Request } from '../model/request.ts';
import { collectionId, externalDestination, type Meta } from '../model/resource.ts';
import { Sealed, sealedIn } from '../model/sealed.ts';
import { holesIn, isRef, type Path, valueAtPath } from '../model/value.ts';
import type { Checks } from './checks.ts';
import type { ExecuteOptions } from './execute-options.ts';
import { fillRequest, missingSecrets, withFileContent } from './fill-request.ts';
import { type FoundOutcome, findOutcome } from './find-outcome.ts';
import type { Recorder } from './recorder.ts';
import { refusedCreationError } from './refused-creation.ts';
import { completeStagedAnswer, hasStagedIds, isLastStaging } from './staged-answer.ts';
import {
  addressesShowingOutcome,
  answerOfRefusedBatch,
  creationsDeniedBy,
  formatFailures,
  isAnswerLost,
  isMissingOnDelete,
  isOutcomeUnclear,
  PartlyRefused,
  refusedButDoneError,
  requireExpectedValues,
  unexpectedAnswerError,
  unknownOutcomeError,
  withValueAt,
} from './unclear-answer.ts';

interface PerformerOptions
  extends Pick<ExecuteOptions, 'send' | 'quota' | 'refresh' | 'deliver' | 'contents'> {
  plan: Plan;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  masking: Masking;
  key?: LedgerKey | undefined;
}

/** The services of a run that all its operations share. */
interface RunServices {
  recorder: Recorder;
  checks: Checks;
  /** Stores the ledger as it is now. */
  save(options?: { everywhere?: boolean }): Promise<void>;
}

/** The state of an operation whose requests are being sent. */
interface OperationState {
  operation: Operation;
  /** The answers to the requests so far. */
  answers: unknown[];
  /** True once a write was answered, or may have been carried out. */
  hasWritten: boolean;
  /** True if an answer lacked ids of what it staged, so that the staged version must be read before it is promoted. */
  hasUnconfirmedStaging: boolean;
  /** The last error of the platform. */
  lastError?: Error;
  /** Checks once more that the objects are unchanged; throws otherwise. Called if the first write had to wait. */
  checkAgain(): Promise<void>;
}

/** The result of sending a request: the answer, or the error if that leaves the outcome open. */
interface SendResult {
  answer?: unknown;
  unclear?: Error;
}

/** A request whose holes are filled, in its operation. */
interface CurrentRequest {
  request: Request;
  /** Its index in the operation. */
  index: number;
  /** True if no write of the operation follows. */
  isLastWrite: boolean;
  state: OperationState;
}

/**
 * Sends the requests of operations, and makes sure that the ledger records exactly the changes that were done, even
 * if answers get lost or are wrong.
 */
export class Performer {
  readonly #options: PerformerOptions;
  readonly #services: RunServices;
  readonly #changeOf: ReadonlyMap<Address, Change>;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #missingSecrets: ReadonlyMap<Address, string>;

  /**
   * Prepares the sending of the operations of a plan. The run then calls `perform` for each operation. It sends
   * the requests and records the outcomes in the ledger. Secrets that are missing are found once here, so that
   * an operation that needs one fails before its first request.
   */
  constructor(options: PerformerOptions, services: RunServices) {
    const { changes, operations } = options.plan;
    this.#options = options;
    this.#services = services;
    this.#changeOf = indexByAddress(changes);
    this.#operations = new Map(operations.map((operation) => [operation.id, operation]));
    const missing = missingSecrets(operations, options.secrets);
    this.#missingSecrets = new Map(missing.map(({ address, name }) => [address, name]));
  }

  /**
   * Sends all requests of an operation, one after the other. Returns the addresses at which a write of somebody else
   * may have been overwritten. Throws if a change is not done: `PartlyRefused` after the last write, another error if
   * the operation ended before that. The only entry to this class: `execute` calls it once for each operation.
   */
  async perform(operation: Operation): Promise<Address[]> {
    const { quota } = this.#options;
    const { checks } = this.#services;
    for (const address of operation.changes) {
      const name = this.#missingSecrets.get(address);
      if (name !== undefined) throw new Error(`the secret ${name} is not available`);
    }
    // This operation deletes an object that another one creates again, so a rate limit must leave room for that.
    for (const id of operation.reserves ?? [])
      await quota?.reserve(id, reservedEndpoints(this.#operations.get(id)!));
    const { readings, checkAgain } = await checks.check(operation);
    const state: OperationState = {
      operation,
      answers: [],
      hasWritten: false,
      hasUnconfirmedStaging: false,
      checkAgain,
    };
    for (const index of operation.requests.keys()) await this.#performRequest(index, state);
    return checks.findOverwritten(operation, readings);
  }

  /**
   * Carries out one request of an operation: fills its holes (values that were unknown while planning; some are read from the account
   * first), records that it is about to be sent, sends it, records the answer, and looks in the account for everything that the answer does
   * not show. Throws if a change of it is not done, because the later requests of the operation build on it. `index`: the place of the
   * request in its operation.
   */
  async #performRequest(index: number, state: OperationState): Promise<void> {
    const { secrets } = this.#options;
    const { recorder, save } = this.#services;
    const { operation, answers } = state;
    const following = operation.requests.slice(index + 1);
    const isLastWrite = following.every(isRead);
    await this.#readGeneratedFields(operation.requests[index]!);
    const attribute = (address: Address, attr: string) => recorder.objects.attribute(address, attr);
    const request = fillRequest(operation.requests[index]!, { attribute, secrets, results: answers });
    const storeFirst = recorder.recordSending(request, following, operation);
    if (storeFirst) await save({ everywhere: storeFirst === 'everywhere' });
    const current: CurrentRequest = { request, index, isLastWrite, state };
    const showingAddresses = addressesShowingOutcome(request, operation, isLastWrite);
    try {
      const result = await this.#send(current, showingAddresses);
      await this.#handleResult(current, result, showingAddresses);
    } catch (error) {
      throw isProgramError(error) ? unexpectedAnswerError(request, operation, state.lastError, error) : error;
    }
  }

  /**
   * Records an answer, and looks in the account for the outcomes that it does not show, so that the ledger has exactly the changes that
   * were done; stores the ledger if the operation has further requests. Throws if a change of the request is not done. Otherwise delivers
   * the secret that the answer shows, if any. `showingAddresses`: where the account can show the outcome of an unclear answer.
   */
  async #handleResult(
    current: CurrentRequest,
    result: SendResult,
    showingAddresses: Address[],
  ): Promise<void> {
    const { recorder, save } = this.#services;
    const { request, isLastWrite, state } = current;
    const { operation, answers } = state;
    // The answer to a staging request gets its missing ids from the account first.
    answers.push(await this.#completeStaged(current, result));
    state.hasWritten ||= !isRead(request);
    const unclearAddresses = result.unclear ? showingAddresses : [];
    const { refused, unknown } = recorder.recordAnswer(
      request,
      answers.at(-1),
      operation.kind,
      unclearAddresses,
    );
    const stillUnknown = await this.#findUnknownOutcomes(current, unknown, result.unclear);
    if (unknown.size === 0) requireExpectedValues(request, answers.at(-1));
    // The next request may have to wait for long, and the run may be killed meanwhile.
    if (operation.requests.length > 1) await save();
    const failures = [...refused, ...stillUnknown].map(([address, error]) => ({ address, error }));
    if (failures.length > 0)
      throw isLastWrite ? new PartlyRefused(failures) : new Error(formatFailures(failures));
    if (request.shows) await this.#handOverSecret(request.shows, result.answer);
  }

  /**
   * Reads the objects of this run that have a field which a request needs and which only the platform knows, because it generates it (a
   * secret, for example; secrets are then masked in all output). Called before that request is filled.
   */
  async #readGeneratedFields({ params, body }: Request): Promise<void> {
    const { masking, refresh } = this.#options;
    const { objects } = this.#services.recorder;
    const missingRefs = holesIn([params, body].filter((value) => value !== undefined))
      .filter(isRef)
      .filter(({ $ref, attr }) => attr !== 'id' && objects.attribute($ref, attr) === undefined);
    for (const change of new Set(missingRefs.flatMap(({ $ref }) => this.#changeOf.get($ref) ?? [])))
      objects.addReadFields(change, await refresh([collectionId(change.kind, change.parent)]));
    for (const { $ref, attr } of missingRefs)
      for (const secret of sealedIn(objects.attribute($ref, attr))) masking.addSecret(secret);
  }

  /**
   * Sends one request of an apply, a second time if its error is worth that, and returns its result:
   *
   *   | the platform                                            | result                                            |
   *   | ------------------------------------------------------- | ------------------------------------------------- |
   *   | answered                                                | the answer                                        |
   *   | refused a batch, with reasons for its items             | the refusals, as the answer                       |
   *   | gave an answer that may be wrong (`isOutcomeUnclear`),  | `unclear`: the caller looks in the account,       |
   *   | and the account can show the effect                     | or reads the staged version                       |
   *   | did not answer, and the account shows the whole effect  | `unclear`. Without the effect, the request could  |
   *   |                                                         | still be carried out, so the error is thrown      |
   *   | refused otherwise                                       | throws, after `#recordRefusal` has checked that   |
   *   |                                                         | the request created nothing                       |
   *
   * Throws any other error. `showingAddresses`: the objects by which the account can show the effect.
   */
  async #send({ request, state }: CurrentRequest, showingAddresses: Address[]): Promise<SendResult> {
    // After the first write, the objects differ from the plan because of us, so they cannot be checked again.
    const checkAgain = state.hasWritten ? undefined : state.checkAgain;
    const sentRequest = withFileContent(request, this.#options.contents ?? new Map());
    const send = () => this.#options.send(sentRequest, checkAgain);
    try {
      const answer = await send().catch((error) => {
        if (this.#isWorthRepeating(error, request, state)) return send();
        throw error;
      });
      return { answer };
    } catch (error) {
      state.lastError = error as Error;
      const refusals = answerOfRefusedBatch(error, request);
      if (refusals) return { answer: refusals };
      const canAccountShowEffect = showingAddresses.length > 0 || request.stages !== undefined;
      if (isOutcomeUnclear(error, request) && canAccountShowEffect) return { unclear: error as Error };
      if (isAnswerLost(error) && (await this.#isDone(request, showingAddresses)))
        return { unclear: error as Error };
      if ((error as { mayBeCarriedOut?: boolean }).mayBeCarriedOut === false)
        await this.#recordRefusal(request, error as Error);
      const kind = this.#options.kinds.get(state.operation.kind)!;
      // The error itself, or a copy with a hint if it refused a creation.
      throw refusedCreationError(error as Error, kind, request);
    }
  }

  /** True if the account shows that a request is done at all of some addresses; false without addresses. */
  async #isDone(request: Request, addresses: Address[]): Promise<boolean> {
    const { idsOfDone } = await this.#findOutcome(request, addresses);
    return addresses.length > 0 && addresses.every((address) => idsOfDone.has(address));
  }

  /**
   * True for a deletion that was answered with "not found", of an object that cannot be read to check that. A proxy
   * may have given the answer, so the deletion is sent again and must be answered like this twice.
   */
  #isWorthRepeating(error: unknown, request: Request, { operation }: OperationState): boolean {
    const canBeRead = isReadable(this.#options.kinds.get(operation.kind)!);
    return !canBeRead && isMissingOnDelete(error, request);
  }

  /**
   * Records in the ledger that a request of the apply was refused. Throws if the account shows that it created objects all the same: a
   * proxy may have sent the refusal after the platform had acted. Without this check, the next run would create the objects again.
   */
  async #recordRefusal(request: Request, refusal: Error): Promise<void> {
    const { recorder } = this.#services;
    const deniedAddresses = creationsDeniedBy(refusal, request, recorder.ledger);
    const { idsOfDone } = await this.#findOutcome(request, deniedAddresses);
    recorder.recordRefusal(request, idsOfDone);
    if (idsOfDone.size > 0) throw refusedButDoneError(refusal, idsOfDone.keys());
  }

  /**
   * Returns the answer to a request, completed from the account if it stages content (live only after a
   * promotion) and lacks ids. The last staging request of an operation is also completed if an earlier answer
   * lacked ids, because the version must be complete before it is promoted.
   */
  async #completeStaged(
    { request, index, state }: CurrentRequest,
    { answer, unclear }: SendResult,
  ): Promise<unknown> {
    const { kinds, key, refresh } = this.#options;
    const { kind, parent } = state.operation;
    const lacksIds = unclear !== undefined || !hasStagedIds(request, answer);
    state.hasUnconfirmedStaging ||= lacksIds;
    const isLast = isLastStaging(state.operation, index);
    const mustRead = lacksIds || (state.hasUnconfirmedStaging && isLast);
    if (!request.stages || !mustRead) return answer;
    const { staged: recordedVersions } = this.#services.recorder.ledger;
    // Without a reading, `completeStagedAnswer` throws that the outcome is unknown.
    const live = await refresh([collectionId(kind, parent)], { staged: recordedVersions }).catch(
      () => undefined,
    );
    return completeStagedAnswer({
      request,
      answer,
      unclear,
      isLastStaging: isLast,
      recordedVersions,
      kind: kinds.get(kind)!,
      key,
      live,
    });
  }

  /**
   * Looks in the account for the outcomes that the last answer does not show (`unknown`, with any text of the answer that may be about an
   * address), and records them, so that the next run does not repeat these changes. Also adds the found ids to that answer, because later
   * requests take them from there. Returns the addresses whose outcome is still unknown, with an error for each. `requestError`: the error
   * that the request ended with, if any.
   */
  async #findUnknownOutcomes(
    { request, state }: CurrentRequest,
    unknown: ReadonlyMap<Address, string | undefined>,
    requestError: Error | undefined,
  ): Promise<Map<Address, Error>> {
    if (unknown.size === 0) return new Map();
    const { operation, answers } = state;
    const { idsOfDone, unverifiablePaths } = await this.#findOutcome(request, [...unknown.keys()]);
    this.#services.recorder.recordFound(request, idsOfDone, operation.kind);
    const last = answers.length - 1;
    // The ids that the request should have returned at a path of its answer.
    for (const result of request.returns ?? [])
      if ('path' in result && idsOfDone.has(result.address)) {
        // Of several ids, the last one is that of the newest object.
        const id = idsOfDone.get(result.address)!.at(-1);
        answers[last] = withValueAt(answers[last], result.path, id);
      }
    const stillUnknown = [...unknown].filter(([address]) => !idsOfDone.has(address));
    return new Map(
      stillUnknown.map(([address, answerText]) => [
        address,
        unknownOutcomeError({
          unclear: requestError,
          answerText,
          // Changed fields that the account never shows.
          unverifiablePaths: unverifiablePaths.get(address),
        }),
      ]),
    );
  }

  /**
   * Reads the account, and returns which of these addresses a request has changed as planned, and which perhaps, because changed fields
   * cannot be read back (`unverifiablePaths`); none if the account cannot be read. Used when an answer is lost or unclear, so that the
   * ledger records the changes that were done and the next run does not repeat them.
   */
  async #findOutcome(request: Request, addresses: Address[]): Promise<FoundOutcome> {
    const noOutcome: FoundOutcome = { idsOfDone: new Map(), unverifiablePaths: new Map() };
    if (addresses.length === 0) return noOutcome;
    const { refresh, kinds, key } = this.#options;
    const { recorder } = this.#services;
    const changes = addresses.map((address) => this.#changeOf.get(address)!);
    // One request can change objects of several collections if they are stored in one document.
    const collections = new Set(changes.map(({ kind, parent }) => collectionId(kind, parent)));
    const live = await refresh([...collections]).catch(() => undefined);
    if (!live) return noOutcome;
    const expectedEntry = (change: Change) => recorder.expectedEntry(change);
    return findOutcome({ request, changes, live, ledger: recorder.ledger, kinds, key, expectedEntry });
  }

  /**
   * Delivers the secret that the answer to a creation shows only once to its `$secretTo`: to a file or command at once, or to the variables
   * that other operations write (the recorder counts these). Until it has arrived, the ledger entry of the object says `tainted`: if the
   * secret gets lost, the next run replaces the object. With `discard` or no `$secretTo`, a secret counts as delivered.
   * Throws if the answer lacks the secret.
   */
  async #handOverSecret({ address, path }: NonNullable<Request['shows']>, answer: unknown): Promise<void> {
    const { masking, deliver } = this.#options;
    const { recorder, save } = this.#services;
    const meta: Meta = this.#changeOf.get(address)?.after?.meta ?? {};
    const isWanted = meta.secretTo !== undefined && meta.secretTo !== 'discard';
    if (isWanted) {
      const members = this.#secretMembers(address, path, answer);
      for (const sealed of members.values()) masking.addSecret(sealed);
      const destination = externalDestination(meta);
      const goesToVariables = destination === undefined;
      if (goesToVariables) return recorder.objects.keepShownSecret(address, members);
      await deliver?.(destination, members.get(path.join('.'))!, address);
    }
    recorder.recordDelivery(address);
    await save();
  }

  /**
   * Returns the secret that the answer to a creation shows only once, and the other members of the answer that `$secretTo` delivers with it
   * (such as its id), by path and sealed. Throws if the secret is missing: it can never be read again, so the user is advised to recreate
   * the object.
   */
  #secretMembers(address: Address, path: Path, answer: unknown): ReadonlyMap<string, Sealed> {
    const kind = this.#options.kinds.get(this.#changeOf.get(address)!.kind)!;
    const secretName = path.join('.');
    const { within = [], also = [] } = kind.shows ?? {};
    const names = [secretName, ...also];
    const holder = valueAtPath(answer, within);
    const idName = typeof kind.id === 'string' ? kind.id : 'id';
    const createdId = this.#services.recorder.objects.idsOf(address).at(-1);
    // Some answers list all objects of the parent. The new one has the id that was recorded for it.
    const object = Array.isArray(holder) ? valueAtPath(holder, [{ [idName]: createdId }]) : holder;
    const members = new Map(
      names.flatMap((name): [string, Sealed][] => {
        const text = valueAtPath(object, name.split('.'));
        return typeof text === 'string' && text !== '' ? [[name, new Sealed(text)]] : [];
      }),
    );
    if (!members.has(secretName))
      throw new Error(
        `the response does not contain the ${secretName}, which is shown only once: run again to recreate ${address}`,
      );
    return members;
  }
}

/**
 * Returns the endpoints of an operation that must be possible later in the run. Used before an object is deleted for
 * being created again: a rate limit must leave room for the creation.
 */
const reservedEndpoints = ({ requests }: Operation) =>
  requests.flatMap(({ endpoint, reserved }) => (reserved === undefined ? [] : endpoint));
