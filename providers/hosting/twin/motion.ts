import * as z from 'zod';
import type { Making } from './call.ts';
import { type SeedField, seedOne } from './resource.ts';

/*
 * Processes that take time on the platform, such as a build: each begins, goes through its steps by the twin's clock, and ends. By default
 * they end at once and succeed. A resource with such a process names the field of a seed that sets its pace:
 *
 *     declare module '../account.ts' { interface AccountSeed { builds?: Pace } }
 *     seed: { account: { builds: paceOf('builds') } }
 *
 * and stores the result of `startMoving(making, 'builds')` in the object. A seed then has `"builds": { "seconds": 30, "fails": 1 }`.
 */

const pace = z.strictObject({
  /** How long the process takes. */
  seconds: z.number().min(0).optional(),
  /** True if the process fails; a number: only so many of the next processes fail. */
  fails: z.union([z.boolean(), z.int().min(0)]).optional(),
});

/** How long a process takes, and whether it fails. */
export type Pace = z.infer<typeof pace>;

/** A process that takes time, with its start and end in milliseconds. */
export interface Moving {
  startedAt: number;
  endsAt: number;
  fails?: true;
}

declare module './account.ts' {
  interface AccountParts {
    /** By the name of the process. */
    paces?: Record<string, Pace>;
  }
}

/** Returns the field of a seed that sets the pace of a process. */
export const paceOf = (name: string): SeedField =>
  seedOne(pace, ({ account }, seeded) => {
    account.paces = { ...account.paces, [name]: seeded };
  });

/**
 * Starts a process of the twin that takes time on the platform, such as a build (`name`), and returns its start and end. A seed (the
 * initial content of a twin) can set how long it takes and how many of the next ones fail; this uses up one of the failures. `usual`: the
 * pace without a seed.
 */
export function startMoving({ account, now }: Making, name: string, usual: Pace = {}): Moving {
  const pace = { ...usual, ...account.paces?.[name] };
  const startedAt = now();
  const moving: Moving = { startedAt, endsAt: startedAt + (pace.seconds ?? 0) * 1000 };
  if (pace.fails) moving.fails = true;
  const { fails } = account.paces?.[name] ?? {};
  if (typeof fails === 'number' && fails > 0) account.paces![name]!.fails = fails - 1;
  return moving;
}

/**
 * Returns the step in which a process of the twin, such as a build, is at present: one of `steps`, which all take equally long; undefined
 * at its end.
 */
export function stepOf<T>(
  { startedAt, endsAt }: Moving,
  { now }: Pick<Making, 'now'>,
  steps: readonly T[],
): T | undefined {
  const timestamp = now();
  if (timestamp >= endsAt) return undefined;
  const step = Math.floor(((timestamp - startedAt) / (endsAt - startedAt)) * steps.length);
  return steps[Math.max(0, step)];
}
