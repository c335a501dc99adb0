import { raise } from './diagnostic.ts';

export const globHint =
  'globs have `*`, `**`, `?`, `{a,b}` and `[a-c]`; put `\\` in front of a character that stands for itself';

/** True for the code points that a part of a glob can consume. */
export type CodeTest = (code: number) => boolean;

/** A part of a parsed glob. */
export type GlobNode =
  | { type: 'char'; char: string }
  | { type: 'slash' }
  /** `?` or a class. */
  | { type: 'one'; test: CodeTest }
  | { type: 'star' | 'stars' }
  | { type: 'group'; alternatives: GlobNode[][] };

export const slash: GlobNode = { type: 'slash' };

/** The limit for groups inside groups: more than people need, and not too many for the call stack. */
const maxBraceDepth = 20;

/**
 * Parses a glob. Throws `Problems` for syntax that this language does not have, because a guard with a pattern that
 * silently matches nothing would guard nothing. Without `hasParts`, a slash is a character like any other.
 */
export const parseGlob = (glob: string, hasParts: boolean): GlobNode[] =>
  new GlobParser(glob, hasParts).parseSequence(0);

/** Parses one glob from left to right. `depth`: the number of groups around the current position. */
class GlobParser {
  readonly #glob: string;
  readonly #hasParts: boolean;
  readonly #chars: string[];
  #index = 0;

  /**
   * Creates the parser of one glob such as `sites/{a,b}-*`. `hasParts`: true for globs of addresses, in which
   * `/` separates parts; false for globs of names, in which it is an ordinary character.
   */
  constructor(glob: string, hasParts: boolean) {
    this.#glob = glob;
    this.#hasParts = hasParts;
    this.#chars = [...glob];
  }

  /**
   * Parses a glob, such as a `--target`, from the current position to its end or, inside a group such as `{a,b}`, up to the `,` or `}` that
   * ends this alternative. Returns the nodes that the automaton is built from. `depth`: the number of groups around the position.
   */
  parseSequence(depth: number): GlobNode[] {
    const nodes: GlobNode[] = [];
    while (this.#index < this.#chars.length) {
      const char = this.#chars[this.#index]!;
      if (depth > 0 && (char === ',' || char === '}')) return nodes;
      this.#index++;
      nodes.push(this.#parseFrom(char, depth));
    }
    return nodes;
  }

  /**
   * Parses one element of a glob: a character, a wildcard, a class or a group. `char` was read already and
   * says which; the position is behind it. `depth`: the number of groups around it.
   */
  #parseFrom(char: string, depth: number): GlobNode {
    if (char === '\\') {
      if (this.#index === this.#chars.length) return this.#refuse('it ends in a single `\\`');
      return { type: 'char', char: this.#chars[this.#index++]! };
    }
    if (char === '*') {
      const isSingle = this.#chars[this.#index] !== '*';
      while (this.#chars[this.#index] === '*') this.#index++;
      return { type: isSingle ? 'star' : 'stars' };
    }
    if (char === '?') return { type: 'one', test: () => true };
    if (char === '[') return { type: 'one', test: this.#parseClass() };
    if (char === '{') return this.#parseGroup(depth + 1);
    if (char === '/' && this.#hasParts) return slash;
    if (char === '}' || char === ']') return this.#refuse(`\`${char}\` has no opening bracket`);
    if (char === '(' || char === ')') return this.#refuse('`(a|b)` is not supported; write `{a,b}`');
    if (char === '!' && this.#index === 1) return this.#refuse('a leading `!` is not supported');
    return { type: 'char', char };
  }

  /**
   * Parses a class of a glob, such as `[a-c]`, from behind its opening bracket. Returns the test that tells
   * if the class contains a character.
   */
  #parseClass(): CodeTest {
    const end = classEnd(this.#chars, this.#index);
    if (end === undefined) return this.#refuse('`[` is not closed');
    const inside = this.#chars.slice(this.#index, end);
    this.#index = end + 1;
    const isNegated = inside[0] === '!' || inside[0] === '^';
    const members = unescapeClass(isNegated ? inside.slice(1) : inside);
    if (members.length === 0) return this.#refuse('`[]` has no characters');
    if (members.some(({ char, isEscaped }) => char === '[' && !isEscaped))
      return this.#refuse('a class such as `[:alpha:]` is not supported; write `[a-z]`');
    if (this.#hasParts && members.some(({ char }) => char === '/'))
      return this.#refuse('a class is part of one name and cannot have a `/`');
    return classTest(members, isNegated);
  }

  /**
   * Parses a group of a glob, such as `{a,b}`, from behind its opening bracket. Its alternatives are sequences themselves, so groups can be
   * nested; `depth` counts the groups around them, with this one. Throws `Problems` for a group that is nested too deeply or not closed,
   * and for a range such as `{1..3}`.
   */
  #parseGroup(depth: number): GlobNode {
    if (depth > maxBraceDepth)
      return this.#refuse(`it has more than ${maxBraceDepth} groups inside each other`);
    const start = this.#index;
    const alternatives = [this.parseSequence(depth)];
    while (this.#chars[this.#index] === ',') {
      this.#index++;
      alternatives.push(this.parseSequence(depth));
    }
    if (this.#chars[this.#index] !== '}') return this.#refuse('`{` is not closed');
    const content = this.#chars.slice(start, this.#index++).join('');
    if (alternatives.length === 1 && /^\w+\.\.\w+/.test(content))
      return this.#refuse('a range such as `{1..3}` is not supported; write `{1,2,3}`');
    return { type: 'group', alternatives };
  }

  /** Throws the problem with the glob. */
  #refuse(fault: string): never {
    const message = `\`${this.#glob}\` is not a valid glob: ${fault}`;
    raise('glob/syntax', message, { hint: globHint });
  }
}

/** Returns the index of the `]` that closes a class of a glob, such as `[a-c]`, skipping escaped characters. Undefined if there is none. */
function classEnd(chars: string[], start: number): number | undefined {
  for (let i = start; i < chars.length; i++) {
    if (chars[i] === '\\') i++;
    else if (chars[i] === ']') return i;
  }
  return undefined;
}

/** A character of a class such as `[a-c]`. */
interface ClassMember {
  char: string;
  isEscaped: boolean;
}

/**
 * Returns the characters of a class of a glob (`[a\-z]`) without backslashes, each with the mark whether it was escaped: an escaped `-` or
 * `[` stands for itself, any other has its special meaning.
 */
function unescapeClass(chars: string[]): ClassMember[] {
  const members: ClassMember[] = [];
  for (let i = 0; i < chars.length; i++) {
    const isEscaped = chars[i] === '\\';
    if (isEscaped) i++;
    members.push({ char: chars[i]!, isEscaped });
  }
  return members;
}

/** Returns the test that a glob does for one character of a class such as `[a-c]` or `[!x]`. A dash between two members means a range. */
function classTest(members: ClassMember[], isNegated: boolean): CodeTest {
  const ranges: [from: number, to: number][] = [];
  for (let i = 0; i < members.length; i++) {
    const from = members[i]!.char.codePointAt(0)!;
    const dash = members[i + 1];
    const isRange = dash?.char === '-' && !dash.isEscaped && i + 2 < members.length;
    if (isRange) i += 2;
    ranges.push([from, members[i]!.char.codePointAt(0)!]);
  }
  return (code) => ranges.some(([from, to]) => from <= code && code <= to) !== isNegated;
}
