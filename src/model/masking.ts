import type { Reading } from './reading.ts';
import { readings } from './readings.ts';
import type { Sealed } from './sealed.ts';

/** Shorter stretches may be shared by chance; a shorter secret counts only as a word of its own. */
const long = 8;
const shortest = 4;

/** Keeps the secrets of one run out of what others say: the platform may quote what an earlier request sent. */
export interface Masking {
  /** Registers a secret of the run. */
  know(secret: Sealed): void;
  /** Registers text that people see anyway: `mask` leaves its stretches readable. `open` is called only when it matters. */
  show(open: () => string): void;
  /**
   * The text with `(secret)` for each stretch that it shares with a secret, in the clear or in a usual encoding: from 8 characters, a
   * whole secret from 4 as a word.
   */
  mask(text: string): string;
  /** Returns a text that looks like a code or the name of a parameter and is no secret; it is shown even if it shares a stretch with one. */
  name(text: string): string | undefined;
}

interface Span {
  from: number;
  to: number;
}

export function openMasking(): Masking {
  const known = new Set<string>();
  // Indexed when the first message comes: most runs have none.
  let waiting: string[] = [];
  const stretches = new Grams(long);
  const words = new Map<number, Grams>();
  let open = () => '';

  function index(): void {
    for (const text of waiting) {
      stretches.add(text);
      stretches.add(text.replace(/\s+/g, ' '));
      const word = text.trim();
      if (word.length < shortest || word.length >= long) continue;
      if (!words.has(word.length)) words.set(word.length, new Grams(word.length));
      words.get(word.length)!.add(word);
    }
    waiting = [];
  }

  const hidden = (reading: Reading): Span[] => {
    const found = [...joined(stretches.positions(reading.units))];
    for (const grams of words.values())
      for (const from of grams.positions(reading.units)) {
        const to = from + grams.length;
        if (!isWordPart(reading.units[from - 1]) && !isWordPart(reading.units[to])) found.push({ from, to });
      }
    return found
      .filter(({ from, to }) => !open().includes(textOf(reading, from, to)))
      .map(({ from, to }) => ({ from: reading.from[from]!, to: reading.to[to - 1]! }));
  };

  return {
    know(secret) {
      const text = secret.reveal();
      if (text.length < shortest || known.has(text)) return;
      known.add(text);
      waiting.push(text);
    },
    show(given) {
      let text: string | undefined;
      open = () => {
        text ??= given();
        return text;
      };
    },
    mask(text) {
      if (known.size === 0) return text;
      index();
      const least = words.size > 0 ? Math.min(...words.keys()) : long;
      return without(text, readings(text, least).flatMap(hidden));
    },
    name(text) {
      if (!/^[A-Za-z][\w.[\]$-]{0,99}$/.test(text)) return undefined;
      for (let from = 0; from < text.length; from++)
        for (let to = from + long; to <= text.length; to++)
          if (known.has(text.slice(from, to))) return undefined;
      return text;
    },
  };
}

function textOf({ units }: Reading, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) text += String.fromCharCode(units[at]!);
  return text;
}

const isWordPart = (unit: number | undefined) =>
  unit !== undefined && /[\p{L}\p{N}_]/u.test(String.fromCharCode(unit));

/** Joins overlapping stretches. */
function* joined(positions: Iterable<number>): Generator<Span> {
  let last: Span | undefined;
  for (const from of positions) {
    if (last && from <= last.to) last.to = from + long;
    else {
      if (last) yield last;
      last = { from, to: from + long };
    }
  }
  if (last) yield last;
}

function without(text: string, spans: Span[]): string {
  let made = '';
  let at = 0;
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    if (to <= at) continue;
    // A span that touches a masked one becomes part of it.
    if (from > at || made === '') made += `${text.slice(at, from)}(secret)`;
    at = to;
  }
  return made + text.slice(at);
}

const base = 0x01000193;
const mixer = 0x7feb352d;

/** All stretches of one length in some texts: a search takes as long for one text as for thousands. */
class Grams {
  readonly length: number;
  #units = new Uint16Array(1024);
  #used = 0;
  #count = 0;
  /** Positions in `units`, plus one; 0 is a free slot. */
  #slots = new Int32Array(2048);
  /** The factor that the first unit of a stretch has gained in its hash. */
  readonly #leaving: number;

  constructor(length: number) {
    this.length = length;
    this.#leaving = Array.from({ length: length - 1 }).reduce<number>((power) => Math.imul(power, base), 1);
  }

  /** Adds every stretch of `text`; a shorter text has none. */
  add(text: string): void {
    if (text.length < this.length) return;
    if (this.#used + text.length > this.#units.length) {
      const units = new Uint16Array((this.#used + text.length) * 2);
      units.set(this.#units.subarray(0, this.#used));
      this.#units = units;
    }
    const start = this.#used;
    for (let at = 0; at < text.length; at++) this.#units[start + at] = text.charCodeAt(at);
    this.#used += text.length;
    for (let at = start; at + this.length <= this.#used; at++) this.#put(at);
  }

  /** The positions in `units` at which one of the stretches begins, in order. */
  positions(units: Uint16Array): number[] {
    const found: number[] = [];
    const { length } = this;
    if (this.#count === 0 || units.length < length) return found;
    let hash = hashOf(units, 0, length);
    for (let at = 0; ; at++) {
      if (this.#slots[this.#slotOf(units, at, hash)] !== 0) found.push(at);
      if (at + length >= units.length) return found;
      hash = Math.imul(hash - Math.imul(units[at]!, this.#leaving), base) + units[at + length]!;
    }
  }

  #put(at: number): void {
    if ((this.#count + 1) * 2 > this.#slots.length) {
      const old = this.#slots;
      this.#slots = new Int32Array(old.length * 4);
      for (const position of old)
        if (position !== 0) this.#slots[this.#slotOf(this.#units, position - 1)] = position;
    }
    const slot = this.#slotOf(this.#units, at);
    if (this.#slots[slot] !== 0) return;
    this.#slots[slot] = at + 1;
    this.#count += 1;
  }

  /** The slot that holds the stretch, or the free one where it would be. */
  #slotOf(units: Uint16Array, at: number, hash = hashOf(units, at, this.length)): number {
    const last = this.#slots.length - 1;
    const mixed = Math.imul(hash ^ (hash >>> 16), mixer);
    for (let slot = (mixed ^ (mixed >>> 15)) & last; ; slot = (slot + 1) & last) {
      const position = this.#slots[slot]!;
      if (position === 0 || this.#isSame(position - 1, units, at)) return slot;
    }
  }

  #isSame(position: number, units: Uint16Array, at: number): boolean {
    for (let i = 0; i < this.length; i++) if (this.#units[position + i] !== units[at + i]) return false;
    return true;
  }
}

/** A polynomial, so that the hash of the next stretch follows from that of this one. */
function hashOf(units: Uint16Array, at: number, length: number): number {
  let hash = 0;
  for (let i = at; i < at + length; i++) hash = Math.imul(hash, base) + units[i]!;
  return hash | 0;
}
