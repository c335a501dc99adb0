import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { Configuration, LoadOptions } from '../../src/config/configuration.ts';
import { load } from '../../src/config/load.ts';
import { kinds } from './kinds.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** A new folder with these files. */
export async function folderWith(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'trueup-config-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return folder;
}

type Options = Partial<LoadOptions> & { header?: string };

/** Loads one file, or several (a folder that is read whole). A text without a header gets one, behind it. */
export async function configure(
  yaml: string | Record<string, string>,
  options: Options = {},
): Promise<Configuration> {
  const files = typeof yaml === 'string' ? { 'trueup.yaml': yaml } : yaml;
  const { header = 'stack: test\n', ...rest } = options;
  const hasHeader = Object.values(files).some((text) => /^\s*["{]?stack\b/m.test(text));
  const all = hasHeader || header === '' ? files : { ...files, 'zz-header.yaml': header };
  const cwd = await folderWith(all);
  return load({ kinds, cwd, env: {}, paths: ['.'], ...rest });
}

/** What was found: `code line:column`, with the file's name where it is not `trueup.yaml`. */
export const told = ({ diagnostics }: Pick<Configuration, 'diagnostics'>): string[] =>
  diagnostics.map(({ code, at }) =>
    [code, ...(at ? [`${at.file === 'trueup.yaml' ? '' : `${at.file}:`}${at.line}:${at.column}`] : [])].join(
      ' ',
    ),
  );

/** The fields of a resource; fails if anything was wrong. */
export function fieldsOf(configuration: Configuration, address: string) {
  if (configuration.diagnostics.length > 0)
    throw new Error(JSON.stringify(configuration.diagnostics, null, 1));
  const resource = configuration.desired.resources.get(address);
  if (!resource) throw new Error(`${address} is not among ${[...configuration.desired.resources.keys()]}`);
  return resource.fields;
}
