import { type CodeTest, type GlobNode, slash } from './glob-syntax.ts';

/*
 * A glob becomes an automaton whose size is proportional to the length of the glob. Matching keeps the set of all states
 * that the text can have led to, so it takes at most (length of the glob) x (length of the text) steps.
 *
 * One glob is matched with thousands of similar names. So each set of states is remembered with the sets that follow it,
 * by character: for most characters, matching only looks up the next set, and that is one step. The memory for sets is
 * bounded: when it is full, all of them are forgotten.
 */

/** The rules by which a glob is read. */
export interface GlobRules {
  /** False for texts without parts, such as the path of a field: `*` then crosses slashes. */
  hasParts: boolean;
  /** False for paths of files: only a literal dot then matches the dot of a hidden file or folder. */
  matchesHidden: boolean;
  /** A text that takes more steps does not match. Only for callers that count steps and report that: a guard must match any name. */
  maxSteps: number;
}

/**
 * A state that consumes one character of the text (a literal one, one that passes a test, or any except a slash) and leads to `next`. A state
 * that consumes none leads to all of `next` at once. The state with index 0 accepts.
 */
interface AutomatonState {
  consumes?: number | CodeTest | 'any';
  next: number[];
}

/**
 * How far a glob reaches for an address or path: it matches it, it can only match something below it, or neither. A
 * glob that matches may match more below.
 */
export type Reach = 'match' | 'below' | 'none';

/** A set of states that a text can lead to. */
interface StateSet {
  states: readonly number[];
  accepts: boolean;
  /** The sets that follow, by the character. */
  next: Map<number, StateSet>;
}

/** The rules of a glob, with the place at which the automaton starts. */
interface AutomatonOptions extends GlobRules {
  /** True if the text starts a part, and so may start with the dot of a hidden file. */
  isAtStart: boolean;
}

const [slashCode, dotCode] = [0x2f, 0x2e];
/** Stands for the dot of a hidden file, because fewer states consume it than any other dot. */
const hiddenDot = -1;
/** The most states in all sets that an automaton remembers. */
const maxRemembered = 2_000;
/** The steps that a state in a new set counts as: making the set takes longer than looking it up, and needs memory. */
const stepsPerState = 12;

/** The automaton of one glob. See the top of the file. */
export class Automaton {
  readonly #states: AutomatonState[] = [{ next: [] }];
  readonly #start: number;
  readonly #options: AutomatonOptions;
  /** For each state, the last set that it was added to. */
  readonly #addedTo: Int32Array;
  #sets = 0;
  #first: StateSet | undefined;
  readonly #remembered = new Map<string, StateSet>();
  #size = 0;
  /** The number of steps that all matching took. */
  steps = 0;

  /**
   * Builds the automaton of one parsed glob, such as a `--target`, which tests many addresses or names in time that is linear in their length: a glob
   * from a user must not stop the program. Call it once for each glob.
   */
  constructor(nodes: GlobNode[], options: AutomatonOptions) {
    this.#options = options;
    this.#start = this.#compile(moveSlashesInside(nodes), true, 0);
    this.#addedTo = new Int32Array(this.#states.length);
  }

  /** True if the glob of this automaton, such as a `--target`, matches a whole text, such as an address. */
  accepts(text: string): boolean {
    return this.#run(text).accepts;
  }

  /** Returns how far the glob reaches for a path. Used to decide if anything below an address can match. */
  reach(text: string): Reach {
    const set = this.#run(text);
    if (set.accepts) return 'match';
    const below = set.next.get(slashCode) ?? this.#setAfter(set, slashCode);
    return below.states.length > 0 ? 'below' : 'none';
  }

  /**
   * Reads a text with the automaton of a glob, such as one of `--target`, and returns the states in which it ends: they decide if the glob matches. Returns
   * no states (the glob matches nothing) after more than `maxSteps`, because a glob that a user wrote must not stop the program.
   */
  #run(text: string): StateSet {
    const { isAtStart, matchesHidden, maxSteps } = this.#options;
    const stepLimit = this.steps + maxSteps;
    this.#first ??= this.#setOf([this.#start]);
    let set = this.#first;
    let startsPart = isAtStart;
    for (let index = 0; index < text.length && set.states.length > 0; index++) {
      const code = text.codePointAt(index)!;
      if (code > 0xffff) index++;
      const key = !matchesHidden && startsPart && code === dotCode ? hiddenDot : code;
      this.steps++;
      set = set.next.get(key) ?? this.#setAfter(set, key);
      startsPart = code === slashCode;
      if (this.steps > stepLimit) return { states: [], accepts: false, next: new Map() };
    }
    return set;
  }

  /**
   * Computes which states the automaton of a glob is in after one more character. The result is remembered as
   * a follower of `set`, so that matching later texts is a look-up only.
   */
  #setAfter(set: StateSet, key: number): StateSet {
    const firsts: number[] = [];
    for (const index of set.states) {
      const { consumes, next } = this.#states[index]!;
      if (consumes !== undefined && this.#takes(consumes, key)) firsts.push(next[0]!);
    }
    const following = this.#setOf(firsts);
    this.steps += stepsPerState * (set.states.length + following.states.length);
    this.#remember(1);
    set.next.set(key, following);
    return following;
  }

  /**
   * True if a state of the automaton accepts a character of the text. The dot of a hidden file (`hiddenDot`)
   * is accepted only by a literal dot, so that `*` does not match hidden files.
   */
  #takes(consumes: NonNullable<AutomatonState['consumes']>, key: number): boolean {
    if (typeof consumes === 'number') return consumes === (key === hiddenDot ? dotCode : key);
    if (key === hiddenDot || (this.#options.hasParts && key === slashCode)) return false;
    return consumes === 'any' || consumes(key);
  }

  /**
   * Returns the set of states that the automaton is in, when it is in `firsts`: states that consume no character are
   * replaced by those that they lead to. Equal sets are shared, so that their followers are computed once.
   */
  #setOf(firsts: number[]): StateSet {
    const pending = firsts;
    const states: number[] = [];
    if (this.#sets === 2 ** 31 - 1) {
      this.#addedTo.fill(0);
      this.#sets = 0;
    }
    this.#sets++;
    // A loop, because the states of a long glob would exhaust the stack.
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (this.#addedTo[index] === this.#sets) continue;
      this.#addedTo[index] = this.#sets;
      const { consumes, next } = this.#states[index]!;
      if (consumes !== undefined || index === 0) states.push(index);
      else pending.push(...next);
    }
    const id = states.sort((a, b) => a - b).join();
    const rememberedSet = this.#remembered.get(id);
    if (rememberedSet) return rememberedSet;
    const set: StateSet = { states, accepts: states[0] === 0, next: new Map() };
    this.#remember(states.length);
    this.#remembered.set(id, set);
    return set;
  }

  /**
   * Counts the states in remembered sets, and forgets all sets if there are too many, so that the memory of a
   * glob is bounded. They are computed again when needed.
   */
  #remember(count: number): void {
    this.#size += count;
    if (this.#size <= maxRemembered) return;
    for (const { next } of this.#remembered.values()) next.clear();
    this.#remembered.clear();
    this.#first = undefined;
    this.#size = count;
  }

  #add(state: AutomatonState): number {
    return this.#states.push(state) - 1;
  }

  /**
   * Turns a sequence of nodes of a parsed glob into states of the automaton. They are added in front of the
   * state `next`, and the first one is returned. `endsPart`: a slash or the end follows the sequence, so that
   * a `**` at its end can be a whole part.
   */
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

  /** Adds to the automaton of a glob the states for `*`: any text without a slash, including none. They are a loop in front of the state `next`. */
  #anyText(next: number): number {
    const choice = this.#add({ next: [next] });
    this.#states[choice]!.next.push(this.#add({ consumes: 'any', next: [choice] }));
    return choice;
  }

  /**
   * Adds to the automaton of a glob the states for `**` between slashes: any number of `/name`, including none. They are a loop in front of the state
   * `next`.
   */
  #anyParts(next: number): number {
    const choice = this.#add({ next: [next] });
    this.#states[choice]!.next.push(this.#literal('/', this.#anyText(choice)));
    return choice;
  }
}

/** True if all texts of a node begin with a slash. */
const beginsWithSlash = (node: GlobNode): boolean =>
  node.type === 'slash' ||
  (node.type === 'group' &&
    node.alternatives.every(([first]) => first !== undefined && beginsWithSlash(first)));

/**
 * Moves the slash in front of a group of a glob into its alternatives: `a/{b,**}` becomes `a{/b,/**}`. Then each `**` follows its slash, which
 * `#compile` needs to recognize a whole part.
 */
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
