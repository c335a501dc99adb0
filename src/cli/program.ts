import { type Argument, Command, CommanderError, Help, InvalidArgumentError, type Option } from 'commander';
import { startRunMemory } from '../git/run-memory.ts';
import type { Provider } from '../kind/provider.ts';
import { version } from '../model/version.ts';
import { visible } from '../report/clean.ts';
import { type CommandHost, type CommandRun, withoutWorkflowCommands } from './command-run.ts';
import { commands } from './commands.ts';
import { errorCode, exitCodeHelp, exitCodes } from './exit-codes.ts';
import { groupedHelp, groupOptions } from './help-groups.ts';

type Load = () => Promise<Provider>;

/**
 * Runs the command line with these words (`['plan', '--twin']`) on a host, and gives back the exit code. Everything it says goes to the
 * host's streams; it never rejects.
 */
export async function run(argv: string[], host: CommandHost, load: Load): Promise<number> {
  const run: CommandRun = { host, exitCode: exitCodes.done };
  // A full disk, or a reader that went away: nothing more can be said, but what is under way is finished.
  const streams = [host.stdout, host.stderr];
  const broken = () => {
    run.exitCode = exitCodes.failed;
  };
  for (const stream of streams) stream.on('error', broken);
  const forget = startRunMemory(host.env);
  try {
    await runFromArguments(argv, run, load);
  } catch (error) {
    // It has said already what is wrong with the words.
    if (error instanceof CommanderError) run.exitCode = error.exitCode;
    else {
      (await import('./report-error.ts')).reportError(error, argv, run);
      run.exitCode = errorCode(error);
    }
  }
  forget();
  // Only then is it known whether all could be said.
  for (const stream of streams) await new Promise<unknown>((done) => stream.write('', done));
  return run.exitCode;
}

async function runFromArguments(argv: string[], run: CommandRun, load: Load): Promise<void> {
  // `trueup plan`, `trueup help plan`: a word too many costs a moment, a word too few would lose options.
  const isNamed = (name: string) => argv.slice(0, 3).includes(name);
  const program = await programWith(load, run, isNamed, argv.includes('--all'));
  await program.parseAsync(argv, { from: 'user' });
}

/** Another run of the command line: `run`, by a name that a run does not hide. */
const again: typeof run = (...given) => run(...given);

/**
 * Makes the program. Only the wanted commands have their options; the others have a name and a description. `isWholeHelp`: the help of a
 * command shows all of its options.
 */
export async function programWith(
  load: Load,
  run: CommandRun,
  isWanted: (name: string) => boolean,
  isWholeHelp = false,
): Promise<Command> {
  const { stdout, stderr } = run.host;
  const program = new Command('trueup')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(withoutWorkflowCommands(stderr, run.host, visible(text))),
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
    ...groupedHelp(isWholeHelp),
    // Here all that is known of most of them is the name.
    subcommandTerm: (command) => (command.parent === program ? command.name() : term(command)),
  });
  let spellAddress: SpellAddress = (written) => written;
  for (const [name, entry] of Object.entries(commands)) {
    const { does, group, examples, hidden = false, load: loadCommand } = entry;
    const command = program.command(name, { hidden }).description(does);
    if (group) command.helpGroup(group);
    if (isWanted(name)) {
      const provider = await load();
      spellAddress = await addressSpellingOf(provider);
      (await loadCommand())(command, provider, run, {
        createProgram: () => programWith(load, run, () => true),
        runCommandLine: (argv, host) => again(argv, host, load),
      });
      groupOptions(command, isWholeHelp);
    }
    if (examples)
      command.addHelpText(
        'after',
        `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}\nMore: docs/commands/${name}.md`,
      );
  }
  answerForeignWords(program, run, isWanted);
  checkWords(program, spellAddress);
  return program;
}

/** Words of other tools are commands of their own, which the help does not show: each says how the same is done here. */
function answerForeignWords(program: Command, run: CommandRun, isWanted: (name: string) => boolean): void {
  for (const [word, answer] of Object.entries(foreignWords).filter(([word]) => isWanted(word)))
    program
      .command(word, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .helpOption(false)
      .action(async () => {
        const { terminalFor } = await import('./terminal.ts');
        terminalFor(run, {}).say(`trueup has no \`${word}\`: ${answer}`);
        run.exitCode = exitCodes.failed;
      });
}

/** Returns the normal spelling of an address, or of a glob of addresses. */
type SpellAddress = (written: string) => string;

/** Loads what spells addresses, which `--help` and `--version` do not need. */
async function addressSpellingOf(provider: Provider): Promise<SpellAddress> {
  const { normalAddressGlob } = await import('../kind/address-spelling.ts');
  const { kindsOf } = await import('../kind/define-kind.ts');
  const kinds = kindsOf(provider.kinds);
  return (written) => normalAddressGlob(written, kinds);
}

/**
 * Reads the words of the command line alike for every option and argument of a command and of those in it. An empty word is an error:
 * `--target "$UNSET"` is never meant. Addresses and globs of addresses get their normal spelling.
 */
function checkWords(command: Command, spellAddress: SpellAddress): void {
  for (const option of command.options) checkWord(option, option.flags.includes('<address'), spellAddress);
  for (const argument of command.registeredArguments)
    checkWord(argument, argument.name().startsWith('address'), spellAddress);
  for (const inner of command.commands) checkWords(inner, spellAddress);
}

function checkWord(place: Option | Argument, isAddress: boolean, spellAddress: SpellAddress): void {
  const { parseArg, variadic } = place;
  place.argParser((written: string, before: unknown) => {
    if (written === '') throw new InvalidArgumentError('It is empty.');
    const value = isAddress ? spellAddress(written) : written;
    if (parseArg) return parseArg(value, before);
    return variadic ? [...((before as string[] | undefined) ?? []), value] : value;
  });
}

const ledger = 'the ledger records what was applied and maintains itself; `trueup ledger list` shows it';

/** Words that people bring from other tools, each with a sentence on how the same is done here. */
export const foreignWords: Record<string, string> = {
  import:
    'there is nothing to import. Declare what exists and `plan` finds it by name; `trueup export` writes the YAML.',
  refresh: 'every plan reads the live account: `trueup plan`.',
  state: `${ledger}; \`trueup ledger\` also moves, forgets and renames entries.`,
  diff: '`trueup plan` shows how the account differs from the configuration; `trueup render --diff REF` shows what a commit changes.',
  preview: '`trueup plan` shows what would change, without changing anything.',
  up: '`trueup apply` makes the account match the configuration.',
  deploy:
    '`trueup apply` makes the account match the configuration; it does not deploy code. `trueup run redeploy` rebuilds what is deployed.',
  push: '`trueup apply` makes the account match the configuration.',
  pull: '`trueup export` writes the account as YAML; `trueup accept` writes outside changes into it.',
  sync: '`trueup apply` makes the account match the configuration; `trueup accept` writes outside changes into it.',
  login: 'there is no login. Set TRUEUP_TOKEN to a platform token, or pass a file with --token-file.',
  logout: 'there is no login: the token comes from TRUEUP_TOKEN or --token-file.',
  taint: 'nothing is marked. To recreate an object, remove it from the YAML, apply, and put it back.',
  untaint: 'nothing is marked, so there is nothing to unmark.',
  workspace:
    'trueup.workspace.yaml lists the stacks of a repository (`trueup stacks`); --stage selects a stage.',
  output: "`trueup get` shows objects of the account; `trueup ledger show ADDRESS` shows an object's id.",
  console: '`trueup render` prints the result of templates and expressions.',
  providers: 'there is one platform, built in.',
  lint: '`trueup validate` checks the configuration; `trueup fmt --check` checks its formatting.',
  history: '`trueup log` shows the runs, newest first.',
  rollback: '`trueup undo RUN` reverts a run; `trueup run rollback` serves an earlier deployment.',
  'force-unlock': 'leases expire on their own; `trueup ledger unlock` removes one early.',
  unlock: '`trueup ledger unlock` removes a lease that was never released.',
  drift: '`trueup plan --drift-exitcode` detects changes made outside.',
};
