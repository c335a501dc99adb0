import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { ephemeral } from './ledger-place.ts';
import { type PlanningOptions, withPlanning } from './options.ts';
import { isEmpty, planSession } from './plan-session.ts';
import { openSession } from './session.ts';
import { showPlan } from './show-plan.ts';
import { terminalFor } from './terminal.ts';

interface Options extends PlanningOptions {
  json?: boolean;
  detailedExitcode?: boolean;
}

export function planCommand(program: Command, provider: Provider): void {
  withPlanning(program.command('plan'))
    .description('show how the account differs from the configuration, and change nothing')
    .option('--json', 'print one JSON document')
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .action(async (options: Options) => {
      const terminal = terminalFor(options);
      const session = await openSession(provider, options, terminal);
      try {
        const unkept = ephemeral(options);
        if (unkept) session.diagnostics.push({ ...unkept, severity: 'warning' });
        const { plan } = await planSession(session, options);
        const fine = showPlan(plan, options, terminal);
        process.exitCode = !fine ? 1 : options.detailedExitcode && !isEmpty(plan) ? 2 : 0;
      } finally {
        await session.close();
      }
    });
}
