import type { Kind, Kinds } from '../../kind/kind.ts';
import type { ReplacedValue } from '../mask-replaced-values.ts';
import { entriesOf, maskUnread, memberOf, type Node } from '../yaml/nodes.ts';
import { maskUnreadBlock } from './mask-unread-block.ts';

/**
 * A layer with a `$when`. `member`: the member of `$each` that it is for, such as a row of data. `kind`: that of the block if the layer is
 * one.
 */
interface ConditionalLayer {
  node: Node;
  member: Node | undefined;
  kind: Kind | undefined;
}

/** What was recorded of one layer with a `$when`, for all blocks and all members of `$each`. */
interface LayerRecord {
  kind: Kind | undefined;
  wasEnabled: boolean;
  /** The members of `$each` for which it was disabled. */
  skipped: Node[];
  /** The first member of `$each` for which it was enabled. */
  used: Node | undefined;
}

/** Keeps which layers with a `$when` were enabled anywhere, to mask the others. */
export class DisabledLayers {
  readonly #records = new Map<Node, LayerRecord>();

  /**
   * Records whether a layer (a block, template or patch that is merged into a block) with a `$when` is enabled for one block. Called for
   * each block that it could be part of, because only a layer that is enabled nowhere is masked later: nothing reads the secrets in it. For
   * a layer in an `$each`, also records for which members it was enabled.
   */
  record({ node, member, kind }: ConditionalLayer, isEnabled: boolean): void {
    const noRecord: LayerRecord = { kind: undefined, wasEnabled: false, skipped: [], used: undefined };
    const record = this.#records.get(node) ?? noRecord;
    this.#records.set(node, record);
    record.kind ??= kind;
    record.wasEnabled ||= isEnabled;
    if (!member) return;
    // For `pairSkippedMembers`: one used member is enough to recognize secrets in the skipped ones.
    if (isEnabled) record.used ??= member;
    else record.skipped.push(member);
  }

  /**
   * Pairs each value of a skipped member with that of the same name in a member that was used: `token` in one row of data with `token` in
   * another. If the latter turns out to be a secret, the former is masked as well, although nothing reads it.
   */
  pairSkippedMembers(): ReplacedValue[] {
    return [...this.#records.values()].flatMap(({ skipped, used }) =>
      skipped.flatMap((member) =>
        entriesOf(member).flatMap(({ key, value }) => {
          const usedValue = used && memberOf(used, key.text);
          return usedValue ? [{ replaced: value, replacement: usedValue }] : [];
        }),
      ),
    );
  }

  /** Masks layers that `$when` switched off everywhere: nothing reads their content, so a secret in it would not be recognized. */
  mask(kinds: Kinds): void {
    for (const [node, { kind, wasEnabled }] of this.#records) {
      if (wasEnabled) continue;
      if (kind) maskUnreadBlock(node, kind, kinds);
      else maskUnread(node);
    }
  }
}
