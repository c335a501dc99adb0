import type { FieldReference } from '../../model/resource.ts';
import { Sealed } from '../../model/sealed.ts';
import { type Hole, isHole, isPlainObject, type Value } from '../../model/value.ts';
import type { Step } from '../expressions/parse-expressions.ts';
import { Source, type Spot } from './source.ts';

export type Scalar = null | boolean | number | string;

/** A scalar: `text` as it is written, `value` as YAML 1.2 reads it. */
export interface ScalarNode {
  type: 'scalar';
  at: Spot;
  text: string;
  value: Scalar;
  /** Other places that the text came from: variables, `nowhere` too. Masked along with it. */
  literals?: Spot[];
  /** A key that could not be made out, which was reported. */
  unusable?: true;
  /** A key that begins with `$` once its expressions have their values: it is a name, and none of ours. */
  isExpanded?: true;
  /** It stands where all is text, as in a CSV: a field that takes no such text reads it as the number or boolean that it spells. */
  isUntyped?: true;
}
/** A string with `${secret.x}` or a reference in it. */
export interface ExpressionNode {
  type: 'expression';
  at: Spot;
  /** Empty: it could not be made out, which was reported. */
  parts: (string | Expression)[];
  literals?: Spot[];
}
/** A value that is taken as it is. */
interface HoleNode {
  type: 'hole';
  at: Spot;
  hole: Hole | Sealed;
  /** The field that the value is taken from, if it is a secret of another resource. */
  from?: CopiedField;
}
/** A field of another resource whose value is taken. */
export type CopiedField = FieldReference['source'] & Pick<FieldReference, 'isLive'>;
export interface ListNode {
  type: 'list';
  at: Spot;
  items: Node[];
}
export interface MapNode {
  type: 'map';
  at: Spot;
  entries: Entry[];
}
export interface Entry {
  key: ScalarNode;
  value: Node;
}
export type Node = ScalarNode | ExpressionNode | HoleNode | ListNode | MapNode;

/** `${secret.name}`, or a path that leads to a resource and perhaps one of its fields. */
export type Expression = { at: Spot } & (
  | { type: 'secret'; name: string }
  | { type: 'ref'; steps: Step[] }
  /** `isMoving`: something else than a configuration moves it. */
  | { type: 'lookup'; name: string; attr: string; isOptional?: true; isMoving?: true }
  /** `${secret}` and `${id}` in the `value` of `$secretTo`. `hole`: the member of the object, once the block is known. */
  | { type: 'shown'; name: string; hole?: Hole }
);

/** True for a value, and false for what is resolved later. */
export const isNode = (part: Expression | Node): part is Node =>
  part.type !== 'secret' && part.type !== 'ref' && part.type !== 'lookup' && part.type !== 'shown';

export const isNull = (node: Node): boolean => node.type === 'scalar' && node.value === null;

/** The entry of a map with this key. */
export const entryOf = (map: MapNode, key: string): Entry | undefined =>
  map.entries.find((entry) => entry.key.text === key);

/** The text of a scalar; undefined for an empty one, and for anything else. */
export const textOf = (node: Node): string | undefined =>
  node.type === 'scalar' && node.value !== null && node.text !== '' ? node.text : undefined;

/** A word for the type of a node, for messages. */
export function describe(node: Node): string {
  if (node.type === 'map') return 'a map';
  if (node.type === 'list') return 'a list';
  if (node.type !== 'scalar' || typeof node.value === 'string') return 'a text';
  return node.value === null ? 'nothing' : `a ${typeof node.value}`;
}

/** A value as if it had been written at `at`. */
export function nodeOf(value: Value, spot: Spot): Node {
  if (value instanceof Sealed || isHole(value))
    return { type: 'hole', at: spot, hole: value as Hole | Sealed };
  if (Array.isArray(value)) return { type: 'list', at: spot, items: value.map((item) => nodeOf(item, spot)) };
  if (!isPlainObject(value))
    return { type: 'scalar', at: spot, text: String(value ?? ''), value: value as Scalar };
  const entries = Object.entries(value).map(([name, item]) => ({
    key: { type: 'scalar', at: spot, text: name, value: name } as ScalarNode,
    value: nodeOf(item as Value, spot),
  }));
  return { type: 'map', at: spot, entries };
}

/** The place of what no file holds. */
export const nowhere: Spot = { source: new Source('', ''), start: 0, end: 0 };
nowhere.source.isOutside = true;

/** A value from the command line or the environment: text, which a field may also read as a number or a boolean. */
export const outsideText = (text: string): ScalarNode => ({
  type: 'scalar',
  at: nowhere,
  text,
  value: typedValue(text),
});

/** The number or boolean that a text spells, as YAML would write it; else the text. */
export function typedValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text) ? Number(text) : text;
}

/** Keeps all that is written in and below a node out of quoted lines. */
export function maskNode(node: Node): void {
  if (node.type === 'list') node.items.forEach(maskNode);
  if (node.type === 'map') for (const { value } of node.entries) maskNode(value);
  if (node.type !== 'scalar' && node.type !== 'expression') return;
  if (node.type === 'expression' && node.parts.length > 0) {
    const isShown = (part: string | Expression) => typeof part === 'object' && part.type === 'shown';
    // Expressions alone tell nothing, nor does the text around a secret that nobody knows before the platform shows it.
    if (node.parts.every((part) => typeof part === 'object') || node.parts.some(isShown)) return;
  }
  for (const { source, start, end } of [node.at, ...(node.literals ?? [])]) source.mask(start, end);
}

/** The same for what nobody reads, and so nobody knows to be no secret: only its `$` keys, and expressions alone, can be quoted. */
export function maskUnread(node: Node): void {
  if (node.type === 'list') node.items.forEach(maskUnread);
  else if (node.type === 'map') {
    for (const { key, value } of node.entries) if (!key.text.startsWith('$')) maskUnread(value);
  } else if (node.type !== 'scalar' || !/^\$\{[^}]*\}$/.test(node.text)) maskNode(node);
}

/** The place in a data file, or in another file than that of the expression, that a value came from. */
export function dataPlaceOf(node: Node): Spot | undefined {
  const places = node.type === 'scalar' || node.type === 'expression' ? node.literals : undefined;
  return places?.find(({ source }) => source !== node.at.source && source.file !== '');
}

/** True if all that a text is made of stands in the configuration itself, expressions for secrets and references aside. */
export const isWritten = (node: Node): boolean =>
  (node.type === 'scalar' || node.type === 'expression') &&
  [node.at, ...(node.literals ?? [])].every(({ source }) => !source.isOutside);

/** A string that could not be made out; it was reported. */
export const isPoisoned = (node: Node): boolean => node.type === 'expression' && node.parts.length === 0;

/** The number of values in a node, counting every use of a shared one. */
export function sizeOf(node: Node, known = new Map<Node, number>()): number {
  if (node.type !== 'list' && node.type !== 'map') return 1;
  const before = known.get(node);
  if (before !== undefined) return before;
  const below = node.type === 'list' ? node.items : node.entries.map(({ value }) => value);
  const size = below.reduce((sum, item) => sum + sizeOf(item, known), 1);
  known.set(node, size);
  return size;
}

const heights = new WeakMap<Node, number>();

/** The number of lists and maps inside each other in a node. */
export function heightOf(node: Node): number {
  if (node.type !== 'list' && node.type !== 'map') return 0;
  const known = heights.get(node);
  if (known !== undefined) return known;
  let height = 0;
  for (const child of node.type === 'list' ? node.items : node.entries)
    height = Math.max(height, heightOf('value' in child && 'key' in child ? child.value : child));
  heights.set(node, height + 1);
  return height + 1;
}

/** The deepest nesting of lists and maps. */
export const maxDepth = 100;

/** The most values that the aliases of a document may stand for. */
export const maxExpansion = 100_000;
