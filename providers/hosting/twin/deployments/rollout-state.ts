import type { Project } from '../account.ts';
import type { Making } from '../call.ts';
import type { RollingRelease } from '../projects/rolling-release.ts';

type Stage = RollingRelease['stages'][number];
type Clock = Pick<Making, 'now'>;

/**
 * The rollout of a deployment (the canary) to more and more visitors. Automatic stages pass by the clock, so only explicit steps are
 * stored.
 */
export interface Rollout {
  canary: string;
  /** The deployment that everybody else gets meanwhile; null if none served before. */
  current: string | null;
  stages: Stage[];
  startedAt: number;
  /** The index of the stage that was set last, and when it was set. */
  stage: number;
  stageAt: number;
  /** Set once somebody has ended it. */
  ended?: 'COMPLETE' | 'ABORTED';
  /** The duration of an automatic stage in seconds, used instead of its minutes. */
  stageSeconds?: number;
  /** Set if it is aborted at the end of its first stage. */
  fails?: true;
}

declare module '../account.ts' {
  interface ProjectParts {
    /** The rollout that is under way, or the last one. */
    rollout?: Rollout;
  }
}

const minute = 60_000;

/** The state and stage of a rollout at one time. */
export interface RolloutProgress {
  state: 'ACTIVE' | 'COMPLETE' | 'ABORTED';
  stage: number;
  /** When this state and stage began. */
  at: number;
}

/** Returns the present state and stage of a rollout. */
export function progressOf(rollout: Rollout, { now }: Clock): RolloutProgress {
  const { stages, ended, fails, stageSeconds } = rollout;
  const last = stages.length - 1;
  let [stage, since] = [rollout.stage, rollout.stageAt];
  if (ended) return { state: ended, stage, at: since };
  for (;;) {
    const { duration } = stages[stage]!;
    if (stage >= last) return { state: 'COMPLETE', stage: last, at: since };
    if (duration === undefined) return { state: 'ACTIVE', stage, at: since };
    const ends = since + (stageSeconds === undefined ? duration * minute : stageSeconds * 1000);
    if (ends > now()) return { state: 'ACTIVE', stage, at: since };
    if (fails) return { state: 'ABORTED', stage, at: ends };
    [stage, since] = [stage + 1, ends];
  }
}

/** Moves a rollout to a stage. A rollout that shall fail is aborted instead. */
export function putAt(rollout: Rollout, stage: number, { now }: Clock): void {
  if (rollout.fails) Object.assign(rollout, { ended: 'ABORTED', stageAt: now() });
  else Object.assign(rollout, { stage, stageAt: now() });
}

/**
 * Ends a project's rollout if one is under way, because the deployment `served` now serves everybody: complete if that is its canary, else
 * aborted.
 */
export function endRollout(clock: Clock, { rollout }: Project, served: string): void {
  if (rollout === undefined || progressOf(rollout, clock).state !== 'ACTIVE') return;
  rollout.ended = served === rollout.canary ? 'COMPLETE' : 'ABORTED';
  rollout.stageAt = clock.now();
}

/** Returns the id of the deployment that serves production: the canary if a rollout that began with `served` is complete, else `served`. */
export function rolledOut(
  clock: Clock,
  { rollout }: Project,
  served: string | undefined,
): string | undefined {
  const isOver = rollout && rollout.current === served && progressOf(rollout, clock).state === 'COMPLETE';
  return isOver ? rollout.canary : served;
}
