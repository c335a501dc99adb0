import type { Ledger } from '../model/ledger.ts';
import type { PlanSource } from '../model/plan.ts';

/** Compares the sources of secrets and variables, by name, with those that the ledger remembers of the last apply. */
export function comparedSources(
  sources: ReadonlyMap<string, string>,
  { sources: known = {} }: Pick<Ledger, 'sources'>,
): PlanSource[] {
  return [...sources].sort(byName).map(([name, source]): PlanSource => {
    const before = Object.hasOwn(known, name) ? known[name] : undefined;
    if (before === source) return { name, source };
    return before === undefined ? { name, source, since: 'new' } : { name, source, since: 'changed', before };
  });
}

const byName = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1);
