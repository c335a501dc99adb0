import fc from 'fast-check';
import { afterAll } from 'vitest';
import { endFile } from './at-end.ts';
import { cpuSeconds, type FileCost, takeCost } from './cost.ts';
import { seed } from './part.ts';
import { replaysPlans } from './replays-plans.ts';

// Finding the smallest failing case takes minutes if every plan is made twice.
fc.configureGlobal({ seed, endOnFailure: replaysPlans });

/** The size of a heap in bytes up to which collecting its garbage takes longer than what it saves. */
const largestHeap = 320_000_000;

// This file runs before each test file, in the process of that file.
const before = cpuSeconds();
takeCost();
// biome-ignore lint/correctness/noEmptyPattern: the runner reads the names of fixtures from it.
afterAll(async ({}, file) => {
  await endFile();
  // Exposed only to files that start processes, see `vitest.config.ts`.
  if (process.memoryUsage().heapTotal > largestHeap) globalThis.gc?.();
  (file.meta as { cost?: FileCost }).cost = { cpu: cpuSeconds() - before, ...takeCost() };
});
