import { type Job, type StackJob, signedJob } from '../fleet/job.ts';
import type { Queue } from '../fleet/queue.ts';
import type { Provider } from '../kind/provider.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import { chosenJobs, type JobsOptions, jobsOf } from './fleet-jobs.ts';
import { withQueueOf } from './fleet-queue.ts';
import type { Run } from './host.ts';
import { keyOf } from './ledger-place.ts';
import { type Terminal, terminalFor } from './terminal.ts';

/** Enqueues a plan for each of the chosen stacks: with the key for workers that have it, without for those that only plan. */
export async function enqueuePlans(provider: Provider, options: JobsOptions, run: Run): Promise<void> {
  const terminal = terminalFor(run, options);
  const chosen = await chosenJobs(provider, options, terminal);
  const key = await keyOf({}, run.host);
  const jobs = jobsOf<StackJob>(chosen, () => ({ action: 'plan' }));
  await withQueueOf(options, terminal, (queue) => send(queue, jobs, key, terminal));
}

/** Puts jobs into the queue, signed where there is a key, and says how to follow them. */
export async function send(
  queue: Queue,
  jobs: readonly Job[],
  key: LedgerKey | undefined,
  terminal: Terminal,
): Promise<void> {
  await queue.send(
    key ? 'signed' : 'open',
    jobs.map((job) => signedJob(job, key)),
  );
  const [first] = jobs;
  if (!first) {
    terminal.err('No stack matches: nothing was enqueued.');
    return;
  }
  terminal.out(first.batch);
  terminal.err(
    cleanLine(
      `Enqueued ${count(jobs.length, 'job')} at ${queue.place}, ${key ? 'signed' : 'unsigned, for workers without a key'}.`,
    ),
  );
  terminal.err(
    `\`trueup fleet status --batch ${first.batch} --watch\` follows ${jobs.length === 1 ? 'it' : 'them'}.`,
  );
}
