import type { Project } from '../account.ts';
import type { Making } from '../call.ts';
import type { RollingRelease } from '../projects/rolling-release.ts';

type Stage = RollingRelease['stages'][number];
type Clock = Pick<Making, 'now'>;

/** A deployment that more and more visitors get. Automatic stages pass by the clock, so only the explicit steps are stored. */
export interface Rollout {
  canary: string;
  /** The deployment that everybody else gets meanwhile; null if none served before. */
  current: string | null;
  stages: Stage[];
  startedAt: number;
  /** The stage that it was put at last, and when. */
  stage: number;
  stageAt: number;
  /** Set once somebody has ended it. */
  ended?: 'COMPLETE' | 'ABORTED';
  /** The duration of an automatic stage in seconds, used instead of its minutes. */
  stageSeconds?: number;
  /** It is aborted at the end of its first stage. */
  fails?: true;
}

declare module '../account.ts' {
  interface ProjectParts {
    /** The one under way, or the last. */
    rollout?: Rollout;
  }
}

const minute = 60_000;

/** The state and stage of a rollout at a moment. */
export interface Stand {
  state: 'ACTIVE' | 'COMPLETE' | 'ABORTED';
  stage: number;
  /** When it last moved. */
  at: number;
}

/** Returns the present state and stage of a rollout. */
export function standOf(rollout: Rollout, { now }: Clock): Stand {
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

/** Puts a rollout at a stage. A rollout that is to fail is aborted instead. */
export function putAt(rollout: Rollout, stage: number, { now }: Clock): void {
  if (rollout.fails) Object.assign(rollout, { ended: 'ABORTED', stageAt: now() });
  else Object.assign(rollout, { stage, stageAt: now() });
}

/** Ends the rollout that is under way, since one deployment now serves everybody: complete if that is its canary, else aborted. */
export function endRollout(clock: Clock, { rollout }: Project, served: string): void {
  if (rollout === undefined || standOf(rollout, clock).state !== 'ACTIVE') return;
  rollout.ended = served === rollout.canary ? 'COMPLETE' : 'ABORTED';
  rollout.stageAt = clock.now();
}

/** Returns the deployment that serves now: the canary, if a rollout that began with `served` is complete. */
export function rolledOut(
  clock: Clock,
  { rollout }: Project,
  served: string | undefined,
): string | undefined {
  const isOver = rollout && rollout.current === served && standOf(rollout, clock).state === 'COMPLETE';
  return isOver ? rollout.canary : served;
}
