import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { isTrueupDocument } from '../sources/regular-file.ts';
import type { SourceRequest, Verdict } from '../sources/verdict.ts';
import { quoted } from '../suggest.ts';
import type { Node } from '../yaml/nodes.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { readBytes, sourceOf } from '../yaml/read-documents.ts';
import { positionOf, Source } from '../yaml/source.ts';

/** The content of a data file with its places for messages, or the problems with it. */
interface DataFile {
  value?: Node;
  source?: Source;
  diagnostics: Diagnostic[];
}

/**
 * Reads the data file of a variable. The ending of its name decides the format: CSV, JSON or YAML. Refuses ledgers and plans of trueup.
 * `shownAs`: its name in messages. `texts`: the texts of files by path, which replace those on disk.
 */
export async function readDataFile(
  request: Pick<SourceRequest, 'at'> & { shownAs: string },
  { path, isTracked }: Extract<Verdict, { allowed: true }>,
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
  if (!/\.(json|ya?ml)$/i.test(source.file))
    return {
      diagnostics: [
        problem('data/format', `${quoted(source.file)} is not a data file`, {
          at: request.at,
          hint: 'its name must end in .csv, .json, .yaml or .yml',
        }),
      ],
    };
  return readYamlData(source);
}

/** Reads a YAML or JSON file with one document. Reports an empty file and further documents. */
async function readYamlData(source: Source): Promise<DataFile> {
  const { documents, diagnostics } = await parseYaml(source);
  const [value, secondDocument] = documents;
  if (source.broken || (value && !secondDocument))
    return { source, diagnostics, ...(value && !source.broken ? { value } : {}) };
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
