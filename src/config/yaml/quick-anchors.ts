import type { AliasEvent } from 'js-yaml';
import { maxDepth, maxExpansion, type Node } from './nodes.ts';
import { unusual } from './quick-scalar.ts';

type Name = Pick<AliasEvent, 'anchorStart' | 'anchorEnd'>;

interface Anchored {
  node: Node;
  /** How many values it holds, every use of an alias counted, and how many levels. */
  size: number;
  height: number;
}

/** The counts before an anchored node began, and the name of its anchor. */
interface Opened {
  name: string;
  depth: number;
  size: number;
  deepest: number;
}

/** The anchors of a document, and how much of it was read. Throws `unusual` for aliases that the careful way refuses. */
export class QuickAnchors {
  readonly #text: string;
  /** Undefined as long as the anchored node is being read. */
  readonly #known = new Map<string, Anchored | undefined>();
  #size = 0;
  #deepest = 0;
  #expanded = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** One more value, at this depth. */
  count(depth: number): void {
    this.#size++;
    if (depth > this.#deepest) this.#deepest = depth;
  }

  /** Before a node with an anchor is read and counted, at this depth. */
  open(event: Name, depth: number): Opened {
    // js-yaml lets a bracket follow at once.
    if (!/\s/.test(this.#text[event.anchorEnd] ?? ' ')) throw unusual;
    const opened = { name: this.#nameOf(event), depth, size: this.#size, deepest: this.#deepest };
    this.#known.set(opened.name, undefined);
    this.#deepest = depth;
    return opened;
  }

  /** When all of it is read: from here on the anchor stands for `node`. */
  close({ name, depth, size, deepest }: Opened, node: Node): void {
    this.#known.set(name, { node, size: this.#size - size, height: this.#deepest - depth + 1 });
    this.#deepest = Math.max(this.#deepest, deepest);
  }

  /** Gives back the node that an alias at this depth stands for. */
  take(event: Name, depth: number): Node {
    const target = this.#known.get(this.#nameOf(event));
    if (!target || depth + target.height > maxDepth) throw unusual;
    this.#expanded += target.size;
    if (this.#expanded > maxExpansion) throw unusual;
    this.#size += target.size;
    this.#deepest = Math.max(this.#deepest, depth + target.height - 1);
    return target.node;
  }

  #nameOf({ anchorStart, anchorEnd }: Name): string {
    const name = this.#text.slice(anchorStart, anchorEnd);
    if (!/^[\w.-]+$/.test(name)) throw unusual;
    return name;
  }
}
