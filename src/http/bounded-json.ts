/** The outcome of parsing a body. `json` is undefined for an empty body. */
export type ParsedBody = { json: unknown } | 'no JSON' | 'too deep';

/**
 * Parses the JSON of an answer with at most `maxDepth` levels. The limit exists because functions that walk over the value are recursive: a
 * hostile answer could exceed the call stack. An empty text is valid and has no value.
 */
export function parseBoundedJson(text: string, maxDepth: number): ParsedBody {
  if (text.trim() === '') return { json: undefined };
  if (isDeeper(text, maxDepth)) return 'too deep';
  try {
    return { json: JSON.parse(text) };
  } catch {
    return 'no JSON';
  }
}

/** Character codes of JSON. Comparing numbers is faster than comparing characters. */
const jsonCodes = { quote: 34, openBracket: 91, closeBracket: 93, openBrace: 123, closeBrace: 125 };

/**
 * True if JSON that is not parsed yet nests brackets deeper than `maxDepth`. Called before parsing, so that a hostile
 * answer costs no more memory. Brackets in strings do not count.
 */
function isDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === jsonCodes.quote) index = endOfString(text, index);
    else if (code === jsonCodes.openBracket || code === jsonCodes.openBrace) {
      if (++depth > maxDepth) return true;
    } else if (code === jsonCodes.closeBracket || code === jsonCodes.closeBrace) depth--;
  }
  return false;
}

/**
 * Returns the index of the quote that ends the JSON string starting at `start`, or the length of a text that ends
 * within it. Used to skip strings when brackets are counted; answers consist mostly of strings.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let firstBackslash = end;
    while (text[firstBackslash - 1] === '\\') firstBackslash--;
    const isEscaped = (end - firstBackslash) % 2 === 1;
    if (!isEscaped) return end;
  }
  return text.length;
}
