import { Document, isScalar, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { formatYaml } from '../config/format/format-yaml.ts';
import { Source } from '../config/yaml/source.ts';
import {
  CommentedMap,
  createYamlNode,
  maxLengthInBrackets,
  printDocument,
  type YamlValue,
} from '../export/print-yaml.ts';
import { isPlainObject } from '../model/value.ts';
import type { TextSurroundings } from './yaml-file.ts';

/*
 * Formats values, keys, entries and items as the text that `accept` inserts into a YAML or JSON file, in the style of the text around it.
 */

/** Spaces per level of indentation. */
const indentStep = 2;

/**
 * Formats a value as the text that replaces or follows other text in a file that `accept` edits, on one line
 * unless it is a text with several lines. It prints an entry with the key `k` and cuts the key off, so that
 * the YAML library decides about quotes.
 * @param options.like the scalar that the value replaces. Its style, such as quotes or a block, is used again
 * if possible
 * @param options.indent the indentation of the key's line, for the lines of a block scalar
 */
export function formatValue(
  value: YamlValue,
  { isFlow, isJson }: TextSurroundings,
  { like, indent = 0 }: { like?: Scalar | undefined; indent?: number } = {},
): string {
  if (typeof value === 'object' && value !== null) return flowText(toPlainData(value), isJson);
  if (isJson) return JSON.stringify(value);
  const scalar = new Scalar(value);
  const style = like?.type;
  const isBlock = style === Scalar.BLOCK_FOLDED || style === Scalar.BLOCK_LITERAL;
  if (typeof value === 'string' && style !== undefined && (!isBlock || value.includes('\n')))
    // A folded block would get line breaks in other places, so a literal block is used instead.
    scalar.type = isBlock ? Scalar.BLOCK_LITERAL : style;
  if (isFlow) return formatFlowScalar(scalar);
  const document = new Document();
  const map = new YAMLMap();
  map.items.push(new Pair(new Scalar('k'), scalar));
  document.contents = map as never;
  const text = printDocument(document).replace(/^k: /, '');
  // Only the line feed of the printed entry goes. Those at the end of a block scalar belong to its text.
  return indentLines(/^[|>]/.test(text) ? text.replace(/\n$/, '') : text.trimEnd(), indent, {
    isInline: true,
  });
}

/**
 * Formats a value as YAML on one line, `[a, b]` or `{ a: 1 }`. Used by `accept` for values between brackets and
 * for short values.
 */
function flowText(value: unknown, isJson: boolean): string {
  const surroundings = { isFlow: true, isJson };
  if (Array.isArray(value)) return `[${value.map((item) => flowText(item, isJson)).join(', ')}]`;
  if (!isPlainObject(value)) return formatValue(value as YamlValue, surroundings);
  const entries = Object.entries(value).map(
    ([name, item]) => `${formatKey(name, surroundings)}: ${flowText(item, isJson)}`,
  );
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/**
 * Formats a scalar with the quotes that it needs inside brackets, for a value that `accept` writes there. It prints a list with this item
 * and takes the text between its brackets, so that the YAML library decides about the quotes.
 */
function formatFlowScalar(scalar: Scalar): string {
  const document = new Document();
  const list = new YAMLSeq();
  if (typeof scalar.value === 'string' && scalar.value.includes('\n')) scalar.type = Scalar.QUOTE_DOUBLE;
  list.items.push(scalar);
  list.flow = true;
  document.contents = list as never;
  return printDocument(document, { isFlow: true }).trimEnd().replace(/^\[ ?/, '').replace(/ ?\]$/, '');
}

/**
 * Formats the key of a map entry, with quotes if it needs them in these surroundings. Used for new entries and for blocks that were renamed
 * outside.
 */
export const formatKey = (name: string, { isJson, isFlow }: TextSurroundings): string =>
  isJson || (isFlow && /[,[\]{}\n]/.test(name))
    ? JSON.stringify(name)
    : printEntry(name, null).replace(/: null\n$/, '');

/**
 * Formats a map entry as indented lines, each with a line feed, for insertion into a map that has an entry per line. Used by `trueup
 * accept` for values that were added outside.
 */
export const formatEntry = (name: string, value: YamlValue, indent: number): string =>
  indentLines(printEntry(name, value), indent);

/**
 * Prints a YAML map with one entry, without indentation, which `accept` inserts into a block. It has the style of `trueup fmt`, so that the
 * new text looks like formatted text around it.
 */
function printEntry(name: string, value: YamlValue): string {
  const document = new Document();
  const map = new YAMLMap();
  map.items.push(new Pair(new Scalar(name), createYamlNode(value, document)));
  document.contents = map as never;
  return formatText(printDocument(document));
}

/** Formats a YAML text as `trueup fmt` does; a text that it cannot format stays as it is. */
const formatText = (text: string): string => formatYaml(new Source('', text)).text ?? text;

/**
 * Formats a list item as indented lines, each with a line feed, for insertion into a list that has an item per line. Short maps are in
 * braces. Used by `trueup accept` for items that were added outside.
 */
export function formatItem(value: YamlValue, indent: number): string {
  const document = new Document();
  const list = new YAMLSeq();
  const node = createYamlNode(value, document);
  if (isPlainObject(value) && !(value instanceof CommentedMap) && !isScalar(node))
    (node as YAMLMap).flow = JSON.stringify(value).length < maxLengthInBrackets;
  list.items.push(node);
  document.contents = list as never;
  return indentLines(formatText(printDocument(document)), indent);
}

/**
 * Indents the lines of a text, except empty ones, so that `accept` can insert it at some depth of a YAML
 * file.
 * @param options.isInline true if the first line follows other text on its line, so that it is not indented
 */
export const indentLines = (text: string, indent: number, { isInline = false } = {}): string =>
  text
    .split('\n')
    .map((line, index) => (line === '' || (isInline && index === 0) ? line : ' '.repeat(indent) + line))
    .join('\n');

/**
 * Converts the ordered maps of an exported value (`CommentedMap`) to plain objects, so that `accept` can
 * write the value on one line or in a patch.
 */
export function toPlainData(value: YamlValue): unknown {
  if (value instanceof CommentedMap)
    return Object.fromEntries(value.entries.map(({ key, value: item }) => [key, toPlainData(item)]));
  return Array.isArray(value) ? value.map((item) => toPlainData(item as YamlValue)) : value;
}

/** Returns the indentation one level deeper. */
export const nestedIndent = (indent: number): number => indent + indentStep;

/** Returns the text that a YAML text stands for: `$${` means `${`. */
export const unescapeText = (text: string): string => text.replaceAll('$${', () => '${');
