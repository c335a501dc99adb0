/*
 * Makes the bug report of `trueup doctor --bug`: plans with an anonymous snapshot, and plans again from the snapshot. The second plan is
 * the one in the report, so it has no name of the account, and the report says whether it equals the first.
 */
import { arch, platform } from 'node:os';
import type { PlanningOptions } from '../../app/planning/plan-options.ts';
import { type PlannedStack, planStacks, type StackToPlan } from '../../app/planning/plan-stacks.ts';
import type { Port } from '../../app/port.ts';
import type { StackAccounts } from '../../app/session/stack-accounts.ts';
import { type StacksOptions, standardOptions } from '../../app/stack-options.ts';
import { prepareOutputFile, writeOutputFile } from '../../files/write-files.ts';
import type { Provider } from '../../kind/provider.ts';
import { flagOf, Problems, problem, raise, shellWord } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { version } from '../../model/version.ts';
import { planJson } from '../../report/plan-json.ts';
import { decidingOptions } from '../../snapshot/anonymous/deciding-options.ts';
import type { Pseudonyms } from '../../snapshot/anonymous/pseudonyms.ts';
import { prepareAnonymousParts } from '../../snapshot/anonymous/record-parts.ts';
import { makeParts } from '../../snapshot/command/make-parts.ts';
import { createSnapshotSource } from '../../snapshot/command/snapshot-source.ts';
import { type AccountSnapshot, snapshotVersion } from '../../snapshot/snapshot.ts';
import { type BugReport, bugReportVersion, describeBugReport, encodeBugReport } from '../bug-report.ts';
import { describeFailure } from './describe-failure.ts';

/** The options of `trueup doctor --bug`. */
export interface BugOptions extends PlanningOptions, StacksOptions {
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

/** The stacks of a bug report. `several`: what several stacks share; absent for one. */
interface ReportedStacks {
  stacks: readonly StackToPlan[];
  several?: { accounts: StackAccounts };
}

/** What the command line does for a bug report. */
interface BugCommand {
  /** Opens the stacks that the options name, and closes what they share after `use`. */
  withStacks(use: (reported: ReportedStacks) => Promise<void>): Promise<void>;
  confirm(question: typeof writeQuestion): Promise<boolean>;
}

/**
 * Plans, and writes a bug report to the file of `trueup doctor --bug` after `confirm` has agreed to its contents. With `autoApprove` it is
 * not asked. A plan that fails is reported as well. Returns false without `--bug`, so that the caller reports about the account instead.
 * Throws `Problems` for options that cannot be combined, and if the file cannot be written.
 */
export async function writeBugReport(
  provider: Provider,
  { bug: path, autoApprove = false, report: reportPath, calibrate, json, ...options }: BugOptions,
  port: Port,
  { withStacks, confirm }: BugCommand,
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
  const report = await collectBugReport(provider, options, port, withStacks);
  const bytes = await encodeBugReport(report);
  port.say(describeBugReport(report, path, bytes.length));
  if (!autoApprove && !(await confirm(writeQuestion))) return true;
  await writeOutputFile(host, path, bytes, 0o600);
  const planned = report.plans ? 'plans' : 'plan';
  const replan = report.isSamePlan
    ? ` \`trueup plan --from ${shellWord(path)}\` makes the same ${planned}.`
    : '';
  port.say(`Wrote ${path}.${replan}`);
  return true;
}

/** Throws `Problems` for options of planning without `--bug`, because `trueup doctor` alone does not plan. */
function refusePlanningOptions(options: BugOptions): void {
  // The values of options that were not written. `--twin` is allowed in any case.
  const usual: Partial<Record<string, unknown>> = { actions: true, canary: true, twin: options.twin };
  const name = ([...decidingOptions, 'autoApprove', 'all', 'changedSince', 'workspace'] as const).find(
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

/**
 * Plans the stacks of `trueup doctor --bug`, and returns the report for the developers: an anonymous snapshot of what the plans were made
 * from, and how plans made from that snapshot differ. If the only stack cannot be planned, or something fails later, the report has the
 * failure.
 */
async function collectBugReport(
  provider: Provider,
  options: PlanningOptions & StacksOptions,
  port: Port,
  withStacks: BugCommand['withStacks'],
): Promise<BugReport> {
  const anonymous = await prepareAnonymousParts(provider, options);
  const { pseudonyms } = anonymous;
  const report: BugReport = {
    formatVersion: bugReportVersion,
    trueup: version,
    madeAt: new Date(port.run.host.clock.now()).toISOString(),
    node: port.run.host.engine.version,
    system: `${platform()} ${arch()}`,
    command: [],
    patterns: 0,
  };
  try {
    await withStacks((reported) => addPlans(report, reported, provider, anonymous));
  } catch (error) {
    report.failure = describeFailure(error, pseudonyms);
  }
  // After the parts, which say which secrets a text must not have.
  report.command = anonymousCommand(options, pseudonyms);
  return report;
}

/**
 * Plans the stacks, and plans again from an anonymous snapshot of what the plans were made from. Adds the snapshot and these plans to the
 * report step by step, so that it keeps what it has if a later step throws.
 */
async function addPlans(
  report: BugReport,
  { stacks, several }: ReportedStacks,
  provider: Provider,
  anonymous: Awaited<ReturnType<typeof prepareAnonymousParts>>,
): Promise<void> {
  const { pseudonyms } = anonymous;
  const accounts = several?.accounts;
  const { planned } = await planStacks(provider, stacks, { accounts, records: true });
  try {
    const problems = planned.flatMap(({ report: { failed = [] } }) => failed);
    if (problems.length > 0) report.failure = describeFailure(new Problems(problems), pseudonyms);
    const parts = await makeParts(planned, anonymous);
    if (Object.keys(parts).length === 0) return;
    const snapshot: AccountSnapshot = {
      formatVersion: snapshotVersion,
      trueup: version,
      madeAt: report.madeAt,
      anonymous: true,
      stacks: parts,
    };
    report.snapshot = snapshot;
    report.patterns = pseudonyms.patternCount;
    const source = createSnapshotSource(snapshot);
    const again = (await planStacks(provider, stacks, { accounts, source })).planned;
    Object.assign(report, compareWithAgain(planned, again, pseudonyms, several !== undefined));
  } finally {
    // The sessions of several stacks share `accounts`, which the caller closes.
    if (!several) await planned[0]?.session?.close();
  }
}

/**
 * Returns the plans that the anonymous snapshot of a bug report makes (`again`), and whether they have as many changes of each kind and
 * action, and the same codes of problems, as those of the account (`planned`); names and values are not compared. If so, the developers can
 * repeat the plan from the report.
 */
function compareWithAgain(
  planned: readonly PlannedStack[],
  again: readonly PlannedStack[],
  pseudonyms: Pseudonyms,
  isAboutSeveral: boolean,
): Pick<BugReport, 'plan' | 'plans' | 'isSamePlan'> {
  const planOf = new Map(
    again.flatMap(({ stack, report }) => (report.plan ? [[stack.id, report.plan]] : [])),
  );
  const isSamePlan = planned.every(({ stack, report: { plan } }) => {
    const planAgain = planOf.get(pseudonyms.rename(stack.id));
    return !plan || (planAgain !== undefined && planWithoutNames(planAgain) === planWithoutNames(plan));
  });
  if (!isAboutSeveral) return { plan: planJson(again[0]!.report.plan!), isSamePlan };
  return {
    plans: Object.fromEntries([...planOf].map(([id, plan]) => [id, planJson(plan)])),
    isSamePlan,
  };
}

/**
 * Returns a text that is equal for plans with the same changes, requests and problems, even if their objects have other names. A bug report
 * replaces names by pseudonyms, so this is used to check that its plan is still the same as that of the account.
 */
function planWithoutNames({ changes, operations, diagnostics }: Plan): string {
  const texts = [
    ...changes.map(({ action, kind, fields }) => `${action} ${kind} ${fields.length}`),
    ...operations.map(({ kind, requests }) => `${kind} ${requests.length}`),
    ...diagnostics.map(({ severity, code }) => `${severity} ${code}`),
  ];
  return texts.sort().join('\n');
}

/** The options that are true unless their flag, such as `--no-canary`, is written. */
const negatedOptions = ['canary', 'color', 'actions'];

/**
 * Returns the `trueup plan` command of a bug report, with the options that made the plan and pseudonyms for their values, so that nothing
 * private is in the report.
 */
function anonymousCommand(options: PlanningOptions & StacksOptions, pseudonyms: Pseudonyms): string[] {
  const words = Object.entries(options).flatMap(([name, value]): string[] => {
    if (value === undefined || (name === 'maxWait' && value === standardOptions.maxWait)) return [];
    const valueWithoutFlag = negatedOptions.includes(name);
    const flag = valueWithoutFlag ? `--no-${name}` : flagOf(name);
    if (typeof value === 'boolean') return value === valueWithoutFlag ? [] : [flag];
    if (typeof value === 'number') return [flag, String(value)];
    return textsOfOption(value).flatMap((text) => [flag, pseudonyms.rename(text)]);
  });
  return ['trueup', 'plan', ...words];
}

/**
 * Returns the texts that were written behind a flag of the command line: several for a list, `NAME=VALUE` for each member of a map. In a
 * bug report, pseudonyms replace them.
 */
function textsOfOption(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map((entry) => entry.join('='));
  return [String(value)];
}
