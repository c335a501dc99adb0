import { type Diagnostic, endColumnOf, type Position } from '../model/diagnostic.ts';
import { digest } from '../model/digest.ts';
import { splitByPlace } from '../model/fold-diagnostics.ts';
import { dropUndefined } from '../model/walk.ts';
import { clean } from './clean.ts';
import { rank } from './diagnostics-text.ts';
import { jsonText } from './json-value.ts';

/** More of them are refused by GitHub's code scanning. */
const mostResults = 25_000;
/** It shows so many other places of a problem, and refuses a file with a thousand. */
const mostPlaces = 99;

export interface SarifAbout {
  version: string;
  /** The tool's home page. */
  homepage: string;
  /** In whose first line a problem without a place is shown. */
  file: string;
  /** The path of a file from the top of the repository, where code scanning looks for it. */
  locate(file: string): string;
  /** Explains a code and its remedy in Markdown; undefined if there is no entry. */
  explain(code: string): string | undefined;
}

/** Problems of a configuration as a SARIF 2.1.0 log, for code scanning. */
export function sarif(
  diagnostics: Diagnostic[],
  { version, homepage, file, locate, explain }: SarifAbout,
): string {
  // Code scanning marks only the first location of a result, so that each place of a folded problem is a result.
  const shown = diagnostics
    .flatMap(splitByPlace)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, mostResults);
  const ids = [...new Set(shown.map(({ code }) => code))].sort();
  const fingerprintOf = fingerprints();
  const resultOf = (diagnostic: Diagnostic) => ({
    ruleId: diagnostic.code,
    ruleIndex: ids.indexOf(diagnostic.code),
    level: diagnostic.severity,
    message: { text: sarifMessageOf(diagnostic) },
    locations: [
      {
        ...physical(diagnostic.at ?? { file, line: 1 }, locate),
        logicalLocations:
          diagnostic.address === undefined
            ? undefined
            : [{ fullyQualifiedName: diagnostic.address, kind: 'resource' }],
      },
    ],
    ...dropUndefined({
      relatedLocations: diagnostic.related?.slice(0, mostPlaces).map(({ message, at }) => ({
        ...physical(at, locate),
        message: { text: sarifText(message) },
      })),
    }),
    partialFingerprints: { primaryLocationLineHash: fingerprintOf(diagnostic) },
  });
  return jsonText({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'trueup',
            version,
            informationUri: homepage,
            rules: ids.map((id) => ruleOf(id, explain(id))),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: shown.map(resultOf),
      },
    ],
  });
}

/** `config/unknown-key`: Config: unknown key. */
function ruleOf(id: string, markdown: string | undefined) {
  const [area = '', what = ''] = id.replaceAll('-', ' ').split('/');
  const words = what === '' ? area : `${area}: ${what}`;
  const [first = ''] = (markdown ?? '').split(/\n\n/, 1);
  return {
    id,
    shortDescription: { text: `${words[0]?.toUpperCase()}${words.slice(1)}.` },
    fullDescription:
      markdown === undefined ? undefined : { text: sarifText(withoutLinks(first).replaceAll('\n', ' ')) },
    help:
      markdown === undefined
        ? undefined
        : { text: sarifText(withoutLinks(markdown)), markdown: withoutLinks(markdown) },
  };
}

/** The links of the documentation lead from one of its pages to another: elsewhere their words are enough. */
const withoutLinks = (text: string) => text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');

const sarifMessageOf = ({ message, hint }: Diagnostic) =>
  sarifText(hint === undefined ? message : `${message}\n${hint}`);

/** A text in brackets before one in parentheses would be a link. */
const sarifText = (text: string) => clean(text).replaceAll('](', '] (');

function physical(at: Position | Pick<Position, 'file' | 'line'>, locate: SarifAbout['locate']) {
  return {
    physicalLocation: {
      artifactLocation: uriOf(locate(at.file)),
      region: regionOf(at),
    },
  };
}

function regionOf(at: Position | Pick<Position, 'line'>) {
  if (!('column' in at)) return { startLine: at.line };
  const endColumn = endColumnOf(at);
  return {
    startLine: at.line,
    startColumn: at.column,
    endLine: endColumn === undefined ? undefined : at.line,
    endColumn,
  };
}

function uriOf(file: string) {
  const path = file.replaceAll('\\', '/');
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? { uri: `file://${uri}` } : { uri, uriBaseId: '%SRCROOT%' };
}

/**
 * Identifies a problem from one run to the next, wherever it moves in its file: by its subject and its code. The name
 * `primaryLocationLineHash` is the only one that GitHub looks at.
 */
function fingerprints(): (diagnostic: Diagnostic) => string {
  const seen = new Map<string, number>();
  return ({ code, address, at, message }) => {
    const hash = digest('sarif', [code, address ?? [at?.file, message]]);
    const number = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, number);
    return `${hash}:${number}`;
  };
}
