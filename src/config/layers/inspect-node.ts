/**
 * Answers questions about a whole node before it is laid. The answers are cached, because large parts of a configuration are shared by
 * many instances of templates.
 */
import type { Node } from '../yaml/nodes.ts';

/** What is known about a node as a whole. */
interface NodeTraits {
  /** True if the node can be used as it is written: its value does not depend on where it is laid, except for expressions in its scope. */
  isPlain: boolean;
  hasExpressions: boolean;
  /** True if some key, or some item of a list, looks like a glob. */
  hasGlobs: boolean;
  /** The number of values in it. A shared value counts at every use. */
  size: number;
  /** The number of characters in the values and keys of a list or map. A shared value counts at every use. */
  text: number;
}

/** The `$` keys that control how layers are laid. None of them is about the resource. */
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

const scalarTraits: NodeTraits = { isPlain: true, hasExpressions: false, hasGlobs: false, size: 1, text: 0 };
const expressionTraits: NodeTraits = { ...scalarTraits, hasExpressions: true };
const contextualTraits: NodeTraits = { ...expressionTraits, isPlain: false };

const traitsByNode = new WeakMap<Node, NodeTraits>();

/** Returns the traits of a node and everything in it. `kinds`: the names of all kinds, always the same. */
export function inspectNode(node: Node, kinds: ReadonlySet<string>): NodeTraits {
  if (node.type === 'scalar')
    return !node.text.includes('${')
      ? scalarTraits
      : mentionsEnclosingBlock(node.text, kinds)
        ? contextualTraits
        : expressionTraits;
  if (node.type !== 'list' && node.type !== 'map') return scalarTraits;
  const cached = traitsByNode.get(node);
  if (cached) return cached;
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
      if (isExpression(key)) add({ ...inspectNode(key, kinds), size: 0, text: 0 });
    }
  traitsByNode.set(node, traits);
  return traits;
}

/** Returns the number of values and characters in a node. Used to limit how far expressions can multiply a configuration. */
export function amountOf(node: Node, kinds: ReadonlySet<string>): Pick<NodeTraits, 'size' | 'text'> {
  const { size, text } = inspectNode(node, kinds);
  return { size, text: text + ownText(node) };
}

/** Returns the number of characters in a node itself, without its members. */
function ownText(node: Node): number {
  if (node.type === 'scalar') return node.text.length;
  if (node.type !== 'expression') return 0;
  return node.parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}

/** True for a scalar with an expression in it. */
export const isExpression = (node: Node): boolean => node.type === 'scalar' && node.text.includes('${');

/** True if a text may contain `${project.name}` or the like for another kind: its value depends on the enclosing block. */
const mentionsEnclosingBlock = (text: string, kinds: ReadonlySet<string>): boolean =>
  text.split('${').some((part, i) => i > 0 && kinds.has(/^\s*([^\s.[\]{}]*)/.exec(part)![1]!));

/** True if a text contains characters with a meaning in globs. */
export const isGlob = (text: string): boolean => /[*?{[]/.test(text);
