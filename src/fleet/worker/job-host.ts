import { Readable } from 'node:stream';
import type { Port } from '../../app/port.ts';
import type { Mirror } from '../../git/mirror.ts';
import { type Host, interruptedCode } from '../../host.ts';
import type { Provider } from '../../kind/provider.ts';
import type { LedgerKey } from '../../model/digest.ts';
import type { SettledLedgerChoice } from '../../stores/ledger-choice.ts';
import type { FleetRepository } from '../fleet-file.ts';
import type { Lane, Queue } from '../queue.ts';

/** The variables of the worker that its jobs must not see: the credentials for the queue and for comments. */
const workerVariables = ['TRUEUP_FLEET', 'TRUEUP_COMMENT_TOKEN', 'GITHUB_TOKEN'];

/**
 * Creates the host (the access of a command to its process: environment, signals, exit) for the commands of one job of `fleet work`, which
 * run in the process of the worker. It has the folder of the job (`cwd`) and the environment of the worker as in a CI job, without the
 * worker's own credentials. The exit of a command ends only that command. Returns the host, a function to run a command on it, and
 * functions to get the texts that the commands have printed. `isReview`: the job plans a pull request.
 */
export function createJobHost({ port, runCommand, stopping }: WorkerContext, cwd: string, isReview = false) {
  const { host } = port.run;
  const { texts, output } = createTextOutput();
  let exit: (code: number) => void = () => {};
  const exited = new Promise<number>((resolve) => {
    exit = resolve;
  });
  const listeners = new Set<() => void>();
  const jobHost: Host = {
    ...host,
    stdin: Readable.from([]),
    env: { ...withoutWorkerVariables(host.env), CI: 'true' },
    cwd,
    isReview,
    onSignal: (_, listener) => {
      // A new function each time, because the same listener may be added twice.
      const uniqueListener = () => listener();
      listeners.add(uniqueListener);
      return () => void listeners.delete(uniqueListener);
    },
    exit: (code) => exit(code),
    // Only a short run gains by a delay of the optimizer. The worker runs for long.
    engine: { ...host.engine, starting: () => {}, started: () => {} },
  };
  const passSignal = () => {
    for (const listener of [...listeners]) listener();
    // A command listens for signals while it holds a lease (the lock of a ledger), so without a listener it can end at once.
    if (listeners.size === 0) exit(interruptedCode);
  };
  return {
    host: jobHost,
    /** Returns the reports that the commands have printed so far. */
    out: () => texts.out,
    /** Returns the messages that the commands have printed so far. */
    err: () => texts.err,
    /** Runs a command, and returns its exit code. `isStoppable`: a signal to the worker is passed on to the command, or ends it. */
    async run(argv: string[], { isStoppable }: { isStoppable: boolean }): Promise<number> {
      if (isStoppable) stopping.add(passSignal);
      try {
        return await Promise.race([runCommand(argv, jobHost, output), exited]);
      } finally {
        stopping.delete(passSignal);
      }
    },
  };
}

/**
 * Creates the output of a fleet job's commands. It collects what they print in two texts: standard output becomes the report of the job,
 * standard error its log.
 */
function createTextOutput() {
  const texts = { out: '', err: '' };
  const output = {
    out: (text: string) => {
      texts.out += text;
    },
    err: (text: string) => {
      texts.err += text;
    },
  };
  return { texts, output };
}

/**
 * Returns an environment without the fleet worker's credentials for its queue and for comments, so that the command of a job, whose
 * configuration may come from a pull request, cannot read them.
 */
const withoutWorkerVariables = (env: Host['env']): Host['env'] =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !workerVariables.includes(name)));

/** Everything that a fleet worker needs for its jobs. */
export interface WorkerContext {
  repositories: ReadonlyMap<string, FleetRepository>;
  key: LedgerKey | undefined;
  lane: Lane;
  queue: Queue;
  /** The folder of mirrors, checkouts and reports. */
  folder: string;
  port: Port;
  /** Runs a command of trueup on a host, and returns its exit code. Its output goes to these functions. */
  runCommand(argv: string[], host: Host, output: CommandOutput): Promise<number>;
  provider: Provider;
  /** The operator of the worker decides where the ledgers are, for all of its repositories. */
  options: SettledLedgerChoice;
  mirrorOf(name: string, url: string): Promise<Mirror>;
  /** The functions to call if the worker gets a signal: they stop the jobs that can be stopped. */
  stopping: Set<() => void>;
  /** The name of the worker for people. */
  worker: string;
}

/** The outputs of a command: `out` for reports, `err` for messages. */
export interface CommandOutput {
  out(text: string): void;
  err(text: string): void;
}
