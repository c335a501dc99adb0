import { planningOf } from '../app/planning/planning.ts';
import { openSession } from '../app/session/session.ts';
import { standard } from '../app/stack-options.ts';
import type { Provider } from '../kind/provider.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { shellWord } from '../model/shell-word.ts';
import { count } from '../report/count.ts';
import { summarizePlan } from '../report/summarize-plan.ts';
import { openPlan } from '../run/open-plan.ts';
import { exitCodes } from './exit-codes.ts';
import { showPlan } from './formats.ts';
import type { FromOptions } from './from-file.ts';
import type { Terminal } from './terminal.ts';

/** Plans what was written, where there is an account, and says what the plan proves; else how that is done. */
export async function proveFrom(
  provider: Provider,
  path: string | undefined,
  options: FromOptions,
  terminal: Terminal,
): Promise<void> {
  const plan = await planFrom(provider, path, options, terminal, 'To check that it plans to no changes');
  if (!plan) return;
  const isWrong = hasErrors(plan.diagnostics);
  if (!isWrong && plan.operations.length === 0) {
    terminal.say(provenText(plan));
    return;
  }
  await showPlan(plan, {}, terminal, provider.pace);
  terminal.say(describeOpenChanges(plan, isWrong));
  terminal.run.exitCode = exitCodes.failed;
}

/** The same of what may well be new to the account: it shows what an apply would do. */
export async function showFrom(
  provider: Provider,
  path: string | undefined,
  options: FromOptions,
  terminal: Terminal,
): Promise<void> {
  const plan = await planFrom(provider, path, options, terminal, 'To see what it would change');
  if (!plan) return;
  if (!hasErrors(plan.diagnostics) && plan.operations.length === 0) terminal.say(provenText(plan));
  else if (!(await showPlan(plan, {}, terminal, provider.pace))) terminal.run.exitCode = exitCodes.failed;
}

async function planFrom(
  provider: Provider,
  path: string | undefined,
  options: FromOptions,
  terminal: Terminal,
  why: string,
): Promise<Plan | undefined> {
  if (path === undefined) return undefined;
  const { host } = terminal.run;
  const isAtHand = options.twin || options.tokenFile !== undefined || Boolean(host.env.TRUEUP_TOKEN?.trim());
  if (options.plan === false || !isAtHand) {
    terminal.say(`${why}: trueup plan -f ${shellWord(path)}`);
    return undefined;
  }
  const given = { ...options, ...standard, maxWait: options.maxWait, file: [path] };
  const session = await openSession(provider, given, terminal);
  try {
    return (await openPlan(session, planningOf(given, host))).plan;
  } finally {
    await session.close();
  }
}

function provenText(plan: Plan): string {
  const { adopt } = summarizePlan(plan);
  const there = `${count(adopt, 'object')} ${adopt === 1 ? 'is' : 'are'} in the account already; the first apply adopts ${adopt === 1 ? 'it' : 'them'}.`;
  return `Verified: its plan sends nothing. ${adopt === 0 ? 'All of it was already applied from here.' : there}`;
}

function describeOpenChanges(plan: Plan, isWrong: boolean): string {
  if (isWrong) return 'Its plan has errors: nothing can be applied until they are fixed.';
  const { create } = summarizePlan(plan);
  const made = create === 0 ? 'nothing is created' : `${count(create, 'object')} would be created`;
  return `The account differs from the file: its plan would send ${count(plan.operations.length, 'request')}, and ${made}. Refresh the file, or edit the YAML.`;
}
