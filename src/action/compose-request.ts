import type { Input } from '../kind/lookup.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Endpoint, Method, Request } from '../model/request.ts';
import type { Value } from '../model/value.ts';

/** The values that fill a request. */
interface RequestFilling {
  /** For people: `redeploy`. */
  name: string;
  /** The ids of the object that it is about, and of what that is in, by kind. */
  ids: ReadonlyMap<string, string>;
  /** Values found for it in the account. */
  foundValues?: Input;
  input: Input;
  /** The query parameters that the catalog knows of the operation. */
  query: readonly string[];
}

/**
 * A request of an endpoint: placeholders are ids by kind, what was found, and inputs by name; of the other inputs those go into the query that
 * the catalog has there, and the rest are the body. `body`: makes it in another way. Throws `Problems` where a placeholder of the path
 * has no value.
 */
export function composeRequest(endpoint: Endpoint, filling: RequestFilling, body?: () => unknown): Request {
  const { name: what, ids, foundValues: found = {}, input, query } = filling;
  const [method, target] = endpoint.split(' ') as [Method, string];
  const [path = '', search = ''] = target.split(/\?(.*)/s);
  const values: Input = { ...input, ...found, ...Object.fromEntries(ids) };
  const inPath = placeholdersIn(path);
  const missing = inPath.filter((name) => values[name] === undefined && name !== 'teamId');
  if (missing.length > 0)
    throw new Problems(
      missing.map((name) =>
        problem('asked/missing', `${what} needs to know which ${name} to act on`, {
          hint: `pass its address, or set ${name}=VALUE`,
        }),
      ),
    );
  const asked = search
    .split('&')
    .filter((part) => part !== '' && placeholdersIn(part).every((name) => values[name] !== undefined));
  const used = new Set([...inPath, ...asked.flatMap(placeholdersIn)]);
  const rest = Object.entries(input).filter(([name]) => !used.has(name) && !ids.has(name));
  const isAsked = ([name]: [string, unknown]) => query.includes(name);
  // A body of its own has all that is no part of the query.
  const whole = Object.fromEntries(rest.filter((one) => !isAsked(one)));
  const sent = body ? body() : Object.keys(whole).length > 0 ? whole : undefined;
  const questions = [...asked, ...rest.filter(isAsked).map(([name]) => `${name}={${name}}`)];
  const full = `${method} ${path}${questions.length > 0 ? `?${questions.join('&')}` : ''}` as Endpoint;
  const params = Object.fromEntries(placeholdersIn(full).map((name) => [name, joinListValue(values[name])]));
  return {
    endpoint: full,
    params: Object.keys(params).length > 0 ? (params as Record<string, Value>) : undefined,
    body: sent,
  };
}

const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => name !== 'teamId');

/** A list in a query stands with commas. */
const joinListValue = (value: unknown): unknown => (Array.isArray(value) ? value.join(',') : value);
