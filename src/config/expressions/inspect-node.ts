/**
 * Answers questions about a node with everything in it, before and after layers are merged. The answers for large
 * nodes are cached, because they are asked for several times, and many instances of templates share large parts of a
 * configuration.
 */
import type { ListNode, MapNode, Node } from '../yaml/nodes.ts';

/** Properties of a node with everything in it. */
interface NodeTraits {
  /**
   * True if the node contains no `$` keys of layers and no expression about its enclosing block. Then it needs no merging, only the
   * expressions in it are replaced.
   */
  isPlain: boolean;
  hasExpressions: boolean;
  /** True if some key, or some item of a list, looks like a glob. */
  hasGlobs: boolean;
  /** The number of values. A shared value counts at every use. */
  size: number;
  /** The number of characters in the values and keys in a list or map. A shared value counts at every use. */
  text: number;
}

/** The `$` keys that control how layers are merged. None of them is a setting of the resource. */
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

/** The traits of a scalar without expressions, with expressions, and with an expression about its enclosing block. */
const scalarTraits: NodeTraits = { isPlain: true, hasExpressions: false, hasGlobs: false, size: 1, text: 0 };
const expressionTraits: NodeTraits = { ...scalarTraits, hasExpressions: true };
const contextualTraits: NodeTraits = { ...expressionTraits, isPlain: false };

const traitsByNode = new WeakMap<Node, NodeTraits>();
/** The traits of a node with fewer values are computed again, because remembering them for every node takes longer. */
const minCachedSize = 16;

/**
 * Returns traits of a node with everything in it: whether it has expressions, globs or keys such as `$when`,
 * and how much text and how many values it contains. The merger uses them to skip work for plain blocks, and
 * `load` uses them after the merge to limit growth and to look for globs. `kinds`: the names of all kinds,
 * always the same, because the result is cached by node.
 */
export function inspectNode(node: Node, kinds: ReadonlySet<string>): NodeTraits {
  if (node.type === 'scalar') {
    if (!node.text.includes('${')) return scalarTraits;
    return mentionsEnclosingBlock(node.text, kinds) ? contextualTraits : expressionTraits;
  }
  if (node.type !== 'list' && node.type !== 'map') return scalarTraits;
  return traitsByNode.get(node) ?? inspectCollection(node, kinds);
}

/**
 * Returns the traits of a list or a map for `inspectNode`, such as its size and whether it has expressions: those of its items or values
 * together, and of its keys. Caches the result of a large one. Globs count in the items of lists and in keys, where they may name
 * resources. `kinds`: the names of all kinds.
 */
function inspectCollection(node: ListNode | MapNode, kinds: ReadonlySet<string>): NodeTraits {
  const traits = { ...scalarTraits };
  const add = ({ isPlain, hasExpressions, hasGlobs, size, text }: NodeTraits) => {
    traits.isPlain &&= isPlain;
    traits.hasExpressions ||= hasExpressions;
    traits.hasGlobs ||= hasGlobs;
    traits.size += size;
    traits.text += text;
  };
  if (node.type === 'list')
    for (const item of node.items) {
      add(inspectNode(item, kinds));
      traits.text += ownText(item);
      traits.hasGlobs ||= item.type === 'scalar' && isGlob(item.text);
    }
  else
    for (const { key, value } of node.entries) {
      add(inspectNode(value, kinds));
      traits.text += key.text.length + ownText(value);
      traits.hasGlobs ||= isGlob(key.text);
      if (layerKeys.has(key.text)) traits.isPlain = false;
      // Without size and text, because those of keys are counted above.
      if (isExpression(key)) add({ ...inspectNode(key, kinds), size: 0, text: 0 });
    }
  if (traits.size >= minCachedSize) traitsByNode.set(node, traits);
  return traits;
}

/**
 * Returns the number of values and characters in a node with everything in it. Used to limit how far expressions can multiply a
 * configuration.
 */
export function amountOf(node: Node, kinds: ReadonlySet<string>): Pick<NodeTraits, 'size' | 'text'> {
  const { size, text } = inspectNode(node, kinds);
  return { size, text: text + ownText(node) };
}

/**
 * Returns the number of characters in a node itself, without its items or entries. Used to measure how much
 * text the configuration has, because that is limited.
 */
function ownText(node: Node): number {
  if (node.type === 'scalar') return node.text.length;
  if (node.type !== 'expression') return 0;
  return node.parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}

/** True for a scalar that contains an expression (`${...}`), so that the merger must expand it. */
export const isExpression = (node: Node): boolean => node.type === 'scalar' && node.text.includes('${');

/** True if a text may contain an expression such as `${project.name}`, whose value depends on the enclosing block of that kind. */
const mentionsEnclosingBlock = (text: string, kinds: ReadonlySet<string>): boolean =>
  text.split('${').some((part, i) => i > 0 && kinds.has(/^\s*([^\s.[\]{}]*)/.exec(part)![1]!));

/** True if a text contains characters with a meaning in globs. */
export const isGlob = (text: string): boolean => /[*?{[]/.test(text);
