import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Section } from '../blocks/section-entries.ts';
import { expander } from '../expressions/expand.ts';
import type { Globals } from '../expressions/scope.ts';
import type { Entry, Node } from '../yaml/nodes.ts';
import { inspectNode, isExpression } from './inspect-node.ts';

/** The blocks of a configuration before templates and patches are worked in. */
export interface Written {
  /** The sections of each document. */
  documents: Entry[][];
  /** The sections `templates:`. */
  templates: Node[];
  /** The entries of `use:`. */
  use: Node[];
  /** The entries of `patches:`, in the order in which they are laid. */
  patches: Node[];
}

export interface Laying {
  kinds: Kinds;
  globals: Globals;
  diagnostics: Diagnostic[];
}

/**
 * The sections of a configuration without layers, with what is known now put in: what laying them would come to, sooner. Undefined where
 * something has to be laid on something else, or is no section.
 */
export function plainSections(
  { documents, templates, use, patches }: Written,
  { kinds, globals, diagnostics }: Laying,
): Section[] | undefined {
  if (templates.length + use.length + patches.length > 0) return undefined;
  const written = new Map<string, Entry>();
  for (const entry of documents.flat()) {
    if (written.has(entry.key.text)) return undefined;
    written.set(entry.key.text, entry);
  }
  const found = childKinds(kinds, undefined).flatMap((kind) => {
    const entry = written.get(kind.section);
    return entry ? [{ kind, entry }] : [];
  });
  if (
    found.length < written.size ||
    !found.every(({ kind, entry }) => isPlainSection(kind, entry.value, globals.kinds))
  )
    return undefined;
  const expand = expander(globals, diagnostics);
  return found.map(({ kind, entry: { key, value } }) => ({
    kind,
    section: inspectNode(value, globals.kinds).hasExpressions ? expand(value) : value,
    at: key.at,
  }));
}

/** True if a section has its form, and each of its names is written. */
function isPlainSection({ key, yaml: { mapBy } }: Kind, node: Node, kinds: ReadonlySet<string>): boolean {
  if (!inspectNode(node, kinds).isPlain) return false;
  if (key.length === 0) return node.type === 'map';
  if (mapBy === undefined) return node.type === 'list' && !node.items.some(isExpression);
  return (
    node.type === 'map' &&
    node.entries.every(
      ({ key, value }) =>
        key.unusable === undefined &&
        !isExpression(key) &&
        !(value.type === 'list' && value.items.some(isExpression)),
    )
  );
}
