import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Job } from '../fleet/job.ts';
import { Refused } from '../fleet/refusal.ts';
import type { Mirror } from '../git/mirror.ts';

/** A checkout of a job's commit, and where its workspace is in that. */
export interface Place {
  /** Of this job alone: what it writes beside the checkout. */
  folder: string;
  /** The folder of the workspace. */
  cwd: string;
}

/** Checks a job's commit out into a clean folder, does something there, and gives the folder back. */
export async function inCheckout<T>(
  job: Job,
  commit: string,
  { mirror, under }: { mirror: Mirror; under: string },
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const { folder: top, done } = await mirror.checkOut(commit);
  const folder = join(under, 'jobs', randomUUID());
  try {
    await mkdir(folder, { recursive: true });
    const cwd = await realpath(join(top, job.folder)).catch(() => undefined);
    if (cwd === undefined) throw new Refused(`there is no folder ${job.folder} in ${commit}`);
    if (cwd !== top && !cwd.startsWith(top + sep))
      throw new Refused(`the folder ${job.folder} leads out of the repository`);
    return await work({ folder, cwd });
  } finally {
    await rm(folder, { recursive: true, force: true });
    await done().catch(() => {});
  }
}
