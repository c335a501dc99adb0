import { badRequest } from '../errors.ts';

/** The syntax of a route's `src`. */
export type SrcSyntax = 'equals' | 'path-to-regexp' | 'regex';

/** A compiled pattern: the regular expression, and the group number of each named parameter. */
export interface CompiledSource {
  src: string;
  groups: Map<string, number>;
}

/** Returns the syntax that a pattern most probably has. The API infers it as well, by a rule that is not published. */
export function inferSyntax(src: string): SrcSyntax {
  if (src.startsWith('^') || src.endsWith('$')) return 'regex';
  return /[:(*{]/.test(src) ? 'path-to-regexp' : 'equals';
}

const literal = (text: string) => text.replace(/[.+*?=^!:${}()[\]|/\\]/g, '\\$&');

const group = String.raw`\((?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))*\)`;
// An escaped character, a group in braces, a parameter with the / or . before it, or any other character.
const token = new RegExp(
  String.raw`\\(?<escaped>.)|\{(?<inner>[^{}]*)\}(?<braceModifier>[?*+]?)|(?<before>[/.]?)(?::(?<name>\w+)(?<own>${group})?|(?<bare>${group}))(?<modifier>[?*+]?)|(?<other>.)`,
  'gs',
);
const insideBraces = new RegExp(
  String.raw`^(?<before>[^:()]*)(?::(?<name>\w+)(?<own>${group})?|(?<bare>${group}))?(?<after>[^:()]*)$`,
);

/** A parameter of a path pattern: the texts around it, the regular expression of its value, and `?`, `*`, `+` or nothing. */
interface Parameter {
  before: string;
  after: string;
  pattern: string;
  modifier: string;
}

/** Returns the regular expression of one parameter of a path. */
function expression({ before, after, pattern, modifier }: Parameter): string {
  const [prefix, suffix] = [literal(before), literal(after)];
  if (pattern === '') return `(?:${prefix}${suffix})${modifier}`;
  const repeats = modifier === '*' || modifier === '+';
  const optional = modifier === '*' ? '?' : '';
  if (prefix + suffix === '') return repeats ? `((?:${pattern})${modifier})` : `(${pattern})${modifier}`;
  if (!repeats) return `(?:${prefix}(${pattern})${suffix})${modifier}`;
  return `(?:${prefix}((?:${pattern})(?:${suffix}${prefix}(?:${pattern}))*)${suffix})${optional}`;
}

/**
 * Compiles a path pattern, such as `/blog/:slug`, in the dialect of path-to-regexp 6. It is strict: a slash at the end matches only if the
 * pattern has one. Throws 400 if the pattern cannot be read.
 */
function compilePath(path: string): CompiledSource {
  const groups = new Map<string, number>();
  let count = 0;
  const patternOf = (name = '', own = '', bare = '') => {
    if (name === '' && bare === '') return '';
    count += 1;
    if (name !== '') groups.set(name, count);
    return (own || bare).slice(1, -1) || String.raw`[^\/]+?`;
  };
  let src = '';
  for (const { groups: parts = {} } of path.matchAll(token)) {
    const { escaped, inner, braceModifier = '', before = '', name, own, bare, modifier = '', other } = parts;
    if (other !== undefined && /[?*+(){}:]/.test(other)) {
      throw badRequest(`Invalid request: \`src\` has a ${other} out of place; write it as \\${other}.`);
    }
    if (other !== undefined) src += literal(other);
    else if (escaped !== undefined) src += literal(escaped);
    else if (inner === undefined) {
      src += expression({ before, after: '', pattern: patternOf(name, own, bare), modifier });
    } else {
      const braceGroups = insideBraces.exec(inner)?.groups;
      if (braceGroups === undefined)
        throw badRequest(`Invalid request: \`src\` has a group that cannot be read: {${inner}}.`);
      const pattern = patternOf(braceGroups.name, braceGroups.own, braceGroups.bare);
      src += expression({
        before: braceGroups.before ?? '',
        after: braceGroups.after ?? '',
        pattern,
        modifier: braceModifier,
      });
    }
  }
  return { src: `^${src}$`, groups };
}

/** Compiles a pattern to the regular expression that the platform matches with, or throws 400. */
export function compileSource(src: string, syntax: SrcSyntax): CompiledSource {
  const compiled =
    syntax === 'path-to-regexp'
      ? compilePath(src)
      : { src: syntax === 'equals' ? `^${literal(src)}$` : src, groups: new Map<string, number>() };
  try {
    new RegExp(compiled.src);
  } catch (error) {
    throw badRequest(`Invalid request: \`src\` is not a valid pattern: ${(error as Error).message}.`);
  }
  return compiled;
}

/** Returns a destination with `$1` for the first parameter of the source instead of its name. */
export function compileDestination(dest: string, groups: ReadonlyMap<string, number>): string {
  // A ? after a parameter begins the query.
  return dest.replace(/:(\w+)[*+]?/g, (text, name: string) => {
    const number = groups.get(name);
    return number === undefined ? text : `$${number}`;
  });
}
