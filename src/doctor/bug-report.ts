/*
 * The file of `trueup doctor --bug`: everything that a maintainer needs to see a problem again, without names and values of the account. It
 * is JSON, compressed, and also a snapshot for `trueup plan --from`.
 */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PlanDocument } from '../report/plan-document.ts';
import { count } from '../report/text.ts';
import type { AccountSnapshot } from '../snapshot/snapshot.ts';

/** The version of the form of bug reports. */
export const bugReportVersion = 1;

/** Why planning failed. Messages of problems are left out, because they quote names and values. */
export interface BugFailure {
  /** The codes of its problems, with the lines in the configuration. */
  problems: { severity: string; code: string; line?: number | undefined }[];
  /** For an error of the program itself: its name, its message with pseudonyms for all values, and the places in the program. */
  error?: { name: string; message: string; stack: string[] };
}

/** What a bug report has. */
export interface BugReport {
  formatVersion: typeof bugReportVersion;
  trueup: string;
  madeAt: string;
  node: string;
  system: string;
  /** The command with the same options, and pseudonyms for their values. */
  command: string[];
  /** Why there is no plan, or not of all stacks. */
  failure?: BugFailure | undefined;
  /** What the plan was made from, with pseudonyms. */
  snapshot?: AccountSnapshot | undefined;
  /** The plan that this snapshot makes, of the only stack. */
  plan?: PlanDocument | undefined;
  /** The plans that this snapshot makes, of several stacks by the pseudonyms of their ids. */
  plans?: Record<string, PlanDocument> | undefined;
  /** The number of patterns, such as `web*`, whose pseudonyms may match other texts. */
  patterns: number;
  /** True if the plans have the same changes and problems as those of the account. */
  isSamePlan?: boolean | undefined;
}

/** Returns the bytes of the file of a bug report. The text has lines, so that people can read it before they send it. */
export const encodeBugReport = (report: BugReport): Promise<Buffer> =>
  promisify(gzip)(`${JSON.stringify(report, null, 1)}\n`);

/** A line of the table of a bug report's contents. */
interface ContentRow {
  name: string;
  content: string;
  /** The part of the report that the row is about. Its size is shown; undefined for rows without a size. */
  part?: unknown;
}

/** Returns a table of the contents of a bug report, so that people can decide whether to send it. `bytes`: the size of its file. */
export function describeBugReport(report: BugReport, path: string, bytes: number): string {
  const rows = contentRowsOf(report);
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, content, part }) => {
    const size = part === undefined ? '' : ` (${sizeText(Buffer.byteLength(JSON.stringify(part)))})`;
    return `  ${name.padEnd(nameWidth)}  ${content}${size}`;
  });
  return [
    'The bug report has pseudonyms for all names and values, and no secrets:',
    ...lines,
    `It will be ${sizeText(bytes)} in ${path}. \`gzip -dc < ${path}\` shows all of it.`,
  ].join('\n');
}

/**
 * Lists the parts of a bug report; those that it does not have are left out. `patterns`: the number of texts that look like a pattern,
 * because the pseudonym of a pattern may match other texts.
 */
function contentRowsOf({ snapshot, failure, patterns, ...report }: BugReport): ContentRow[] {
  const versions = `trueup ${report.trueup}, Node ${report.node}, ${report.system}`;
  const codes = failure?.problems.map(({ code }) => code) ?? [];
  return [
    { name: 'versions', content: versions },
    { name: 'command', content: report.command.join(' '), part: report.command },
    ...snapshotRows(Object.values(snapshot?.stacks ?? {})),
    ...planRows(report),
    ...(failure ? [{ name: 'failure', content: codes.join(', '), part: failure }] : []),
    ...(patterns > 0
      ? [{ name: 'patterns', content: `${count(patterns, 'pattern')} may match other texts than yours` }]
      : []),
  ];
}

/** Lists what the snapshot of a bug report has of all stacks. */
function snapshotRows(stacks: readonly AccountSnapshot['stacks'][string][]): ContentRow[] {
  if (stacks.length === 0) return [];
  const configurations = stacks.map(({ configuration }) => configuration);
  const reads = stacks.map((stack) => stack.reads);
  const ledgers = stacks.map(({ ledger }) => ledger);
  const resources = configurations.flatMap((configuration) => configuration?.desired.resources ?? []);
  const entries = ledgers.flatMap((ledger) => Object.keys(ledger.entries));
  return [
    ...(stacks.length > 1 ? [{ name: 'stacks', content: String(stacks.length) }] : []),
    { name: 'configuration', content: count(resources.length, 'resource'), part: configurations },
    { name: 'account', content: count(reads.flat().length, 'answer'), part: reads },
    { name: 'ledger', content: count(entries.length, 'object'), part: ledgers },
  ];
}

/**
 * Summarizes the plans of a bug report in one line: the numbers of changes and problems, and whether they differ from the plan of the
 * account. Empty if the report has no plan.
 */
function planRows(report: Pick<BugReport, 'plan' | 'plans' | 'isSamePlan'>): ContentRow[] {
  const plans = report.plan ? [report.plan] : Object.values(report.plans ?? {});
  if (plans.length === 0) return [];
  const changes = count(plans.flatMap((plan) => plan.changes).length, 'change');
  const problems = count(plans.flatMap((plan) => plan.diagnostics).length, 'problem');
  const difference = report.isSamePlan ? '' : '; differs from the plan of the account';
  return [{ name: 'plan', content: `${changes}, ${problems}${difference}`, part: plans }];
}

const sizeText = (bytes: number): string =>
  bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`;
