import type { CST } from 'yaml';
import { blockScalarLines, type LayoutNode, type Line } from './layout.ts';

/** Takes the tokens around values. `false` refuses a comment that stands behind something on its line. */
interface Sink {
  prop?(text: string): void;
  indicator?(type: string): void;
  comment?(text: string): boolean;
}

/** Goes through the tokens in the order of the text. Two facts suffice: what has no place yet, and whether the line has begun. */
export class TokenWalk {
  /** Comments on lines of their own, and blank lines. */
  pending: Line[] = [];
  #isLineStart = true;

  /** Blank lines and comments become pending, but for the comments that the sink takes. */
  over(tokens: CST.SourceToken[], sink: Sink = {}): void {
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

  /** The line goes on behind something that is no token of its own. */
  behindText(): void {
    this.#isLineStart = false;
  }

  behindBlockScalar(token: CST.BlockScalar): void {
    this.#isLineStart = true;
    if (blockScalarLines(token, 0).hasBlankBehind) this.pending.push('blank');
  }

  /** Takes the tokens between an indicator and its content. */
  into(node: LayoutNode, tokens: CST.SourceToken[]): void {
    const lines = this.take();
    this.over(tokens, {
      prop: (text) => node.props.push(text),
      comment: (text) => this.pending.length === 0 && takeHead(node, text),
    });
    node.before = node.before.concat(this.take());
    this.pending = lines;
  }

  /** Gives back the lines behind an empty value that are indented less than its collection: they are about what follows. */
  giveBack(node: LayoutNode, indent: number): void {
    if (!node.content) this.pending = [...node.before.splice(endOf(node.before, indent)), ...this.pending];
  }

  take(): Line[] {
    return this.pending.splice(0);
  }

  /** The pending lines that stand further in than `indent`, up to the first that does not. */
  takeInside(indent: number): Line[] {
    return this.pending.splice(0, endOf(this.pending, indent));
  }
}

export function takeHead(node: LayoutNode, text: string): boolean {
  if (node.head !== undefined) return false;
  node.head = text;
  return true;
}

export function takeTrailing(node: LayoutNode, text: string): boolean {
  if (node.trailing !== undefined) return false;
  node.trailing = text;
  return true;
}

/** The number of leading lines indented deeper than `indent`; blank lines belong to what follows them. */
function endOf(lines: Line[], indent: number): number {
  const index = lines.findIndex((line) => line !== 'blank' && line.indent <= indent);
  let end = index < 0 ? lines.length : index;
  while (end > 0 && lines[end - 1] === 'blank') end--;
  return end;
}
