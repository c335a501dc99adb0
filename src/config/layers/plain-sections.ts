import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Section } from '../blocks/section-entries.ts';
import { expander } from '../expressions/expand.ts';
import type { Globals } from '../expressions/scope.ts';
import type { Entry, Node } from '../yaml/nodes.ts';

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
  return found.map(({ kind, entry }) => ({ kind, section: expand(entry.value), at: entry.key.at }));
}

/** True if a section has its form, and each of its names is written. */
function isPlainSection({ key, yaml: { mapBy } }: Kind, node: Node, kinds: ReadonlySet<string>): boolean {
  if (!isPlain(node, kinds)) return false;
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

const isExpression = (node: Node): boolean => node.type === 'scalar' && node.text.includes('${');

/** The keys that say how layers are laid; none of them is about the resource. */
export const layerKeys: ReadonlySet<string> = new Set([
  '$each',
  '$when',
  '$use',
  '$drop',
  '$add',
  '$first',
  '$last',
  '$before',
  '$after',
]);

const plain = new WeakMap<Node, boolean>();

/** True if a block can be taken as it is written: nothing in it depends on where it is laid, but for expressions of its scope. */
export function isPlain(node: Node, kinds: ReadonlySet<string>): boolean {
  if (node.type === 'scalar') return !node.text.includes('${') || !asksAround(node.text, kinds);
  if (node.type !== 'list' && node.type !== 'map') return true;
  const known = plain.get(node);
  if (known !== undefined) return known;
  const is =
    node.type === 'list'
      ? node.items.every((item) => isPlain(item, kinds))
      : node.entries.every(
          ({ key, value }) => !layerKeys.has(key.text) && isPlain(key, kinds) && isPlain(value, kinds),
        );
  plain.set(node, is);
  return is;
}

/** True if a text may hold `${project.name}`, or the like for another kind. */
const asksAround = (text: string, kinds: ReadonlySet<string>): boolean =>
  text.split('${').some((part, i) => i > 0 && kinds.has(/^\s*([^\s.[\]{}]*)/.exec(part)![1]!));

export const isGlob = (text: string): boolean => /[*?{[]/.test(text);

/** False if no key and no item of a list looks like a glob, as in most configurations. */
export const mayHaveGlobs = (node: Node): boolean =>
  node.type === 'map'
    ? node.entries.some(({ key, value }) => isGlob(key.text) || mayHaveGlobs(value))
    : node.type === 'list' &&
      node.items.some((item) => (item.type === 'scalar' ? isGlob(item.text) : mayHaveGlobs(item)));
