import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { doJob } from '../app/fleet/do-job.ts';
import { type QueueOptions, useFleetQueue } from '../app/fleet/fleet-queue.ts';
import type { WorkerContext } from '../app/fleet/worker-context.ts';
import { pathOn } from '../app/host.ts';
import { isLedgerFile } from '../app/session/ledger-choice.ts';
import { findEnvironmentKey } from '../app/session/open-ledger.ts';
import { readFleetFile } from '../fleet/fleet-file.ts';
import type { Lane, Queue } from '../fleet/queue.ts';
import { type Mirror, openMirror, removeInUse } from '../git/mirror.ts';
import type { Provider } from '../kind/provider.ts';
import { createHolder, formatUserAtHost } from '../ledger/lease-record.ts';
import { Problems } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { describeSystemError } from '../model/system-error.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import { type CommandHost, type CommandRun, type ProgramAccess, withOutput } from './command-run.ts';
import { exitCodes } from './exit-codes.ts';
import { type Terminal, terminalFor } from './terminal.ts';

interface WorkOptions extends QueueOptions {
  file: string;
  concurrency: number;
  plansOnly?: boolean;
  folder: string;
  ledger?: string;
  ledgerIndex?: string;
  exitWhenIdle?: boolean;
}

/** Does jobs until a signal comes: the first lets plans end and stops applies where they are, the second ends everything at once. */
export async function workOn(
  provider: Provider,
  options: WorkOptions,
  run: CommandRun,
  again: ProgramAccess['runCommandLine'],
): Promise<void> {
  const terminal = terminalFor(run, options);
  const { host } = run;
  const key = await keyFor(options, host);
  refuseLostLedger(options, host);
  const repositories = await readFleetFile(options.file, await fileText(options.file, host));
  const folder = pathOn(host, options.folder);
  const leave = await takeFolder(folder, options.folder, host);
  try {
    await useFleetQueue(
      options,
      terminal,
      async (queue) => {
        const shop: WorkerContext = {
          ...{ repositories, key, queue, folder, port: terminal, provider, options },
          runCommand: (argv, jobHost, output) => again(argv, withOutput(jobHost, output)),
          lane: key ? 'signed' : 'open',
          mirrorOf: mirrors(folder, host),
          stopping: new Set(),
          worker: formatUserAtHost(createHolder(host)),
        };
        await workUntilSignal(queue, shop, options, terminal);
      },
      true,
    );
  } finally {
    await leave();
  }
}

/** Workers of pull requests' plans have no key, and all others have one. Throws `Problems`. */
async function keyFor({ plansOnly }: WorkOptions, host: CommandHost): Promise<LedgerKey | undefined> {
  const key = await findEnvironmentKey(host);
  if (plansOnly && key)
    throw new Problems('fleet/key', 'a worker with --plans-only must not have a key, and this one has one', {
      hint: 'remove TRUEUP_LEDGER_KEY from its environment, or drop --plans-only for a worker of the protected branch',
    });
  if (!plansOnly && !key)
    throw new Problems('fleet/key', 'this worker has no key', {
      hint: 'set TRUEUP_LEDGER_KEY to plan and apply the protected branch, or pass --plans-only to plan pull requests without a key',
    });
  return key;
}

/** A checkout is gone after its job, and a file in it with it. Throws `Problems`. */
function refuseLostLedger(options: WorkOptions, host: CommandHost): void {
  const chosen = options.ledger ?? host.env.TRUEUP_LEDGER;
  if (!isLedgerFile(options, host) || (chosen && isAbsolute(chosen))) return;
  throw new Problems(
    'fleet/ledger',
    "the ledgers would be in this worker's checkouts, which are deleted after each job",
    {
      hint: 'use a place that all workers share: --ledger git or the URL of a store (or TRUEUP_LEDGER)',
    },
  );
}

async function fileText(path: string, host: CommandHost): Promise<string> {
  return readFile(pathOn(host, path), 'utf8').catch((error: Error) => {
    throw new Problems('fleet/file', `${path} cannot be read: ${describeSystemError(error)}`, {
      hint: "it lists this worker's repositories; see docs/guides/fleet.md",
    });
  });
}

/** Makes the folder this worker's own, without what an earlier one left in it. Gives back how to leave it. Throws `Problems`. */
async function takeFolder(
  folder: string,
  shown: string,
  { processes }: CommandHost,
): Promise<() => Promise<void>> {
  const mark = join(folder, 'worker.pid');
  await mkdir(join(folder, 'reports'), { recursive: true });
  const pid = Number(await readFile(mark, 'utf8').catch(() => ''));
  if (pid > 0 && pid !== processes.pid && processes.isRunning(pid))
    throw new Problems('fleet/folder', `${shown} is the folder of another worker, process ${pid}`, {
      hint: 'give each worker a folder of its own with --folder',
    });
  await writeFile(mark, `${processes.pid}\n`);
  for (const name of ['jobs', 'checkouts']) {
    await removeInUse(join(folder, name));
    await mkdir(join(folder, name));
  }
  return () => rm(mark, { force: true });
}

function mirrors(folder: string, { env, clock }: CommandHost): WorkerContext['mirrorOf'] {
  const opened = new Map<string, Promise<Mirror>>();
  return (name, url) => {
    const known = opened.get(name);
    if (known) return known;
    const place = join(folder, 'mirrors', encodeURIComponent(name));
    const mirror = openMirror({
      folder: place,
      checkouts: join(folder, 'checkouts'),
      url,
      env,
      now: clock.now,
    });
    opened.set(name, mirror);
    // What did not work is tried again.
    mirror.catch(() => opened.delete(name));
    return mirror;
  };
}

/** The interval at which an idle worker polls, and the time it gets to end after a second signal, in milliseconds. */
const [idle, lastMoment] = [500, 3000];

async function workUntilSignal(
  queue: Queue,
  shop: WorkerContext,
  { concurrency, exitWhenIdle }: WorkOptions,
  terminal: Terminal,
): Promise<void> {
  const { host } = terminal.run;
  const { lane, stopping } = shop;
  const stop = new AbortController();
  const stopListening = host.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => {
    for (const listener of [...stopping]) listener();
    if (stop.signal.aborted) {
      void host.clock.sleep(lastMoment).finally(() => host.exit(exitCodes.interrupted));
      return;
    }
    terminal.say(
      'Stopping: no more jobs are taken. Plans finish, applies stop where they are. Send a second signal to stop at once.',
    );
    stop.abort();
  });
  const working = await queue.work(lane, { concurrency }, (job, attempt) =>
    stop.signal.aborted ? Promise.resolve('later') : doJob(job, attempt, shop),
  );
  terminal.say(
    cleanLine(
      `Working on ${laneTexts[lane]} at ${queue.place}, ${count(concurrency, 'job')} at once, as ${shop.worker}.`,
    ),
  );
  while (!stop.signal.aborted) {
    if (exitWhenIdle && (await queue.isIdle(lane))) break;
    await host.clock.sleep(idle, stop.signal).catch(() => {});
  }
  await working.stop();
  stopListening();
}

const laneTexts: Record<Lane, string> = {
  signed: 'signed jobs',
  open: 'plans of pull requests',
};
