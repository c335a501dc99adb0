const base = 0x01000193;
const mixer = 0x7feb352d;

/**
 * An index of all stretches of one length in some texts, as a hash table. Searching takes as long for one text as for
 * thousands. Used to find secrets in messages and in values of the account. A unit is a UTF-16 code unit.
 */
export class SubstringIndex {
  readonly length: number;
  #units = new Uint16Array(1024);
  #used = 0;
  #count = 0;
  /** Positions in the stored units, plus one. 0 is a free slot. */
  #slots = new Int32Array(2048);
  /** The factor of the first unit in the hash of a stretch, by which `findPositions` removes that unit. */
  readonly #firstFactor: number;

  /**
   * Creates an empty index that finds, in a text, any stretch of the indexed texts: a piece of `length`
   * UTF-16 code units. A rolling hash makes each step of a search cheap, and the hash table makes it as fast
   * for thousands of secrets as for one. `#firstFactor`: the factor of the first unit in the hash of a stretch.
   */
  constructor(length: number) {
    this.length = length;
    this.#firstFactor = Array.from({ length: length - 1 }).reduce<number>(
      (power) => Math.imul(power, base),
      1,
    );
  }

  /**
   * Adds all stretches of a text (pieces of a fixed length) to the index by which masking finds secrets in output. A shorter text has none,
   * so callers index it by its own length.
   */
  add(text: string): void {
    if (text.length < this.length) return;
    if (this.#used + text.length > this.#units.length) {
      const units = new Uint16Array((this.#used + text.length) * 2);
      units.set(this.#units.subarray(0, this.#used));
      this.#units = units;
    }
    const start = this.#used;
    for (let index = 0; index < text.length; index++) this.#units[start + index] = text.charCodeAt(index);
    this.#used += text.length;
    for (let position = start; position + this.length <= this.#used; position++) this.#put(position);
  }

  /**
   * Returns the positions at which one of the indexed stretches (pieces of secrets) begins in a text, in order. `units`: the UTF-16 codes
   * of the text. Takes one step for each code, because the hash of a stretch follows from that of the previous one.
   */
  findPositions(units: Uint16Array): number[] {
    const positions: number[] = [];
    const { length } = this;
    if (this.#count === 0 || units.length < length) return positions;
    let hash = gramHashOf(units, 0, length);
    for (let index = 0; ; index++) {
      const isIndexed = this.#slots[this.#slotOf(units, index, hash)] !== 0;
      if (isIndexed) positions.push(index);
      if (index + length >= units.length) return positions;
      // The first unit leaves the stretch, and the next one enters it.
      hash = Math.imul(hash - Math.imul(units[index]!, this.#firstFactor), base) + units[index + length]!;
    }
  }

  /**
   * Adds one stretch (a piece of a secret) to the hash table of this index, unless an equal one is there. `index`: where the stretch begins
   * in the stored texts. A slot of the table has that number plus one, and 0 if it is free. Enlarges a table that is half full, so that
   * searches stay fast.
   */
  #put(index: number): void {
    if ((this.#count + 1) * 2 > this.#slots.length) {
      const old = this.#slots;
      this.#slots = new Int32Array(old.length * 4);
      for (const position of old)
        if (position !== 0) this.#slots[this.#slotOf(this.#units, position - 1)] = position;
    }
    const slot = this.#slotOf(this.#units, index);
    if (this.#slots[slot] !== 0) return;
    this.#slots[slot] = index + 1;
    this.#count += 1;
  }

  /**
   * Returns the slot of the hash table that holds a stretch (a piece of a secret with fixed length), or the free slot for it. Masking looks
   * up stretches of the output there, to find secrets. If other stretches occupy its own slot, tries the following ones.
   */
  #slotOf(units: Uint16Array, index: number, hash = gramHashOf(units, index, this.length)): number {
    // The number of slots is a power of two, so `& last` is the remainder of a division by it.
    const last = this.#slots.length - 1;
    // Mixes the bits, so that the lowest ones, which choose the slot, depend on all of them.
    const mixed = Math.imul(hash ^ (hash >>> 16), mixer);
    for (let slot = (mixed ^ (mixed >>> 15)) & last; ; slot = (slot + 1) & last) {
      const position = this.#slots[slot]!;
      if (position === 0 || this.#isSame(position - 1, units, index)) return slot;
    }
  }

  #isSame(position: number, units: Uint16Array, index: number): boolean {
    for (let i = 0; i < this.length; i++) if (this.#units[position + i] !== units[index + i]) return false;
    return true;
  }
}

/**
 * Returns the hash of the `length` UTF-16 codes from an index on, by which masking looks up pieces of secrets. It is a polynomial of the
 * codes, so that the hash one position further follows from it: remove the first code and add the next one.
 */
function gramHashOf(units: Uint16Array, index: number, length: number): number {
  let hash = 0;
  for (let i = index; i < index + length; i++) hash = Math.imul(hash, base) + units[i]!;
  return hash | 0;
}
