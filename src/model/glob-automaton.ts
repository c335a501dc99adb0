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
 * A state that consumes one character of the text (a literal one, one that passes a test, or any except a slash) and leads to `next`. A
 * state that consumes none leads to all of `next` at once.
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

/** The index of the state in which the whole text has been matched. */
const acceptingState = 0;
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
  /** For each state, the number of the last call of `#followChoices` that reached it, so that no call visits it twice. */
  readonly #lastCallOfState: Int32Array;
  #callCount = 0;
  #startSet: StateSet | undefined;
  readonly #remembered = new Map<string, StateSet>();
  #rememberedStates = 0;
  /** The number of steps that all matching took. */
  steps = 0;

  /**
   * Builds an automaton that matches many texts with one parsed glob, such as addresses with a `--target`. The time for a text is linear in
   * its length, because a glob that a user wrote must not stop the program. States are numbers: a text matches if it leads from `#start` to
   * the accepting state.
   */
  constructor(nodes: GlobNode[], options: AutomatonOptions) {
    this.#options = options;
    const followedBy = { endsPart: true, next: acceptingState };
    this.#start = this.#compile(moveSlashesIntoGroups(nodes), followedBy);
    this.#lastCallOfState = new Int32Array(this.#states.length);
  }

  /** True if the glob of this automaton, such as a `--target`, matches a whole text, such as an address. */
  accepts(text: string): boolean {
    return this.#readText(text).accepts;
  }

  /**
   * Returns how far the glob reaches for a path: `match`, `below` if only something below the path can match (`a/b` for the path `a`),
   * otherwise `none`. Callers skip everything below an address or a folder for which it is `none`.
   */
  reach(text: string): Reach {
    const set = this.#readText(text);
    if (set.accepts) return 'match';
    const below = set.next.get(slashCode) ?? this.#computeNextSet(set, slashCode);
    return below.states.length > 0 ? 'below' : 'none';
  }

  /**
   * Reads a text character by character with the automaton of a glob, such as a `--target`. Returns the set of states in which it ends;
   * the glob matches if that set accepts. Returns an empty set (no match) after more than `maxSteps`, because a glob that a user wrote
   * must not stop the program.
   */
  #readText(text: string): StateSet {
    const { isAtStart, matchesHidden, maxSteps } = this.#options;
    const stepLimit = this.steps + maxSteps;
    this.#startSet ??= this.#createSet([this.#start]);
    let set = this.#startSet;
    let startsPart = isAtStart;
    for (let index = 0; index < text.length && set.states.length > 0; index++) {
      const code = text.codePointAt(index)!;
      if (code > 0xffff) index++;
      // The dot of a hidden file such as `.git` has a code of its own, because `*` must not match it.
      const key = !matchesHidden && startsPart && code === dotCode ? hiddenDot : code;
      this.steps++;
      set = set.next.get(key) ?? this.#computeNextSet(set, key);
      startsPart = code === slashCode;
      if (this.steps > stepLimit) return { states: [], accepts: false, next: new Map() };
    }
    return set;
  }

  /**
   * Computes which states the automaton of a glob can be in after one more character (`key`, its code point), if it is in one of `set`
   * before. Remembers the result in `set.next`, so that the same step of a later text is only a look-up.
   */
  #computeNextSet(set: StateSet, key: number): StateSet {
    const entered: number[] = [];
    for (const index of set.states) {
      const { consumes, next } = this.#states[index]!;
      // A state that consumes a character leads to one state.
      if (consumes !== undefined && this.#takes(consumes, key)) entered.push(next[0]!);
    }
    const following = this.#createSet(entered);
    // Computing a set takes longer than a look-up, so it counts as more steps of the work that callers limit.
    this.steps += stepsPerState * (set.states.length + following.states.length);
    this.#countRemembered(1);
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
   * Returns the set of states in which the automaton of a glob can be after it has entered some states. A state that consumes no
   * character, such as the choice in front of a `{a,b}`, is replaced by the states that it leads to. Equal sets are one object, so that
   * the sets that follow it are computed once.
   */
  #createSet(entered: number[]): StateSet {
    const states = this.#followChoices(entered).sort((a, b) => a - b);
    const id = states.join();
    const rememberedSet = this.#remembered.get(id);
    if (rememberedSet) return rememberedSet;
    // The accepting state has the lowest number, so it comes first.
    const set: StateSet = { states, accepts: states[0] === acceptingState, next: new Map() };
    this.#countRemembered(states.length);
    this.#remembered.set(id, set);
    return set;
  }

  /**
   * Returns the states that consume a character, and the accepting one, among those that the automaton of a glob reaches from `pending`
   * without a character. Each call has a number, by which it recognizes the states that it has already seen. `pending`: the states to
   * follow, at first the entered ones; the call empties the list.
   */
  #followChoices(pending: number[]): number[] {
    const states: number[] = [];
    // The largest number of an `Int32Array`, in which the calls are numbered.
    if (this.#callCount === 2 ** 31 - 1) {
      this.#lastCallOfState.fill(0);
      this.#callCount = 0;
    }
    this.#callCount++;
    // A loop, because the states of a long glob would exhaust the stack.
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (this.#lastCallOfState[index] === this.#callCount) continue;
      this.#lastCallOfState[index] = this.#callCount;
      const { consumes, next } = this.#states[index]!;
      if (consumes !== undefined || index === acceptingState) states.push(index);
      else pending.push(...next);
    }
    return states;
  }

  /**
   * Adds to the number of states that the automaton of a glob keeps in remembered sets. If there are too many, forgets all sets, so that
   * thousands of different names cannot fill the memory. Later texts compute them again.
   */
  #countRemembered(count: number): void {
    this.#rememberedStates += count;
    if (this.#rememberedStates <= maxRemembered) return;
    // The sets refer to each other. A text that is being read still holds one of them.
    for (const { next } of this.#remembered.values()) next.clear();
    this.#remembered.clear();
    this.#startSet = undefined;
    // The caller remembers the new set next.
    this.#rememberedStates = count;
  }

  #addState(state: AutomatonState): number {
    return this.#states.push(state) - 1;
  }

  /**
   * Turns a sequence of nodes of a parsed glob into states of the automaton, and returns the number of the first one. Begins with the last
   * node, because each state needs the number of the state behind it. A `**` that is a whole name between slashes is compiled together with
   * the slash in front of it, and matches any number of names; any other `**` is a `*`. `next`: the state behind the sequence. `endsPart`:
   * a slash or the end of the glob follows the sequence.
   */
  #compile(nodes: GlobNode[], { endsPart, next }: { endsPart: boolean; next: number }): number {
    let first = next;
    for (let i = nodes.length - 1; i >= 0; i--) {
      const node = nodes[i]!;
      const follower = nodes[i + 1];
      const isEndOfPart = follower === undefined ? endsPart : beginsWithSlash(follower);
      const isWholePart = node.type === 'stars' && nodes[i - 1]?.type === 'slash' && isEndOfPart;
      if (isWholePart) {
        first = this.#addAnyParts(first);
        // The slash in front belongs to it.
        i--;
      } else if (node.type === 'group') {
        const followedBy = { endsPart: isEndOfPart, next: first };
        const entered = node.alternatives.map((nodes) => this.#compile(nodes, followedBy));
        first = this.#addState({ next: entered });
      } else if (node.type === 'star' || node.type === 'stars') first = this.#addAnyText(first);
      else if (node.type === 'one') first = this.#addState({ consumes: node.test, next: [first] });
      else first = this.#addLiteral(node.type === 'char' ? node.char : '/', first);
    }
    return first;
  }

  #addLiteral(expected: string, next: number): number {
    return this.#addState({ consumes: expected.codePointAt(0)!, next: [next] });
  }

  /**
   * Adds to the automaton of a glob the states for `*`, and returns the first. It is a choice: go on to the state `next`, or consume one
   * character that is no slash and choose again.
   */
  #addAnyText(next: number): number {
    const choice = this.#addState({ next: [next] });
    this.#states[choice]!.next.push(this.#addState({ consumes: 'any', next: [choice] }));
    return choice;
  }

  /**
   * Adds to the automaton of a glob the states for a `**` between slashes, and returns the first. It is a choice: go on to the state
   * `next`, or consume one `/name` and choose again.
   */
  #addAnyParts(next: number): number {
    const choice = this.#addState({ next: [next] });
    this.#states[choice]!.next.push(this.#addLiteral('/', this.#addAnyText(choice)));
    return choice;
  }
}

/** True if all texts of a node begin with a slash. */
const beginsWithSlash = (node: GlobNode): boolean =>
  node.type === 'slash' ||
  (node.type === 'group' &&
    node.alternatives.every(([first]) => first !== undefined && beginsWithSlash(first)));

/**
 * Returns the nodes of a glob with the slash in front of each group `{...}` moved into its alternatives: `a/{b,c}` becomes `a{/b,/c}`. The
 * automaton needs this, because it recognizes a `**` between slashes by the slash directly in front of it.
 */
function moveSlashesIntoGroups(nodes: GlobNode[]): GlobNode[] {
  const moved: GlobNode[] = [];
  for (const node of nodes) {
    if (node.type === 'group') {
      // The parser uses one object for all slashes.
      const before = moved.at(-1) === slash ? [moved.pop()!] : [];
      const alternatives = node.alternatives.map((nodes) => moveSlashesIntoGroups([...before, ...nodes]));
      moved.push({ type: 'group', alternatives });
    } else moved.push(node);
  }
  return moved;
}
