import { decodeText } from './decode-text.ts';
import { type DecodedText, sliceDecoded } from './decoded-text.ts';
import { computeOnce } from './graph.ts';
import type { Sealed } from './sealed.ts';
import { SubstringIndex } from './substring-index.ts';

/** Shorter stretches may be shared by chance; a shorter secret counts only as a word of its own. */
const longSecret = 8;
const shortestSecret = 4;

/** Hides the secrets of one run in text from outside: the platform may quote a value that an earlier request sent. */
export interface Masking {
  /** Registers a secret of the run. */
  addSecret(secret: Sealed): void;
  /**
   * Sets a text that people see anyway: `mask` leaves its stretches readable. `open` returns it, and is called only
   * when needed.
   */
  setVisibleText(open: () => string): void;
  /**
   * Returns the text with `(secret)` for each stretch of 8 characters or more that it shares with a secret, in clear, in capitals or small
   * letters, or in a usual encoding. A secret of 4 to 7 characters is hidden only as a whole word. `alsoVisible`: further text that people
   * see anyway.
   */
  mask(text: string, alsoVisible?: string): string;
  /** Returns the stretches of a text that `mask` replaces, so that a snapshot of the plan can hide them in its answers, too. */
  listHidden(text: string, alsoVisible?: string): string[];
  /**
   * Returns the text if it looks like a code or the name of a parameter and contains no whole secret of 8 characters or
   * more, in capitals or small letters. It is then shown even if it shares a stretch with one. Returns undefined otherwise.
   */
  safeNameIn(text: string): string | undefined;
  /**
   * Returns the text if it looks like the slug or the id of a team or user and shows no part of a secret. Returns undefined otherwise. A
   * text from an answer that begins with `-` or has spaces could change a command or a file in which a user pastes it.
   */
  safeSlugIn(text: unknown): string | undefined;
}

/** A stretch of a text, by offsets. */
interface Span {
  from: number;
  to: number;
}

/**
 * Creates the masking of a run, without secrets yet. The run registers each secret that it reads, and masks all text from outside (answers
 * of the platform, output of programs) before a message quotes it. Secrets shorter than `shortestSecret` are not masked. Short names and
 * ids from an answer can be checked instead (`safeNameIn`, `safeSlugIn`). Secrets are indexed when the first text is masked, because most
 * runs quote none.
 */
export function createMasking(): Masking {
  const secretTexts = new Set<string>();
  const index = new SecretIndex();
  let unindexed: string[] = [];
  let visibleText = () => '';
  /** Returns the spans of a text in which it shares a stretch with a secret, unless people see that stretch anyway. */
  const findSpans = (text: string, alsoVisible: string): Span[] => {
    if (secretTexts.size === 0) return [];
    for (const secretText of unindexed) index.add(secretText);
    unindexed = [];
    const isVisible = (part: string) => visibleText().includes(part) || alsoVisible.includes(part);
    return decodeText(text, index.shortestLength()).flatMap((decoded) => index.findSpans(decoded, isVisible));
  };
  const masking: Masking = {
    addSecret(secret) {
      const text = foldCapitals(secret.reveal());
      if (text.length < shortestSecret || secretTexts.has(text)) return;
      secretTexts.add(text);
      unindexed.push(text);
    },
    setVisibleText(open) {
      visibleText = computeOnce(open);
    },
    mask: (text, alsoVisible = '') => cutSpans(text, findSpans(text, alsoVisible)),
    listHidden: (text, alsoVisible = '') =>
      joinSpans(findSpans(text, alsoVisible)).map(({ from, to }) => text.slice(from, to)),
    safeNameIn(text) {
      const isName = /^[A-Za-z][\w.[\]$-]{0,99}$/.test(text);
      return isName && !containsWholeSecret(text, secretTexts) ? text : undefined;
    },
    safeSlugIn(text) {
      const isSlug = typeof text === 'string' && /^[a-z\d][\w-]{0,99}$/i.test(text);
      return isSlug && masking.mask(text) === text ? text : undefined;
    },
  };
  return masking;
}

/**
 * True if a short text, such as the name of a parameter, contains a whole secret of 8 characters or more. A shorter secret does not count,
 * because it may be in a name by chance. `secretTexts`: the secrets, with small letters for capitals.
 */
function containsWholeSecret(text: string, secretTexts: ReadonlySet<string>): boolean {
  const folded = foldCapitals(text);
  for (let from = 0; from < folded.length; from++)
    for (let to = from + longSecret; to <= folded.length; to++)
      if (secretTexts.has(folded.slice(from, to))) return true;
  return false;
}

/** The secrets of a run, prepared for searching texts. */
class SecretIndex {
  readonly #stretches = new SubstringIndex(longSecret);
  /** The short secrets, by length. */
  readonly #words = new Map<number, SubstringIndex>();

  /**
   * Adds a secret of the run to the index by which masking finds it in messages: all of its stretches of `longSecret` characters. A shorter
   * secret is found only as a whole word. White space is also folded, because a message may break the secret over several lines. The caller
   * has replaced capitals by small letters, because messages may quote the secret in either.
   */
  add(secret: string): void {
    this.#stretches.add(secret);
    this.#stretches.add(secret.replace(/\s+/g, ' '));
    const word = secret.trim();
    if (word.length < shortestSecret || word.length >= longSecret) return;
    if (!this.#words.has(word.length)) this.#words.set(word.length, new SubstringIndex(word.length));
    this.#words.get(word.length)!.add(word);
  }

  /** Returns the length of the shortest text that masking can find, so that decoded pieces that are shorter need no search. */
  shortestLength(): number {
    return Math.min(longSecret, ...this.#words.keys());
  }

  /**
   * Returns the spans of the original text whose decoded form shows a part of a secret, to mask them. Leaves out the visible ones
   * (also in a text that the user has just read, such as the plan): masking them would hide nothing and make the message unreadable.
   */
  findSpans(decoded: DecodedText, isVisible: (part: string) => boolean): Span[] {
    const folded = decoded.units.map(foldCapital);
    const stretches = this.#stretches.findPositions(folded);
    const spans = joinSpans(stretches.map((from) => ({ from, to: from + longSecret })));
    for (const wordIndex of this.#words.values())
      for (const from of wordIndex.findPositions(folded)) {
        const to = from + wordIndex.length;
        if (!isWordUnit(decoded.units[from - 1]) && !isWordUnit(decoded.units[to])) spans.push({ from, to });
      }
    return spans
      .filter(({ from, to }) => !isVisible(sliceDecoded(decoded, from, to)))
      .map(({ from, to }) => ({ from: decoded.from[from]!, to: decoded.to[to - 1]! }));
  }
}

/**
 * Returns a text with small letters for the capitals from A to Z. Masking searches such texts, because platforms write host names in small
 * letters.
 */
const foldCapitals = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Returns the UTF-16 unit of a small letter for that of a capital from A to Z, and any other unit as it is. Other letters can change their
 * length.
 */
const foldCapital = (unit: number): number => (unit >= 65 && unit <= 90 ? unit + 32 : unit);

/** True for the UTF-16 unit of a letter, a digit or an underscore. A short secret counts only between other units. */
const isWordUnit = (unit: number | undefined) =>
  unit !== undefined && /[\p{L}\p{N}_]/u.test(String.fromCharCode(unit));

/**
 * Returns the spans (stretches with a secret) of a text in their order. Those that touch or overlap become one, so that the text shows one
 * `(secret)` for them.
 */
function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** Returns a text to print with `(secret)` instead of each span (a stretch in which masking found a secret). */
function cutSpans(text: string, spans: readonly Span[]): string {
  let masked = '';
  let index = 0;
  for (const { from, to } of joinSpans(spans)) {
    masked += `${text.slice(index, from)}(secret)`;
    index = to;
  }
  return masked + text.slice(index);
}
