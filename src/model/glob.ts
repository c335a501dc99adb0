import type { Address } from './address.ts';
import { Problems } from './diagnostic.ts';
import { Automaton, type GlobRules, type Reach } from './glob-automaton.ts';
import { type GlobNode, parseGlob, slash } from './glob-syntax.ts';
import { addressWithoutTarget } from './logical-changes.ts';

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
 * Any other character stands for itself. Syntax of other tools (`!(a)`, `(a|b)`, `{1..3}`) is an error, because a guard
 * that silently matches nothing guards nothing.
 *
 * To treat all parts alike, both the glob and the text get a slash in front: `**` is then any number of `/name`.
 */

/** A compiled glob. */
export interface Glob {
  matches(text: string): boolean;
  /** Tells if the glob matches an address or path, or only text that begins with it and a slash. */
  reach(text: string): Reach;
  /** The number of steps that all matching took so far. Callers with a limit on work count it. */
  readonly steps: number;
}

/**
 * Compiles a glob such as `projects/*` once, so that many addresses, paths or names can be tested quickly. Throws `Problems` if the glob
 * is not valid. A caller that knows the place of the glob in a file uses `globFault` first, for a message that names the place.
 */
export function compileGlob(glob: string, options: Partial<GlobRules> = {}): Glob {
  const { hasParts = true, matchesHidden = true, maxSteps = Number.POSITIVE_INFINITY } = options;
  const nodes = parseGlob(glob, hasParts);
  const literal = literalOf(nodes);
  // Most globs of a configuration are plain addresses.
  if (literal !== undefined) return literalGlob(literal);
  // Most texts differ from the glob before its first wildcard. Then a comparison is enough, and the automaton is not needed.
  const { front, patternNodes } = splitFront(nodes);
  // The automaton takes a `**` for any number of `/name`. So a glob that may begin with `**` gets a slash in front, and each text, too.
  const needsSlash = hasParts && front === '';
  const automaton = new Automaton(needsSlash ? [slash, ...patternNodes] : patternNodes, {
    hasParts,
    matchesHidden,
    maxSteps,
    // True if the text that the automaton reads begins with the start of a name, so that a dot there hides the name.
    isAtStart: !needsSlash && (front === '' || front.endsWith('/')),
  });
  const textBehindFront = (text: string) => (needsSlash ? `/${text}` : text.slice(front.length));
  return {
    matches: (text) => text.startsWith(front) && automaton.accepts(textBehindFront(text)),
    reach(text) {
      if (text.startsWith(front)) return automaton.reach(textBehindFront(text));
      return isPathBelow(front, text) ? 'below' : 'none';
    },
    get steps() {
      return automaton.steps;
    },
  };
}

/**
 * Returns a glob without wildcards, which matches one text. It needs no automaton. `reach` of a folder's path is `below` if the text is in
 * that folder.
 */
const literalGlob = (literal: string): Glob => ({
  matches: (text) => text === literal,
  reach(text) {
    if (text === literal) return 'match';
    return isPathBelow(literal, text) ? 'below' : 'none';
  },
  steps: 0,
});

/** True if a path is below a folder. */
const isPathBelow = (path: string, folder: string): boolean =>
  path[folder.length] === '/' && path.startsWith(folder);

/**
 * Returns the fault of a glob as a message; undefined if the glob is valid. Used where a file contains the glob, so
 * that the problem can be reported at its place instead of being thrown.
 */
export function globFault(glob: string, options: Partial<GlobRules> = {}): string | undefined {
  try {
    compileGlob(glob, options);
    return undefined;
  } catch (error) {
    if (error instanceof Problems) return error.diagnostics[0]!.message;
    throw error;
  }
}

/**
 * Splits a glob of paths into the folder in front of its first wildcard, unescaped, and the glob for the paths below that folder:
 * `config/prod/*.yaml` into `config/prod` and `*.yaml`. Used to list only the files of that folder.
 */
export function splitGlob(glob: string): { folder: string; below: string } {
  const parts = glob.split('/');
  // An escaped character, such as `\*`, is no wildcard.
  const firstPattern = parts.findIndex((part) => /[*?[{]/.test(part.replace(/\\./g, '')));
  const folderCount = firstPattern < 0 ? parts.length : firstPattern;
  const folder = parts.slice(0, folderCount).join('/').replace(/\\(.)/g, '$1');
  const below = parts.slice(folderCount).join('/');
  const isRoot = glob.startsWith('/') && folder === '';
  return { folder: isRoot ? '/' : folder, below };
}

/**
 * Splits a parsed glob into the literal text in front of its first wildcard (`front`) and the nodes from there on: `projects/web-*` into
 * `projects/web-` and the node of `*`. A slash before `**` or braces stays with the nodes. Most addresses do not begin with the literal
 * text, and then need no automaton.
 */
function splitFront(nodes: GlobNode[]): { front: string; patternNodes: GlobNode[] } {
  let front = '';
  for (const [index, node] of nodes.entries()) {
    const next = nodes[index + 1]?.type;
    // A slash in front of `**` or a group is not fixed: `a/**` also matches `a`.
    const isFixedSlash = node.type === 'slash' && next !== undefined && next !== 'stars' && next !== 'group';
    if (node.type !== 'char' && !isFixedSlash) return { front, patternNodes: nodes.slice(index) };
    front += node.type === 'char' ? node.char : '/';
  }
  return { front, patternNodes: [] };
}

/** Returns the only text that a glob matches; undefined if it can match several. */
function literalOf(nodes: GlobNode[]): string | undefined {
  const isLiteral = nodes.every(({ type }) => type === 'char' || type === 'slash');
  return isLiteral ? nodes.map((node) => (node.type === 'char' ? node.char : '/')).join('') : undefined;
}

/**
 * Returns a test for addresses by globs. `projects/web` matches only that address, `projects/web/**` also all below it, `**` all.
 * A variable has one address for each target, such as `projects/web/env/API_URL@production`; a glob without the target matches all of
 * them. Used for `owns`, guards and selected addresses. `compile`: for callers that limit how long matching may take.
 */
export function createAddressMatcher(
  globs: readonly string[],
  compile: (glob: string) => Pick<Glob, 'matches'> = compileGlob,
): (address: Address) => boolean {
  const compiled = globs.map((glob) => compile(glob));
  const isMatch = (text: string) => compiled.some((glob) => glob.matches(text));
  return (address) => {
    const withoutTarget = addressWithoutTarget(address);
    return isMatch(address) || (withoutTarget !== address && isMatch(withoutTarget));
  };
}
