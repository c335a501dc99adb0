/*
 * Requests that a redirect answers for sure if nothing else does, one for each redirect. The checks follow them.
 */
import type { Address } from '#kind';
import type { RedirectIndex, Route } from './index-redirects.ts';
import { matchRoute, mayBeRedirected, outcomeOfBulk, type Visit } from './next-hop.ts';
import { alikeKey, matchPattern, type PathPattern } from './path-pattern.ts';
import { assumedClient } from './route-conditions.ts';

/** A redirect with a request for it. */
export interface SampleVisit {
  /** The redirect. */
  by: Address;
  visit: Visit;
}

const visitAt = (project: Address, path: string, host?: string): Visit => ({
  project,
  host,
  isHttp: false,
  path,
  query: '',
  client: anybody,
});

const anybody = assumedClient([]);

/**
 * Returns a request for each redirect of the view that allows to make one: first those for hosts, then for paths. Bulk redirects that lead
 * to a page or to another account are left out, because there are many of them.
 */
export function* sampleVisits(index: RedirectIndex): Generator<SampleVisit> {
  const path = freePath(index);
  for (const [host, served] of index.hosts)
    for (const { object, project } of served)
      if (typeof object.fields.redirect === 'string' && !host.startsWith('*'))
        yield { by: object.address, visit: visitAt(project, path, host) };
  for (const project of index.projects) {
    const { bulk, routes } = index.projectAt(project);
    for (const redirect of bulk) {
      const visit = visitAt(project, redirect.source);
      const outcome = redirect.source.startsWith('/') ? outcomeOfBulk(index, visit, redirect) : undefined;
      if (outcome?.type === 'redirect' && mayBeRedirected(index, outcome.to))
        yield { by: redirect.object.address, visit };
    }
    for (const route of routes) {
      const visit = route.effect.type === 'redirect' ? visitOfRoute(route, project) : undefined;
      if (visit) yield { by: route.object.address, visit };
    }
  }
}

/** Returns a path for requests to hosts that redirect: one for which their projects have nothing else, if there is one. */
function freePath(index: RedirectIndex): string {
  const redirecting = [...index.hosts.values()].flat().filter(({ object }) => object.fields.redirect);
  const projects = [...new Set(redirecting.map(({ project }) => project))].map(index.projectAt);
  const isFree = (path: string) =>
    projects.every(({ bulkAt, routesAt }) => bulkAt(path).length === 0 && routesAt(path).length === 0);
  return ['/', '/x1'].find(isFree) ?? '/x1';
}

/** Returns a request that a route matches for sure; undefined if none is found. */
function visitOfRoute(route: Route, project: Address): Visit | undefined {
  if (route.isEnabled !== 'yes' || !route.pattern || !route.conditions) return undefined;
  const path = samplePath(route.pattern);
  if (path === undefined) return undefined;
  const stated = (type: string) =>
    route.conditions!.filter((condition) => condition.type === type && !condition.isNegated);
  const query = new URLSearchParams(
    stated('query').map(({ key = '', value = '1' }): [string, string] => [key, value]),
  ).toString();
  const host = stated('host')[0]?.value;
  const visit = { ...visitAt(project, path, host), query, client: assumedClient(route.conditions) };
  return matchRoute(route, visit).verdict === 'yes' ? visit : undefined;
}

const sampleTexts = ['x1', '1', 'en', 'a'];

/** Returns a path that a pattern matches for sure; undefined if none is found. */
export function samplePath(pattern: PathPattern): string | undefined {
  const { literal, source, syntax } = pattern;
  if (literal !== undefined)
    return alikeKey(literal) === literal || matchPattern(pattern, literal).verdict === 'yes'
      ? literal
      : undefined;
  return sampleTexts
    .map((text) => (syntax === 'regex' ? sampleOfRegex(source, text) : sampleOfPath(source, text)))
    .find((path) => matchPattern(pattern, path).verdict === 'yes');
}

/** Returns a path pattern with a text in place of each parameter and group. */
const sampleOfPath = (source: string, text: string): string =>
  source.replace(/:[a-z_]\w*(\([^()]*\))?[*+?]?|\([^()]*\)[*+?]?/gi, text);

/** Returns a regular expression with a text in place of each group and class. */
const sampleOfRegex = (source: string, text: string): string =>
  source
    .replace(/^\^|\$$/g, '')
    .replace(/\(\?[!=][^()]*\)/g, '')
    .replace(/\((\?:)?[^()]*\)|\[[^\]]*\]|\\[dw]|\.(?=[*+])/g, text)
    .replace(/(?<!\\)[*+?]/g, '')
    .replace(/\\(.)/g, '$1');
