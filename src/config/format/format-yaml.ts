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

/** Either the formatted text, or why there is none: every problem with its place. */
type Formatted = { text: string; diagnostics?: never } | { text?: never; diagnostics: Diagnostic[] };

/**
 * The text of a YAML file in its normal form. Only what has no meaning changes: indentation, blanks, the kind of quotes, where
 * brackets are broken. Expressions in brackets get the quotes that they need. Line ends are all as the first one is. A file with errors has no normal form; and should the result say
 * anything else than the file, that is a fault here, and the file is to be left alone.
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

/** All that a file says, as one comparable text: scalars as they are read and as they are written, comments, anchors, markers. */
function formattedContentOf(source: Source): { content: string; diagnostics: Diagnostic[] } {
  const { documents, diagnostics } = parseYamlNow(source);
  if (diagnostics.length > 0) return { content: '', diagnostics };
  return { content: JSON.stringify([documents.map(layoutValueOf), besideValues(source.text)]), diagnostics };
}

function layoutValueOf(node: Node): unknown {
  if (node.type === 'list') return node.items.map(layoutValueOf);
  if (node.type === 'map')
    return { map: node.entries.map(({ key, value }) => [layoutValueOf(key), layoutValueOf(value)]) };
  return node.type === 'scalar' ? { text: node.text, value: node.value } : node;
}

const preservedTokens = ['comment', 'anchor', 'alias', 'tag', 'doc-start', 'doc-end', 'directive-line'];

/**
 * Sorted, since a comment behind a bracket that is dropped moves up. Scalars are counted, since the parser passes over some that
 * stand where none may.
 */
function besideValues(text: string): { kept: string[]; scalars: number } {
  const found: string[] = [];
  let scalars = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    const type = isScalar ? 'scalar' : (CST.tokenType(lexeme) ?? '');
    if (preservedTokens.includes(type)) found.push(lexeme.trimEnd());
    else if (type.endsWith('scalar') && lexeme !== CST.SCALAR) scalars++;
    isScalar = lexeme === CST.SCALAR;
  }
  return { kept: found.sort(), scalars };
}

const step = 2;
/** A key without `?` may have 1,024 characters (YAML 1.2.2, section 7.4.2). */
const longestKey = 1000;

/** The text of a layout. What is in brackets stays so if it fits its line and holds no comment. */
function printLayout(parts: StreamPart[]): string {
  const printer = new LayoutPrinter();
  for (const streamPart of parts) printer.part(streamPart);
  return printer.lines.map((line) => `${line}\n`).join('');
}

class LayoutPrinter {
  readonly lines: string[] = [];
  #isBlankDue = false;
  /** Nothing stands yet in the block that was opened last, so a blank line would not be between two things. */
  #isOpening = true;
  /** Stands in for the indentation of the next line: a `- ` whose map or list begins on the same line. */
  #open: string | undefined;

  part(streamPart: StreamPart): void {
    if (streamPart.type === 'lines') this.#comments(streamPart.lines, 0);
    else if (streamPart.type === 'marker') {
      this.#push(withComment(streamPart.text, streamPart.comment));
      this.#isOpening = streamPart.text === '---';
    } else this.#node('', streamPart.node, -step);
  }

  #push(lines: string | string[]): void {
    this.#blank();
    this.#isOpening = false;
    for (const line of [lines].flat()) this.lines.push(line);
  }

  #blank(): void {
    if (this.#isBlankDue && !this.#isOpening) this.lines.push('');
    this.#isBlankDue = false;
  }

  #indentation(indent: number): string {
    const open = this.#open;
    this.#open = undefined;
    return open ?? spaces(indent);
  }

  #comments(lines: Line[], indent: number): void {
    for (const line of lines)
      if (line === 'blank') this.#isBlankDue = true;
      else this.#push(this.#indentation(indent) + line.comment);
  }

  /** A node behind a prefix that begins in column `indent`. What does not fit there goes below, two columns further in. */
  #node(prefix: string, written: LayoutNode, indent: number, isItem = false): void {
    const node = opened(written, joinParts(prefix, ...written.props), indent + step);
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

  /** The beginning of the content's first line, once what stands between the prefix and it has lines of its own. */
  #start(prefix: string, node: LayoutNode, indent: number): string {
    if (!hasLines(node)) return joinParts(prefix, ...node.props);
    this.#above(prefix, node, indent);
    return spaces(indent + step);
  }

  #above(prefix: string, { props, head, before }: LayoutNode, indent: number): void {
    const start = withComment(joinParts(prefix, ...props), head);
    if (start !== '') {
      this.#push(start);
      this.#isOpening = true;
    }
    this.#comments(before, indent + step);
  }

  #scalar(prefix: string, node: LayoutNode, token: ScalarContent['token'], indent: number): void {
    const start = this.#start(prefix, node, indent);
    // Also in a scalar that is a whole document: in the first column its text could be a marker.
    const inner = Math.max(step, indent + step);
    if (token.type === 'block-scalar') {
      const { header, lines } = blockScalarLines(token, inner);
      this.#push([joinParts(start, header), ...lines]);
      return;
    }
    const [first, ...rest] = scalarLines(token);
    const isMarker = start === '' && /^(---|\.\.\.)/.test(first!);
    const lines = [
      joinParts(isMarker ? spaces(step) : start, first!),
      ...rest.map((line) => line && spaces(inner) + line),
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
      this.#open = `${prefix} `;
    } else this.#above(prefix, node, indent);
    for (const entry of entries) this.#entry(entry, type, indent + step);
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
/** True if a key can do without `?`: it is not too long, and no marker in the first column. */
const canBeFirst = (name: string, indent: number) =>
  name.length <= longestKey && (indent > 0 || !/^(---|\.\.\.)[ \t]/.test(name));

/** Parts of one line; blanks in front are kept, and an empty part takes no place. */
function joinParts(start: string, ...parts: string[]): string {
  const rest = parts.filter((part) => part !== '').join(' ');
  if (rest === '') return start;
  return start === '' || start.endsWith(' ') ? start + rest : `${start} ${rest}`;
}
