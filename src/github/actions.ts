import { type Diagnostic, endColumnOf } from '../model/diagnostic.ts';
import { foldDiagnostics, splitByPlace } from '../model/fold-diagnostics.ts';
import { clean, cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';

/** So many of a kind GitHub shows for each step. */
const mostAnnotations = 10;

/** The path of a file as GitHub knows it: from the top of the repository. */
type Locate = (file: string) => string;

/**
 * Returns workflow commands that mark the lines of problems: errors first, and no more of a kind than are shown. The first place of each
 * problem comes before the other places of any. Problems or places without a command are counted in a line that is no command.
 */
export function annotations(diagnostics: Diagnostic[], locate: Locate): string[] {
  return (['error', 'warning'] as const).flatMap((severity) => {
    const given = diagnostics.filter((diagnostic) => diagnostic.severity === severity);
    const problems = byWeight(foldDiagnostics(given)).map(splitByPlace);
    const marked = [...problems.map(([first]) => first), ...problems.flatMap(([, ...others]) => others)];
    const left =
      problems.length > mostAnnotations
        ? count(problems.length - mostAnnotations, `more ${severity}`)
        : `${count(marked.length - mostAnnotations, 'more place')} of ${severity}s`;
    return [
      ...marked.slice(0, mostAnnotations).map((diagnostic) => workflowCommand(diagnostic, locate)),
      ...(marked.length > mostAnnotations ? [`${left} without an annotation: see above.`] : []),
    ];
  });
}

/**
 * The problems that are shown if not all can be: what may lose something first, then what is at a line, and of each code one before a second. The order is
 * kept otherwise.
 */
function byWeight(diagnostics: Diagnostic[]): Diagnostic[] {
  const seen = new Map<string, number>();
  const ranked = diagnostics.map((diagnostic) => {
    const before = seen.get(diagnostic.code) ?? 0;
    seen.set(diagnostic.code, before + 1);
    const weight = weighty.has(diagnostic.code) ? 0 : diagnostic.at ? 1 : 2;
    return { one: diagnostic, rank: [weight, weight === 0 ? 0 : before] as const };
  });
  return ranked.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1]).map(({ one }) => one);
}

/** The changes outside that a run overwrites, or failed to. */
const weighty: ReadonlySet<string> = new Set(['guard/conflict', 'apply/overwritten', 'apply/failed']);

/** A workflow command that shows a line above the log of a run, and on its pull request. */
export const notice = (text: string): string => `::notice title=trueup::${data(text)}`;

/** A shorter line is in many others, and would make a log unreadable. */
const shortestLine = 4;

/**
 * Workflow commands after which the runner shows none of these texts, whoever prints them. It compares line by line, so each line is
 * one. They hold the texts themselves: only for the runner's own eyes.
 */
export function masks(texts: Iterable<string>): string[] {
  const lines = [...texts].flatMap((text) => text.split(/[\r\n]+/)).map((line) => line.trim());
  return [...new Set(lines)]
    .filter((line) => line.length >= shortestLine)
    .map((line) => `::add-mask::${line.replaceAll('%', '%25')}`);
}

function workflowCommand({ severity, code, message, hint, at, address }: Diagnostic, locate: Locate): string {
  const endColumn = at && endColumnOf(at);
  const place = at
    ? {
        file: locate(at.file),
        line: at.line,
        ...(endColumn === undefined ? { col: at.column } : { endLine: at.line, col: at.column, endColumn }),
      }
    : {};
  const properties = Object.entries({ ...place, title: address ? `${code} ${address}` : code })
    .map(([name, value]) => `${name}=${property(String(value))}`)
    .join(',');
  return `::${severity} ${properties}::${data([message, hint].filter(Boolean).join('\n'))}`;
}

const data = (text: string): string =>
  clean(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string =>
  data(cleanLine(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** The pull request of a GitHub event. */
export interface PullRequest {
  number: number;
  /** The commit that somebody pushed; the one that a workflow checks out is its merge, which nobody knows. */
  head?: string;
  /** Why its runs get no secrets, and a token that only reads; not there where they get them. */
  withoutSecrets?: 'fork' | 'dependabot';
}

/** The pull request of an event (the document at GITHUB_EVENT_PATH); undefined where it is about none. */
export function pullRequestOf(event: unknown): PullRequest | undefined {
  const pull = member(event, 'pull_request');
  const number = member(pull, 'number');
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) return undefined;
  const from = member(member(member(pull, 'head'), 'repo'), 'full_name');
  const to = member(member(member(pull, 'base'), 'repo'), 'full_name');
  const head = member(member(pull, 'head'), 'sha');
  // A fork that is gone has no repository any more.
  const isFork = typeof to === 'string' && from !== to;
  // Whose push it is decides, not whose pull request.
  const isDependabots = member(member(event, 'sender'), 'login') === 'dependabot[bot]';
  return {
    number,
    head: typeof head === 'string' ? head : undefined,
    ...(isFork ? { withoutSecrets: 'fork' } : isDependabots ? { withoutSecrets: 'dependabot' } : {}),
  };
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
