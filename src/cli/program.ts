import { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { applyCommand } from './apply.ts';
import { commentCommand } from './comment.ts';
import { completionCommand } from './completion.ts';
import { destroyCommand } from './destroy.ts';
import { exitCodeHelp } from './exit-codes.ts';
import { exportCommand } from './export.ts';
import { fmtCommand } from './fmt.ts';
import { graphCommand } from './graph.ts';
import { initCommand } from './init.ts';
import { kindsCommand } from './kinds.ts';
import { ledgerCommand } from './ledger.ts';
import { planCommand } from './plan.ts';
import { reportError } from './report-error.ts';
import { schemaCommand } from './schema.ts';
import { showCommand } from './show.ts';
import { twinCommand } from './twin.ts';
import { validateCommand } from './validate.ts';
import { version } from './version.ts';

/** Runs the command line; the exit code is set, never forced, so that all output gets out. */
export async function run(provider: Provider, argv: string[]): Promise<void> {
  // A full disk, or a reader that went away: nothing more can be said, but what is under way is finished.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', () => {
      process.exitCode = 1;
    });
  const program = new Command('trueup')
    .description('Makes a hosting-platform account match YAML files.')
    .version(version)
    .showHelpAfterError('(run with --help for what there is)')
    .addHelpText('after', `\n${exitCodeHelp()}`);
  initCommand(program, provider);
  validateCommand(program, provider);
  fmtCommand(program);
  planCommand(program, provider);
  showCommand(program, provider);
  commentCommand(program);
  applyCommand(program, provider);
  destroyCommand(program, provider);
  exportCommand(program, provider);
  graphCommand(program, provider);
  ledgerCommand(program, provider);
  kindsCommand(program, provider);
  schemaCommand(program, provider);
  twinCommand(program, provider);
  completionCommand(program, provider);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    reportError(error, argv);
    process.exitCode = 1;
  }
}
