/** Finds parts of a configuration that were probably meant to be read, but were not. */
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Diagnostic, warning } from '../model/diagnostic.ts';
import { byText } from '../model/graph.ts';
import type { LoadOptions } from './configuration.ts';
import type { FoundFile } from './find-files.ts';

/** How much of a file is read, because its first lines show what it contains. */
const examinedBytes = 64 * 1024;
const mostNamedParts = 3;

/**
 * Warns about YAML files in the working directory that look like parts of the configuration but were not read. Without `-f` only
 * `trueup.yaml` or the folder `trueup` is read, so the files of `export --out-dir .` would be ignored silently. `foundFiles`: the files
 * that were read, or left out on purpose.
 */
export async function findUnreadParts(
  { cwd, paths, text, kinds }: Pick<LoadOptions, 'cwd' | 'paths' | 'text' | 'kinds'>,
  foundFiles: FoundFile[],
): Promise<Diagnostic[]> {
  if (paths || text !== undefined) return [];
  const sections = new Set(
    [...kinds.values()].filter(({ parent }) => parent === undefined).map(({ section }) => section),
  );
  const readNames = new Set(foundFiles.map(({ name }) => name));
  const entries = await readdir(cwd, { withFileTypes: true }).catch(() => []);
  const candidates = entries
    .filter((entry) => entry.isFile() && /\.ya?ml$/i.test(entry.name) && !readNames.has(entry.name))
    .map(({ name }) => name)
    .sort(byText);
  const parts: string[] = [];
  for (const name of candidates)
    if (hasOnlySections(await startOf(path.join(cwd, name)), sections)) parts.push(name);
  if (parts.length === 0) return [];
  const more = parts.length > mostNamedParts ? ` and ${parts.length - mostNamedParts} more` : '';
  const [look, was] = parts.length === 1 ? ['looks like a part', 'was'] : ['look like parts', 'were'];
  return [
    warning(
      'file/not-read',
      `${parts.slice(0, mostNamedParts).join(', ')}${more} ${look} of the configuration, but ${was} not read`,
      { hint: 'to read all files of this folder, pass it: -f .' },
    ),
  ];
}

/** True if each key at the left margin is a section of the configuration. A file with `stack` is a configuration of its own. */
function hasOnlySections(text: string, sections: ReadonlySet<string>): boolean {
  const keys = [...text.matchAll(/^["']?([A-Za-z]\w*)["']?:(?=\s|$)/gm)].map(([, key]) => key!);
  return keys.length > 0 && keys.every((key) => sections.has(key));
}

/** Returns the beginning of a file as text, to find out its keys; empty if it cannot be read. */
async function startOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined);
  try {
    const { buffer, bytesRead } = (await handle?.read({ buffer: Buffer.alloc(examinedBytes) })) ?? {};
    return buffer?.toString('utf8', 0, bytesRead) ?? '';
  } catch {
    return '';
  } finally {
    await handle?.close();
  }
}
