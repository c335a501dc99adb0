import { type Document, isCollection, Pair, Scalar, stringify, visit, YAMLMap, YAMLSeq } from 'yaml';
import type { Kind } from '../kind/kind.ts';
import { groupBy } from '../model/graph.ts';
import { hasRunnerCommand } from '../model/runner-commands.ts';
import { type Fields, isPlainObject, type Value } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import { cleanLine, escapeHidden, hasHidden } from '../report/text.ts';

/**
 * Prints a document so that reading the text returns the same data, and so that a person sees all of it: invisible characters and commands
 * for CI runners are written as escapes.
 * @param options.isFlow true if all collections are printed in brackets on one line
 */
export function printDocument(document: Document, { isFlow = false }: { isFlow?: boolean } = {}): string {
  visit(document, {
    Scalar: (key, node) => {
      if (typeof node.value !== 'string') return;
      // Only double quotes can have escapes.
      if (hasHidden(node.value) || hasRunnerCommand(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      // Without quotes, this key would merge a map.
      if (key === 'key' && node.value === '<<') node.type = Scalar.QUOTE_DOUBLE;
    },
    Collection: isFlow
      ? (_, node) => {
          node.flow = true;
        }
      : undefined,
  });
  // The library would break long texts in quotes into several lines.
  const oneLine = isFlow ? { doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY } : {};
  return escapeHidden(document.toString({ lineWidth: 0, ...oneLine }), yamlEscape);
}

/** Formats a character as an escape. In YAML, unlike JSON, four digits are a whole character, so larger characters need eight. */
const yamlEscape = (char: string): string => {
  const code = char.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
};

/**
 * Converts a value to a YAML node, with which `trueup accept` inserts it into a file. Small lists and maps are on one line, and long ones
 * have a line per entry, so that people can read and edit them.
 */
export function createYamlNode(value: YamlValue, document: Document): unknown {
  if (value instanceof CommentedMap) {
    const map = new YAMLMap();
    if (value.comments.length > 0) map.commentBefore = yamlComment(value.comments);
    for (const { key, value: item, comments } of value.entries) {
      const name = new Scalar(key);
      if (comments.length > 0) name.commentBefore = yamlComment(comments);
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
  if (isCollection(node) && JSON.stringify(value).length < maxLengthInBrackets) node.flow = true;
  return node;
}

/** Collections whose JSON is shorter are written in brackets. */
export const maxLengthInBrackets = 80;

/** Returns comments of an export as the text of a YAML comment, line by line. */
const yamlComment = (comments: string[]): string => formatCommentLines(comments).join('\n');

/**
 * Returns the lines of comments, each behind the `#` that is still missing. They contain names from the account, which
 * anybody may choose, so characters that could hide or fake text are removed.
 */
export const formatCommentLines = (comments: string[]): string[] =>
  comments.flatMap((text) => text.split('\n')).map((line) => ` ${cleanLine(line)}`);

/** A map for the YAML, with its entries in order and comments above them. */
export class CommentedMap {
  readonly entries: CommentedEntry[] = [];
  /** The comments above the map itself, if it is an item of a list. */
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

/** A value for the YAML: plain data, a map with comments, or a list of these. */
export type YamlValue = null | boolean | number | string | CommentedMap | YamlValue[] | Fields;

/**
 * Returns exported data with the result of `change` instead of each text in it, used to fill in the names of secrets at the end. Names of
 * members and comments stay.
 */
export function mapTexts(value: YamlValue, change: (text: string) => string): YamlValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (value instanceof CommentedMap) {
    const map = new CommentedMap(value.comments);
    for (const { key, value: item, comments } of value.entries)
      map.add(key, mapTexts(item, change), comments);
    return map;
  }
  return isPlainObject(value)
    ? mapMembers(value as Fields, (item) => mapTexts(item as YamlValue, change) as Value)
    : value;
}

/** An object in an export, with the comments above it. */
export interface PrintedBlock {
  /** The key in its section; absent in a list and for the only block of a section. */
  key?: string;
  value: YamlValue;
  /** The block without its short form, for a list: there, only a map can have comments. */
  map?: CommentedMap;
  comments: string[];
}

/**
 * Returns an exported section as a YAML map of blocks, sorted by key, so that two exports of one account are
 * equal. Several blocks with one key, such as a variable with another value for each target, become a list
 * under that key.
 */
export function mapOfBlocks(blocks: PrintedBlock[]): CommentedMap {
  const map = new CommentedMap();
  const byKey = [...groupBy(blocks, ({ key }) => key!)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, blocksOfKey] of byKey) {
    const [first, ...others] = blocksOfKey;
    if (others.length === 0) map.add(key, first!.value, first!.comments);
    else map.add(key, blocksOfKey.map(listItemOf));
  }
  return map;
}

/**
 * Returns a block as an item of a list. Its comments move into its map, since the list has no key that they could be above. So a block with
 * comments is not written in its short form.
 */
export function listItemOf({ value, map, comments }: PrintedBlock): YamlValue {
  if (!map || comments.length === 0) return value;
  map.comments.push(...comments);
  return map;
}

/**
 * Returns the short form of a block if it has only one field and its kind has a shorthand for that field:
 * `API_URL: https://...` instead of `API_URL: { value: https://... }`. Else returns the block. Exports are
 * written in the short form that people use.
 */
export function toShorthand(kind: Kind, block: CommentedMap): YamlValue {
  const [entry, ...others] = block.entries;
  if (!entry || others.length > 0 || !kind.yaml.shorthand) return block;
  // A shorthand sets one field.
  const shorthandField = Object.keys(kind.yaml.shorthand('')).join();
  const isScalar = typeof entry.value !== 'object' && entry.comments.length === 0;
  return entry.key === shorthandField && isScalar ? entry.value : block;
}

/**
 * True if a value is false or empty, also in all its members. `trueup export` writes no block for an object that always exists (such as the
 * settings of a project) if it has only such values.
 */
export function isOffOrEmpty(value: YamlValue): boolean {
  if (!value) return true;
  // A map with comments is never empty, and neither is a list here: only plain data is looked into.
  if (!isPlainObject(value) || value instanceof CommentedMap) return false;
  return Object.values(value).every((item) => isOffOrEmpty(item as YamlValue));
}

/** Formats plain data as YAML, without line breaks in long texts. */
export const formatPlainYaml = (value: unknown): string => stringify(value, { lineWidth: 0 });
