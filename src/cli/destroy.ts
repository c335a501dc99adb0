import type { Command } from 'commander';
import { ledgerLineOf } from '../app/ledger/ledger-line.ts';
import { createPlanOptions, type WritingOptions } from '../app/planning/plan-options.ts';
import { refuseEphemeral } from '../app/session/ledger-choice.ts';
import { lockSession, openSession, requireWritable } from '../app/session/session.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import { nothingLines } from '../report/terraform/apply-lines.ts';
import { openSettledPlan } from '../run/open-plan.ts';
import { carryOut } from './carry-out.ts';
import type { CommandRun } from './command-run.ts';
import { problemsCode } from './exit-codes.ts';
import { showPlan, streamOption } from './formats.ts';
import { withWriting } from './planning-flags.ts';
import { terminalFor } from './terminal.ts';

interface DestroyOptions extends WritingOptions {
  confirm?: string;
  jsonStream?: boolean;
}

export function destroyCommand(command: Command, provider: Provider, run: CommandRun): void {
  withWriting(command)
    .option('--confirm <stack>', 'the name of the stack, instead of typing it')
    .addOption(streamOption())
    .action(async (options: DestroyOptions) => {
      const terminal = terminalFor(run, options);
      refuseEphemeral(options, run.host);
      const session = await openSession(provider, options, terminal, { ends: true, guards: 'apply' });
      const { stack } = session.configuration.desired;
      try {
        requireWritable(session, options);
        if (options.confirm !== undefined) await lockSession(session, options, terminal);
        const planned = await openSettledPlan(
          session,
          createPlanOptions(options, run.host, { destroy: true }),
        );
        terminal.say(await ledgerLineOf(session));
        const pace = await session.connection.paceNow(provider.pace);
        const fine = await showPlan(planned.plan, options, terminal, pace);
        if (!fine) run.exitCode = problemsCode(planned.plan.diagnostics);
        if (!fine) return;
        if (isEmpty(planned.plan)) return terminal.stream?.(nothingLines(planned.plan));
        if (options.confirm === undefined && !terminal.canAsk)
          throw new Problems(
            'destroy/unattended',
            `destroy needs a terminal or --confirm ${stack}; nothing was changed`,
            {
              hint: `pass --confirm ${stack}`,
            },
          );
        const typed =
          options.confirm ??
          (await terminal.ask(`\nType the name of the stack (${stack}) to destroy what it owns: `));
        if (typed === stack) {
          if (options.confirm === undefined) await lockSession(session, options, terminal);
          await carryOut(session, planned, options, terminal, {
            command: 'destroy',
            approval: options.confirm === undefined ? 'asked' : 'flag',
          });
        } else {
          terminal.say(`That is not the name of the stack (${stack}). Nothing was changed.`);
          run.exitCode = 1;
        }
      } finally {
        await session.close();
      }
    });
}
