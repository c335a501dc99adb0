import type { Reporter } from '../../model/diagnostic.ts';
import type { FieldReference } from '../../model/resource.ts';
import { Sealed } from '../../model/sealed.ts';
import { type Hole, isHole, isPlainObject, type Value } from '../../model/value.ts';
import type { PathStep } from '../expressions/parse-expressions.ts';
import { Source, type Spot } from './source.ts';

/** The value of a scalar, as YAML 1.2 reads it. */
export type Scalar = null | boolean | number | string;

/** A scalar: `text` as written, without quotes and escapes; `value` as YAML 1.2 reads it. */
export interface ScalarNode {
  type: 'scalar';
  at: Spot;
  text: string;
  value: Scalar;
  /** Other spots that the text came from, such as the values of variables. If the text is masked, they are too. */
  literals?: Spot[];
  /** A key whose expressions could not be resolved. The problem was reported. */
  unusable?: true;
  /** A key that begins with `$` only after its expressions got their values. Then it is a name, not one of our own keys. */
  isExpanded?: true;
  /**
   * From a place where everything is text, such as a CSV cell: a field that takes no such text reads it as the number or boolean that it
   * spells.
   */
  isUntyped?: true;
}
/** A string with expressions that are resolved later: `${secret.x}`, references, lookups. */
export interface ExpressionNode {
  type: 'expression';
  at: Spot;
  /** Empty if the string could not be understood and the problem was reported. */
  parts: (string | Expression)[];
  literals?: Spot[];
}
/** A value that reading does not look into: a hole that is filled later, or a sealed secret. */
interface HoleNode {
  type: 'hole';
  at: Spot;
  hole: Hole | Sealed;
  /** The field of another resource that the value, a secret, is copied from. */
  from?: CopiedField;
}
/** A field of another resource whose value is copied. */
export type CopiedField = FieldReference['source'] & Pick<FieldReference, 'isLive'>;
/** A list, in lines or in brackets. */
export interface ListNode {
  type: 'list';
  at: Spot;
  items: Node[];
}
/** A map, in lines or in brackets. Its keys are unique. */
export interface MapNode {
  type: 'map';
  at: Spot;
  entries: Entry[];
}
/** A key of a map with its value. */
export interface Entry {
  key: ScalarNode;
  value: Node;
}
/** A value of the YAML with its place in the file, before a schema was applied. */
export type Node = ScalarNode | ExpressionNode | HoleNode | ListNode | MapNode;

/** `${secret.name}`, or a path that leads to a resource and perhaps one of its fields. */
export type Expression = { at: Spot } & (
  | { type: 'secret'; name: string }
  | { type: 'ref'; steps: PathStep[] }
  /** `isMoving`: the value changes without a change of the configuration. */
  | { type: 'lookup'; name: string; attr: string; isOptional?: true; isMoving?: true }
  /**
   * `${secret}` and `${id}` in the `value` of `$secretTo`. `hole`: the member of the object that it stands for, set when the block was
   * read.
   */
  | { type: 'shown'; name: string; hole?: Hole }
);

/**
 * True for a node of the YAML, false for an expression (a secret or reference, for example) that is resolved later. Used after an
 * expression was looked up.
 */
export const isNode = (part: Expression | Node): part is Node =>
  part.type !== 'secret' && part.type !== 'ref' && part.type !== 'lookup' && part.type !== 'shown';

/** True for a value that is empty or `null`. */
export const isNull = (node: Node): boolean => node.type === 'scalar' && node.value === null;

/**
 * Returns the entries of a map; none for other nodes. Used by readers that report a node of the wrong type elsewhere, and
 * then go on as if it were empty.
 */
export const entriesOf = (node: Node | undefined): Entry[] => (node?.type === 'map' ? node.entries : []);

/** Returns the items of a list; none for other nodes. Used like `entriesOf`. */
export const itemsOf = (node: Node | undefined): Node[] => (node?.type === 'list' ? node.items : []);

/**
 * Returns the items of a list, or any other node as the only item; none without a node. Used for keys such as `include`
 * that take one value or a list of values.
 */
export const itemsOrSelf = (node: Node | undefined): Node[] =>
  node?.type === 'list' ? node.items : node ? [node] : [];

/** Returns the entry of a map with a key; undefined if there is none, or if the node is no map. */
export const entryOf = (node: Node | undefined, key: string): Entry | undefined =>
  entriesOf(node).find((entry) => entry.key.text === key);

/** Returns the value under a key of a map; undefined if there is none, or if the node is no map. */
export const memberOf = (node: Node | undefined, key: string): Node | undefined => entryOf(node, key)?.value;

/**
 * Creates the node of a text that the YAML does not contain, so that computed values go through the readers
 * of nodes. `spot`: the place at which problems with it are reported.
 */
export const textNode = (text: string, spot: Spot): ScalarNode => ({
  type: 'scalar',
  at: spot,
  text,
  value: text,
});

/** Creates the node of a map that the YAML does not contain, like `textNode`. */
export const mapNode = (entries: Entry[], spot: Spot): MapNode => ({ type: 'map', at: spot, entries });

/** Creates a map entry that the YAML does not contain, like `textNode`. */
export const entryFor = (name: string, value: Node, spot: Spot): Entry => ({
  key: textNode(name, spot),
  value,
});

/**
 * Returns a YAML list or map with each item or value replaced by the result of `change`; keys and other nodes
 * stay as they are. Used by passes that go through a whole value, for example to replace expressions. `step`:
 * the index or key of the child.
 */
export function mapChildren(node: Node, change: (child: Node, step: string | number) => Node): Node {
  if (node.type === 'list') return { ...node, items: node.items.map(change) };
  if (node.type !== 'map') return node;
  return {
    ...node,
    entries: node.entries.map(({ key, value }) => ({ key, value: change(value, key.text) })),
  };
}

/** True for a scalar that is not null. Its `text` can be used as a name or a value. */
export const isText = (node: Node): node is ScalarNode => node.type === 'scalar' && node.value !== null;

/** Returns the text of a scalar that is not empty, or undefined. Used for members that must be a text, such as names. */
export const textOf = (node: Node): string | undefined =>
  isText(node) && node.text !== '' ? node.text : undefined;

/**
 * Returns the type of a node for messages, with its article, as in "a file must contain a map, not a list".
 * The value itself is never shown, because it may be a secret.
 */
export function describeNodeType(node: Node): string {
  if (node.type === 'map') return 'a map';
  if (node.type === 'list') return 'a list';
  if (node.type === 'scalar' && node.value === '') return 'an empty text';
  if (node.type !== 'scalar' || typeof node.value === 'string') return 'a text';
  return node.value === null ? 'nothing' : `a ${typeof node.value}`;
}

/** Matches text that may be a key and a value without a space after the colon: `framework:nextjs`. No URL. */
export const keyWithoutSpace = /^[\w.$-]+:(?=[^\s:/])/;

/**
 * Reports a value of the wrong type at its place: "`patches` must be a list, not a map". Used by many readers
 * of the configuration. Returns undefined, so that a reader without a result can return it.
 */
export function reportType(report: Reporter, node: Node, expectation: string, hint?: string): undefined {
  const mayBeEntry = / a map\b/.test(expectation) && keyWithoutSpace.test(textOf(node) ?? '');
  return report.error('config/type', `${expectation}, not ${describeNodeType(node)}`, {
    at: node,
    hint: mayBeEntry ? 'write a space after the colon' : hint,
  });
}

/**
 * Returns the node that is wrong where a list of texts is expected, and what it is, for the end of a message:
 * ", not a map", or for an item ", but this item is a map".
 */
export function findMisfit(node: Node): { misfit: Node; actual: string } {
  const item = itemsOf(node).find((listItem) => textOf(listItem) === undefined);
  return item
    ? { misfit: item, actual: `, but this item is ${describeNodeType(item)}` }
    : { misfit: node, actual: `, not ${describeNodeType(node)}` };
}

/**
 * Returns a plain value as a node of the YAML (a value with its place), as if it were written at `spot`. Used
 * for values that are no YAML, such as a field taken from another resource: they then go through the same
 * readers as the configuration, and `trueup render` can print them.
 */
export function nodeOf(value: Value, spot: Spot): Node {
  if (value instanceof Sealed || isHole(value))
    return { type: 'hole', at: spot, hole: value as Hole | Sealed };
  if (Array.isArray(value)) return { type: 'list', at: spot, items: value.map((item) => nodeOf(item, spot)) };
  if (!isPlainObject(value))
    return { type: 'scalar', at: spot, text: String(value ?? ''), value: value as Scalar };
  return mapNode(
    Object.entries(value).map(([name, item]) => entryFor(name, nodeOf(item as Value, spot), spot)),
    spot,
  );
}

/** The spot of values that are in no file, such as options of the command line. */
export const nowhere: Spot = { source: new Source('', ''), start: 0, end: 0 };
nowhere.source.isOutside = true;

/**
 * Returns the node of a text from the command line or the environment. Used for values of `--var` and
 * TRUEUP_VAR_name. A field may also read it as a number or a boolean.
 */
export const outsideText = (text: string): ScalarNode => ({
  type: 'scalar',
  at: nowhere,
  text,
  value: typedValue(text),
});

/** Returns the number or boolean that a text spells in YAML, or else the text. */
export function typedValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text) ? Number(text) : text;
}

/**
 * Masks all values of a node, because they are or may be secrets: no quoted line shows them. An expression
 * (`${...}`) without text around it stays readable, since it names a value without containing it.
 */
export function maskNode(node: Node): void {
  for (const child of childrenOf(node)) maskNode(child);
  if (node.type !== 'scalar' && node.type !== 'expression') return;
  if (node.type === 'expression' && node.parts.length > 0) {
    const isShown = (part: string | Expression) => typeof part === 'object' && part.type === 'shown';
    // Expressions alone reveal nothing. Neither does the text around a secret that the platform will show only after the run.
    if (node.parts.every((part) => typeof part === 'object') || node.parts.some(isShown)) return;
  }
  // Of a row in a CSV file, only the cell.
  for (const { source, start, end, cell } of [node.at, ...(node.literals ?? [])])
    source.mask(cell?.start ?? start, cell?.end ?? end);
}

/**
 * Masks a node that no reader has looked at: any value in it may be a secret, which no quoted line may show.
 * Values of `$` keys (settings) and texts that are one expression stay readable. So do texts for which `isRead` is true,
 * because their reader has decided about them.
 */
export function maskUnread(node: Node, isRead: (text: Node) => boolean = () => false): void {
  if (node.type === 'list') for (const item of node.items) maskUnread(item, isRead);
  else if (node.type === 'map') {
    for (const { key, value } of node.entries) if (!key.text.startsWith('$')) maskUnread(value, isRead);
  } else {
    // `${var.name}`, or `...${var.name}` as an item of a list.
    const isOneExpression = node.type === 'scalar' && /^(?:\.\.\.)?\$\{[^}]*\}$/.test(node.text);
    if (!isRead(node) && !isOneExpression) maskNode(node);
  }
}

/**
 * Returns the spot in another file that a value came from, such as a data file, for a message that names both places.
 * Returns undefined if the value stands in the file of the node.
 */
export function dataSpotOf(node: Node): Spot | undefined {
  const literals = node.type === 'scalar' || node.type === 'expression' ? node.literals : undefined;
  return literals?.find(({ source }) => source !== node.at.source && source.file !== '');
}

/**
 * True if all parts of a text stand in the configuration itself, so that everyone who reads the repository knows it. Used to decide
 * whether a secret field must be hidden. Expressions for secrets and references do not count.
 */
export const isFromConfiguration = (node: Node): boolean =>
  (node.type === 'scalar' || node.type === 'expression') &&
  [node.at, ...(node.literals ?? [])].every(({ source }) => !source.isOutside);

/**
 * True for a YAML value that could not be understood, for example because of an unknown variable. The problem was reported, so readers
 * skip the value instead of reporting another one.
 */
export const hasReportedProblem = (node: Node): boolean =>
  node.type === 'expression' && node.parts.length === 0;

/**
 * True if a YAML value, or a value inside it at any depth, could not be understood and was reported. Readers
 * of lists and maps then do not report the form of the whole value as well.
 */
export const containsReportedProblem = (node: Node): boolean =>
  hasReportedProblem(node) || childrenOf(node).some(containsReportedProblem);

/** Returns the items of a list or the values of a map; none for other nodes. Used to go through a whole value. */
export function childrenOf(node: Node): Node[] {
  return node.type === 'map' ? node.entries.map(({ value }) => value) : itemsOf(node);
}

/**
 * Returns the places of a value and of all values in it, at any depth: where each is written, and where the parts of its text come from. So
 * `accept` finds the data behind a value, and hides both in its diff.
 */
export const spotsIn = (node: Node): Spot[] => [
  node.at,
  ...((node.type === 'scalar' || node.type === 'expression') && node.literals ? node.literals : []),
  ...childrenOf(node).flatMap(spotsIn),
];

/**
 * Returns the number of values in a node with everything in it, for the limit on the value of a variable. A
 * node that an alias or a variable puts into several places counts at each, because the result would hold it
 * as often. `sizes`: a cache.
 */
export function sizeOf(node: Node, sizes = new Map<Node, number>()): number {
  if (node.type !== 'list' && node.type !== 'map') return 1;
  const cachedSize = sizes.get(node);
  if (cachedSize !== undefined) return cachedSize;
  const size = childrenOf(node).reduce((sum, child) => sum + sizeOf(child, sizes), 1);
  sizes.set(node, size);
  return size;
}

const heights = new WeakMap<Node, number>();

/**
 * Returns how deep lists and maps are nested in a node, for the limit on depth; 0 for a scalar. Cached,
 * because the merging of templates and patches asks for the same nodes again and again.
 */
export function heightOf(node: Node): number {
  if (node.type !== 'list' && node.type !== 'map') return 0;
  const cachedHeight = heights.get(node);
  if (cachedHeight !== undefined) return cachedHeight;
  let height = 0;
  for (const child of childrenOf(node)) height = Math.max(height, heightOf(child));
  heights.set(node, height + 1);
  return height + 1;
}

/** How deep lists and maps may be nested. */
export const maxDepth = 100;

/** The most characters between the start of a key and its colon, in YAML. */
export const maxKeyLength = 1024;

/** How many values the aliases of a document may stand for. */
export const maxExpansion = 100_000;
