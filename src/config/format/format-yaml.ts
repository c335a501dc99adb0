import { CST, Lexer } from 'yaml';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { parseYamlNow, quoteExpressions } from '../yaml/check-syntax.ts';
import type { Node } from '../yaml/nodes.ts';
import { Source } from '../yaml/source.ts';
import {
  blockScalarLines,
  type CollectionContent,
  colonBehind,
  hasLines,
  type LayoutEntry,
  type LayoutNode,
  type Line,
  nodeOnOneLine,
  oneLine,
  opened,
  type ScalarContent,
  type StreamPart,
  scalarLines,
} from './layout.ts';
import { readLayout } from './read-layout.ts';

/** The formatted text, or the problems that prevent formatting. */
type Formatted = { text: string; diagnostics?: never } | { text?: never; diagnostics: Diagnostic[] };

/**
 * Formats a YAML file. Changes only what has no meaning: indentation, blanks, the kind of quotes, where collections in brackets are broken into lines.
 * Adds the quotes that expressions in brackets need. All line ends become like the first one.
 *
 * Returns problems instead if the file has errors, or if the formatted text would mean something else. That would be a bug here, so the content
 * of both texts is compared each time.
 */
export function formatYaml(written: Source): Formatted {
  const source = new Source(written.file, quoteExpressions(written.text));
  const before = formattedContentOf(source);
  if (before.diagnostics.length > 0) {
    source.quote();
    return { diagnostics: before.diagnostics };
  }
  const end = /^[^\n]*\r\n/.test(source.text) ? '\r\n' : '\n';
  const formatted = printLayout(readLayout(source.text.replaceAll('\r\n', '\n')));
  const text = formatted.replaceAll('\n', end);
  const after = formattedContentOf(new Source(source.file, text));
  if (after.content === before.content) return { text };
  return {
    diagnostics: [
      problem(
        'fmt/unfaithful',
        `formatting would change what ${source.file} means, so it was left unchanged`,
        {
          at: { file: source.file, line: 1, column: 1 },
          hint: 'this is a bug in trueup: please report it with the part of the file that causes it',
        },
      ),
    ],
  };
}

/** Returns everything that a text says as one string that can be compared: scalars as written and as read, comments, anchors, markers. */
function formattedContentOf(source: Source): { content: string; diagnostics: Diagnostic[] } {
  const { documents, diagnostics } = parseYamlNow(source);
  if (diagnostics.length > 0) return { content: '', diagnostics };
  return { content: JSON.stringify([documents.map(layoutValueOf), besideValues(source.text)]), diagnostics };
}

/** Returns a node without its spots, which formatting moves. */
function layoutValueOf(node: Node): unknown {
  if (node.type === 'list') return node.items.map(layoutValueOf);
  if (node.type === 'map')
    return { map: node.entries.map(({ key, value }) => [layoutValueOf(key), layoutValueOf(value)]) };
  return node.type === 'scalar' ? { text: node.text, value: node.value } : node;
}

const comparedTypes = ['comment', 'anchor', 'alias', 'tag', 'doc-start', 'doc-end', 'directive-line'];

/**
 * Returns what a text says besides values: comments, anchors, tags and markers. They are sorted, because the comment behind a removed bracket moves up.
 * Scalars are counted, because the parser ignores some that stand where none is allowed.
 */
function besideValues(text: string): { lexemes: string[]; scalars: number } {
  const lexemes: string[] = [];
  let scalars = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    const type = isScalar ? 'scalar' : (CST.tokenType(lexeme) ?? '');
    if (comparedTypes.includes(type)) lexemes.push(lexeme.trimEnd());
    else if (type.endsWith('scalar') && lexeme !== CST.SCALAR) scalars++;
    isScalar = lexeme === CST.SCALAR;
  }
  return { lexemes: lexemes.sort(), scalars };
}

const indentWidth = 2;
/** A key without `?` may have 1,024 characters (YAML 1.2.2, section 7.4.2). */
const maxKeyLength = 1000;

/** Prints a layout. A collection in brackets keeps them if it fits on its line and holds no comment. */
function printLayout(parts: StreamPart[]): string {
  const printer = new LayoutPrinter();
  for (const streamPart of parts) printer.part(streamPart);
  return printer.lines.map((line) => `${line}\n`).join('');
}

/** Prints the parts of a layout as lines. Terms: see `layout.ts`. */
class LayoutPrinter {
  readonly lines: string[] = [];
  #isBlankDue = false;
  /** True if the block that was opened last is still empty, so that a blank line would not separate anything. */
  #isOpening = true;
  /** The `- ` of an entry whose map or list begins on the same line, to be printed as the indentation of the next line. */
  #openItem: string | undefined;

  part(streamPart: StreamPart): void {
    if (streamPart.type === 'lines') this.#comments(streamPart.lines, 0);
    else if (streamPart.type === 'marker') {
      this.#push(withComment(streamPart.text, streamPart.comment));
      this.#isOpening = streamPart.text === '---';
    } else this.#node('', streamPart.node, -indentWidth);
  }

  #push(lines: string | string[]): void {
    this.#blank();
    this.#isOpening = false;
    for (const line of [lines].flat()) this.lines.push(line);
  }

  /** Prints the blank line that was asked for, unless it would stand at the start of a block. */
  #blank(): void {
    if (this.#isBlankDue && !this.#isOpening) this.lines.push('');
    this.#isBlankDue = false;
  }

  /** Returns what the next line begins with. */
  #indentation(indent: number): string {
    const openItem = this.#openItem;
    this.#openItem = undefined;
    return openItem ?? spaces(indent);
  }

  #comments(lines: Line[], indent: number): void {
    for (const line of lines)
      if (line === 'blank') this.#isBlankDue = true;
      else this.#push(this.#indentation(indent) + line.comment);
  }

  /** Prints a node behind a prefix that begins in column `indent`. What does not fit there goes below, indented by two more columns. */
  #node(prefix: string, written: LayoutNode, indent: number, isItem = false): void {
    const node = opened(written, joinParts(prefix, ...written.props), indent + indentWidth);
    const { content } = node;
    if (content?.type === 'scalar') this.#scalar(prefix, node, content.token, indent);
    else if (content && !content.isFlow) this.#block(prefix, node, content, indent, isItem);
    else {
      const start = this.#start(prefix, node, indent);
      const text = content ? oneLine(content) : undefined;
      if (text !== undefined || start.trim() !== '')
        this.#push(withComment(joinParts(start, text ?? ''), node.trailing));
    }
  }

  /** Returns the start of the content's first line. Prints the prefix and the comments before the content first if they need lines of their own. */
  #start(prefix: string, node: LayoutNode, indent: number): string {
    if (!hasLines(node)) return joinParts(prefix, ...node.props);
    this.#above(prefix, node, indent);
    return spaces(indent + indentWidth);
  }

  /** Prints the line of the introducer and the comments before the content. */
  #above(prefix: string, { props, head, before }: LayoutNode, indent: number): void {
    const start = withComment(joinParts(prefix, ...props), head);
    if (start !== '') {
      this.#push(start);
      this.#isOpening = true;
    }
    this.#comments(before, indent + indentWidth);
  }

  #scalar(prefix: string, node: LayoutNode, token: ScalarContent['token'], indent: number): void {
    const start = this.#start(prefix, node, indent);
    // Also for a scalar that is a whole document, because in the first column its text could be read as a marker.
    const inner = Math.max(indentWidth, indent + indentWidth);
    if (token.type === 'block-scalar') {
      const { header, lines } = blockScalarLines(token, inner);
      this.#push([joinParts(start, header), ...lines]);
      return;
    }
    const [firstLine, ...otherLines] = scalarLines(token);
    const isMarker = start === '' && /^(---|\.\.\.)/.test(firstLine!);
    const lines = [
      joinParts(isMarker ? spaces(indentWidth) : start, firstLine!),
      ...otherLines.map((line) => line && spaces(inner) + line),
    ];
    lines.push(withComment(lines.pop()!, node.trailing));
    this.#push(lines);
  }

  #block(
    prefix: string,
    node: LayoutNode,
    { type, entries }: CollectionContent,
    indent: number,
    isItem: boolean,
  ): void {
    const beginsWithComment = entries[0]?.lead.some((line) => line !== 'blank');
    if (isItem && node.props.length === 0 && !hasLines(node) && !beginsWithComment) {
      this.#blank();
      this.#isOpening = true;
      this.#openItem = `${prefix} `;
    } else this.#above(prefix, node, indent);
    for (const entry of entries) this.#entry(entry, type, indent + indentWidth);
  }

  #entry({ lead, key, value }: LayoutEntry, type: 'map' | 'list', indent: number): void {
    this.#comments(lead, indent);
    const name = key && nodeOnOneLine(key);
    if (type === 'list') {
      if (value) this.#node(`${this.#indentation(indent)}-`, value, indent, true);
    } else if (key && name !== undefined && canBeFirst(name, indent))
      this.#node(`${this.#indentation(indent)}${name}${colonBehind(key)}`, value ?? nothing, indent);
    else if (key) {
      this.#node(`${this.#indentation(indent)}?`, key, indent, true);
      if (value) this.#node(`${this.#indentation(indent)}:`, value, indent, true);
    }
  }
}

const nothing: LayoutNode = { props: [], before: [] };
const spaces = (count: number) => ' '.repeat(Math.max(0, count));
const withComment = (text: string, comment: string | undefined) =>
  comment === undefined ? text : text === '' ? comment : `${text}${text.endsWith(' ') ? '' : ' '}${comment}`;
/** True if a key needs no `?`: it is not too long, and cannot be read as a marker in the first column. */
const canBeFirst = (name: string, indent: number) =>
  name.length <= maxKeyLength && (indent > 0 || !/^(---|\.\.\.)[ \t]/.test(name));

/** Joins parts of a line with spaces. Skips empty parts, and keeps the blanks at the start. */
function joinParts(start: string, ...parts: string[]): string {
  const text = parts.filter((part) => part !== '').join(' ');
  if (text === '') return start;
  return start === '' || start.endsWith(' ') ? start + text : `${start} ${text}`;
}
