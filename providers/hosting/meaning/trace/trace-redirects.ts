/*
 * The redirects and routes that see a request of a visitor, for `trueup trace`.
 */
import type { TraceStep, VisitorRequest } from '#kind';
import { isTelling } from '../../kinds/telling.ts';
import type { BulkRedirect, RedirectIndex, Route, RouteEffect } from '../redirects/index-redirects.ts';
import {
  bulkRedirectAt,
  type LayerOutcomes,
  matchRoute,
  type Outcome,
  redirectOfHost,
  routesAt,
  servedHost,
  upgradeToHttps,
  urlOf,
  type Visit,
} from '../redirects/next-hop.ts';
import { matchLiteral, matchPattern } from '../redirects/path-pattern.ts';
import {
  type Client,
  matchesValue,
  meetsCondition,
  type RouteCondition,
} from '../redirects/route-conditions.ts';

/** A layer that may answer a request, with the steps that lead there. No source says in which order the platform applies the layers. */
export interface TracedLayer extends LayerOutcomes {
  /** For messages: `bulk redirects`. */
  name: string;
  steps: TraceStep[];
}

/** Returns the visit that a request is, at a host of a project. */
export const visitOf = ({ url, headers, hasAllHeaders }: VisitorRequest, project: string): Visit => ({
  project,
  host: url.hostname,
  isHttp: url.protocol === 'http:',
  path: url.pathname,
  query: url.search.replace(/^\?/, ''),
  client: clientOf(headers, hasAllHeaders ?? false),
});

/** The visitor of a request, as far as the headers that were passed tell. */
function clientOf(headers: VisitorRequest['headers'], hasAllHeaders: boolean): Client {
  const cookies = new Map(
    (headers.get('cookie') ?? '').split(/;\s*/).flatMap((cookie) => {
      const separator = cookie.indexOf('=');
      return separator < 1 ? [] : [[cookie.slice(0, separator), cookie.slice(separator + 1)] as const];
    }),
  );
  return {
    key: JSON.stringify([...headers]),
    meets({ type, key, value }, budget) {
      if (key === undefined) return 'unknown';
      const actual = type === 'cookie' ? cookies.get(key) : headers.get(key.toLowerCase());
      if (actual !== undefined) return matchesValue(value, actual, budget);
      if (hasAllHeaders) return 'no';
      // Only the cookies are all known, if some were passed; the visitor may send more headers than `--header` names.
      return type === 'cookie' && headers.has('cookie') ? 'no' : 'unknown';
    },
    elsewhere: () => clientOf(new Map([...headers].filter(([name]) => name !== 'cookie')), hasAllHeaders),
  };
}

/** Returns the layers of redirects that may answer a visit. */
export function traceRedirects(index: RedirectIndex, visit: Visit): TracedLayer[] {
  const { bulkAt, routes } = index.projectAt(visit.project);
  const bulk = bulkRedirectAt(index, visit);
  const routed = routesAt(index, visit);
  const decidingRoute = routed.mayPass ? undefined : routed.outcomes.at(-1)?.by;
  const lastRoute = routes.findIndex(({ object }) => object.address === decidingRoute);
  const seenRoutes = lastRoute < 0 ? routes : routes.slice(0, lastRoute + 1);
  return [
    { name: 'redirects from HTTP to HTTPS', steps: [], ...upgradeToHttps(visit) },
    { name: 'redirects of domains', steps: hostSteps(index, visit), ...redirectOfHost(index, visit) },
    {
      name: 'bulk redirects',
      steps: bulkAt(visit.path).map((redirect) => bulkStep(redirect, visit)),
      ...bulk,
    },
    { name: 'routes', steps: seenRoutes.map((route) => routeStep(route, visit)), ...routed },
  ];
}

/** The effect of a step that is not known, such as a redirect to a secret destination. */
export const unknownEffect = 'not known';

/** Returns what an outcome does, for messages: `redirects to https://example.com/ (308)`. */
export function formatOutcome(outcome: Outcome): string {
  if (outcome.type === 'redirect') return `redirects to ${urlOf(outcome.to)}${statusText(outcome.status)}`;
  if (outcome.type === 'outside') return `redirects to ${outcome.url}${statusText(outcome.status)}`;
  return outcome.type === 'answer' ? 'answers' : 'does something that is not known';
}

/** Returns the redirect of the domain of a request as a step; none if it has no redirect. */
function hostSteps(index: RedirectIndex, { host }: Visit): TraceStep[] {
  const served = host === undefined ? undefined : servedHost(index, host);
  if (!served || served === 'unknown') return [];
  const { redirect, redirectStatusCode } = served.object.fields;
  if (!redirect) return [];
  const target = typeof redirect === 'string' ? redirect : 'a domain that is not known yet';
  return [
    {
      address: served.object.address,
      type: 'domain redirect',
      matches: 'yes',
      conditions: [],
      effect: `redirect to ${target}${statusText(redirectStatusCode)}`,
    },
  ];
}

function bulkStep(
  { object, source, destination, isCaseSensitive }: BulkRedirect,
  { path }: Visit,
): TraceStep {
  const verdict = matchLiteral(source, isCaseSensitive, path);
  return {
    address: object.address,
    type: 'bulk redirect',
    matches: verdict,
    conditions: [{ text: `path equals ${JSON.stringify(source)}`, verdict }],
    effect: `redirect to ${destination ?? 'a place that is not known yet'}${statusText(object.fields.statusCode)}`,
  };
}

/** Returns the status of a redirect, to add it to a text; empty if it is not known. */
const statusText = (status: unknown): string => (typeof status === 'number' ? ` (${status})` : '');

function routeStep(route: Route, visit: Visit): TraceStep {
  const { object, pattern, conditions, effect, isEnabled } = route;
  const source = (object.fields.route as { src?: unknown } | undefined)?.src;
  const path = matchPattern(pattern, visit.path).verdict;
  const conditionSteps = conditions?.map((condition) => ({
    text: formatRouteCondition(condition),
    verdict: meetsCondition(condition, visit, route.budget),
  })) ?? [{ text: 'a condition', verdict: 'unknown' as const, why: 'it is not known yet' }];
  return {
    address: object.address,
    type: 'route',
    matches: matchRoute(route, visit).verdict,
    conditions: [
      ...(isEnabled === 'yes' ? [] : [{ text: 'enabled', verdict: isEnabled }]),
      { text: `path matches ${JSON.stringify(source)}`, verdict: path },
      ...conditionSteps,
    ],
    effect: formatRouteEffect(effect),
  };
}

function formatRouteEffect(effect: RouteEffect): string {
  switch (effect.type) {
    case 'redirect':
      return `redirect to ${effect.destination}${statusText(effect.status)}`;
    case 'answer':
      return effect.text;
    case 'unknown':
      return unknownEffect;
    default:
      return 'change headers or queries';
  }
}

function formatRouteCondition({ type, key, value, isNegated }: RouteCondition): string {
  const subject = [type, key].filter((part) => part !== undefined).join(' ');
  const has = isNegated ? 'is missing' : 'is there';
  if (value === undefined) return `${subject} ${has}`;
  const isHidden = isTelling({ type, key, value });
  return `${subject} ${isNegated ? 'is not' : 'is'} ${isHidden ? 'the stated value' : JSON.stringify(value)}`;
}
