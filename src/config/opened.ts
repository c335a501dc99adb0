import type { LayoutNode } from './layout.ts';
import { oneLine } from './one-line.ts';

const width = 100;

/** Whether something stands on lines of its own between what introduces a node and its content. */
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
  if (text !== undefined && column + text.length <= width) return node;
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
