import path from 'node:path';
import type { FoundFile } from './find-files.ts';
import type { Asked } from './sources/verdict.ts';
import type { SecretSource } from './values/secrets.ts';

/**
 * All files that a configuration was read from or names, as absolute paths, each once: a change of any other file changes nothing of it. What is
 * named may be missing, and was not necessarily read. Of a command the words count that could be files: they start at `cwd`.
 */
export function filesBehind(
  files: readonly Pick<FoundFile, 'path' | 'text'>[],
  asked: readonly Asked[],
  secrets: ReadonlyMap<string, SecretSource>,
  cwd: string,
): string[] {
  const found = new Set(files.flatMap(({ path: file, text }) => (text === undefined ? [file] : [])));
  const origins = [...secrets.values()].map((origin) => ({ origin, folder: origin.folder }));
  for (const { origin, folder } of [...asked, ...origins]) {
    if ('file' in origin) found.add(path.resolve(cwd, folder, origin.file));
    if ('command' in origin)
      for (const word of origin.command.slice(1))
        if (!word.startsWith('-') && !/\s/.test(word)) found.add(path.resolve(cwd, word));
  }
  return [...found].sort();
}
