import { randomUUID } from 'node:crypto';
import type { FleetRepository } from '../fleet/fleet-file.ts';
import { type Job, type StackJob, signedJob } from '../fleet/job.ts';
import { isAllowed, matchesStack } from '../fleet/refusal.ts';
import type { Mirror } from '../git/mirror.ts';
import { inCheckout } from './fleet-checkout.ts';
import { jobHost } from './fleet-job-host.ts';
import { jobsOf } from './fleet-jobs.ts';
import { standard } from './options.ts';
import type { Result, Workshop } from './workshop.ts';
import { workspaceStacks } from './workspace-stacks.ts';

/** Enqueues a look for drift at each stack that the protected branch has now. */
export async function doRound(
  job: Extract<Job, { action: 'round' }>,
  { mirror, repository }: { mirror: Mirror; repository: FleetRepository },
  shop: Workshop,
): Promise<Result> {
  const commit = await mirror.head(repository.branch);
  return inCheckout(job, commit, { mirror, under: shop.folder }, async ({ cwd }) => {
    const { host } = jobHost(shop, cwd);
    const found = await workspaceStacks(
      shop.provider,
      { ...standard, workspace: cwd },
      { host, exitCode: 0 },
    );
    const stacks = found.all.filter(({ id }) => matchesStack(job.stacks, id) && isAllowed(id, repository));
    const { repository: name, folder, by } = job;
    const common = {
      format: 1 as const,
      batch: randomUUID(),
      repository: name,
      folder,
      commit,
      ...(by ? { by } : {}),
    };
    const jobs = jobsOf<StackJob>({ stacks, folder: cwd, common }, () => ({ action: 'drift' }));
    await shop.queue.send(
      shop.lane,
      jobs.map((one) => signedJob(one, shop.key)),
    );
    return { state: 'done', enqueued: jobs.length };
  });
}
