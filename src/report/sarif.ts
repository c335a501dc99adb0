import { bySeverity, type Diagnostic, endColumnOf, type Position } from '../model/diagnostic.ts';
import { digest } from '../model/digest.ts';
import { splitByPlace } from '../model/fold-diagnostics.ts';
import { jsonText } from './show.ts';
import { capitalized, clean, withoutLinks } from './text.ts';

/** GitHub's code scanning rejects a file with more results. */
const maxResults = 25_000;
/** GitHub's code scanning shows at most 99 related places of a result, and rejects a file with a result that has 1,000. */
const maxRelatedLocations = 99;

/** Facts for a SARIF log that the diagnostics do not have. */
interface SarifAbout {
  version: string;
  /** The tool's home page, if it has one. */
  homepage: string | undefined;
  /** The file to whose first line a problem without a place is attached. */
  file: string;
  /** Returns the path of a file from the top of the repository, because code scanning looks for it there. */
  locate(file: string): string;
  /** Returns the explanation of a code and its remedy in Markdown; undefined if there is no entry. */
  explain(code: string): string | undefined;
}

/**
 * Formats the problems of a configuration or a plan as a SARIF 2.1.0 log, which GitHub's code scanning shows at the lines of a pull
 * request. Errors come first, so that the limit cuts warnings.
 */
export function sarif(diagnostics: Diagnostic[], about: SarifAbout): string {
  const { version, homepage, explain } = about;
  // Code scanning marks only the first location of a result, so each place of a folded problem becomes a result.
  const shownDiagnostics = diagnostics.flatMap(splitByPlace).sort(bySeverity).slice(0, maxResults);
  const ruleIds = [...new Set(shownDiagnostics.map(({ code }) => code))].sort();
  const fingerprintOf = createFingerprints();
  const results = shownDiagnostics.map((diagnostic) => ({
    ruleId: diagnostic.code,
    ruleIndex: ruleIds.indexOf(diagnostic.code),
    ...resultMembersOf(diagnostic, about),
    // GitHub reads only the fingerprint of this name.
    partialFingerprints: { primaryLocationLineHash: fingerprintOf(diagnostic) },
  }));
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
            rules: ruleIds.map((id) => ruleOf(id, explain(id))),
          },
        },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  });
}

/**
 * Returns the members of a SARIF result (a problem in a log for code scanning) that depend on its problem
 * alone: severity, message and places. A problem without a line of its own gets line 1 of `file`, because
 * code scanning needs a line.
 */
const resultMembersOf = (
  { severity, address, at, related, finding, isSuppressed, ...texts }: Diagnostic,
  { file, locate }: SarifAbout,
) => ({
  level: severity,
  message: { text: sarifMessageOf(texts) },
  locations: [
    {
      ...physicalLocationOf(at ?? { file, line: 1 }, locate),
      logicalLocations:
        address === undefined ? undefined : [{ fullyQualifiedName: address, kind: 'resource' }],
    },
  ],
  relatedLocations: related?.slice(0, maxRelatedLocations).map((place) => ({
    ...physicalLocationOf(place.at, locate),
    message: { text: sarifText(place.message) },
  })),
  properties: finding && { finding: finding.state },
  // The rule that turns the finding off stands in the configuration, and the configuration is source code.
  suppressions: isSuppressed && [{ kind: 'inSource' }],
});

/** The words of codes that are written in capitals. */
const acronyms = /\b(?:api|ci|cname|dns|html|http|https|ip|json|mx|spf|txt|url|yaml)\b/g;

/**
 * Returns the SARIF rule of a code, with its explanation from docs/troubleshooting.md, which code scanning shows beside a problem:
 * `config/unknown-key` has the short text `Config: unknown key.`
 */
function ruleOf(id: string, markdown: string | undefined) {
  const [area = '', topic = ''] = id
    .replaceAll('-', ' ')
    .replace(acronyms, (word) => word.toUpperCase())
    .split('/');
  const words = topic === '' ? area : `${area}: ${topic}`;
  const [first = ''] = (markdown ?? '').split(/\n\n/, 1);
  return {
    id,
    shortDescription: { text: `${capitalized(words)}.` },
    fullDescription:
      markdown === undefined ? undefined : { text: sarifText(withoutLinks(first).replaceAll('\n', ' ')) },
    help:
      markdown === undefined
        ? undefined
        : { text: sarifText(withoutLinks(markdown)), markdown: withoutLinks(markdown) },
  };
}

/** Returns message and hint of a problem as one text. */
const sarifMessageOf = ({ message, hint }: Pick<Diagnostic, 'message' | 'hint'>) =>
  sarifText(hint === undefined ? message : `${message}\n${hint}`);

/** Returns a text for a message of SARIF, in which `[text](target)` would otherwise become a link. */
const sarifText = (text: string) => clean(text).replaceAll('](', '] (');

/** Returns the location of a problem in a file, as SARIF writes it, so that code scanning shows it at its line. */
function physicalLocationOf(at: Position | Pick<Position, 'file' | 'line'>, locate: SarifAbout['locate']) {
  return {
    physicalLocation: {
      artifactLocation: uriOf(locate(at.file)),
      region: regionOf(at),
    },
  };
}

/**
 * Returns the line and the columns of a problem as SARIF (the format of code scanning) writes them, so that the place is marked in the
 * pull request. A place without a column is a whole line.
 */
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

/** Returns the URI of a file with a problem for SARIF: relative to the repository, or absolute for a file outside. */
function uriOf(file: string) {
  const path = file.replaceAll('\\', '/');
  const uri = path.split('/').map(encodeURIComponent).join('/');
  // `%SRCROOT%` is the name of SARIF for the top of the repository.
  return path.startsWith('/') ? { uri: `file://${uri}` } : { uri, uriBaseId: '%SRCROOT%' };
}

/**
 * Creates the function which returns a fingerprint of a problem. Code scanning uses it to recognize a problem in the next run although its
 * line has moved, so the fingerprint depends on the code and the address (without one, on file and message), not on the line. Equal
 * problems of one run are numbered.
 */
function createFingerprints(): (diagnostic: Diagnostic) => string {
  const countByHash = new Map<string, number>();
  return ({ code, address, at, message }) => {
    const hash = digest('sarif', [code, address ?? [at?.file, message]]);
    const number = (countByHash.get(hash) ?? 0) + 1;
    countByHash.set(hash, number);
    return `${hash}:${number}`;
  };
}
