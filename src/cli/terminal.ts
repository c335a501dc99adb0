import { inCi, type Port } from '../app/host.ts';
import { type Diagnostic, Problems } from '../model/diagnostic.ts';
import { withoutInlineCommands } from '../model/runner-commands.ts';
import { version } from '../model/version.ts';
import { visible } from '../report/clean.ts';
import { fold } from '../report/cut.ts';
import { jsonLine } from '../report/json-value.ts';
import { type Style, styleFor, useColor, useUnicode } from '../report/style.ts';
import { logLine, type UiLine, versionLine } from '../report/terraform/ui-line.ts';
import {
  type CommandHost,
  type CommandRun,
  isFileStream,
  type OutputStream,
  withoutWorkflowCommands,
} from './command-run.ts';

/** The outputs of a run, and how they may look. Reports go to stdout, everything about the run to stderr. */
export interface Terminal extends Port {
  /** The run that it is the terminal of. */
  run: CommandRun;
  out(text: string): void;
  /** Our own workflow commands, on standard error: all else that is said there is kept from being one. */
  annotate(lines: string[]): void;
  outStyle: Style;
  errStyle: Style;
  /** Somebody can see a live view. */
  isLive: boolean;
  /** Takes the place of reports: with it standard output has lines of events only. */
  stream?: (lines: UiLine[]) => void;
}

/** Whatever is printed, and wherever it comes from: only our own colours are more than text. */
const shownText = (text: string): string =>
  text
    .split(colour)
    .map((part, index) => (index % 2 === 1 ? part : visible(part)))
    .join('');

// In brackets, so that the pieces are kept.
const colour = new RegExp(`(${String.fromCharCode(27)}\\[[\\d;]*m)`);

export function terminalFor(
  run: CommandRun,
  {
    color,
    unicode,
    jsonStream,
  }: {
    color?: boolean | undefined;
    unicode?: boolean | undefined;
    jsonStream?: boolean | undefined;
  },
): Terminal {
  const { stdout, stderr, env } = run.host;
  const whole = (text: string) => shownText(text.endsWith('\n') ? text : `${text}\n`);
  const line = (text: string, stream: OutputStream) => withoutWorkflowCommands(stream, run.host, whole(text));
  /** Sentences break between words where a person reads them; what is indented, such as a command to copy, stays one line. */
  const prose = (text: string, { prose: width }: Style) =>
    width === Number.POSITIVE_INFINITY
      ? text
      : text
          .split('\n')
          .flatMap((line) => (line.startsWith(' ') || colour.test(line) ? [line] : fold(line, width)))
          .join('\n');
  const styleOf = (stream: OutputStream) =>
    styleFor({
      color: useColor({ env, flag: color, isTTY: stream.isTTY ?? false }),
      width: stream.columns ?? 100,
      isLog: stream.columns === undefined,
      unicode: useUnicode({ env, flag: unicode }),
    });
  const errStyle = styleOf(stderr);
  const terminal: Terminal = {
    run,
    out: (text) => void (text && stdout.write(line(text, stdout))),
    say: (text) => void (text && stderr.write(line(prose(text, errStyle), stderr))),
    // As they are, and never in a stream of events. No runner reads a file, but others may.
    toRunner: (lines) =>
      void (lines.length > 0 && !isFileStream(stderr) && stderr.write(`${lines.join('\n')}\n`)),
    annotate: (lines) =>
      void (lines.length > 0 && stderr.write(withoutInlineCommands(whole(lines.join('\n'))))),
    outStyle: styleOf(stdout),
    errStyle,
    isLive: (stderr.isTTY ?? false) && !inCi(run.host) && env.TERM !== 'dumb',
    canAsk: (stderr.isTTY ?? false) && (run.host.stdin.isTTY ?? false),
    ask: async (question) => {
      const { createInterface } = await import('node:readline/promises');
      const readline = createInterface({ input: run.host.stdin, output: stderr });
      // Ctrl-D and Ctrl-C at the question are a no.
      const closed = new Promise<string>((resolve) => readline.once('close', () => resolve('')));
      const answer = await Promise.race([readline.question(shownText(question)), closed]);
      readline.close();
      return answer.trim();
    },
  };
  return jsonStream ? streaming(terminal) : terminal;
}

/** Asks for a `yes`: anything else is a no, and the command fails. Throws `unattended` where nobody can answer. */
export async function isYes(
  terminal: Terminal,
  {
    question,
    no = 'Nothing was changed.',
    unattended,
  }: { question: string; no?: string; unattended: Diagnostic },
): Promise<boolean> {
  if (!terminal.canAsk) throw new Problems([unattended]);
  const lines = `${question} Type \`yes\` to continue:`
    .split('\n')
    .flatMap((line) => fold(line, terminal.errStyle.prose));
  if ((await terminal.ask(`\n${lines.join('\n')} `)) === 'yes') return true;
  terminal.say(no);
  terminal.run.exitCode = 1;
  return false;
}

/** The same for programs: all that is said is a line of the stream, and nobody is asked. */
function streaming(terminal: Terminal): Terminal {
  const stream = (lines: UiLine[]) => writeStream(lines, terminal.run.host);
  stream([versionLine(version)]);
  const say = (text: string) => stream(text.trim() ? [logLine(text)] : []);
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

/** Writes lines of events to standard output, each with the time at which it was written. */
export function writeStream(lines: UiLine[], { stdout, clock }: Pick<CommandHost, 'stdout' | 'clock'>): void {
  for (const { '@level': level, '@message': message, '@module': module, ...data } of lines) {
    const time = new Date(clock.now()).toISOString();
    const line = { '@level': level, '@message': message, '@module': module, '@timestamp': time, ...data };
    stdout.write(withoutInlineCommands(`${jsonLine(line)}\n`));
  }
}
