/*
 * Where a request goes next: to another URL, to a page, or to a place that is not known. Terms:
 *
 *   visit   a request of a visitor at one point of its way, at a host of a project
 *   layer   a part of the platform that may answer a visit with a redirect, or pass it to the other layers
 *   outcome what a layer may do with a visit
 *
 * A request passes several layers: the redirect from HTTP to HTTPS, the redirect of its host, the bulk redirects and the routes of the
 * project. No fact settles their order, so each layer that may answer may be the first one. `outcomesAt` returns all outcomes that are
 * possible. A statement that is true for all outcomes is certain in every order.
 *
 * The firewall is left out: it can only keep requests from the redirects. So are the redirects in the files of deployments, which views
 * lack.
 */
import { type Address, allOf, type Verdict } from '#kind';
import { absoluteName } from '../dns/zones.ts';
import { type Destination, readDestination } from './destination.ts';
import type { BulkRedirect, RedirectIndex, Route, ServedHost } from './index-redirects.ts';
import { matchLiteral, matchPattern, type Parameters } from './path-pattern.ts';
import { type Client, meetsCondition } from './route-conditions.ts';

/** A request of a visitor at one point of its way, at a host of a project of the account. */
export interface Visit {
  project: Address;
  /** Undefined for any host of the project without a redirect of its own. */
  host: string | undefined;
  isHttp: boolean;
  path: string;
  /** Without `?`; undefined if it is unknown. */
  query: string | undefined;
  client: Client;
}

export type Outcome =
  /** `by`: the object that redirects; undefined for the platform itself. */
  | { type: 'redirect'; by: Address | undefined; to: Visit; status: number | undefined }
  /** The redirect leads to a host that no project of the view has. */
  | { type: 'outside'; by: Address | undefined; url: string; host: string; status: number | undefined }
  /** The project answers. */
  | { type: 'answer'; by?: Address }
  | { type: 'unknown'; by?: Address };

/**
 * The outcomes that one layer (a part of the platform that may redirect) allows for a visit. `mayPass`: it may leave the visit to the other
 * layers.
 */
export interface LayerOutcomes {
  outcomes: Outcome[];
  mayPass: boolean;
}

/**
 * Longer paths are not looked at, because a path can grow with each redirect. Nor is `/.well-known`: the platform redirects it nowhere
 * (documentation: Redirects).
 */
const mostPathLength = 2048;

/**
 * Returns all possible next steps of a request, so that a check reports only facts that are certain in each case. The platform documents no
 * order of its layers (HTTPS upgrade, redirect of the host, bulk redirects, routes), so each of them may be the first. `unknown`: it may be
 * anything.
 */
export function outcomesAt(index: RedirectIndex, visit: Visit): Outcome[] {
  if (visit.path.length > mostPathLength || visit.path.startsWith('/.well-known'))
    return [{ type: 'unknown' }];
  const layers = [
    upgradeToHttps(visit),
    redirectOfHost(index, visit),
    bulkRedirectAt(index, visit),
    routesAt(index, visit),
  ];
  const outcomes = layers.flatMap((layer) => layer.outcomes);
  if (index.groupProjects.has(visit.project)) outcomes.push({ type: 'unknown' });
  return layers.every((layer) => layer.mayPass) ? [...outcomes, { type: 'answer' }] : outcomes;
}

/** True if anything but a page may answer a request. Faster than to ask for the outcomes, for the many redirects that lead to a page. */
export function mayBeRedirected(index: RedirectIndex, { project, host, isHttp, path }: Visit): boolean {
  const { bulkAt, routesAt: routesOf } = index.projectAt(project);
  const served = host === undefined ? undefined : servedHost(index, host);
  const mayHostRedirect = served === 'unknown' || (served?.object.fields.redirect ?? null) !== null;
  return isHttp || mayHostRedirect || bulkAt(path).length > 0 || routesOf(path).length > 0;
}

/** Returns the URL of a request, for messages: the path alone if its host is not known. */
export function urlOf({ host, isHttp, path, query }: Visit): string {
  const origin = host === undefined ? '' : `${isHttp ? 'http' : 'https'}://${host}`;
  return `${origin}${path}${query ? `?${query}` : ''}`;
}

/** Returns a key that is equal for visits with the same outcomes, so that each is followed once. */
export const visitKey = ({ project, host, isHttp, path, query, client }: Visit): string =>
  `${project}\n${host}\n${isHttp}\n${path}\n${query === undefined ? '' : `?${query}`}\n${client.key}`;

const passes: LayerOutcomes = { outcomes: [], mayPass: true };

/** Returns the redirect of a visit by plain HTTP to the same URL with HTTPS: the platform redirects each of them. */
export function upgradeToHttps(visit: Visit): LayerOutcomes {
  if (!visit.isHttp) return passes;
  return {
    outcomes: [{ type: 'redirect', by: undefined, to: { ...visit, isHttp: false }, status: 308 }],
    mayPass: false,
  };
}

/** Returns the object that serves a host: undefined if the view has none, `unknown` if there may be another one. */
export function servedHost(index: RedirectIndex, host: string): ServedHost | undefined | 'unknown' {
  const exact = index.hosts.get(host);
  if (exact) return exact.length === 1 ? exact[0] : 'unknown';
  const wildcard = index.hosts.get(host.replace(/^[^.]+/, '*'));
  return wildcard === undefined ? undefined : 'unknown';
}

/**
 * Returns the redirect of a domain or alias of the visit to another host. It keeps the path (leqir/riqle, VERCEL_DOMAIN_REDIRECT_FIX.md).
 */
export function redirectOfHost(index: RedirectIndex, visit: Visit): LayerOutcomes {
  const served = visit.host === undefined ? undefined : servedHost(index, visit.host);
  if (served === 'unknown') return { outcomes: [{ type: 'unknown' }], mayPass: true };
  const { redirect = null, redirectStatusCode } = served?.object.fields ?? {};
  if (!served || redirect === null || redirect === '') return passes;
  const address = served.object.address;
  if (typeof redirect !== 'string') return { outcomes: [{ type: 'unknown', by: address }], mayPass: true };
  const host = absoluteName(redirect);
  const text = `https://${host}${visit.path}`;
  const destination = { host, isHttp: false, path: visit.path, query: '', text };
  const status = typeof redirectStatusCode === 'number' ? redirectStatusCode : undefined;
  const query = visit.query === '' ? '' : undefined;
  return { outcomes: [goTo(index, visit, { by: address, destination, query, status })], mayPass: false };
}

/** Returns what the bulk redirects of the project do with a visit. Their sources are compared with the path alone. */
export function bulkRedirectAt(index: RedirectIndex, visit: Visit): LayerOutcomes {
  const outcomes: Outcome[] = [];
  let mayPass = true;
  for (const redirect of index.projectAt(visit.project).bulkAt(visit.path)) {
    const verdict = matchLiteral(redirect.source, redirect.isCaseSensitive, visit.path);
    if (verdict === 'no') continue;
    if (verdict === 'yes') mayPass = false;
    outcomes.push(outcomeOfBulk(index, visit, redirect));
  }
  return { outcomes, mayPass };
}

/** Returns what a bulk redirect does with a request that it matches. */
export function outcomeOfBulk(index: RedirectIndex, visit: Visit, redirect: BulkRedirect): Outcome {
  const address = redirect.object.address;
  const destination = redirect.destination === undefined ? undefined : readDestination(redirect.destination);
  if (!destination) return { type: 'unknown', by: address };
  const { statusCode } = redirect.object.fields;
  return goTo(index, visit, {
    by: address,
    destination,
    query: visit.query === '' || redirect.keepsQuery === false ? destination.query : undefined,
    status: typeof statusCode === 'number' ? statusCode : undefined,
  });
}

/** With more routes that may answer, nothing is certain. */
const mostForks = 20;

/**
 * Returns what the routes of the project do with a visit. Routes are tried in their order, and the first one that matches and does not
 * continue decides. Changes of headers keep no request from the next layer, but no source says whether later routes are tried after them.
 */
export function routesAt(index: RedirectIndex, visit: Visit): LayerOutcomes {
  const outcomes: Outcome[] = [];
  let isReached = true;
  for (const route of index.projectAt(visit.project).routesAt(visit.path)) {
    const { verdict, parameters } = matchRoute(route, visit);
    if (verdict === 'no' || route.effect.type === 'continue') continue;
    if (route.effect.type === 'change') {
      isReached = false;
      continue;
    }
    if (outcomes.length > mostForks) return { outcomes: [{ type: 'unknown' }], mayPass: true };
    outcomes.push(outcomeOfRoute(index, visit, route, parameters));
    if (verdict === 'yes' && route.effect.type !== 'unknown') return { outcomes, mayPass: !isReached };
  }
  return { outcomes, mayPass: true };
}

/** Returns whether a route matches a request, and with which parameters. */
export function matchRoute(
  route: Route,
  visit: Visit,
): { verdict: Verdict; parameters?: Parameters | undefined } {
  const { verdict, parameters } = matchPattern(route.pattern, visit.path);
  if (verdict === 'no') return { verdict };
  const conditions = route.conditions?.map((condition) => meetsCondition(condition, visit, route.budget)) ?? [
    'unknown' as const,
  ];
  return { verdict: allOf([route.isEnabled, verdict, ...conditions]), parameters };
}

/** Returns what a route does with a request that it matches. */
export function outcomeOfRoute(
  index: RedirectIndex,
  visit: Visit,
  { object, pattern, effect }: Route,
  parameters: Parameters | undefined,
): Outcome {
  const address = object.address;
  if (effect.type === 'answer') return { type: 'answer', by: address };
  if (effect.type !== 'redirect' || parameters === undefined) return { type: 'unknown', by: address };
  const destination = readDestination(
    effect.destination,
    pattern?.literal === undefined ? parameters : new Map(),
  );
  if (!destination) return { type: 'unknown', by: address };
  // No source says whether the query stays, and unused parameters may be added to it.
  const query = visit.query === '' && parameters.size === 0 ? destination.query : undefined;
  return goTo(index, visit, { by: address, destination, query, status: effect.status });
}

/** A redirect of a request. */
interface Hop {
  by: Address;
  destination: Destination;
  query: string | undefined;
  status: number | undefined;
}

/** Returns the outcome of a redirect: the request at its new place. */
function goTo(index: RedirectIndex, visit: Visit, { by, destination, query, status }: Hop): Outcome {
  const { path, isHttp = visit.isHttp, host = visit.host } = destination;
  if (host === undefined || host === visit.host) {
    const isSameClient = !index.projectAt(visit.project).setsCookies;
    const client = isSameClient ? visit.client : visit.client.elsewhere();
    return { type: 'redirect', by, to: { ...visit, isHttp, path, query, client }, status };
  }
  const served = servedHost(index, host);
  if (served === 'unknown') return { type: 'unknown', by };
  if (!served) return { type: 'outside', by, url: destination.text, host, status };
  const client = visit.client.elsewhere();
  return { type: 'redirect', by, to: { project: served.project, host, isHttp, path, query, client }, status };
}
