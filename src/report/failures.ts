import type { Address } from '../model/address.ts';
import type { Outcome } from '../model/event.ts';
import { textWithoutNames } from '../model/fold-diagnostics.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { errorLines } from './clean.ts';

/** The members of an error that answers a request, where it has them. */
interface RequestFailure {
  method?: unknown;
  path?: unknown;
  status?: unknown;
  invalidToken?: unknown;
  cause?: unknown;
}

/** Failures of an apply with one cause. */
interface FailureGroup {
  message: string[];
  hint: string[];
  failed: Outcome['failed'];
}

/** Groups the failures of an apply by cause, in the order of their first failures. */
export function groupFailures({ changes }: Plan, { failed }: Pick<Outcome, 'failed'>): FailureGroup[] {
  const kinds = new Map(changes.map(({ address, kind }) => [address, kind]));
  const groups = groupBy(failed, ({ address, error }) => causeOfFailure(error, address, kinds.get(address)));
  return [...groups.values()].map((same) => ({ ...failureLines(same[0]!.error), failed: same }));
}

/**
 * Returns a text that is equal for failures with one cause: the same answer of the platform to the same request about objects of one kind.
 * The path of the request and the name of the object differ from object to object, so they are left out.
 */
export function causeOfFailure(error: unknown, address: Address, kind: string | undefined): string {
  const { message, hint } = failureLines(error);
  const { method, path } = requestOf(error);
  const text = message.join('\n');
  const general =
    typeof path === 'string' && path !== '' ? text.replaceAll(`${method} ${path}`, `${method}`) : text;
  return `${kind} ${textWithoutNames({ message: general, hint: hint.join('\n'), address })}`;
}

/** Returns the lines of a failed write: its message, and a hint that fits a token which could read the account in the same run. */
export function failureLines(error: unknown): { message: string[]; hint: string[] } {
  const { message, hint } = errorLines(error);
  const { status, invalidToken } = requestOf(error);
  if (status === 401 || invalidToken === true)
    return {
      message,
      hint: [
        'the token worked at the start of this run, so it expired or was revoked since; set a new one and run apply again',
      ],
    };
  if (status === 403)
    return {
      message,
      hint: [
        'the token is valid, since it could read the account, but it may not do this: give it access, or use another token',
      ],
    };
  return { message, hint };
}

/** The error itself if it is about a request, else its cause. */
function requestOf(error: unknown): RequestFailure {
  const failure = asFailure(error);
  return failure.path === undefined && failure.status === undefined ? asFailure(failure.cause) : failure;
}

const asFailure = (error: unknown): RequestFailure =>
  typeof error === 'object' && error !== null ? error : {};
