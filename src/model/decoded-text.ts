/** A text after decoding: its UTF-16 units, and the place of each in the source (from an offset to the one behind it). */
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

  /**
   * Creates an empty builder of a decoded text, in which masking searches for secrets. For each character it keeps where its encoded form
   * stands in the source text, so that a secret can be masked there. `capacity`: the length of the source, since no decoding is longer.
   */
  constructor(capacity: number) {
    this.#units = new Uint16Array(capacity);
    this.#from = new Int32Array(capacity);
    this.#to = new Int32Array(capacity);
  }

  /**
   * Returns a text as a decoded text in which nothing is decoded yet: each character stands at its own place. Masking first looks for
   * secrets in this form, and `decodeText` decodes it to the others.
   */
  static fromText(text: string): DecodedText {
    const decoded = new DecodedTextBuilder(text.length);
    for (let index = 0; index < text.length; index++) decoded.add(text.charCodeAt(index), index, index + 1);
    return decoded.build();
  }

  /**
   * Appends a character (a UTF-16 unit) to a decoded text. `from` and `to`: the offsets of its encoded form in the source text, for
   * example of `%41` for `A`. If the character is part of a secret, the source text is masked there.
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
   * Returns the decoded text that was built, to search it for secrets. The result shares memory with the builder, so nothing may be added
   * afterwards.
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

/**
 * Bytes that percent encoding, base64 or hexadecimal digits stand for, with their places in the source text. They become text where they
 * are UTF-8.
 */
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
   * Appends a decoded byte. `from` and `to`: the offsets of its encoded form in the source text, for example of `%41`. If the byte is
   * part of a secret, the source text is masked there.
   */
  add(byte: number, from: number, to: number): void {
    this.#bytes[this.#length] = byte;
    this.#from[this.#length] = from;
    this.#to[this.#length++] = to;
  }

  /**
   * Appends the collected bytes to a decoded text, in which masking then searches for secrets, and empties this collector. Bytes that are
   * no UTF-8 become a separator, so that no secret is found across them. A piece is the text between such bytes. Pieces with less than
   * `least` UTF-16 units are left out: they are usually binary data by chance, and no secret is that short. Without `least`, the bytes are
   * part of a longer text.
   */
  moveInto(decoded: DecodedTextBuilder, least = 0): void {
    let pieceStart = decoded.length;
    const endPiece = () => {
      if (decoded.length - pieceStart < least) decoded.length = pieceStart;
      else if (least > 0) decoded.add(separator, 0, 0);
      pieceStart = decoded.length;
    };
    for (let index = 0; index < this.#length; ) {
      const [point, length] = this.#pointAt(index);
      if (point >= 0) decoded.addCodePoint(point, this.#from[index]!, this.#to[index + length - 1]!);
      else if (least === 0) decoded.add(separator, 0, 0);
      else endPiece();
      index += length;
    }
    endPiece();
    this.#length = 0;
  }

  /**
   * Returns the code point that the bytes at an index encode in UTF-8, and the number of these bytes; -1 and 1 if they encode none, so that
   * the caller skips one byte. Called for each character of decoded bytes in which masking looks for secrets. Accepts more than the
   * standard (surrogates, and forms of three or four bytes for characters that need fewer), because some programs write those, and a secret
   * in them must be masked, too.
   */
  #pointAt(index: number): [point: number, length: number] {
    const first = this.#bytes[index]!;
    if (first < 0x80) return [first, 1];
    // The first byte shows the length of the form: C0 to DF two bytes, E0 to EF three, from F0 on four.
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

/** How many units `sliceDecoded` turns into text at once: each is an argument of a call, and a call has a limit. */
const unitsPerCall = 8192;

/**
 * Returns a part of a decoded text as a string. Masking looks whether the user has seen this string already: then it need not be masked.
 */
export function sliceDecoded({ units }: DecodedText, from = 0, to = units.length): string {
  let text = '';
  for (let index = from; index < to; index += unitsPerCall)
    text += String.fromCharCode(...units.subarray(index, Math.min(index + unitsPerCall, to)));
  return text;
}
