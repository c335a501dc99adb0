import { type CodeTest, type GlobNode, slash } from './glob-syntax.ts';

/*
 * A glob becomes an automaton whose size is proportional to the length of the glob. Matching keeps the set of all states
 * that the text can have led to, so it takes at most (length of the glob) x (length of the text) steps. Nothing is ever
 * tried twice, and no name and no pattern can keep it busy.
 */

/** The rules by which a glob is read. */
export interface GlobRules {
  /** False for texts without parts, such as the path of a field: `*` then crosses slashes. */
  hasParts: boolean;
  /** False for paths of files: only a literal dot then matches the dot of a hidden file or folder. */
  matchesHidden: boolean;
}

/**
 * A state that consumes one character of the text: a literal one, one that a test takes, or any of a name. A state without consumption leads on
 * at once; the first one accepts.
 */
interface State {
  consumes?: number | CodeTest | 'any';
  next: number[];
}

interface AutomatonOptions extends GlobRules {
  /** True if the text starts a part, and so may start with the dot of a hidden file. */
  isAtStart: boolean;
}

const [slashCode, dotCode] = [0x2f, 0x2e];

/** The automaton of one glob. */
export class Automaton {
  readonly #states: State[] = [{ next: [] }];
  readonly #start: number;
  readonly #options: AutomatonOptions;
  /** For each state, the last step in which it became active. */
  readonly #activeAt: Int32Array;
  #step = 0;

  constructor(nodes: GlobNode[], options: AutomatonOptions) {
    this.#options = options;
    this.#start = this.#compile(moveSlashesInside(nodes), true, 0);
    this.#activeAt = new Int32Array(this.#states.length);
  }

  accepts(text: string): boolean {
    return this.#run(text).includes(0);
  }

  hasStateAfter(text: string): boolean {
    return this.#run(text).length > 0;
  }

  /** Returns the states that a text leads to. */
  #run(text: string): number[] {
    const { isAtStart, matchesHidden } = this.#options;
    let active: number[] = [];
    this.#activate(this.#start, this.#nextStep(), active);
    let startsPart = isAtStart;
    for (let at = 0; at < text.length; at++) {
      const code = text.codePointAt(at)!;
      if (code > 0xffff) at++;
      const isHidden = !matchesHidden && startsPart && code === dotCode;
      const step = this.#nextStep();
      const reached: number[] = [];
      for (const index of active) {
        const { consumes, next } = this.#states[index]!;
        if (consumes !== undefined && this.#takes(consumes, code, isHidden))
          this.#activate(next[0]!, step, reached);
      }
      if (reached.length === 0) return reached;
      active = reached;
      startsPart = code === slashCode;
    }
    return active;
  }

  #takes(consumes: NonNullable<State['consumes']>, code: number, isHidden: boolean): boolean {
    if (typeof consumes === 'number') return consumes === code;
    if (isHidden || (this.#options.hasParts && code === slashCode)) return false;
    return consumes === 'any' || consumes(code);
  }

  #nextStep(): number {
    if (this.#step === 2 ** 31 - 1) {
      this.#activeAt.fill(0);
      this.#step = 0;
    }
    return ++this.#step;
  }

  /** Adds to `reached` the states that can consume a character or accept, from this one on. Each becomes active once in a step. */
  #activate(first: number, step: number, reached: number[]): void {
    const pending = [first];
    // A loop, because the states of a long glob would exhaust the stack.
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (this.#activeAt[index] === step) continue;
      this.#activeAt[index] = step;
      const { consumes, next } = this.#states[index]!;
      if (consumes !== undefined || index === 0) reached.push(index);
      else pending.push(...next);
    }
  }

  #add(state: State): number {
    return this.#states.push(state) - 1;
  }

  /** Adds the states of a sequence that leads on to `next`, and returns the first. `endsPart`: a slash or the end follows. */
  #compile(nodes: GlobNode[], endsPart: boolean, next: number): number {
    let first = next;
    for (let i = nodes.length - 1; i >= 0; i--) {
      const node = nodes[i]!;
      const follower = nodes[i + 1];
      const isBeforeSlash = follower === undefined ? endsPart : beginsWithSlash(follower);
      if (node.type === 'stars' && nodes[i - 1]?.type === 'slash' && isBeforeSlash) {
        first = this.#anyParts(first);
        i--;
      } else if (node.type === 'group') {
        const firsts = node.alternatives.map((nodes) => this.#compile(nodes, isBeforeSlash, first));
        first = this.#add({ next: firsts });
      } else if (node.type === 'star' || node.type === 'stars') first = this.#anyText(first);
      else if (node.type === 'one') first = this.#add({ consumes: node.test, next: [first] });
      else first = this.#literal(node.type === 'char' ? node.char : '/', first);
    }
    return first;
  }

  #literal(expected: string, next: number): number {
    return this.#add({ consumes: expected.codePointAt(0)!, next: [next] });
  }

  #anyText(next: number): number {
    const choice = this.#add({ next: [next] });
    this.#states[choice]!.next.push(this.#add({ consumes: 'any', next: [choice] }));
    return choice;
  }

  /** Any number of `/name`. */
  #anyParts(next: number): number {
    const choice = this.#add({ next: [next] });
    this.#states[choice]!.next.push(this.#literal('/', this.#anyText(choice)));
    return choice;
  }
}

const beginsWithSlash = (node: GlobNode): boolean =>
  node.type === 'slash' ||
  (node.type === 'group' &&
    node.alternatives.every(([first]) => first !== undefined && beginsWithSlash(first)));

/** Turns `a/{b,**}` into `a{/b,/**}`, so that `**` follows its slash. */
function moveSlashesInside(nodes: GlobNode[]): GlobNode[] {
  const moved: GlobNode[] = [];
  for (const node of nodes) {
    if (node.type !== 'group') {
      moved.push(node);
      continue;
    }
    const before = moved.at(-1) === slash ? [moved.pop()!] : [];
    const alternatives = node.alternatives.map((nodes) => moveSlashesInside([...before, ...nodes]));
    moved.push({ type: 'group', alternatives });
  }
  return moved;
}
