/*
 * Masks texts that a `$drop` removes from every block: nothing reads them, so a secret among them would not be recognized. Called after all
 * values were read, because a text that one block drops another block may read, as with a template, and before any line is quoted.
 */
import type * as z from 'zod';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Block } from './blocks/block.ts';
import { mayHoldSecret } from './fields/schema-options.ts';
import { maskUnreadBlock } from './layers/mask-unread-block.ts';
import { maskUnread, type Node, spotsIn } from './yaml/nodes.ts';
import type { Source } from './yaml/source.ts';

/** A part of a layer that a `$drop` removes from a block. */
export interface DroppedPart {
  node: Node;
  /** Its kind, if it is a layer of a block. */
  kind?: Kind;
  /** The schema of the field, if it is the value of one. */
  field?: z.ZodType | undefined;
}

/**
 * Masks the texts of parts that a `$drop` removed, except those that a block reads. They count nowhere, so nothing tells whether they are
 * secrets, and no message may quote them.
 */
export function maskDroppedValues(
  parts: readonly DroppedPart[],
  blocks: Iterable<{ block: Pick<Block, 'fieldEntries'> }>,
  kinds: Kinds,
): void {
  if (parts.length === 0) return;
  // Where texts begin that a block reads. For a value in a CSV file, that is the start of its cell.
  const readStarts = new Map<Source, Set<number>>();
  for (const { block } of blocks)
    for (const { value } of block.fieldEntries)
      for (const { source, start, cell } of spotsIn(value)) {
        const starts = readStarts.get(source) ?? new Set();
        readStarts.set(source, starts.add(cell?.start ?? start));
      }
  const isRead = ({ at: { source, start, cell } }: Node) =>
    readStarts.get(source)?.has(cell?.start ?? start) ?? false;
  for (const { node, kind, field } of parts)
    if (kind) maskUnreadBlock(node, kind, kinds, isRead);
    else if (!field || mayHoldSecret(field)) maskUnread(node, isRead);
}
