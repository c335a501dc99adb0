import { type Frame, phaseOfStack, phases, sumBy, tenthsOfPerCent } from './phases.ts';
import type { StackSample } from './read-profiles.ts';

/** What one work took. */
export interface WorkProfile {
  /** By stacks of the main thread, in samples. */
  time: StackSample[];
  /** By stacks, in bytes. */
  allocations: StackSample[];
  /** The CPU seconds of a run without a profiler. */
  cpuSeconds: number;
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
const percent = (tenths: number) => `${(tenths / 10).toFixed(1)} %`;
const amountOf = ({ amount }: StackSample) => amount;

/** Returns the samples' amounts by phases, in the order of `phases`, with shares that add up to 100 %. */
export function sharesOfPhases(samples: readonly StackSample[]): { amounts: number[]; tenths: number[] } {
  const sums = sumBy(samples, ({ stack }) => phaseOfStack(stack), amountOf);
  const amounts = phases.map((phase) => sums.get(phase) ?? 0);
  return { amounts, tenths: tenthsOfPerCent(amounts) };
}

/** Returns a table of the phases: their shares of the CPU time, which is split like the main thread's, and of the allocations. */
export function formatPhases({ time, allocations, cpuSeconds }: WorkProfile): string {
  const [timeShares, allocationShares] = [sharesOfPhases(time), sharesOfPhases(allocations)];
  const cells = (timeTenths: number, allocationTenths: number, bytes: number) => [
    `${percent(timeTenths).padStart(8)} ${(timeTenths * cpuSeconds).toFixed(0).padStart(7)} ms`,
    `${percent(allocationTenths).padStart(8)} ${(bytes / 1e6).toFixed(1).padStart(7)} MB`,
  ];
  const rows = phases.flatMap((phase, i) => {
    const [samples, bytes] = [timeShares.amounts[i]!, allocationShares.amounts[i]!];
    if (samples === 0 && bytes === 0) return [];
    return [row(phase, ...cells(timeShares.tenths[i]!, allocationShares.tenths[i]!, bytes))];
  });
  const bytes = sumOf(allocationShares.amounts);
  const sums = cells(sumOf(timeShares.tenths), sumOf(allocationShares.tenths), bytes);
  return [row('phase', 'CPU time', 'allocated'), ...rows, row('sum', ...sums)].join('\n');
}

/** Returns a table of the shares of time of several works, a column each. */
export function formatWorks(works: ReadonlyMap<string, WorkProfile>): string {
  const columns = [...works].map(([name, { time }]) => ({ name, shares: sharesOfPhases(time).tenths }));
  const line = (title: string, texts: string[]) =>
    `${title.padEnd(28)} ${texts.map((text, i) => text.padStart(Math.max(7, columns[i]!.name.length))).join('  ')}`;
  const names = columns.map(({ name }) => name);
  const rows = phases.map((phase, i) =>
    line(
      phase,
      columns.map(({ shares }) => percent(shares[i]!)),
    ),
  );
  const sums = columns.map(({ shares }) => percent(sumOf(shares)));
  return [line('share of the time', names), ...rows, line('sum', sums)].join('\n');
}

function row(name: string, ...cells: string[]): string {
  return `  ${name.padEnd(28)} ${cells.map((cell) => cell.padStart(19)).join('  ')}`;
}

const functionText = ({ functionName, source }: Frame) =>
  `${functionName || '(anonymous)'}  ${source}`.trim();

/** Returns the functions that took most themselves, with their shares. */
export function formatOwn(samples: readonly StackSample[], count: number): string {
  return formatShares(
    sumBy(samples, ({ stack }) => functionText(stack[0]!), amountOf),
    samples,
    count,
  );
}

/** Returns trueup's functions that took most with all that they called, with their shares: calls that could be saved. */
export function formatWithCalls(samples: readonly StackSample[], count: number): string {
  const sums = new Map<string, number>();
  for (const { stack, amount } of samples) {
    const own = stack.filter(({ source, isTopLevel }) => /^(src|providers)\//.test(source) && !isTopLevel);
    // A function that calls itself counts once.
    for (const text of new Set(own.map(functionText))) sums.set(text, (sums.get(text) ?? 0) + amount);
  }
  return formatShares(sums, samples, count);
}

function formatShares(sums: Map<string, number>, samples: readonly StackSample[], count: number): string {
  const all = sumOf(samples.map(amountOf));
  return [...sums]
    .sort((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([name, amount]) => `  ${percent(Math.round((amount / all) * 1000)).padStart(8)}  ${name}`)
    .join('\n');
}
