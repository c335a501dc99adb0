import { readFile } from 'node:fs/promises';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { type FoundFile, unreadable } from './find-files.ts';
import { Source } from './source.ts';

const maxBytes = 32 * 1024 * 1024;

/** A file's text; a diagnostic where it is none. */
export async function readSource({ path, name, text }: FoundFile): Promise<Source | Diagnostic> {
  if (text !== undefined) return new Source(name, text);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return unreadable(name, error);
  }
  return sourceOf(name, bytes);
}

/** The text that these bytes are, without a byte order mark. */
export function sourceOf(name: string, bytes: Buffer): Source | Diagnostic {
  const at = { file: name, line: 1, column: 1 };
  if (bytes.length > maxBytes)
    return problem('file/too-large', `${name} has more than ${maxBytes / 1024 / 1024} MB`, { at });
  const line = (offset: number) => bytes.subarray(0, offset).filter((byte) => byte === 10).length + 1;
  const binary = bytes.indexOf(0);
  if (binary !== -1)
    return problem('file/not-text', `${name} is no text: it contains a zero byte`, {
      at: { ...at, line: line(binary) },
      hint: 'save it as UTF-8',
    });
  try {
    return new Source(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return problem('file/not-text', `${name} is not encoded as UTF-8`, { at, hint: 'save it as UTF-8' });
  }
}
