import { dirname, join } from 'node:path';
import type { Host } from '../../host.ts';
import { type Diagnostic, problem, type Reporter, warning } from '../../model/diagnostic.ts';
import { standardInput } from '../../model/resource.ts';
import { type FoundFile, findFiles, notRegularFileProblem, unreadableFileProblem } from '../find-files.ts';
import { readRegularFile } from '../sources/regular-file.ts';
import type { ParsedYaml } from './node-reader.ts';
import { isNull, type MapNode, maskNode, reportType } from './nodes.ts';
import { readOrdinary } from './ordinary-reader.ts';
import { Source } from './source.ts';

/** How a YAML file is read. The traits of the source are for a file such as a variable file, whose lines are not quoted. */
interface ReadDocumentsOptions extends Partial<Pick<Source, 'isOutside' | 'isQuoted'>> {
  /** A line that such a file can have, for the hint about a file that is no map. */
  example?: string;
  /** Gets the warning that the file is empty; by default, it is reported. For callers that report an error about an empty file. */
  onEmpty?(emptyWarning: Diagnostic): void;
}

/**
 * Reads a YAML file of the configuration, and returns the maps of its documents; undefined if it cannot be
 * read or parsed. Documents that are no map are reported (empty ones are not) and left out. Adds problems to
 * `report`, and the file to `sources`, so that messages can quote its lines.
 */
export async function readDocuments(
  file: FoundFile,
  sources: Source[],
  report: Reporter,
  {
    example = 'stack: name',
    onEmpty = (emptyWarning) => report.add(emptyWarning),
    ...sourceTraits
  }: ReadDocumentsOptions = {},
): Promise<MapNode[] | undefined> {
  const source = await readFoundFile(file);
  if (!(source instanceof Source)) {
    report.add(source);
    return undefined;
  }
  Object.assign(source, sourceTraits);
  sources.push(source);
  const { documents, diagnostics: yamlDiagnostics } = await parseYaml(source);
  report.add(yamlDiagnostics);
  if (source.broken) return undefined;
  const isEmpty = documents.every(isNull);
  if (isEmpty) onEmpty(warning('file/empty', `${file.name} is empty`, { at: source.position(0) }));
  return documents.flatMap((node) => {
    if (node.type === 'map') return [node];
    if (!isNull(node)) {
      reportType(report, node, 'a file must contain a map', example);
      maskNode(node);
    }
    return [];
  });
}

/** The largest file that is read. More is no configuration. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Returns the source (name and text) of a file of the configuration, or a diagnostic if the file cannot be
 * read, is no text or is too large. A file with `text` is not read from the disk: its content came from
 * standard input or git, was edited by `accept`, or is only checked.
 */
async function readFoundFile({ path, name, text }: FoundFile): Promise<Source | Diagnostic> {
  const folder = dirname(path);
  if (text !== undefined)
    return typeof text === 'string' ? new Source(name, text, folder) : sourceOf(name, text, folder);
  const bytes = await readBytes({ path, name });
  return Buffer.isBuffer(bytes) ? sourceOf(name, bytes, folder) : bytes;
}

/**
 * Returns the bytes of a file of the configuration, of a data file, or of a file to format or convert; a
 * diagnostic if it cannot be read. It must be a regular file of limited size, because a pipe or a huge file
 * could block the run or fill the memory. `name`: the file for messages.
 */
export async function readBytes({
  path,
  name,
}: Pick<FoundFile, 'path' | 'name'>): Promise<Buffer | Diagnostic> {
  try {
    const bytes = await readRegularFile(path, maxBytes);
    if (bytes === 'special') return notRegularFileProblem(name);
    return bytes === 'too-large' ? tooLargeFile(name) : bytes;
  } catch (error) {
    return unreadableFileProblem(name, error);
  }
}

/** Returns the problem with a file that exceeds `maxBytes`. */
const tooLargeFile = (name: string) =>
  problem('file/too-large', `${name} is larger than ${maxBytes / 1024 / 1024} MB`, {
    at: { file: name, line: 1, column: 1 },
  });

/**
 * Decodes the bytes of a file as UTF-8, without byte order mark. Returns its source: the text, from which
 * values are read and messages quote lines. Returns a diagnostic if it is too large or no text, at the line
 * of a NUL byte or else at the start. `folder`: where its relative paths start.
 */
export function sourceOf(name: string, bytes: Buffer, folder?: string): Source | Diagnostic {
  const fileStart = { file: name, line: 1, column: 1 };
  if (bytes.length > maxBytes) return tooLargeFile(name);
  const lineAt = (offset: number) => bytes.subarray(0, offset).filter((byte) => byte === 10).length + 1;
  const nulOffset = bytes.indexOf(0);
  if (nulOffset !== -1)
    return problem('file/not-text', `${name} is not text: it contains a NUL byte`, {
      at: { ...fileStart, line: lineAt(nulOffset) },
      hint: 'save it as UTF-8',
    });
  try {
    return new Source(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes), folder);
  } catch {
    return problem('file/not-text', `${name} is not encoded as UTF-8`, {
      at: fileStart,
      hint: 'save it as UTF-8',
    });
  }
}

/**
 * Returns a configuration that is given as text, for example to check an export before it is written, as the
 * only file of its folder, so that it is loaded like files.
 */
const asOnlyFile = (cwd: string, text: string): Awaited<ReturnType<typeof findFiles>> => ({
  files: [{ path: join(cwd, 'trueup.yaml'), name: 'trueup.yaml', text }],
  inputs: ['trueup.yaml'],
  folders: [],
  diagnostics: [],
});

/**
 * Finds the files of a configuration at the paths that a user named with `-f`, or at the default paths. The
 * path `-` means standard input, which `readInput` reads. With `text`, that is the only file: checks of
 * exports and CI files, conversions and tests pass a configuration as text.
 */
export async function findNamedFiles({
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
  if (text !== undefined) return asOnlyFile(cwd, text);
  if (!paths?.includes(standardInput)) return findFiles(cwd, paths);
  const otherPaths = paths.filter((path) => path !== standardInput);
  const foundFiles =
    otherPaths.length > 0
      ? await findFiles(cwd, otherPaths)
      : { files: [], inputs: [], folders: [], diagnostics: [] };
  const input = { path: join(cwd, '-'), name: '<stdin>', text: (await readInput?.()) ?? '' };
  return {
    ...foundFiles,
    files: [...foundFiles.files, input],
    inputs: [...foundFiles.inputs, standardInput],
  };
}

const inputsByStream = new WeakMap<Host['stdin'], Promise<Buffer>>();

/**
 * Returns standard input, for a configuration from `-f -`. It can be read only once, so it is kept: a command
 * that loads the configuration again gets the same bytes.
 */
export function readInputOnce(stdin: Host['stdin']): Promise<Buffer> {
  const input = inputsByStream.get(stdin) ?? readStandardInput(stdin);
  inputsByStream.set(stdin, input);
  return input;
}

/** Reads standard input. Stops soon after the size limit of a configuration, because the caller rejects a longer text. */
export async function readStandardInput(stdin: Host['stdin']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

/**
 * Parses a YAML text into nodes (values with their places), for everything that reads a configuration. A text
 * with a problem is marked as `broken`. The parser of `yaml` is slow, so it is loaded only for a text that is not
 * ordinary or has an error.
 */
export async function parseYaml(source: Source): Promise<ParsedYaml> {
  const ordinary = readOrdinary(source);
  if (ordinary) return { documents: [ordinary], diagnostics: [] };
  const { parseWithLibrary } = await import('./parse-with-library.ts');
  return parseWithLibrary(source);
}
