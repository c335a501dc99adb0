import type { ApiObject } from '#kind';

export type RowOutcome = { id: string } | { error: string; code?: string };

/** An entry of `failed` in a 2xx answer. */
export interface Failure {
  error: ApiObject;
}

/** What became of each new row, by what was created and why something was not. */
export function createdOrNot(rows: ApiObject[], created: ApiObject[], failed: Failure[]): RowOutcome[] {
  const ids = new Map(created.map((row) => [identity(row), String(row.id)]));
  const isAbout = ({ envVarKey, key }: ApiObject, row: ApiObject) => (envVarKey ?? key) === row.key;
  return outcomesOf(rows, (row) => ids.get(identity(row)), failed, isAbout);
}

/** Key, branch and places: what tells rows apart. A single target may come back as a string. */
const identity = ({ key, gitBranch, target, customEnvironmentIds }: ApiObject): string =>
  JSON.stringify([
    key,
    gitBranch || null,
    [target ?? []].flat().sort(),
    [...((customEnvironmentIds as string[] | null) ?? [])].sort(),
  ]);

/**
 * What became of each item of a request: done under an id, or refused. Some errors say what they are about; where one for each
 * refused item came back, their order tells.
 */
export function outcomesOf<T>(
  items: T[],
  doneAs: (item: T) => string | undefined,
  failed: Failure[],
  isAbout: (error: ApiObject, item: T) => boolean,
): RowOutcome[] {
  const refused = items.filter((item) => doneAs(item) === undefined);
  return items.map((item) => {
    const id = doneAs(item);
    if (id !== undefined) return { id };
    const { error } =
      (failed.length === refused.length
        ? failed[refused.indexOf(item)]
        : failed.find((one) => isAbout(one.error, item))) ?? {};
    return error
      ? { error: String(error.message), code: String(error.code) }
      : { error: 'the answer names it neither as done nor as failed' };
  });
}
