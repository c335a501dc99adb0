import { readFile } from 'node:fs/promises';
import { Problems, problem } from '../model/diagnostic.ts';
import { type Host, pathOn } from './host.ts';

/** The token in a file, without the newline around it. Throws `Problems` that show nothing of it. */
export async function readTokenFile(path: string, host: Host): Promise<string> {
  const text = await readFile(pathOn(host, path), 'utf8').catch((error: Error) => {
    throw new Problems([problem('auth/token-file', `the token file cannot be read: ${error.message}`)]);
  });
  if (text.trim() === '') throw new Problems([problem('auth/token-file', `the token file ${path} is empty`)]);
  return text.trim();
}
