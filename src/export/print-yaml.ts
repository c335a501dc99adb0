import { Document, isScalar, Pair, Scalar, stringify, visit, YAMLMap, YAMLSeq } from 'yaml';
import type { Kind } from '../kind/kind.ts';
import { groupBy } from '../model/graph.ts';
import { hasRunnerCommand } from '../model/runner-commands.ts';
import { type Fields, isPlainObject } from '../model/value.ts';
import { cleanLine, hasHidden, visible } from '../report/clean.ts';

/** Prints a map as YAML. `comments` stand at the top. */
export function printYaml(map: CommentedMap, comments: string[] = []): string {
  const document = new Document();
  document.contents = createYamlNode(map, document) as never;
  if (comments.length > 0) document.commentBefore = commentLines(comments);
  return printDocument(document);
}

/** A document as text that reads back as what it holds, whatever that is, and shows all of it. */
export function printDocument(document: Document, { isFlow = false }: { isFlow?: boolean } = {}): string {
  visit(document, {
    Scalar: (key, node) => {
      if (typeof node.value !== 'string') return;
      // Quoted, so that the characters can be escapes. All keys and values are one or the other.
      if (hasHidden(node.value) || hasRunnerCommand(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      // A name that would merge a map.
      if (key === 'key' && node.value === '<<') node.type = Scalar.QUOTE_DOUBLE;
    },
    Collection: isFlow
      ? (_, node) => {
          node.flow = true;
        }
      : undefined,
  });
  const oneLine = isFlow ? { doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY } : {};
  return visible(document.toString({ lineWidth: 0, ...oneLine }), yamlEscape);
}

// In YAML, unlike JSON, an escape of four digits is a whole character.
const yamlEscape = (char: string): string => {
  const code = char.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
};

/** A value as a node of YAML: what is small stands on one line. */
export function createYamlNode(value: YamlValue, document: Document): unknown {
  if (value instanceof CommentedMap) {
    const map = new YAMLMap();
    if (value.comments.length > 0) map.commentBefore = commentLines(value.comments);
    for (const { key, value: item, comments } of value.entries) {
      const name = new Scalar(key);
      if (comments.length > 0) name.commentBefore = commentLines(comments);
      map.items.push(new Pair(name, createYamlNode(item, document)));
    }
    map.flow = value.entries.length === 0;
    return map;
  }
  if (Array.isArray(value) && value.some((item) => item instanceof CommentedMap)) {
    const list = new YAMLSeq();
    list.items = value.map((item) => createYamlNode(item, document));
    return list;
  }
  const node = document.createNode(value);
  // Small data on one line: long forms are for what people edit.
  if (!isScalar(node) && node !== null && JSON.stringify(value).length < 80) (node as YAMLMap).flow = true;
  return node;
}

const commentLines = (comments: string[]): string =>
  comments
    .flatMap((text) => text.split('\n'))
    .map((line) => ` ${cleanLine(line)}`)
    .join('\n');

/** A map as it is written: entries in order, each with comments above it. */
export class CommentedMap {
  readonly entries: CommentedEntry[] = [];
  /** Above the map itself, where it stands in a list. */
  readonly comments: string[];

  constructor(comments: string[] = []) {
    this.comments = comments;
  }

  add(key: string, value: YamlValue, comments: string[] = []): this {
    this.entries.push({ key, value, comments });
    return this;
  }
}

interface CommentedEntry {
  key: string;
  value: YamlValue;
  comments: string[];
}

/** JSON, a map, or a list of maps. */
export type YamlValue = null | boolean | number | string | CommentedMap | YamlValue[] | Fields;

/** Something as it is written, with what there is to say above it. */
export interface Block {
  key?: string;
  value: YamlValue;
  comments: string[];
}

/** A map of blocks; several under one key are a list. */
export function mapOfBlocks(blocks: Block[]): CommentedMap {
  const map = new CommentedMap();
  const byKey = [...groupBy(blocks, ({ key }) => key!)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, of] of byKey) {
    const [one] = of;
    if (of.length === 1) map.add(key, one!.value, one!.comments);
    else map.add(key, of.map(listItemOf));
  }
  return map;
}

/** A block as an item of a list, with its comments above it. */
export function listItemOf({ value, comments }: Block): YamlValue {
  if (value instanceof CommentedMap) value.comments.push(...comments);
  return value;
}

/** A block that says no more than its shorthand, as that. */
export function toShorthand(kind: Kind, block: CommentedMap): YamlValue {
  const [entry, another] = block.entries;
  const isAlone =
    entry && !another && kind.yaml.shorthand && Object.keys(kind.yaml.shorthand('')).join() === entry.key;
  const isScalar = entry && typeof entry.value !== 'object' && entry.comments.length === 0;
  return isAlone && isScalar ? entry.value : block;
}

/** True if it says no more than that something is off or empty. */
export const isOffOrEmpty = (value: YamlValue): boolean =>
  !value ||
  (isPlainObject(value) &&
    !(value instanceof CommentedMap) &&
    Object.values(value).every((item) => isOffOrEmpty(item as YamlValue)));

/** Plain data as YAML. */
export const formatPlainYaml = (value: unknown): string => stringify(value, { lineWidth: 0 });
