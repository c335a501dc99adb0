import { stat } from 'node:fs/promises';
import path from 'node:path';
import { addDiagnostics, type Diagnostic, problem } from '../../model/diagnostic.ts';
import { findFile } from '../find-files.ts';
import { Growth } from '../growth.ts';
import type { Sources } from '../sources/sources.ts';
import { type SourceRequest, toRefusal, type Verdict } from '../sources/verdict.ts';
import { describeNodeType, type MapNode, memberOf, type Node, type ScalarNode } from '../yaml/nodes.ts';
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
  const node = memberOf(stage, 'variables');
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

/** How variables are read. */
interface VariableReading {
  inputs: Omit<VariableInputs, 'mayRead' | 'readData'>;
  sources: Sources;
  /** Gets the text of each data file, for messages. */
  texts: Source[];
  writtenStack: string;
  /** The texts of files by real path, which replace those on disk. */
  replaced: ReadonlyMap<string, string> | undefined;
}

/** The variables, and the sources that were read or refused for them. */
type AllowedVariables = ReturnType<typeof readVariables> & {
  /** The errors for sources that may not be read. */
  refused: Diagnostic[];
  requests: SourceRequest[];
  /** The data files by their real paths. */
  dataFiles: { path: string; source: Source }[];
};

/**
 * Reads the variables, including environment variables and data files that the operator allows. The person at the terminal should be asked
 * only once, so the declarations are read twice:
 *
 *   1. Read all declarations, and only collect what they ask to read.
 *   2. Ask for permission for all of it at once, and read the allowed data files.
 *   3. Read all declarations again, with the allowed values.
 */
export async function readAllowedVariables(
  sections: Node[],
  reading: VariableReading,
): Promise<AllowedVariables> {
  const { inputs, sources, writtenStack } = reading;
  const envRequests: SourceRequest[] = [];
  const fileNodes = new Map<ScalarNode, string>();
  const firstReading = readVariables(
    sections,
    {
      ...inputs,
      mayRead: (request) => {
        envRequests.push(request);
        return false;
      },
      readData: (file, name) => void fileNodes.set(file, name),
    },
    new Growth(),
  );
  const fileRequests = [...fileNodes].map(([file, name]) => toFileRequest(file, name));
  const requests = [...envRequests, ...fileRequests];
  if (requests.length === 0) return { ...firstReading, refused: [], requests, dataFiles: [] };
  const verdicts = await sources.judge(requests, writtenStack);
  const refused = requests.flatMap((request, index) => toRefusal(request, verdicts[index]!) ?? []);
  const allowedNames = new Set(
    envRequests.flatMap(({ name }, index) => (verdicts[index]!.allowed ? [name] : [])),
  );
  const fileVerdicts = verdicts.slice(envRequests.length);
  const data = await readDataFiles([...fileNodes.keys()], fileRequests, fileVerdicts, reading);
  const secondReading = readVariables(
    sections,
    {
      ...inputs,
      mayRead: ({ name }) => allowedNames.has(name),
      readData: (file) => data.values.get(file),
    },
    data.growth,
  );
  addDiagnostics(secondReading.diagnostics, data.diagnostics);
  return { ...secondReading, refused, requests, dataFiles: data.dataFiles };
}

/**
 * Reads the data files of variables that may be read. `nodes`, `requests` and `verdicts` belong together by index: the node with the path
 * of a file, the request for it, and the decision. A file that several variables name is read for each of them, and counts each time.
 */
async function readDataFiles(
  nodes: ScalarNode[],
  requests: ReturnType<typeof toFileRequest>[],
  verdicts: Verdict[],
  { sources, texts, replaced: replacedTexts }: VariableReading,
) {
  const values = new Map<ScalarNode, Node>();
  const diagnostics: Diagnostic[] = [];
  const dataFiles: { path: string; source: Source }[] = [];
  const growth = new Growth();
  for (const [index, node] of nodes.entries()) {
    const request = requests[index]!;
    const verdict = verdicts[index]!;
    if (!verdict.allowed) continue;
    const shownAs = await sources.nameOf(request.origin.file, request.folder);
    const length = await lengthOf(verdict.path!, replacedTexts);
    if (!growth.allows(node.at, { text: length }, diagnostics)) continue;
    const dataFile = await readDataFile({ ...request, shownAs }, verdict, replacedTexts);
    addDiagnostics(diagnostics, dataFile.diagnostics);
    if (dataFile.value) values.set(node, dataFile.value);
    if (!dataFile.source) continue;
    texts.push(dataFile.source);
    dataFiles.push({ path: verdict.path!, source: dataFile.source });
  }
  return { values, diagnostics, dataFiles, growth };
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
const toFileRequest = (file: ScalarNode, name: string) =>
  ({
    use: 'variable',
    name,
    origin: { file: file.text },
    folder: file.at.source.folder ?? '.',
    at: positionOf(file.at),
  }) satisfies SourceRequest;
