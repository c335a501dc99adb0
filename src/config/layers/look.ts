import type { Node } from '../yaml/nodes.ts';

/** The answers to all that is asked of a node as a whole before it is read. */
interface Look {
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

const one: Look = { isPlain: true, hasExpressions: false, hasGlobs: false, size: 1, text: 0 };
const expression: Look = { ...one, hasExpressions: true };
const asking: Look = { ...expression, isPlain: false };

const looks = new WeakMap<Node, Look>();

/** Looks at a node and all that is in it, once. `kinds`: their names, which are the same for all. */
export function lookAt(node: Node, kinds: ReadonlySet<string>): Look {
  if (node.type === 'scalar')
    return !node.text.includes('${') ? one : asksAround(node.text, kinds) ? asking : expression;
  if (node.type !== 'list' && node.type !== 'map') return one;
  const known = looks.get(node);
  if (known) return known;
  const look = { ...one };
  const add = ({ isPlain, hasExpressions, hasGlobs, size, text }: Look) => {
    look.isPlain &&= isPlain;
    look.hasExpressions ||= hasExpressions;
    look.hasGlobs ||= hasGlobs;
    look.size += size;
    look.text += text;
  };
  if (node.type === 'list')
    for (const item of node.items) {
      add(lookAt(item, kinds));
      look.text += ownText(item);
      look.hasGlobs ||= item.type === 'scalar' && isGlob(item.text);
    }
  else
    for (const { key, value } of node.entries) {
      add(lookAt(value, kinds));
      look.text += key.text.length + ownText(value);
      look.hasGlobs ||= isGlob(key.text);
      if (layerKeys.has(key.text)) look.isPlain = false;
      if (isExpression(key)) add({ ...lookAt(key, kinds), size: 0, text: 0 });
    }
  looks.set(node, look);
  return look;
}

/** The number of values and of characters in a node, counting every use of a shared one. */
export function amountOf(node: Node, kinds: ReadonlySet<string>): Pick<Look, 'size' | 'text'> {
  const { size, text } = lookAt(node, kinds);
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
const asksAround = (text: string, kinds: ReadonlySet<string>): boolean =>
  text.split('${').some((part, i) => i > 0 && kinds.has(/^\s*([^\s.[\]{}]*)/.exec(part)![1]!));

export const isGlob = (text: string): boolean => /[*?{[]/.test(text);
