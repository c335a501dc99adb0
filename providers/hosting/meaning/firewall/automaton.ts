/*
 * Answers whether a text exists that is in some sets of texts and not in others. Each set is a pattern that may match anywhere in the text,
 * unless it asks for its start or end.
 *
 * A pattern becomes a graph of numbered nodes. Reading a character follows edges; a jump reads nothing, and some jumps are open only before
 * the first character or behind the last. The nodes that a text may have led to are a position. A search walks through the positions of
 * several patterns at once, one character after the other; characters that no pattern tells apart are tried once.
 */
import { type Verdict, verdictOf } from '#kind';
import { anyCharacter, type CharacterSet, includes } from './character-set.ts';
import { mostNodes, type Pattern } from './pattern.ts';

/** How many more steps a search may take. Shared by the searches of one firewall, so that odd patterns cost no more than a moment. */
export interface SearchBudget {
  steps: number;
}

interface Edge {
  set: CharacterSet;
  to: number;
}
interface Jump {
  when: 'always' | 'start' | 'end';
  to: number;
}
/** The nodes that the characters read so far may have led to. */
interface Position {
  nodes: readonly number[];
  /** True if the text may end here. */
  accepts: boolean;
  /** True if every text that goes on from here is in the set. */
  acceptsAll: boolean;
  next: Map<number, Position>;
}

/** A step to a position that was reached before costs this much of a step past one node. */
const costOfKnownStep = 0.05;

/** A set of texts, as a graph. Positions are made when a search first comes to them. */
export class Automaton {
  private readonly edges: Edge[][] = [];
  private readonly jumps: Jump[][] = [];
  private readonly final: number;
  private readonly canFinish: readonly boolean[];
  private readonly positions = new Map<string, Position>();
  /** Each character at which a set of the pattern begins, or that is the first behind one. */
  readonly boundaries = new Set<number>();
  readonly first: Position;

  constructor(pattern: Pattern) {
    const start = this.node();
    this.connect(start, anyCharacter, start);
    this.final = this.add(pattern, start);
    this.connect(this.final, anyCharacter, this.final);
    this.canFinish = this.findFinishing();
    this.first = this.positionOf(this.closure([start], ['start']), ['start']);
  }

  /** True if the pattern is too large to be searched. */
  get isTooLarge(): boolean {
    return this.edges.length > mostNodes;
  }

  /** Returns whether a text is in the set. `unknown` if the pattern is too large or the budget runs out. */
  has(text: string, budget: SearchBudget): Verdict {
    if (this.isTooLarge) return 'unknown';
    let position = this.first;
    for (let i = 0; i < text.length; i++) {
      const character = text.charCodeAt(i);
      budget.steps -= position.next.has(character) ? costOfKnownStep : 1 + position.nodes.length;
      if (budget.steps < 0) return 'unknown';
      position = this.step(position, character);
    }
    return verdictOf(position.accepts);
  }

  step(position: Position, character: number): Position {
    const cachedNext = position.next.get(character);
    if (cachedNext) return cachedNext;
    const reached = position.nodes.flatMap((node) =>
      this.edges[node]!.flatMap(({ set, to }) => (includes(set, character) ? [to] : [])),
    );
    const next = this.positionOf(this.closure(reached, []), []);
    position.next.set(character, next);
    return next;
  }

  private node(): number {
    this.edges.push([]);
    this.jumps.push([]);
    return this.edges.length - 1;
  }

  private connect(from: number, set: CharacterSet, to: number): void {
    this.edges[from]!.push({ set, to });
    for (const [first, last] of set) {
      this.boundaries.add(first);
      this.boundaries.add(last + 1);
    }
  }

  private jump(from: number, to: number, when: Jump['when'] = 'always'): void {
    this.jumps[from]!.push({ when, to });
  }

  /** Adds a pattern behind a node, and returns the node behind the pattern. */
  private add(pattern: Pattern, from: number): number {
    if (this.isTooLarge) return from;
    switch (pattern.type) {
      case 'characters':
      case 'start':
      case 'end': {
        const to = this.node();
        if (pattern.type === 'characters') this.connect(from, pattern.set, to);
        else this.jump(from, to, pattern.type);
        return to;
      }
      case 'sequence':
        return pattern.parts.reduce((node, part) => this.add(part, node), from);
      case 'choice': {
        const to = this.node();
        for (const option of pattern.options) {
          const begin = this.node();
          this.jump(from, begin);
          this.jump(this.add(option, begin), to);
        }
        return to;
      }
      case 'repeat':
        return this.addRepeated(pattern, from);
    }
  }

  private addRepeated({ part, min, max }: Pattern & { type: 'repeat' }, from: number): number {
    let node = from;
    for (let count = 0; count < min; count++) node = this.add(part, node);
    const end = this.node();
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.node();
      this.jump(node, loop);
      this.jump(this.add(part, loop), loop);
      this.jump(loop, end);
      return end;
    }
    this.jump(node, end);
    for (let count = min; count < max; count++) {
      node = this.add(part, node);
      this.jump(node, end);
    }
    return end;
  }

  /** Returns for each node whether the final node can still be reached behind the first character. */
  private findFinishing(): boolean[] {
    const before: number[][] = this.edges.map(() => []);
    for (const [from, edges] of this.edges.entries()) for (const { to } of edges) before[to]!.push(from);
    for (const [from, jumps] of this.jumps.entries())
      for (const { to, when } of jumps) if (when !== 'start') before[to]!.push(from);
    const canFinish = this.edges.map(() => false);
    const open = [this.final];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (canFinish[node]) continue;
      canFinish[node] = true;
      open.push(...before[node]!);
    }
    return canFinish;
  }

  /** Returns nodes and all that jumps lead to. `places`: where in the text this is, besides somewhere in the middle. */
  private closure(nodes: readonly number[], places: readonly Jump['when'][]): Set<number> {
    const reached = new Set<number>();
    const open = [...nodes];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (reached.has(node)) continue;
      reached.add(node);
      for (const { when, to } of this.jumps[node]!)
        if (when === 'always' || places.includes(when)) open.push(to);
    }
    return reached;
  }

  private positionOf(nodes: ReadonlySet<number>, places: readonly Jump['when'][]): Position {
    const accepts = this.closure([...nodes], [...places, 'end']).has(this.final);
    const alive = [...nodes].filter((node) => this.canFinish[node]).sort((a, b) => a - b);
    const key = `${places.length} ${alive.join(' ')}`;
    const cachedPosition = this.positions.get(key);
    if (cachedPosition) return cachedPosition;
    const position = { nodes: alive, accepts, acceptsAll: nodes.has(this.final), next: new Map() };
    this.positions.set(key, position);
    return position;
  }
}

/** What a text must be: in a set, or not in it. */
export interface TextRequirement {
  automaton: Automaton;
  isIn: boolean;
}

/**
 * Returns whether any text meets all requirements, to compare conditions with patterns. `unknown` if a pattern is too large or the budget
 * runs out.
 */
export function hasCommonText(requirements: readonly TextRequirement[], budget: SearchBudget): Verdict {
  if (budget.steps <= 0 || requirements.some(({ automaton }) => automaton.isTooLarge)) return 'unknown';
  const characters = representatives(requirements);
  const visitedKeys = new Set<string>();
  const numbers = new Map<Position, number>();
  const numberOf = (position: Position) => {
    const number = numbers.get(position) ?? numbers.size;
    numbers.set(position, number);
    return number;
  };
  let open = [requirements.map(({ automaton }) => automaton.first)];
  while (open.length > 0) {
    const following: Position[][] = [];
    for (const positions of open) {
      if (positions.every(({ accepts }, i) => accepts === requirements[i]!.isIn)) return 'yes';
      // A step costs as many nodes as it looks at.
      const cost = positions.reduce((sum, { nodes }) => sum + 1 + nodes.length, 0);
      for (const character of characters) {
        budget.steps -= cost;
        if (budget.steps < 0) return 'unknown';
        const next = positions.map((position, i) => requirements[i]!.automaton.step(position, character));
        if (next.some((position, i) => isHopeless(position, requirements[i]!.isIn))) continue;
        const key = next.map(numberOf).join(' ');
        if (visitedKeys.has(key)) continue;
        visitedKeys.add(key);
        following.push(next);
      }
    }
    open = following;
  }
  return 'no';
}

const isHopeless = ({ nodes, acceptsAll }: Position, isIn: boolean) =>
  isIn ? nodes.length === 0 : acceptsAll;

/** Returns one character of each group of characters that no requirement tells apart. */
function representatives(requirements: readonly TextRequirement[]): number[] {
  const boundaries = new Set(requirements.flatMap(({ automaton }) => [...automaton.boundaries]));
  return [...boundaries].filter((character) => includes(anyCharacter, character));
}
