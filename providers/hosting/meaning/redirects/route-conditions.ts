/*
 * The conditions of a route (`has` and `missing`) on the host, headers, cookies and query of a request.
 *
 * A value may be a text or a regular expression, for the whole value or a part of it: no source says which. A condition is decided only if
 * all of these readings agree.
 */
import { type Fields, isPlainObject, negate, type Value, type Verdict, verdictOf } from '#kind';
import type { MatchBudget } from './match-budget.ts';
import {
  compileSimpleRegex,
  costOfSearch,
  isCheapMatch,
  isSimpleRegex,
  stepsOfMatch,
} from './simple-regex.ts';

/** A condition of a route, as written. */
export interface RouteCondition {
  type: string;
  key: string | undefined;
  /** Undefined if any value will do. */
  value: string | undefined;
  /** True for a condition of `missing`. */
  isNegated: boolean;
}

/** What the sender of a request tells about itself on each hop: its headers and cookies. */
export interface Client {
  /** Equal for equal clients. */
  key: string;
  /** Returns the answer to a condition on a header or cookie, without regard to `isNegated`. */
  meets(condition: RouteCondition, budget: MatchBudget | undefined): Verdict;
  /** Returns the client as another host sees it. */
  elsewhere(): Client;
}

/** The parts of a request that conditions look at. */
export interface ConditionSubject {
  host: string | undefined;
  /** Without `?`; undefined if it is unknown. */
  query: string | undefined;
  client: Client;
}

/** Returns the conditions of a route; undefined if one is unknown, such as a secret or a value that is known after an apply. */
export function readConditions(route: Fields): RouteCondition[] | undefined {
  const conditions: RouteCondition[] = [];
  for (const member of ['has', 'missing'] as const)
    for (const item of listOf(route[member])) {
      if (!isPlainObject(item)) return undefined;
      const { type, key = undefined, value = undefined } = item as Record<string, unknown>;
      const isText = (part: unknown) => part === undefined || typeof part === 'string';
      if (typeof type !== 'string' || !isText(key) || !isText(value)) return undefined;
      conditions.push({ type, key: key as string, value: value as string, isNegated: member === 'missing' });
    }
  return conditions;
}

const listOf = (value: Value | undefined): Value[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

/** Returns whether a request meets a condition of a route. `budget` limits the time for all regular expressions. */
export function meetsCondition(
  condition: RouteCondition,
  subject: ConditionSubject,
  budget: MatchBudget | undefined,
): Verdict {
  const isMet = matchesSubject(condition, subject, budget);
  return condition.isNegated ? negate(isMet) : isMet;
}

function matchesSubject(
  condition: RouteCondition,
  { host, query, client }: ConditionSubject,
  budget: MatchBudget | undefined,
): Verdict {
  const { type, key, value } = condition;
  if (type === 'host') return host === undefined ? 'unknown' : matchesValue(value, host, budget);
  if (type === 'query') {
    if (query === undefined || key === undefined) return 'unknown';
    const values = new URLSearchParams(query).getAll(key);
    if (values.length === 0) return 'no';
    return values.length > 1 ? 'unknown' : matchesValue(value, values[0]!, budget);
  }
  return type === 'header' || type === 'cookie' ? client.meets(condition, budget) : 'unknown';
}

/** Returns whether the value of a part of a request meets the stated one, which may be a text or a regular expression. */
export function matchesValue(
  stated: string | undefined,
  actual: string,
  budget: MatchBudget | undefined,
): Verdict {
  if (stated === undefined) return 'yes';
  if (!isSimpleRegex(stated)) return 'unknown';
  const cost = costOfSearch(stated);
  if (!isCheapMatch(actual, cost)) return 'unknown';
  if (budget?.take(stated, 2 * stepsOfMatch(actual, cost)) === false) return 'unknown';
  const regexReadings = [
    compileSimpleRegex(stated).test(actual),
    compileSimpleRegex(`^(?:${stated})$`).test(actual),
  ];
  const textReadings = [stated === actual, stated.toLowerCase() === actual.toLowerCase()];
  // A dot proves nothing, because hosts have dots. Plain texts have no `*` or `(`.
  const isPattern = /[\\^$|()[\]{}*+?]/.test(stated);
  const [first, ...others] = isPattern ? regexReadings : [...regexReadings, ...textReadings];
  return others.every((isMet) => isMet === first) ? verdictOf(first!) : 'unknown';
}

/** Headers that depend on the URL or on the page before, so that they can differ after a redirect. */
const changingHeader =
  /^(sec-|if-)|forward|proto|scheme|https|ssl|tls|host|path|ur[il]|refer|origin|range|cache|pragma|connection|upgrade|purpose|priority|length|content/i;

/**
 * Returns a client that meets some conditions on headers and cookies; nothing else is known about it. For visitors that a redirect with
 * conditions answers.
 */
export function assumedClient(conditions: readonly RouteCondition[]): Client {
  const stable = conditions.filter(
    ({ type, key = '' }) => type === 'cookie' || (type === 'header' && !changingHeader.test(key)),
  );
  // The names of headers ignore case, those of cookies do not.
  const identity = ({ type, key, value }: RouteCondition) =>
    JSON.stringify([type, type === 'header' ? key?.toLowerCase() : key, value]);
  const assumed = new Map(stable.map((condition) => [identity(condition), condition.isNegated]));
  return {
    key: [...assumed].join(),
    meets: (condition) => {
      const isMissing = assumed.get(identity(condition));
      return isMissing === undefined ? 'unknown' : verdictOf(!isMissing);
    },
    elsewhere: () => assumedClient([]),
  };
}
