import type { Node } from '../yaml/nodes.ts';

/** The answers to all that is asked of a node as a whole before it is read. */
interface NodeTraits {
  /** It can be taken as it is written: nothing in it depends on where it is laid, but for expressions of its scope. */
  isPlain: boolean;
  hasExpressions: boolean;
  /** Some key, or some item of a list, looks like a glob. */
  hasGlobs: boolean;
  /** The number of values in it, counting every use of a shared one. */
  size: number;
  /** The number of characters in the values and keys of a list or map, counting every use of a shared one. */
  text: number;
}

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

const scalarTraits: NodeTraits = { isPlain: true, hasExpressions: false, hasGlobs: false, size: 1, text: 0 };
const expressionTraits: NodeTraits = { ...scalarTraits, hasExpressions: true };
const contextualTraits: NodeTraits = { ...expressionTraits, isPlain: false };

const traitsByNode = new WeakMap<Node, NodeTraits>();

/** Looks at a node and all that is in it, once. `kinds`: their names, which are the same for all. */
export function inspectNode(node: Node, kinds: ReadonlySet<string>): NodeTraits {
  if (node.type === 'scalar')
    return !node.text.includes('${')
      ? scalarTraits
      : mentionsEnclosingBlock(node.text, kinds)
        ? contextualTraits
        : expressionTraits;
  if (node.type !== 'list' && node.type !== 'map') return scalarTraits;
  const known = traitsByNode.get(node);
  if (known) return known;
  const look = { ...scalarTraits };
  const add = ({ isPlain, hasExpressions, hasGlobs, size, text }: NodeTraits) => {
    look.isPlain &&= isPlain;
    look.hasExpressions ||= hasExpressions;
    look.hasGlobs ||= hasGlobs;
    look.size += size;
    look.text += text;
  };
  if (node.type === 'list')
    for (const item of node.items) {
      add(inspectNode(item, kinds));
      look.text += ownText(item);
      look.hasGlobs ||= item.type === 'scalar' && isGlob(item.text);
    }
  else
    for (const { key, value } of node.entries) {
      add(inspectNode(value, kinds));
      look.text += key.text.length + ownText(value);
      look.hasGlobs ||= isGlob(key.text);
      if (layerKeys.has(key.text)) look.isPlain = false;
      if (isExpression(key)) add({ ...inspectNode(key, kinds), size: 0, text: 0 });
    }
  traitsByNode.set(node, look);
  return look;
}

/** The number of values and of characters in a node, counting every use of a shared one. */
export function amountOf(node: Node, kinds: ReadonlySet<string>): Pick<NodeTraits, 'size' | 'text'> {
  const { size, text } = inspectNode(node, kinds);
  return { size, text: text + ownText(node) };
}

/** The number of characters in a node itself, without those in it. */
function ownText(node: Node): number {
  if (node.type === 'scalar') return node.text.length;
  if (node.type !== 'expression') return 0;
  return node.parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}

export const isExpression = (node: Node): boolean => node.type === 'scalar' && node.text.includes('${');

/** True if a text may hold `${project.name}`, or the like for another kind. */
const mentionsEnclosingBlock = (text: string, kinds: ReadonlySet<string>): boolean =>
  text.split('${').some((part, i) => i > 0 && kinds.has(/^\s*([^\s.[\]{}]*)/.exec(part)![1]!));

export const isGlob = (text: string): boolean => /[*?{[]/.test(text);
