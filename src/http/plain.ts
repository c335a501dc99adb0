const longest = 1000;

/** The most characters of a text that are looked at. Nobody sees the rest, masked or not. */
const mostSeen = 8 * longest;

/**
 * Server text for one line of a terminal: masked, without control characters, which could fake output, and not endless. What is not
 * shown is not searched for secrets either.
 */
export function plain(text: string, mask: (text: string) => string = (same) => same): string {
  const line = mask(text.slice(0, mostSeen))
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}

/** True if text begins as JSON does, even if it is cut off or wrapped in what keeps browsers from running it. */
export const looksLikeJson = (text: string): boolean => /^(\uFEFF|\)\]\}'?,?|\s)*(data:\s*)?["[{]/.test(text);

/** The first 80 characters of what a reader of a page would see, masked before white space and tags are taken out of it. */
export function excerpt(text: string, mask: (text: string) => string): string {
  const words = mask(text.slice(0, 20_000))
    .replace(/<(script|style)\b.*?(<\/\1\s*>|$)/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  return plain(words, mask).slice(0, 80);
}
