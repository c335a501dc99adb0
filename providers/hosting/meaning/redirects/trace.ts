/*
 * Says what the redirects and routes of an account do with a request of a visitor, for `trueup trace`.
 *
 * The steps are those of the requested URL. What comes after a redirect is in the outcome, so that a reader sees where the visitor ends.
 */
import type { Trace, TraceStep, Verdict, View, VisitorRequest } from '#kind';
import { normalDomain } from '../../kinds/domains/host-name.ts';
import { wayText } from './describe-redirects.ts';
import { RedirectFollower } from './follow-redirects.ts';
import {
  type BulkRedirect,
  indexRedirects,
  type RedirectIndex,
  type Route,
  type ServedHost,
} from './index-redirects.ts';
import {
  matchRoute,
  type Outcome,
  outcomeOfBulk,
  outcomeOfRoute,
  outcomesAt,
  redirectOfHost,
  servedHost,
  upgradeToHttps,
  urlOf,
  type Visit,
} from './next-hop.ts';
import { matchLiteral, matchPattern } from './path-pattern.ts';
import { type Client, matchesValue, meetsCondition, type RouteCondition } from './route-conditions.ts';

/** Returns what the redirects and routes of a view do with a request, and where it ends. */
export function traceRedirects(view: View, request: VisitorRequest): Trace {
  const index = indexRedirects(view);
  const host = normalDomain(request.url.hostname);
  const served = request.url.port === '' ? servedHost(index, host) : undefined;
  if (served === undefined || served === 'unknown') {
    const isKnown = served === undefined && view.knows('projectDomain') === 'all';
    const outcome =
      served === undefined
        ? `no project has ${request.url.host}`
        : `it is not certain which project has ${host}`;
    return { steps: [], outcome, isCertain: isKnown };
  }
  const visit = visitOf(request, host, served);
  const steps = [...hostSteps(index, visit, served), ...bulkSteps(index, visit), ...routeSteps(index, visit)];
  return { steps, ...endOf(index, visit) };
}

const visitOf = (request: VisitorRequest, host: string, { project }: ServedHost): Visit => ({
  project,
  host,
  isHttp: request.url.protocol === 'http:',
  path: request.url.pathname,
  query: request.url.search.slice(1),
  client: clientOf(request),
});

/** Returns the sender of a request. What the request does not state is unknown. Another host gets the same headers, but no cookies that are known. */
function clientOf({ headers, country, ip }: VisitorRequest, hasCookies = true): Client {
  const ofPlatform = new Map([
    ['x-vercel-ip-country', country],
    ['x-real-ip', ip],
  ]);
  const cookies = hasCookies ? headers.get('cookie') : undefined;
  return {
    key: '',
    meets: ({ type, key, value }) => {
      if (key === undefined) return 'unknown';
      if (type === 'header') {
        const actual = headers.get(key.toLowerCase()) ?? ofPlatform.get(key.toLowerCase());
        return actual === undefined ? 'unknown' : matchesValue(value, actual);
      }
      if (cookies === undefined) return 'unknown';
      const pairs = cookies.split(';').map((pair) => pair.trim().split('='));
      const [match, ...others] = pairs.filter(([name]) => name === key);
      if (others.length > 0) return 'unknown';
      return match ? matchesValue(value, match.slice(1).join('=')) : 'no';
    },
    elsewhere: () => clientOf({ headers, country, ip } as VisitorRequest, false),
  };
}

/** The redirect to HTTPS and the redirect of the host, if there are any. */
function hostSteps(index: RedirectIndex, visit: Visit, { object }: ServedHost): TraceStep[] {
  const layers = [
    { type: 'redirect to HTTPS', text: 'the scheme is http', layer: upgradeToHttps(visit) },
    {
      type: object.kind === 'alias' ? 'alias' : 'domain',
      text: `the host is ${visit.host}`,
      layer: redirectOfHost(index, visit),
    },
  ];
  return layers.flatMap(({ type, text, layer: { outcomes } }): TraceStep[] => {
    const [outcome] = outcomes;
    if (!outcome) return [];
    const matches: Verdict = outcome.type === 'unknown' ? 'unknown' : 'yes';
    const effect = effectOf(outcome, undefined);
    return [{ address: object.address, type, matches, conditions: [{ text, verdict: matches }], effect }];
  });
}

/** The bulk redirects whose source is the path, or may be. */
const bulkSteps = (index: RedirectIndex, visit: Visit): TraceStep[] =>
  index
    .projectAt(visit.project)
    .bulkAt(visit.path)
    .map((redirect): TraceStep => {
      const { object, source, isCaseSensitive } = redirect;
      const matches = matchLiteral(source, isCaseSensitive, visit.path);
      return {
        address: object.address,
        type: 'bulk redirect',
        matches,
        conditions: [
          { text: `the path is ${source}`, verdict: matches, ...whyOfBulk(redirect, matches, visit) },
        ],
        effect: effectOf(outcomeOfBulk(index, visit, redirect), redirect.destination),
      };
    });

function whyOfBulk({ source }: BulkRedirect, matches: Verdict, { path }: Visit): { why?: string } {
  if (matches !== 'unknown') return {};
  const isCase = source.toLowerCase() === path.toLowerCase() && source !== path;
  return {
    why: isCase
      ? '`caseSensitive` is not stated'
      : 'it is not certain how slashes, percent-encoding and special characters are compared',
  };
}

/** The routes in their order, up to the one that decides. */
function routeSteps(index: RedirectIndex, visit: Visit): TraceStep[] {
  const steps: TraceStep[] = [];
  for (const route of index.projectAt(visit.project).routes) {
    if (route.isEnabled === 'no') continue;
    const { verdict, parameters } = matchRoute(route, visit);
    const outcome = outcomeOfRoute(index, visit, route, parameters);
    steps.push({
      address: route.object.address,
      type: 'route',
      matches: verdict,
      conditions: routeConditions(route, visit),
      effect: effectOfRoute(route, outcome),
    });
    if (verdict === 'yes' && (route.effect.type === 'redirect' || route.effect.type === 'answer')) break;
  }
  return steps;
}

function routeConditions({ pattern, conditions, isEnabled }: Route, visit: Visit): TraceStep['conditions'] {
  const { verdict } = matchPattern(pattern, visit.path);
  const path = {
    text: pattern ? `the path matches ${pattern.source}` : 'the path matches',
    verdict,
    ...(verdict === 'unknown'
      ? { why: 'the readings of the pattern differ for this path, or it is not understood' }
      : {}),
  };
  const others = conditions?.map((condition) => {
    const isMet = meetsCondition(condition, visit);
    const why =
      isMet === 'unknown'
        ? { why: 'the request does not say it, or the value can be read in several ways' }
        : {};
    return { text: conditionText(condition), verdict: isMet, ...why };
  }) ?? [{ text: 'a condition', verdict: 'unknown' as const, why: 'its value is not known, or is a secret' }];
  const enabled =
    isEnabled === 'unknown'
      ? [{ text: 'it is enabled', verdict: isEnabled, why: 'its value is not known' }]
      : [];
  return [...enabled, path, ...others];
}

/** Headers whose values are no secrets. Other values may let somebody in, so they are not shown. */
const openHeaders = new Set(['accept-language', 'user-agent', 'x-forwarded-proto', 'x-vercel-ip-country']);

function conditionText({ type, key, value, isNegated }: RouteCondition): string {
  const isOpen = type === 'host' || (type === 'header' && openHeaders.has(String(key).toLowerCase()));
  const subject = key === undefined ? `the ${type}` : `the ${type} ${key}`;
  const expected =
    value === undefined ? 'is present' : isOpen ? `matches ${value}` : 'matches the stated value';
  return isNegated ? `not: ${subject} ${expected}` : `${subject} ${expected}`;
}

function effectOfRoute({ effect }: Route, outcome: Outcome): string {
  if (effect.type === 'answer') return effect.text;
  if (effect.type === 'redirect') return effectOf(outcome, effect.destination);
  return effect.type === 'unknown' ? 'not known' : 'changes headers or the query';
}

/** Returns an outcome as a text: `redirect to /new (308)`. `written`: the destination, for an outcome that is unknown. */
function effectOf(outcome: Outcome, written: string | undefined): string {
  if (outcome.type === 'answer') return 'the project answers';
  if (outcome.type === 'unknown') return written === undefined ? 'not known' : `redirect to ${written}`;
  const status = outcome.status === undefined ? '' : ` (${outcome.status})`;
  return `redirect to ${outcome.type === 'outside' ? outcome.url : urlOf(outcome.to)}${status}`;
}

/** Returns where a request ends. */
function endOf(index: RedirectIndex, visit: Visit): { outcome: string; isCertain: boolean } {
  const follower = new RedirectFollower(index);
  if (follower.isEndless(visit)) {
    const { steps, next } = follower.endlessWay(visit);
    const way = wayText([...steps.map((step) => urlOf(step.visit)), urlOf(next)]);
    return { outcome: `never ends: ${way}`, isCertain: true };
  }
  const outcomes = outcomesAt(index, visit);
  const answer = (by: string | undefined) => `answered by ${by ?? visit.project}`;
  const way = follower.certainWay(visit);
  if (way) {
    const stops = follower.stepsOf(visit).slice(1);
    const urls = [...stops.map((step) => urlOf(step.visit)), way.end!];
    const outcome = way.hops === 0 ? answer(outcomes[0]!.by) : `redirected to ${wayText(urls)}`;
    return { outcome, isCertain: true };
  }
  const texts = outcomes.map((outcome) =>
    outcome.type === 'answer' ? answer(outcome.by) : effectOf(outcome, undefined),
  );
  const different = [...new Set(texts)];
  const isCertain = different.length === 1 && outcomes.every(({ type }) => type !== 'unknown');
  return { outcome: different.join(', or '), isCertain };
}
