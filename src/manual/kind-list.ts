import type { Kinds } from '../kind/kind.ts';
import { kindTree, sectionPath } from './place.ts';

/** One kind in the list of all; `depth` is 0 at the top of the YAML. */
export interface KindSummary {
  kind: string;
  path: string;
  depth: number;
  doc: string;
}

/** All kinds, each below the one that it stands in. */
export const kindList = (kinds: Kinds): KindSummary[] =>
  kindTree(kinds).map(({ kind, depth }) => ({
    kind: kind.name,
    path: sectionPath(kinds, kind),
    depth,
    doc: kind.doc,
  }));

/** The kinds that a name may mean: by name, else by path as the list shows it, else by section; case does not matter. */
export function kindsNamed(kinds: Kinds, name: string): KindSummary[] {
  const wanted = name.toLowerCase();
  const all = kindList(kinds);
  const tests: ((one: KindSummary) => string)[] = [
    ({ kind }) => kind,
    ({ path }) => path,
    ({ kind }) => kinds.get(kind)!.section,
  ];
  return (
    tests
      .map((text) => all.filter((one) => text(one).toLowerCase() === wanted))
      .find(({ length }) => length) ?? []
  );
}
