import type { ApiObject, ItemOutcome } from '#kind';
import { targetsOf } from './env-var-units.ts';

/** An entry of `failed` in a 2xx answer. */
export interface Failure {
  error: ApiObject;
}

/** Returns the objects in a member of an answer, as a list. Members of an unknown form give none. */
export const objectsAt = (answer: unknown, name: string): ApiObject[] =>
  [memberOf(answer, name)].flat().filter(isObject);

/** Like `objectsAt`, for texts. */
export const textsAt = (answer: unknown, name: string): string[] =>
  [memberOf(answer, name)].flat().filter((text) => typeof text === 'string');

/** Returns the failures that an answer lists in `failed`, although its status is a success. */
export const failuresIn = (answer: unknown): Failure[] =>
  objectsAt(answer, 'failed').flatMap(({ error }) => (isObject(error) ? [{ error }] : []));

const memberOf = (answer: unknown, name: string): unknown => (isObject(answer) ? answer[name] : undefined);

const isObject = (value: unknown): value is ApiObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the outcome of each variable of a creation, in the order of `rows`: created with an id, failed, or
 * unknown. An answer of the platform lists created and failed rows in any order.
 */
export function outcomesOfCreation(
  rows: ApiObject[],
  created: ApiObject[],
  failed: Failure[],
): ItemOutcome[] {
  const ids = new Map(created.map((row) => [identity(row), String(row.id)]));
  const isAbout = ({ envVarKey, key }: ApiObject, row: ApiObject) => (envVarKey ?? key) === row.key;
  return outcomesOf(rows, (row) => ids.get(identity(row)), failed, isAbout);
}

/**
 * Returns a text that identifies a row (a variable with its places) by its key, branch, targets and custom
 * environments. Used to find a sent row in the answer.
 */
const identity = (row: ApiObject): string =>
  JSON.stringify([
    row.key,
    row.gitBranch || null,
    targetsOf(row).sort(),
    [...((row.customEnvironmentIds as string[] | null) ?? [])].sort(),
  ]);

/**
 * Returns the outcome of each item of a request with many items: its id if it is done (`doneAs`), the error if it failed, or unknown.
 * Used to record partly successful requests in the ledger. An error is matched with its item by `isAbout`; if each item without
 * success has an error, by order.
 */
export function outcomesOf<T>(
  items: T[],
  doneAs: (item: T) => string | undefined,
  failed: Failure[],
  isAbout: (error: ApiObject, item: T) => boolean,
): ItemOutcome[] {
  const open = items.filter((item) => doneAs(item) === undefined);
  return items.map((item): ItemOutcome => {
    const id = doneAs(item);
    if (id !== undefined) return { id };
    const { error } =
      (failed.length === open.length
        ? failed[open.indexOf(item)]
        : failed.find((failure) => isAbout(failure.error, item))) ?? {};
    if (error) return wordsOf(error);
    return {
      unknown: true,
      refusals: failed.length > 0 ? failed.map((failure) => wordsOf(failure.error)) : undefined,
    };
  });
}

const wordsOf = ({ code, message }: ApiObject) => ({ error: String(message), code: String(code) });
