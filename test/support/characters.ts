import fc from 'fast-check';

/**
 * Any code point, as the `unit` of a random text. What fast-check calls 'binary' is the same, but it makes a table of all of them first,
 * which takes a second.
 */
export const codePoint = fc
  .integer({ min: 0, max: 0x10_ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));

/** What people take for one character: of any script, with its accents, in several code points. */
export const grapheme = fc.oneof(
  codePoint.filter((one) => /[\p{L}\p{N}\p{P}\p{S} ]/u.test(one)),
  fc.integer({ min: 0x20, max: 0x7e }).map((number) => String.fromCodePoint(number)),
  fc.constantFrom('e\u0301', 'ä', 'ß', 'İ', '각', 'क्षि', '漢', '🙂', '👩‍👩‍👧', '👍🏽', '🇩🇪', '1️⃣'),
);
