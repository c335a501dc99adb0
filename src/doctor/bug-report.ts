/*
 * The file of `trueup doctor --bug`: everything that a maintainer needs to see a problem again, without names and values of the account. It is JSON,
 * compressed, and also a snapshot for `trueup plan --from`.
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

/** Returns a table of the contents of a bug report, so that people can decide whether to send it. */
export function describeBugReport(report: BugReport, path: string, bytes: number): string {
  const { snapshot, failure } = report;
  const parts = Object.values(snapshot?.stacks ?? {});
  const plans = report.plan ? [report.plan] : Object.values(report.plans ?? {});
  // The size of each part is that of its value; an empty text has none.
  const rows: [name: string, content: string, value: unknown][] = [
    ['versions', `trueup ${report.trueup}, Node ${report.node}, ${report.system}`, ''],
    ['command', report.command.join(' '), report.command],
  ];
  if (parts.length > 1) rows.push(['stacks', String(parts.length), '']);
  if (parts.length > 0) {
    const resources = parts.flatMap(({ configuration }) => configuration?.desired.resources ?? []);
    const entries = parts.flatMap(({ ledger }) => Object.keys(ledger.entries));
    rows.push(
      ['configuration', count(resources.length, 'resource'), parts.map((part) => part.configuration)],
      [
        'account',
        count(parts.flatMap(({ reads }) => reads).length, 'answer'),
        parts.map(({ reads }) => reads),
      ],
      ['ledger', count(entries.length, 'object'), parts.map(({ ledger }) => ledger)],
    );
  }
  if (plans.length > 0) {
    const changes = count(plans.flatMap((plan) => plan.changes).length, 'change');
    const problems = count(plans.flatMap((plan) => plan.diagnostics).length, 'problem');
    const difference = report.isSamePlan ? '' : '; differs from the plan of the account';
    rows.push(['plan', `${changes}, ${problems}${difference}`, plans]);
  }
  if (failure) rows.push(['failure', failure.problems.map(({ code }) => code).join(', '), failure]);
  if (report.patterns > 0)
    rows.push(['patterns', `${count(report.patterns, 'pattern')} may match other texts than yours`, '']);
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, content, value]) => {
    const size = value === '' ? '' : ` (${sizeText(Buffer.byteLength(JSON.stringify(value)))})`;
    return `  ${name.padEnd(nameWidth)}  ${content}${size}`;
  });
  return [
    'The bug report has pseudonyms for all names and values, and no secrets:',
    ...lines,
    `It will be ${sizeText(bytes)} in ${path}. \`gzip -dc < ${path}\` shows all of it.`,
  ].join('\n');
}

const sizeText = (bytes: number): string =>
  bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`;
