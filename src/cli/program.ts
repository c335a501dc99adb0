import { type Argument, Command, CommanderError, Help, InvalidArgumentError, type Option } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { type Diagnostic, hasErrors, Problems, problem } from '../model/diagnostic.ts';
import { version } from '../model/version.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { jsonText } from '../report/json-value.ts';
import { failureMarkdown } from '../report/markdown/outcome-markdown.ts';
import { failureJson } from '../report/plan-json.ts';
import { diagnosticLine } from '../report/terraform/ui-line.ts';
import { addStepSummary, annotate } from './actions-run.ts';
import { commands } from './commands.ts';
import { exitCodeHelp, exitCodes } from './exit-codes.ts';
import type { Host, Run } from './host.ts';
import { type Terminal, terminalFor, writeStream } from './terminal.ts';

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
  try {
    await runCommand(argv, run, load);
  } catch (error) {
    // It has said already what is wrong with the words.
    if (error instanceof CommanderError) run.exitCode = error.exitCode;
    else {
      (await import('./program.ts')).reportError(error, argv, run);
      run.exitCode = exitCodes.failed;
    }
  }
  // Only then is it known whether all could be said.
  for (const stream of streams) await new Promise<unknown>((done) => stream.write('', done));
  return run.exitCode;
}

async function runCommand(argv: string[], run: Run, load: Load): Promise<void> {
  // `trueup plan`, `trueup help plan`: a word too many costs a moment, a word too few would lose options.
  const program = await programWith(load, run, (name) => argv.slice(0, 3).includes(name));
  await program.parseAsync(argv, { from: 'user' });
}

/** The program, of which the commands that are wanted have their options; of the others there are name and description. */
async function programWith(load: Load, run: Run, isWanted: (name: string) => boolean): Promise<Command> {
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
    })
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
    if (isWanted(name))
      (await loadCommand())(command, await load(), run, () => programWith(load, run, () => true));
  }
  refuseEmpty(program);
  return program;
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

/** Says what went wrong, for people (and, with `--json`, for programs). A stack only with TRUEUP_DEBUG. */
export function reportError(error: unknown, argv: string[], run: Run): void {
  const color = argv.includes('--no-color') ? false : argv.includes('--color') ? true : undefined;
  const unicode = argv.includes('--no-unicode') ? false : undefined;
  const terminal = terminalFor(run, { color, unicode });
  const diagnostics =
    error instanceof Problems && hasErrors(error.diagnostics) ? error.diagnostics : [unexpected(error)];
  if (argv.includes('--json-stream')) writeStream(diagnostics.map(diagnosticLine), run.host);
  if (isFormat('json', argv)) terminal.out(jsonText(failureJson(diagnostics)));
  if (run.host.env.TRUEUP_DEBUG && error instanceof Error) terminal.err(error.stack ?? '');
  terminal.err(diagnosticsText(diagnostics, { style: terminal.errStyle }));
  annotate(diagnostics, terminal);
  reportToReaders(diagnostics, argv, terminal);
}

/** The word for what a failed command did not do, for each command that makes or shows a plan. */
const undone: Record<string, string> = {
  plan: 'planned',
  apply: 'applied',
  destroy: 'destroyed',
  show: 'shown',
};

/** Puts the failure where people expect the plan: in the pull request and in the summary of the step. */
function reportToReaders(diagnostics: Diagnostic[], argv: string[], terminal: Terminal): void {
  const [command = ''] = argv;
  const done = undone[command];
  if (done === undefined) return;
  const { stack } = terminal.run;
  const failure = { command, done, diagnostics, ...(stack === undefined ? {} : { stack }) };
  if (isFormat('markdown', argv)) terminal.out(failureMarkdown(failure));
  if (command !== 'show') addStepSummary((room) => failureMarkdown(failure, room), terminal);
}

function unexpected(error: unknown) {
  const { message, hint, code, syscall } = error as {
    message?: string;
    hint?: string;
    code?: string;
    syscall?: string;
  };
  // A full disk, too many open files, a folder without permission: wherever it happens, it is the system's word.
  if (syscall !== undefined && code !== undefined)
    return problem(`system/${code.toLowerCase()}`, `the system refused: ${message}`, {
      hint: 'mend that, and run it again; what was done until then is recorded',
    });
  return problem(code ?? 'internal', message ?? String(error), {
    hint: hint ?? 'this is a fault of trueup itself: run again with TRUEUP_DEBUG=1 and report what it prints',
  });
}

const isFormat = (name: string, argv: string[]): boolean =>
  argv.some(
    (word, at) =>
      word === `--${name}` || word === `--format=${name}` || (word === name && argv[at - 1] === '--format'),
  );
