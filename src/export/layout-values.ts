/*
 * Lays out exported values as `trueup fmt` would: as the tree of `config/format/layout.ts`, which `printLayout` prints.
 *
 * Printing with the YAML library and formatting that text gives the same result, but parses the text several times, and
 * an export has many thousands of lines. Most of them are words and numbers without quotes. The library prints the
 * others one by one, because it decides about quotes and blocks of text (`layoutByLibrary`).
 */
import { Document, Pair, Scalar, YAMLMap } from 'yaml';
import { printLayout } from '../config/format/format-yaml.ts';
import {
  type CollectionContent,
  emptyNode,
  type LayoutEntry,
  type LayoutNode,
  type Line,
  type StreamPart,
} from '../config/format/layout.ts';
import { readLayout } from '../config/format/read-layout.ts';
import { quoteExpressions } from '../config/yaml/check-syntax.ts';
import {
  CommentedMap,
  formatCommentLines,
  maxLengthInBrackets,
  printDocument,
  type YamlValue,
} from './print-yaml.ts';

/** The place of a scalar in a file, as far as it decides about quotes. `inBrackets`: in a collection like `{ a: b }`. */
interface ScalarPlace {
  isKey: boolean;
  inBrackets: boolean;
}

/**
 * Returns the layout (the tree that is printed as YAML) of an exported map with comments: an entry per line, with its comments above it.
 */
export function layoutMap({ entries }: CommentedMap): LayoutNode {
  const laidOut = entries.map(({ key, value, comments }) => ({
    lead: layoutComments(comments),
    key: layoutScalar(key, { isKey: true, inBrackets: false }),
    value: layoutValue(value),
  }));
  return createLayoutNode({ type: 'map', isFlow: entries.length === 0, entries: laidOut });
}

/** Returns the layout of comments on lines of their own. */
export const layoutComments = (comments: string[]): Line[] =>
  formatCommentLines(comments).map((line) => ({ comment: `#${line}`.trimEnd(), indent: 0 }));

/**
 * Returns the layout of a value behind its key or `-`. Small lists and maps are on one line, and long ones have a line
 * per entry, so that people can read and edit them.
 */
function layoutValue(value: YamlValue): LayoutNode {
  if (value instanceof CommentedMap) return layoutMap(value);
  if (Array.isArray(value) && value.some((item) => item instanceof CommentedMap)) {
    const entries = value.map((item) => ({
      // The lines above the item.
      lead: item instanceof CommentedMap ? layoutComments(item.comments) : [],
      // Comments of the first entry go on the line of the `-`.
      value: moveCommentsUp(layoutValue(item)),
    }));
    return createLayoutNode({ type: 'list', isFlow: false, entries });
  }
  const isCollection = typeof value === 'object' && value !== null;
  return layoutPlainValue(value, isCollection && JSON.stringify(value).length < maxLengthInBrackets);
}

/**
 * Returns the layout (the tree that is printed as YAML) of exported data without comments: with its collections in brackets, or with a line
 * per entry in all of them.
 */
function layoutPlainValue(value: unknown, inBrackets: boolean): LayoutNode {
  if (typeof value !== 'object' || value === null) return layoutScalar(value, { isKey: false, inBrackets });
  const entries = Array.isArray(value)
    ? value.map((item): LayoutEntry => ({ lead: [], value: layoutPlainValue(item ?? null, inBrackets) }))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(
          ([key, item]): LayoutEntry => ({
            lead: [],
            key: layoutScalar(key, { isKey: true, inBrackets }),
            value: layoutPlainValue(item, inBrackets),
          }),
        );
  const isFlow = inBrackets || entries.length === 0;
  return createLayoutNode({ type: Array.isArray(value) ? 'list' : 'map', isFlow, entries });
}

/**
 * Returns the layout of a list item (a node of the tree that is printed as YAML) with the comments of its first entry moved to the item
 * itself, for lists in the files of `trueup export` and `trueup from`. The printer then writes the first comment on the line of the `-`
 * (`head`), as in `- # legacy`, and the others on the lines between it and the entry (`before`). Blank lines between them go.
 */
function moveCommentsUp(node: LayoutNode): LayoutNode {
  const { content } = node;
  if (content?.type !== 'map' || content.isFlow) return node;
  const [first, ...others] = content.entries;
  const [head, ...before] = first!.lead.flatMap((line) => (line === 'blank' ? [] : line));
  if (!head) return node;
  const entries = [{ ...first!, lead: [] }, ...others];
  return { ...node, head: head.comment, before, content: { ...content, entries } };
}

/** Returns a node with a collection and nothing around it. */
const createLayoutNode = (content: CollectionContent): LayoutNode => ({ ...emptyNode(), content });

/**
 * Returns the layout (the tree that is printed as YAML) of a text, a number, a boolean or null. Most certainly need no quotes
 * (`plainTextOf`). The YAML library prints the others, because it decides about quotes.
 */
function layoutScalar(value: unknown, place: ScalarPlace): LayoutNode {
  const source = plainTextOf(value, place);
  if (source === undefined) return layoutByLibrary(value, place);
  return {
    ...emptyNode(),
    content: { type: 'scalar', token: { type: 'scalar', offset: 0, indent: 0, source } },
  };
}

/** Words, paths, URLs and IPv4 addresses that YAML reads as themselves at any place. */
const unquotedText = /^(?:[A-Za-z/](?:[\w./@?=%+-]|:[\w/]| (?=[\w/]))*(?<![:-])|\d+\.\d+\.\d+\.\d+)$/;
/** Words that YAML reads as other values. */
const otherValues = /^(?:null|true|false)$/i;
/** A text that is one expression without brackets in it, such as `${secrets.TOKEN}`. Between brackets it needs quotes. */
const expressionAlone = /^\$\{[\w.-]+\}$/;

/**
 * Returns the YAML of a scalar that certainly needs no quotes; undefined for any other, which the YAML library then prints. Most values are
 * plain, so an export rarely needs the library. `isKey` and `inBrackets`: where the scalar stands, because more texts need quotes there.
 */
function plainTextOf(value: unknown, { isKey, inBrackets }: ScalarPlace): string | undefined {
  if (typeof value === 'boolean' || value === null) return isKey ? undefined : String(value);
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && !isKey && !Object.is(value, -0) ? String(value) : undefined;
  if (typeof value !== 'string' || value.length > maxPlainLength) return undefined;
  // YAML reads some plain texts as other values, such as `true`.
  const isPlainText = unquotedText.test(value) && !otherValues.test(value);
  const isPlainExpression = !isKey && !inBrackets && expressionAlone.test(value);
  return isPlainText || isPlainExpression ? value : undefined;
}

/** Longer keys are written in a form of their own. */
const maxPlainLength = 500;

/**
 * Returns the layout of a scalar as the YAML library prints it at its place: as the key or the value of a map in a map,
 * because the library quotes more keys in the first column.
 */
function layoutByLibrary(value: unknown, { isKey, inBrackets }: ScalarPlace): LayoutNode {
  const scalar = new Scalar(value);
  if (typeof value === 'string' && needsEscapes(value, inBrackets)) scalar.type = Scalar.QUOTE_DOUBLE;
  const placeholder = new Scalar('a');
  const inner = new YAMLMap();
  inner.flow = inBrackets;
  inner.items.push(isKey ? new Pair(scalar, placeholder) : new Pair(placeholder, scalar));
  const outer = new YAMLMap();
  outer.items.push(new Pair(placeholder, inner));
  const document = new Document();
  document.contents = outer as never;
  const parts = readLayout(quoteExpressions(printDocument(document)));
  const root = parts.find((part) => part.type === 'root')!.node;
  const { key, value: written } = firstEntryOf(firstEntryOf(root).value!);
  return (isKey ? key : written)!;
}

/**
 * True for a text with line ends that only escapes can represent reliably: the library may write it as a map between
 * brackets, and a block of text loses blanks if it has nothing else.
 */
const needsEscapes = (text: string, inBrackets: boolean): boolean =>
  text.includes('\n') && (inBrackets || /^\n*[^\S\n]\s*$/.test(text));

/** Returns the first entry of a map. */
const firstEntryOf = ({ content }: LayoutNode): LayoutEntry => (content as CollectionContent).entries[0]!;

/**
 * Prints a map as the YAML text of a file in the form of `trueup fmt`, with comments at the top, for the files of
 * `trueup export` and `trueup from`.
 */
export function printYaml(map: CommentedMap, comments: string[] = []): string {
  const root: StreamPart = { type: 'root', node: layoutMap(map) };
  if (comments.length === 0) return printLayout([root]);
  return printLayout([{ type: 'lines', lines: [...layoutComments(comments), 'blank'] }, root]);
}
