import { Document, isScalar, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { formatYaml } from '../config/format/format-yaml.ts';
import { Source } from '../config/yaml/source.ts';
import { printed, type Written, WrittenMap, writtenNode } from '../export/print.ts';
import { isPlainObject } from '../model/value.ts';

/** The style of the text around a value. */
interface Surroundings {
  /** In brackets, where more signs mean something. */
  isFlow: boolean;
  /** The file is JSON: all names and texts stand in double quotes. */
  isJson: boolean;
}

/** Blanks per level of indentation. */
const step = 2;

/**
 * A value on one line, or a text as it is quoted already. `like`: the scalar that stood there, whose style is kept where it can be.
 * `indent`: of the line that its key stands on; only the lines of a block of text need it.
 */
export function formatValue(
  value: Written,
  { isFlow, isJson }: Surroundings,
  { like, indent = 0 }: { like?: Scalar | undefined; indent?: number } = {},
): string {
  if (typeof value === 'object' && value !== null) return flowText(toPlainData(value), isJson);
  if (isJson) return JSON.stringify(value);
  const scalar = new Scalar(value);
  const style = like?.type;
  const isBlock = style === Scalar.BLOCK_FOLDED || style === Scalar.BLOCK_LITERAL;
  if (typeof value === 'string' && style !== undefined && (!isBlock || value.includes('\n')))
    // A folded text would come out with other lines than it was written with.
    scalar.type = isBlock ? Scalar.BLOCK_LITERAL : style;
  if (isFlow) return inBrackets(scalar);
  const document = new Document();
  const map = new YAMLMap();
  map.items.push(new Pair(new Scalar('k'), scalar));
  document.contents = map as never;
  const text = printed(document).replace(/^k: /, '');
  // A block of text that keeps its last line ends has them in the text.
  return indentLines(/^[|>]/.test(text) ? text.replace(/\n$/, '') : text.trimEnd(), indent, true);
}

/** A list or a map on one line: `[a, b]`, `{ a: 1 }`. */
function flowText(value: unknown, isJson: boolean): string {
  const around = { isFlow: true, isJson };
  if (Array.isArray(value)) return `[${value.map((item) => flowText(item, isJson)).join(', ')}]`;
  if (!isPlainObject(value)) return formatValue(value as Written, around);
  const entries = Object.entries(value).map(
    ([name, item]) => `${formatKey(name, around)}: ${flowText(item, isJson)}`,
  );
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function inBrackets(scalar: Scalar): string {
  const document = new Document();
  const list = new YAMLSeq();
  if (typeof scalar.value === 'string' && scalar.value.includes('\n')) scalar.type = Scalar.QUOTE_DOUBLE;
  list.items.push(scalar);
  list.flow = true;
  document.contents = list as never;
  return printed(document, { isFlow: true }).trimEnd().replace(/^\[ ?/, '').replace(/ ?\]$/, '');
}

/** The name of an entry. */
export const formatKey = (name: string, { isJson, isFlow }: Surroundings): string =>
  isJson || (isFlow && /[,[\]{}\n]/.test(name))
    ? JSON.stringify(name)
    : printedEntry(name, null).replace(/: null\n$/, '');

/** An entry of a map as lines: each with its indentation and its line end. */
export const formatEntry = (name: string, value: Written, indent: number): string =>
  indentLines(printedEntry(name, value), indent);

function printedEntry(name: string, value: Written): string {
  const document = new Document();
  const map = new YAMLMap();
  map.items.push(new Pair(new Scalar(name), writtenNode(value, document)));
  document.contents = map as never;
  return formatted(printed(document));
}

/** As `trueup fmt` would have it. */
const formatted = (text: string): string => formatYaml(new Source('', text)).text ?? text;

/** An item of a list as lines. */
export function formatItem(value: Written, indent: number): string {
  const document = new Document();
  const list = new YAMLSeq();
  const node = writtenNode(value, document);
  if (isPlainObject(value) && !(value instanceof WrittenMap) && !isScalar(node))
    (node as YAMLMap).flow = JSON.stringify(value).length < 80;
  list.items.push(node);
  document.contents = list as never;
  return indentLines(formatted(printed(document)), indent);
}

/** Lines with so many blanks in front, blank lines aside. `behind`: the first one stands behind something. */
export const indentLines = (text: string, indent: number, isBehind = false): string =>
  text
    .split('\n')
    .map((line, index) => (line === '' || (isBehind && index === 0) ? line : ' '.repeat(indent) + line))
    .join('\n');

/** A value as plain data. */
export function toPlainData(value: Written): unknown {
  if (value instanceof WrittenMap)
    return Object.fromEntries(value.entries.map(({ key, value: item }) => [key, toPlainData(item)]));
  return Array.isArray(value) ? value.map((item) => toPlainData(item as Written)) : value;
}

/** The indentation of what is in a map or list that begins a level deeper. */
export const nestedIndent = (indent: number): number => indent + step;

/** The text that the configuration means. */
export const unescapeText = (text: string): string => text.replaceAll('$${', () => '${');
