import type { ItemOutcome, Kind, Refusal } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Masking } from '../model/masking.ts';
import type { Operation } from '../model/plan.ts';
import { isRead, type Request } from '../model/request.ts';
import { revealed, sealedIn } from '../model/sealed.ts';
import { isPlainObject, type Path, valueAtPath } from '../model/value.ts';
import { createdBy } from './intents.ts';

/*
 * Decides what the error of a request proves, and builds the errors for outcomes that stay unknown.
 *
 *   | error of a write                           | proves                                  | the run then                          |
 *   | 2xx that cannot be read                    | nothing: the outcome is unclear         | looks for the outcome in the account  |
 *   | 404 or 410 for a deletion                  | nothing: a proxy may have answered      | looks for it, or sends it once more   |
 *   | 4xx for the promotion of a staged version  | nothing: another run may have promoted  | compares the versions                 |
 *   | any other 4xx except 401 and 429           | refused, unless a proxy answered        | looks for the objects to be created   |
 *   | 401, 429, or nothing was sent              | not done                                | reports the error                     |
 *   | no answer                                  | nothing: it may have been lost          | looks for the outcome in the account; |
 *   |                                            |                                         | reports the error if it is not there  |
 *   | 5xx                                        | nothing                                 | reports the error; intents stay       |
 */

/** The error of a request that may have had its effect. Reports must not list its change as unrecorded. */
class UnknownOutcome extends Error {
  readonly isUnknown = true;
}

/** The facts about an address whose outcome neither the answer nor the account shows. */
interface UnknownOutcomeDetails {
  /** The error that the request had, if any. */
  unclear: Error | undefined;
  /** Text of the answer that may be about this address. */
  answerText: string | undefined;
  /** The changed fields that the account never shows, if all others are as planned. */
  unverifiablePaths?: string[] | undefined;
}

/**
 * Returns the error for an address of a request whose outcome is unknown: the change may have been done or not. `apply` shows it with the
 * advice that fits the reason, because sending again could do something twice. `unclear`: the error that the request ended with, if any.
 * The answer "not found" to a deletion is not enough if the account still shows the object.
 */
export function unknownOutcomeError({
  unclear,
  answerText,
  unverifiablePaths,
}: UnknownOutcomeDetails): Error {
  return new UnknownOutcome(
    isNotFound(unclear)
      ? `${unclear!.message}; but the account still shows it, or cannot be read: run again to check once more`
      : formatUnknownOutcome({ unclear, answerText, unverifiablePaths }),
    unclear ? { cause: unclear } : {},
  );
}

/** Formats that neither the answer nor the account shows the outcome of a change, or that it cannot be read, with the next step. */
function formatUnknownOutcome({ unclear, answerText, unverifiablePaths }: UnknownOutcomeDetails): string {
  const source = unclear ? `${unclear.message}; it` : "the platform's answer";
  const quote = answerText === undefined ? '' : ` (it says: ${answerText})`;
  if (!unverifiablePaths)
    return `${source} does not show the outcome, and neither does the account${quote}: run again to check once more`;
  const paths = unverifiablePaths.map((path) => `\`${path}\``).join(', ');
  return `${source} does not show the outcome, and ${paths} cannot be read back${quote}: run again to send it once more`;
}

/**
 * Returns the error for a request during which trueup itself failed, because the answer or the account had an unexpected form. `refusal`:
 * the platform's last error. `cause`: the exception of the JavaScript engine.
 */
export function unexpectedAnswerError(
  { endpoint }: Request,
  { changes }: Operation,
  refusal: Error | undefined,
  cause: unknown,
): Error {
  const quote = refusal ? ` (${refusal.message})` : '';
  return new UnknownOutcome(
    `the answer to ${endpoint} for ${summarizeAddresses(changes)} was not as expected, so its outcome is unknown${quote}: run again to check it`,
    { cause },
  );
}

/**
 * Returns the error for an operation during which trueup itself failed before it sent anything, because the account
 * had an unexpected form. It says that nothing was sent, so that the user need not check the object.
 */
export const unexpectedStateError = ({ changes }: Operation, cause: unknown): Error =>
  new Error(
    `what the account shows for ${summarizeAddresses(changes)} is not as expected, so nothing was sent`,
    { cause },
  );

/** Formats addresses for a message: the first one, and how many more there are. */
const summarizeAddresses = ([first, ...others]: Address[]): string =>
  others.length > 0 ? `${first} and ${others.length} more` : first!;

/** True for a value that can be an id. */
export const isId = (id: unknown): boolean => (typeof id === 'string' && id !== '') || typeof id === 'number';

/**
 * Returns the addresses to read again after an unclear answer (such as a success without a readable body), to
 * find out if the request was done. If more writes of the operation follow, the objects do not have all
 * planned values yet, so only the created and deleted ones show it.
 */
export function addressesShowingOutcome(
  request: Request,
  { changes }: Operation,
  isLastWrite: boolean,
): Address[] {
  // The account does not show a version that is only staged, nor a secret that only the answer contains.
  if (isRead(request) || request.stages || request.shows) return [];
  // The creation of a parent can have a batch of its children.
  if (isLastWrite) return request.batch ? createdBy(request) : changes;
  return [...createdBy(request), ...(request.drops ?? []).map(({ address }) => address)];
}

/**
 * Returns the addresses at which a refused request would have created objects; none for other errors. The run
 * looks for these objects in the account, because a proxy between us and the platform may have sent the refusal
 * after the platform had acted: the next run would create the objects again. Left out: reads, requests that
 * stage a version (it goes live only when promoted), and objects that the run could not recognize, because they
 * have no intent in the ledger (`begun`).
 */
export const creationsDeniedBy = (
  error: unknown,
  request: Request,
  { begun = {} }: Pick<Ledger, 'begun'>,
): Address[] =>
  isRefusal(error) && !isRead(request) && !request.stages
    ? createdBy(request).filter((address) => begun[address])
    : [];

/**
 * Returns the error of a request that was refused, although the account shows its objects as they should have been
 * created. A proxy may have refused after the platform had acted, so the message asks the user to run again, and
 * nothing is created twice.
 */
export const refusedButDoneError = (refusal: Error, createdAddresses: Iterable<Address>): Error =>
  new Error(
    `${refusal.message}; but the account shows ${[...createdAddresses].join(', ')} as it was to be created, by this request or by somebody else: run again to continue from there`,
    { cause: refusal },
  );

/** Returns the HTTP status of an error; 0 if it has none. */
export const errorStatusOf = (error: unknown): number =>
  (error as { status?: number } | undefined)?.status ?? 0;

/**
 * True for a refusal after which the account can be read: 4xx except 401, because a refused token cannot read anything, and 429, because a
 * rate limit applies to reads, too.
 */
export function isRefusal(error: unknown): boolean {
  const status = errorStatusOf(error);
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}

/**
 * Returns the answer that lists the refused items of a batch if the platform refused the whole batch with reasons for
 * its items; undefined for any other error. `apply` then reports each item with its own reason.
 */
export function answerOfRefusedBatch(
  error: unknown,
  { batch = [] }: Request,
): { failed: readonly unknown[] } | undefined {
  const failed = (error as { failed?: readonly unknown[] }).failed ?? [];
  return isRefusal(error) && batch.length > 0 && failed.length > 0 ? { failed } : undefined;
}

const isNotFound = (error: unknown) => [404, 410].includes(errorStatusOf(error));

/**
 * True if the deletion of an apply was answered with "not found". Either somebody else deleted the object first, or the answer is wrong.
 * Staged collections do not count: there it means that the staged version is not the one that was planned on.
 */
export const isMissingOnDelete = (error: unknown, { endpoint, stages }: Request): boolean =>
  isNotFound(error) && endpoint.startsWith('DELETE ') && !stages;

/**
 * True if the error of a request does not show whether it was done, so that an apply looks for its effect in the account: a success whose
 * body cannot be read, "not found" for a deletion (a proxy may have answered), or a refusal to make a staged version live (another run
 * may have done that).
 */
export const isOutcomeUnclear = (error: unknown, request: Request): boolean =>
  isUnreadableSuccess(error) ||
  isMissingOnDelete(error, request) ||
  (isRefusal(error) && isPromotion(request));

/**
 * True if no answer came to a request that may have been carried out: the connection was cut, or nothing came in time. The platform may be
 * done with it, and then the account shows the outcome.
 */
export const isAnswerLost = (error: unknown): boolean =>
  (error as { mayBeCarriedOut?: boolean }).mayBeCarriedOut === true && errorStatusOf(error) === 0;

/** True for a request that promotes a staged version, and so makes it live. */
const isPromotion = ({ stages, body }: Request): boolean =>
  stages !== undefined && stages.version === undefined && isPlainObject(body) && body.action === 'promote';

/**
 * True for an error with a success status: the platform did something, but its description in the body could not be
 * read.
 */
function isUnreadableSuccess(error: unknown): boolean {
  const status = errorStatusOf(error);
  return status >= 200 && status < 300;
}

/**
 * Returns a copy of an answer with a value at a path of member names. Members on the way that are missing or no objects become objects.
 * Used to add ids to an answer that lacks them. A path with an array index is not supported: there the answer stays as it is.
 */
export function withValueAt(answer: unknown, [name, ...restOfPath]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof name !== 'string') return answer;
  const members = isPlainObject(answer) ? answer : {};
  return { ...members, [name]: withValueAt(members[name], restOfPath, value) };
}

/** Addresses whose change was not done, each with the reason. */
type Failures = { address: Address; error: Error }[];

/** Thrown after the last write of an operation, if some of its changes were refused or have an unknown outcome. The others are done. */
export class PartlyRefused extends Error {
  readonly failures: Failures;

  constructor(failures: Failures) {
    super(formatFailures(failures));
    this.failures = failures;
  }
}

/**
 * Throws if an answer lacks a value that the request expects, because somebody else has then changed what the plan was based on. Values are
 * compared as texts, because the platform returns some numbers as texts.
 */
export function requireExpectedValues({ expects = [] }: Request, answer: unknown): void {
  for (const { path, value, orAbsent } of expects) {
    const answered = valueAtPath(answer, path);
    if (orAbsent && answered === undefined) continue;
    if (String(answered) !== String(value))
      throw new Error('it was changed by somebody else after it was read; plan again');
  }
}

/** Formats the failures of one operation as one text, for the error that `apply` prints. Addresses with the same reason stand together. */
export function formatFailures(failures: Failures): string {
  const byMessage = groupBy(failures, ({ error }) => error.message);
  return [...byMessage]
    .map(([message, group]) => `${group.map(({ address }) => address).join(', ')}: ${message}`)
    .join('; ');
}

/** The outcome of each item of a batch, by the addresses behind the item. */
interface BatchAnswer {
  /** The items that the platform refused, each with the reason. */
  refused: Map<Address, Error>;
  /** The items that the answer does not mention clearly, each with any text of the answer that may be about it. */
  unknown: Map<Address, string | undefined>;
  /** The ids of the objects of finished items. */
  finishedIds: Map<Address, string>;
}

/**
 * Splits the answer to a batch (one request for many objects) into refused, unknown and finished items, so that the
 * finished ones are recorded although others failed. All maps are empty for a request that is not a batch.
 *
 * - One item may stand for several addresses: a variable with three targets is one item. All of them get its outcome.
 * - Some answers list ids without saying which one is new (`oneOf`). `isKnownId` is true for ids of earlier objects; if
 *   exactly one id remains, it is that of the item, otherwise the item is unknown.
 * - Secrets of the request are masked in the reasons of refusals, because a platform may quote them.
 * - `isUnclear`: true if the request failed in a way that leaves its outcome open. Then all items are unknown.
 */
export function readBatchAnswer(
  request: Request,
  answer: unknown,
  kind: Kind,
  { masking, isUnclear, isKnownId }: { masking: Masking; isUnclear: boolean; isKnownId(id: string): boolean },
): BatchAnswer {
  const { batch = [], body } = request;
  const result: BatchAnswer = { refused: new Map(), unknown: new Map(), finishedIds: new Map() };
  // The platform identifies an item by the values that were sent for it, secrets included.
  const sentRequest = { ...request, body: revealed(body) };
  const outcomes = batch.length === 0 || isUnclear ? [] : kind.shape.outcome!(answer, sentRequest);
  const formatRefusal = ({ code = '', error }: Refusal): string => {
    for (const secret of sealedIn(body)) masking.addSecret(secret);
    return [masking.safeNameIn(code) ?? masking.mask(code), masking.mask(error)].filter(Boolean).join(': ');
  };
  for (const [index, addresses] of batch.entries()) {
    const outcome: ItemOutcome = outcomes[index] ?? { unknown: true };
    const id = newIdOf(outcome, isKnownId);
    for (const address of addresses) {
      if (id !== undefined) result.finishedIds.set(address, id);
      else if ('error' in outcome) result.refused.set(address, new Error(formatRefusal(outcome)));
      else {
        const refusals = 'unknown' in outcome ? outcome.refusals : undefined;
        result.unknown.set(address, refusals?.map(formatRefusal).join('; '));
      }
    }
  }
  return result;
}

/** Returns the id of the object of a finished item of a batch; undefined if the item is refused, or if its id is not clear. */
function newIdOf(outcome: ItemOutcome, isKnownId: (id: string) => boolean): string | undefined {
  if ('id' in outcome) return outcome.id;
  if (!('oneOf' in outcome)) return undefined;
  const newIds = outcome.oneOf.filter((id) => !isKnownId(id));
  return newIds.length === 1 ? newIds[0] : undefined;
}
