import { groupBy } from '../model/graph.ts';
import type { Trace, TraceStep, Verdict, VisitorRequest } from '../model/trace.ts';
import { jsonText } from './show.ts';
import { plainly, type Style } from './style.ts';
import { capitalized, cleanLine, count, fold } from './text.ts';

/** The trace of a request in one state: the declared one, or the account before or after a plan. */
export interface StateTrace {
  /** For people: `declared`, `before`, `after`, `before and after`. */
  state: string;
  trace: Trace;
}

/** The most rules without a match that are listed with the condition that fails; the others are counted. */
const mostOthers = 5;

/**
 * Formats what happens to a request of a visitor, for `trueup trace`: each rule, redirect and route that was compared, condition by
 * condition, and the result, in each state of `traces` (declared, or before and after a plan). Unless the report is verbose, only the first
 * five rules that do not match are listed, each with its first failing condition, and the others are counted.
 */
export function traceText(
  request: VisitorRequest,
  traces: readonly StateTrace[],
  { style, verbose }: { style: Style; verbose: boolean },
): string {
  const blocks = traces.map(({ state, trace }) =>
    [
      style.strong(`${capitalized(state)}:`),
      ...[...groupBy(trace.steps, ({ type }) => type)].flatMap(([type, steps]) =>
        stepLines(type, steps, style, verbose),
      ),
      ...fold(`  Result: ${cleanLine(trace.outcome)}`, style.prose, '    ').map(style.strong),
      ...trace.doubts.flatMap((doubt) =>
        fold(`  Not certain: ${cleanLine(doubt)}`, style.prose, '    ').map(style.warn),
      ),
    ].join('\n'),
  );
  return plainly([requestLine(request), ...blocks].join('\n\n'), style);
}

/**
 * Formats the traced request as the first line of `trueup trace`: `GET https://shop.example/admin from 203.0.113.9, DE with cookie`.
 * Headers are only named, because their values may be secret.
 */
function requestLine({ method, url, ip, country, headers }: VisitorRequest): string {
  const origin = [ip, country].filter((part) => part !== undefined).join(', ');
  const names = [...headers.keys()];
  const withHeaders = names.length > 0 ? ` with ${names.join(', ')}` : '';
  return cleanLine(`${method} ${url}${origin === '' ? '' : ` from ${origin}`}${withHeaders}`);
}

/** Formats the steps of one type in which the platform handles a request, for `trueup trace`: first the heading, then each step. */
function stepLines(type: string, steps: readonly TraceStep[], style: Style, verbose: boolean): string[] {
  const nonMatching = steps.filter(({ matches }) => matches === 'no');
  const hidden = new Set(verbose ? [] : nonMatching.slice(mostOthers));
  return [
    `  ${count(steps.length, cleanLine(type))}:`,
    ...steps.filter((step) => !hidden.has(step)).flatMap((step) => singleStepLines(step, style, verbose)),
    ...(hidden.size > 0 ? [style.quiet(`    no       ... ${hidden.size} more (--verbose lists them)`)] : []),
  ];
}

/**
 * Formats one step in which the platform handles a request, for `trueup trace`: the rule with its effect, and its conditions. `verbose`:
 * also the conditions that do not decide.
 */
function singleStepLines(
  { address, matches, conditions, effect }: TraceStep,
  style: Style,
  verbose: boolean,
): string[] {
  const paint = paintOf(matches, style);
  // Of a rule that does not match, the first failing condition says why.
  const failing = conditions.filter(({ verdict }) => verdict === 'no').slice(0, 1);
  const shown = matches === 'no' && !verbose ? failing : conditions;
  return [
    paint(`    ${matches.padEnd(8)} ${cleanLine(address)}: ${cleanLine(effect)}`),
    ...shown.flatMap(({ text, verdict, why }) =>
      fold(
        `      ${verdict.padEnd(8)} ${cleanLine(text)}${why === undefined ? '' : ` (${cleanLine(why)})`}`,
        style.prose,
        ' '.repeat(17),
      ).map(style.quiet),
    ),
  ];
}

/** Returns the colour of a step in `trueup trace` by whether its rule matches the request. */
function paintOf(verdict: Verdict, style: Style) {
  if (verdict === 'yes') return style.strong;
  return verdict === 'unknown' ? style.warn : style.quiet;
}

/** Formats the traces of a request as JSON, for `trueup trace --json`. */
export const traceJson = (
  { method, url, ip, country, headers }: VisitorRequest,
  traces: readonly StateTrace[],
): string =>
  jsonText({
    formatVersion: '1.0',
    request: { method, url: url.href, ip, country, headers: Object.fromEntries(headers) },
    traces: traces.map(({ state, trace }) => ({ state, ...trace, isCertain: trace.doubts.length === 0 })),
  });
