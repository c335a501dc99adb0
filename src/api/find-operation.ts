import type { ApiOperation } from '../kind/provider.ts';
import { Problems } from '../model/diagnostic.ts';

/** An operation that somebody called by its name or its path, with what the path says already. */
export interface OperationCall {
  operation: ApiOperation;
  /** Values of placeholders, decoded. */
  params: Record<string, string>;
  /** Names and values, as they are written. */
  query: [string, string][];
}

/**
 * The operation that the words mean: `getDeployments`, or `GET /v9/projects/web?x=1`, where a placeholder of the catalog may stand
 * (`{idOrName}`) or its value. Throws `Problems`; `closest` finds the name that was probably meant.
 */
export function findOperation(
  [first, second]: readonly [string, string?],
  operations: readonly ApiOperation[],
  closest: (name: string, among: string[]) => string | undefined,
): OperationCall {
  if (second === undefined) {
    const apiOperations = operations.filter(({ operationId }) => operationId === first);
    if (apiOperations.length === 1) return { operation: apiOperations[0]!, params: {}, query: [] };
    if (apiOperations.length > 1)
      throw unknownOperation(
        `${first} is the name of ${apiOperations.length} operations`,
        listOperations(apiOperations),
      );
    const near = closest(
      first,
      operations.flatMap(({ operationId }) => operationId ?? []),
    );
    const meant = near === undefined ? '`trueup api --list` shows them all' : `did you mean \`${near}\`?`;
    throw unknownOperation(`there is no operation named ${JSON.stringify(first)}`, meant);
  }
  const method = first.toUpperCase();
  const [path = '', search = ''] = second.split(/\?(.*)/s);
  const words = path.split('/');
  const fits = operations
    .filter((operation) => operation.method === method)
    .flatMap((operation) => {
      const params = paramsIn(operation.path.split('/'), words);
      return params ? [{ operation, params }] : [];
    })
    // What is written out is meant rather than what may be anything.
    .sort((a, b) => openIn(a.operation.path) - openIn(b.operation.path));
  const query = [...new URLSearchParams(search)];
  if (fits[0]) return { ...fits[0], query };
  const sameWords = operations.filter((operation) => paramsIn(operation.path.split('/'), words));
  const others = sameWords.length > 0 ? sameWords : operations.filter(({ path: own }) => isLike(own, path));
  throw unknownOperation(
    `there is no operation ${method} ${path}`,
    others.length > 0
      ? `it has ${listOperations(others.slice(0, 5))}`
      : '`trueup api --list` shows what it has',
  );
}

const unknownOperation = (message: string, hint: string) => new Problems('api/operation', message, { hint });

const listOperations = (operations: readonly ApiOperation[]) =>
  operations.map(({ method, path }) => `${method} ${path}`).join(', ');

const isPlaceholder = (word: string) => word.startsWith('{');
const openIn = (path: string) => path.split('/').filter(isPlaceholder).length;

/** The values of placeholders in a path; undefined if it is another one. A placeholder may stand for itself. */
function paramsIn(own: string[], words: string[]): Record<string, string> | undefined {
  if (own.length !== words.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of own.entries()) {
    const word = words[index]!;
    if (!isPlaceholder(part)) {
      if (part !== word) return undefined;
    } else if (word === '') return undefined;
    else if (!isPlaceholder(word)) params[part.slice(1, -1)] = decoded(word);
    else if (word !== part) return undefined;
  }
  return params;
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/** The same but for its version. */
const isLike = (own: string, path: string) => paramsIn(bare(own), bare(path)) !== undefined;

const bare = (path: string) => path.replace(/^\/v\d+(?=\/)/, '').split('/');
