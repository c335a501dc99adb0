import { CST, Document } from 'yaml';

/** A comment that has its line to itself, with the column (from 0) in which it begins; or blank lines, however many. */
export type Line = { comment: string; indent: number } | 'blank';

/** A value or a key as it is written: what stands before it, itself, and the comment behind it on its last line. */
export interface LayoutNode {
  /** Anchor and tag, in the order in which they are written. */
  props: string[];
  /** The comment on the line of the `-`, the `key:` or the `---` that it belongs to. */
  head?: string;
  /** The lines between that one and the content. */
  before: Line[];
  /** Without content it is an empty value. */
  content?: ScalarContent | CollectionContent;
  trailing?: string;
}

export interface ScalarContent {
  type: 'scalar';
  token: CST.FlowScalar | CST.BlockScalar;
}

export interface CollectionContent {
  type: 'map' | 'list';
  /** Written in brackets. */
  isFlow: boolean;
  entries: LayoutEntry[];
}

/** An entry of a map, or with a value only of a list; with neither it holds the comments behind the last entry. */
export interface LayoutEntry {
  lead: Line[];
  key?: LayoutNode;
  /** Missing in a map if there is no `:` either. */
  value?: LayoutNode;
}

/** One thing on the outermost level of a file, in order. */
export type StreamPart =
  | { type: 'lines'; lines: Line[] }
  | { type: 'marker'; text: string; comment?: string }
  | { type: 'root'; node: LayoutNode };

export const emptyNode = (): LayoutNode => ({ props: [], before: [] });

type FlowScalar = CST.FlowScalar;

/**
 * The lines of a scalar, without indentation. Double quotes, unless single ones save escapes; a scalar without quotes gets none,
 * and one with quotes keeps them, since what reads as a number or a boolean depends on who reads it.
 */
export function scalarLines(token: FlowScalar): string[] {
  const [first, ...rest] = requoted(token).split('\n');
  if (rest.length === 0) return [first!];
  // Blanks around a line end mean nothing, unless a backslash makes them mean something.
  const trimmed = [first!, ...rest.map((line) => line.replace(/^[ \t]+/, ''))];
  return trimmed.map((line, index) =>
    index === trimmed.length - 1 ? line : line.replace(/((?:^|[^\\])(?:\\\\)*(?:\\[ \t])?)[ \t]*$/, '$1'),
  );
}

/** A scalar on one line: one that was folded is unfolded. */
function scalarOnOneLine(token: FlowScalar): string {
  const lines = scalarLines(token);
  if (lines.length === 1) return lines[0]!;
  const value = textOfToken(token);
  if (token.type === 'scalar' && !value.includes('\n')) return lines.join(' ');
  return new Document(value)
    .toString({ defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity })
    .trimEnd();
}

/**
 * The header of a block scalar with its comment, and its lines with `indent` blanks in front. Blank lines behind it that are no
 * part of its value are left out.
 */
export function blockScalarLines(
  { props, source, indent: outer }: CST.BlockScalar,
  indent: number,
): { header: string; lines: string[]; hasBlankBehind: boolean } {
  const tokenOf = (type: string) => (props as CST.SourceToken[]).find((prop) => prop.type === type)?.source;
  const [, style = '|', flags = ''] = /^([|>])(.*)$/.exec(tokenOf('block-scalar-header') ?? '') ?? [];
  const digit = /[1-9]/.exec(flags)?.[0];
  const chomp = /[-+]/.exec(flags)?.[0] ?? '';
  const written = source.split('\n');
  const isBlank = (line: string) => /^ *$/.test(line);
  const first = written.find((line) => !isBlank(line));
  const depth = digit
    ? Math.max(outer, 0) + Number(digit)
    : first === undefined
      ? Number.POSITIVE_INFINITY
      : /^ */.exec(first)![0].length;
  const isEmpty = (line: string) => isBlank(line) && line.length <= depth;
  // What follows the last line end is a line only if something stands on it.
  if (isEmpty(written.at(-1)!)) written.pop();
  // The parser takes a last line of blanks for one after all where there is nothing else.
  if (chomp === '+' && written.length === 0 && source !== '') written.push('');
  const count = written.length;
  while (chomp !== '+' && written.length > 0 && isEmpty(written.at(-1)!)) written.pop();
  const lines = written.map((line) => (isEmpty(line) ? '' : ' '.repeat(indent) + line.slice(depth)));
  const comment = tokenOf('comment');
  return {
    header: `${style}${digit ? 2 : ''}${chomp}${comment === undefined ? '' : ` ${comment.trimEnd()}`}`,
    lines,
    hasBlankBehind: written.length < count,
  };
}

const textOfToken = (token: FlowScalar): string => CST.resolveAsScalar(token)?.value ?? '';

function requoted(token: FlowScalar): string {
  const { type, source } = token;
  const inner = source.slice(1, -1);
  if (type === 'single-quoted-scalar') {
    const text = inner.replaceAll("''", "'");
    if (!/["\\]/.test(text)) return `"${text}"`;
    return text.includes("'") && !text.includes('\n') ? `"${text.replace(/["\\]/g, '\\$&')}"` : source;
  }
  if (type !== 'double-quoted-scalar') return source;
  const isWritableInSingle = /^(?:[^'\\\n]|\\["\\])*$/.test(inner) && /\\/.test(inner);
  return isWritableInSingle ? `'${inner.replace(/\\(["\\])/g, '$1')}'` : source;
}

/** The content on one line, in brackets; undefined where a comment, a block scalar or something without brackets is in it. */
export function oneLine(content: ScalarContent | CollectionContent): string | undefined {
  if (content.type === 'scalar')
    return content.token.type === 'block-scalar' ? undefined : scalarOnOneLine(content.token);
  if (!content.isFlow) return undefined;
  const entries = content.entries.map(entryOnOneLine);
  if (entries.includes(undefined)) return undefined;
  if (content.type === 'list') return `[${entries.join(', ')}]`;
  return entries.length > 0 ? `{ ${entries.join(', ')} }` : '{}';
}

/** The same for a node with its anchor and tag. */
export function nodeOnOneLine({ props, head, before, content, trailing }: LayoutNode): string | undefined {
  if (head !== undefined || trailing !== undefined || before.some((line) => line !== 'blank'))
    return undefined;
  if (!content) return props.join(' ');
  const text = oneLine(content);
  return text === undefined ? undefined : [...props, text].join(' ');
}

/** The `:` behind a key, away from what it would become part of: an alias, an anchor, a tag. */
export const colonBehind = ({ content, props }: LayoutNode): string =>
  content
    ? content.type === 'scalar' && content.token.type === 'alias'
      ? ' :'
      : ':'
    : props.length > 0
      ? ' :'
      : ':';

function entryOnOneLine({ lead, key, value }: LayoutEntry): string | undefined {
  if (lead.some((line) => line !== 'blank')) return undefined;
  const [name, text] = [key, value].map((node) => (node ? nodeOnOneLine(node) : ''));
  if (name === undefined || text === undefined) return undefined;
  if (!key) return text;
  if (!value) return name;
  return `${name}${colonBehind(key)}${text && ` ${text}`}`;
}

const layoutWidth = 100;

/** True if something stands on lines of its own between what introduces a node and its content. */
export const hasLines = ({ head, before }: LayoutNode) =>
  head !== undefined || before.some((line) => line !== 'blank');

/**
 * The node as it is printed behind `start`, or in column `inner` below it: what is in brackets loses them if it does not fit into
 * 100 columns or holds a comment. A comment behind the closing bracket then goes behind `start`; it does not count as width.
 */
export function opened(node: LayoutNode, start: string, inner: number): LayoutNode {
  const { content, head, before, trailing } = node;
  if (!content || content.type === 'scalar' || !content.isFlow) return node;
  const written = content.entries.filter(({ key, value }) => key || value);
  if (written.length === 0) {
    const comments = content.entries.flatMap(({ lead }) => lead).filter((line) => line !== 'blank');
    return { ...node, before: [...before, ...comments], content: { ...content, entries: [] } };
  }
  const text = oneLine(content);
  const column = hasLines(node) ? inner : start === '' ? 0 : start.length + 1;
  if (text !== undefined && column + text.length <= layoutWidth) return node;
  const block = { ...node, content: { ...content, isFlow: false } };
  if (trailing === undefined) return block;
  return {
    ...block,
    ...(head === undefined
      ? { head: trailing }
      : { before: [{ comment: trailing, indent: inner }, ...before] }),
    trailing: undefined,
  };
}
