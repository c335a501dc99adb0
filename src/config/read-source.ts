import { dirname } from 'node:path';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { type FoundFile, noRegularFile, unreadable } from './find-files.ts';
import { Source } from './source.ts';
import { readRegularFile } from './sources/regular-file.ts';

/** More than that is no configuration. */
export const maxBytes = 32 * 1024 * 1024;

/** A file's text; a diagnostic where it is none, or more than is read. */
export async function readSource({ path, name, text }: FoundFile): Promise<Source | Diagnostic> {
  const folder = dirname(path);
  if (text !== undefined)
    return typeof text === 'string' ? new Source(name, text, folder) : sourceOf(name, text, folder);
  const bytes = await readBytes({ path, name });
  return Buffer.isBuffer(bytes) ? sourceOf(name, bytes, folder) : bytes;
}

/** What is in a file of the configuration: a regular one, and no more than can be one. */
export async function readBytes({
  path,
  name,
}: Pick<FoundFile, 'path' | 'name'>): Promise<Buffer | Diagnostic> {
  try {
    const bytes = await readRegularFile(path, maxBytes);
    if (bytes === 'special') return noRegularFile(name);
    return bytes === 'too-large' ? tooLarge(name) : bytes;
  } catch (error) {
    return unreadable(name, error);
  }
}

const tooLarge = (name: string) =>
  problem('file/too-large', `${name} has more than ${maxBytes / 1024 / 1024} MB`, {
    at: { file: name, line: 1, column: 1 },
  });

/** The text that these bytes are, without a byte order mark. */
export function sourceOf(name: string, bytes: Buffer, folder?: string): Source | Diagnostic {
  const at = { file: name, line: 1, column: 1 };
  if (bytes.length > maxBytes) return tooLarge(name);
  const line = (offset: number) => bytes.subarray(0, offset).filter((byte) => byte === 10).length + 1;
  const binary = bytes.indexOf(0);
  if (binary !== -1)
    return problem('file/not-text', `${name} is no text: it contains a zero byte`, {
      at: { ...at, line: line(binary) },
      hint: 'save it as UTF-8',
    });
  try {
    return new Source(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes), folder);
  } catch {
    return problem('file/not-text', `${name} is not encoded as UTF-8`, { at, hint: 'save it as UTF-8' });
  }
}
