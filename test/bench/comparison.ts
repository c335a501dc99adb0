import type { Spread } from './measure.ts';

/** One line of the table. `figure`: what is compared with the target, as `unit` says. */
export interface Line {
  what: string;
  figure: number;
  unit: 'times' | 'requests' | 'MiB' | 'exponent' | 'seconds' | 'stacks a minute' | 'workers';
  target?: number;
  moonshot?: number;
  /** What the figure was made of. */
  samples?: Record<string, Spread>;
}

export interface Comparison {
  name: string;
  does: string;
  /** Why it cannot be made here; undefined if it can. */
  missing?(): string | undefined;
  lines(): Promise<Line[]>;
}
