import { readFileSync } from 'node:fs';

/** What a test file took, and how much it tried of what there is. */
export interface FileCost {
  /** Seconds of CPU, those of the processes that it started included. */
  cpu: number;
  /** Of how many cases it took a sample, and how large that was. */
  tried: number;
  of: number;
  /** What it counted while it did: `crash sweep: {"points":93}`. */
  counted: string[];
}

let tried = 0;
let of = 0;
let counted: (() => string)[] = [];

/** Notes that `some` of `all` cases are tried. */
export function noteSample(some: number, all: number): void {
  tried += some;
  of += all;
}

/** The beginning of what a test says that only the sweep plays; the reason follows. */
export const leftToSweep = 'left to the sweep: ';

/** Shows what a test counted, as it is when its file is done. */
export function noteCounts(name: string, counts: () => object): void {
  counted.push(() => `${name}: ${JSON.stringify(counts())}`);
}

/** What was noted since the last call. */
export function takeCost(): Omit<FileCost, 'cpu'> {
  const cost = { tried, of, counted: counted.map((one) => one()) };
  [tried, of, counted] = [0, 0, []];
  return cost;
}

/** Linux counts a process's own time and that of its children in hundredths of a second. */
export function cpuSeconds(): number {
  try {
    const [, , ...fields] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/\(.*\)/s, 'name')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}
