import { stat } from 'node:fs/promises';
import path from 'node:path';
import { addDiagnostics, type Diagnostic, problem } from '../../model/diagnostic.ts';
import { findFile } from '../find-files.ts';
import { Growth } from '../growth.ts';
import type { Sources } from '../sources/sources.ts';
import { type SourceRequest, toRefusal } from '../sources/verdict.ts';
import { describeNodeType, entryOf, type MapNode, type Node, type ScalarNode } from '../yaml/nodes.ts';
import { readDocuments } from '../yaml/read-documents.ts';
import { positionOf, type Source } from '../yaml/source.ts';
import { readDataFile } from './data-file.ts';
import type { VariableInputs } from './variable-value.ts';
import { readVariables } from './variables.ts';

/**
 * Returns the values that the selected stage sets for variables; undefined if it sets none. They come before the defaults of the variables.
 * Reports values that are no map.
 */
export function variablesOfStage(stage: MapNode, diagnostics: Diagnostic[]): MapNode | undefined {
  const node = entryOf(stage, 'variables')?.value;
  if (!node || node.type === 'map') return node;
  diagnostics.push(
    problem('config/type', `\`variables\` of a stage must be a map, not ${describeNodeType(node)}`, {
      at: node,
      hint: 'variables: { apex: staging.acme.com }',
    }),
  );
  return undefined;
}

/**
 * Reads the files of `--var-file`, which set variables, in order. Returns the path and documents of each; `documents` is undefined after a
 * report, if the file cannot be read.
 */
export async function readVarFiles(
  cwd: string,
  files: string[],
  sources: Source[],
  diagnostics: Diagnostic[],
): Promise<{ path: string; documents: MapNode[] | undefined }[]> {
  const results: { path: string; documents: MapNode[] | undefined }[] = [];
  for (const file of files) {
    const location = await findFile(cwd, file);
    if ('code' in location) {
      diagnostics.push(location);
      results.push({ path: path.resolve(cwd, file), documents: undefined });
      continue;
    }
    const documents = await readDocuments(location, sources, diagnostics, {
      isOutside: true,
      isQuoted: false,
    });
    results.push({ path: location.path, documents });
  }
  return results;
}

/**
 * Reads the variables, including environment variables and data files that the operator allows. The person at the terminal should be asked
 * only once, so the declarations are read twice:
 *
 *   1. Read all declarations, and only collect what they ask to read.
 *   2. Ask for permission for all of it at once, and read the allowed data files.
 *   3. Read all declarations again, with the allowed values.
 *
 * `texts` gets the text of each data file, for messages. The result also has the requests, the refused ones as errors, and the data files.
 */
export async function readAllowedVariables(
  sections: Node[],
  {
    inputs,
    sources,
    texts,
    writtenStack,
    replaced: replacedTexts,
  }: {
    inputs: Omit<VariableInputs, 'mayRead' | 'readData'>;
    sources: Sources;
    texts: Source[];
    writtenStack: string;
    /** The texts of files by real path, which replace those on disk. */
    replaced: ReadonlyMap<string, string> | undefined;
  },
): Promise<
  ReturnType<typeof readVariables> & {
    refused: Diagnostic[];
    requests: SourceRequest[];
    /** By their real paths. */
    dataFiles: { path: string; source: Source }[];
  }
> {
  const envRequests: SourceRequest[] = [];
  const files = new Map<ScalarNode, string>();
  const firstReading = readVariables(
    sections,
    {
      ...inputs,
      mayRead: (request) => {
        envRequests.push(request);
        return false;
      },
      readData: (file, name) => void files.set(file, name),
    },
    new Growth(),
  );
  if (envRequests.length === 0 && files.size === 0)
    return { ...firstReading, refused: [], requests: [], dataFiles: [] };
  const requests = [...envRequests, ...[...files].map(([file, name]) => toFileRequest(file, name))];
  const verdicts = await sources.judge(requests, writtenStack);
  const mayRead = new Set(envRequests.flatMap(({ name }, index) => (verdicts[index]!.allowed ? [name] : [])));
  const refused = requests.flatMap((request, index) => toRefusal(request, verdicts[index]!) ?? []);
  const valuesByFile = new Map<ScalarNode, Node>();
  const problems: Diagnostic[] = [];
  const dataFiles: { path: string; source: Source }[] = [];
  const growth = new Growth();
  // A file that several variables name is read for each of them, and counts each time.
  for (const [i, file] of [...files.keys()].entries()) {
    const request = requests[envRequests.length + i]!;
    const verdict = verdicts[envRequests.length + i]!;
    if (!verdict.allowed || !('file' in request.origin)) continue;
    const shownAs = await sources.nameOf(request.origin.file, request.folder);
    const length = await lengthOf(verdict.path!, replacedTexts);
    if (!growth.allows(file.at, { text: length }, problems)) continue;
    const { value, source, diagnostics } = await readDataFile(
      { ...request, shownAs },
      verdict,
      replacedTexts,
    );
    if (source) {
      texts.push(source);
      dataFiles.push({ path: verdict.path!, source });
    }
    if (value) valuesByFile.set(file, value);
    addDiagnostics(problems, diagnostics);
  }
  const secondReading = readVariables(
    sections,
    {
      ...inputs,
      mayRead: ({ name }) => mayRead.has(name),
      readData: (file) => valuesByFile.get(file),
    },
    growth,
  );
  addDiagnostics(secondReading.diagnostics, problems);
  return { ...secondReading, refused, requests, dataFiles };
}

/**
 * Returns the length of a file's text, estimated by its number of bytes, to count it before it is read. 0 if it cannot be read: reading
 * reports that.
 */
const lengthOf = async (path: string, replaced: ReadonlyMap<string, string> | undefined): Promise<number> =>
  replaced?.get(path)?.length ??
  (await stat(path).then(
    ({ size }) => size,
    () => 0,
  ));

/** Returns the request to read the data file of the variable `name`, for which the operator's permission may be needed. */
const toFileRequest = (file: ScalarNode, name: string): SourceRequest => ({
  use: 'variable',
  name,
  origin: { file: file.text },
  folder: file.at.source.folder ?? '.',
  at: positionOf(file.at),
});
