import type { CST } from 'yaml';
import { blockScalarLines, type LayoutNode, type Line } from './layout.ts';

/**
 * Receives the tokens around values. `comment` receives only comments behind text on the same line. If it returns
 * false, the comment becomes pending.
 */
interface Sink {
  prop?(text: string): void;
  indicator?(type: string): void;
  comment?(text: string): boolean;
}

/**
 * Goes through the tokens of a text in order, to give each comment its place in the layout. It remembers the pending
 * lines (comments and blank lines without a place yet), and whether the current line is still empty.
 */
export class TokenWalk {
  pending: Line[] = [];
  #isLineStart = true;

  /**
   * Passes tokens around values. Blank lines and comments become pending, except for the comments that the sink takes.
   */
  passTokens(tokens: CST.SourceToken[], sink: Sink = {}): void {
    for (const { type, source, indent } of tokens) {
      if (type === 'space' || type === 'byte-order-mark' || type === 'doc-mode') continue;
      if (type === 'newline') {
        if (this.#isLineStart) this.pending.push('blank');
        this.#isLineStart = true;
        continue;
      }
      if (type === 'comment') {
        const comment = source.trimEnd();
        if (this.#isLineStart || !sink.comment?.(comment)) this.pending.push({ comment, indent });
      } else if (type === 'anchor' || type === 'tag') sink.prop?.(source);
      else sink.indicator?.(type);
      this.#isLineStart = false;
    }
  }

  /** Passes the tokens behind the content of a node. A comment on its last line becomes its trailing comment. */
  passTrailing(tokens: CST.SourceToken[] = [], node: LayoutNode): void {
    this.passTokens(tokens, { comment: (text) => takeTrailing(node, text) });
  }

  /** Records that text stands on the current line, so that a comment behind it is not on a line of its own. */
  behindText(): void {
    this.#isLineStart = false;
  }

  /** Records that a block scalar was passed, which ends with its line. */
  behindBlockScalar(token: CST.BlockScalar): void {
    this.#isLineStart = true;
    if (blockScalarLines(token, 0).hasBlankBehind) this.pending.push('blank');
  }

  /**
   * Passes the tokens between an introducer (`key:`) and its content. Adds their props (anchor, tag) and comments to
   * the node.
   */
  readIntroducer(node: LayoutNode, tokens: CST.SourceToken[]): void {
    const lines = this.takePending();
    this.passTokens(tokens, {
      prop: (text) => node.props.push(text),
      comment: (text) => this.pending.length === 0 && takeHead(node, text),
    });
    node.before = node.before.concat(this.takePending());
    this.pending = lines;
  }

  /**
   * Makes the lines behind an empty value pending again if they are indented no deeper than its collection, because
   * they belong to the next entry.
   */
  releaseLines(node: LayoutNode, indent: number): void {
    if (!node.content)
      this.pending = [...node.before.splice(countDeeper(node.before, indent)), ...this.pending];
  }

  /** Returns the pending lines and forgets them. The caller gives them a place in the layout. */
  takePending(): Line[] {
    return this.pending.splice(0);
  }

  /**
   * Returns the pending lines that are indented deeper than `indent`, up to the first one that is not. They still
   * belong to the block that ends here.
   */
  takeDeeper(indent: number): Line[] {
    return this.pending.splice(0, countDeeper(this.pending, indent));
  }
}

/**
 * Makes a comment the head of a node. Returns false if the node has a head already, so that the comment stays pending.
 */
export function takeHead(node: LayoutNode, text: string): boolean {
  if (node.head !== undefined) return false;
  node.head = text;
  return true;
}

/**
 * Makes a comment the trailing comment of a node. Returns false if the node has one already, so that it stays pending.
 */
export function takeTrailing(node: LayoutNode, text: string): boolean {
  if (node.trailing !== undefined) return false;
  node.trailing = text;
  return true;
}

/**
 * Returns how many leading lines are indented deeper than `indent`. Blank lines at their end do not count, because they
 * belong to the next line.
 */
function countDeeper(lines: Line[], indent: number): number {
  const index = lines.findIndex((line) => line !== 'blank' && line.indent <= indent);
  let end = index < 0 ? lines.length : index;
  while (end > 0 && lines[end - 1] === 'blank') end--;
  return end;
}
