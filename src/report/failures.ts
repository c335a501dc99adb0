import { type Address, indexByAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Outcome } from '../model/event.ts';
import { textWithoutNames, withoutName } from '../model/fold-diagnostics.ts';
import { groupBy } from '../model/graph.ts';
import type { Operation, Plan } from '../model/plan.ts';
import { Sealed } from '../model/sealed.ts';
import { visitDeep, visitMembers } from '../model/walk.ts';
import { errorLines } from './text.ts';

/*
 * Groups the failures of an apply by cause, so that an expired token that fails 300 changes is printed once.
 *
 * The changes of one refused request share its error, and so have one cause. Two errors have one cause if the platform gave the same answer
 * to the same request about objects of one kind. The kind does not matter if the token expired, or if the error is about no request.
 * Messages with one cause still differ in the path of the request, the name of the object and the values of its fields. So each message is
 * reduced in two steps, and two errors have one cause if either reduced text is equal:
 *
 * 1. without paths and names;
 * 2. also without the field values of the object.
 *
 * Step 2 alone is not enough: a field may hold a word of the platform's own message, and then removing it makes two equal messages differ.
 */

/** The members that an error about a request may have. */
interface RequestFailure {
  method?: unknown;
  path?: unknown;
  status?: unknown;
  invalidToken?: unknown;
  /** The advice about a token whose scope is too small. */
  scopeHint?: unknown;
  cause?: unknown;
}

/** Failures of an apply with one cause, with the message and the hint of the first one. */
export interface FailureGroup {
  message: string[];
  hint: string[];
  failed: Outcome['failed'];
}

/** Groups the failures of an apply by cause, in the order of their first failures. Used to print each error once. */
export function groupFailures(plan: Plan, { failed }: Pick<Outcome, 'failed'>): FailureGroup[] {
  const causeOf = createFailureGrouping(plan);
  const groups = groupBy(failed, ({ address, error }) => causeOf(error, address));
  return [...groups.values()].map((group) => {
    const { error, address } = group[0]!;
    return { ...failureLines(error, findPlannedOperation(plan, address)), failed: group };
  });
}

/**
 * Creates the function which returns a key for the cause of a failure, so that `apply` prints an error once for all changes that it
 * stopped: failures with one cause get the same key. Remembers earlier failures, so that it also works while the apply is running.
 * `causeByText`: the memory, for several stacks whose failures may have one cause.
 */
export function createFailureGrouping(
  { changes }: Pick<Plan, 'changes'>,
  causeByText = new Map<string, string>(),
): (error: unknown, address: Address) => string {
  const changesByAddress = indexByAddress(changes);
  const causeByError = new Map<unknown, string>();
  return (error, address) => {
    const causeOfError = causeByError.get(error);
    if (causeOfError !== undefined) return causeOfError;
    // The message without the object's name, and also without its values. A failure has the cause of an earlier one that shares a text.
    const texts = comparableTexts(error, address, changesByAddress.get(address));
    const knownCause = texts.map((text) => causeByText.get(text)).find((cause) => cause !== undefined);
    const cause = knownCause ?? texts[0]!;
    causeByError.set(error, cause);
    for (const text of texts) if (!causeByText.has(text)) causeByText.set(text, cause);
    return cause;
  };
}

/**
 * Returns two texts for the message of a failure; failures with a text in common have one cause. The first is the message without the
 * request's path and the object's name, the second also lacks the object's field values. Both begin with the kind and the method of the
 * request, so that only failures of these are equal, except for an expired token, which fails objects of any kind alike.
 */
function comparableTexts(error: unknown, address: Address, change: Change | undefined): string[] {
  const { message, hint } = failureLines(error);
  const failure = requestFailureIn(error);
  const { method, path } = failure;
  const text = message.join('\n');
  const hasPath = typeof path === 'string' && path !== '';
  const prefix = hasPath && !isTokenRejected(failure) ? `${change?.kind} ${method}` : '';
  const withoutNames = textWithoutNames({
    message: hasPath ? text.replaceAll(`${method} ${path}`, '') : text,
    hint: hint.join('\n'),
    address,
  });
  const withoutValues = stringsIn(change?.after?.fields).reduce(withoutName, withoutNames);
  return [withoutNames, withoutValues].map((reducedText) => `${prefix} ${reducedText}`);
}

/**
 * Returns the strings in the fields of an object, each as it is and as JSON escapes it, but no secrets. `comparableTexts` removes them from
 * a message. The longest come first, because one may contain another: removing the short one first would leave pieces of the long one.
 */
function stringsIn(value: unknown): string[] {
  const strings = new Set<string>();
  visitDeep(value, (node) => {
    if (node instanceof Sealed) return undefined;
    if (typeof node === 'string') strings.add(node).add(JSON.stringify(node).slice(1, -1));
    return visitMembers;
  });
  return [...strings].sort((a, b) => b.length - a.length);
}

/**
 * Returns the operation of a plan that changes an address, for the hint about a failure of it; undefined if there is none. Of several
 * operations it is the first.
 */
const findPlannedOperation = (
  { operations }: Pick<Plan, 'operations'>,
  address: Address,
): Operation | undefined => operations.find(({ changes }) => changes.includes(address));

/**
 * Returns the message and the hint of a failed write as lines, for the log and the result of `trueup apply`. The hint for 401 and 403
 * differs from that of other commands: the token could read the account in the same run, so it is neither missing nor misspelled.
 * `operation`: what failed, so that the hint names the requests for which the permission is missing.
 */
export function failureLines(error: unknown, operation?: Operation): { message: string[]; hint: string[] } {
  const { message, hint } = errorLines(error);
  const failure = requestFailureIn(error);
  if (isTokenRejected(failure))
    return {
      message,
      hint: [
        'the token worked at the start of this run, so it expired or was revoked since; set a new one and run apply again',
      ],
    };
  if (failure.status === 403 && failure.scopeHint === undefined)
    return {
      message,
      hint: [
        `the token is valid, since it could read the account, but it may not ${deniedText(failure, operation)}: give it access, or use another token; \`trueup permissions --check\` compares it with what the configuration needs`,
      ],
    };
  return { message, hint };
}

/**
 * Names the kind of request that the platform does not allow, as `trueup permissions` does: `send POST /v10/projects/{project}/env
 * (projectEnvVar)`. Without its operation: `do this`.
 */
function deniedText({ method }: RequestFailure, operation: Operation | undefined): string {
  const endpoints = operation?.requests.map(({ endpoint }) => endpoint) ?? [];
  const endpoint = endpoints.find((candidate) => candidate.startsWith(`${method} `));
  return endpoint === undefined ? 'do this' : `send ${endpoint} (${operation!.kind})`;
}

/** True if the platform no longer accepts the token, so that every request fails. */
const isTokenRejected = ({ status, invalidToken }: RequestFailure): boolean =>
  status === 401 || invalidToken === true;

/**
 * Returns status, method and path of the request that failed, from an error or from its cause; empty if it was no request. Used to choose
 * the hint and to group failures.
 */
function requestFailureIn(error: unknown): RequestFailure {
  const failure = toRequestFailure(error);
  const hasRequest = failure.path !== undefined || failure.status !== undefined;
  return hasRequest ? failure : toRequestFailure(failure.cause);
}

const toRequestFailure = (error: unknown): RequestFailure =>
  typeof error === 'object' && error !== null ? error : {};
