import { lineage } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { ApiOperation } from '../kind/provider.ts';
import { operationOf } from '../manual/coverage.ts';
import { requestsOf } from '../manual/kind-requests.ts';

/** The id of an object by its kind, and those of all that it is in. */
type Ids = ReadonlyMap<string, string>;

/** The values that an operation takes from its objects. */
interface ParameterPlaces {
  params: Record<string, string>;
  query: Record<string, string>;
}

/**
 * Makes a function that fills the placeholders of an operation that mean one of some objects, and the query parameter that says which
 * project it is about where no placeholder does. Which one means what is learned from the requests of the kinds:
 * `/projects/{idOrName}` is a project's.
 */
export function createParameterFiller(
  kinds: Kinds,
  operations: readonly ApiOperation[],
): (operation: ApiOperation, ids: Ids) => ParameterPlaces {
  const meanings = meaningsIn(kinds, operations);
  return (operation, ids) => {
    const idIn = (meant: Iterable<string> = []) =>
      [...meant].map((kind) => ids.get(kind)).find((id) => id !== undefined);
    const params = Object.fromEntries(
      placeholders(operation).flatMap(({ name, before }) => {
        const exact = meanings.exact.get(`${operation.method} ${operation.path} ${name}`);
        const id = idIn(exact ?? meanings.after.get(`${before}/${name}`));
        return id === undefined ? [] : [[name, id]];
      }),
    );
    const query = Object.fromEntries(
      (operation.query ?? []).flatMap((name) => {
        const meant = meanings.asked.get(name) ?? meanings.named.get(name);
        // A name that means objects of one kind wherever it stands.
        const id = meant?.size === 1 ? idIn(meant) : undefined;
        return id === undefined || Object.values(params).includes(id) ? [] : [[name, id]];
      }),
    );
    return { params, query };
  };
}

/** The placeholders of an operation that nothing has filled. */
export const findUnfilledPlaceholders = (operation: ApiOperation, params: Record<string, string>): string[] =>
  placeholders(operation).flatMap(({ name }) => (Object.hasOwn(params, name) ? [] : [name]));

interface Meanings {
  /** The kinds that a placeholder of one operation means, nearest first. */
  exact: Map<string, Set<string>>;
  /** The same by the word before it and its name. */
  after: Map<string, Set<string>>;
  /** The same by its name alone. */
  named: Map<string, Set<string>>;
  /** The same of query parameters. */
  asked: Map<string, Set<string>>;
}

function meaningsIn(kinds: Kinds, operations: readonly ApiOperation[]): Meanings {
  const meanings: Meanings = { exact: new Map(), after: new Map(), named: new Map(), asked: new Map() };
  for (const kind of kinds.values())
    for (const { endpoint } of requestsOf(kind)) {
      const operation = operationOf(endpoint, operations);
      if (!operation) continue;
      const [, path, search] = endpoint.split(/[ ?]/) as [string, string, string?];
      const words = path.split('/');
      for (const [name, value] of new URLSearchParams(search)) {
        const meant = kindMeant(value, kind, kinds);
        if (meant !== undefined) add(meanings.asked, name, meant);
      }
      for (const { name, before, index } of placeholders(operation)) {
        const meant = kindMeant(words[index]!, kind, kinds);
        if (meant === undefined) continue;
        add(meanings.exact, `${operation.method} ${operation.path} ${name}`, meant);
        add(meanings.after, `${before}/${name}`, meant);
        add(meanings.named, name, meant);
      }
    }
  return meanings;
}

/** The kind whose object's id fills a word of a kind's endpoint. */
function kindMeant(word: string, kind: Kind, kinds: Kinds): string | undefined {
  if (word === '{id}') return kind.name;
  return lineage(kinds, kind.parent).find(({ name }) => word === `{${name}}`)?.name;
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, new Set([...(map.get(key) ?? []), value]));
}

function placeholders({ path }: ApiOperation): { name: string; before: string; index: number }[] {
  const words = path.split('/');
  return words.flatMap((word, index) =>
    word.startsWith('{') ? [{ name: word.slice(1, -1), before: words[index - 1]!, index }] : [],
  );
}
