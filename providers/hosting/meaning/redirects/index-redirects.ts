/*
 * Indexes the redirects and routes of a view, so that the ones that can answer a request are found without a look at the others.
 *
 * Terms: a bulk redirect is an entry of `bulkRedirects` of a project; a route is an entry of its `routes`; a host redirect is a domain or
 * alias of a project with `redirect`.
 */
import {
  type Address,
  addTo,
  type Fields,
  isPlainObject,
  isRef,
  type Value,
  type Verdict,
  type View,
  type ViewedObject,
} from '#kind';
import { absoluteName } from '../dns/zones.ts';
import { type MatchBudget, matchBudgetOf } from './match-budget.ts';
import { alikeKey, compilePattern, type PathPattern } from './path-pattern.ts';
import { type RouteCondition, readConditions } from './route-conditions.ts';

export interface BulkRedirect {
  object: ViewedObject;
  source: string;
  /** Undefined if it is not known. */
  destination: string | undefined;
  isCaseSensitive: boolean | undefined;
  keepsQuery: boolean | undefined;
}

/** What a route does with a request that it matches. */
export type RouteEffect =
  | { type: 'redirect'; status: number; destination: string }
  /** The project answers, with other content or a status; no later route is tried. */
  | { type: 'answer'; text: string }
  /** Headers or queries change; no source says whether later routes are tried. */
  | { type: 'change' }
  /** Later routes are tried. */
  | { type: 'continue' }
  | { type: 'unknown' };

export interface Route {
  object: ViewedObject;
  /** Its position among the routes of its project. */
  order: number;
  isEnabled: Verdict;
  /** Undefined if it is unclear. */
  pattern: PathPattern | undefined;
  /** Undefined if one is unknown. */
  conditions: readonly RouteCondition[] | undefined;
  /** Equal texts for equal conditions. */
  conditionKeys: ReadonlySet<string>;
  effect: RouteEffect;
  /** Limits the time for all matches of the view. */
  budget: MatchBudget;
}

/** The redirects and routes of a project. */
export interface ProjectRedirects {
  bulk: readonly BulkRedirect[];
  routes: readonly Route[];
  /** True if a route may set cookies, so that the next request of a visitor can have others. */
  setsCookies: boolean;
  /** Returns the bulk redirects that may match a path. */
  bulkAt(path: string): readonly BulkRedirect[];
  /** Returns the routes that may match a path, in their order. */
  routesAt(path: string): readonly Route[];
}

/** A host under which a project answers. */
export interface ServedHost {
  object: ViewedObject;
  project: Address;
}

export interface RedirectIndex {
  hosts: ReadonlyMap<string, readonly ServedHost[]>;
  projectAt(address: Address): ProjectRedirects;
  /** The projects in a group of microfrontends: other projects of the group may serve their paths. */
  groupProjects: ReadonlySet<Address>;
  /** The addresses of all projects with bulk redirects or routes. */
  projects: readonly Address[];
}

/** The kinds whose objects serve a host, each with the field that holds the host. */
const hostFields: Readonly<Record<string, string>> = { projectDomain: 'name', alias: 'alias' };
export const servedHostKinds = Object.keys(hostFields);

/** Returns the host that an object serves; undefined if it serves none, or if the host is not known. */
export function hostOf({ kind, fields }: ViewedObject): string | undefined {
  const field = hostFields[kind];
  const host = field === undefined ? undefined : fields[field];
  return typeof host === 'string' ? absoluteName(host) : undefined;
}

const indexes = new WeakMap<View, RedirectIndex>();

/** Returns the index of a view. Made once for each view, because several checks need it. */
export function indexRedirects(view: View): RedirectIndex {
  const index = indexes.get(view) ?? createIndex(view);
  indexes.set(view, index);
  return index;
}

function createIndex(view: View): RedirectIndex {
  const hosts = new Map<string, ServedHost[]>();
  for (const object of servedHostKinds.flatMap((kind) => view.ofKind(kind))) {
    const host = hostOf(object);
    if (host !== undefined && object.parent !== undefined)
      addTo(hosts, host, { object, project: object.parent });
  }
  const projects = new Map<Address, ProjectRedirects>();
  const projectAt = (address: Address) => {
    const project = projects.get(address) ?? indexProject(address, view);
    projects.set(address, project);
    return project;
  };
  const withRedirects = [...view.ofKind('bulkRedirects'), ...view.ofKind('projectRoute')].flatMap(
    ({ parent }) => parent ?? [],
  );
  const groupProjects = view
    .ofKind('microfrontendsProject')
    .flatMap(({ fields }) => (isRef(fields.projectId) ? fields.projectId.$ref : []));
  return {
    hosts,
    projectAt,
    groupProjects: new Set(groupProjects),
    projects: [...new Set(withRedirects)],
  };
}

function indexProject(address: Address, view: View): ProjectRedirects {
  const bulk = view.under(address, 'bulkRedirects').flatMap(readBulkRedirect);
  const routes = view
    .under(address, 'projectRoute')
    .map((object, order) => readRoute(object, order, matchBudgetOf(view)));
  const bulkByKey = new Map<string, BulkRedirect[]>();
  for (const redirect of bulk) addTo(bulkByKey, alikeKey(redirect.source), redirect);
  const routesByPrefix = new Map<string, Route[]>();
  for (const route of routes)
    if (route.isEnabled !== 'no') addTo(routesByPrefix, route.pattern?.prefix ?? '', route);
  const longestPrefix = [...routesByPrefix.keys()].reduce((most, { length }) => Math.max(most, length), 0);
  return {
    bulk,
    routes,
    setsCookies: routes.some(({ object }) => maySetCookies(object.fields.route)),
    bulkAt: (path) => bulkByKey.get(alikeKey(path)) ?? [],
    routesAt: (path) => {
      if (routes.length === 0) return [];
      // A redirect can lead to ever longer paths, so only the beginning that a prefix can equal is looked up.
      const key = alikeKey(path).slice(0, longestPrefix + 1);
      const prefixes = ['', ...[...key.matchAll(/(?<=.)(?=\/|$)/g)].map(({ index }) => key.slice(0, index))];
      const candidates = prefixes.flatMap((prefix) => routesByPrefix.get(prefix) ?? []);
      const text = path.toLowerCase();
      const isEncoded = text.includes('%');
      return candidates
        .filter(({ pattern }) => isEncoded || !pattern?.needle || text.includes(pattern.needle))
        .sort((a, b) => a.order - b.order);
    },
  };
}

function readBulkRedirect(object: ViewedObject): BulkRedirect[] {
  const { source, destination, caseSensitive, query, preserveQueryParams } = object.fields;
  if (typeof source !== 'string') return [];
  const isKept = [query, preserveQueryParams];
  return [
    {
      object,
      source,
      destination: typeof destination === 'string' ? destination : undefined,
      isCaseSensitive: flagOf(caseSensitive),
      keepsQuery: isKept.includes(true) ? true : isKept.every((flag) => flag === false) ? false : undefined,
    },
  ];
}

const flagOf = (value: Value | undefined): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined;

function readRoute(object: ViewedObject, order: number, budget: MatchBudget): Route {
  const { enabled = true, srcSyntax, route } = object.fields;
  const isEnabled = typeof enabled === 'boolean' ? (enabled ? 'yes' : 'no') : 'unknown';
  const fields = isPlainObject(route) ? (route as Fields) : undefined;
  const { src, caseSensitive } = fields ?? {};
  const conditions = fields && readConditions(fields);
  const isKnown = typeof src === 'string' && [undefined, null, true, false].includes(caseSensitive as null);
  return {
    object,
    order,
    isEnabled,
    pattern: isKnown ? compilePattern(src, srcSyntax, flagOf(caseSensitive), budget) : undefined,
    conditions,
    conditionKeys: new Set(conditions?.map((condition) => JSON.stringify(Object.values(condition)))),
    effect: fields ? readEffect(fields) : { type: 'unknown' },
    budget,
  };
}

/** True if a route changes the headers of responses and mentions cookies, or does something unknown there. */
function maySetCookies(route: Value | undefined): boolean {
  if (!isPlainObject(route)) return true;
  const { headers, transforms } = route as Fields;
  const mentionsCookies = (value: Value | undefined): boolean => {
    if (value === undefined || value === null) return false;
    if (Array.isArray(value)) return value.some(mentionsCookies);
    if (isPlainObject(value))
      return Object.entries(value as Fields).some(
        ([name, item]) => /cookie/i.test(name) || mentionsCookies(item),
      );
    return typeof value === 'string' ? /cookie/i.test(value) : typeof value === 'object';
  };
  return mentionsCookies(headers) || mentionsCookies(transforms);
}

/** The statuses with which a browser goes to another address. */
const redirectStatuses: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308]);

/** Returns what a route does. A destination with a redirect status is a redirect, without one a rewrite. */
function readEffect(route: Fields): RouteEffect {
  const { dest = null, status = null, headers = null, check = null } = route;
  const continues = route.continue ?? false;
  if (typeof continues !== 'boolean' || (status !== null && typeof status !== 'number'))
    return { type: 'unknown' };
  if (check !== null && check !== false) return { type: 'unknown' };
  const location = locationOf(headers);
  if (location === null || (dest !== null && typeof dest !== 'string')) return { type: 'unknown' };
  if (continues) return dest === null && status === null ? { type: 'continue' } : { type: 'unknown' };
  if (redirectStatuses.has(status)) {
    if (dest !== null && location !== undefined) return { type: 'unknown' };
    const destination = dest ?? location;
    return destination === undefined
      ? { type: 'answer', text: `status ${status}` }
      : { type: 'redirect', status: Number(status), destination };
  }
  if (typeof status === 'number' && status >= 300 && status < 400) return { type: 'unknown' };
  if (dest !== null) return { type: 'answer', text: `rewrite to ${dest}` };
  return status === null ? { type: 'change' } : { type: 'answer', text: `status ${status}` };
}

/** Returns the value of the header `Location` of a route: undefined if there is none, null if it is unknown. */
function locationOf(headers: Value): string | undefined | null {
  if (headers === null) return undefined;
  if (!isPlainObject(headers)) return null;
  const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === 'location');
  if (!entry) return undefined;
  return typeof entry[1] === 'string' ? entry[1] : null;
}
