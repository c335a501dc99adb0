import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { readFleetFile } from '../../fleet/fleet-file.ts';
import type { Lane, Queue } from '../../fleet/queue.ts';
import { type Mirror, openMirror, removeInUse } from '../../git/mirror.ts';
import { type Host, interruptedCode, listenToSignals, resolvePath } from '../../host.ts';
import type { Provider } from '../../kind/provider.ts';
import { createHolder, formatUserAtHost } from '../../ledger/lease-record.ts';
import { raise } from '../../model/diagnostic.ts';
import type { LedgerKey } from '../../model/ledger-key.ts';
import { describeSystemError } from '../../model/problems-of.ts';
import { type QueueOptions, useFleetQueue } from '../../queue/fleet-queue.ts';
import { cleanLine, count } from '../../report/text.ts';
import { isLedgerFile, type LedgerChoice } from '../../stores/ledger-choice.ts';
import { findEnvironmentKey } from '../../stores/open-ledger.ts';
import type { Port } from '../port.ts';
import { doJob } from './do-job.ts';
import type { WorkerContext } from './job-host.ts';

/** The options of `trueup fleet work`. */
interface WorkerOptions extends QueueOptions {
  /** The YAML file that lists the worker's repositories. */
  file: string;
  /** How many jobs run at the same time. */
  concurrency: number;
  /** The worker has no key, and only plans pull requests. */
  plansOnly?: boolean;
  /** The folder for mirrors, checkouts and reports. */
  folder: string;
  ledger?: string;
  ledgerIndex?: string;
  /** The worker ends once the queue is empty, instead of waiting for jobs. */
  exitWhenIdle?: boolean;
}

/**
 * Runs jobs of the fleet's queue until a signal comes. The first signal stops applies where they are and lets plans finish; the second ends
 * the process. `runCommand` runs the command line for a job. Throws `Problems` if the options do not fit together.
 */
export async function runWorker(
  provider: Provider,
  options: WorkerOptions,
  port: Port,
  runCommand: WorkerContext['runCommand'],
): Promise<void> {
  const { host } = port.run;
  const key = await requireFittingKey(options, host);
  refuseLedgersInCheckouts(options, host);
  const repositories = await readFleetFile(options.file, await readRepositoriesFile(options.file, host));
  const folder = resolvePath(host, options.folder);
  const leaveFolder = await takeFolder(folder, options.folder, host);
  const work = async (queue: Queue) => {
    const context: WorkerContext = {
      ...{ repositories, key, queue, folder, port, provider, options, runCommand },
      lane: key ? 'signed' : 'open',
      mirrorOf: openMirrors(folder, host),
      stopping: new Set(),
      worker: formatUserAtHost(createHolder(host)),
    };
    await workUntilSignal(queue, context, options);
  };
  try {
    await useFleetQueue(options, port, work, true);
  } finally {
    await leaveFolder();
  }
}

/** How often a worker checks if the queue is empty, in milliseconds. */
const idleCheckInterval = 500;

/** The time that a worker gets to end after a second signal, in milliseconds. */
const secondSignalGrace = 3000;

/** The names of the two queues in messages. */
const laneTexts: Record<Lane, string> = {
  signed: 'signed jobs',
  open: 'plans of pull requests',
};

/**
 * Takes jobs from the queue for `fleet work` until a signal comes, or with `exitWhenIdle` until the queue is empty. Running jobs finish before it
 * returns; a second signal ends the process soon after.
 */
async function workUntilSignal(
  queue: Queue,
  context: WorkerContext,
  { concurrency, exitWhenIdle }: WorkerOptions,
): Promise<void> {
  const { lane, port, stopping, worker } = context;
  const { host } = port.run;
  const stop = new AbortController();
  const stopListening = listenToSignals(host, () => {
    for (const stopJob of [...stopping]) stopJob();
    if (stop.signal.aborted) {
      void host.clock.sleep(secondSignalGrace).finally(() => host.exit(interruptedCode));
      return;
    }
    port.say(
      'Stopping: no more jobs are taken. Plans finish, applies stop where they are. Send a second signal to stop at once.',
    );
    stop.abort();
  });
  const working = await queue.work(lane, { concurrency }, (job, attempt) =>
    stop.signal.aborted ? Promise.resolve('later') : doJob(job, attempt, context),
  );
  port.say(
    cleanLine(
      `Working on ${laneTexts[lane]} at ${queue.place}, ${count(concurrency, 'job')} at once, as ${worker}.`,
    ),
  );
  while (!stop.signal.aborted) {
    if (exitWhenIdle && (await queue.isIdle(lane))) break;
    await host.clock.sleep(idleCheckInterval, stop.signal).catch(() => {});
  }
  await working.stop();
  stopListening();
}

/**
 * Takes a folder for this worker alone, because two workers would delete each other's checkouts. Removes the jobs and checkouts of a
 * killed worker. Returns a function which gives the folder back. `shownPath`: the folder as the user wrote it. Throws `Problems` if
 * another worker is using it.
 */
async function takeFolder(
  folder: string,
  shownPath: string,
  { processes }: Host,
): Promise<() => Promise<void>> {
  const pidFile = join(folder, 'worker.pid');
  await mkdir(join(folder, 'reports'), { recursive: true });
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  if (pid > 0 && pid !== processes.pid && processes.isRunning(pid))
    raise('fleet/folder', `${shownPath} is the folder of another worker, process ${pid}`, {
      hint: 'give each worker a folder of its own with --folder',
    });
  await writeFile(pidFile, `${processes.pid}\n`);
  for (const name of ['jobs', 'checkouts']) {
    await removeInUse(join(folder, name));
    await mkdir(join(folder, name));
  }
  return () => rm(pidFile, { force: true });
}

/**
 * Returns a function to open a fleet worker's local copy of a repository (mirror), from which jobs get their checkouts without cloning again.
 * Each is opened once for all jobs. A failed attempt is repeated for the next job.
 */
function openMirrors(folder: string, { env, clock }: Host): (name: string, url: string) => Promise<Mirror> {
  const mirrors = new Map<string, Promise<Mirror>>();
  return (name, url) => {
    const openedMirror = mirrors.get(name);
    if (openedMirror) return openedMirror;
    const mirror = openMirror({
      folder: join(folder, 'mirrors', encodeURIComponent(name)),
      checkouts: join(folder, 'checkouts'),
      url,
      env,
      now: clock.now,
    });
    mirrors.set(name, mirror);
    mirror.catch(() => mirrors.delete(name));
    return mirror;
  };
}

/**
 * Returns the key of the worker. Throws `Problems` if a worker for pull requests has one, or another worker has none: plans of pull
 * requests run code that was not reviewed, so they must not run beside the key.
 */
async function requireFittingKey(
  { plansOnly }: { plansOnly?: boolean },
  host: Host,
): Promise<LedgerKey | undefined> {
  const key = await findEnvironmentKey(host);
  if (plansOnly && key)
    raise('fleet/key', 'a worker with --plans-only must not have a key, and this one has one', {
      hint: 'remove TRUEUP_LEDGER_KEY from its environment, or drop --plans-only for a worker of the protected branch',
    });
  if (!plansOnly && !key)
    raise('fleet/key', 'this worker has no key', {
      hint: 'set TRUEUP_LEDGER_KEY to plan and apply the protected branch, or pass --plans-only to plan pull requests without a key',
    });
  return key;
}

/**
 * Throws `Problems` if the ledgers of a fleet worker would be files in the checkouts of its jobs: a checkout is deleted after its job, and the
 * next worker would find no ledger.
 */
function refuseLedgersInCheckouts(options: LedgerChoice, host: Host): void {
  const ledger = options.ledger ?? host.env.TRUEUP_LEDGER;
  if (!isLedgerFile(options, host) || (ledger && isAbsolute(ledger))) return;
  raise('fleet/ledger', "the ledgers would be in this worker's checkouts, which are deleted after each job", {
    hint: 'use a place that all workers share: --ledger git or the URL of a store (or TRUEUP_LEDGER)',
  });
}

/**
 * Reads the text of the file of `fleet work --file`, which lists the repositories that the worker may run jobs for. Throws `Problems` if it
 * cannot be read.
 */
async function readRepositoriesFile(path: string, host: Host): Promise<string> {
  return readFile(resolvePath(host, path), 'utf8').catch((error: Error) => {
    raise('fleet/file', `${path} cannot be read: ${describeSystemError(error)}`, {
      hint: "it lists this worker's repositories; see docs/guides/fleet.md",
    });
  });
}
