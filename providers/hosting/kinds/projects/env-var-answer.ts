import type { ApiObject, Request } from '#kind';

/** What became of each row of a POST, whose 2xx answer may name failures. */
export function createdOrFailed(answer: unknown, { body }: Request): ({ id: string } | { error: string })[] {
  const { created = [], failed = [] } = (answer ?? {}) as {
    created?: ApiObject | ApiObject[];
    failed?: { error: ApiObject }[];
  };
  const ids = new Map([created].flat().map((row) => [identity(row), String(row.id)]));
  const rows = body as ApiObject[];
  const errors = reasons(
    rows.filter((row) => !ids.has(identity(row))),
    failed.map(({ error }) => error),
  );
  return rows.map((row) => {
    const id = ids.get(identity(row));
    return id === undefined ? { error: errors.get(row)! } : { id };
  });
}

/** Key, branch and places: what tells rows apart. A single target may come back as a string. */
const identity = ({ key, gitBranch, target, customEnvironmentIds }: ApiObject): string =>
  JSON.stringify([
    key,
    gitBranch || null,
    [target ?? []].flat().sort(),
    [...((customEnvironmentIds as string[] | null) ?? [])].sort(),
  ]);

/** Why each row was refused. Some errors name the key; where one for each row came back, their order tells the rest. */
function reasons(refused: ApiObject[], errors: ApiObject[]): Map<ApiObject, string> {
  const text = ({ code, message }: ApiObject) => `${code}: ${message}`;
  const keyOf = (error: ApiObject) => error.envVarKey ?? error.key;
  return new Map(
    refused.map((row, index) => {
      const sameKey = errors.filter((error) => keyOf(error) === row.key);
      const one = errors.length === refused.length ? errors[index] : sameKey[0];
      return [row, one ? text(one) : 'the answer names it neither as created nor as failed'];
    }),
  );
}
