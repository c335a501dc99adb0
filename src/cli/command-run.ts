import type { Writable } from 'node:stream';
import type { Command } from 'commander';
import type { Host, Run } from '../app/host.ts';
import type { Deed } from '../report/markdown/applied-markdown.ts';

/** A stream that people or programs read. The properties of a terminal are missing if it is none. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; fd?: number };

/** The host of a command line: what a use case gets, and the streams that people and programs read. */
export interface CommandHost extends Host {
  stdout: OutputStream;
  stderr: OutputStream;
}

/** One run of the command line: where it runs, and what comes of it. */
export interface CommandRun extends Run {
  readonly host: CommandHost;
  /** The exit code for the shell. */
  exitCode: number;
  /** The progress of an apply, for the report that `--report` asks for. */
  deed?: Deed;
}

/** The program around a command, for the few commands that need it. */
export interface Around {
  /** Makes the program with every command declared. */
  whole(): Promise<Command>;
  /** Runs the command line once more on another host, and returns the exit code. */
  again(argv: string[], host: CommandHost): Promise<number>;
}
