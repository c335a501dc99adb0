/*
 * Makes the bug report of `trueup doctor --bug`: plans with an anonymous snapshot, and plans again from the snapshot. The second plan is the one in the
 * report, so it has no name of the account, and the report says whether it equals the first.
 */
import { arch, platform } from 'node:os';
import type { PlanningOptions } from '../../app/planning/plan-options.ts';
import { planStacks, type StackToPlan } from '../../app/planning/plan-stacks.ts';
import type { Port } from '../../app/port.ts';
import { standardOptions } from '../../app/stack-options.ts';
import { prepareOutputFile, writeOutputFile } from '../../files/write-files.ts';
import type { Provider } from '../../kind/provider.ts';
import { isProgramError, problemsOf } from '../../model/describe-errors.ts';
import { flagOf, problem, raise, shellWord } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { version } from '../../model/version.ts';
import { planJson } from '../../report/plan-json.ts';
import type { Pseudonyms } from '../../snapshot/anonymous/pseudonyms.ts';
import { decidingOptions, prepareAnonymousParts } from '../../snapshot/anonymous/record-parts.ts';
import { createSnapshotSource } from '../../snapshot/command/snapshot-source.ts';
import { type AccountSnapshot, snapshotVersion } from '../../snapshot/snapshot.ts';
import {
  type BugFailure,
  type BugReport,
  bugReportVersion,
  describeBugReport,
  encodeBugReport,
} from '../bug-report.ts';

/** The options of `trueup doctor --bug`. */
export interface BugOptions extends PlanningOptions {
  bug?: string;
  autoApprove?: boolean | undefined;
  /** Options of a report about the account, which a bug report does not have. */
  report?: string;
  calibrate?: string;
  json?: boolean;
}

/** The question before a bug report is written, and the problem if it cannot be asked. */
const writeQuestion = {
  question: 'Write it?',
  no: 'Nothing was written.',
  unattended: problem('cli/unattended', 'a bug report needs a terminal or --auto-approve', {
    hint: 'it shows what it would write, and asks: pass --auto-approve to write without asking',
  }),
};

/**
 * Plans, and writes a bug report to a file after `confirm` has agreed to its contents. With `autoApprove` it is not asked. A plan that fails is
 * reported as well. Returns false without `--bug`. Throws `Problems` for options that cannot be combined, and if the file cannot be written.
 */
export async function writeBugReport(
  provider: Provider,
  { bug: path, autoApprove = false, report: reportPath, calibrate, json, ...options }: BugOptions,
  port: Port,
  confirm: (question: typeof writeQuestion) => Promise<boolean>,
): Promise<boolean> {
  if (path === undefined) {
    refusePlanningOptions({ ...options, autoApprove: autoApprove || undefined });
    return false;
  }
  refuseReportOptions({ report: reportPath, calibrate, json });
  const { host } = port.run;
  if (!autoApprove && !port.canAsk) raise(writeQuestion.unattended);
  // Before the work, so that a wrong path fails early.
  await prepareOutputFile(host, path);
  const report = await collectBugReport(provider, options, port);
  const bytes = await encodeBugReport(report);
  port.say(describeBugReport(report, path, bytes.length));
  if (!autoApprove && !(await confirm(writeQuestion))) return true;
  await writeOutputFile(host, path, bytes, 0o600);
  const replan = report.isSamePlan ? ` \`trueup plan --from ${shellWord(path)}\` makes the same plan.` : '';
  port.say(`Wrote ${path}.${replan}`);
  return true;
}

/** Throws `Problems` for options of planning without `--bug`, because `trueup doctor` alone does not plan. */
function refusePlanningOptions(options: BugOptions): void {
  const usual: Partial<Record<string, unknown>> = { actions: true, canary: true, twin: options.twin };
  const name = ([...decidingOptions, 'autoApprove'] as const).find(
    (option) => options[option] !== undefined && options[option] !== usual[option],
  );
  if (name !== undefined)
    raise('cli/options', `${flagOf(name)} needs --bug`, {
      hint: '`trueup doctor` alone does not plan: leave the option out, or write `--bug FILE`',
    });
}

/** Throws `Problems` for options of a report about the account beside `--bug`, because that report is not made then. */
function refuseReportOptions(options: Pick<BugOptions, 'report' | 'calibrate' | 'json'>): void {
  const conflict = Object.entries(options).find(([, value]) => value !== undefined)?.[0];
  if (conflict !== undefined)
    raise('cli/options', `--bug and ${flagOf(conflict)} cannot be combined`, {
      hint: 'a bug report is about a plan: run `trueup doctor` once more without --bug',
    });
}

/** Plans twice, as the comment at the top says, and returns the report. A failure of planning becomes a part of it. */
async function collectBugReport(
  provider: Provider,
  options: PlanningOptions,
  port: Port,
): Promise<BugReport> {
  const anonymous = await prepareAnonymousParts(provider, options);
  const madeAt = new Date(port.run.host.clock.now()).toISOString();
  const report: BugReport = {
    formatVersion: bugReportVersion,
    trueup: version,
    madeAt,
    node: port.run.host.engine.version,
    system: `${platform()} ${arch()}`,
    command: anonymousCommand(options, anonymous.pseudonyms),
    patterns: 0,
  };
  const stack: StackToPlan = { id: '', path: '', needs: [], waitsFor: [], options, port };
  try {
    const [first] = (await planStacks(provider, [stack], { records: true })).planned;
    const { session, planned } = first!;
    try {
      const stackPart = await anonymous.makePart(session!, planned!);
      const snapshot: AccountSnapshot = {
        formatVersion: snapshotVersion,
        trueup: version,
        madeAt,
        stacks: { '': stackPart },
        anonymous: true,
      };
      report.snapshot = snapshot;
      report.patterns = anonymous.pseudonyms.patternCount;
      const [again] = (await planStacks(provider, [stack], { source: createSnapshotSource(snapshot) }))
        .planned;
      const plan = again!.report.plan!;
      return {
        ...report,
        plan: planJson(plan),
        isSamePlan: planWithoutNames(plan) === planWithoutNames(planned!.plan),
      };
    } finally {
      await session!.close();
    }
  } catch (error) {
    return { ...report, failure: describeFailure(error, anonymous.pseudonyms) };
  }
}

/** Returns a text that is equal for plans with the same changes, requests and problems, even if their objects have other names. */
function planWithoutNames({ changes, operations, diagnostics }: Plan): string {
  const texts = [
    ...changes.map(({ action, kind, fields }) => `${action} ${kind} ${fields.length}`),
    ...operations.map(({ kind, requests }) => `${kind} ${requests.length}`),
    ...diagnostics.map(({ severity, code }) => `${severity} ${code}`),
  ];
  return texts.sort().join('\n');
}

/** Returns the command that makes the plan, with pseudonyms for the values of its options. */
function anonymousCommand(options: PlanningOptions, pseudonyms: Pseudonyms): string[] {
  const words = Object.entries(options).flatMap(([name, value]): string[] => {
    if (value === undefined || (name === 'maxWait' && value === standardOptions.maxWait)) return [];
    const flag = name === 'canary' || name === 'color' ? `--no-${name}` : flagOf(name);
    if (typeof value === 'boolean')
      return value === ['canary', 'color', 'actions'].includes(name) ? [] : [flag];
    if (typeof value === 'number') return [flag, String(value)];
    const texts = Array.isArray(value)
      ? value.map(String)
      : typeof value === 'object'
        ? Object.entries(value as object).map((entry) => entry.join('='))
        : [String(value)];
    return texts.flatMap((text) => [flag, pseudonyms.rename(text)]);
  });
  return ['trueup', 'plan', ...words];
}

/** Returns why planning failed, without the texts of messages. For an error of the program, with the places in the program. */
export function describeFailure(error: unknown, pseudonyms: Pseudonyms): BugFailure {
  const problems = problemsOf(error).map(({ severity, code, at }) => ({ severity, code, line: at?.line }));
  if (!isProgramError(error)) return { problems };
  const { name, message, stack = '' } = error as Error;
  return {
    problems,
    error: { name, message: anonymousMessage(message, pseudonyms), stack: ownFrames(stack) },
  };
}

/** The words of the messages of JavaScript itself, such as "Cannot read properties of undefined (reading 'x')". */
const messageWords = new Set(
  `cannot could not read reading set setting properties property of object undefined null is a an function iterable iterator value
  constructor entry to convert defined assign only create on use in operator search for call class invoked without new invalid
  array length time maximum stack size exceeded argument arguments must be type received`.split(/\s+/),
);

/**
 * Returns the message of an error of the program with pseudonyms for all its other words, because JavaScript puts values into messages, often without
 * quotes: "Iterator value shop is not an entry object". The stack says where in the program the error came from.
 */
const anonymousMessage = (message: string, pseudonyms: Pseudonyms): string =>
  message.replace(/[^\s'"`()]+/g, (word) =>
    messageWords.has(word.toLowerCase()) ? word : pseudonyms.rename(word),
  );

/** Returns the lines of a stack trace that are in the program itself, with paths from its folder. */
function ownFrames(stack: string): string[] {
  const folder = folderOfProgram(new Error().stack ?? '');
  return stack.split('\n').flatMap((line) => {
    const index = folder === undefined ? -1 : line.indexOf(folder);
    if (index < 0) return [];
    const [, caller = ''] = /^\s*at ([\w.$<> ]+) \(/.exec(line) ?? [];
    return [`${caller} ${line.slice(index + folder!.length).replace(/\)$/, '')}`.trim()];
  });
}

/** Returns the path of the folder around the program's files, from a stack trace that begins in one of them. */
const folderOfProgram = (stack: string): string | undefined =>
  /(?:\(|at )(?:file:\/\/)?(\/.*?|[A-Z]:.*?)(?:src\/doctor\/command|dist)[\\/][^\\/]*$/m.exec(stack)?.[1];
