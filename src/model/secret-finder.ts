import { SubstringIndex } from './grams.ts';
import type { Sealed } from './sealed.ts';

/** True if a text holds one of some secrets. */
export type SecretFinder = (text: string) => boolean;

/** From this length, a secret counts anywhere in a text. */
const longPiece = 8;
/** From this length, it counts as a word of its own. A shorter one could be anything. */
const shortestPiece = 4;

/**
 * Makes a finder for the secrets of a run. It is for text from outside that is shown whole or not at all, such as a field of the account.
 *
 * It looks for whole secrets, in clear and in the usual encodings. `Masking` hides each stretch that a message shares with a secret; here that would
 * hide every URL, because many secrets begin with `https://`.
 */
export function createSecretFinder(secrets: Iterable<Sealed>): SecretFinder {
  const words = new Set<string>();
  const byStart = new Map<string, string[]>();
  const starts = new SubstringIndex(longPiece);
  for (const secret of secrets) {
    const text = secret.reveal().trim();
    if (text.length >= shortestPiece && text.length < longPiece) words.add(text);
    for (const spelling of text.length < longPiece ? [] : spellingsOf(text)) {
      const start = spelling.slice(0, longPiece);
      const others = byStart.get(start);
      if (others?.includes(spelling)) continue;
      if (others) others.push(spelling);
      else {
        byStart.set(start, [spelling]);
        starts.add(start);
      }
    }
  }
  if (words.size === 0 && byStart.size === 0) return () => false;
  const hasLong = (text: string): boolean =>
    text.length >= longPiece &&
    starts
      .positions(characterUnitsOf(text))
      .some((index) =>
        byStart
          .get(text.slice(index, index + longPiece))
          ?.some((spelling) => text.startsWith(spelling, index)),
      );
  return (text) => hasLong(text) || [...words].some((word) => hasWord(text, word));
}

/** A secret in clear and in each encoding in which a URL, a header, a script or a JSON text may carry it. */
function spellingsOf(text: string): string[] {
  const quoted = JSON.stringify(text).slice(1, -1);
  const bytes = Buffer.from(text);
  // Half a surrogate pair has no percent encoding; here it is a replacement character.
  const percent = encodeURIComponent(bytes.toString());
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((offset) => base64At(bytes, offset));
  const url = base64.map((part) => part.replaceAll('+', '-').replaceAll('/', '_'));
  const all = [
    text,
    quoted,
    percent,
    percent.replaceAll('%20', '+'),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...url,
  ];
  return [...new Set(all)].filter((spelling) => spelling.length >= longPiece);
}

/** The base64 digits that depend on these bytes alone if `offset` other bytes come before them, as the user's name does in Basic authorization. */
function base64At(bytes: Buffer, offset: number): string {
  const digits = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const isCut = (offset + bytes.length) % 3 !== 0;
  return digits.slice(Math.ceil((offset * 4) / 3), isCut ? -1 : undefined);
}

function characterUnitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  return units;
}

function hasWord(text: string, word: string): boolean {
  for (let index = text.indexOf(word); index >= 0; index = text.indexOf(word, index + 1))
    if (!isWordCharacter(text[index - 1]) && !isWordCharacter(text[index + word.length])) return true;
  return false;
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);
