import type { Project } from '../account.ts';
import type { Bodies, Call, Handlers, Queries } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { parseBody } from '../validate.ts';
import { projectById } from './project-by-id.ts';
import {
  addRouteBody,
  deleteRoutesBody,
  editRouteBody,
  type RoutePosition,
  routeVersionBody,
  stageRoutesBody,
} from './routes-body.ts';
import { readRoutes, readRoutesQuery, readRouteVersion } from './routes-read.ts';
import { checkDistinct, compileRule, compileStagedRule, type RoutingRule, readRule } from './routing-rule.ts';
import { changeVersion, latestItems, liveVersion, stage } from './staged-versions.ts';

const ofPath = (call: Call): Project => projectById(call, call.params.projectId);

function staged(call: Call, project: Project, rules: RoutingRule[]) {
  checkDistinct(rules);
  return readRouteVersion(project, stage(call, project.routes, rules));
}

function indexFor(rules: readonly RoutingRule[], { placement = 'end', referenceId }: RoutePosition): number {
  if (placement === 'start') return 0;
  if (placement === 'end') return rules.length;
  const reference = rules.findIndex((one) => one.id === referenceId);
  if (reference < 0) throw badRequest(`There is no route ${referenceId} to place another one ${placement}.`);
  return placement === 'after' ? reference + 1 : reference;
}

function indexOf(rules: readonly RoutingRule[], id: string): number {
  const index = rules.findIndex((one) => one.id === id);
  if (index < 0) throw notFound(`The route ${id}`);
  return index;
}

function add(call: Call): unknown {
  const project = ofPath(call);
  const { route, position = {} } = parseBody(addRouteBody, call.body, call.outside);
  const rules = latestItems(project.routes);
  const index = indexFor(rules, position);
  const added = compileRule(route, { id: call.id('route_', 24), staged: true });
  rules.splice(index, 0, added);
  return { version: staged(call, project, rules), route: readRule(added) };
}

function put(call: Call): unknown {
  const project = ofPath(call);
  const { overwrite = false, routes = [] } = parseBody(stageRoutesBody, call.body, call.outside);
  const written = routes.map((one) => compileStagedRule(one, call.switches.routesPutKeepsRead));
  if (overwrite) return { version: staged(call, project, written) };
  // By id: a rule that is there keeps its place, others come last.
  const rules = latestItems(project.routes);
  for (const rule of written) {
    const index = rules.findIndex((one) => one.id === rule.id);
    rules.splice(index < 0 ? rules.length : index, index < 0 ? 0 : 1, rule);
  }
  return { version: staged(call, project, rules) };
}

// Back to the live rule, at the place that it has in the draft; a rule that is not live goes away.
function restore(call: Call, project: Project, id: string): unknown {
  const rules = latestItems(project.routes);
  const index = rules.findIndex((one) => one.id === id);
  const live = liveVersion(project.routes)?.items ?? [];
  const before = live.findIndex((one) => one.id === id);
  if (index < 0 && before < 0) throw notFound(`The route ${id}`);
  const found = live[before];
  const back = found === undefined ? [] : [structuredClone(found)];
  rules.splice(index < 0 ? before : index, index < 0 ? 0 : 1, ...back);
  const version = staged(call, project, rules);
  return { version, ...(back[0] === undefined ? {} : { route: readRule(back[0]) }) };
}

function edit(call: Call): unknown {
  const project = ofPath(call);
  const body = parseBody(editRouteBody, call.body, call.outside);
  const id = call.params.routeId!;
  if (body.restore === true || body.route === undefined) return restore(call, project, id);
  const rules = latestItems(project.routes);
  const index = indexOf(rules, id);
  const edited = compileRule(body.route, rules[index]!);
  rules[index] = edited;
  return { version: staged(call, project, rules), route: readRule(edited) };
}

function remove(call: Call): unknown {
  const project = ofPath(call);
  const { routeIds } = parseBody(deleteRoutesBody, call.body, call.outside);
  const rules = latestItems(project.routes);
  const kept = rules.filter((one) => !routeIds.includes(one.id));
  const deletedCount = rules.length - kept.length;
  if (deletedCount === 0) throw notFound(`A route ${routeIds.join(', ')}`);
  return { deletedCount, version: staged(call, project, kept) };
}

function change(call: Call): unknown {
  const project = ofPath(call);
  const version = changeVersion(call, project.routes, parseBody(routeVersionBody, call.body, call.outside));
  if (version.isLive) for (const rule of version.items) rule.staged = false;
  return { version: readRouteVersion(project, version) };
}

/** A project's routing rules, in order: every write stages a new list, POST .../versions makes it live. */
export const routeHandlers: Handlers = {
  getRoutes: (call) => readRoutes(call, ofPath(call)),
  addRoute: add,
  stageRoutes: put,
  deleteRoutes: remove,
  editRoute: edit,
  getRouteVersions(call) {
    const project = ofPath(call);
    return { versions: project.routes.map((one) => readRouteVersion(project, one)) };
  },
  updateRouteVersions: change,
};

export const routeBodies: Bodies = {
  addRoute: addRouteBody,
  stageRoutes: stageRoutesBody,
  deleteRoutes: deleteRoutesBody,
  editRoute: editRouteBody,
  updateRouteVersions: routeVersionBody,
};

/** The query parameters that they read. */
export const routeQueries: Queries = { getRoutes: readRoutesQuery };
