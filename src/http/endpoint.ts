import { escapeRegExp } from '../model/address.ts';
import type { Endpoint, Method } from '../model/request.ts';
import { Sealed } from '../model/sealed.ts';

/** An endpoint whose placeholders are filled. */
export interface Filled {
  method: Method;
  /** Path and query as they go over the wire. */
  path: string;
  /** The same for people: `(secret)` in place of secret parts. */
  shown: string;
  secrets: Sealed[];
}

function textOf(endpoint: string, name: string, value: unknown): string {
  if (value instanceof Sealed) return value.reveal();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new Error(`${endpoint}: no text for {${name}}`);
}

function encode(endpoint: string, name: string, text: string, inPath: boolean): string {
  // An empty, `.` or `..` segment would name another object, for example the collection: fatal with DELETE.
  if (inPath && (text === '' || text === '.' || text === '..'))
    throw new Error(`${endpoint}: {${name}} cannot be "${text}"`);
  if (/\p{Cs}/u.test(text)) throw new Error(`${endpoint}: {${name}} is not well-formed text`);
  return encodeURIComponent(text);
}

/** Names and values as the query of a URL, in which nothing is a placeholder. */
export const queryText = (query: readonly (readonly [string, string])[]): string =>
  new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();

/**
 * Fills `{placeholders}` with URL-encoded params, and appends `query` where the endpoint does not already have a parameter of
 * that name. Throws a plain `Error` if a param is missing, is no text, or would change the path's meaning.
 */
export function fill(
  endpoint: Endpoint,
  params: Record<string, unknown> = {},
  query: Record<string, string> = {},
): Filled {
  const space = endpoint.indexOf(' ');
  const method = endpoint.slice(0, space) as Method;
  const [path = '', ownQuery = ''] = endpoint.slice(space + 1).split(/\?(.*)/s);
  const secrets: Sealed[] = [];

  const put = (template: string, inPath: boolean, show: boolean) =>
    template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
      const value = params[name];
      const text = encode(endpoint, name, textOf(endpoint, name, value), inPath);
      if (!(value instanceof Sealed)) return text;
      if (!show) secrets.push(value);
      return show ? '(secret)' : text;
    });

  const own = new URLSearchParams(ownQuery.replace(/\{[^{}]+\}/g, 'x'));
  const added = new URLSearchParams(Object.entries(query).filter(([name]) => !own.has(name))).toString();
  const whole = (show: boolean) => {
    const parts = [put(ownQuery, false, show), added].filter((part) => part !== '').join('&');
    return put(path, true, show) + (parts === '' ? '' : `?${parts}`);
  };
  return { method, path: whole(false), shown: whole(true), secrets };
}

/** An operation of an API's catalog. */
interface Operation {
  method: string;
  /** With path parameters in braces. */
  path: string;
}

interface Named {
  /** Method and path. */
  name: string;
  path: string;
}

const blank = (path: string) => path.replace(/\{[^{}]*\}/g, '{}');

/**
 * Makes a function that finds the catalog's operation for an endpoint, whatever its placeholders are called and even if they
 * are filled; the endpoint itself, without its query, where the catalog has none.
 */
export function matcher(catalog: readonly Operation[]): (endpoint: Endpoint) => Named {
  const operations = catalog.map(({ method, path }): Named => ({ name: `${method} ${path}`, path }));
  const unfilled = new Map(operations.map((operation) => [blank(operation.name), operation]));
  const known = new Map<string, Named>();
  // Hundreds of patterns, and most runs ask only for endpoints as they are written.
  let filled: ((name: string) => Named | undefined) | undefined;

  return (endpoint) => {
    const name = endpoint.split('?')[0]!;
    let found = known.get(name) ?? unfilled.get(blank(name));
    if (!found) {
      filled ??= finderOfFilled(operations);
      found = filled(name) ?? { name, path: name.slice(name.indexOf(' ') + 1) };
    }
    known.set(name, found);
    return found;
  };
}

/** Finds the operation with the fewest variables that a name fits. */
function finderOfFilled(operations: readonly Named[]): (name: string) => Named | undefined {
  const patterns = operations
    .map((operation) => {
      const parts = blank(operation.name).split('{}');
      const pattern = new RegExp(`^${parts.map(escapeRegExp).join('[^/]+')}$`);
      return { operation, variables: parts.length - 1, pattern };
    })
    .sort((a, b) => a.variables - b.variables);
  return (name) => {
    const asked = blank(name);
    return patterns.find(({ pattern }) => pattern.test(asked))?.operation;
  };
}
