/*
 * The regular expressions whose meaning is the same in all common dialects and that need little time. No source says which dialect the
 * platform uses, so others are not judged. The time matters because people from outside can write the configuration of a pull request.
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

/** What limits the time of a match. A match takes about `choices` times the length of the text to the power of `repetitions` steps. */
export interface MatchCost {
  /** The number of parts whose length can grow with the text. */
  repetitions: number;
  /** In how many ways the other parts can be read: twice as many for each optional part, and more for alternatives that can start alike. */
  choices: number;
}

/** Returns the cost of looking for a regular expression in a text. Without `^`, a match can start at each position. */
export function costOfSearch(source: string): MatchCost {
  const { repetitions, choices } = costOfPart(source);
  const isAnchored = source.startsWith('^') && !hasOpenAlternatives(source);
  return { repetitions: repetitions + (isAnchored ? 0 : 1), choices };
}

/** Returns the cost of a regular expression that is a part of another one. */
export function costOfPart(source: string): MatchCost {
  // A dot stands for everything that is not certain to differ from another text.
  const structure = source
    .replace(/\\./g, '.')
    .replace(/\[[^\]]*\]/g, '.')
    .replace(/\(\?[:=!]/g, '(');
  const optionalParts = structure.match(optionalSign) ?? [];
  return {
    repetitions: (structure.match(/[*+]|\{\d+,\d*\}/g) ?? []).length,
    choices: 2 ** optionalParts.length * countAlternatives(structure),
  };
}

/** Matches a `?` that makes a part optional, and not one that makes a repetition lazy or opens a group. */
const optionalSign = /(?<![(*+?}])\?/g;

/** Returns in how many ways the alternatives of a regular expression can be combined. Alternatives that exclude each other count once. */
function countAlternatives(structure: string): number {
  let product = 1;
  const groups: string[][] = [['']];
  const addText = (text: string) => {
    const alternatives = groups.at(-1)!;
    alternatives.push(alternatives.pop()! + text);
  };
  for (const character of structure)
    if (character === '(') groups.push(['']);
    else if (character === ')' && groups.length > 1) {
      product *= choicesOf(groups.pop()!);
      addText('.');
    } else if (character === '|') groups.at(-1)!.push('');
    else addText(character);
  return product * choicesOf(groups[0]!);
}

/** Returns how many of these alternatives can match at one position of a text. */
function choicesOf(alternatives: readonly string[]): number {
  const words = alternatives.map((alternative) => alternative.toLowerCase()).sort();
  const isOnlyOne = words.every(
    (word, index) => /^[\w/-]+$/.test(word) && !(index > 0 && word.startsWith(words[index - 1]!)),
  );
  return isOnlyOne ? 1 : alternatives.length;
}

/** The most steps that one match may take. */
const mostSteps = 1_000_000;

/** Returns about how many steps a match in a text takes at most. */
export const stepsOfMatch = (text: string, { repetitions, choices }: MatchCost): number =>
  choices * Math.max(text.length, 1) ** Math.max(repetitions, 1);

/** True if a match in a text takes little time. */
export const isCheapMatch = (text: string, cost: MatchCost): boolean => stepsOfMatch(text, cost) <= mostSteps;

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

/** True if a group with repetitions, alternatives or optional parts in it is repeated, which can take exponential time. */
function repeatsGroup(source: string): boolean {
  const structure = withoutClasses(source).replace(/\(\?[:=!]/g, '(');
  const isComplex: boolean[] = [];
  for (let index = 0; index < structure.length; index++) {
    const character = structure[index]!;
    if (character === '(') isComplex.push(false);
    else if (character === ')') {
      const wasComplex = isComplex.pop() ?? false;
      const isRepeated = /[*+{]/.test(structure[index + 1] ?? '');
      if (wasComplex && isRepeated) return true;
      if ((wasComplex || isRepeated) && isComplex.length > 0) isComplex[isComplex.length - 1] = true;
    } else if (/[*+?{|]/.test(character) && isComplex.length > 0) isComplex[isComplex.length - 1] = true;
  }
  return false;
}
