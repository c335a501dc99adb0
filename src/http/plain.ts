const longest = 1000;

/** Server text for one line of a terminal: without control characters, which could fake output, and not endless. */
export function plain(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}

/** Whether text begins as JSON does, be it cut off or wrapped in what keeps browsers from running it. */
export const looksLikeJson = (text: string): boolean => /^(\uFEFF|\)\]\}'?,?|\s)*(data:\s*)?["[{]/.test(text);

/** The first 80 characters of what a reader of a page would see. */
export function excerpt(text: string): string {
  const words = text
    .slice(0, 20_000)
    .replace(/<(script|style)\b.*?(<\/\1\s*>|$)/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  return plain(words).slice(0, 80);
}
