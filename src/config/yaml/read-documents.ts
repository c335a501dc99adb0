import { dirname, join } from 'node:path';
import { type Diagnostic, problem, warning } from '../../model/diagnostic.ts';
import { standardInput } from '../../model/resource.ts';
import { type FoundFile, findFiles, noRegularFile, unreadable } from '../find-files.ts';
import { readRegularFile } from '../sources/regular-file.ts';
import { describe, isNull, type MapNode, maskNode } from './nodes.ts';
import { parseYaml } from './parse-yaml.ts';
import { Source } from './source.ts';

/**
 * The maps in a file, one for each document; undefined if it cannot be read whole. All that is wrong goes to `diagnostics`.
 * `as`: what is said of its source where it is no file of the configuration.
 */
export async function readDocuments(
  file: FoundFile,
  sources: Source[],
  diagnostics: Diagnostic[],
  as: Partial<Pick<Source, 'isOutside' | 'isQuoted'>> = {},
): Promise<MapNode[] | undefined> {
  const source = await readFoundFile(file);
  if (!(source instanceof Source)) {
    diagnostics.push(source);
    return undefined;
  }
  Object.assign(source, as);
  sources.push(source);
  const { documents, diagnostics: found } = await parseYaml(source);
  diagnostics.push(...found);
  if (source.broken) return undefined;
  const isEmpty = documents.every(isNull);
  if (isEmpty) diagnostics.push(warning('file/empty', `${file.name} is empty`, { at: source.position(0) }));
  return documents.flatMap((node) => {
    if (node.type === 'map') return [node];
    if (!isNull(node)) {
      diagnostics.push(
        problem('config/type', `a file must contain a map, not ${describe(node)}`, {
          at: node,
          hint: 'stack: name',
        }),
      );
      maskNode(node);
    }
    return [];
  });
}

/** More than that is no configuration. */
export const maxBytes = 32 * 1024 * 1024;

/** A file's text; a diagnostic where it is none, or more than is read. */
async function readFoundFile({ path, name, text }: FoundFile): Promise<Source | Diagnostic> {
  const folder = dirname(path);
  if (text !== undefined)
    return typeof text === 'string' ? new Source(name, text, folder) : sourceOf(name, text, folder);
  const bytes = await readBytes({ path, name });
  return Buffer.isBuffer(bytes) ? sourceOf(name, bytes, folder) : bytes;
}

/** Reads a file of the configuration: a regular one, of at most `maxBytes`. */
export async function readBytes({
  path,
  name,
}: Pick<FoundFile, 'path' | 'name'>): Promise<Buffer | Diagnostic> {
  try {
    const bytes = await readRegularFile(path, maxBytes);
    if (bytes === 'special') return noRegularFile(name);
    return bytes === 'too-large' ? tooLargeFile(name) : bytes;
  } catch (error) {
    return unreadable(name, error);
  }
}

const tooLargeFile = (name: string) =>
  problem('file/too-large', `${name} is larger than ${maxBytes / 1024 / 1024} MB`, {
    at: { file: name, line: 1, column: 1 },
  });

/** The text that these bytes are, without a byte order mark. */
export function sourceOf(name: string, bytes: Buffer, folder?: string): Source | Diagnostic {
  const at = { file: name, line: 1, column: 1 };
  if (bytes.length > maxBytes) return tooLargeFile(name);
  const line = (offset: number) => bytes.subarray(0, offset).filter((byte) => byte === 10).length + 1;
  const binary = bytes.indexOf(0);
  if (binary !== -1)
    return problem('file/not-text', `${name} is not text: it contains a NUL byte`, {
      at: { ...at, line: line(binary) },
      hint: 'save it as UTF-8',
    });
  try {
    return new Source(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes), folder);
  } catch {
    return problem('file/not-text', `${name} is not encoded as UTF-8`, { at, hint: 'save it as UTF-8' });
  }
}

const inMemory = (cwd: string, text: string): Awaited<ReturnType<typeof findFiles>> => ({
  files: [{ path: join(cwd, 'trueup.yaml'), name: 'trueup.yaml', text }],
  inputs: ['trueup.yaml'],
  folders: [],
  diagnostics: [],
});

/** Finds the files behind the paths, standard input among them; or takes `text` as the only file. */
export async function filesOf({
  cwd,
  paths,
  text,
  readInput,
}: {
  cwd: string;
  paths?: string[] | undefined;
  text?: string | undefined;
  readInput?(): Promise<Buffer>;
}): ReturnType<typeof findFiles> {
  if (text !== undefined) return inMemory(cwd, text);
  if (!paths?.includes(standardInput)) return findFiles(cwd, paths);
  const others = paths.filter((one) => one !== standardInput);
  const found =
    others.length > 0
      ? await findFiles(cwd, others)
      : { files: [], inputs: [], folders: [], diagnostics: [] };
  const input = { path: join(cwd, '-'), name: '<stdin>', text: (await readInput?.()) ?? '' };
  return { ...found, files: [...found.files, input], inputs: [...found.inputs, standardInput] };
}
