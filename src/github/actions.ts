import { type Diagnostic, endColumnOf } from '../model/diagnostic.ts';
import { foldDiagnostics, splitByPlace } from '../model/fold-diagnostics.ts';
import { clean, cleanLine, count } from '../report/text.ts';

/** The most annotations of one severity that GitHub shows for a step. */
const mostAnnotations = 10;

/** Returns the path of a file from the top of the repository, as GitHub knows it. */
type Locate = (file: string) => string;

/**
 * Returns the output lines that make GitHub show problems at their lines in the pull request (`::error
 * file=...::TEXT`). GitHub shows only ten of each severity, so the important ones come first, and the first place
 * of each problem before its other places. A last line counts those without an annotation. Notes about missing
 * secrets are left out. `locate`: returns the path from the top of the repository.
 */
export function formatAnnotations(diagnostics: Diagnostic[], locate: Locate): string[] {
  return (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const ofSeverity = diagnostics.filter(
      (diagnostic) => diagnostic.severity === severity && !isAboutMissingSecret(diagnostic),
    );
    const problems = sortByImportance(foldDiagnostics(ofSeverity)).map(splitByPlace);
    const places = [...problems.map(([first]) => first), ...problems.flatMap(([, ...others]) => others)];
    // If each problem has an annotation, only further places of problems are left out.
    const omitted =
      problems.length > mostAnnotations
        ? count(problems.length - mostAnnotations, `more ${severity}`)
        : `${count(places.length - mostAnnotations, 'more place')} of ${severity}s`;
    return [
      ...places.slice(0, mostAnnotations).map((diagnostic) => workflowCommand(diagnostic, locate)),
      ...(places.length > mostAnnotations ? [`${omitted} without an annotation: see above.`] : []),
    ];
  });
}

/** True for a note that this run does not have a secret. It is not annotated, because a job without secrets lacks all of them. */
const isAboutMissingSecret = (diagnostic: Diagnostic): boolean =>
  diagnostic.severity === 'note' &&
  (diagnostic.folded ?? [diagnostic]).every(({ secret }) => secret !== undefined);

/**
 * Sorts problems by importance, because GitHub shows only the first ten of a severity as annotations: possible losses first, in their
 * order, then problems with a line, then others. Within each of the last two groups, the first problem of each code precedes the second
 * ones.
 */
function sortByImportance(diagnostics: Diagnostic[]): Diagnostic[] {
  const countByCode = new Map<string, number>();
  const ranked = diagnostics.map((diagnostic) => {
    const earlierOfCode = countByCode.get(diagnostic.code) ?? 0;
    countByCode.set(diagnostic.code, earlierOfCode + 1);
    if (lossCodes.has(diagnostic.code)) return { diagnostic, group: 0, repetition: 0 };
    return { diagnostic, group: diagnostic.at ? 1 : 2, repetition: earlierOfCode };
  });
  return ranked
    .sort((a, b) => a.group - b.group || a.repetition - b.repetition)
    .map(({ diagnostic }) => diagnostic);
}

/** The codes of problems that may lose something: changes outside that a run overwrites, and failed changes. */
const lossCodes: ReadonlySet<string> = new Set(['guard/conflict', 'apply/overwritten', 'apply/failed']);

/** Returns the workflow command that shows a line above the log of a run, and on its pull request. */
export const notice = (text: string): string => `::notice title=trueup::${escapeCommandText(text)}`;

/**
 * The length of the shortest line that is masked. A shorter one is part of many words, and masking it would make a
 * log unreadable.
 */
const shortestLine = 4;

/**
 * Returns the output lines that make GitHub Actions hide these secrets in its log, no matter which program prints
 * them: `::add-mask::TEXT`. The runner compares line by line, so each line of a secret gets a command, unless it is very
 * short (`shortestLine`). The commands contain the secrets, so they may only be printed for the runner.
 */
export function masks(texts: Iterable<string>): string[] {
  const lines = [...texts].flatMap((text) => text.split(/[\r\n]+/)).map((line) => line.trim());
  return [...new Set(lines)]
    .filter((line) => line.length >= shortestLine)
    .map((line) => `::add-mask::${line.replaceAll('%', '%25')}`);
}

/**
 * Returns the output line that makes GitHub show a problem as an annotation: `::error
 * file=trueup.yaml,line=3,...::TEXT`. It appears at its line if the problem has a position, otherwise above the
 * log. `locate`: returns the path from the top of the repository.
 */
function workflowCommand({ severity, code, message, hint, at, address }: Diagnostic, locate: Locate): string {
  const location = at ? locationProperties(at, locate) : {};
  const properties = Object.entries({ ...location, title: address ? `${code} ${address}` : code })
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
    .join(',');
  const command = severity === 'note' ? 'notice' : severity;
  const text = [message, hint].filter(Boolean).join('\n');
  return `::${command} ${properties}::${escapeCommandText(text)}`;
}

/** Returns the properties that place an annotation in a file. If the end of the text in question is known, GitHub marks all of the text. */
function locationProperties(
  at: NonNullable<Diagnostic['at']>,
  locate: Locate,
): Record<string, string | number> {
  const start = { file: locate(at.file), line: at.line };
  const endColumn = endColumnOf(at);
  return endColumn === undefined
    ? { ...start, col: at.column }
    : { ...start, endLine: at.line, col: at.column, endColumn };
}

/** Escapes a text for the message of a workflow command. */
const escapeCommandText = (text: string): string =>
  clean(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Escapes a text for a property of a workflow command, where `:` and `,` have a meaning. */
const escapeProperty = (text: string): string =>
  escapeCommandText(cleanLine(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** The pull request that a GitHub event is about. */
export interface PullRequest {
  number: number;
  /**
   * The commit that was pushed to the pull request. A workflow checks out another one, the merge with its target,
   * which readers do not know.
   */
  head?: string;
  /** The reason why the runs of this pull request get no secrets and a read-only token; absent if they get them. */
  withoutSecrets?: 'fork' | 'dependabot';
}

/**
 * Reads the pull request from a GitHub event (the document at GITHUB_EVENT_PATH); undefined if the event is about
 * none. Used to know where to comment, and whether the run has secrets: GitHub gives none to pull requests from
 * forks and from Dependabot.
 */
export function pullRequestOf(event: unknown): PullRequest | undefined {
  const pull = member(event, 'pull_request');
  const number = member(pull, 'number');
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) return undefined;
  const from = member(member(member(pull, 'head'), 'repo'), 'full_name');
  const to = member(member(member(pull, 'base'), 'repo'), 'full_name');
  const head = member(member(pull, 'head'), 'sha');
  // `from` is undefined if the fork was deleted.
  const isFork = typeof to === 'string' && from !== to;
  // GitHub decides by the author of the push, not of the pull request.
  const isFromDependabot = member(member(event, 'sender'), 'login') === 'dependabot[bot]';
  const reasonUnlessFork = isFromDependabot ? 'dependabot' : undefined;
  return {
    number,
    head: typeof head === 'string' ? head : undefined,
    withoutSecrets: isFork ? 'fork' : reasonUnlessFork,
  };
}

/** Returns a member of a parsed JSON value; undefined if the value is no object or lacks it. */
const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
