import { Command, Help } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { commands } from './commands.ts';
import { exitCodeHelp } from './exit-codes.ts';
import { version } from './version.ts';

type Load = () => Promise<Provider>;

/** Runs the command line; the exit code is set, never forced, so that all output gets out. */
export async function run(load: Load, argv: string[]): Promise<void> {
  // A full disk, or a reader that went away: nothing more can be said, but what is under way is finished.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', () => {
      process.exitCode = 1;
    });
  try {
    // `trueup plan`, `trueup help plan`: a word too many costs a moment, a word too few would lose options.
    const program = await programWith(load, (name) => argv.slice(2, 5).includes(name));
    await program.parseAsync(argv);
  } catch (error) {
    (await import('./report-error.ts')).reportError(error, argv);
    process.exitCode = 1;
  }
}

/** The program, of which the commands that are wanted have their options; of the others there are name and description. */
async function programWith(load: Load, isWanted: (name: string) => boolean): Promise<Command> {
  const program = new Command('trueup')
    .description('Makes a hosting-platform account match YAML files.')
    .version(version)
    .showHelpAfterError('(run with --help for what there is)')
    .addHelpText('after', `\n${exitCodeHelp()}`);
  const term = new Help().subcommandTerm;
  program.configureHelp({
    // Here all that is known of most of them is the name.
    subcommandTerm: (command) => (command.parent === program ? command.name() : term(command)),
  });
  for (const [name, { does, hidden = false, load: loadCommand }] of Object.entries(commands)) {
    const command = program.command(name, { hidden }).description(does);
    if (isWanted(name)) (await loadCommand())(command, await load(), () => programWith(load, () => true));
  }
  return program;
}
