/*
 * The layout of a YAML text: its values and comments as a tree, and how parts of it are printed on one line.
 *
 * Terms:
 *   node      a value or a key as it is written, with the comments that belong to it
 *   introducer  the `-`, `key:` or `---` in front of a node
 *   head      the comment on the line of the introducer:      `key: # head`
 *   before    the lines between the introducer and the content
 *   trailing  the comment behind the content, on its last line: `key: value # trailing`
 *   lead      the lines in front of an entry
 *   flow      written in brackets
 */
import { CST, Document } from 'yaml';

/** A comment on a line of its own, with the column (from 0) in which it begins; or one or more blank lines. */
export type Line = { comment: string; indent: number } | 'blank';

/** A value or a key as it is written, with the comments around it. */
export interface LayoutNode {
  /** Anchor and tag, in the order in which they are written. */
  props: string[];
  head?: string;
  before: Line[];
  /** Missing if the value is empty. */
  content?: ScalarContent | CollectionContent;
  trailing?: string;
}

/** A scalar as it is written, with its quotes. */
export interface ScalarContent {
  type: 'scalar';
  token: CST.FlowScalar | CST.BlockScalar;
}

/** A map or a list with its entries. */
export interface CollectionContent {
  type: 'map' | 'list';
  /** True if the collection is written in brackets. */
  isFlow: boolean;
  entries: LayoutEntry[];
}

/** An entry of a map, or of a list if it has no key. An entry without key and value holds the comments behind the last entry. */
export interface LayoutEntry {
  lead: Line[];
  key?: LayoutNode;
  /** In a map, missing if there is no `:` either. */
  value?: LayoutNode;
}

/** A part of a file on its outermost level: comments, a marker (`---`, `...`, a directive) or the content of a document. */
export type StreamPart =
  | { type: 'lines'; lines: Line[] }
  | { type: 'marker'; text: string; comment?: string }
  | { type: 'root'; node: LayoutNode };

/** Creates a node without content, which the reader of the layout fills. */
export const emptyNode = (): LayoutNode => ({ props: [], before: [] });

type FlowScalar = CST.FlowScalar;

/**
 * Returns the lines of a scalar without indentation, in the kind of quotes that `trueup fmt` prefers: double
 * quotes, unless single quotes save escapes. Never adds or removes quotes, because programs differ in the
 * words that they read as numbers or booleans.
 */
export function scalarLines(token: FlowScalar): string[] {
  const [firstLine, ...otherLines] = requoted(token).split('\n');
  if (otherLines.length === 0) return [firstLine!];
  // Blanks around a line end have no meaning, unless there is a backslash in front of them.
  const trimmed = [firstLine!, ...otherLines.map((line) => line.replace(/^[ \t]+/, ''))];
  return trimmed.map((line, index) => (index === trimmed.length - 1 ? line : withoutTrailingBlanks(line)));
}

/**
 * Returns a line of a scalar without the blanks at its end, except for one that a backslash escapes: `a  ` becomes `a`, and `a\   ` becomes
 * `a\ `. Without double quotes, a backslash escapes nothing, but one blank more has no meaning there.
 */
function withoutTrailingBlanks(line: string): string {
  const text = line.replace(/[ \t]+$/, '');
  const backslashCount = /\\*$/.exec(text)![0].length;
  // `\\` is a backslash, which escapes nothing.
  const isBlankEscaped = backslashCount % 2 === 1;
  return isBlankEscaped ? line.slice(0, text.length + 1) : text;
}

/**
 * Returns a scalar on one line, for collections in brackets that `trueup fmt` prints on one line. A text that
 * is written on several lines is joined as YAML reads it: with spaces, or in double quotes with escapes for
 * its line ends.
 */
function scalarOnOneLine(token: FlowScalar): string {
  const lines = scalarLines(token);
  if (lines.length === 1) return lines[0]!;
  const value = CST.resolveAsScalar(token)?.value ?? '';
  if (token.type === 'scalar' && !value.includes('\n')) return lines.join(' ');
  return new Document(value)
    .toString({ defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity })
    .trimEnd();
}

/**
 * Returns a block scalar (text behind `|` or `>`) as `trueup fmt` prints it: its header with its comment, and
 * its lines indented by `indent` blanks. Blank lines at its end are left out unless they are part of its
 * value (`|+`). `hasBlankBehind`: some were left out, so the caller prints one blank line instead. The
 * token's `indent` is the column of the collection around it, from which a digit in the header counts.
 */
export function blockScalarLines(
  { props, source, indent: outerIndent }: CST.BlockScalar,
  indent: number,
): { header: string; lines: string[]; hasBlankBehind: boolean } {
  const { style, digit, chomp, comment } = readBlockHeader(props as CST.SourceToken[]);
  const lines = source.split('\n');
  const keepsLineEnds = chomp === '+';
  const isBlank = (line: string) => /^ *$/.test(line);
  const firstFilled = lines.find((line) => !isBlank(line));
  const firstIndent = firstFilled === undefined ? Infinity : /^ */.exec(firstFilled)![0].length;
  // The column in which the text begins. All blanks behind it belong to the value, even in a line of blanks.
  const textColumn = digit ? Math.max(outerIndent, 0) + Number(digit) : firstIndent;
  const isEmptyInValue = (line: string) => isBlank(line) && line.length <= textColumn;
  // The text behind the last line end is a line only if it is not empty.
  if (isEmptyInValue(lines.at(-1)!)) lines.pop();
  // The parser counts a line of blanks without a line end if there is no other line.
  if (keepsLineEnds && lines.length === 0 && source !== '') lines.push('');
  const lineCount = lines.length;
  while (!keepsLineEnds && lines.length > 0 && isEmptyInValue(lines.at(-1)!)) lines.pop();
  return {
    // The digit becomes 2, because `trueup fmt` indents by two blanks.
    header: `${style}${digit ? 2 : ''}${chomp}${comment === undefined ? '' : ` ${comment.trimEnd()}`}`,
    lines: lines.map((line) => (isEmptyInValue(line) ? '' : ' '.repeat(indent) + line.slice(textColumn))),
    hasBlankBehind: lines.length < lineCount,
  };
}

/**
 * Returns the parts of a block scalar's first line, such as `|2- # comment`: its style (`|` or `>`), the
 * digit that states its indentation, the sign that tells what happens to its last line ends (`chomp`), and
 * its comment.
 */
function readBlockHeader(tokens: CST.SourceToken[]) {
  const textOfToken = (type: string) => tokens.find((token) => token.type === type)?.source;
  const header = textOfToken('block-scalar-header') ?? '';
  const [, style = '|', flags = ''] = /^([|>])(.*)$/.exec(header) ?? [];
  return {
    style,
    digit: /[1-9]/.exec(flags)?.[0],
    chomp: /[-+]/.exec(flags)?.[0] ?? '',
    comment: textOfToken('comment'),
  };
}

/**
 * Returns a scalar of a YAML file in the quotes that `trueup fmt` writes: `'a'` becomes `"a"`, but `"say
 * \"hi\""` becomes `'say "hi"'`, because single quotes save escapes there. The value stays the same. Scalars
 * without quotes are returned unchanged.
 */
function requoted(token: FlowScalar): string {
  const { type, source } = token;
  const inner = source.slice(1, -1);
  if (type === 'single-quoted-scalar') {
    const text = inner.replaceAll("''", "'");
    const needsEscapesInDouble = /["\\]/.test(text);
    if (!needsEscapesInDouble) return `"${text}"`;
    // Both kinds of quotes need escapes then. On several lines, a backslash in double quotes could escape a line end.
    const needsEscapesInSingle = text.includes("'");
    return needsEscapesInSingle && !text.includes('\n') ? `"${text.replace(/["\\]/g, '\\$&')}"` : source;
  }
  if (type !== 'double-quoted-scalar') return source;
  const hasEscapes = inner.includes('\\');
  // One line without `'`, and with no escapes but `\"` and `\\`.
  const isWritableInSingle = /^(?:[^'\\\n]|\\["\\])*$/.test(inner);
  return hasEscapes && isWritableInSingle ? `'${inner.replace(/\\(["\\])/g, '$1')}'` : source;
}

/**
 * Returns content on one line, such as `{ a: b }`, or undefined if that is impossible: it holds a comment, a
 * block scalar (`|`) or a collection without brackets. `trueup fmt` uses it to decide if a collection keeps
 * its brackets.
 */
export function oneLine(content: ScalarContent | CollectionContent): string | undefined {
  if (content.type === 'scalar')
    return content.token.type === 'block-scalar' ? undefined : scalarOnOneLine(content.token);
  if (!content.isFlow) return undefined;
  const entries = content.entries.map(entryOnOneLine);
  if (entries.includes(undefined)) return undefined;
  if (content.type === 'list') return `[${entries.join(', ')}]`;
  return entries.length > 0 ? `{ ${entries.join(', ')} }` : '{}';
}

/**
 * Returns a YAML node on one line with its anchor and tag, such as `&a { b: 1 }`, for keys and entries in
 * brackets that `trueup fmt` prints. Returns undefined if a comment, a block scalar or a collection without
 * brackets prevents that.
 */
export function nodeOnOneLine({ props, head, before, content, trailing }: LayoutNode): string | undefined {
  if (head !== undefined || trailing !== undefined || before.some((line) => line !== 'blank'))
    return undefined;
  if (!content) return props.join(' ');
  const text = oneLine(content);
  return text === undefined ? undefined : [...props, text].join(' ');
}

/** Returns the `:` behind a key, with a space if it would else become a part of an alias, an anchor or a tag. */
export const colonBehind = ({ content, props }: LayoutNode): string =>
  (content ? content.type === 'scalar' && content.token.type === 'alias' : props.length > 0) ? ' :' : ':';

/**
 * Returns an entry of a collection in brackets on one line, such as `a: b`. `trueup fmt` uses it to decide if
 * a collection fits on one line. Returns undefined if a comment or a block scalar (`|`) prevents that; then
 * the collection loses its brackets.
 */
function entryOnOneLine({ lead, key, value }: LayoutEntry): string | undefined {
  if (lead.some((line) => line !== 'blank')) return undefined;
  const [name, text] = [key, value].map((node) => (node ? nodeOnOneLine(node) : ''));
  if (name === undefined || text === undefined) return undefined;
  if (!key) return text;
  if (!value) return name;
  return `${name}${colonBehind(key)}${text && ` ${text}`}`;
}

const maxColumns = 100;

/** True if a comment stands between the introducer of a node and its content, so that the content begins on a line of its own. */
export const hasLines = ({ head, before }: LayoutNode) =>
  head !== undefined || before.some((line) => line !== 'blank');

/**
 * Returns the node without its brackets if `trueup fmt` must print the collection on several lines, because it exceeds 100 columns or holds
 * a comment; otherwise unchanged. Comments do not count as width. `start`: the text in front of the node, such as `key:`. `inner`: the
 * column of the content if it begins a line of its own.
 */
export function withoutLongBrackets(node: LayoutNode, start: string, inner: number): LayoutNode {
  const { content, before } = node;
  if (!content || content.type === 'scalar' || !content.isFlow) return node;
  const isEmpty = content.entries.every(({ key, value }) => !key && !value);
  // An empty collection can only be written in brackets, so the comments in it move in front.
  if (isEmpty) {
    const comments = content.entries.flatMap(({ lead }) => lead).filter((line) => line !== 'blank');
    return { ...node, before: [...before, ...comments], content: { ...content, entries: [] } };
  }
  const text = oneLine(content);
  const columnBehindStart = start === '' ? 0 : start.length + 1;
  const column = hasLines(node) ? inner : columnBehindStart;
  const fitsOnLine = text !== undefined && column + text.length <= maxColumns;
  return fitsOnLine ? node : moveTrailingUp({ ...node, content: { ...content, isFlow: false } }, inner);
}

/**
 * Returns a node that lost its brackets, with the comment behind its closing bracket moved up: behind the text in front of the node (`key:
 * # comment`) or, if a comment is there already, to the line below. `inner`: the column of the comment then.
 */
function moveTrailingUp(node: LayoutNode, inner: number): LayoutNode {
  const { head, before, trailing } = node;
  if (trailing === undefined) return node;
  return head === undefined
    ? { ...node, head: trailing, trailing: undefined }
    : { ...node, before: [{ comment: trailing, indent: inner }, ...before], trailing: undefined };
}
