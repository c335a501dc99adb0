import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { findFile } from '../find-files.ts';
import { Growth } from '../growth.ts';
import type { Sources } from '../sources/sources.ts';
import { type SourceRequest, toRefusal } from '../sources/verdict.ts';
import { describe, entryOf, type MapNode, type Node, type ScalarNode } from '../yaml/nodes.ts';
import { readDocuments } from '../yaml/read-documents.ts';
import { positionOf, type Source } from '../yaml/source.ts';
import { readDataFile } from './data-file.ts';
import type { VariableInputs } from './variable-value.ts';
import { readVariables } from './variables.ts';

/** The values that a stage gives to variables. */
export function variablesOfStage(stage: MapNode, diagnostics: Diagnostic[]): MapNode | undefined {
  const node = entryOf(stage, 'variables')?.value;
  if (!node || node.type === 'map') return node;
  diagnostics.push(
    problem('config/type', `\`variables\` of a stage must be a map, not ${describe(node)}`, {
      at: positionOf(node.at),
      hint: 'variables: { apex: staging.acme.com }',
    }),
  );
  return undefined;
}

/** Reads the files of `--var-file`: the path and the documents of each, undefined for one that cannot be read. */
export async function readVarFiles(
  cwd: string,
  files: string[],
  sources: Source[],
  diagnostics: Diagnostic[],
): Promise<{ path: string; documents: MapNode[] | undefined }[]> {
  const read: { path: string; documents: MapNode[] | undefined }[] = [];
  for (const file of files) {
    const place = await findFile(cwd, file);
    if ('code' in place) {
      diagnostics.push(place);
      read.push({ path: path.resolve(cwd, file), documents: undefined });
      continue;
    }
    const documents = await readDocuments(place, sources, diagnostics, { isOutside: true, isQuoted: false });
    read.push({ path: place.path, documents });
  }
  return read;
}

/** The variables, of which those that may not be read have no value; they are read once it is known which. */
export async function readAllowedVariables(
  sections: Node[],
  {
    given,
    sources,
    texts,
    writtenStack,
    replaced,
  }: {
    given: Omit<VariableInputs, 'mayRead' | 'dataOf'>;
    sources: Sources;
    texts: Source[];
    writtenStack: string;
    /** The texts of files, by real path, in place of what is on disk. */
    replaced: ReadonlyMap<string, string> | undefined;
  },
): Promise<
  ReturnType<typeof readVariables> & {
    refused: Diagnostic[];
    asked: SourceRequest[];
    /** By their real paths. */
    dataFiles: { path: string; source: Source }[];
  }
> {
  const wanted: SourceRequest[] = [];
  const files = new Map<ScalarNode, string>();
  const first = readVariables(
    sections,
    {
      ...given,
      mayRead: (asked) => wanted.push(asked) < 0,
      dataOf: (file, name) => void files.set(file, name),
    },
    new Growth(),
  );
  if (wanted.length === 0 && files.size === 0) return { ...first, refused: [], asked: [], dataFiles: [] };
  const asked = [...wanted, ...[...files].map(([file, name]) => toFileRequest(file, name))];
  const verdicts = await sources.judge(asked, writtenStack);
  const mayRead = new Set(wanted.flatMap(({ name }, index) => (verdicts[index]!.allowed ? [name] : [])));
  const refused = asked.flatMap((one, index) => toRefusal(one, verdicts[index]!) ?? []);
  const data = new Map<ScalarNode, Node>();
  const wrong: Diagnostic[] = [];
  const dataFiles: { path: string; source: Source }[] = [];
  // A file that several variables name is read for each of them.
  const growth = new Growth();
  for (const [i, file] of [...files.keys()].entries()) {
    const one = asked[wanted.length + i]!;
    const verdict = verdicts[wanted.length + i]!;
    if (!verdict.allowed || !('file' in one.origin)) continue;
    const shownAs = await sources.nameOf(one.origin.file, one.folder);
    const length = await lengthOf(verdict.path!, replaced);
    if (!growth.allows(file.at, { text: length }, wrong)) continue;
    const { value, source, diagnostics } = await readDataFile({ ...one, shownAs }, verdict, replaced);
    if (source) {
      texts.push(source);
      dataFiles.push({ path: verdict.path!, source });
    }
    if (value) data.set(file, value);
    wrong.push(...diagnostics);
  }
  const second = readVariables(
    sections,
    {
      ...given,
      mayRead: ({ name }) => mayRead.has(name),
      dataOf: (file) => data.get(file),
    },
    growth,
  );
  second.diagnostics.push(...wrong);
  return { ...second, refused, asked, dataFiles };
}

/** The length of a file's text, as its number of bytes tells it; 0 if it cannot be read, which is reported by reading it. */
const lengthOf = async (path: string, replaced: ReadonlyMap<string, string> | undefined): Promise<number> =>
  replaced?.get(path)?.length ??
  (await stat(path).then(
    ({ size }) => size,
    () => 0,
  ));

const toFileRequest = (file: ScalarNode, name: string): SourceRequest => ({
  use: 'variable',
  name,
  origin: { file: file.text },
  folder: file.at.source.folder ?? '.',
  at: positionOf(file.at),
});
