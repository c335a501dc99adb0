import { type CatalogOperation, catalog } from '../catalog.ts';
import { badRequest } from './errors.ts';
import { clientOperations } from './tables.ts';

/** The operation that a method and path name, with the parameters of the path. */
export interface Route {
  operation: CatalogOperation;
  params: Record<string, string>;
}

/** The group of the operations that official clients call and the catalog lacks. No group of the catalog has this name. */
export const clientGroup = 'clients';

const version = /^v\d+$/;

/** An operation with its path, split for comparing it with requests. */
interface Pattern {
  operation: CatalogOperation;
  version: string;
  segments: string[];
}

/** Splits a path into its leading version (`v9`, empty if it has none) and its other segments, because requests may have any version. */
function split(path: string): { version: string; segments: string[] } {
  const segments = path.split('/').filter((segment) => segment !== '');
  return version.test(segments[0] ?? '')
    ? { version: segments[0]!, segments: segments.slice(1) }
    : { version: '', segments };
}

type Patterns = ReadonlyMap<string, readonly Pattern[]>;

/**
 * Indexes operations by method and number of path segments (key: `GET 2`), so that the twin compares a request with few of them.
 */
function patternsOf(operations: readonly CatalogOperation[]): Patterns {
  const patterns = new Map<string, Pattern[]>();
  for (const operation of operations) {
    const pattern = { operation, ...split(operation.path) };
    const key = `${operation.method} ${pattern.segments.length}`;
    patterns.set(key, [...(patterns.get(key) ?? []), pattern]);
  }
  return patterns;
}

const ofClients = Object.keys(clientOperations).map((name): CatalogOperation => {
  const [method, path] = name.split(' ') as [CatalogOperation['method'], string];
  return { group: clientGroup, method, path, operationId: null };
});
const patterns = patternsOf([...catalog, ...ofClients]);

const isParam = (segment: string) => segment.startsWith('{');

function matches(pattern: Pattern, segments: string[]): boolean {
  return pattern.segments.every((segment, i) => isParam(segment) || segment === segments[i]);
}

/**
 * Compares two path patterns that match the same request, for sorting: the one that has a fixed word where the other has a parameter comes
 * first, so that `/projects/search` is not taken for the project `search`. The leftmost difference decides.
 */
function bySpecificity(a: Pattern, b: Pattern): number {
  for (const [i, segment] of a.segments.entries()) {
    const difference = Number(isParam(segment)) - Number(isParam(b.segments[i]!));
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Decodes a percent-encoded segment of the path of a request to the twin. Throws the platform's 400 if it is not well-formed. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest('Invalid request: the path is not well-formed.');
  }
}

/**
 * Returns the operation for a method and path, if the catalog or an official client has one. The leading version segment does not count,
 * because clients of all ages call the same operations under different versions; it only decides among operations that differ in nothing
 * else.
 */
export function route(method: string, path: string): Route | undefined {
  const asked = split(path);
  // The older name of the path, which the Terraform provider and older SDKs call.
  if (asked.segments[0] === 'edge-config') asked.segments[0] = 'global-config';
  const bestMatch = (patterns.get(`${method} ${asked.segments.length}`) ?? [])
    .filter((pattern) => matches(pattern, asked.segments))
    .sort(
      (a, b) =>
        bySpecificity(a, b) || Number(b.version === asked.version) - Number(a.version === asked.version),
    )[0];
  if (bestMatch === undefined) return undefined;
  const params: Record<string, string> = {};
  for (const [i, segment] of bestMatch.segments.entries()) {
    if (isParam(segment)) params[segment.slice(1, -1)] = decode(asked.segments[i]!);
  }
  return { operation: bestMatch.operation, params };
}
