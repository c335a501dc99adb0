import { DecodedBytes, type DecodedText, DecodedTextBuilder } from './reading.ts';

type Decode = (source: DecodedText) => DecodedText | undefined;

/**
 * A text as it is and after the usual decodings, also after two of them in turn: escapes of JSON and JavaScript, percent and form
 * encoding, HTML entities, base64 and base64url, hexadecimal, folded white space. `shortest`: the least length of the text that is looked
 * for.
 */
export function decodeText(text: string, shortest: number): DecodedText[] {
  const plain = DecodedTextBuilder.fromText(text);
  const decodings: Decode[] = [
    escapes,
    (source) => percent(source, false),
    (source) => percent(source, true),
    entities,
    folded,
    ...[0, 1, 2, 3].map(
      (skip): Decode =>
        (source) =>
          base64(source, skip, shortest),
    ),
    ...[0, 1].map(
      (skip): Decode =>
        (source) =>
          hex(source, skip, shortest),
    ),
  ];
  const decoded = (source: DecodedText) => decodings.flatMap((decode) => decode(source) ?? []);
  const once = decoded(plain);
  return [plain, ...once, ...once.flatMap(decoded)];
}

const codeOf = (char: string) => char.charCodeAt(0);
const backslash = codeOf('\\');
const controls = new Map([...'bfnrt'].map((name, index) => [codeOf(name), '\b\f\n\r\t'.charCodeAt(index)]));
const itself = new Set([...'"\'\\/`'].map(codeOf));

function hexDigit(unit: number | undefined): number {
  if (unit === undefined) return -1;
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** The number that `count` hexadecimal digits make; -1 where they are none. */
function hexNumber(units: Uint16Array, index: number, count: number): number {
  let value = 0;
  for (let i = index; i < index + count; i++) {
    const digit = hexDigit(units[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** `\n`, `\"`, `\/`, `\u0041`, `\x41`, `\u{41}`. */
function escapes(source: DecodedText): DecodedText | undefined {
  const { units } = source;
  if (!units.includes(backslash)) return undefined;
  const draft = new DecodedTextBuilder(units.length);
  for (let index = 0; index < units.length; ) {
    const next = units[index] === backslash ? units[index + 1] : undefined;
    const [value, length] = next === undefined ? [-1, 0] : readEscape(units, index, next);
    if (value < 0) draft.copy(source, index++);
    else {
      draft.addCodePoint(value, source.from[index]!, source.to[index + length - 1]!);
      index += length;
    }
  }
  return draft.build();
}

function readEscape(units: Uint16Array, index: number, next: number): [value: number, length: number] {
  const control = controls.get(next);
  if (control !== undefined) return [control, 2];
  if (itself.has(next)) return [next, 2];
  if (next === codeOf('x')) return [hexNumber(units, index + 2, 2), 4];
  if (next !== codeOf('u')) return [-1, 0];
  if (units[index + 2] !== codeOf('{')) return [hexNumber(units, index + 2, 4), 6];
  const digits = units.subarray(index + 3, index + 10).indexOf(codeOf('}'));
  const value = digits > 0 ? hexNumber(units, index + 3, digits) : -1;
  return [value > 0x10ffff ? -1 : value, digits + 4];
}

/** `%41`; in the encoding of forms, `+` is a space, too. */
function percent(source: DecodedText, isForm: boolean): DecodedText | undefined {
  const { units } = source;
  const [plus, sign] = [codeOf('+'), codeOf('%')];
  if (isForm ? !units.includes(plus) : !units.includes(sign)) return undefined;
  const draft = new DecodedTextBuilder(units.length);
  const bytes = new DecodedBytes(units.length);
  for (let index = 0; index < units.length; ) {
    const value = units[index] === sign ? hexNumber(units, index + 1, 2) : -1;
    if (value >= 0) {
      bytes.put(value, source.from[index]!, source.to[index + 2]!);
      index += 3;
      continue;
    }
    bytes.into(draft);
    if (isForm && units[index] === plus) draft.add(32, source.from[index]!, source.to[index++]!);
    else draft.copy(source, index++);
  }
  bytes.into(draft);
  return draft.build();
}

const namedEntities: Record<string, number> = {
  ...{ amp: 38, lt: 60, gt: 62, quot: 34, apos: 39, nbsp: 160, sol: 47, equals: 61, plus: 43, colon: 58 },
  ...{ commat: 64, num: 35, percnt: 37, dollar: 36, grave: 96, lowbar: 95, period: 46, comma: 44, semi: 59 },
  ...{ excl: 33, quest: 63, lpar: 40, rpar: 41, lsqb: 91, rsqb: 93, lcub: 123, rcub: 125, bsol: 92, ast: 42 },
};
const longestEntity = 12;

/** `&amp;`, `&#39;`, `&#x27;`. */
function entities(source: DecodedText): DecodedText | undefined {
  const { units } = source;
  if (!units.includes(codeOf('&'))) return undefined;
  const draft = new DecodedTextBuilder(units.length);
  for (let index = 0; index < units.length; ) {
    const found = units[index] === codeOf('&') ? entityAt(units, index) : undefined;
    if (!found) draft.copy(source, index++);
    else {
      draft.addCodePoint(found.value, source.from[index]!, source.to[index + found.length - 1]!);
      index += found.length;
    }
  }
  return draft.build();
}

function entityAt(units: Uint16Array, index: number): { value: number; length: number } | undefined {
  const text = String.fromCharCode(...units.subarray(index, index + longestEntity));
  const match = /^&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));?/i.exec(text);
  if (!match) return undefined;
  const [whole, hexadecimal, decimal, name] = match;
  const value = hexadecimal
    ? Number.parseInt(hexadecimal, 16)
    : decimal
      ? Number(decimal)
      : Object.hasOwn(namedEntities, name!.toLowerCase())
        ? namedEntities[name!.toLowerCase()]!
        : Number.NaN;
  return value <= 0x10ffff ? { value, length: whole.length } : undefined;
}

const isLineBreak = (unit: number) => unit === 10 || unit === 13;
const isSpace = (unit: number) => unit === 32 || (unit >= 9 && unit <= 13) || unit === 160;

/** Each run of white space as one space. */
function folded(source: DecodedText): DecodedText | undefined {
  const { units } = source;
  if (!units.some((unit, index) => isSpace(unit) && (unit !== 32 || units[index + 1] === 32)))
    return undefined;
  const draft = new DecodedTextBuilder(units.length);
  for (let position = 0; position < units.length; ) {
    let end = position;
    while (end < units.length && isSpace(units[end]!)) end++;
    if (end === position) draft.copy(source, position++);
    else {
      draft.add(32, source.from[position]!, source.to[end - 1]!);
      position = end;
    }
  }
  return draft.build();
}

const sextets = new Int8Array(128).fill(-1);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((char, value) => {
  sextets[codeOf(char)] = value;
});
sextets[codeOf('-')] = 62;
sextets[codeOf('_')] = 63;
const sextet = (unit: number) => (unit < 128 ? sextets[unit]! : -1);

/** Base64 in both alphabets, lines broken or not, without the first `skip` characters of each run: a quotation may begin anywhere. */
function base64(source: DecodedText, skip: number, shortest: number): DecodedText | undefined {
  return digitRuns(source, sextet, { least: Math.ceil((shortest * 4) / 3), shortest }, (run, bytes) => {
    const { units, from, to } = run;
    for (let index = skip; index + 1 < units.length; index++) {
      // Four characters are three bytes: each but the fourth begins one.
      const place = (index - skip) % 4;
      if (place === 3) continue;
      const byte = (units[index]! << (2 + 2 * place)) | (units[index + 1]! >> (4 - 2 * place));
      bytes.put(byte & 255, from[index]!, to[index + 1]!);
    }
  });
}

function hex(source: DecodedText, skip: number, shortest: number): DecodedText | undefined {
  return digitRuns(source, hexDigit, { least: shortest * 2, shortest }, (run, bytes) => {
    const { units, from, to } = run;
    for (let index = skip; index + 1 < units.length; index += 2)
      bytes.put(units[index]! * 16 + units[index + 1]!, from[index]!, to[index + 1]!);
  });
}

/** Decodes the runs of an alphabet that have at least `least` characters, and keeps them apart. Line breaks inside do not end a run. */
function digitRuns(
  source: DecodedText,
  digitOf: (unit: number) => number,
  { least, shortest }: { least: number; shortest: number },
  decode: (run: DecodedText, bytes: DecodedBytes) => void,
): DecodedText | undefined {
  const { units } = source;
  let made: { draft: DecodedTextBuilder; bytes: DecodedBytes } | undefined;
  for (let index = 0; index < units.length; index++) {
    let end = index;
    while (end < units.length && (digitOf(units[end]!) >= 0 || (end > index && isLineBreak(units[end]!))))
      end++;
    if (end - index >= least) {
      const run = new DecodedTextBuilder(end - index);
      for (let i = index; i < end; i++)
        if (!isLineBreak(units[i]!)) run.add(digitOf(units[i]!), source.from[i]!, source.to[i]!);
      made ??= { draft: new DecodedTextBuilder(units.length + 1), bytes: new DecodedBytes(units.length) };
      decode(run.build(), made.bytes);
      made.bytes.into(made.draft, shortest);
    }
    index = end;
  }
  return made && made.draft.length > 0 ? made.draft.build() : undefined;
}
