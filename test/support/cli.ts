import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { hosting } from '../../providers/hosting/index.ts';
import { type Seed, startTwin, type Twin, type TwinOptions } from '../../providers/hosting/twin/index.ts';
import { run } from '../../src/cli/program.ts';
import type { Host, Signal } from '../../src/host.ts';
import type { Provider } from '../../src/kind/provider.ts';
import type { CommandHost } from '../../src/terminal/command-run.ts';
import { atEnd } from './at-end.ts';
import { here } from './here.ts';
import { replayedRun } from './replayed-run.ts';
import { replaysPlans } from './replays-plans.ts';
import { withoutSockets } from './without-sockets.ts';

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
  /** Both, as a person sees them. */
  all: string;
}

/** A run that is under way. */
export interface Running {
  /** What it has said so far. */
  said(): string;
  /** Sends it a signal, as Ctrl-C does. */
  signal(signal: Signal): void;
  ended: Promise<Ran>;
}

/** A folder, one of its own if none is given, and the tool in it. Removed after the test. */
export class Shell {
  readonly folder: string;
  env: Record<string, string> = {};
  /** The platform. */
  provider: Provider = hosting;
  /** False if each plan is made once also in a run of the tests in which plans are made again from a snapshot. */
  replays = true;
  /** The time, for runs and their waiting. */
  clock: Host['clock'] = here.clock;

  constructor(folder = mkdtempSync(join(realpathSync(tmpdir()), 'trueup-cli-'))) {
    this.folder = folder;
    atEnd(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  async write(files: Record<string, string | Buffer>): Promise<this> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), text);
    }
    return this;
  }

  /** Runs `trueup ...args` in this process; standard input is what is given, and a terminal only where that is said. */
  run(args: string[], options: { input?: string; isTerminal?: boolean } = {}): Promise<Ran> {
    return this.start(args, options).ended;
  }

  /** The same in the background. */
  start(args: string[], options: { input?: string; isTerminal?: boolean } = {}): Running {
    const { PATH, HOME } = process.env;
    const { folder: cwd, env, provider, clock, replays } = this;
    return startRun(args, { cwd, env: { PATH, HOME, ...env }, provider, clock, replays, ...options });
  }

  /** A twin of its own, which the tool in this folder talks to. */
  async withTwin(seed?: Seed, options: Omit<TwinOptions, 'seed'> = {}): Promise<Twin> {
    const twin = await startTwin({ ...options, ...(seed ? { seed } : {}) });
    withoutSockets(twin, options.faults);
    atEnd(() => twin.close());
    this.env = { ...this.env, TRUEUP_BASE_URL: twin.url, TRUEUP_TOKEN: 'token-for-tests' };
    return twin;
  }
}

/** Like `startOnce`. With TRUEUP_REPLAY, each plan is made again from a snapshot. */
export function startRun(args: string[], options: RunOptions): Running {
  return replaysPlans && options.replays !== false
    ? replayedRun(args, options, startOnce)
    : startOnce(args, options);
}

/** Where and how a command runs. */
export interface RunOptions {
  cwd: string;
  env: Host['env'];
  provider?: Provider;
  clock?: Host['clock'];
  replays?: boolean;
  input?: string;
  isTerminal?: boolean;
}

/** Starts `trueup ...args` in this process: with this folder and this environment, and no other. */
function startOnce(
  args: string[],
  { cwd, env, provider = hosting, clock = here.clock, input = '', isTerminal = false }: RunOptions,
): Running {
  const [stdout, stderr] = [kept(), kept()];
  const listeners = new Set<{ signals: Signal[]; listener: () => void }>();
  let leave: (code: number) => void = () => {};
  const left = new Promise<number>((done) => {
    leave = done;
  });
  const host: CommandHost = {
    stdin: Object.assign(Readable.from(input === '' ? [] : [Buffer.from(input)]), { isTTY: isTerminal }),
    stdout: stdout.stream,
    stderr: Object.assign(stderr.stream, { isTTY: isTerminal }),
    env,
    cwd,
    processes: here.processes,
    clock,
    onSignal: (signals, listener) => {
      const entry = { signals, listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    exit: (code) => leave(code),
    engine: { ...here.engine, starting: () => {}, started: () => {}, connecting: () => {} },
  };
  const said = () => stdout.text() + stderr.text();
  const ended = Promise.race([run(args, host, async () => provider), left]).then(
    (status): Ran => ({ status, stdout: stdout.text(), stderr: stderr.text(), all: said() }),
  );
  const signal = (name: Signal) => {
    const heard = [...listeners].filter(({ signals }) => signals.includes(name));
    // What a signal does by itself, where nobody listens.
    if (heard.length === 0) leave(128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[name]);
    for (const { listener } of heard) listener();
  };
  return { said, signal, ended };
}

/** A stream that keeps what is written to it, and is no terminal. */
function kept() {
  const stream = new PassThrough().setEncoding('utf8');
  const parts: string[] = [];
  stream.on('data', (text: string) => parts.push(text));
  return { stream, text: () => parts.join('') };
}
