/** Letters that come apart into no base letter and mark, and how they are written without. */
const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
};

/** Words of `a-z` and `0-9`, in lower case; everything else is between them. */
function words(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/[ßæœøđðłþ]/g, (letter) => letters[letter]!)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  return plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
}

/**
 * The filters of expressions, such as `${input.country | upper}`. They make names, and so identities: what one of them answers never
 * changes (a table of cases in the tests holds it).
 */
export const filters: Readonly<Record<string, (text: string) => string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  /** `Österreich & Co.` becomes `osterreich-co`. */
  slug: (text) => words(text).join('-'),
  /** `site-at` becomes `site_at`. */
  snake: (text) => words(text).join('_'),
};
