import { decodeEscapes } from './decode-text.ts';
import { groupBy } from './graph.ts';
import type { Sealed } from './sealed.ts';
import { SubstringIndex } from './substring-index.ts';

/** True if a text holds one of some secrets. */
export type SecretFinder = (text: string) => boolean;

/** From this length, a secret counts anywhere in a text. */
const longPiece = 8;
/** From this length, it counts as a word of its own. A shorter one could be anything. */
const shortestPiece = 4;

/**
 * Returns a test that finds the secrets of a run in a text from outside, such as a field of the account, which a plan then hides as a
 * whole. It looks for whole secrets, in clear and in the usual encodings. Programs escape different characters, so it also decodes the
 * escapes of the text. A short secret only counts as a word of its own. (Hiding each stretch that a text shares with a secret, as masking
 * does in messages, would hide every URL here, because many secrets begin with `https://`.)
 */
export function createSecretFinder(secrets: Iterable<Sealed>): SecretFinder {
  const texts = [...secrets].map((secret) => secret.reveal().trim());
  const usableTexts = texts.filter(({ length }) => length >= shortestPiece);
  if (usableTexts.length === 0) return () => false;
  const longTexts = usableTexts.filter(({ length }) => length >= longPiece);
  const words = [...new Set(usableTexts.filter(({ length }) => length < longPiece))];
  const hasSpelling = createSpellingFinder(new Set(longTexts.flatMap(spellingsOf)));
  const isIn = (text: string) => hasSpelling(text) || words.some((word) => hasWord(text, word));
  return (text) => {
    if (isIn(text)) return true;
    for (const decoded of decodeEscapes(text)) if (isIn(decoded)) return true;
    return false;
  };
}

/**
 * Returns a test that finds any of these spellings of secrets anywhere in a text. Searches for their first 8 characters, all at once, and
 * compares the whole spelling only there. All spellings have at least 8 characters.
 */
function createSpellingFinder(spellings: ReadonlySet<string>): SecretFinder {
  if (spellings.size === 0) return () => false;
  const spellingsByStart = groupBy(spellings, (spelling) => spelling.slice(0, longPiece));
  const starts = new SubstringIndex(longPiece);
  for (const start of spellingsByStart.keys()) starts.add(start);
  const hasSpellingAt = (text: string, index: number) => {
    const candidates = spellingsByStart.get(text.slice(index, index + longPiece)) ?? [];
    return candidates.some((spelling) => text.startsWith(spelling, index));
  };
  return (text) =>
    text.length >= longPiece &&
    starts.findPositions(characterUnitsOf(text)).some((index) => hasSpellingAt(text, index));
}

/**
 * Returns a secret in clear and in each encoding in which a URL, a header, a script or JSON may contain it. Used to notice a known secret
 * in a value, or in one whose escapes were decoded. Spellings that are too short to search for are left out.
 */
function spellingsOf(text: string): string[] {
  const quoted = JSON.stringify(text).slice(1, -1);
  const bytes = Buffer.from(text);
  // Half a surrogate pair has no percent encoding; here it is a replacement character.
  const percent = encodeURIComponent(bytes.toString());
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((offset) => base64At(bytes, offset));
  const base64Url = base64.map((digits) => digits.replaceAll('+', '-').replaceAll('/', '_'));
  const spellings = [
    text,
    quoted,
    percent,
    percent.replaceAll('%20', '+'),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64Url,
  ];
  return [...new Set(spellings)].filter((spelling) => spelling.length >= longPiece);
}

/**
 * Returns the base64 digits that depend only on `bytes` if `offset` other bytes precede them. For example, Basic
 * authorization encodes `user:password`, so the digits of the password depend on the length of the user name modulo 3.
 */
function base64At(bytes: Buffer, offset: number): string {
  const digits = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  // Three bytes are four digits. A digit that has bits of a byte in front, or of one that may follow, is left out.
  const firstOwnDigit = Math.ceil((offset * 4) / 3);
  const hasBitsOfNext = (offset + bytes.length) % 3 !== 0;
  return digits.slice(firstOwnDigit, hasBitsOfNext ? -1 : undefined);
}

/** Returns the UTF-16 units of a text, the form in which `SubstringIndex` searches for secrets. */
function characterUnitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  return units;
}

/**
 * True if a text contains `word` as a word, not as a part of a longer one. Short secrets are searched in this way,
 * because they often appear inside other words by chance.
 */
function hasWord(text: string, word: string): boolean {
  for (let index = text.indexOf(word); index >= 0; index = text.indexOf(word, index + 1))
    if (!isWordCharacter(text[index - 1]) && !isWordCharacter(text[index + word.length])) return true;
  return false;
}

/** True for a letter, a digit or an underscore. A short secret counts only between other characters. */
const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);
