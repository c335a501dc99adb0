/*
 * Judges the routes of a project. They are a first-match list like the rules of a firewall, but their patterns are no automata: whether two
 * patterns have a path in common is only decided where their texts show it, and examples are made from the patterns.
 */
import { type Address, canonicalJson, isPlainObject, revealed, type View, type VisitorRequest } from '#kind';
import { indexRedirects, type Route, type RouteEffect } from '../redirects/index-redirects.ts';
import { shareMatchBudget } from '../redirects/match-budget.ts';
import { matchRoute, outcomeOfRoute } from '../redirects/next-hop.ts';
import { alikeKey, compilePattern, matchPattern, type PathPattern } from '../redirects/path-pattern.ts';
import { samplePath } from '../redirects/sample-visits.ts';
import { formatOutcome, visitOf } from '../trace/trace-redirects.ts';
import { toExampleRequest } from './example-request.ts';
import {
  type Candidate,
  decidersOf,
  type Effect,
  findCandidates,
  haveSameEffects,
  type ListItem,
} from './first-match.ts';
import type { PartWay, StateJudgement } from './part.ts';

interface RouteItem extends ListItem {
  route: Route;
}

/** The routes of a project in one state. */
export interface RouteState {
  view: View;
  items: readonly RouteItem[];
}

const [mostDecisions, mostCandidates] = [5000, 100];

/** Returns the routes of a project on a way. */
export function routeWay(way: readonly View[], project: Address): PartWay<RouteState> {
  shareMatchBudget(way);
  const states = way.map((view) => ({
    view,
    items: indexRedirects(view)
      .projectAt(project)
      .routes.filter(({ isEnabled }) => isEnabled !== 'no')
      .map(toItem),
  }));
  const ids = states.map(({ items }) =>
    JSON.stringify(items.map(({ matchId, effectId }) => [matchId, effectId])),
  );
  return { type: 'routes', part: project, project, states, ids };
}

function toItem(route: Route): RouteItem {
  const { object, effect, isEnabled } = route;
  const { route: content, srcSyntax = null } = object.fields;
  const {
    src = null,
    caseSensitive = null,
    has = null,
    missing = null,
    ...others
  } = isPlainObject(content) ? (content as Record<string, unknown>) : { unread: content };
  return {
    route,
    address: object.address,
    matchId: canonicalJson(revealed([srcSyntax, src, caseSensitive, has, missing, isEnabled])),
    effectId: canonicalJson(revealed(others)),
    continues: continuesAfter[effect.type],
    isNoticed: effect.type === 'redirect' || effect.type === 'answer',
  };
}

/** Whether later routes are tried after a route; see `RouteEffect`. */
const continuesAfter: Readonly<Record<RouteEffect['type'], ListItem['continues']>> = {
  redirect: 'no',
  answer: 'no',
  change: 'unknown',
  continue: 'yes',
  unknown: 'unknown',
};

/** Judges the routes of a project in a state on the way. */
export function judgeRoutes(
  where: { project: Address; host?: string | undefined },
  { before, during, after }: { before: RouteState; during: RouteState; after: RouteState },
): StateJudgement {
  const doubts = new Set<Address>();
  let third: StateJudgement | undefined;
  let candidatesLeft = mostCandidates;
  const isComplete = findCandidates(
    { before: before.items, during: during.items, after: after.items },
    {
      budget: { steps: mostDecisions },
      mayMatch: (items) =>
        !items.slice(0, -1).some((item) => areDisjoint(item.route.pattern, items.at(-1)!.route.pattern)),
      onCandidate: (candidate) => {
        third = findThird(candidate, [before, during, after], where);
        if (!third) for (const address of decidersOf(candidate)) doubts.add(address);
        return third !== undefined || candidatesLeft-- <= 0;
      },
    },
  );
  if (third) return third;
  if (doubts.size === 0 && isComplete) return { type: 'safe' };
  return {
    type: 'undecided',
    why:
      doubts.size > 0
        ? 'their patterns and conditions cannot be compared with each other'
        : 'comparing them takes too many steps',
    rules: [...doubts],
  };
}

/**
 * Makes up a request with the matches of a candidate, evaluates it in all three states, and returns its report. Returns undefined if no
 * such request is found, or if it does not surely get another verdict in between than before and after.
 */
function findThird(
  candidate: Candidate<RouteItem>,
  states: readonly RouteState[],
  where: { project: Address; host?: string | undefined },
): StateJudgement | undefined {
  const { matching, failing, unclear, effects } = candidate;
  const isNoticed = [effects.before, effects.after].every(
    (other) => haveSameEffects(effects.during, other) === 'no',
  );
  if (!isNoticed) return undefined;
  for (const request of exampleRequests(matching, where.host)) {
    const visit = visitOf(request, where.project);
    const isAsAssumed =
      matching.every(({ route }) => matchRoute(route, visit).verdict === 'yes') &&
      [...failing, ...unclear].every(({ route }) => matchRoute(route, visit).verdict === 'no');
    if (!isAsAssumed) continue;
    const lists = [effects.before, effects.during, effects.after];
    const [before, during, after] = lists.map((list, i) =>
      formatEffects(list, states[i]!, request, where.project),
    );
    if (before === undefined || during === undefined || after === undefined) continue;
    if (during.result !== before.result && during.result !== after.result)
      return {
        type: 'third',
        request: toExampleRequest(request),
        rules: decidersOf(candidate),
        before: before.text,
        during: during.text,
        after: after.text,
      };
  }
  return undefined;
}

/** Yields requests that routes may match together. */
function* exampleRequests(items: readonly RouteItem[], host = 'host.example'): Generator<VisitorRequest> {
  const conditions = items.flatMap(({ route }) =>
    (route.conditions ?? []).filter(({ isNegated }) => !isNegated),
  );
  const valuesOf = (type: string) =>
    conditions.flatMap((condition): [string, string][] =>
      condition.type === type && condition.key !== undefined ? [[condition.key, condition.value ?? '1']] : [],
    );
  const cookies = valuesOf('cookie').map(([key, value]) => `${key}=${value}`);
  const headers = valuesOf('header').map(([key, value]): [string, string] => [key.toLowerCase(), value]);
  const statedHost = conditions.find(({ type }) => type === 'host')?.value;
  const paths = items.flatMap(({ route: { pattern } }) => (pattern ? (samplePath(pattern) ?? []) : []));
  for (const path of new Set([...paths, '/'])) {
    const origin = `https://${statedHost ?? host}`;
    if (!URL.canParse(`${origin}${path}`)) continue;
    const url = new URL(`${origin}${path}`);
    for (const [key, value] of valuesOf('query')) url.searchParams.set(key, value);
    yield {
      method: 'GET',
      url,
      headers: new Map([
        ...headers,
        ...(cookies.length > 0 ? [['cookie', cookies.join('; ')] as const] : []),
      ]),
      hasAllHeaders: true,
    };
  }
}

/** Returns what a list does with a request; undefined if that is not certain. `result`: equal if a visitor gets the same. */
function formatEffects(
  effects: readonly Effect[],
  { view, items }: RouteState,
  request: VisitorRequest,
  project: Address,
): { result: string; text: string } | undefined {
  const last = effects.at(-1);
  if (last?.address === undefined) return { result: 'pass', text: 'pass' };
  const item = items.find(({ address }) => address === last.address);
  if (!item) return undefined;
  const { effect } = item.route;
  if (effect.type === 'answer') return { result: item.effectId, text: `${effect.text} by ${item.address}` };
  const visit = visitOf(request, project);
  const { parameters } = matchRoute(item.route, visit);
  const outcome = outcomeOfRoute(indexRedirects(view), visit, item.route, parameters);
  if (outcome.type === 'unknown') return undefined;
  return { result: formatOutcome(outcome), text: `${formatOutcome(outcome)} by ${item.address}` };
}

/** True if surely no path matches both patterns. */
export function areDisjoint(first: PathPattern | undefined, second: PathPattern | undefined): boolean {
  if (!first || !second || `${first.source}${second.source}`.includes('%')) return false;
  if (first.literal !== undefined && second.literal !== undefined)
    return alikeKey(first.literal) !== alikeKey(second.literal);
  if (!first.prefix.startsWith(second.prefix) && !second.prefix.startsWith(first.prefix)) return true;
  const [literal, pattern] = first.literal === undefined ? [second.literal, first] : [first.literal, second];
  return literal !== undefined && !mayMatchLiteral(pattern, literal);
}

/** True unless a pattern surely matches no path that the platform may treat like a literal one. */
function mayMatchLiteral({ source, syntax, budget }: PathPattern, literal: string): boolean {
  const anyCase = compilePattern(source, syntax, false, budget);
  const short = literal.length > 1 ? literal.replace(/\/$/, '') : literal;
  return [literal, short, `${short}/`].some((path) => matchPattern(anyCase, path).verdict !== 'no');
}
