import { maxDepth, maxExpansion, type Node } from './nodes.ts';

/** An anchored node, the number of its values with every use of an alias counted, and the number of its levels. */
interface AnchoredNode {
  node: Node;
  size: number;
  height: number;
}

/** An anchored node that is being read, with the counts of the document at its start. */
interface OpenAnchor {
  name: string;
  depth: number;
  size: number;
  deepest: number;
}

/**
 * The anchors of one document. Counts its values and levels too: aliases can make a short text stand for billions of values, so the
 * reader has to refuse them in time.
 */
export class Anchors {
  readonly #nodes = new Map<string, AnchoredNode | 'open'>();
  #size = 0;
  #deepest = 0;
  #expanded = 0;

  /** Counts one value at a depth. */
  count(depth: number): void {
    this.#size++;
    if (depth > this.#deepest) this.#deepest = depth;
  }

  /**
   * Begins a node with an anchor (`&name`), before the node is counted. Until `close`, an alias with this name is an
   * error, because the node would contain itself.
   */
  open(name: string, depth: number): OpenAnchor {
    const openAnchor = { name, depth, size: this.#size, deepest: this.#deepest };
    this.#nodes.set(name, 'open');
    this.#deepest = depth;
    return openAnchor;
  }

  /** Ends a node with an anchor: aliases behind it stand for `node`. */
  close({ name, depth, size, deepest }: OpenAnchor, node: Node): void {
    this.#nodes.set(name, { node, size: this.#size - size, height: this.#deepest - depth + 1 });
    this.#deepest = Math.max(this.#deepest, deepest);
  }

  /** Returns the scalar that an alias in the place of a key stands for. */
  scalarOf(name: string): Extract<Node, { type: 'scalar' }> | undefined {
    const anchored = this.#nodes.get(name);
    return typeof anchored === 'object' && anchored.node.type === 'scalar' ? anchored.node : undefined;
  }

  /**
   * Returns the node that an alias at a depth stands for and counts its values. Returns the reason if there is no such
   * node, or if it would exceed a limit.
   */
  expand(name: string, depth: number): Node | 'missing' | 'open' | 'too-large' | 'too-deep' {
    const anchored = this.#nodes.get(name);
    if (anchored === undefined) return 'missing';
    if (anchored === 'open') return 'open';
    this.#expanded += anchored.size;
    if (this.#expanded > maxExpansion) return 'too-large';
    if (depth + anchored.height > maxDepth) return 'too-deep';
    this.#size += anchored.size;
    this.#deepest = Math.max(this.#deepest, depth + anchored.height - 1);
    return anchored.node;
  }
}
