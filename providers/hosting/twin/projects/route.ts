import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { projectById } from '../find-project.ts';
import { operation, type Resource, seedOne } from '../resource.ts';
import {
  addRouteBody,
  deleteRoutesBody,
  editRouteBody,
  type RoutePosition,
  routeRule,
  routeVersionBody,
  stageRoutesBody,
} from './routes-body.ts';
import { readRoutes, readRoutesQuery, readRouteVersion } from './routes-read.ts';
import {
  checkDistinct,
  compileEditedRule,
  compileRule,
  compileStagedRule,
  type RoutingRule,
  readRule,
} from './routing-rule.ts';
import { changeVersion, latestItems, liveVersion, makeLive, stage, type Version } from './staged-versions.ts';

declare module '../account.ts' {
  interface ProjectParts {
    routes: Version<RoutingRule>[];
  }
  interface ProjectSeed {
    /** The live routes. */
    routes?: z.input<typeof seed>;
    /** All routes of a staged version. */
    stagedRoutes?: z.input<typeof seed>;
  }
}

const ofPath = (call: Call): Project => projectById(call, call.params.projectId);

/** Stages these rules as the new content, and returns the version as answers show it. Throws 400 if a name or an id comes twice. */
function staged(call: Call, project: Project, rules: RoutingRule[]) {
  checkDistinct(rules);
  return readRouteVersion(project, stage(call, project.routes, rules));
}

/** Returns the index at which a new rule goes, or throws 400 if the rule that it refers to does not exist. */
function indexFor(rules: readonly RoutingRule[], { placement = 'end', referenceId }: RoutePosition): number {
  if (placement === 'start') return 0;
  if (placement === 'end') return rules.length;
  const reference = rules.findIndex((rule) => rule.id === referenceId);
  if (reference < 0) throw badRequest(`There is no route ${referenceId} to place another one ${placement}.`);
  return placement === 'after' ? reference + 1 : reference;
}

/** Returns the index of a rule, or throws 404. */
function indexOf(rules: readonly RoutingRule[], id: string): number {
  const index = rules.findIndex((rule) => rule.id === id);
  if (index < 0) throw notFound(`The route ${id}`);
  return index;
}

/** Stages a new rule at its position. */
function add(call: Call, project: Project, body: z.infer<typeof addRouteBody>): unknown {
  const { route, position = {} } = body;
  const rules = latestItems(project.routes);
  const index = indexFor(rules, position);
  const added = compileRule(route, { id: call.id('route_', 24), staged: true });
  rules.splice(index, 0, added);
  return { version: staged(call, project, rules), route: readRule(added) };
}

/** Stages rules: instead of those with the same ids, or with `overwrite` instead of all. */
function put(call: Call, project: Project, body: z.infer<typeof stageRoutesBody>): unknown {
  const { overwrite = false, routes = [] } = body;
  const written = routes.map((route) => compileStagedRule(route, call.switches.routesPutKeepsRead));
  if (overwrite) return { version: staged(call, project, written) };
  // A rule with a known id stays at its place; others come last.
  const rules = latestItems(project.routes);
  for (const rule of written) {
    const index = rules.findIndex((routingRule) => routingRule.id === rule.id);
    rules.splice(index < 0 ? rules.length : index, index < 0 ? 0 : 1, rule);
  }
  return { version: staged(call, project, rules) };
}

/**
 * Stages the live rule with this id again, at its place in the staged version, or else at its live place. Removes a rule that is not live.
 * Throws 404 if no version has it.
 */
function restore(call: Call, project: Project, id: string): unknown {
  const rules = latestItems(project.routes);
  const index = rules.findIndex((rule) => rule.id === id);
  const live = liveVersion(project.routes)?.items ?? [];
  const before = live.findIndex((routingRule) => routingRule.id === id);
  if (index < 0 && before < 0) throw notFound(`The route ${id}`);
  const liveRule = live[before];
  const back = liveRule === undefined ? [] : [structuredClone(liveRule)];
  rules.splice(index < 0 ? before : index, index < 0 ? 0 : 1, ...back);
  const version = staged(call, project, rules);
  return { version, ...(back[0] === undefined ? {} : { route: readRule(back[0]) }) };
}

/** Stages a change of one rule; with `restore`, the live rule again. */
function edit(call: Call, project: Project, body: z.infer<typeof editRouteBody>): unknown {
  const id = call.params.routeId!;
  if (body.restore === true || body.route === undefined) return restore(call, project, id);
  const rules = latestItems(project.routes);
  const index = indexOf(rules, id);
  const edited = compileEditedRule(body.route, rules[index]!);
  rules[index] = edited;
  return { version: staged(call, project, rules), route: readRule(edited) };
}

const seed = z.array(routeRule.extend({ id: z.string().optional() }));

/**
 * Returns the rules of a seed as they are stored. A rule has the id of the live rule with its name. `toStage`: marks new rules as staged.
 */
function compiled(
  making: Making,
  project: Project,
  seeds: z.infer<typeof seed>,
  toStage: boolean,
): RoutingRule[] {
  const live = liveVersion(project.routes)?.items ?? [];
  const rules = seeds.map(({ id, ...written }) => {
    const routingRule = live.find((routingRule) => routingRule.name === written.name);
    const staged = toStage && routingRule === undefined;
    return compileRule(written, { id: id ?? routingRule?.id ?? making.id('route_', 24), staged });
  });
  checkDistinct(rules);
  return rules;
}

/** A project's routing rules, in order. Each write stages a complete new list; POST .../versions makes it live. */
export const projectRoute: Resource = {
  keeps: { project: { routes: [] } },
  operations: {
    getRoutes: operation({ on: ofPath, query: readRoutesQuery, list: 'routes' }, readRoutes),
    addRoute: operation({ on: ofPath, body: addRouteBody }, add),
    stageRoutes: operation({ on: ofPath, body: stageRoutesBody }, put),
    deleteRoutes: operation({ on: ofPath, body: deleteRoutesBody }, (call, project, { routeIds }) => {
      const rules = latestItems(project.routes);
      const routingRules = rules.filter((rule) => !routeIds.includes(rule.id));
      const deletedCount = rules.length - routingRules.length;
      if (deletedCount === 0) throw notFound(`A route ${routeIds.join(', ')}`);
      return { deletedCount, version: staged(call, project, routingRules) };
    }),
    editRoute: operation({ on: ofPath, body: editRouteBody }, edit),
    getRouteVersions: operation({ on: ofPath, list: 'versions' }, (_, project) => ({
      versions: project.routes.map((route) => readRouteVersion(project, route)),
    })),
    updateRouteVersions: operation({ on: ofPath, body: routeVersionBody }, (call, project, body) => {
      const version = changeVersion(call, project.routes, body);
      if (version.isLive) for (const rule of version.items) rule.staged = false;
      return { version: readRouteVersion(project, version) };
    }),
  },
  seed: {
    project: {
      routes: seedOne(seed, (making, list, project: Project) => {
        const rules = compiled(making, project, list, false);
        makeLive(making, project.routes, stage(making, project.routes, rules));
      }),
      stagedRoutes: seedOne(seed, (making, list, project: Project) =>
        stage(making, project.routes, compiled(making, project, list, true)),
      ),
    },
  },
};
