import type { ApiOperation } from '../../kind/provider.ts';
import { groupBy } from '../../model/graph.ts';

/** An operation that a recorded request calls, with the values in its path. */
export interface RecordedCall {
  /** Method and path as in the catalog: `GET /v9/projects/{idOrName}`. */
  operation: string;
  params: Record<string, string>;
}

/** True for a step of a path in the catalog that stands for any value: `{idOrName}`. */
const isParameterStep = (step: string) => step.startsWith('{');
/**
 * Returns the steps of a path without the version in front, because clients may call an operation in another version than the catalog has.
 */
const stepsOf = (path: string): string[] => path.replace(/^\/v\d+(?=\/)/, '').split('/');
const versionOf = (path: string): string => /^\/(v\d+)\//.exec(path)?.[1] ?? '';

/**
 * Creates the search for the API operation of a recorded request, because `trueup doctor --calibrate` reports by operation. It
 * returns undefined if there is none. If several operations fit, it prefers the one with the fewest parameters, as routers do
 * (`/projects/list` before `/projects/{id}`), then the one in the version of the request.
 */
export function createCallFinder(
  operations: readonly ApiOperation[],
): (method: string, path: string) => RecordedCall | undefined {
  const patterns = operations.map(({ method, path }) => ({ method, path, steps: stepsOf(path) }));
  const bySize = groupBy(patterns, ({ method, steps }) => `${method} ${steps.length}`);
  return (method, path) => {
    const steps = stepsOf(path);
    const fits = (pattern: readonly string[]) =>
      pattern.every((step, index) => (isParameterStep(step) ? steps[index] !== '' : step === steps[index]));
    // The number of parameters decides before the version.
    const rank = (pattern: { path: string; steps: string[] }) =>
      2 * pattern.steps.filter(isParameterStep).length +
      (versionOf(pattern.path) === versionOf(path) ? 0 : 1);
    const [best] = (bySize.get(`${method} ${steps.length}`) ?? [])
      .filter((pattern) => fits(pattern.steps))
      .toSorted((a, b) => rank(a) - rank(b));
    if (best === undefined) return undefined;
    const params = best.steps.flatMap((step, index) =>
      isParameterStep(step) ? [[step.slice(1, -1), decodeStep(steps[index]!)] as const] : [],
    );
    return { operation: `${method} ${best.path}`, params: Object.fromEntries(params) };
  };
}

/**
 * Decodes a step of the path of a recorded request (the text between two slashes), to compare it with ids; one that is not encoded
 * correctly stays as it is.
 */
export function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
