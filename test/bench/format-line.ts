import type { Line } from './comparison.ts';
import type { Spread } from './measure.ts';

/** True if the figure is worse than its target. */
export function isMissed({ figure, target }: Line): boolean {
  return target !== undefined && figure > target;
}

/**
 * Returns a line as two lines of text: `  what: 0.42 times (target 0.50)`, and the measurements below it. A figure that misses its target has
 * a `!` before it, so that it is found among many.
 */
export function formatLine(line: Line): string {
  const { what, figure, unit, target, samples = {} } = line;
  const goal =
    target === undefined ? '' : ` (target ${formatNumber(target)}${isMissed(line) ? ', missed' : ''})`;
  const measurements = Object.entries(samples).map(([name, spread]) => `${name}: ${formatSpread(spread)}`);
  return [
    `${isMissed(line) ? '!' : ' '} ${what}: ${formatNumber(figure)} ${unit}${goal}`,
    ...(measurements.length > 0 ? [`    ${measurements.join('; ')}`] : []),
  ].join('\n');
}

/** Returns how many targets were reached, and which were not. */
export function formatSummary(lines: readonly Line[]): string {
  const withTarget = lines.filter(({ target }) => target !== undefined);
  const missed = withTarget.filter(isMissed);
  const reached = `${withTarget.length - missed.length} of ${withTarget.length} targets reached`;
  return [
    `${reached}${missed.length > 0 ? '; missed:' : '.'}`,
    ...missed.map(({ what }) => `! ${what}`),
  ].join('\n');
}

function formatNumber(value: number): string {
  return Number.isInteger(value) || value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

function formatSpread({ median, least, most }: Spread): string {
  return least === most
    ? formatNumber(median)
    : `${formatNumber(median)} (${formatNumber(least)} to ${formatNumber(most)})`;
}
