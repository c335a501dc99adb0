import type { Port } from '../app/port.ts';
import { type Host, isInCi } from '../host.ts';
import { type Diagnostic, raise } from '../model/diagnostic.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import { withoutInlineCommands } from '../model/runner-commands.ts';
import { version } from '../model/version.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { jsonLine } from '../report/show.ts';
import type { StackFailures } from '../report/stacks/stack-failures.ts';
import { type Style, styleFor, useColor, useUnicode } from '../report/style.ts';
import { logLine, type StreamLine, versionLine } from '../report/terraform/stream-line.ts';
import { escapeHidden, fold } from '../report/text.ts';
import {
  type CommandHost,
  type CommandRun,
  isFileStream,
  type OutputStream,
  withoutWorkflowCommands,
  writeAndWait,
} from './command-run.ts';

/** The outputs of a run, and how they may look. Reports go to standard output, messages about the run to standard error. */
export interface Terminal extends Port {
  run: CommandRun;
  /** Prints a report. */
  out(text: string): void;
  /** Writes workflow commands for GitHub Actions, such as annotations. In all other texts such commands are made harmless. */
  annotate(lines: string[]): void;
  outStyle: Style;
  errStyle: Style;
  /** True if a person can see text that is redrawn in place. */
  isLive: boolean;
  /** With `--json-stream`: writes events to standard output, which then gets no reports. */
  stream?: (lines: StreamLine[]) => void;
  /** The failures of all stacks of the command, so that equal ones are explained once; absent for the only stack of a command. */
  failures?: StackFailures;
}

/** Matches the colour sequences of our styles, and no others. In brackets, so that `split` keeps the sequences. */
const colour = new RegExp(`(${String.fromCharCode(27)}\\[(?:1|22|3[1-69]|90)m)`);

/**
 * Makes hidden characters of a text visible (control and format characters; line feed and tab stay), because names from elsewhere could
 * change the terminal or hide other text. Only colours of our styles stay. Splitting by `colour`, which captures, puts them at the odd
 * indexes.
 */
const shownText = (text: string): string =>
  text
    .split(colour)
    .map((part, index) => (index % 2 === 1 ? part : escapeHidden(part)))
    .join('');

/** Returns a text with a final line break, with hidden characters made visible. */
const shownLines = (text: string): string => shownText(text.endsWith('\n') ? text : `${text}\n`);

/**
 * Breaks long lines of a message between words, to fit the terminal. Indented lines, such as commands to copy, and coloured lines stay as
 * they are.
 */
function foldProse(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith(' ') || colour.test(line) ? [line] : fold(line, width)))
    .join('\n');
}

/** The options that change how a terminal looks. An undefined one leaves the choice to the environment. */
interface LookOptions {
  color?: boolean | undefined;
  jsonStream?: boolean | undefined;
}

/** Creates the terminal of a command. Texts go through it, so that those from elsewhere can change neither a terminal nor a CI job. */
export function terminalFor(run: CommandRun, { color, jsonStream }: LookOptions): Terminal {
  const { stdout, stderr, env } = run.host;
  const write = (text: string, stream: OutputStream) => {
    if (text) stream.write(withoutWorkflowCommands(stream, run.host, shownLines(text)));
  };
  const errStyle = createStyle(stderr, color, env);
  const isShown = stderr.isTTY ?? false;
  const terminal: Terminal = {
    run,
    out: (text) => write(text, stdout),
    say: (text) => write(foldProse(text, errStyle.prose), stderr),
    // Commands to the CI runner to hide secrets, so they stay as they are. A file is not read by a runner, but perhaps by people.
    toRunner(lines) {
      if (lines.length > 0 && !isFileStream(stderr)) stderr.write(`${lines.join('\n')}\n`);
    },
    annotate(lines) {
      if (lines.length > 0) stderr.write(withoutInlineCommands(shownLines(lines.join('\n'))));
    },
    outStyle: createStyle(stdout, color, env),
    errStyle,
    isLive: isShown && !isInCi(run.host) && env.TERM !== 'dumb',
    canAsk: isShown && (run.host.stdin.isTTY ?? false),
    ask: (question) => askOn(run.host, question),
  };
  return jsonStream ? toEventTerminal(terminal) : terminal;
}

/** Returns the style of texts for a stream: its width, and the colours and characters that it can show. `color`: false for `--no-color`. */
const createStyle = (stream: OutputStream, color: boolean | undefined, env: Host['env']): Style =>
  styleFor({
    color: useColor({ env, isRefused: color === false, isTTY: stream.isTTY ?? false }),
    width: stream.columns ?? 100,
    isLog: stream.columns === undefined,
    unicode: useUnicode(env),
  });

/** The text of a report or, if it may be large, the parts of its text. */
export type Report = string | Generator<string>;

/**
 * Prints a report, made harmless for terminals and CI jobs like all texts (`terminalFor`). If it has parts, they are printed one by one, so
 * that the whole text is never in memory, and the rest is left out if the reader is gone.
 */
export async function printReport(report: Report, terminal: Terminal): Promise<void> {
  if (typeof report === 'string') return terminal.out(report);
  const { host } = terminal.run;
  for (const reportPart of report) {
    const isRead = await writeAndWait(
      host,
      withoutWorkflowCommands(host.stdout, host, shownText(reportPart)),
    );
    if (!isRead) return;
  }
}

/** The last question on each input. The next one waits for its answer, because two readers of one input would take each other's lines. */
const lastQuestions = new WeakMap<object, Promise<unknown>>();

/**
 * Asks a question, such as that of `apply`, on the terminal and returns the line that the user types. Ctrl-D and Ctrl-C count as an empty
 * answer. The stacks of a command may ask at the same time: then one question follows the other.
 */
function askOn(host: CommandHost, question: string): Promise<string> {
  const previous = lastQuestions.get(host.stdin) ?? Promise.resolve();
  const asking = previous.then(() => askNow(host, question));
  lastQuestions.set(
    host.stdin,
    asking.catch(() => {}),
  );
  return asking;
}

/** Asks a question in the terminal and returns the answer, while no other question is open. The answer is empty if the input has ended. */
async function askNow({ stdin, stderr }: CommandHost, question: string): Promise<string> {
  if (stdin.readableEnded) return '';
  const { createInterface } = await import('node:readline/promises');
  const readline = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<string>((resolve) => readline.once('close', () => resolve('')));
  const answer = await Promise.race([readline.question(shownText(question)), closed]);
  readline.close();
  return answer.trim();
}

/** A question to confirm. `no`: the message if the user declines. `unattended`: the problem if there is no terminal to ask on. */
interface ConfirmationQuestion {
  question: string;
  no?: string;
  unattended: Diagnostic;
}

/** Shows diagnostics as messages about the run, with their places and hints: one message for each cause. Shows nothing if there are none. */
export const sayDiagnostics = (
  diagnostics: readonly Diagnostic[],
  { say, errStyle }: Pick<Terminal, 'say' | 'errStyle'>,
): void => say(diagnosticsText(foldDiagnostics(diagnostics), { style: errStyle }));

/**
 * Asks for a `yes` before `apply`, `undo` or another command changes something. Any other answer declines: then the exit code says that the
 * command failed. Throws `Problems` without a terminal.
 */
export async function isYes(
  terminal: Terminal,
  { question, no = 'Nothing was changed.', unattended }: ConfirmationQuestion,
): Promise<boolean> {
  if (!terminal.canAsk) raise(unattended);
  const lines = `${question} Type \`yes\` to continue:`
    .split('\n')
    .flatMap((line) => fold(line, terminal.errStyle.prose));
  if ((await terminal.ask(`\n${lines.join('\n')} `)) === 'yes') return true;
  terminal.say(no);
  terminal.run.exitCode = 1;
  return false;
}

/**
 * Starts the stream of `--json-stream`, and returns its terminal: every message is an event on standard output, and no question is asked.
 */
function toEventTerminal(terminal: Terminal): Terminal {
  const stream = (lines: StreamLine[]) => writeStream(lines, terminal.run.host);
  stream([versionLine(version)]);
  const say = messageWriter(stream);
  return {
    ...terminal,
    out: say,
    say,
    annotate: (lines) => say(lines.join('\n')),
    stream,
    isLive: false,
    canAsk: false,
  };
}

/** Returns a writer of messages to a stream of events. Empty messages are dropped. */
const messageWriter = (stream: (lines: StreamLine[]) => void) => (text: string) =>
  stream(text.trim() ? [logLine(text)] : []);

/**
 * Returns the terminal of one of several stacks of a command. Its messages and events have the id of the stack, so that people
 * can distinguish them, and its exit code is its own.
 */
export function stackTerminal(id: string, host: Host, terminal: Terminal): Terminal {
  const { stdout, stderr } = terminal.run.host;
  const run: CommandRun = { host: { ...host, stdout, stderr }, exitCode: 0 };
  const withId = (write: (text: string) => void) => (text: string) => {
    const lines = text.replace(/\n$/, '').split('\n');
    if (text.trim() !== '') write(lines.map((line) => `${id}: ${line}`).join('\n'));
  };
  const member = { ...terminal, run, isLive: false };
  const write = terminal.stream;
  if (!write) return { ...member, out: withId(terminal.out), say: withId(terminal.say) };
  const stream = (lines: StreamLine[]) => write(lines.map((line) => ({ ...line, stack: id })));
  const say = messageWriter(stream);
  return { ...member, stream, out: say, say };
}

/** Writes events to standard output as JSON lines, each with the current time, for programs that follow a run (`--json-stream`). */
export function writeStream(lines: StreamLine[], host: Pick<CommandHost, 'stdout' | 'clock'>): void {
  const { stdout, clock } = host;
  for (const { '@level': level, '@message': message, '@module': module, ...data } of lines) {
    const time = new Date(clock.now()).toISOString();
    const line = { '@level': level, '@message': message, '@module': module, '@timestamp': time, ...data };
    stdout.write(withoutInlineCommands(`${jsonLine(line)}\n`));
  }
}
