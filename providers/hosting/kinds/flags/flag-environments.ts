import type { Fields, Value } from '#kind';
import { referringToSegments } from './segment-references.ts';
import { withoutEmptyMaps } from './without-empty-maps.ts';

type Environments = Record<string, Fields>;

/** Returns the declared fields of a flag without empty environments and targets, because an empty one means the same as a missing one. */
export function declaredEnvironments({ environments, ...fields }: Fields): Fields {
  const nonEmpty = Object.entries((environments ?? {}) as Environments).flatMap(
    ([name, { targets, ...environment }]) => {
      const nonEmptyTargets = withoutEmptyMaps(targets);
      const whole = {
        ...environment,
        ...(nonEmptyTargets === undefined ? {} : { targets: nonEmptyTargets }),
      };
      return Object.keys(whole).length === 0 ? [] : [[name, whole] as const];
    },
  );
  return nonEmpty.length === 0 ? fields : { ...fields, environments: Object.fromEntries(nonEmpty) };
}

/**
 * Returns the live environments of a flag in the form of the YAML: without revisions, because the platform counts
 * them, and with references instead of the ids of segments. `to`: returns the reference for an id.
 */
export const foundEnvironments = (
  environments: unknown,
  to: (id: string) => Value | undefined,
): Environments =>
  Object.fromEntries(
    Object.entries((environments ?? {}) as Environments).map(([name, { revision, ...environment }]) => [
      name,
      referringToSegments(environment, to),
    ]),
  );
