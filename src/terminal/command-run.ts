/*
 * The surroundings of a command: the streams that it writes to, the run with its exit code, and the program that it belongs to. The
 * process, the tests and the workers of a fleet each create their own.
 */
import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import type { Run } from '../app/port.ts';
import type { CommandOutput } from '../fleet/worker/job-host.ts';
import { type Host, isInCi } from '../host.ts';
import { withoutCommands, withoutInlineCommands } from '../model/runner-commands.ts';
import type { ApplyResult } from '../report/markdown/applied-markdown.ts';

/** A stream that people or programs read. The members of a terminal are missing if the stream is not one. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; fd?: number };

/** The host of a command: the host of a use case, and the streams for output. */
export interface CommandHost extends Host {
  stdout: OutputStream;
  stderr: OutputStream;
}

/** Returns a host whose output goes to functions. Used by the workers of a fleet to capture the output of a job's command. */
export function withOutput(host: Host, { out, err }: CommandOutput): CommandHost {
  const streamTo = (write: (text: string) => void) =>
    new Writable({
      decodeStrings: false,
      write(chunk, _, done) {
        write(String(chunk));
        done();
      },
    });
  return { ...host, stdout: streamTo(out), stderr: streamTo(err) };
}

/**
 * True if the output of a command is redirected to a file, which CI runners do not read. In the log of a job they would obey commands such
 * as `::set-env`.
 */
export const isFileStream = ({ fd }: OutputStream): boolean => fd !== undefined && fstatSync(fd).isFile();

/**
 * Makes a text safe to print in CI, where the runner obeys lines such as `::set-env`: YAML of several lines could contain any line. This
 * happens everywhere, because no list of CI systems is complete. A file keeps its text, because no runner reads it; only in CI, where a
 * later step often prints the file, commands inside its lines are escaped.
 */
export function withoutWorkflowCommands(stream: OutputStream, host: CommandHost, text: string): string {
  if (!isFileStream(stream)) return withoutCommands(text, isInCi(host));
  return isInCi(host) ? withoutInlineCommands(text) : text;
}

/**
 * Writes text to standard output, and waits while the reader is slower. Returns false if the reader is gone, as with `| head`, so that the
 * rest of a long output is not made in vain. The error of the stream only sets the exit code, as for all commands (see `run`).
 */
export async function writeAndWait({ stdout }: Pick<CommandHost, 'stdout'>, text: string): Promise<boolean> {
  if (!stdout.write(text) && !stdout.errored) await once(stdout, 'drain').catch(() => {});
  return !stdout.errored;
}

/** One run of the command line: its host, its exit code, and the record for its report. */
export interface CommandRun extends Run {
  readonly host: CommandHost;
  /** The exit code for the shell. */
  exitCode: number;
  /** The result of an apply so far, if `--report` asks for a report of it. */
  applyResult?: ApplyResult;
}

/** The program around a command, for the few commands that need it. */
export interface ProgramAccess {
  /** Creates the program with every command declared. */
  createProgram(): Promise<Command>;
  /** Runs the command line with other arguments on another host, and returns the exit code. */
  runCommandLine(argv: string[], host: CommandHost): Promise<number>;
}
