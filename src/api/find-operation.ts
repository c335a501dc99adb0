import type { ApiOperation } from '../kind/provider.ts';
import { unescapeName } from '../model/address.ts';
import { raise } from '../model/diagnostic.ts';

/** An operation of the API that a user wants to call, and the values that the user wrote in its path. */
export interface OperationCall {
  operation: ApiOperation;
  /** The values of placeholders in the path, decoded. */
  params: Record<string, string>;
  /** The names and values of the query. */
  query: [string, string][];
}

/**
 * Finds the operation that the words of `trueup api` mean: its name (`getDeployments`), or a method and a path (`GET
 * /v9/projects/web?x=1`). The path has values instead of the placeholders of the catalog, or the placeholders themselves (`{idOrName}`).
 * Throws `Problems` with a suggestion if there is no such operation, or several with the name.
 * @param closest returns the most similar of several names
 */
export function findOperation(
  [nameOrMethod, target]: readonly [string, string?],
  operations: readonly ApiOperation[],
  closest: (name: string, among: string[]) => string | undefined,
): OperationCall {
  return target === undefined
    ? findByName(nameOrMethod, operations, closest)
    : findByPath(nameOrMethod.toUpperCase(), target, operations);
}

/**
 * Finds the only operation with a name (its `operationId`), for `trueup api getDeployments`. Throws `Problems` if there is none or several.
 */
function findByName(
  name: string,
  operations: readonly ApiOperation[],
  closest: Parameters<typeof findOperation>[2],
): OperationCall {
  const matches = operations.filter(({ operationId }) => operationId === name);
  if (matches.length === 1) return { operation: matches[0]!, params: {}, query: [] };
  if (matches.length > 1)
    raise('api/operation', `${name} is the name of ${matches.length} operations`, {
      hint: listOperations(matches),
    });
  const names = operations.flatMap(({ operationId }) => operationId ?? []);
  const similarName = closest(name, names);
  raise('api/operation', `there is no operation named ${JSON.stringify(name)}`, {
    hint:
      similarName === undefined ? '`trueup api --list` shows them all' : `did you mean \`${similarName}\`?`,
  });
}

/**
 * Finds the operation with a method and a path, for `trueup api GET /v9/projects/web`. If several match, the one with the fewest
 * placeholders is meant. Throws `Problems` if there is none.
 */
function findByPath(method: string, target: string, operations: readonly ApiOperation[]): OperationCall {
  const [path = '', search = ''] = target.split(/\?(.*)/s);
  const words = path.split('/');
  const [match] = operations
    .filter((operation) => operation.method === method)
    .flatMap((operation) => {
      const params = matchPath(operation.path.split('/'), words);
      return params ? [{ operation, params }] : [];
    })
    .sort((a, b) => countPlaceholders(a.operation.path) - countPlaceholders(b.operation.path));
  if (match) return { ...match, query: [...new URLSearchParams(search)] };
  const otherMethods = operations.filter((operation) => matchPath(operation.path.split('/'), words));
  const suggestions =
    otherMethods.length > 0
      ? otherMethods
      : operations.filter((operation) => isSameButVersion(operation.path, path));
  raise('api/operation', `there is no operation ${method} ${path}`, {
    hint:
      suggestions.length > 0
        ? `it has ${listOperations(suggestions.slice(0, 5))}`
        : '`trueup api --list` shows what it has',
  });
}

const listOperations = (operations: readonly ApiOperation[]) =>
  operations.map(({ method, path }) => `${method} ${path}`).join(', ');

const isPlaceholder = (word: string) => word.startsWith('{');
const countPlaceholders = (path: string) => path.split('/').filter(isPlaceholder).length;

/**
 * Compares the path that a user of `trueup api` wrote with the path of an operation, word by word. Returns the values for its placeholders;
 * undefined if it is another path. A user may also write a placeholder itself; then it has no value yet.
 */
function matchPath(pattern: string[], words: string[]): Record<string, string> | undefined {
  if (pattern.length !== words.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const word = words[index]!;
    if (word === expected) continue;
    const isValue = word !== '' && !isPlaceholder(word);
    if (!isPlaceholder(expected) || !isValue) return undefined;
    // The value is encoded again when the request is sent.
    params[expected.slice(1, -1)] = unescapeName(word);
  }
  return params;
}

/**
 * True if a path that a user of `trueup api` wrote is that of an operation apart from the version in front, such as `/v9`. The error about
 * an unknown path suggests that operation.
 */
const isSameButVersion = (pattern: string, path: string) =>
  matchPath(wordsWithoutVersion(pattern), wordsWithoutVersion(path)) !== undefined;

const wordsWithoutVersion = (path: string) => path.replace(/^\/v\d+(?=\/)/, '').split('/');
