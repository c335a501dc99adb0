import type { Spread } from './measure.ts';

/** One line of the table. `figure`: what is compared with the target, as `unit` says. */
export interface Line {
  what: string;
  figure: number;
  unit: 'times' | 'requests' | 'MiB' | 'seconds' | 'stacks a minute' | 'workers';
  target?: number;
  /** The measurements from which the figure was calculated. */
  samples?: Record<string, Spread>;
}

export interface Comparison {
  name: string;
  description: string;
  /** Returns why this machine cannot make it; undefined if it can. */
  missing?(): string | undefined;
  measure(): Promise<Line[]>;
}
