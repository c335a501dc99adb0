/*
 * The regular expressions whose meaning is the same in all common dialects and that need little time. No source says which dialect the platform
 * uses, so others are not judged. The time matters because people from outside can write the configuration of a pull request.
 */

/** Look-behind, named groups, flags, references, classes of one dialect, and possessive or lazy counts. */
const special = /\(\?(?![:=!])|\\(?![dDwWsSbB.\-/^$*+?()[\]{}|\\])|\[\[|\[\^?\]|[*+?}][+]|\{,/;

/** True for a regular expression that means the same in all dialects, is valid, and does not repeat something that itself repeats. */
export function isSimpleRegex(source: string): boolean {
  if (source.length > 1000 || special.test(source) || repeatsGroup(source)) return false;
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

/** Returns a simple regular expression, compiled. */
export const compileSimpleRegex = (source: string): RegExp => new RegExp(source);

/** Returns how many repetitions of a regular expression can grow with the text, for `isCheapMatch`. */
export const costOf = (source: string): number =>
  (withoutClasses(source).match(/[*+]|\{\d+,\d*\}/g) ?? []).length;

/** The most steps that one match may take. */
const mostSteps = 1_000_000;

/**
 * True if matching a text with so many growing repetitions takes little time. A match takes at most as many steps as the length of the text to the power
 * of the number of repetitions.
 */
export const isCheapMatch = (text: string, repetitions: number): boolean =>
  text.length ** Math.max(repetitions, 1) <= mostSteps;

/** True if a regular expression has alternatives outside of all groups, such as `^a|b$`. */
export function hasOpenAlternatives(source: string): boolean {
  let depth = 0;
  for (const character of withoutClasses(source))
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === '|' && depth === 0) return true;
  return false;
}

/** Matches a character, class or escaped character, and how often it is repeated. */
const atomPattern = /(\\.|\[(?:\\.|[^\]])*\]|.)([*+?]|\{[^}]*\})?/gs;

/** Returns the longest text that everything contains that a simple regular expression matches, in lower case; empty if there is none. */
export function requiredText(source: string): string {
  if (hasOpenAlternatives(source)) return '';
  let longest = '';
  let current = '';
  let depth = 0;
  for (const [, atom = '', repetition] of source.matchAll(atomPattern)) {
    if (atom === '(') depth++;
    else if (atom === ')') depth--;
    const isLiteral = /^([\w/~@&',;=!-]|\\\W)$/.test(atom);
    current = depth === 0 && isLiteral && repetition === undefined ? current + atom.at(-1) : '';
    if (current.length > longest.length) longest = current;
  }
  return longest.toLowerCase();
}

/** Returns a regular expression with a letter in place of each class and escaped character, so that only its structure is left. */
const withoutClasses = (source: string): string => source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');

/** True if a group with repetitions or alternatives in it is repeated, which can take exponential time. */
function repeatsGroup(source: string): boolean {
  const structure = withoutClasses(source);
  const isComplex: boolean[] = [];
  for (let index = 0; index < structure.length; index++) {
    const character = structure[index]!;
    if (character === '(') isComplex.push(false);
    else if (character === ')') {
      const wasComplex = isComplex.pop() ?? false;
      const isRepeated = /[*+{]/.test(structure[index + 1] ?? '');
      if (wasComplex && isRepeated) return true;
      if ((wasComplex || isRepeated) && isComplex.length > 0) isComplex[isComplex.length - 1] = true;
    } else if (/[*+{|]/.test(character) && isComplex.length > 0) isComplex[isComplex.length - 1] = true;
  }
  return false;
}
