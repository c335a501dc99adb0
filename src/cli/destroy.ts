import type { Command } from 'commander';
import { createPlanOptions, type WritingOptions } from '../app/planning/plan-options.ts';
import { openSession } from '../app/session/open-session.ts';
import { lockSession, requireWritable } from '../app/session/session.ts';
import { ledgerLineOf } from '../history/ledger-line.ts';
import type { Provider } from '../kind/provider.ts';
import { globWithContents } from '../model/address.ts';
import { formatDeletionCount } from '../model/deletion-count.ts';
import { raise, shellWord } from '../model/diagnostic.ts';
import { isEmpty, type Plan } from '../model/plan.ts';
import { countPlannedDeletions } from '../model/planned-deletions.ts';
import { nothingLines } from '../report/terraform/apply-lines.ts';
import { openSettledPlan } from '../run/open-plan.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { type Terminal, terminalFor } from '../terminal/terminal.ts';
import { carryOutOnTerminal } from './carry-out.ts';
import { exitCodes, problemsCode } from './exit-codes.ts';
import { showPlan, streamOption } from './formats.ts';
import { withWriting } from './options.ts';

interface DestroyOptions extends WritingOptions {
  /** The name of the stack, which confirms the deletion without a question. */
  confirm?: string;
  jsonStream?: boolean;
}

/** Declares `trueup destroy`, which deletes the objects that the stack owns. */
export function destroyCommand(command: Command, provider: Provider, run: CommandRun): void {
  withWriting(command)
    .argument(
      '[address...]',
      'only these, their contents and objects that refer to them; also projects and domains, which stay otherwise',
    )
    .option('--confirm <stack>', 'the name of the stack, instead of typing it')
    .addOption(streamOption())
    .action((addresses: string[], options: DestroyOptions) =>
      destroyStack(provider, addresses, limitToAddresses(addresses, options), terminalFor(run, options)),
    );
}

/**
 * Returns the options of a `destroy ADDRESS` with its addresses and their contents as its targets, because people expect that such a
 * command spares the rest of the stack. `--target` decides instead if it is there.
 */
const limitToAddresses = (addresses: string[], options: DestroyOptions): DestroyOptions =>
  addresses.length === 0 || options.target?.length
    ? options
    : { ...options, target: addresses.map(globWithContents) };

/**
 * Runs `trueup destroy`: plans the deletion of everything that the stack owns, or of the targets, has the user type the name of the stack
 * unless `--confirm` gives it, and deletes. Containers such as projects are released (they stay in the account, unmanaged), unless
 * `containersToDelete` (the addresses that the user named) or `removed` of the configuration names them. The shown plan is carried out; if
 * another run has changed the ledger since then, `applyPlan` throws.
 */
async function destroyStack(
  provider: Provider,
  containersToDelete: string[],
  options: DestroyOptions,
  terminal: Terminal,
): Promise<void> {
  const { run } = terminal;
  const session = await openSession(provider, options, terminal, { ends: true, guards: 'apply' });
  const { stack } = session.configuration.desired;
  const isConfirmedByFlag = options.confirm !== undefined;
  try {
    requireWritable(session, options);
    if (isConfirmedByFlag) await lockSession(session, options, terminal);
    const planned = await openSettledPlan(
      session,
      createPlanOptions(options, run.host, { destroy: true, containersToDelete }),
    );
    const { plan } = planned;
    terminal.say(await ledgerLineOf(session));
    const pace = await session.connection.paceNow();
    if (!(await showPlan(plan, options, terminal, pace))) {
      run.exitCode = problemsCode(plan.diagnostics);
      return;
    }
    if (isEmpty(plan)) return terminal.stream?.(nothingLines(plan));
    if (!(await confirmByName(stack, plan, options, terminal))) return;
    if (!isConfirmedByFlag) await lockSession(session, options, terminal);
    await carryOutOnTerminal(session, planned, options, terminal, {
      command: 'destroy',
      approval: isConfirmedByFlag ? 'flag' : 'asked',
    });
  } finally {
    await session.close();
  }
}

/**
 * True if `--confirm`, or the user at the terminal, names the stack. Otherwise says that nothing was changed, and sets the exit code.
 * Throws `Problems` if there is neither `--confirm` nor a terminal.
 */
async function confirmByName(
  stack: string,
  plan: Plan,
  { confirm }: DestroyOptions,
  terminal: Terminal,
): Promise<boolean> {
  const name = confirm ?? (await askForName(stack, plan, terminal));
  if (name === stack) return true;
  terminal.say(`That is not the name of the stack (${stack}). Nothing was changed.`);
  terminal.run.exitCode = exitCodes.failed;
  return false;
}

/** Asks the user to type the name of the stack, so that no quick `yes` destroys it. Throws `Problems` without a terminal. */
async function askForName(stack: string, plan: Plan, terminal: Terminal): Promise<string> {
  if (!terminal.canAsk)
    raise(
      'destroy/unattended',
      `destroy needs a terminal or --confirm ${shellWord(stack)}; nothing was changed`,
      { hint: `pass --confirm ${shellWord(stack)}` },
    );
  const deleted = countPlannedDeletions(plan.changes);
  const deletion = deleted.objects === 0 ? '' : ` This deletes ${formatDeletionCount(deleted)}`;
  return terminal.ask(`\nType the name of the stack (${stack}) to destroy what the plan shows.${deletion}: `);
}
