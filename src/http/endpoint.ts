import { escapeRegExp } from '../model/address.ts';
import { type Endpoint, type Method, withoutPlaceholderNames } from '../model/request.ts';
import { Sealed } from '../model/sealed.ts';
import type { CallName } from './errors.ts';

/** An endpoint with its placeholders filled. */
export interface FilledEndpoint {
  /** With its placeholders, as it was before. */
  endpoint: Endpoint;
  method: Method;
  /** Path and query as they are sent. */
  path: string;
  /** Path and query for messages: `(secret)` stands for each secret part. */
  shown: string;
  secrets: Sealed[];
}

/**
 * Returns the text that a request puts into its URL for a placeholder such as `{project}`. Throws an `Error` for a value without a text,
 * such as undefined. That is a mistake in the caller: the URL would name another object.
 */
function textOfParam(endpoint: string, name: string, value: unknown): string {
  if (value instanceof Sealed) return value.reveal();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new Error(`${endpoint}: no text for {${name}}`);
}

/**
 * Encodes a placeholder's value for a URL. Throws an `Error` for an empty, `.` or `..` path segment: the URL would then name another
 * object, such as the whole collection, which would be fatal with DELETE. Also throws for text with half a surrogate pair, because that has
 * no URL encoding.
 */
function encodeParam(endpoint: string, name: string, text: string, inPath: boolean): string {
  if (inPath && (text === '' || text === '.' || text === '..'))
    throw new Error(`${endpoint}: {${name}} cannot be "${text}"`);
  if (/\p{Cs}/u.test(text)) throw new Error(`${endpoint}: {${name}} is not well-formed text`);
  return encodeURIComponent(text);
}

/** Formats names and values as the query of a URL. Braces in them are encoded, so that `fillEndpoint` finds no placeholder there. */
export const formatQuery = (query: readonly (readonly [string, string])[]): string =>
  new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();

/** A placeholder of an endpoint, such as `{id}`. */
const placeholderPattern = /\{([^{}]+)\}/g;

/**
 * Fills the placeholders of an endpoint with URL-encoded params, and appends the parameters of `query` that the endpoint does not have
 * itself: for `GET /v9/projects/{id}`, `{ id: 'web' }` and `{ teamId: 'team_1' }`, the path is `/v9/projects/web?teamId=team_1`. Done for
 * every request before it is sent. `shown` is the same path with `(secret)` for secrets. Throws an `Error` if a param is missing, is not a
 * text, or would change which object the path names.
 */
export function fillEndpoint(
  endpoint: Endpoint,
  params: Record<string, unknown> = {},
  query: Record<string, string> = {},
): FilledEndpoint {
  const space = endpoint.indexOf(' ');
  const method = endpoint.slice(0, space) as Method;
  const [path = '', ownQuery = ''] = endpoint.slice(space + 1).split(/\?(.*)/s);
  // A placeholder in the endpoint's own query is replaced by any text here, because only the names of the parameters matter.
  const ownParams = new URLSearchParams(ownQuery.replace(placeholderPattern, 'x'));
  const addedParams = Object.entries(query).filter(([name]) => !ownParams.has(name));
  const addedQuery = new URLSearchParams(addedParams).toString();

  const encode = (name: string, inPath: boolean) =>
    encodeParam(endpoint, name, textOfParam(endpoint, name, params[name]), inPath);
  const fill = (encodedText: (name: string, inPath: boolean) => string) => {
    const filledPath = path.replace(placeholderPattern, (_, name: string) => encodedText(name, true));
    const filledQuery = ownQuery.replace(placeholderPattern, (_, name: string) => encodedText(name, false));
    const queries = [filledQuery, addedQuery].filter((text) => text !== '');
    return filledPath + (queries.length === 0 ? '' : `?${queries.join('&')}`);
  };
  const usedNames = [...endpoint.matchAll(placeholderPattern)].map(([, name]) => name!);
  return {
    endpoint,
    method,
    path: fill(encode),
    shown: fill((name, inPath) => (params[name] instanceof Sealed ? '(secret)' : encode(name, inPath))),
    secrets: usedNames.map((name) => params[name]).filter((value) => value instanceof Sealed),
  };
}

/** Returns the name of a call for messages: method and path, without the query and with `(secret)` for secrets. */
export const callNameOf = ({ method, shown }: FilledEndpoint): CallName => ({
  method,
  path: shown.split('?')[0]!,
});

/** An operation of an API's catalog. */
interface CatalogOperation {
  method: string;
  /** With path parameters in braces. */
  path: string;
}

/** An operation, named by method and path. */
export interface NamedOperation {
  name: string;
  path: string;
}

/**
 * Creates a function which finds the catalog's operation for an endpoint, even if its placeholders have other names or are filled. If the
 * catalog has no such operation, the function returns the endpoint without its query. Used to look up permissions and rate limits of a
 * request.
 */
export function createOperationFinder(
  catalog: readonly CatalogOperation[],
): (endpoint: Endpoint) => NamedOperation {
  const operations = catalog.map(({ method, path }): NamedOperation => ({ name: `${method} ${path}`, path }));
  const operationsByTemplate = new Map(
    operations.map((operation) => [withoutPlaceholderNames(operation.name), operation]),
  );
  const answers = new Map<string, NamedOperation>();
  // Created only when needed, because it compiles hundreds of patterns and most runs only ask for endpoints with placeholders.
  let findFilled: ((name: string) => NamedOperation | undefined) | undefined;

  return (endpoint) => {
    const name = endpoint.split('?')[0]!;
    let operation = answers.get(name) ?? operationsByTemplate.get(withoutPlaceholderNames(name));
    if (!operation) {
      findFilled ??= createFilledFinder(operations);
      operation = findFilled(name) ?? { name, path: name.slice(name.indexOf(' ') + 1) };
    }
    answers.set(name, operation);
    return operation;
  };
}

/**
 * Creates a function which finds the operation of the platform's API for a path whose placeholders are filled, such as `GET
 * /projects/prj_1`. Used for the rate limit and permissions of requests that have ids in their paths. If several operations fit, the one
 * with the fewest placeholders is the most specific.
 */
function createFilledFinder(
  operations: readonly NamedOperation[],
): (name: string) => NamedOperation | undefined {
  const patterns = operations
    .map((operation) => {
      const parts = withoutPlaceholderNames(operation.name).split('{}');
      const pattern = new RegExp(`^${parts.map(escapeRegExp).join('[^/]+')}$`);
      return { operation, variables: parts.length - 1, pattern };
    })
    .sort((a, b) => a.variables - b.variables);
  return (name) => {
    const path = withoutPlaceholderNames(name);
    return patterns.find(({ pattern }) => pattern.test(path))?.operation;
  };
}
