import { fstatSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import type { CommandOutput } from '../app/fleet/worker-context.ts';
import type { Host, Run } from '../app/host.ts';
import { inActions, inCi } from '../app/host.ts';
import { withoutCommands, withoutInlineCommands } from '../model/runner-commands.ts';
import type { ApplyResult } from '../report/markdown/applied-markdown.ts';

/** A stream that people or programs read. The properties of a terminal are missing if it is none. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; fd?: number };

/** The host of a command line: what a use case gets, and the streams that people and programs read. */
export interface CommandHost extends Host {
  stdout: OutputStream;
  stderr: OutputStream;
}

/** Returns the host of a command line whose output goes to functions. They are no terminals. */
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

/** One run of the command line: where it runs, and what comes of it. */
export interface CommandRun extends Run {
  readonly host: CommandHost;
  /** The exit code for the shell. */
  exitCode: number;
  /** The progress of an apply, for the report that `--report` asks for. */
  deed?: ApplyResult;
}

/** The program around a command, for the few commands that need it. */
export interface ProgramAccess {
  /** Makes the program with every command declared. */
  createProgram(): Promise<Command>;
  /** Runs the command line once more on another host, and returns the exit code. */
  runCommandLine(argv: string[], host: CommandHost): Promise<number>;
}

/**
 * Returns a text as a stream may show it, so that the program behind the stream finds no command in it: a YAML text of several lines can
 * hold any line. This does not depend on the environment, because no list of CI systems is complete. A file keeps its text, because no
 * runner reads it. Only in GitHub Actions, where a later step often prints the file, commands inside its lines are escaped.
 */
export function withoutWorkflowCommands(stream: OutputStream, host: CommandHost, text: string): string {
  if (!isFileStream(stream)) return withoutCommands(text, inCi(host));
  return inActions(host) ? withoutInlineCommands(text) : text;
}

/** True for output that is redirected to a file. */
export const isFileStream = ({ fd }: OutputStream): boolean => fd !== undefined && fstatSync(fd).isFile();
