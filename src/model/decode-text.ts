import { DecodedBytes, type DecodedText, DecodedTextBuilder, sliceDecoded } from './decoded-text.ts';

/**
 * Returns a text in all forms in which a secret may be hidden in it, so that it can be masked before it is printed: as it is, after each
 * usual decoding, and after two of them in turn. Decodings: escapes of JSON and JavaScript, percent and form encoding, HTML entities,
 * base64 and base64url, hexadecimal, folded white space. `shortest`: the length of the shortest secret to look for.
 */
export function decodeText(text: string, shortest: number): DecodedText[] {
  const plain = DecodedTextBuilder.fromText(text);
  return [
    plain,
    ...decodeTwice(plain, (source) => [
      ...decodeEscapesOnce(source),
      foldWhiteSpace(source),
      ...[0, 1, 2, 3].map((skip) => decodeBase64(source, skip, shortest)),
      ...[0, 1].map((skip) => decodeHex(source, skip, shortest)),
    ]),
  ];
}

/** The characters that escapes begin with. A text without them has nothing to decode, which saves the decoding of most texts. */
const escapeSign = /[\\%+&]/;

/**
 * Returns a text after each decoding of its escapes (JSON and JavaScript, percent and form encoding, HTML entities), and after two of them
 * in turn; none if it has no escapes. Programs choose differently which characters they escape and how, so whether an escaped text contains
 * a whole secret is only certain after decoding. Decodes each form when it is asked for: an answer of the platform may have a text of many
 * megabytes, and there are up to 20 forms.
 */
export function* decodeEscapes(text: string): Iterable<string> {
  if (!escapeSign.test(text)) return;
  for (const decoded of decodeTwice(DecodedTextBuilder.fromText(text), decodeEscapesOnce))
    yield sliceDecoded(decoded);
}

/** Returns a text after each of the decodings that change it, each followed by the forms after a second decoding. */
function* decodeTwice(
  plain: DecodedText,
  decodeOnce: (source: DecodedText) => Iterable<DecodedText | undefined>,
): Iterable<DecodedText> {
  for (const once of decodeOnce(plain)) {
    if (!once) continue;
    yield once;
    for (const twice of decodeOnce(once)) if (twice) yield twice;
  }
}

/** Returns a text after each decoding of escapes: see `decodeEscapes`. Undefined for a decoding that changes nothing. */
function* decodeEscapesOnce(source: DecodedText): Iterable<DecodedText | undefined> {
  yield decodeBackslashes(source);
  yield decodePercent(source, { isForm: false });
  yield decodePercent(source, { isForm: true });
  yield decodeEntities(source);
}

/** Returns the UTF-16 unit of a character. */
const codeOf = (char: string) => char.charCodeAt(0);
const backslash = codeOf('\\');
/** The control characters behind the letters of escapes: `n` for a line feed. */
const controls = new Map([...'bfnrt'].map((name, index) => [codeOf(name), '\b\f\n\r\t'.charCodeAt(index)]));
/** The units that stand for themselves behind a backslash. */
const escapedAsItself = new Set([...'"\'\\/`'].map(codeOf));

/**
 * Returns the value of a hexadecimal digit, for example 10 for `a`; -1 for any other character. Used to decode escapes such as `%41` and
 * hexadecimal text, where masking looks for secrets. `unit`: the UTF-16 code of the character.
 */
function hexDigit(unit: number | undefined): number {
  if (unit === undefined) return -1;
  if (unit >= codeOf('0') && unit <= codeOf('9')) return unit - codeOf('0');
  // This bit makes an uppercase letter lowercase.
  const lower = unit | 32;
  return lower >= codeOf('a') && lower <= codeOf('f') ? lower - codeOf('a') + 10 : -1;
}

/**
 * Returns the number that `count` hexadecimal digits make from `index` on, for escapes such as `\u0041` and `%41` in which a text may hide
 * a secret. Returns -1 if one of them is no digit, because the text is then no escape. `units`: the UTF-16 units of the text.
 */
function hexNumber(units: Uint16Array, index: number, count: number): number {
  let value = 0;
  for (let i = index; i < index + count; i++) {
    const digit = hexDigit(units[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/**
 * Decodes the escapes of JSON and JavaScript (`\n`, `\"`, `\/`, `\u0041`, `\x41`, `\u{41}`), so that masking finds a secret that is quoted
 * in this form. A backslash that begins no valid escape stays. Returns undefined if the text has no escape.
 */
function decodeBackslashes(source: DecodedText): DecodedText | undefined {
  const { units } = source;
  if (!units.includes(backslash)) return undefined;
  const decoded = new DecodedTextBuilder(units.length);
  for (let index = 0; index < units.length; ) {
    const next = units[index] === backslash ? units[index + 1] : undefined;
    const [value, length] = next === undefined ? [-1, 0] : readEscape(units, index, next);
    if (value < 0) decoded.copy(source, index++);
    else {
      decoded.addCodePoint(value, source.from[index]!, source.to[index + length - 1]!);
      index += length;
    }
  }
  return decoded.length < units.length ? decoded.build() : undefined;
}

/**
 * Returns the code point of the JSON or JavaScript escape that begins at an index, and the length of the escape: 65 and 6 for `\u0041`.
 * The code point is -1 if this is no valid escape. Masking decodes escapes, because a quoted secret may contain them. `units`: the UTF-16
 * codes of the text; `next`: the one behind the backslash.
 */
function readEscape(units: Uint16Array, index: number, next: number): [value: number, length: number] {
  const control = controls.get(next);
  if (control !== undefined) return [control, 2];
  if (escapedAsItself.has(next)) return [next, 2];
  if (next === codeOf('x')) return [hexNumber(units, index + 2, 2), 4];
  if (next !== codeOf('u')) return [-1, 0];
  if (units[index + 2] !== codeOf('{')) return [hexNumber(units, index + 2, 4), 6];
  // `\u{41}`: the digits, at most six, stand behind `\u{`.
  const digitCount = units.subarray(index + 3, index + 10).indexOf(codeOf('}'));
  const value = digitCount > 0 ? hexNumber(units, index + 3, digitCount) : -1;
  return [value > 0x10ffff ? -1 : value, '\\u{'.length + digitCount + '}'.length];
}

/**
 * Decodes percent encoding (`%41`), so that masking finds secrets in URLs. With `isForm`, a `+` is a space, as in forms. Returns undefined
 * for a text without such a code, and with `isForm` for a text without `+`, because the decoding without `isForm` finds the same in it.
 */
function decodePercent(source: DecodedText, { isForm }: { isForm: boolean }): DecodedText | undefined {
  const { units } = source;
  const [plus, sign, space] = [codeOf('+'), codeOf('%'), codeOf(' ')];
  if (isForm ? !units.includes(plus) : !units.includes(sign)) return undefined;
  const decoded = new DecodedTextBuilder(units.length);
  const bytes = new DecodedBytes(units.length);
  for (let index = 0; index < units.length; ) {
    const value = units[index] === sign ? hexNumber(units, index + 1, 2) : -1;
    if (value >= 0) {
      bytes.add(value, source.from[index]!, source.to[index + 2]!);
      index += 3;
    } else {
      bytes.moveInto(decoded);
      if (isForm && units[index] === plus) decoded.add(space, source.from[index]!, source.to[index]!);
      else decoded.copy(source, index);
      index += 1;
    }
  }
  bytes.moveInto(decoded);
  return isForm || decoded.length < units.length ? decoded.build() : undefined;
}

const namedEntities: Record<string, number> = {
  amp: 38,
  lt: 60,
  gt: 62,
  quot: 34,
  apos: 39,
  nbsp: 160,
  sol: 47,
  equals: 61,
  plus: 43,
  colon: 58,
  commat: 64,
  num: 35,
  percnt: 37,
  dollar: 36,
  grave: 96,
  lowbar: 95,
  period: 46,
  comma: 44,
  semi: 59,
  excl: 33,
  quest: 63,
  lpar: 40,
  rpar: 41,
  lsqb: 91,
  rsqb: 93,
  lcub: 123,
  rcub: 125,
  bsol: 92,
  ast: 42,
};
const longestEntity = 12;

/**
 * Decodes HTML entities (`&amp;`, `&#39;`, `&#x27;`) to find secrets that a page of an error quotes, so that they are masked in output.
 * Returns undefined for a text without any.
 */
function decodeEntities(source: DecodedText): DecodedText | undefined {
  const { units } = source;
  if (!units.includes(codeOf('&'))) return undefined;
  const decoded = new DecodedTextBuilder(units.length);
  for (let index = 0; index < units.length; ) {
    const entity = units[index] === codeOf('&') ? entityAt(units, index) : undefined;
    if (!entity) decoded.copy(source, index++);
    else {
      decoded.addCodePoint(entity.value, source.from[index]!, source.to[index + entity.length - 1]!);
      index += entity.length;
    }
  }
  return decoded.length < units.length ? decoded.build() : undefined;
}

/**
 * Returns the code point of the HTML entity at an index, such as `&amp;`, and its length, to search the decoded text for secrets. Returns
 * undefined if there is none; then the `&` is an ordinary character.
 */
function entityAt(units: Uint16Array, index: number): { value: number; length: number } | undefined {
  const text = String.fromCharCode(...units.subarray(index, index + longestEntity));
  const match = /^&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));?/i.exec(text);
  if (!match) return undefined;
  const [entity, hexadecimal, decimal, name = ''] = match;
  const value = entityValue(hexadecimal, decimal, name.toLowerCase());
  return value !== undefined && value <= 0x10ffff ? { value, length: entity.length } : undefined;
}

/**
 * Returns the code point for an HTML entity, to find secrets in pages of errors. Only one of the parameters is set, by the form of the
 * entity: `&#x27;`, `&#39;` or `&amp;`. Returns undefined for an unknown name.
 */
function entityValue(
  hexadecimal: string | undefined,
  decimal: string | undefined,
  name: string,
): number | undefined {
  if (hexadecimal) return Number.parseInt(hexadecimal, 16);
  if (decimal) return Number(decimal);
  return Object.hasOwn(namedEntities, name) ? namedEntities[name] : undefined;
}

/** True for the unit of a line feed or a carriage return. */
const isLineBreak = (unit: number) => unit === 10 || unit === 13;
/** True for the unit of white space, including a no-break space. */
const spaceCode = codeOf(' ');
const isSpace = (unit: number) => unit === spaceCode || (unit >= 9 && unit <= 13) || unit === 160;

/**
 * Returns the text with each run of white space as one space, to find secrets that a message wraps over several lines. Undefined if nothing
 * changes.
 */
function foldWhiteSpace(source: DecodedText): DecodedText | undefined {
  const { units } = source;
  // White space that folding changes: a tab or line break, for example, or a space in front of another.
  const isFoldable = (unit: number, index: number) =>
    isSpace(unit) && (unit !== spaceCode || units[index + 1] === spaceCode);
  if (!units.some(isFoldable)) return undefined;
  const decoded = new DecodedTextBuilder(units.length);
  for (let position = 0; position < units.length; ) {
    let end = position;
    while (end < units.length && isSpace(units[end]!)) end++;
    if (end === position) decoded.copy(source, position++);
    else {
      decoded.add(spaceCode, source.from[position]!, source.to[end - 1]!);
      position = end;
    }
  }
  return decoded.build();
}

const sextets = new Int8Array(128).fill(-1);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((char, value) => {
  sextets[codeOf(char)] = value;
});
sextets[codeOf('-')] = 62;
sextets[codeOf('_')] = 63;
/** Returns the value of a base64 digit of either alphabet; -1 for any other unit. */
const sextet = (unit: number) => (unit < 128 ? sextets[unit]! : -1);

/**
 * Decodes each run of base64 digits in a text (both alphabets, with or without line breaks), so that masking finds an encoded secret. Skips
 * the first `skip` digits of a run: a message may quote the code from the middle of a group of four, so the caller tries 0 to 3.
 * `shortest`: the length of the shortest secret. Returns undefined if no run is long enough for it.
 */
function decodeBase64(source: DecodedText, skip: number, shortest: number): DecodedText | undefined {
  const least = Math.ceil((shortest * 4) / 3);
  return decodeDigitRuns(source, sextet, { least, shortest }, (run, bytes) => {
    // The values of the digits, not their characters.
    const { units: values, from, to } = run;
    for (let index = skip; index + 1 < values.length; index++) {
      // Four digits of 6 bits are three bytes: each digit but the fourth begins a byte, and the next digit ends it.
      const indexInGroup = (index - skip) % 4;
      if (indexInGroup === 3) continue;
      const byte =
        (values[index]! << (2 + 2 * indexInGroup)) | (values[index + 1]! >> (4 - 2 * indexInGroup));
      bytes.add(byte & 255, from[index]!, to[index + 1]!);
    }
  });
}

/**
 * Decodes each run of hexadecimal digits in a text, two for a byte, so that masking finds an encoded secret. Skips the first `skip`
 * digits of a run: a message may quote the code from the middle of a pair, so the caller tries 0 and 1. `shortest`: the length of the
 * shortest secret. Returns undefined if no run is long enough for it.
 */
function decodeHex(source: DecodedText, skip: number, shortest: number): DecodedText | undefined {
  return decodeDigitRuns(source, hexDigit, { least: shortest * 2, shortest }, (run, bytes) => {
    // The values of the digits, not their characters.
    const { units: values, from, to } = run;
    for (let index = skip; index + 1 < values.length; index += 2)
      bytes.add(values[index]! * 16 + values[index + 1]!, from[index]!, to[index + 1]!);
  });
}

/**
 * Decodes each run of at least `least` digits (base64 or hexadecimal) in a text, so that masking finds secrets in it. Line breaks inside a
 * run do not end it. Returns undefined if there is no such run. `digitOf`: returns the value of a digit, or a negative number for any
 * other character. `decode`: turns the digits of one run into bytes. `shortest`: shorter decoded pieces are dropped, because they are
 * shorter than any secret.
 */
function decodeDigitRuns(
  source: DecodedText,
  digitOf: (unit: number) => number,
  { least, shortest }: { least: number; shortest: number },
  decode: (run: DecodedText, bytes: DecodedBytes) => void,
): DecodedText | undefined {
  const { units } = source;
  let output: { decoded: DecodedTextBuilder; bytes: DecodedBytes } | undefined;
  for (let start = 0; start < units.length; ) {
    const end = endOfDigitRun(units, start, digitOf);
    if (end - start >= least) {
      output ??= { decoded: new DecodedTextBuilder(units.length + 1), bytes: new DecodedBytes(units.length) };
      decode(digitsBetween(source, start, end, digitOf), output.bytes);
      output.bytes.moveInto(output.decoded, shortest);
    }
    // The character at `end` is no digit.
    start = end + 1;
  }
  return output && output.decoded.length > 0 ? output.decoded.build() : undefined;
}

/**
 * Returns the offset behind a run of digits (base64 or hexadecimal) that begins at `start`; `start` itself if no digit is there. The run
 * includes line breaks in it and right behind it.
 */
function endOfDigitRun(units: Uint16Array, start: number, digitOf: (unit: number) => number): number {
  let end = start;
  while (end < units.length && (digitOf(units[end]!) >= 0 || (end > start && isLineBreak(units[end]!))))
    end++;
  return end;
}

/**
 * Returns the values of the base64 or hexadecimal digits between two offsets of a text, without the line breaks, to decode them and look
 * for secrets. They are the `units` of the result, in which each keeps the offsets where it was, because masking hides a secret there.
 */
function digitsBetween(
  { units, from, to }: DecodedText,
  start: number,
  end: number,
  digitOf: (unit: number) => number,
): DecodedText {
  const digits = new DecodedTextBuilder(end - start);
  for (let index = start; index < end; index++)
    if (!isLineBreak(units[index]!)) digits.add(digitOf(units[index]!), from[index]!, to[index]!);
  return digits.build();
}
