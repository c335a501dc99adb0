import { SubstringIndex } from './grams.ts';
import type { DecodedText } from './reading.ts';
import { decodeText } from './readings.ts';
import type { Sealed } from './sealed.ts';

/** Shorter stretches may be shared by chance; a shorter secret counts only as a word of its own. */
const longSecret = 8;
const shortestSecret = 4;

/** Keeps the secrets of one run out of what others say: the platform may quote what an earlier request sent. */
export interface Masking {
  /** Registers a secret of the run. */
  addSecret(secret: Sealed): void;
  /** Registers text that people see anyway: `mask` leaves its stretches readable. `open` is called only when it matters. */
  setVisibleText(open: () => string): void;
  /**
   * The text with `(secret)` for each stretch that it shares with a secret, in the clear or in a usual encoding: from 8 characters, a
   * whole secret from 4 as a word.
   */
  mask(text: string): string;
  /** Returns a text that looks like a code or the name of a parameter and is no secret; it is shown even if it shares a stretch with one. */
  safeNameIn(text: string): string | undefined;
}

interface Span {
  from: number;
  to: number;
}

export function createMasking(): Masking {
  const known = new Set<string>();
  // Indexed when the first message comes: most runs have none.
  let waiting: string[] = [];
  const stretches = new SubstringIndex(longSecret);
  const words = new Map<number, SubstringIndex>();
  let open = () => '';

  function index(): void {
    for (const text of waiting) {
      stretches.add(text);
      stretches.add(text.replace(/\s+/g, ' '));
      const word = text.trim();
      if (word.length < shortestSecret || word.length >= longSecret) continue;
      if (!words.has(word.length)) words.set(word.length, new SubstringIndex(word.length));
      words.get(word.length)!.add(word);
    }
    waiting = [];
  }

  const hidden = (reading: DecodedText): Span[] => {
    const spans = [...joined(stretches.positions(reading.units))];
    for (const grams of words.values())
      for (const from of grams.positions(reading.units)) {
        const to = from + grams.length;
        if (!isWordUnit(reading.units[from - 1]) && !isWordUnit(reading.units[to])) spans.push({ from, to });
      }
    return spans
      .filter(({ from, to }) => !open().includes(sliceDecoded(reading, from, to)))
      .map(({ from, to }) => ({ from: reading.from[from]!, to: reading.to[to - 1]! }));
  };

  return {
    addSecret(secret) {
      const text = secret.reveal();
      if (text.length < shortestSecret || known.has(text)) return;
      known.add(text);
      waiting.push(text);
    },
    setVisibleText(given) {
      let text: string | undefined;
      open = () => {
        text ??= given();
        return text;
      };
    },
    mask(text) {
      if (known.size === 0) return text;
      index();
      const least = words.size > 0 ? Math.min(...words.keys()) : longSecret;
      return cutSpans(text, decodeText(text, least).flatMap(hidden));
    },
    safeNameIn(text) {
      if (!/^[A-Za-z][\w.[\]$-]{0,99}$/.test(text)) return undefined;
      for (let from = 0; from < text.length; from++)
        for (let to = from + longSecret; to <= text.length; to++)
          if (known.has(text.slice(from, to))) return undefined;
      return text;
    },
  };
}

function sliceDecoded({ units }: DecodedText, from: number, to: number): string {
  let text = '';
  for (let index = from; index < to; index++) text += String.fromCharCode(units[index]!);
  return text;
}

const isWordUnit = (unit: number | undefined) =>
  unit !== undefined && /[\p{L}\p{N}_]/u.test(String.fromCharCode(unit));

/** Joins overlapping stretches. */
function* joined(positions: Iterable<number>): Generator<Span> {
  let last: Span | undefined;
  for (const from of positions) {
    if (last && from <= last.to) last.to = from + longSecret;
    else {
      if (last) yield last;
      last = { from, to: from + longSecret };
    }
  }
  if (last) yield last;
}

function cutSpans(text: string, spans: Span[]): string {
  let made = '';
  let index = 0;
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    if (to <= index) continue;
    // A span that touches a masked one becomes part of it.
    if (from > index || made === '') made += `${text.slice(index, from)}(secret)`;
    index = to;
  }
  return made + text.slice(index);
}
