/** The place of a secret in a text: the offsets of its start and of the character behind it. */
export type MaskedSpan = [start: number, end: number];

/** How far before or behind the shown part of a line a URL may begin or end whose password is in that part. */
const longestUrl = 1000;

/**
 * Returns the places of users and passwords in the URLs between two offsets of a text. They are hidden in each quoted line, because such a
 * URL may stand where no reader looks for it, for example as a `ledger` in the wrong place. An expression as password (`${secret.name}`)
 * stays.
 */
export function findUrlPasswords(text: string, start: number, end: number): MaskedSpan[] {
  const searchStart = Math.max(0, start - longestUrl);
  const searched = text.slice(searchStart, end + longestUrl);
  const matches = searched.matchAll(/:\/\/([^\s/@:]*:(?:(?!\$\{)[^\s/?#@])+)@/g);
  const masks = [...matches].map(({ index, 1: userInfo }): MaskedSpan => {
    const from = searchStart + index + '://'.length;
    return [from, from + userInfo!.length];
  });
  return masks.filter(([from, to]) => from < end && to > start);
}
