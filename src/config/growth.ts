import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { heightOf, maxDepth, type Node } from './yaml/nodes.ts';
import { positionOf, type Spot } from './yaml/source.ts';

/*
 * Limits for the whole configuration. Variables, templates, `$each`, patches and data files multiply each other, so limits for each of
 * them do not limit their product. Two sums have a limit:
 *
 *   - the text and items that filling in expressions makes (`Growth`), and
 *   - the text and values of the result, counting every use of a shared value (`exceeded`).
 *
 * The limits are far above the largest accounts, and far below the memory of a small machine.
 */

/** In characters. */
export const maxText = 64_000_000;
export const maxValues = 2_000_000;

/** An amount of text (in characters) and of values. */
interface Amount {
  text: number;
  size: number;
}

/** Counts up to a limit, and knows the place with the highest count. */
export class Count<Place> {
  readonly #limit: number;
  readonly #counts = new Map<Place, number>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds to the count of a place. False if all places together exceed the limit. */
  allows(at: Place, more: number): boolean {
    this.#counts.set(at, (this.#counts.get(at) ?? 0) + more);
    this.#total += more;
    return this.#total <= this.#limit;
  }

  /** Returns the place with the highest count. */
  largest(): { at: Place; count: number } {
    const [first, ...others] = this.#counts;
    const [at, count] = others.reduce((a, b) => (b[1] > a[1] ? b : a), first!);
    return { at, count };
  }
}

/** The sum of all that is made while a configuration is read, and where. */
export class Growth {
  readonly #made = { text: new Count<Spot>(maxText), size: new Count<Spot>(maxValues) };
  /** True once a limit was exceeded. The problem is in the diagnostics then. */
  isExceeded = false;
  #isTooDeep = false;

  /** Adds an amount that is made at a place. False if that exceeds a limit; the first time, `diagnostics` gets the problem. */
  allows(at: Spot, amount: Partial<Amount>, diagnostics: Diagnostic[]): boolean {
    for (const measure of ['text', 'size'] as const) {
      if (this.#made[measure].allows(at, amount[measure] ?? 0)) continue;
      if (this.isExceeded) return false;
      const largest = this.#made[measure].largest();
      diagnostics.push(tooLarge(measure, largest.at, largest.count));
      this.isExceeded = true;
      return false;
    }
    return true;
  }

  /** True if a value with its filled-in parts is nested too deep. The first time, `diagnostics` gets the problem. */
  isTooDeep(node: Node, diagnostics: Diagnostic[]): boolean {
    if (heightOf(node) <= maxDepth) return false;
    const message = `with the variables filled in, values are nested more than ${maxDepth} levels deep`;
    if (!this.#isTooDeep) diagnostics.push(problem('yaml/depth', message, { at: positionOf(node.at) }));
    this.#isTooDeep = true;
    return true;
  }
}

/** The problem with a configuration whose values together exceed a limit, at the place that makes most of them; undefined if none does. */
export function exceeded(nodes: Node[], amountOf: (node: Node) => Amount): Diagnostic | undefined {
  const total = { text: 0, size: 0 };
  for (const node of nodes) {
    const { text, size } = amountOf(node);
    total.text += text;
    total.size += size;
  }
  const measure = measureOver(total);
  if (measure === undefined) return undefined;
  const { at, weight } = heaviestPlace(nodes, (node) => amountOf(node)[measure]);
  return tooLarge(measure, at, weight);
}

const measureOver = ({ text, size }: Amount): keyof Amount | undefined =>
  text > maxText ? 'text' : size > maxValues ? 'size' : undefined;

const tooLarge = (measure: keyof Amount, at: Spot, amount: number): Diagnostic => {
  const [limit, unit] = measure === 'text' ? [maxText, 'characters of text'] : [maxValues, 'values'];
  return problem(
    'config/too-large',
    `the configuration expands to more than ${limit} ${unit}; this place makes most of them, ${amount}`,
    {
      ...(at.source.file === '' ? {} : { at: positionOf(at) }),
      hint: 'use it in fewer places, or split the configuration into several stacks',
    },
  );
};

interface Group {
  at: Spot;
  weight: number;
  /** The nodes that were made at the place, and how often each is used. */
  nodes: Map<Node, number>;
}

/**
 * Returns the place that makes most of the values, as deep as one place makes at least half of them. All that a template or a `$each` makes
 * of one text has the place of that text.
 */
function heaviestPlace(nodes: Node[], weightOf: (node: Node) => number): Group {
  let heaviest: Group | undefined;
  let level = new Map(nodes.map((node) => [node, 1]));
  for (;;) {
    const groups = new Map<Spot, Group>();
    for (const [node, uses] of level)
      for (const child of heaviest ? childrenOf(node) : [node]) {
        const group = groups.get(child.at) ?? { at: child.at, weight: 0, nodes: new Map() };
        group.weight += uses * weightOf(child);
        group.nodes.set(child, (group.nodes.get(child) ?? 0) + uses);
        groups.set(child.at, group);
      }
    const [first, ...others] = groups.values();
    const next = others.reduce((a, b) => (b.weight > a.weight ? b : a), first!);
    if (heaviest && (!next || next.weight < heaviest.weight / 2)) return heaviest;
    heaviest = next;
    level = next.nodes;
  }
}

const childrenOf = (node: Node): Node[] =>
  node.type === 'list' ? node.items : node.type === 'map' ? node.entries.map(({ value }) => value) : [];
