import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Outcome } from '../model/event.ts';
import { textWithoutNames, withoutName } from '../model/fold-diagnostics.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import { Sealed } from '../model/sealed.ts';
import { inside, walk } from '../model/walk.ts';
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
export function groupFailures(plan: Plan, { failed }: Pick<Outcome, 'failed'>): FailureGroup[] {
  const causeOf = createFailureGrouping(plan);
  const groups = groupBy(failed, ({ address, error }) => causeOf(error, address));
  return [...groups.values()].map((group) => ({ ...failureLines(group[0]!.error), failed: group }));
}

/**
 * Returns a function that gives failures with one cause the same text: the same answer of the platform to the same request about objects of
 * one kind. The path of the request, the name of the object and the values of its fields differ from object to object.
 *
 * Two failures have one cause if their messages are equal without paths and names, or equal without field values, too. Both are compared,
 * because a field of one object may hold a word of the platform's own message.
 */
export function createFailureGrouping({
  changes,
}: Pick<Plan, 'changes'>): (error: unknown, address: Address) => string {
  const changeAt = new Map(changes.map((change) => [change.address, change]));
  const causes = new Map<string, string>();
  return (error, address) => {
    const texts = comparableTexts(error, address, changeAt.get(address));
    const cause = texts.map((text) => causes.get(text)).find((text) => text !== undefined) ?? texts[0]!;
    for (const text of texts) if (!causes.has(text)) causes.set(text, cause);
    return cause;
  };
}

/** Returns the message of a failure without its path and the object's name, and the same without the object's values. */
function comparableTexts(error: unknown, address: Address, change: Change | undefined): string[] {
  const { message, hint } = failureLines(error);
  const { method, path } = requestFailureIn(error);
  const text = message.join('\n');
  const isRequest = typeof path === 'string' && path !== '';
  const unnamed = textWithoutNames({
    message: isRequest ? text.replaceAll(`${method} ${path}`, `${method}`) : text,
    hint: hint.join('\n'),
    address,
  });
  return [unnamed, stringsIn(change?.after?.fields).reduce(withoutName, unnamed)].map(
    (general) => `${change?.kind} ${general}`,
  );
}

/** The texts in a value, as they are and as JSON quotes them, the longest first because one may contain another. */
function stringsIn(value: unknown): string[] {
  const texts = new Set<string>();
  walk(value, (part) => {
    if (part instanceof Sealed) return undefined;
    if (typeof part === 'string') texts.add(part).add(JSON.stringify(part).slice(1, -1));
    return inside;
  });
  return [...texts].sort((a, b) => b.length - a.length);
}

/** Returns the lines of a failed write: its message, and a hint that fits a token which could read the account in the same run. */
export function failureLines(error: unknown): { message: string[]; hint: string[] } {
  const { message, hint } = errorLines(error);
  const { status, invalidToken } = requestFailureIn(error);
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
function requestFailureIn(error: unknown): RequestFailure {
  const failure = toRequestFailure(error);
  return failure.path === undefined && failure.status === undefined
    ? toRequestFailure(failure.cause)
    : failure;
}

const toRequestFailure = (error: unknown): RequestFailure =>
  typeof error === 'object' && error !== null ? error : {};
