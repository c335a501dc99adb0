import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Diagnostic, problem, Reporter } from '../../model/diagnostic.ts';
import { findFile } from '../find-files.ts';
import { Growth } from '../growth.ts';
import { refuseLinkedFiles } from '../refuse-linked-files.ts';
import { isTrueupDocument } from '../sources/regular-file.ts';
import type { Sources } from '../sources/sources.ts';
import { type SourceRequest, type SourceVerdict, toRefusal } from '../sources/verdict.ts';
import { quoted } from '../suggest.ts';
import { type MapNode, memberOf, type Node, reportType, type ScalarNode } from '../yaml/nodes.ts';
import { parseYaml, readBytes, readDocuments, sourceOf } from '../yaml/read-documents.ts';
import { positionOf, Source } from '../yaml/source.ts';
import { readVariables, type VariableInputs } from './variables.ts';

/**
 * Returns the values that the stage selected by `--stage` sets for variables; undefined if it sets none. They
 * take precedence over defaults, so that one configuration can differ between stages. `stage`: its entry
 * under `stages:`. Reports values that are no map.
 */
export function variablesOfStage(stage: MapNode, report: Reporter): MapNode | undefined {
  const node = memberOf(stage, 'variables');
  if (!node || node.type === 'map') return node;
  reportType(report, node, '`variables` of a stage must be a map', 'variables: { apex: staging.acme.com }');
  return undefined;
}

/** A file of `--var-file`; without documents and text if it could not be read. */
interface VarFile {
  path: string;
  documents: MapNode[] | undefined;
  source?: Source | undefined;
}

/**
 * Reads the files of `--var-file`, in order; their values for variables take precedence over those of the configuration. Returns the path,
 * text and documents of each; `documents` is undefined after a report, if the file cannot or may not be read. `texts`: the texts of files
 * by real path, which replace those on disk.
 */
export async function readVarFiles(
  { cwd, allowed, texts }: { cwd: string; allowed: Sources; texts: ReadonlyMap<string, string> | undefined },
  files: string[],
  sources: Source[],
  report: Reporter,
): Promise<VarFile[]> {
  const results: VarFile[] = [];
  for (const name of files) {
    const location = await findFile(cwd, name);
    const refusal =
      'code' in location ? location : (await refuseLinkedFiles([location], cwd, allowed)).get(location.path);
    if ('code' in location || refusal) {
      report.add(refusal!);
      results.push({ path: path.resolve(cwd, name), documents: undefined });
      continue;
    }
    const text = texts?.get(location.path);
    const file = text === undefined ? location : { ...location, text };
    const documents = await readDocuments(file, sources, report, {
      example: 'region: fra1',
      isOutside: true,
      isQuoted: false,
    });
    const source = documents && sources.find((read) => read.file === location.name);
    results.push({ path: location.path, documents, source });
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
 * Reads the variables of a configuration, including environment variables and data files that the operator
 * allows. The person at the terminal should be asked only once, so the declarations are read twice: first
 * only to collect what they ask to read, then, after one question, with the allowed values.
 *
 * In the result, `refused` says why sources were not read, and `requests` lists all that were requested.
 */
export async function readAllowedVariables(
  sections: Node[],
  reading: VariableReading,
): Promise<AllowedVariables> {
  const { inputs, sources, writtenStack } = reading;
  const envRequests: SourceRequest[] = [];
  const fileNodes = new Map<ScalarNode, string>();
  const collectRequests = {
    mayRead: (request: SourceRequest) => {
      envRequests.push(request);
      return false;
    },
    readData: (file: ScalarNode, name: string) => void fileNodes.set(file, name),
  };
  const firstReading = readVariables(sections, { ...inputs, ...collectRequests }, new Growth());
  const fileRequests = [...fileNodes].map(([file, name]) => toFileRequest(file, name));
  const requests = [...envRequests, ...fileRequests];
  if (requests.length === 0) return { ...firstReading, refused: [], requests, dataFiles: [] };
  const verdicts = await sources.judge(requests, writtenStack);
  const refused = requests.flatMap((request, index) => toRefusal(request, verdicts[index]!) ?? []);
  // The verdicts have the order of the requests: first those for the environment, then those for files.
  const allowedEnv = envRequests.filter((_, index) => verdicts[index]!.allowed);
  const allowedNames = new Set(allowedEnv.map(({ name }) => name));
  const fileVerdicts = verdicts.slice(envRequests.length);
  const data = await readDataFiles([...fileNodes.keys()], fileRequests, fileVerdicts, reading);
  const readAllowed = {
    mayRead: ({ name }: SourceRequest) => allowedNames.has(name),
    readData: (file: ScalarNode) => data.values.get(file),
  };
  const secondReading = readVariables(sections, { ...inputs, ...readAllowed }, data.growth);
  secondReading.report.add(data.diagnostics);
  return { ...secondReading, refused, requests, dataFiles: data.dataFiles };
}

/**
 * Reads the data files of variables that may be read, after the operator's permissions are known. `nodes`,
 * `requests` and `verdicts` belong together by index: the node with the path of a file, the request for it,
 * and the decision. A file that several variables name is read for each of them, and counts each time against
 * the limit on text. `replaced`: texts that `accept` has edited, instead of those on disk.
 */
async function readDataFiles(
  nodes: ScalarNode[],
  requests: ReturnType<typeof toFileRequest>[],
  verdicts: SourceVerdict[],
  { sources, texts, replaced: replacedTexts }: VariableReading,
) {
  const values = new Map<ScalarNode, Node>();
  const report = new Reporter();
  const dataFiles: { path: string; source: Source }[] = [];
  const growth = new Growth();
  for (const [index, node] of nodes.entries()) {
    const request = requests[index]!;
    const verdict = verdicts[index]!;
    if (!verdict.allowed) continue;
    const shownAs = await sources.nameOf(request.origin.file, request.folder);
    const length = await lengthOf(verdict.path!, replacedTexts);
    if (!growth.allows(node.at, { text: length }, report)) continue;
    const dataFile = await readDataFile({ ...request, shownAs }, verdict, replacedTexts);
    report.add(dataFile.diagnostics);
    if (dataFile.value) values.set(node, dataFile.value);
    if (!dataFile.source) continue;
    texts.push(dataFile.source);
    dataFiles.push({ path: verdict.path!, source: dataFile.source });
  }
  return { values, diagnostics: report.diagnostics, dataFiles, growth };
}

/**
 * Returns the length of a data file's text, estimated by its number of bytes, so that files that are too
 * large together are refused before they are read. Returns 0 if it cannot be read, because reading reports
 * that. `replaced`: texts that replace files on disk, by path.
 */
const lengthOf = async (path: string, replaced: ReadonlyMap<string, string> | undefined): Promise<number> =>
  replaced?.get(path)?.length ??
  (await stat(path).then(
    ({ size }) => size,
    () => 0,
  ));

/**
 * Returns the request to read the data file of the variable `name`. The operator may have to permit it,
 * because anyone who can write the YAML could otherwise show any file. `file`: the node with its path.
 */
const toFileRequest = (file: ScalarNode, name: string) =>
  ({
    use: 'variable',
    name,
    origin: { file: file.text },
    folder: file.at.source.folder ?? '.',
    at: positionOf(file.at),
  }) satisfies SourceRequest;

/** The content of a data file with its places for messages, or the problems with it. */
interface DataFile {
  value?: Node;
  source?: Source;
  diagnostics: Diagnostic[];
}

/**
 * Reads the data file of a variable with `file:`; `$each` can create a resource for each of its rows. The
 * ending of its name decides the format: CSV, JSON or YAML. Ledgers and plans of trueup are refused.
 * `shownAs`: its name in messages. `texts`: the texts of files by path, which replace those on disk. Messages
 * quote none of its lines, because any value in it may be a secret.
 */
async function readDataFile(
  request: Pick<SourceRequest, 'at'> & { shownAs: string },
  { path, isTracked }: Extract<SourceVerdict, { allowed: true }>,
  texts?: ReadonlyMap<string, string>,
): Promise<DataFile> {
  const name = request.shownAs;
  const text = texts?.get(path!);
  const bytes = text === undefined ? await readBytes({ path: path!, name }) : Buffer.from(text);
  if (Buffer.isBuffer(bytes) && isTrueupDocument(bytes))
    return {
      diagnostics: [
        problem('source/file', `${quoted(name)} is a trueup ledger or plan, which is never read`, {
          at: request.at,
        }),
      ],
    };
  const source = Buffer.isBuffer(bytes) ? sourceOf(name, bytes) : bytes;
  if (!(source instanceof Source)) return { diagnostics: [{ ...source, at: request.at }] };
  source.isOutside = isTracked !== true;
  source.isQuoted = false;
  // Loaded only if needed: most configurations have no CSV file.
  if (/\.csv$/i.test(source.file)) return { source, ...(await import('./read-csv.ts')).readCsv(source) };
  if (/\.(json|ya?ml)$/i.test(source.file)) return readYamlData(source);
  const formatProblem = problem('data/format', `${quoted(source.file)} is not a data file`, {
    at: request.at,
    hint: 'its name must end in .csv, .json, .yaml or .yml',
  });
  return { diagnostics: [formatProblem] };
}

/**
 * Returns the content of a YAML or JSON file with one document, as the value of a variable with `file:`.
 * Reports an empty file and further documents.
 */
async function readYamlData(source: Source): Promise<DataFile> {
  const { documents, diagnostics } = await parseYaml(source);
  const [value, secondDocument] = documents;
  // The problems of a broken file are in `diagnostics`.
  if (source.broken) return { source, diagnostics };
  if (value && !secondDocument) return { source, diagnostics, value };
  return {
    source,
    diagnostics: [
      ...diagnostics,
      problem(
        'data/empty',
        secondDocument ? 'a data file can have only one document' : 'the data file is empty',
        {
          at: secondDocument ? positionOf(secondDocument.at) : source.position(0),
          hint: secondDocument && 'remove the second document (after `---`), or split it into two files',
        },
      ),
    ],
  };
}
