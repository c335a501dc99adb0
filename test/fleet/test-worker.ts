import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { hosting } from '../../providers/hosting/index.ts';
import { run } from '../../src/cli/program.ts';
import { readFleetFile } from '../../src/fleet/fleet-file.ts';
import { type Job, type JobOutcome, type StackJob, signJob } from '../../src/fleet/job.ts';
import type { Queue, QueuedJob } from '../../src/fleet/queue.ts';
import { doJob } from '../../src/fleet/worker/do-job.ts';
import type { WorkerContext } from '../../src/fleet/worker/job-host.ts';
import { openMirror } from '../../src/git/mirror.ts';
import { findKey } from '../../src/ledger/key.ts';
import { type CommandHost, withOutput } from '../../src/terminal/command-run.ts';
import { terminalFor } from '../../src/terminal/terminal.ts';
import { here } from '../support/here.ts';
import { keyText } from '../support/keys.ts';
import type { Workplace } from './workplace.ts';

/** A queue that holds what it is given; nobody takes anything from it. */
export class HeldQueue implements Queue {
  readonly place = 'the memory of a test';
  readonly sent: Job[] = [];
  readonly known = new Map<string, JobOutcome>();
  readonly #unasked = async () => {
    throw new Error('nobody asks for this');
  };

  send = async (_: string, jobs: readonly Job[]) => void this.sent.push(...jobs);
  outcomes = async (_: string, ids: readonly string[]) =>
    new Map(ids.flatMap((id) => (this.known.has(id) ? [[id, this.known.get(id)!]] : [])));
  jobs = async (batch?: string): Promise<QueuedJob[]> =>
    this.sent
      .filter((job) => batch === undefined || job.batch === batch)
      .map((job) => ({ job, state: 'over', retries: 0, since: new Date(0) }));
  work = this.#unasked;
  isIdle = this.#unasked;
  workers = this.#unasked;
  schedule = this.#unasked;
  unschedule = this.#unasked;
  schedules = this.#unasked;
  close = async () => {};
}

/** A worker in this process, with a queue in its memory; everything else is as it is. */
export class TestWorker {
  readonly queue = new HeldQueue();
  readonly shop: WorkerContext;
  readonly said: () => string;

  private constructor(shop: Omit<WorkerContext, 'queue'>, said: () => string) {
    this.shop = { ...shop, queue: this.queue };
    this.said = said;
  }

  /** `key`: undefined for a worker that only plans. */
  static async start(
    bench: Workplace,
    { key, file, env = {} }: { key?: string; file?: string; env?: Record<string, string> } = {},
  ): Promise<TestWorker> {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'trueup-worker-'));
    bench.onEnd(folder);
    for (const name of ['reports', 'checkouts']) await mkdir(join(folder, name));
    const stderr = new PassThrough().setEncoding('utf8');
    const parts: string[] = [];
    stderr.on('data', (text: string) => parts.push(text));
    const { PATH, HOME } = process.env;
    const host: CommandHost = {
      ...{ stdin: Readable.from([]), stdout: new PassThrough(), stderr, cwd: folder },
      env: { PATH, HOME, ...bench.env, ...(key === undefined ? {} : { TRUEUP_LEDGER_KEY: key }), ...env },
      ...{ processes: here.processes, clock: here.clock, onSignal: () => () => {}, exit: () => {} },
      engine: { version: '22.12.0', starting: () => {}, started: () => {}, connecting: () => {} },
    };
    const mirrors = new Map<string, ReturnType<typeof openMirror>>();
    const shop: Omit<WorkerContext, 'queue'> = {
      repositories: await readFleetFile('fleet.yaml', file ?? bench.fleetFile),
      key: await findKey('', host.env),
      lane: key === undefined ? 'open' : 'signed',
      ...{
        folder,
        port: terminalFor({ host, exitCode: 0 }, {}),
        provider: hosting,
        options: { repositoryLedger: undefined },
      },
      runCommand: (argv, jobHost, output) => run(argv, withOutput(jobHost, output), async () => hosting),
      mirrorOf: (name, url) => {
        const known =
          mirrors.get(name) ??
          openMirror({
            folder: join(folder, 'mirrors', encodeURIComponent(name)),
            checkouts: join(folder, 'checkouts'),
            url,
            env: host.env,
            now: Date.now,
          });
        mirrors.set(name, known);
        return known;
      },
      stopping: new Set(),
      worker: 'a worker of a test',
    };
    return new TestWorker(shop, () => parts.join(''));
  }

  /** Does a job as the queue would give it out, and keeps its outcome as the queue would. */
  async do(job: Job, attempt = 0): Promise<JobOutcome> {
    const outcome = await doJob(job, attempt, this.shop);
    if (outcome === 'later') return { job: job.id, state: 'skipped', said: 'later', worker: '', seconds: 0 };
    this.queue.known.set(job.id, outcome);
    return outcome;
  }
}

/** A job as the protected job of CI would make it. */
export function jobFor<A extends StackJob['action']>(
  action: A,
  about: { commit: string; stack: string; key?: string | undefined } & Partial<
    Omit<StackJob, 'key' | 'action'>
  > & { plan?: string },
  signer: WorkerContext['key'],
): StackJob {
  const job = {
    ...{
      format: 1 as const,
      action,
      id: randomUUID(),
      batch: randomUUID(),
      repository: 'acme/shop',
      folder: '',
    },
    ...{ ledger: about.stack, needs: [] },
    ...about,
  } as unknown as StackJob;
  return signJob(job, signer);
}

export { keyText };
