import type { Kind, Kinds } from '../../kind/kind.ts';
import type { ReplacedValue } from '../mask-replaced-values.ts';
import { entriesOf, maskUnread, memberOf, type Node } from '../yaml/nodes.ts';
import { maskUnreadBlock } from './mask-unread-block.ts';

/** A layer with a `$when`. `member`: the member of `$each` that it is for, such as a row of data. `kind`: that of the block if the layer is one. */
interface ConditionalLayer {
  node: Node;
  member: Node | undefined;
  kind: Kind | undefined;
}

/** The members of one `$each` for which its `$when` was false, and the first one for which it was true. */
interface SkippedMembers {
  skipped: Node[];
  used: Node | undefined;
}

/** Keeps which layers with a `$when` were enabled anywhere, to mask the others. */
export class DisabledLayers {
  /** For each layer with a `$when`, by its node, whether it was enabled anywhere. */
  readonly #wasEnabled = new Map<Node, boolean>();
  /** The kinds of the blocks among these. */
  readonly #kindsOfLayers = new Map<Node, Kind>();

  /** The members of `$each` by the layers that are repeated for them. */
  readonly #membersOfLayers = new Map<Node, SkippedMembers>();

  /** Records whether a layer is enabled for one block. */
  record({ node, member, kind }: ConditionalLayer, isEnabled: boolean): void {
    if (kind) this.#kindsOfLayers.set(node, kind);
    this.#wasEnabled.set(node, isEnabled || this.#wasEnabled.get(node) === true);
    if (!member) return;
    const members = this.#membersOfLayers.get(node) ?? { skipped: [], used: undefined };
    if (isEnabled) members.used ??= member;
    else members.skipped.push(member);
    this.#membersOfLayers.set(node, members);
  }

  /**
   * Pairs each value of a skipped member with that of the same name in a member that was used: `token` in one row of data with `token` in another. If
   * the latter turns out to be a secret, the former is masked as well, although nothing reads it.
   */
  pairSkippedMembers(): ReplacedValue[] {
    return [...this.#membersOfLayers.values()].flatMap(({ skipped, used }) =>
      skipped.flatMap((member) =>
        entriesOf(member).flatMap(({ key, value }) => {
          const usedValue = used && memberOf(used, key.text);
          return usedValue ? [{ replaced: value, value: usedValue }] : [];
        }),
      ),
    );
  }

  /** Masks layers that `$when` switched off everywhere: nothing reads their content, so a secret in it would not be recognized. */
  mask(kinds: Kinds): void {
    for (const [node, wasEnabled] of this.#wasEnabled) {
      const kind = this.#kindsOfLayers.get(node);
      if (wasEnabled) continue;
      if (kind) maskUnreadBlock(node, kind, kinds);
      else maskUnread(node);
    }
  }
}
