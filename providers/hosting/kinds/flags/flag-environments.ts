import type { Fields, Value } from '#kind';
import { referringToSegments } from './segment-references.ts';
import { withoutEmptyMaps } from './without-empty-maps.ts';

type Environments = Record<string, Fields>;

/** A flag's fields as declared, with nothing for environments and targets that say nothing. */
export function declaredEnvironments({ environments, ...fields }: Fields): Fields {
  const kept = Object.entries((environments ?? {}) as Environments).flatMap(
    ([name, { targets, ...environment }]) => {
      const some = withoutEmptyMaps(targets);
      const whole = { ...environment, ...(some === undefined ? {} : { targets: some }) };
      return Object.keys(whole).length === 0 ? [] : [[name, whole] as const];
    },
  );
  return kept.length === 0 ? fields : { ...fields, environments: Object.fromEntries(kept) };
}

/** Environments as found, with references in place of segments' ids. Their revisions are the platform's own. */
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
