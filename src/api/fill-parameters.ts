import { lineage } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { ApiOperation } from '../kind/provider.ts';
import { operationOf } from '../manual/coverage.ts';
import { requestsOf } from '../manual/kind-requests.ts';

/** The ids of an object and of its parents, by kind. */
type Ids = ReadonlyMap<string, string>;

/** The values of an operation's parameters. */
interface OperationParameters {
  params: Record<string, string>;
  query: Record<string, string>;
}

/**
 * Returns a function which fills the parameters of an operation with the ids of an object and its parents, so
 * that `trueup api` can be called with an address instead of ids. The catalog of operations does not say what
 * a placeholder means; it is learned from the requests of the kinds: in `/projects/{idOrName}`, it is the id
 * of a project. A query parameter is filled only if it always means one kind, and no placeholder has that id
 * already.
 */
export function createParameterFiller(
  kinds: Kinds,
  operations: readonly ApiOperation[],
): (operation: ApiOperation, ids: Ids) => OperationParameters {
  const parameterKinds = learnParameterKinds(kinds, operations);
  return (operation, ids) => {
    const findId = (kindNames: Iterable<string> = []) =>
      [...kindNames].map((kind) => ids.get(kind)).find((id) => id !== undefined);
    const params = Object.fromEntries(
      placeholders(operation).flatMap(({ name, before }) => {
        // The requests of this operation count first, then those of other operations with the same word before the placeholder.
        const ofOperation = parameterKinds.byOperation.get(`${operation.method} ${operation.path} ${name}`);
        const id = findId(ofOperation ?? parameterKinds.byWordBefore.get(`${before}/${name}`));
        return id === undefined ? [] : [[name, id]];
      }),
    );
    const query = Object.fromEntries(
      (operation.query ?? []).flatMap((name) => {
        const kindNames = parameterKinds.byQueryName.get(name) ?? parameterKinds.byName.get(name);
        const id = kindNames?.size === 1 ? findId(kindNames) : undefined;
        return id === undefined || Object.values(params).includes(id) ? [] : [[name, id]];
      }),
    );
    return { params, query };
  };
}

/** Returns the names of placeholders in a path of `trueup api` without a value, which the user still has to set with `--param`. */
export const findUnfilledPlaceholders = (operation: ApiOperation, params: Record<string, string>): string[] =>
  placeholders(operation).flatMap(({ name }) => (Object.hasOwn(params, name) ? [] : [name]));

/** The names of the kinds whose ids a parameter can have, learned from the requests of the kinds. */
interface ParameterKinds {
  /** For a placeholder, by method, path and name. */
  byOperation: Map<string, Set<string>>;
  /** For a placeholder, by the word in front of it and its name. */
  byWordBefore: Map<string, Set<string>>;
  /** For a placeholder, by its name alone. */
  byName: Map<string, Set<string>>;
  /** For a query parameter, by its name. */
  byQueryName: Map<string, Set<string>>;
}

/**
 * Learns the kind whose id each parameter of an operation takes, so that `trueup api` can fill it. The
 * requests of the kinds show it: `GET /projects/{project}/env` has the word `{project}` where the catalog has
 * `{idOrName}`, so `{idOrName}` behind `projects` takes the id of a project. Also learns from other
 * operations, by the word before a placeholder or by its name alone. If requests disagree, a parameter
 * has several kinds.
 */
function learnParameterKinds(kinds: Kinds, operations: readonly ApiOperation[]): ParameterKinds {
  const requests = [...kinds.values()].flatMap((kind) =>
    requestsOf(kind).flatMap(({ endpoint }) => {
      const operation = operationOf(endpoint, operations);
      return operation ? [{ kind, endpoint, operation }] : [];
    }),
  );
  const queryParameters = requests.flatMap(({ kind, endpoint }) => {
    const [, search] = endpoint.split('?');
    return [...new URLSearchParams(search)].map(([name, value]) => ({
      name,
      kindName: findKindOfWord(value, kind, kinds),
    }));
  });
  const pathParameters = requests.flatMap(({ kind, endpoint, operation }) => {
    const [, path] = endpoint.split(/[ ?]/) as [string, string];
    const words = path.split('/');
    // Both paths have the same words, so a placeholder of the catalog stands for the word of the request at its place.
    return placeholders(operation).map(({ name, before, index }) => ({
      name,
      before,
      operation,
      kindName: findKindOfWord(words[index]!, kind, kinds),
    }));
  });
  return {
    byOperation: collectKinds(
      pathParameters,
      ({ operation, name }) => `${operation.method} ${operation.path} ${name}`,
    ),
    byWordBefore: collectKinds(pathParameters, ({ before, name }) => `${before}/${name}`),
    byName: collectKinds(pathParameters, ({ name }) => name),
    byQueryName: collectKinds(queryParameters, ({ name }) => name),
  };
}

/** Returns the kinds of parameters by a key. Parameters that take no id of a known kind (undefined) are left out. */
function collectKinds<P extends { kindName: string | undefined }>(
  parameters: readonly P[],
  keyOf: (parameter: P) => string,
): Map<string, Set<string>> {
  const kindsByKey = new Map<string, Set<string>>();
  for (const parameter of parameters)
    if (parameter.kindName !== undefined) addToSet(kindsByKey, keyOf(parameter), parameter.kindName);
  return kindsByKey;
}

/**
 * Returns the kind whose id fills a placeholder in an endpoint of `kind`: the kind itself for `{id}`, or a parent; undefined for others.
 */
function findKindOfWord(word: string, kind: Kind, kinds: Kinds): string | undefined {
  if (word === '{id}') return kind.name;
  return lineage(kinds, kind.parent).find(({ name }) => word === `{${name}}`)?.name;
}

/** Adds a value to the set under a key. */
function addToSet(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, new Set([...(map.get(key) ?? []), value]));
}

/**
 * Returns the placeholders in the path of an operation, each with the word in front of it. `trueup api` fills them with ids, and that word
 * often tells the kind of the id: `projects/{idOrName}`.
 */
function placeholders({ path }: ApiOperation): { name: string; before: string; index: number }[] {
  const words = path.split('/');
  return words.flatMap((word, index) =>
    word.startsWith('{') ? [{ name: word.slice(1, -1), before: words[index - 1]!, index }] : [],
  );
}
