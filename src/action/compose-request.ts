import type { Input } from '../kind/lookup.ts';
import { problem, raise } from '../model/diagnostic.ts';
import type { Endpoint, Method, Request } from '../model/request.ts';
import type { Value } from '../model/value.ts';

/** The values that fill a request. */
interface RequestFilling {
  /** The name of the action or lookup, for messages. */
  name: string;
  /** The ids of the object that it is about and of its parents, by kind. */
  ids: ReadonlyMap<string, string>;
  /** Values that were read from the account for it. */
  foundValues?: Input;
  input: Input;
  /** The query parameters that the catalog of the API has for the operation. */
  query: readonly string[];
}

/**
 * Composes the request of an action (`trueup run`, `$then`) or of a lookup (`trueup get`, `trueup wait`).
 * Placeholders of the endpoint, as in `GET /v9/projects/{project}/env?target={target}`, get ids, values from
 * the account and inputs by name; a query parameter without a value is left out. The remaining inputs go into
 * the query if the catalog of API operations has such a parameter, else into the body. Throws `Problems` if a
 * placeholder of the path has no value.
 * @param createBody returns a body of another form; then no input goes into the body
 */
export function composeRequest(
  endpoint: Endpoint,
  { name, ids, foundValues = {}, input, query }: RequestFilling,
  createBody?: () => unknown,
): Request {
  const [method, target] = endpoint.split(' ') as [Method, string];
  const [path = '', search = ''] = target.split(/\?(.*)/s); // at the first `?`
  // Ids come first, then found values, then input.
  const values: Input = { ...input, ...foundValues, ...Object.fromEntries(ids) };
  const pathNames = placeholdersIn(path);
  refuseMissingValues(name, pathNames, values);
  const parameters = parametersWithValues(search, values);
  // Input that fills no placeholder goes into the query or the body.
  const usedNames = new Set([...pathNames, ...parameters.flatMap(placeholdersIn), ...ids.keys()]);
  const unused = Object.entries(input).filter(([key]) => !usedNames.has(key));
  const addedParameters = unused.filter(([key]) => query.includes(key)).map(([key]) => `${key}={${key}}`);
  const bodyInput = unused.filter(([key]) => !query.includes(key));
  const defaultBody = bodyInput.length > 0 ? Object.fromEntries(bodyInput) : undefined;
  const allParameters = [...parameters, ...addedParameters];
  const queryText = allParameters.length > 0 ? `?${allParameters.join('&')}` : '';
  const fullEndpoint = `${method} ${path}${queryText}` as Endpoint;
  // Now each parameter of the query has a placeholder, which the connection fills from `params`.
  const params = placeholdersIn(fullEndpoint).map(
    (key) => [key, joinListValue(values[key]) as Value] as const,
  );
  return {
    endpoint: fullEndpoint,
    params: params.length > 0 ? Object.fromEntries(params) : undefined,
    body: createBody ? createBody() : defaultBody,
  };
}

/** Returns the parameters of an endpoint's query, such as `target={target}`, without those whose placeholders have no value. */
const parametersWithValues = (search: string, values: Input): string[] =>
  search
    .split('&')
    .filter((parameter) => parameter !== '')
    .filter((parameter) => placeholdersIn(parameter).every((key) => values[key] !== undefined));

/**
 * Throws `Problems` if a placeholder in the path of an action (`trueup run`, `$then`) or a lookup (`trueup get`, `wait`) has
 * no value, because the request would be about no object. `values`: the known values by the name of their
 * placeholder.
 */
function refuseMissingValues(name: string, placeholders: readonly string[], values: Input): void {
  const missingNames = placeholders.filter((placeholder) => values[placeholder] === undefined);
  if (missingNames.length === 0) return;
  raise(
    missingNames.map((missing) =>
      problem('asked/missing', `${name} needs to know which ${missing} to act on`, {
        hint: `pass its address, or set ${missing}=VALUE`,
      }),
    ),
  );
}

/** Returns the names of the placeholders in an endpoint, without `teamId`, which the HTTP client fills. */
const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => name !== 'teamId');

/**
 * Returns a value for the query of a request of `trueup run` or `trueup get`: a list becomes a text with commas, as the platform expects
 * it.
 */
const joinListValue = (value: unknown): unknown => (Array.isArray(value) ? value.join(',') : value);
