import { Problems } from './diagnostic.ts';
import { type CharTest, type GlobNode, parseGlob, slash } from './glob-syntax.ts';

/*
 * Globs: the one pattern language for addresses, paths, and names.
 *
 *   | Written    | Matches                                                                       |
 *   | ---------- | ----------------------------------------------------------------------------- |
 *   | `*`        | any text within one name, also none                                           |
 *   | `**`       | as a whole part between slashes: any number of parts, also none; else as `*`  |
 *   | `?`        | one character of a name                                                       |
 *   | `[a-c]`    | one of these characters; `[!a-c]` and `[^a-c]`: any other one of a name       |
 *   | `{a,b/**}` | one of these globs                                                            |
 *   | `\*`       | the character itself                                                          |
 *
 * Anything else stands for itself, except syntax of other tools (`!(a)`, `(a|b)`, `{1..3}`), which is an error: a guard
 * whose pattern silently matches nothing guards nothing.
 *
 * A glob becomes an automaton whose size is proportional to the length of the glob. Matching keeps the set of all states
 * that the text can have led to, so it takes at most (length of the glob) x (length of the text) steps. Nothing is ever
 * tried twice, and no name and no pattern can keep it busy.
 *
 * To treat all parts alike, both the glob and the text get a slash in front: `**` is then any number of `/name`.
 */

/** A compiled glob. */
export interface Glob {
  matches(text: string): boolean;
  /** True if the glob matches some text that begins with `folder` and a slash. */
  matchesBelow(folder: string): boolean;
}

interface GlobOptions {
  /** False for texts without parts, such as the path of a field: `*` then crosses slashes. */
  hasParts?: boolean;
  /** False for paths of files: only a literal dot then matches the dot of a hidden file or folder. */
  matchesHidden?: boolean;
}

/** Compiles a glob. Throws `Problems` if it is not valid; use `globFault` first where the place of the glob is known. */
export function compileGlob(glob: string, options: GlobOptions = {}): Glob {
  const { hasParts = true, matchesHidden = true } = options;
  const nodes = parseGlob(glob, hasParts);
  const literal = literalOf(nodes);
  // Most globs of a configuration are plain addresses.
  if (literal !== undefined)
    return {
      matches: (text) => text === literal,
      matchesBelow: (folder) => literal.startsWith(`${folder}/`),
    };
  const front = frontOf(nodes);
  const automaton = new Automaton(hasParts ? [slash, ...nodes] : nodes, hasParts, matchesHidden);
  const start = hasParts ? '/' : '';
  return {
    matches: (text) => text.startsWith(front) && automaton.accepts(start + text),
    matchesBelow(folder) {
      const text = `${folder}/`;
      return (text.startsWith(front) || front.startsWith(text)) && automaton.hasStateAfter(start + text);
    },
  };
}

/** What is wrong with a glob; undefined if it is valid. */
export function globFault(glob: string, options: GlobOptions = {}): string | undefined {
  try {
    compileGlob(glob, options);
    return undefined;
  } catch (error) {
    if (error instanceof Problems) return error.diagnostics[0]!.message;
    throw error;
  }
}

/** Splits a glob of paths into the folder that it begins with, unescaped, and the glob of what is below. */
export function splitGlob(glob: string): { folder: string; below: string } {
  const parts = glob.split('/');
  const first = parts.findIndex((part) => /[*?[{]/.test(part.replace(/\\./g, '')));
  const [folder, below] = first < 0 ? [parts, []] : [parts.slice(0, first), parts.slice(first)];
  const text = folder.join('/').replace(/\\(.)/g, '$1');
  return { folder: glob.startsWith('/') && text === '' ? '/' : text, below: below.join('/') };
}

/** The text that the first nodes stand for, up to the first one that can match several. */
function frontOf(nodes: GlobNode[]): string {
  let front = '';
  for (const [index, node] of nodes.entries()) {
    if (node.type === 'char') front += node.char;
    // `a/**` and `a/{**,b}` match `a`, too.
    else if (node.type === 'slash' && ['char', 'slash', 'star', 'one'].includes(nodes[index + 1]?.type ?? ''))
      front += '/';
    else break;
  }
  return front;
}

function literalOf(nodes: GlobNode[]): string | undefined {
  const isLiteral = nodes.every(({ type }) => type === 'char' || type === 'slash');
  return isLiteral ? nodes.map((node) => (node.type === 'char' ? node.char : '/')).join('') : undefined;
}

/** A state with a test consumes one character. One without leads on at once; the last one accepts. */
interface State {
  test?: CharTest;
  isLiteral?: boolean;
  next: number[];
}

class Automaton {
  readonly #states: State[] = [{ next: [] }];
  readonly #start: number;
  readonly #matchesHidden: boolean;
  readonly #inName: CharTest;
  /** For each state, the last step in which it became active. */
  readonly #activeAt: Int32Array;
  #step = 0;

  constructor(nodes: GlobNode[], hasParts: boolean, matchesHidden: boolean) {
    this.#matchesHidden = matchesHidden;
    this.#inName = hasParts ? (char) => char !== '/' : () => true;
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
    let active = this.#activate([this.#start], this.#nextStep());
    let previous = '';
    for (const char of text) {
      const isHidden = char === '.' && previous === '/' && !this.#matchesHidden;
      const step = this.#nextStep();
      const reached: number[] = [];
      for (const index of active) {
        const { test, next, isLiteral } = this.#states[index]!;
        if (test?.(char) && (!isHidden || isLiteral)) this.#activate(next, step, reached);
      }
      if (reached.length === 0) return reached;
      active = reached;
      previous = char;
    }
    return active;
  }

  #nextStep(): number {
    if (this.#step === 2 ** 31 - 1) {
      this.#activeAt.fill(0);
      this.#step = 0;
    }
    return ++this.#step;
  }

  /** Adds to `reached` the states that can consume a character or accept, from these on. Each becomes active once in a step. */
  #activate(indexes: number[], step: number, reached: number[] = []): number[] {
    for (const index of indexes) {
      if (this.#activeAt[index] === step) continue;
      this.#activeAt[index] = step;
      const { test, next } = this.#states[index]!;
      if (test || index === 0) reached.push(index);
      else this.#activate(next, step, reached);
    }
    return reached;
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
      else if (node.type === 'one')
        first = this.#add({ test: (char) => this.#inName(char) && node.test(char), next: [first] });
      else first = this.#literal(node.type === 'char' ? node.char : '/', first);
    }
    return first;
  }

  #literal(expected: string, next: number): number {
    return this.#add({ test: (char) => char === expected, isLiteral: true, next: [next] });
  }

  #anyText(next: number): number {
    const choice = this.#add({ next: [next] });
    this.#states[choice]!.next.push(this.#add({ test: this.#inName, next: [choice] }));
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
