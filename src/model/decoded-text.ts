/** A text after decoding: its UTF-16 units, and the place of each in the source. */
export interface DecodedText {
  units: Uint16Array;
  from: Int32Array;
  to: Int32Array;
}

/** Separates pieces that are not adjacent in the source; no text contains it. */
const separator = 0xffff;

/** Builds a decoded text unit by unit. */
export class DecodedTextBuilder {
  readonly #units: Uint16Array;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  /** The number of units so far. */
  length = 0;

  /** `capacity`: the length of the source, which no decoding exceeds. */
  constructor(capacity: number) {
    this.#units = new Uint16Array(capacity);
    this.#from = new Int32Array(capacity);
    this.#to = new Int32Array(capacity);
  }

  /** Returns a text without any decoding, each unit at its own place. The starting point of `decodeText`. */
  static fromText(text: string): DecodedText {
    const draft = new DecodedTextBuilder(text.length);
    for (let index = 0; index < text.length; index++) draft.add(text.charCodeAt(index), index, index + 1);
    return draft.build();
  }

  /**
   * Appends a UTF-16 unit to a decoded text. `from` and `to`: the encoded unit in the source text. It is masked
   * there if the unit is part of a secret.
   */
  add(unit: number, from: number, to: number): void {
    this.#units[this.length] = unit;
    this.#from[this.length] = from;
    this.#to[this.length++] = to;
  }

  /**
   * Appends a code point to a decoded text, as two UTF-16 units if it is above U+FFFF. Both units get the
   * same place in the source text, so that they are masked together.
   */
  addCodePoint(point: number, from: number, to: number): void {
    if (point <= 0xffff) this.add(point, from, to);
    else {
      this.add(0xd800 + ((point - 0x10000) >> 10), from, to);
      this.add(0xdc00 + ((point - 0x10000) & 0x3ff), from, to);
    }
  }

  /** Appends a unit of another decoded text with its place. */
  copy({ units, from, to }: DecodedText, index: number): void {
    this.add(units[index]!, from[index]!, to[index]!);
  }

  /**
   * Returns the text that was built. The result shares memory with the builder, so nothing may be added afterwards.
   */
  build(): DecodedText {
    const [units, from, to] = [this.#units, this.#from, this.#to];
    return {
      units: units.subarray(0, this.length),
      from: from.subarray(0, this.length),
      to: to.subarray(0, this.length),
    };
  }
}

/** Decoded bytes with their places, which become text where they are valid UTF-8. */
export class DecodedBytes {
  readonly #bytes: Uint8Array;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  #length = 0;

  /**
   * Creates an empty collector of decoded bytes, which remembers for each byte where it comes from in the
   * source text. Used to find and mask secrets in percent-encoded or base64 text. `capacity`: the most bytes
   * that can be added.
   */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#from = new Int32Array(capacity);
    this.#to = new Int32Array(capacity);
  }

  /**
   * Appends a byte. `from` and `to`: the encoded byte in the source text. It is masked there if the byte is part of a
   * secret.
   */
  add(byte: number, from: number, to: number): void {
    this.#bytes[this.#length] = byte;
    this.#from[this.#length] = from;
    this.#to[this.#length++] = to;
  }

  /**
   * Appends the bytes as text to a builder, and removes them here. Bytes that are no valid UTF-8 separate pieces of
   * text. Pieces of less than `least` units are left out, because binary data often looks like a short text.
   */
  moveInto(draft: DecodedTextBuilder, least = 0): void {
    let pieceStart = draft.length;
    const endPiece = () => {
      if (draft.length - pieceStart < least) draft.length = pieceStart;
      else if (least > 0) draft.add(separator, 0, 0);
      pieceStart = draft.length;
    };
    for (let index = 0; index < this.#length; ) {
      const [point, length] = this.#pointAt(index);
      if (point >= 0) draft.addCodePoint(point, this.#from[index]!, this.#to[index + length - 1]!);
      else if (least === 0) draft.add(separator, 0, 0);
      else endPiece();
      index += length;
    }
    endPiece();
    this.#length = 0;
  }

  /**
   * Returns the code point at an index and its length in bytes; -1 and 1 if the bytes there are no valid UTF-8, so that
   * the caller skips one byte.
   */
  #pointAt(index: number): [point: number, length: number] {
    const first = this.#bytes[index]!;
    if (first < 0x80) return [first, 1];
    const length = 2 + Number(first >= 0xe0) + Number(first >= 0xf0);
    let point = first & (0xff >> (length + 1));
    for (let next = index + 1; next < index + length; next++) {
      const byte = next < this.#length ? this.#bytes[next]! : 0;
      if ((byte & 0xc0) !== 0x80) return [-1, 1];
      point = (point << 6) | (byte & 0x3f);
    }
    return first >= 0xc2 && point <= 0x10ffff ? [point, length] : [-1, 1];
  }
}
