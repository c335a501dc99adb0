import type { Kind, Kinds } from '../../kind/kind.ts';
import { maskUnread, type Node } from '../yaml/nodes.ts';
import { maskUnreadBlock } from './mask-unread-block.ts';

/** Keeps which layers with a `$when` were enabled anywhere, to mask the others. */
export class DisabledLayers {
  /** For each layer with a `$when`, by its node, whether it was enabled anywhere. */
  readonly #wasEnabled = new Map<Node, boolean>();
  /** The kinds of the blocks among these. */
  readonly #kindsOfLayers = new Map<Node, Kind>();

  /** Records whether a layer is enabled for one block. `kind`: that of the block if the layer is one. */
  record(node: Node, isEnabled: boolean, kind: Kind | undefined): void {
    if (kind) this.#kindsOfLayers.set(node, kind);
    this.#wasEnabled.set(node, isEnabled || this.#wasEnabled.get(node) === true);
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
