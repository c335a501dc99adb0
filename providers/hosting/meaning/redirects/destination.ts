/*
 * Where the destination of a redirect leads: its parameters filled in, and read as a browser reads a `Location`.
 */
import type { Parameters } from './path-pattern.ts';

/** A destination as a URL without a part that depends on something unknown. */
export interface Destination {
  /** Undefined for the host of the request. */
  host: string | undefined;
  isHttp: boolean | undefined;
  path: string;
  /** The query that the destination itself states, without `?`. */
  query: string;
  /** The host, path and query, for messages. */
  text: string;
}

/** A path that a browser requests as it is written. */
const plainDestination = /^\/(?!\/)[\w\-~@&',;=/.!]*$/;

/**
 * Returns where a destination leads; undefined if that is unclear. `parameters`: those of the source, for routes with a pattern; undefined
 * for sources that have none.
 */
export function readDestination(text: string, parameters?: Parameters): Destination | undefined {
  const filled = parameters === undefined ? text : fillParameters(text, parameters);
  if (filled === undefined) return undefined;
  // `/.` can start a step to the folder above.
  if (plainDestination.test(filled) && !filled.includes('/.'))
    return { host: undefined, isHttp: undefined, path: filled, query: '', text: filled };
  if (/[\s\\]/.test(filled)) return undefined;
  const isPath = filled.startsWith('/') && !filled.startsWith('//');
  if (!isPath && !/^https?:\/\/[^/]/i.test(filled)) return undefined;
  let url: URL;
  try {
    url = new URL(filled, 'https://host.invalid');
  } catch {
    return undefined;
  }
  if (url.username !== '' || url.password !== '') return undefined;
  const { pathname: path, search, port, hostname } = url;
  const query = search.slice(1);
  if (isPath) return { host: undefined, isHttp: undefined, path, query, text: `${path}${search}` };
  // The platform serves no other port.
  const host = port === '' ? hostname : `${hostname}:${port}`;
  return {
    host,
    isHttp: url.protocol === 'http:',
    path,
    query,
    text: `${url.protocol}//${host}${path}${search}`,
  };
}

/** Returns a destination with the values of its parameters (`:path*`, `$1`); undefined if one is missing or more is left to fill in. */
function fillParameters(text: string, parameters: Parameters): string | undefined {
  const [, origin, rest] = /^([a-z]+:\/\/[^/:$]*(?::\d+)?)?(.*)$/is.exec(text)!;
  let isComplete = true;
  const filled = rest!.replace(/:([a-z_]\w*)[*+?]?|\$(?:(\d+)|\{[^}]*\}|\w+)/gi, (_, name, group) => {
    const value = parameters.get(name ?? group);
    if (value === undefined || !/^[\w\-.~/]+$/.test(value)) isComplete = false;
    return value ?? '';
  });
  const hasMore = /[:$*(){}]/.test(filled);
  return isComplete && !hasMore ? `${origin ?? ''}${filled}` : undefined;
}
