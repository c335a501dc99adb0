import { type Argument, Command, CommanderError, Help, InvalidArgumentError, type Option } from 'commander';
import { rememberFor } from '../git/one-run.ts';
import type { Provider } from '../kind/provider.ts';
import { version } from '../model/version.ts';
import { commands } from './commands.ts';
import { exitCodeHelp, exitCodes } from './exit-codes.ts';
import { foreignWords } from './foreign-words.ts';
import type { Host, Run } from './host.ts';
import { terminalFor } from './terminal.ts';

type Load = () => Promise<Provider>;

/**
 * Runs the command line with these words (`['plan', '--twin']`) on a host, and gives back the exit code. Everything it says goes to the
 * host's streams; it never rejects.
 */
export async function run(argv: string[], host: Host, load: Load): Promise<number> {
  const run: Run = { host, exitCode: exitCodes.done };
  // A full disk, or a reader that went away: nothing more can be said, but what is under way is finished.
  const streams = [host.stdout, host.stderr];
  const broken = () => {
    run.exitCode = exitCodes.failed;
  };
  for (const stream of streams) stream.on('error', broken);
  const forget = rememberFor(host.env);
  try {
    await runCommand(argv, run, load);
  } catch (error) {
    // It has said already what is wrong with the words.
    if (error instanceof CommanderError) run.exitCode = error.exitCode;
    else run.exitCode = (await import('./report-error.ts')).reportError(error, argv, run);
  }
  forget();
  // Only then is it known whether all could be said.
  for (const stream of streams) await new Promise<unknown>((done) => stream.write('', done));
  return run.exitCode;
}

async function runCommand(argv: string[], run: Run, load: Load): Promise<void> {
  // `trueup plan`, `trueup help plan`: a word too many costs a moment, a word too few would lose options.
  const program = await programWith(load, run, (name) => argv.slice(0, 3).includes(name));
  await program.parseAsync(argv, { from: 'user' });
}

/** Another run of the command line: `run`, by a name that a run does not hide. */
const again: typeof run = (...given) => run(...given);

/** The program, of which the commands that are wanted have their options; of the others there are name and description. */
export async function programWith(
  load: Load,
  run: Run,
  isWanted: (name: string) => boolean,
): Promise<Command> {
  const { stdout, stderr } = run.host;
  const program = new Command('trueup')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
      getOutHasColors: () => stdout.isTTY ?? false,
      getErrHasColors: () => stderr.isTTY ?? false,
      // Whoever deletes everything writes that word in full.
      outputError: (text, write) => write(text.replace('(Did you mean destroy?)\n', '')),
    })
    .description('Manage a hosting-platform account with YAML files.')
    .version(version)
    .showHelpAfterError('(run with --help to see what is available)')
    .addHelpText('after', `\n${exitCodeHelp(stdout.columns ?? 80)}`);
  // That of `help`, which commander adds.
  program.commandsGroup('Tools:').helpCommand(true);
  const term = new Help().subcommandTerm;
  program.configureHelp({
    // Here all that is known of most of them is the name.
    subcommandTerm: (command) => (command.parent === program ? command.name() : term(command)),
  });
  for (const [name, entry] of Object.entries(commands)) {
    const { does, group, examples, hidden = false, load: loadCommand } = entry;
    const command = program.command(name, { hidden }).description(does);
    if (group) command.helpGroup(group);
    if (examples)
      command.addHelpText(
        'after',
        `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}\nMore: docs/commands/${name}.md`,
      );
    if (isWanted(name))
      (await loadCommand())(command, await load(), run, {
        whole: () => programWith(load, run, () => true),
        again: (argv, host) => again(argv, host, load),
      });
  }
  answerForeignWords(program, run);
  refuseEmpty(program);
  return program;
}

/** Words of other tools are commands of their own, which the help does not show: each says how the same is done here. */
function answerForeignWords(program: Command, run: Run): void {
  for (const [word, answer] of Object.entries(foreignWords))
    program
      .command(word, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .helpOption(false)
      .action(() => {
        terminalFor(run, {}).err(`trueup has no \`${word}\`: ${answer}`);
        run.exitCode = exitCodes.failed;
      });
}

/**
 * Makes an empty word on the command line a mistake of whoever wrote it, for every option and argument of a command and of those in
 * it: `--target "$UNSET"` is never meant.
 */
function refuseEmpty(command: Command): void {
  for (const option of command.options) refuseIn(option);
  for (const argument of command.registeredArguments) refuseIn(argument);
  for (const inner of command.commands) refuseEmpty(inner);
}

function refuseIn(place: Option | Argument): void {
  const { parseArg, variadic } = place;
  place.argParser((value: string, before: unknown) => {
    if (value === '') throw new InvalidArgumentError('It is empty.');
    if (parseArg) return parseArg(value, before);
    return variadic ? [...((before as string[] | undefined) ?? []), value] : value;
  });
}
