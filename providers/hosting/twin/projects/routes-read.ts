import type { Project } from '../account.ts';
import type { Call, Query } from '../call.ts';
import { choice, queryChoice, text } from '../http/query.ts';
import { type RoutingRule, readRule, routeTypeOf } from './routing-rule.ts';
import { askedVersion, liveVersion, type Version } from './staged-versions.ts';

/** The number of routes that the answers allow; the platform's depends on the plan and is not published. */
const maxRoutes = 1000;

/** Returns a version as answers show it. Only a staged version has an alias, under which people can try it. */
export function readRouteVersion(project: Project, version: Version<RoutingRule>) {
  const { items, name: _name, isStaging, ...read } = version;
  return {
    ...read,
    isStaging,
    ruleCount: items.length,
    s3Key: `${project.id}/${version.id}`,
    ...(isStaging ? { alias: `${project.name}-routes-${version.id.toLowerCase()}.vercel.app` } : {}),
  };
}

const isSameRule = (a: RoutingRule, b: RoutingRule) =>
  JSON.stringify({ ...a, staged: null }) === JSON.stringify({ ...b, staged: null });

/** Returns the rules of two versions, each marked as added, changed, moved or removed if it differs. */
function differences(before: RoutingRule[], after: RoutingRule[]): Record<string, unknown>[] {
  const marked = after.map((rule, newIndex) => {
    const previousIndex = before.findIndex((routingRule) => routingRule.id === rule.id);
    const was = before[previousIndex];
    if (was === undefined) return { ...readRule(rule), action: '+' };
    const moved = previousIndex === newIndex ? {} : { previousIndex, newIndex };
    return { ...readRule(rule), ...moved, ...(isSameRule(was, rule) ? {} : { action: '~' }) };
  });
  const routingRules = before.filter((rule) => !after.some((routingRule) => routingRule.id === rule.id));
  return [...marked, ...routingRules.map((rule) => ({ ...readRule(rule), action: '-' }))];
}

const diffs = ['true', 'false', 'only'] as const;
const routeTypes = ['rewrite', 'redirect', 'set_status', 'transform'] as const;

/** The query parameters of `readRoutes`. */
export const readRoutesQuery: Query = {
  versionId: text,
  diff: choice(diffs),
  filter: choice(routeTypes),
  q: text,
};

/** Returns the answer of GET: the rules of a version in their order, filtered, or all of them with their differences from the live ones. */
export function readRoutes(call: Call, project: Project): unknown {
  const { routes: versions } = project;
  const live = liveVersion(versions);
  const shownVersion = askedVersion(call, versions, { showsStaged: call.switches.routesReadStaged });
  const rules = shownVersion?.items ?? [];
  const version = shownVersion === undefined ? null : readRouteVersion(project, shownVersion);
  const diff = queryChoice(call, 'diff', diffs);
  const filter = queryChoice(call, 'filter', routeTypes);
  if (diff === 'true' || diff === 'only') {
    const compared = differences(live?.items ?? [], rules);
    const changed = compared.filter((rule) => rule.action !== undefined || rule.newIndex !== undefined);
    return { routes: diff === 'only' ? changed : compared, version, diffCount: changed.length };
  }
  const search = call.query.get('q') ?? '';
  const routes = rules
    .filter((rule) => [rule.name, rule.id, rule.rawSrc].some((text) => text.includes(search)))
    .filter((rule) => filter === undefined || routeTypeOf(rule) === filter);
  return { routes: routes.map(readRule), version, limit: { maxRoutes, currentRoutes: rules.length } };
}
