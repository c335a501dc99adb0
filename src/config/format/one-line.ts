import type { CollectionContent, LayoutEntry, LayoutNode, ScalarContent } from './layout.ts';
import { scalarOnOneLine } from './scalar-text.ts';

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

const width = 100;

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
