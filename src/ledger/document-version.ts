import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/*
 * Versions of documents in stores without versions of their own: digests of their texts. A ledger may have 50 MB, so its text is digested
 * and written in chunks. Converted to bytes as a whole, it would take that memory once more.
 */

const chunkLength = 1024 * 1024;

/**
 * Splits a text into chunks, so that a large document is converted to bytes piece by piece. No chunk ends between the two halves of a
 * character, which would become two wrong characters.
 */
export function* toChunks(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = Math.min(start + chunkLength, text.length);
    // The first half of a character beyond U+FFFF, such as an emoji.
    const isWithinCharacter = end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1]!);
    const next = isWithinCharacter ? end + 1 : end;
    yield text.slice(start, next);
    start = next;
  }
}

/**
 * Returns the version of a stored text, a digest of it. A write names the version that it replaces, so that no run overwrites what it has
 * not read.
 */
export function versionOfText(text: string): string {
  const digest = createHash('sha256');
  for (const chunk of toChunks(text)) digest.update(chunk);
  return digest.digest('base64url');
}

/**
 * Returns the version of the text in a file without reading all of it at once, to see whether a file is still the one that a run has read.
 * Undefined if it cannot be read. A file with bytes that are not UTF-8 gets a version that no text has.
 */
export async function versionOfFile(path: string): Promise<string | undefined> {
  const digest = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) digest.update(bytes as Buffer);
  } catch {
    return undefined;
  }
  return digest.digest('base64url');
}
