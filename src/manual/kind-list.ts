import { childKinds } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { sectionPath } from '../kind/section-path.ts';
import type { Style } from '../report/style.ts';
import { cut, displayWidth } from '../report/text.ts';

/** One kind in the list of all; `depth` is 0 at the top of the YAML. */
interface KindSummary {
  kind: string;
  path: string;
  depth: number;
  doc: string;
}

/**
 * Returns all kinds (types of objects) for the list of `trueup kinds`, each below the kind that contains it, with
 * its path in the YAML and its depth.
 */
export const kindList = (kinds: Kinds): KindSummary[] =>
  kindTree(kinds).map(({ kind, depth }) => ({
    kind: kind.name,
    path: sectionPath(kinds, kind),
    depth,
    doc: kind.doc,
  }));

// With fewer columns than this, a description is on a line of its own.
const minTextWidth = 30;
// With so many columns for the description, the whole path is shown.
const ampleWidth = 70;

/**
 * Formats the list of `trueup kinds`, one kind (object type) per line: its section in the YAML, its name, and
 * its description, cut to the line (except in a log) or, on a narrow terminal, on a line of its own. Kinds inside
 * another kind are indented below it.
 */
export function kindListText(kindSummaries: KindSummary[], { style }: { style: Style }): string {
  // Lines for a log are not cut, because programs may read them.
  const width = Number.isFinite(style.prose) ? style.width : Number.POSITIVE_INFINITY;
  const columnWidth = (texts: string[]) => Math.max(0, ...texts.map(displayWidth)) + 2;
  const nameWidth = columnWidth(kindSummaries.map(({ kind }) => kind));
  const indentedPath = ({ path, depth }: KindSummary) => '  '.repeat(depth) + path;
  // The path of the parent is on a line above, so it can be left out if there is little room.
  const lastSection = ({ path, depth }: KindSummary) =>
    '  '.repeat(depth) + (depth === 0 ? path : `.${path.split('.').at(-1)}`);
  const roomBehindPaths = width - columnWidth(kindSummaries.map(indentedPath)) - nameWidth;
  const formatPath = roomBehindPaths < ampleWidth ? lastSection : indentedPath;
  const pathWidth = columnWidth(kindSummaries.map(formatPath));
  const room = width - pathWidth - nameWidth;
  const linesOf = (summary: KindSummary): string[] => {
    const head = `${formatPath(summary).padEnd(pathWidth)}${style.strong(summary.kind)}`;
    const gap = ' '.repeat(nameWidth - displayWidth(summary.kind));
    if (room >= minTextWidth) return [head + gap + style.quiet(cut(summary.doc, room))];
    const indent = ' '.repeat(2 * summary.depth + 4);
    return [head, indent + style.quiet(cut(summary.doc, width - indent.length))];
  };
  const lines = kindSummaries.flatMap((summary, index) => [
    ...(startsGroup(kindSummaries, index) ? [''] : []),
    ...linesOf(summary),
  ]);
  return [...lines, '', '`trueup kinds NAME` shows the manual page of one.'].join('\n');
}

/**
 * True if the list of `trueup kinds` has an empty line before the kind at `index`. A kind with the nested kinds below it
 * (`depth` over 0) is a group, and an empty line separates it from the kinds around it. Kinds without nested ones follow
 * each other without one.
 */
function startsGroup(kindSummaries: KindSummary[], index: number): boolean {
  const depthAt = (position: number) => kindSummaries[position]?.depth ?? 0;
  const isFirst = index === 0;
  const isNested = depthAt(index) > 0;
  if (isFirst || isNested) return false;
  const followsGroup = depthAt(index - 1) > 0;
  const hasNestedKinds = depthAt(index + 1) > 0;
  return followsGroup || hasNestedKinds;
}

/**
 * Returns the kinds (types of objects) as a tree in the order of the provider, for the list of `trueup kinds`: each
 * kind directly before those whose objects are in its objects. `depth` is 0 for those at the top. `parent`: returns
 * only the kinds below it.
 */
function kindTree(kinds: Kinds, parent?: Kind, depth = 0): { kind: Kind; depth: number }[] {
  return childKinds(kinds, parent?.name).flatMap((kind) => [
    { kind, depth },
    ...kindTree(kinds, kind, depth + 1),
  ]);
}
