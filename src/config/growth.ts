import { type Diagnostic, type Position, problem, type Reporter } from '../model/diagnostic.ts';
import { Sealed } from '../model/sealed.ts';
import { childrenOf, heightOf, maxDepth, type Node } from './yaml/nodes.ts';
import type { Spot } from './yaml/source.ts';

/*
 * Limits for the whole configuration. Variables, references, templates, `$each`, patches and data files multiply each other, so limits for
 * each of them do not limit their product. Three sums have a limit:
 *
 *   - the text and values that filling in expressions copies (`Growth`),
 *   - the steps that it takes to match globs with addresses and names (`Growth`), and
 *   - the text and values of the merged configuration, counting every use of a shared value (`checkTotalSize`).
 *
 * The limits are far above the largest accounts, and far below the memory of a small machine.
 */

/** The most characters of one text. Far more than any field accepts. */
export const maxTextLength = 1_000_000;
/** The most characters of all texts together. */
export const maxText = 64_000_000;
const maxValues = 2_000_000;
/** The most steps of matching globs. They take a few seconds. */
export const maxSteps = 200_000_000;

/** An amount of text (in characters) and a number of values. */
interface Amount {
  text: number;
  size: number;
}

/** A sum that has a limit. `steps`: steps of matching globs. */
type Measure = keyof Amount | 'steps';

/** Counts by place up to a limit for all places together. Finds the place with the highest count, to name it in a message. */
export class LimitedCount<Place> {
  readonly #limit: number;
  readonly #counts = new Map<Place, number>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Adds to the count of a place. Returns false if all places together exceed the limit, so that the caller
   * can stop, for example when templates multiply the configuration beyond memory.
   */
  allows(at: Place, added: number): boolean {
    this.#counts.set(at, (this.#counts.get(at) ?? 0) + added);
    this.#total += added;
    return !this.isExceeded;
  }

  /** True once all places together exceed the limit. */
  get isExceeded(): boolean {
    return this.#total > this.#limit;
  }

  /**
   * Returns the place with the highest count and that count. The message about an exceeded limit names it, so
   * that the user knows what to reduce.
   */
  largest(): { at: Place; count: number } {
    const [first, ...others] = this.#counts;
    const [at, count] = others.reduce((a, b) => (b[1] > a[1] ? b : a), first!);
    return { at, count };
  }
}

const measures: readonly Measure[] = ['text', 'size', 'steps'];

/**
 * Counts by place everything that reading a configuration multiplies: text, values and steps of matching. Once a limit is exceeded, readers
 * stop, because a small file could otherwise fill the memory or run for hours.
 */
export class Growth {
  readonly #counts: Record<Measure, LimitedCount<Spot>> = {
    text: new LimitedCount(maxText),
    size: new LimitedCount(maxValues),
    steps: new LimitedCount(maxSteps),
  };
  /** True once a limit was exceeded. The problem is in the diagnostics then. */
  isExceeded = false;
  /** True once a value that is nested too deep was reported. No other such value is reported then. */
  #isTooDeep = false;

  /**
   * Adds amounts (of text, values or steps) that a place of the YAML produces while the configuration is
   * read, such as a variable that is filled in. Returns false if the sum of one of them exceeds its limit;
   * the first time, `report` gets the problem. Callers then stop, because the result would fill the memory.
   */
  allows(spot: Spot, amount: Partial<Record<Measure, number>>, report: Reporter): boolean {
    for (const measure of measures) {
      const added = amount[measure];
      if (added === undefined || this.#counts[measure].allows(spot, added)) continue;
      if (this.isExceeded) return false;
      const largest = this.#counts[measure].largest();
      report.add(tooLargeProblem(measure, largest.at, largest.count));
      this.isExceeded = true;
      return false;
    }
    return true;
  }

  /**
   * True if a value is nested too deep after its expressions were replaced, so that recursive functions would
   * fail. The first time, `report` gets the problem. Callers then leave the value out.
   */
  isTooDeep(node: Node, report: Reporter): boolean {
    if (heightOf(node) <= maxDepth) return false;
    const message = `with variables and references filled in, values are nested more than ${maxDepth} levels deep`;
    if (!this.#isTooDeep) report.add(problem('yaml/depth', message, { at: node }));
    this.#isTooDeep = true;
    return true;
  }
}

/**
 * Returns the problem with a configuration whose values together exceed a limit, at the place that produces
 * most of them; undefined if they do not. Called after templates and patches were merged: values are shared
 * instead of copied until then, so only the result shows how large it is. `amountOf`: returns the amount in a
 * node with everything in it.
 */
export function checkTotalSize(nodes: Node[], amountOf: (node: Node) => Amount): Diagnostic | undefined {
  const total = { text: 0, size: 0 };
  for (const node of nodes) {
    const { text, size } = amountOf(node);
    total.text += text;
    total.size += size;
  }
  const measure = measureOver(total);
  if (measure === undefined) return undefined;
  const { at, weight } = heaviestPlace(nodes, (node) => amountOf(node)[measure]);
  return tooLargeProblem(measure, at, weight);
}

/**
 * Returns the measure (the text, or the number of values) in which a configuration exceeds its limit, for the message; undefined if it
 * exceeds none.
 */
function measureOver({ text, size }: Amount): keyof Amount | undefined {
  if (text > maxText) return 'text';
  return size > maxValues ? 'size' : undefined;
}

/** The parts of the message for each measure. */
const excesses: Record<Measure, { excess: string; verb: string; hint: string }> = {
  text: {
    excess: `the configuration expands to more than ${maxText} characters of text`,
    verb: 'makes',
    hint: 'use it in fewer places, or split the configuration into several stacks',
  },
  size: {
    excess: `the configuration expands to more than ${maxValues} values`,
    verb: 'makes',
    hint: 'use it in fewer places, or split the configuration into several stacks',
  },
  steps: {
    excess: `it takes more than ${maxSteps} steps to match the globs of the configuration`,
    verb: 'takes',
    hint: 'make globs shorter, use plain addresses, or split the configuration into several stacks',
  },
};

/**
 * Returns the problem with an exceeded limit, at the place that contributes most, so that the user knows what
 * to reduce. `measure`: the limited amount (text, values or steps). `amount`: the contribution of that place.
 */
export function tooLargeProblem(measure: Measure, spot: Spot | Position, amount: number): Diagnostic {
  const { excess, verb, hint } = excesses[measure];
  // A value that comes from no file, such as one of `--var`, has a place in a source without a name.
  const isOutside = 'source' in spot && spot.source.file === '';
  const cause = isOutside ? 'something outside the files of the configuration' : 'this place';
  return problem('config/too-large', `${excess}; ${cause} ${verb} most of them, ${amount}`, {
    at: isOutside ? undefined : spot,
    hint,
  });
}

/**
 * Returns the amount of text and the number of values in a field, with everything in it, to limit how much
 * references multiply them, and the length of a text made of several values. A secret counts with its text.
 * (`amountOf` does the same for nodes of the YAML.)
 */
export function amountOfValue(value: unknown): Amount {
  if (typeof value === 'string') return { text: value.length, size: 1 };
  if (value instanceof Sealed) return { text: value.reveal().length, size: 1 };
  const amount = { text: 0, size: 1 };
  if (typeof value !== 'object' || value === null) return amount;
  for (const [name, member] of Object.entries(value)) {
    const { text, size } = amountOfValue(member);
    amount.text += text + (Array.isArray(value) ? 0 : name.length);
    amount.size += size;
  }
  return amount;
}

/** The nodes that come from one place of the YAML. */
interface GrowthGroup {
  at: Spot;
  /** The weight of all nodes, counted at every use. */
  weight: number;
  /** How often each node is used. */
  nodes: Map<Node, number>;
}

/**
 * Returns the place that produces most of a configuration, for the message about an exceeded limit. Goes from
 * the outside inwards as long as one place produces at least half of its surroundings. `weightOf`: the
 * number of values or of characters in a node, depending on which limit is exceeded. Everything that a template or a
 * `$each` produces from one text has the place of that text.
 */
function heaviestPlace(nodes: Node[], weightOf: (node: Node) => number): GrowthGroup {
  const uniqueNodes = [...new Set(nodes)];
  let heaviest = heaviestGroup(
    uniqueNodes.map((node) => [node, 1]),
    weightOf,
  )!;
  for (;;) {
    // A child is used at least as often as the node that contains it (`uses`).
    const children = [...heaviest.nodes].flatMap(([node, uses]) =>
      childrenOf(node).map((child): [Node, number] => [child, uses]),
    );
    const heaviestInside = heaviestGroup(children, weightOf);
    const isSpread = !heaviestInside || heaviestInside.weight < heaviest.weight / 2;
    if (isSpread) return heaviest;
    heaviest = heaviestInside;
  }
}

/**
 * Groups nodes by the place at which they are written, and returns the heaviest group, so that the message about a configuration that is
 * too large names the part that makes it large; undefined without nodes. `weightOf`: how much a node adds to the size. `uses`: how often
 * the configuration contains the node, because templates and aliases share nodes.
 */
function heaviestGroup(
  nodes: [node: Node, uses: number][],
  weightOf: (node: Node) => number,
): GrowthGroup | undefined {
  const groups = new Map<Spot, GrowthGroup>();
  for (const [node, uses] of nodes) {
    const group = groups.get(node.at) ?? { at: node.at, weight: 0, nodes: new Map() };
    group.weight += uses * weightOf(node);
    group.nodes.set(node, (group.nodes.get(node) ?? 0) + uses);
    groups.set(node.at, group);
  }
  const [firstGroup, ...otherGroups] = groups.values();
  return firstGroup && otherGroups.reduce((a, b) => (b.weight > a.weight ? b : a), firstGroup);
}
