import type { Port } from '../../app/port.ts';
import { interruptedCode, listenToSignals, resolvePath } from '../../host.ts';
import type { Provider } from '../../kind/provider.ts';
import { createHolder, formatUserAtHost } from '../../ledger/lease-record.ts';
import { type QueueOptions, useFleetQueue } from '../../queue/fleet-queue.ts';
import { cleanLine, count } from '../../report/text.ts';
import { decidedByOperator } from '../../stores/ledger-choice.ts';
import { readFleetFile } from '../fleet-file.ts';
import type { Lane, Queue } from '../queue.ts';
import {
  openMirrors,
  readRepositoriesFile,
  refuseLedgersInCheckouts,
  requireFittingKey,
  takeFolder,
} from '../worker-folder.ts';
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
 * Runs `trueup fleet work`: does jobs of the fleet's queue until a signal comes. The first signal stops applies where they are and lets
 * plans finish; the second ends the process. `runCommand` runs the command line for a job. Throws `Problems` if the options do not fit
 * together.
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
      repositories,
      key,
      queue,
      folder,
      port,
      provider,
      options: decidedByOperator(options),
      runCommand,
      lane: key ? 'signed' : 'open',
      mirrorOf: openMirrors(folder, host),
      stopping: new Set(),
      worker: formatUserAtHost(createHolder(host)),
    };
    await workUntilSignal(queue, context, options);
  };
  try {
    await useFleetQueue(options, port, work, { isWorker: true });
  } finally {
    await leaveFolder();
  }
}

/** The pause between two checks of a worker whether the queue is empty, in milliseconds. */
const idleCheckInterval = 500;

/** The time that a worker gets to end after a second signal, in milliseconds. */
const secondSignalGrace = 3000;

/** The names of the two queues in messages. */
const laneTexts: Record<Lane, string> = {
  signed: 'signed jobs',
  open: 'plans of pull requests',
};

/**
 * Listens for signals to a worker. Each stops the applies that are running. The first aborts `stop`, so that no more jobs are taken, and
 * the second ends the process soon after. Returns a function which ends the listening.
 */
function stopAtSignal(stop: AbortController, { port, stopping }: WorkerContext): () => void {
  const { host } = port.run;
  return listenToSignals(host, () => {
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
}

/**
 * Takes jobs from the queue for `fleet work` until a signal comes, or with `exitWhenIdle` until the queue is empty. Running jobs finish
 * before it returns; a second signal ends the process soon after.
 */
async function workUntilSignal(
  queue: Queue,
  context: WorkerContext,
  { concurrency, exitWhenIdle }: WorkerOptions,
): Promise<void> {
  const { lane, port, worker } = context;
  const { host } = port.run;
  const stop = new AbortController();
  const stopListening = stopAtSignal(stop, context);
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
