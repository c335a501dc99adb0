import type { Kinds } from '../kind/kind.ts';
import { raiseErrors } from '../model/diagnostic.ts';
import { collectionParts, type Live } from '../model/resource.ts';
import { mayContainMatch } from '../observe/observe-account.ts';
import { createUnmatchedGlobProblems } from '../plan/select-changes.ts';

/** The globs of an export: the objects to export, the objects to leave out, and the rules for files (`GLOB=FILE`). */
interface ExportGlobs {
  target?: readonly string[];
  exclude?: readonly string[];
  by?: readonly string[];
}

/** Throws `Problems` for globs that match no object, because they are probably misspelled. Ignores globs for unreadable collections. */
export function refuseUnmatchedExports(
  { resources, unreadable }: Live,
  kinds: Kinds,
  { target = [], exclude = [], by = [] }: ExportGlobs,
): void {
  const unreadableCollections = [...unreadable.keys()].map(collectionParts);
  const mayBeUnreadable = (glob: string) =>
    unreadableCollections.some(([parent, name]) => mayContainMatch(kinds.get(name)!, parent, [glob]));
  // With targets, an excluded object outside of them was not read, so its glob may match nothing.
  const excludeGlobs = target.length > 0 ? [] : exclude;
  const fileGlobs = by.map((rule) => rule.slice(0, rule.lastIndexOf('=')));
  const globs = [...target, ...excludeGlobs, ...fileGlobs].filter((glob) => !mayBeUnreadable(glob));
  const problems = createUnmatchedGlobProblems(globs, [...resources.keys()]);
  raiseErrors(problems);
}
