import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';

/**
 * What nothing here owns, by kind: `3 domain`, and `project (not listed)` where only what is mentioned was read, since then nobody
 * has counted. `name` writes a kind.
 */
export function unmanagedTexts(
  { unmanaged, unlisted = [] }: Pick<Plan, 'unmanaged' | 'unlisted'>,
  name: (kind: string) => string,
): string[] {
  const counts = groupBy(unmanaged, ({ kind }) => kind);
  return [...new Set([...counts.keys(), ...unlisted])]
    .sort()
    .map((kind) =>
      unlisted.includes(kind) ? `${name(kind)} (not listed)` : `${counts.get(kind)!.length} ${name(kind)}`,
    );
}
