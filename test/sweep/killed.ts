import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { applying, type Expected, type Stand } from './stand.ts';
import type { Stage } from './whole-stack.ts';

/** When a run is killed: at one of its requests, before it is done or after (nobody hears of it then), or after a while. */
export type Kill = { request: number; when: 'before' | 'after' } | { ms: number };

export interface KillPoint {
  kill: Kill;
  /** Whether the next run finds the working directory with the journal, or only what is in the repository. */
  folder: 'kept' | 'lost';
}

/** Has a run killed that applies `stage`. Gives back whether it was; it may have been done before. */
export async function killed(stand: Stand, stage: Stage, { kill }: KillPoint): Promise<boolean> {
  stand.configure(stage);
  let shoot = () => {};
  stand.begin(async ({ number }, pass) => {
    if (!('request' in kill) || number !== kill.request) return pass();
    if (kill.when === 'after') await pass();
    shoot();
    return undefined;
  });
  const { child, ended } = stand.start(applying);
  shoot = () => void child.kill('SIGKILL');
  if ('ms' in kill) void setTimeout(kill.ms, undefined, { ref: false }).then(shoot);
  const { status } = await ended;
  stand.begin();
  return status === null;
}

/** Has it killed, takes the lease from it and applies again. */
export async function killedAndResumed(
  stand: Stand,
  stage: Stage,
  point: KillPoint,
  expected: Expected,
): Promise<boolean> {
  const wasKilled = await killed(stand, stage, point);
  if (wasKilled) stand.expectNoSecret();
  if (point.folder === 'lost') stand.moveOn();
  stand.configure(stage);
  const unlocked = await stand.run(['ledger', 'unlock', '--force']);
  expect(unlocked.status, unlocked.all).toBe(0);
  const resumed = await stand.run(applying);
  expect(resumed.status, resumed.all).toBe(0);
  await stand.expectDone(stage, expected);
  return wasKilled;
}
