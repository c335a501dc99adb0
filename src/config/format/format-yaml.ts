import { CST, Lexer } from 'yaml';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { quoteExpressions } from '../yaml/check-syntax.ts';
import type { Node } from '../yaml/nodes.ts';
import { parseYamlNow } from '../yaml/parse-with-library.ts';
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
  type ScalarContent,
  type StreamPart,
  scalarLines,
  withoutLongBrackets,
} from './layout.ts';
import { readLayout } from './read-layout.ts';

/** The formatted text, or the problems that prevent formatting. */
type Formatted = { text: string; diagnostics?: never } | { text?: never; diagnostics: Diagnostic[] };

/**
 * Formats a YAML text for `trueup fmt`, exports and `accept`. Changes only details without meaning:
 * indentation, blanks, the kind of quotes, brackets and their line breaks. Adds the quotes that expressions
 * in brackets need. All line ends become like the first one.
 *
 * Returns problems instead if the file has errors, or if the formatted text would have another meaning. The
 * latter would be a bug here, so the content of both texts is compared each time.
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

/**
 * Returns everything in a YAML text that formatting must not change, as one string that can be compared:
 * values, comments, anchors and markers. `trueup fmt` compares it before and after formatting, and refuses to
 * write a file if it differs. `diagnostics`: the errors of the text; then there is no content.
 */
function formattedContentOf(source: Source): { content: string; diagnostics: Diagnostic[] } {
  const { documents, diagnostics } = parseYamlNow(source);
  if (diagnostics.length > 0) return { content: '', diagnostics };
  return { content: JSON.stringify([documents.map(layoutValueOf), markupOf(source.text)]), diagnostics };
}

/**
 * Returns a node of the YAML as data without its places in the file, because formatting changes them.
 * `formattedContentOf` compares this data before and after formatting.
 */
function layoutValueOf(node: Node): unknown {
  if (node.type === 'list') return node.items.map(layoutValueOf);
  if (node.type === 'map')
    return { map: node.entries.map(({ key, value }) => [layoutValueOf(key), layoutValueOf(value)]) };
  return node.type === 'scalar' ? { text: node.text, value: node.value } : node;
}

const comparedTypes = ['comment', 'anchor', 'alias', 'tag', 'doc-start', 'doc-end', 'directive-line'];

/**
 * Returns everything in a YAML text besides its values (comments, anchors, tags, markers), to check that `trueup fmt` loses nothing. It is
 * sorted, because formatting moves the comment behind a removed bracket up. `scalars` is the number of scalars, keys included, because the
 * parser ignores scalars at places where none is allowed. The lexer puts a marker (`CST.SCALAR`) in front of the text of a plain or block
 * scalar; only the text counts.
 */
function markupOf(text: string): { lexemes: string[]; scalars: number } {
  const lexemes: string[] = [];
  let scalars = 0;
  let isBehindMarker = false;
  for (const lexeme of new Lexer().lex(text)) {
    const type = isBehindMarker ? 'scalar' : (CST.tokenType(lexeme) ?? '');
    const isMarker = lexeme === CST.SCALAR;
    if (comparedTypes.includes(type)) lexemes.push(lexeme.trimEnd());
    else if (type.endsWith('scalar') && !isMarker) scalars++;
    isBehindMarker = isMarker;
  }
  return { lexemes: lexemes.sort(), scalars };
}

const indentWidth = 2;
/** A key without `?` may have 1,024 characters (YAML 1.2.2, section 7.4.2). */
const maxPlainKeyLength = 1000;

/**
 * Returns the text of a YAML file from its layout: its parts (documents, comments, markers) as `readLayout`
 * read them. This is the second half of `trueup fmt`, and `trueup export` prints with it, too. A collection in brackets
 * keeps them if it fits on its line and holds no comment.
 */
export function printLayout(parts: StreamPart[]): string {
  const printer = new LayoutPrinter();
  for (const streamPart of parts) printer.printPart(streamPart);
  return printer.lines.map((line) => `${line}\n`).join('');
}

/**
 * Prints the parts of a layout as lines. Terms: see `layout.ts`. `indent`: the column in which the line of a node
 * begins.
 */
class LayoutPrinter {
  readonly lines: string[] = [];
  #isBlankDue = false;
  /** True if the block that was opened last is still empty, so that a blank line would not separate anything. */
  #isOpening = true;
  /** The `- `, `? ` or `: ` before a map or list that begins on the same line, with its indentation. Printed as that of the next line. */
  #openItem: string | undefined;

  /**
   * Prints one part of a YAML file for `trueup fmt`: comments between documents, a marker like `---`, or the
   * content of a document. The content begins in the first column, so its indentation counts from one step to
   * the left.
   */
  printPart(streamPart: StreamPart): void {
    if (streamPart.type === 'lines') this.#printComments(streamPart.lines, 0);
    else if (streamPart.type === 'marker') {
      this.#pushLines(withComment(streamPart.text, streamPart.comment));
      this.#isOpening = streamPart.text === '---';
    } else this.#printNode('', streamPart.node, -indentWidth);
  }

  /**
   * Adds finished lines to the output of `trueup fmt`, after a blank line if one is due. All lines are added
   * with this function, so that there is never more than one blank line in a row.
   */
  #pushLines(lines: string | string[]): void {
    this.#pushDueBlank();
    // The block has a line now, so a blank line may follow.
    this.#isOpening = false;
    for (const line of [lines].flat()) this.lines.push(line);
  }

  /** Adds the blank line that is due, unless it would stand at the start of a block. */
  #pushDueBlank(): void {
    if (this.#isBlankDue && !this.#isOpening) this.lines.push('');
    this.#isBlankDue = false;
  }

  /**
   * Returns the text at the beginning of the next line: blanks, or the open introducer (`- `, `? ` or `: ` with its
   * indentation) of a value whose first entry begins on the same line. Called for each comment and entry that begins a
   * line in the output of `trueup fmt`. Clears the introducer, because it is printed only once.
   */
  #takeIndentation(indent: number): string {
    const openItem = this.#openItem;
    this.#openItem = undefined;
    return openItem ?? spaces(indent);
  }

  /**
   * Prints comments on lines of their own, for `trueup fmt`, which keeps every comment. A blank line among
   * them is not printed at once: it becomes due, and is printed before the next line, so that blank lines
   * stay single.
   */
  #printComments(lines: Line[], indent: number): void {
    for (const line of lines)
      if (line === 'blank') this.#isBlankDue = true;
      else this.#pushLines(this.#takeIndentation(indent) + line.comment);
  }

  /**
   * Prints a value behind a prefix such as `key:` or `-`, for `trueup fmt`: on the same line if it is a
   * scalar or a collection in brackets that fits, otherwise below it, two columns deeper. `isItem`: the
   * prefix is a `-` or `?`, so a map or list can begin on the same line. `indent`: the column of the prefix.
   */
  #printNode(prefix: string, written: LayoutNode, indent: number, { isItem = false } = {}): void {
    const node = withoutLongBrackets(written, joinParts(prefix, ...written.props), indent + indentWidth);
    const { content } = node;
    if (content?.type === 'scalar') this.#printScalar(prefix, node, content.token, indent);
    else if (content && !content.isFlow) this.#printBlock(prefix, node, content, indent, isItem);
    else {
      const start = this.#printBeforeContent(prefix, node, indent);
      const text = content ? oneLine(content) : undefined;
      // Without a value, only the prefix is printed, unless it was printed already, before comments.
      const isLineEmpty = text === undefined && start.trim() === '';
      if (!isLineEmpty) this.#pushLines(withComment(joinParts(start, text ?? ''), node.trailing));
    }
  }

  /**
   * Prints the lines before a value, for `trueup fmt`, and returns the beginning of the line with the value. If there are comments between
   * prefix (`key:`) and value, prefix and comments have lines of their own, and the result is the indentation of a new line. Otherwise
   * nothing is printed, and the result is the prefix with anchor and tag.
   */
  #printBeforeContent(prefix: string, node: LayoutNode, indent: number): string {
    if (!hasLines(node)) return joinParts(prefix, ...node.props);
    this.#printIntroducer(prefix, node, indent);
    return spaces(indent + indentWidth);
  }

  /**
   * Prints the line of an introducer (`key:`, `-` or an anchor) with its comment, and the comments before the
   * content, for `trueup fmt`. Used if the content begins on a later line.
   */
  #printIntroducer(prefix: string, { props, head, before }: LayoutNode, indent: number): void {
    const start = withComment(joinParts(prefix, ...props), head);
    if (start !== '') {
      this.#pushLines(start);
      // No blank line is printed directly below.
      this.#isOpening = true;
    }
    this.#printComments(before, indent + indentWidth);
  }

  /**
   * Prints a scalar behind a prefix such as `key:`, for `trueup fmt`. A scalar on several lines keeps them,
   * because they may be part of the value; all but the first are indented below the prefix. `token`: the
   * scalar as the parser returned it, with its quotes.
   *
   * A scalar that is a whole document has no prefix and starts in the first column. There, a line of text that
   * starts with `---` or `...` would be read as a marker between documents, so such a first line is indented,
   * and so are all other lines.
   */
  #printScalar(prefix: string, node: LayoutNode, token: ScalarContent['token'], indent: number): void {
    const start = this.#printBeforeContent(prefix, node, indent);
    // The `indent` of a whole document is negative.
    const textIndent = Math.max(indentWidth, indent + indentWidth);
    if (token.type === 'block-scalar') {
      // The header, such as `|-`, has the comment of its line. Behind the text, a `#` is part of the value.
      const { header, lines } = blockScalarLines(token, textIndent);
      this.#pushLines([joinParts(start, header), ...lines]);
      return;
    }
    const [firstLine, ...otherLines] = scalarLines(token);
    // Without a look at the character behind the dashes: indenting such a line in vain does no harm.
    const looksLikeMarker = start === '' && /^(---|\.\.\.)/.test(firstLine!);
    const lines = [
      joinParts(looksLikeMarker ? spaces(indentWidth) : start, firstLine!),
      ...otherLines.map((line) => (line === '' ? '' : spaces(textIndent) + line)),
    ];
    const lastLine = withComment(lines.at(-1)!, node.trailing);
    this.#pushLines([...lines.slice(0, -1), lastLine]);
  }

  /**
   * Prints a map or list without brackets, one entry per line, for `trueup fmt`. `prefix`: the text in front
   * of it, such as `key:` or `-`. If `isItem`, the prefix is the `-` of a list item, and the first entry may
   * stand behind it: `- a: b`.
   */
  #printBlock(
    prefix: string,
    node: LayoutNode,
    { type, entries }: CollectionContent,
    indent: number,
    isItem: boolean,
  ): void {
    const beginsWithComment = entries[0]?.lead.some((line) => line !== 'blank');
    const hasTextBefore = node.props.length > 0 || hasLines(node) || beginsWithComment;
    const canShareLine = isItem && !hasTextBefore;
    if (canShareLine) {
      this.#pushDueBlank();
      // No blank line is printed between the `-` and the first entry. That entry takes the `-` as its indentation (`#takeIndentation`).
      this.#isOpening = true;
      this.#openItem = `${prefix} `;
    } else this.#printIntroducer(prefix, node, indent);
    for (const entry of entries) this.#printEntry(entry, type, indent + indentWidth);
  }

  /**
   * Prints an entry of a map or list for `trueup fmt`, with the comments in front of it (`lead`). A key that
   * cannot stand before a `:`, such as a list in lines, is printed behind a `?`. `indent`: the column in
   * which the entry begins.
   */
  #printEntry({ lead, key, value }: LayoutEntry, type: 'map' | 'list', indent: number): void {
    this.#printComments(lead, indent);
    const name = key && nodeOnOneLine(key);
    if (type === 'list') {
      if (value) this.#printNode(`${this.#takeIndentation(indent)}-`, value, indent, { isItem: true });
    } else if (key && name !== undefined && canBeFirst(name, indent))
      this.#printNode(`${this.#takeIndentation(indent)}${name}${colonBehind(key)}`, value ?? nothing, indent);
    else if (key) {
      this.#printNode(`${this.#takeIndentation(indent)}?`, key, indent, { isItem: true });
      if (value) this.#printNode(`${this.#takeIndentation(indent)}:`, value, indent, { isItem: true });
    }
  }
}

const nothing: LayoutNode = { props: [], before: [] };
/** Returns blanks for an indentation. A negative number means none. */
const spaces = (count: number) => ' '.repeat(Math.max(0, count));
/** Returns a line with its comment, if it has one. */
const withComment = (text: string, comment: string | undefined) => joinParts(text, comment ?? '');
/**
 * True if a key needs no `?`: it is not too long, and cannot be read as a marker in the first column. A marker ends with a blank, so `---:`
 * is a key.
 */
const canBeFirst = (name: string, indent: number) =>
  name.length <= maxPlainKeyLength && (indent > 0 || !/^(---|\.\.\.)[ \t]/.test(name));

/**
 * Joins the parts of a line that `trueup fmt` prints (key, anchor, value, comment) with single spaces. Skips
 * empty parts, and keeps the blanks at the start.
 */
function joinParts(start: string, ...parts: string[]): string {
  const text = parts.filter((part) => part !== '').join(' ');
  if (text === '') return start;
  return start === '' || start.endsWith(' ') ? start + text : `${start} ${text}`;
}
