/** What a command took with so many resources. */
export interface SizedTime {
  resources: number;
  cpuSeconds: number;
}

export interface Growth {
  /** How many times more than linear the time grew: 1 means that twice the resources took twice the time. */
  ratio: number;
  from: SizedTime;
  to: SizedTime;
}

/** A command whose time grows by more than this times linear gets a mark. The rest is noise, and caches of the processor. */
export const mostGrowth = 1.15;

/** Returns the growth from one size to another. */
export function growthBetween(from: SizedTime, to: SizedTime): Growth {
  return { ratio: to.cpuSeconds / from.cpuSeconds / (to.resources / from.resources), from, to };
}

/**
 * Returns the strongest growth between any two sizes. The step between neighbours alone would miss a command that grows a little more than
 * linear at each step, and the whole range alone one whose start hides its growth at small sizes. Throws without two sizes.
 */
export function strongestGrowth(times: readonly SizedTime[]): Growth {
  const pairs = times.flatMap((from) =>
    times.filter(({ resources }) => resources > from.resources).map((to) => growthBetween(from, to)),
  );
  const [first, ...others] = pairs;
  if (!first) throw new Error('growth needs two sizes');
  return others.reduce((strongest, growth) => (growth.ratio > strongest.ratio ? growth : strongest), first);
}

export function isAboveLinear({ ratio }: Growth): boolean {
  return ratio > mostGrowth;
}
