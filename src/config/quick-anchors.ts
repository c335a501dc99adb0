import type { AliasEvent } from 'js-yaml';
import type { Node } from './nodes.ts';
import { unusual } from './unusual.ts';
import { maxDepth, maxExpansion } from './yaml-limits.ts';

type Name = Pick<AliasEvent, 'anchorStart' | 'anchorEnd'>;

interface Anchored {
  node: Node;
  /** Of the node: how many values it holds, and how many levels. */
  size: number;
  height: number;
}

/** The anchors of a document. Throws `unusual` near a limit, and for an alias in something that has an anchor itself. */
export class QuickAnchors {
  readonly #text: string;
  readonly #known = new Map<string, Anchored>();
  #open = 0;
  #expanded = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Now comes something with an anchor. */
  open(): void {
    this.#open++;
  }

  /** That was all of it: from here on its anchor stands for `node`. */
  close({ anchorStart, anchorEnd }: Name, node: Node): void {
    this.#open--;
    this.#known.set(this.#nameAt(anchorStart, anchorEnd), { node, ...measured(node) });
  }

  /** What an alias at this depth stands for. */
  take({ anchorStart, anchorEnd }: Name, depth: number): Node {
    const target = this.#known.get(this.#nameAt(anchorStart, anchorEnd));
    if (!target || this.#open > 0 || depth + target.height > maxDepth) throw unusual;
    this.#expanded += target.size;
    if (this.#expanded > maxExpansion) throw unusual;
    return target.node;
  }

  #nameAt(start: number, end: number): string {
    const name = this.#text.slice(start, end);
    if (!/^[\w.-]+$/.test(name)) throw unusual;
    return name;
  }
}

function measured(node: Node): { size: number; height: number } {
  const below =
    node.type === 'list' ? node.items : node.type === 'map' ? node.entries.map(({ value }) => value) : [];
  const all = below.map(measured);
  return {
    size: all.reduce((sum, { size }) => sum + size, 1),
    height: all.reduce((most, { height }) => Math.max(most, height), 0) + 1,
  };
}
