/**
 * A phase is the part of trueup's work that a sample of a profile is counted for. A stack is the list of functions that ran at a sample,
 * innermost first. Shared code (values, kinds, libraries, Node.js) has no phase of its own: it counts for the function that called it.
 */

/** A function on a stack. */
export interface Frame {
  functionName: string;
  /** `src/plan/diff.ts`, `node_modules/zod/...`, `node:fs`, or the empty string for what is no file, such as the garbage collector. */
  source: string;
  /** True for the top level of a module, which runs while it is loaded. */
  isTopLevel: boolean;
}

const sharedCode = 'shared code (values, kinds)';
const garbageCollection = 'garbage collection';
const nodeItself = 'Node.js itself';
const loading = 'load and compile';

/** The phases by the beginnings of their sources; the first that fits counts. */
export const sourcesOfPhases: Record<string, string[]> = {
  YAML: ['src/config/yaml', 'src/config/format', 'node_modules/yaml', 'node_modules/jsonc-parser'],
  layers: ['src/config/layers', 'src/config/expressions', 'src/config/values', 'src/config/sources'],
  'blocks and schemas': ['src/config', 'src/programs'],
  HTTP: ['src/http', 'src/budget', 'node_modules/undici', 'providers/hosting/connect'],
  'observe and decode': ['src/observe'],
  'diff and plan': ['src/plan'],
  findings: ['src/meaning', 'providers/hosting/meaning'],
  'export and accept': ['src/export', 'src/accept', 'src/from', 'src/compare', 'src/remove'],
  ledger: ['src/ledger', 'src/stores', 'src/files', 'src/git', 'src/history'],
  run: ['src/run', 'src/guards', 'src/approval'],
  report: ['src/report', 'src/terminal', 'src/github', 'src/gitlab'],
  command: ['src/cli', 'src/app', 'src/main', 'src/process-host', 'src/host', 'node_modules/commander'],
};

/** All phases, in the order of their work. */
export const phases = [loading, ...Object.keys(sourcesOfPhases), sharedCode, garbageCollection, nodeItself];

function phaseOfSource(source: string): string | undefined {
  for (const [phase, beginnings] of Object.entries(sourcesOfPhases))
    if (beginnings.some((beginning) => source.startsWith(beginning))) return phase;
  return undefined;
}

/** Returns the phase that a sample with this stack counts for. */
export function phaseOfStack(stack: readonly Frame[]): string {
  if (stack[0]?.functionName === '(garbage collector)') return garbageCollection;
  let isProgram = false;
  for (const { source, isTopLevel } of stack) {
    if (isTopLevel || source.startsWith('node:internal/modules')) return loading;
    const phase = phaseOfSource(source);
    if (phase !== undefined) return phase;
    isProgram ||= source !== '' && !source.startsWith('node:');
  }
  return isProgram ? sharedCode : nodeItself;
}

/** Returns the sum of the weights for each key. */
export function sumBy<T>(values: Iterable<T>, keyOf: (value: T) => string, weightOf: (value: T) => number) {
  const sums = new Map<string, number>();
  for (const value of values) sums.set(keyOf(value), (sums.get(keyOf(value)) ?? 0) + weightOf(value));
  return sums;
}

/**
 * Returns the shares of the amounts in tenths of a per cent, rounded so that they add up to exactly 1,000. Rounding each share alone
 * would add up to something else, and a reader could not tell whether a phase is missing. All are 0 if all amounts are.
 */
export function tenthsOfPerCent(amounts: readonly number[]): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  if (total === 0) return amounts.map(() => 0);
  const exact = amounts.map((amount) => (amount / total) * 1000);
  const shares = exact.map(Math.floor);
  const missing = 1000 - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact.map((share, i) => ({ i, remainder: share - Math.floor(share) }));
  byRemainder.sort((a, b) => b.remainder - a.remainder);
  for (const { i } of byRemainder.slice(0, missing)) shares[i]! += 1;
  return shares;
}
