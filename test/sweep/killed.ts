import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { applying, type Expected, many, type Stand } from './stand.ts';
import type { Stage } from './whole-stack.ts';

/** When a run is killed: at one of its requests, before it is done or after (nobody hears of it then), or after a while. */
export type Kill = { request: number; when: 'before' | 'after' } | { ms: number };

export interface KillPoint {
  kill: Kill;
  /** What is applied: what was approved as a file, or whatever the plan is. */
  what: 'plan file' | 'plan';
  /** Whether the next run finds the working directory with the journal, or only what is in the repository. */
  folder: 'kept' | 'lost';
}

/** Has an apply killed, takes the lease from it and applies again. Gives back whether it was killed; it may have been done before. */
export async function killedAndResumed(
  stand: Stand,
  stage: Stage,
  point: KillPoint,
  expected: Expected,
): Promise<boolean> {
  stand.configure(stage);
  const args = point.what === 'plan' ? applying : ['apply', planFile, '--settle', '0'];
  if (point.what === 'plan file') await done(stand, ['plan', '--out', planFile, ...many]);
  const wasKilled = await killed(stand, args, point.kill);
  stand.expectNoSecret();
  if (point.folder === 'lost') stand.moveOn([planFile]);
  stand.configure(stage);
  await done(stand, ['ledger', 'unlock', '--force']);
  if (point.what === 'plan file') await restOrNothing(stand, args);
  await done(stand, applying);
  await stand.expectDone(stage, expected);
  return wasKilled;
}

const planFile = 'approved.plan';

/**
 * What was approved and carried out in part is finished by the same file; or it is refused before anything is sent: of an operation that
 * was stopped in the middle the rest is another one, and without the journal nobody knows who did what was not recorded.
 */
async function restOrNothing(stand: Stand, args: string[]): Promise<void> {
  const sent = stand.writes.length;
  const { status, all } = await stand.run(args);
  if (status === 0) return;
  expect(all).toContain('no longer matches what would be applied');
  expect(stand.writes.slice(sent)).toEqual([]);
}

async function done(stand: Stand, args: string[]): Promise<void> {
  const ran = await stand.run(args);
  expect(ran.status, ran.all).toBe(0);
}

async function killed(stand: Stand, args: string[], kill: Kill): Promise<boolean> {
  let shoot = () => {};
  stand.begin(async ({ number }, pass) => {
    if (!('request' in kill) || number !== kill.request) return pass();
    if (kill.when === 'after') await pass();
    shoot();
    return undefined;
  });
  const { child, ended } = stand.startProcess(args);
  shoot = () => void child.kill('SIGKILL');
  if ('ms' in kill) void setTimeout(kill.ms, undefined, { ref: false }).then(shoot);
  const { status } = await ended;
  stand.begin();
  return status === null;
}
