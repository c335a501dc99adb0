import { type Argument, Command, CommanderError, Help, InvalidArgumentError, type Option } from 'commander';
import { startRunMemory } from '../git/run-memory.ts';
import type { Provider } from '../kind/provider.ts';
import { foreignWords, removedOptions } from '../manual/foreign-words.ts';
import { shellWord } from '../model/diagnostic.ts';
import { version } from '../model/version.ts';
import { escapeHidden } from '../report/text.ts';
import { type CommandHost, type CommandRun, withoutWorkflowCommands } from '../terminal/command-run.ts';
import { commands } from './commands.ts';
import { errorCode, exitCodeHelp, exitCodes } from './exit-codes.ts';
import { groupedHelp, groupOptions } from './help-groups.ts';

type LoadProvider = () => Promise<Provider>;

/**
 * Runs the command line with these words (`['plan', '--twin']`) on a host, and returns the exit code. All output, also about errors, goes to
 * the streams of the host; the promise never rejects.
 */
export async function run(argv: string[], host: CommandHost, loadProvider: LoadProvider): Promise<number> {
  const run: CommandRun = { host, exitCode: exitCodes.done };

  const streams = [host.stdout, host.stderr];
  // If a disk is full or a reader is gone, the run goes on without output, because an apply must not stop halfway.
  for (const stream of streams)
    stream.on('error', () => {
      run.exitCode = exitCodes.failed;
    });
  const forgetGitAnswers = startRunMemory(host.env); // Until it is called, git is asked each question only once.
  let program: Command | undefined;
  try {
    // The first words name the command (`plan`, `help plan`). If one of them only happens to be a command's name, its code is loaded in
    // vain.
    const isNamed = (name: string) => argv.slice(0, 3).includes(name);
    program = await programWith(loadProvider, run, isNamed, argv.includes('--all'));
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    // Commander has already printed its own errors.
    if (error instanceof CommanderError) {
      run.exitCode = error.exitCode;
      const hint = program && (await findWordHint(error, argv, program));
      if (hint !== undefined) host.stderr.write(escapeHidden(`  -> ${hint}\n`));
    } else {
      (await import('./report-error.ts')).reportError(error, argv, run);
      run.exitCode = errorCode(error);
    }
  }
  forgetGitAnswers();
  // A failed write is reported only when the streams have been written, and it changes the exit code.
  for (const stream of streams) await new Promise<unknown>((done) => stream.write('', done));
  return run.exitCode;
}

/** The function `run`, for functions with a local `run`. */
const runCommandLine = run;

/**
 * Creates the command line program with all commands, for `run` and for shell completion. Only the commands for which
 * `isWanted` is true load their code and get options. The others have only their names and help texts, so that `--help` is fast. `isWholeHelp`: true
 * if the help of a command shows all of its options.
 *
 * The program also answers words of other tools such as `import`, rejects empty values, and gives addresses their normal spelling before a
 * command gets them. Options must exist before they are checked, so that comes last.
 */
export async function programWith(
  loadProvider: LoadProvider,
  run: CommandRun,
  isWanted: (name: string) => boolean,
  isWholeHelp = false,
): Promise<Command> {
  const program = createEmptyProgram(run, isWholeHelp);
  let spellAddress: SpellAddress = (written) => written;
  for (const [name, entry] of Object.entries(commands)) {
    const { does, group, examples, exits, hidden = false, load: loadCommand } = entry;
    const command = program.command(name, { hidden }).description(does);
    if (group) command.helpGroup(group);
    if (isWanted(name)) {
      const provider = await loadProvider();
      spellAddress = await loadAddressSpelling(provider);
      (await loadCommand())(command, provider, run, {
        createProgram: () => programWith(loadProvider, run, () => true),
        runCommandLine: (argv, host) => runCommandLine(argv, host, loadProvider),
      });
      groupOptions(command, isWholeHelp);
    }
    if (exits) command.addHelpText('after', () => `\n${exitCodeHelp(run.host.stdout.columns ?? 80, exits)}`);
    if (examples) command.addHelpText('after', () => exampleHelp(name, examples));
  }
  addForeignWords(program, run, isWanted);
  checkWords(program, spellAddress);
  return program;
}

/** Returns the end of a command's help: its examples, and the page with more. */
const exampleHelp = (name: string, examples: readonly string[]): string =>
  `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}\nMore: docs/commands/${name}.md`;

/**
 * Creates the program without commands. Its output goes to the host, and commander throws errors instead of ending the process, so that
 * `run` can set the exit code. `isWholeHelp`: help also lists rarely used options.
 */
function createEmptyProgram(run: CommandRun, isWholeHelp: boolean): Command {
  const { stdout, stderr } = run.host;
  const program = new Command('trueup')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(withoutWorkflowCommands(stderr, run.host, escapeHidden(text))),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
      getOutHasColors: () => stdout.isTTY ?? false,
      getErrHasColors: () => stderr.isTTY ?? false,
      // A command that deletes everything must not be suggested for a misspelled word.
      outputError: (text, write) => write(withReplacement(text.replace('(Did you mean destroy?)\n', ''))),
    })
    .description('Manage a hosting-platform account with YAML files.')
    .version(version)
    .showHelpAfterError('(run with --help to see the options and commands)')
    .addHelpText('after', () => `\n${exitCodeHelp(stdout.columns ?? 80)}`);
  // The group of the command `help`, which commander adds.
  program.commandsGroup('Tools:').helpCommand(true);
  const standardTerm = new Help().subcommandTerm;
  return program.configureHelp({
    ...groupedHelp(isWholeHelp),
    // Most commands have no options or arguments here, so the list shows names only.
    subcommandTerm: (command) => (command.parent === program ? command.name() : standardTerm(command)),
  });
}

/** Adds to commander's error about an option of an earlier version of trueup, such as `--history`, what to use instead. */
const withReplacement = (text: string): string =>
  text.replace(/unknown option '(--[\w-]+)[^']*'/, (message, flag: string) =>
    Object.hasOwn(removedOptions, flag) ? `${message}: ${removedOptions[flag]}` : message,
  );

/**
 * Returns a hint for commander's error about a word that a command does not take: `-f` for a configuration file, or a similar option (`--out-dir`
 * for `--out`). Undefined if commander or `withReplacement` has put a suggestion into the error.
 */
async function findWordHint(
  { code, message }: CommanderError,
  argv: string[],
  program: Command,
): Promise<string | undefined> {
  const subcommandOf = (parent: Command, word: string) => parent.commands.find((sub) => sub.name() === word);
  const [first = '', second = ''] = argv; // A command, or one with a subcommand: `ledger list`.
  const parent = subcommandOf(program, first) ?? program;
  const command = subcommandOf(parent, second) ?? parent;
  const flags = command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
  const [, flag] = /unknown option '(--[\w-]+)/.exec(message) ?? [];
  if (code === 'commander.unknownOption' && flag !== undefined) {
    if (message.includes('Did you mean') || Object.hasOwn(removedOptions, flag)) return undefined;
    const { guessMeantName } = await import('../model/similar-name.ts');
    const meantFlag = guessMeantName(flag, flags);
    return meantFlag && `did you mean \`${meantFlag}\`?`;
  }
  const file = command.args.find((word) => /\.ya?ml$|[/\\]/i.test(word));
  return code === 'commander.excessArguments' && file !== undefined && flags.includes('--file')
    ? `name a file or folder with the option: -f ${shellWord(file)}`
    : undefined;
}

/** Adds words that users of other tools try, such as `import`, as hidden commands. Each prints how trueup does the same, and fails. */
function addForeignWords(program: Command, run: CommandRun, isWanted: (name: string) => boolean): void {
  for (const [word, answer] of Object.entries(foreignWords).filter(([word]) => isWanted(word)))
    program
      .command(word, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .helpOption(false)
      .action(async () => {
        const { terminalFor } = await import('../terminal/terminal.ts');
        terminalFor(run, {}).say(`trueup has no \`${word}\`: ${answer}`);
        run.exitCode = exitCodes.failed;
      });
}

/** Returns the normal spelling of an address, or of a glob of addresses. */
type SpellAddress = (written: string) => string;

/** Loads the code that gives addresses of the command line their normal spelling. `--help` and `--version` start faster without it. */
async function loadAddressSpelling(provider: Provider): Promise<SpellAddress> {
  const { normalAddressGlob } = await import('../kind/address-spelling.ts');
  const { kindsOf } = await import('../kind/define-kind.ts');
  const kinds = kindsOf(provider.kinds);
  return (written) => normalAddressGlob(written, kinds);
}

/**
 * Makes every option and argument of a command and its subcommands reject an empty value, because `--target "$UNSET"` is a mistake, and
 * gives addresses their normal spelling. An address is recognized by its placeholder, `<address...>`.
 */
function checkWords(command: Command, spellAddress: SpellAddress): void {
  for (const option of command.options) checkWord(option, option.flags.includes('<address'), spellAddress);
  for (const argument of command.registeredArguments)
    checkWord(argument, argument.name().startsWith('address'), spellAddress);
  for (const subcommand of command.commands) checkWords(subcommand, spellAddress);
}

/**
 * Makes one option or argument check its values before its own parser gets them, for `checkWords`: an empty value is refused, and an address gets
 * its normal spelling.
 */
function checkWord(target: Option | Argument, isAddress: boolean, spellAddress: SpellAddress): void {
  const { parseArg, variadic } = target;
  target.argParser((written: string, earlier: unknown) => {
    if (written === '') throw new InvalidArgumentError('It is empty.');
    const value = isAddress ? spellAddress(written) : written;
    if (parseArg) return parseArg(value, earlier);
    return variadic ? [...((earlier as string[] | undefined) ?? []), value] : value;
  });
}
