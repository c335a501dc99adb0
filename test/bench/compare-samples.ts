import type { Line } from './comparison.ts';
import { cpuSecondsOf, type Sample, spread } from './measure.ts';

/** Runs of trueup and of what it is compared with, in turn. */
export interface SamplePairs {
  ours: Sample[];
  theirs: Sample[];
}

type Goals = Pick<Line, 'target'>;

/** Pair by pair, because the machine's speed changes from pair to pair. */
function compare(
  what: string,
  { ours, theirs }: SamplePairs,
  figureOf: (sample: Sample) => number,
  goals: Goals,
): Line {
  const ratios = ours.map((sample, pair) => figureOf(sample) / figureOf(theirs[pair]!));
  return {
    what,
    figure: spread(ratios).median,
    unit: 'times',
    ...goals,
    samples: {
      ours: spread(ours.map(figureOf)),
      theirs: spread(theirs.map(figureOf)),
      times: spread(ratios),
    },
  };
}

/** Compares the elapsed time of whole processes. */
export function compareTime(what: string, pairs: SamplePairs, goals: Goals): Line {
  return compare(what, pairs, ({ seconds }) => seconds, goals);
}

/** Compares the CPU time of whole processes, which depends less on other programs. */
export function compareCpu(what: string, pairs: SamplePairs, goals: Goals): Line {
  return compare(`${what}: CPU`, pairs, cpuSecondsOf, goals);
}

/** Compares the memory of whole processes, in MiB; no line where it cannot be measured. */
export function compareMemory(what: string, pairs: SamplePairs, goals: Goals): Line[] {
  const all = [...pairs.ours, ...pairs.theirs];
  if (all.some(({ memory }) => memory === undefined)) return [];
  return [compare(`${what}: memory`, pairs, ({ memory }) => memory!, goals)];
}
