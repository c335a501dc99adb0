/*
 * Reads regular expressions of firewall rules. The platform documents them as Perl compatible (PCRE). A part of that language is supported
 * here: the part in which a pattern describes nothing but a set of texts. Everything else, such as lookarounds, is `unsupported`: nothing
 * is claimed about such a pattern.
 */
import { anyCharacter, type CharacterSet, characterSet, complement } from './character-set.ts';

/** A pattern as a tree. `start` and `end`: the place before the first and behind the last character. */
export type Pattern =
  | { type: 'characters'; set: CharacterSet }
  | { type: 'sequence'; parts: readonly Pattern[] }
  | { type: 'choice'; options: readonly Pattern[] }
  | { type: 'repeat'; part: Pattern; min: number; max: number }
  | { type: 'start' }
  | { type: 'end' };

/** A pattern that was read; why it is none; or nothing, if its meaning is not known here. */
export type ParsedPattern =
  | { type: 'pattern'; pattern: Pattern }
  | { type: 'invalid'; reason: string }
  | { type: 'unsupported' };

/** Ends the reading of a text. `reason`: why it is no regular expression; without one, it has an unsupported part. */
class StopReading extends Error {
  readonly reason: string | undefined;
  constructor(reason?: string) {
    super(reason);
    this.reason = reason;
  }
}

/** Returns a regular expression as a tree. It says `invalid` only of what no Perl compatible engine takes. */
export function parsePattern(text: string): ParsedPattern {
  try {
    // The operators ignore case anyway.
    return { type: 'pattern', pattern: new PatternReader(text.replace(/^\(\?i\)/, '')).read() };
  } catch (error) {
    if (!(error instanceof StopReading)) throw error;
    return error.reason === undefined ? { type: 'unsupported' } : { type: 'invalid', reason: error.reason };
  }
}

/** Returns the pattern of a text itself. */
export const patternOfText = (text: string): Pattern => ({ type: 'sequence', parts: charactersOf(text) });

/** Returns the characters of a text as patterns, to put them into a sequence. */
export const charactersOf = (text: string): Pattern[] => text.split('').map(singleCharacter);

/**
 * Returns how every text that a pattern matches begins; empty if the pattern may match elsewhere, or begins with more than fixed
 * characters.
 */
export function plainPrefix(pattern: Pattern): string {
  if (pattern.type !== 'sequence' || pattern.parts[0]?.type !== 'start') return '';
  const codes = pattern.parts
    .slice(1)
    .map((part) => (part.type === 'characters' ? onlyCharacter(part.set) : undefined));
  const end = codes.indexOf(undefined);
  return String.fromCharCode(...(end < 0 ? codes : codes.slice(0, end)).map(Number));
}

const onlyCharacter = ([first, second]: CharacterSet): number | undefined =>
  first && !second && first[0] === first[1] ? first[0] : undefined;

/** True if a text has a letter outside of ASCII that has two cases: whether the platform ignores the case of those is not documented. */
export const hasForeignCase = (text: string): boolean =>
  /[^\0-\x7f]/.test(text) && [...text].some((character) => character > '\x7f' && hasTwoCases(character));

const hasTwoCases = (character: string) => character.toLowerCase() !== character.toUpperCase();
const setOf = (character: string): CharacterSet =>
  characterSet([[character.charCodeAt(0), character.charCodeAt(0)]]);
const singleCharacter = (character: string): Pattern => ({ type: 'characters', set: setOf(character) });

const range = (from: string, to: string) => [from.charCodeAt(0), to.charCodeAt(0)] as const;
const digit = characterSet([range('0', '9')]);
const word = characterSet([range('0', '9'), range('a', 'z'), range('_', '_')]);
const space = characterSet([range('\t', '\r'), range(' ', ' ')]);
/** What a backslash with a letter stands for. */
const escapes: Record<string, CharacterSet> = {
  d: digit,
  D: complement(digit),
  w: word,
  W: complement(word),
  s: space,
  S: complement(space),
  n: setOf('\n'),
  r: setOf('\r'),
  t: setOf('\t'),
  f: setOf('\f'),
};
/** A larger count makes a pattern too large to compare. */
const largestCount = 100;
/**
 * Longer expressions, and groups nested deeper, are not read: anybody who proposes a change can write them, and reading them needs memory.
 */
const longestText = 10_000;
const deepestGroup = 100;
/** Patterns of more characters, counting each repetition, are not compared. */
export const mostNodes = 3000;

/** Returns how many nodes an automaton of a pattern has at least. Used to leave out patterns that are too large to compare. */
export function sizeOf(pattern: Pattern): number {
  switch (pattern.type) {
    case 'sequence':
      return pattern.parts.reduce((sum, part) => sum + sizeOf(part), 0);
    case 'choice':
      return pattern.options.reduce((sum, option) => sum + 1 + sizeOf(option), 1);
    case 'repeat':
      return (
        1 +
        sizeOf(pattern.part) *
          Math.max(1, pattern.max < Number.POSITIVE_INFINITY ? pattern.max : pattern.min + 1)
      );
    default:
      return 1;
  }
}

class PatternReader {
  private position = 0;
  private depth = 0;
  private readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  read(): Pattern {
    if (this.text.length > longestText || /[^\0-\x7f]/.test(this.text)) throw new StopReading();
    const pattern = this.readChoice();
    if (this.position < this.text.length) throw new StopReading('a closing parenthesis has no opening one');
    return pattern;
  }

  private get next(): string | undefined {
    return this.text[this.position];
  }

  /** Moves past a text if it comes next, and returns whether it did. */
  private skip(text: string): boolean {
    if (!this.text.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  /** Moves past what an expression matches here, and returns its match. */
  private take(expression: RegExp): RegExpExecArray | null {
    const match = expression.exec(this.text.slice(this.position));
    if (match) this.position += match[0].length;
    return match;
  }

  private readChoice(): Pattern {
    const options = [this.readSequence()];
    while (this.skip('|')) options.push(this.readSequence());
    return options.length === 1 ? options[0]! : { type: 'choice', options };
  }

  private readSequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.next !== undefined && this.next !== '|' && this.next !== ')')
      parts.push(this.readRepeated(this.readPart()));
    return { type: 'sequence', parts };
  }

  private readPart(): Pattern {
    if (this.skip('^')) return { type: 'start' };
    if (this.skip('$')) return { type: 'end' };
    if (this.skip('.')) return { type: 'characters', set: anyCharacter };
    if (this.skip('(')) return this.readGroup();
    if (this.skip('[')) return { type: 'characters', set: this.readClass() };
    if (this.skip('\\')) return { type: 'characters', set: this.readEscape() };
    const character = this.next!;
    if ('*+?'.includes(character)) throw new StopReading(`\`${character}\` has nothing before it to repeat`);
    if (this.take(/^\{\d*(,\d*)?\}/)) throw new StopReading();
    this.position++;
    return singleCharacter(character);
  }

  private readGroup(): Pattern {
    // Verbs like `(*SKIP)`, and groups that are more than a set of texts: lookarounds, conditions, options.
    if (this.next === '*') throw new StopReading();
    // Nothing may follow, not even nothing: never true.
    if (this.skip('?!)')) return { type: 'characters', set: [] };
    if (this.next === '?' && !this.take(/^\?(:|P?<[a-z_]\w*>)/i)) throw new StopReading();
    if (++this.depth > deepestGroup) throw new StopReading();
    const group = this.readChoice();
    this.depth--;
    if (!this.skip(')')) throw new StopReading('an opening parenthesis has no closing one');
    return group;
  }

  private readEscape(): CharacterSet {
    const character = this.next;
    if (character === undefined) throw new StopReading('it ends with a backslash');
    this.position++;
    const escaped = escapes[character];
    if (escaped) return escaped;
    // Places like `\b`, and references to groups.
    if (/\w/.test(character)) throw new StopReading();
    return setOf(character);
  }

  private readClass(): CharacterSet {
    const isNegated = this.skip('^');
    const ranges: (readonly [number, number])[] = [];
    let isFirst = true;
    while (this.next !== ']' || isFirst) {
      if (this.next === undefined) throw new StopReading('an opening bracket has no closing one');
      // Named classes like `[:alpha:]`.
      if (this.take(/^\[[:.=]/)) throw new StopReading();
      ranges.push(...this.readClassItem());
      isFirst = false;
    }
    this.position++;
    const set = characterSet(ranges);
    return isNegated ? complement(set) : set;
  }

  private readClassItem(): CharacterSet {
    const from = this.readClassCharacter();
    if (!this.take(/^-(?!\])/)) return from.set;
    if (this.next === undefined) throw new StopReading('an opening bracket has no closing one');
    const to = this.readClassCharacter();
    if (from.code === undefined || to.code === undefined) throw new StopReading();
    if (from.code > to.code) throw new StopReading('a range of characters has its ends in the wrong order');
    return [[from.code, to.code]];
  }

  /** Reads a member of a class. `code`: its character as written, if it is a single one and so can be the end of a range. */
  private readClassCharacter(): { set: CharacterSet; code?: number } {
    const character = this.next!;
    if (this.skip('\\')) {
      const escaped = this.next;
      const set = this.readEscape();
      return escaped !== undefined && /\w/.test(escaped) ? { set } : { set, code: escaped!.charCodeAt(0) };
    }
    this.position++;
    return { set: setOf(character), code: character.charCodeAt(0) };
  }

  private readRepeated(part: Pattern): Pattern {
    const counts = this.take(/^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})/);
    if (!counts) return part;
    if (part.type === 'start' || part.type === 'end') throw new StopReading();
    // A possessive quantifier takes no text back, and two quantifiers in a row are no plain repetition.
    if (this.next === '+' || this.next === '*' || this.take(/^\{\d+(,\d*)?\}/)) throw new StopReading();
    // A lazy quantifier describes the same texts.
    this.skip('?');
    const [quantifier, low, comma, high] = counts;
    if (quantifier === '*') return { type: 'repeat', part, min: 0, max: Number.POSITIVE_INFINITY };
    if (quantifier === '+') return { type: 'repeat', part, min: 1, max: Number.POSITIVE_INFINITY };
    if (quantifier === '?') return { type: 'repeat', part, min: 0, max: 1 };
    const min = Number(low);
    const max = comma === undefined ? min : high ? Number(high) : Number.POSITIVE_INFINITY;
    if (min > max) throw new StopReading('a count has its ends in the wrong order');
    if (min > largestCount || (max > largestCount && max !== Number.POSITIVE_INFINITY))
      throw new StopReading();
    return { type: 'repeat', part, min, max };
  }
}
