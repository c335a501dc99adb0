import { Problems } from './diagnostic.ts';

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
export function parseGlob(glob: string, hasParts: boolean): GlobNode[] {
  const chars = [...glob];
  const invalid = (fault: string): never => {
    const message = `\`${glob}\` is not a valid glob: ${fault}`;
    throw new Problems('glob/syntax', message, { hint: globHint });
  };
  let index = 0;

  const parseClass = (): CodeTest => {
    const end = classEnd(chars, index);
    if (end === undefined) return invalid('`[` is not closed');
    const inside = chars.slice(index, end);
    index = end + 1;
    const isNegated = inside[0] === '!' || inside[0] === '^';
    const members = unescapeClass(isNegated ? inside.slice(1) : inside);
    if (members.length === 0) return invalid('`[]` has no characters');
    if (members.some(({ char, isEscaped }) => char === '[' && !isEscaped))
      return invalid('a class such as `[:alpha:]` is not supported; write `[a-z]`');
    if (hasParts && members.some(({ char }) => char === '/'))
      return invalid('a class is part of one name and cannot have a `/`');
    return classTest(members, isNegated);
  };

  const parseSequence = (depth: number): GlobNode[] => {
    const nodes: GlobNode[] = [];
    while (index < chars.length) {
      const char = chars[index]!;
      if (depth > 0 && (char === ',' || char === '}')) return nodes;
      index++;
      if (char === '\\') {
        if (index === chars.length) return invalid('it ends in a single `\\`');
        nodes.push({ type: 'char', char: chars[index++]! });
      } else if (char === '*') {
        let stars = 1;
        for (; chars[index] === '*'; index++) stars++;
        nodes.push({ type: stars > 1 ? 'stars' : 'star' });
      } else if (char === '?') nodes.push({ type: 'one', test: () => true });
      else if (char === '[') nodes.push({ type: 'one', test: parseClass() });
      else if (char === '{') nodes.push(parseGroup(depth + 1));
      else if (char === '/' && hasParts) nodes.push(slash);
      else if (char === '}' || char === ']') return invalid(`\`${char}\` has no opening bracket`);
      else if (char === '(' || char === ')') return invalid('`(a|b)` is not supported; write `{a,b}`');
      else if (char === '!' && index === 1) return invalid('a leading `!` is not supported');
      else nodes.push({ type: 'char', char });
    }
    return nodes;
  };

  const parseGroup = (depth: number): GlobNode => {
    if (depth > maxBraceDepth) return invalid(`it has more than ${maxBraceDepth} groups inside each other`);
    const start = index;
    const alternatives = [parseSequence(depth)];
    for (; chars[index] === ','; alternatives.push(parseSequence(depth))) index++;
    if (chars[index] !== '}') return invalid('`{` is not closed');
    index++;
    if (alternatives.length === 1 && /^\w+\.\.\w+/.test(chars.slice(start, index - 1).join('')))
      return invalid('a range such as `{1..3}` is not supported; write `{1,2,3}`');
    return { type: 'group', alternatives };
  };

  return parseSequence(0);
}

/**
 * Returns the index of the `]` that closes a class such as `[a-c]`, skipping escaped characters. Undefined if there is
 * none.
 */
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

/** Returns the characters of a class without backslashes. An escaped `-` or `[` stands for itself. */
function unescapeClass(chars: string[]): ClassMember[] {
  const members: ClassMember[] = [];
  for (let i = 0; i < chars.length; i++) {
    const isEscaped = chars[i] === '\\';
    if (isEscaped) i++;
    members.push({ char: chars[i]!, isEscaped });
  }
  return members;
}

/** Returns the test for one character of a class. A dash between two members means a range. */
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
