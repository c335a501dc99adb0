import { badRequest } from '../errors.ts';
import { compileDestination, compileSource, inferSyntax, type SrcSyntax } from './route-source.ts';
import type { RouteRule, StagedRoute } from './routes-body.ts';

/** A rule as it is stored: with its route compiled, and the source and destination as they were written. */
export interface RoutingRule {
  id: string;
  name: string;
  description?: string;
  enabled: boolean;
  srcSyntax: SrcSyntax;
  rawSrc: string;
  rawDest?: string;
  /** True for a new rule that is not live yet. */
  staged: boolean;
  route: RouteRule['route'];
}

/**
 * Returns a rule as it is stored, compiled from a body. Throws 400 for an invalid pattern. `id`, `staged`: those of the rule that it
 * replaces.
 */
export function compileRule(
  written: RouteRule,
  { id, staged }: Pick<RoutingRule, 'id' | 'staged'>,
): RoutingRule {
  const { name, description, enabled = true, route, srcSyntax = inferSyntax(route.src) } = written;
  const { src, groups } = compileSource(route.src, srcSyntax);
  const { dest } = route;
  return {
    id,
    name,
    ...(description === undefined ? {} : { description }),
    enabled,
    srcSyntax,
    rawSrc: route.src,
    ...(dest === undefined ? {} : { rawDest: dest }),
    staged,
    route: { ...route, src, ...(dest === undefined ? {} : { dest: compileDestination(dest, groups) }) },
  };
}

/** Returns a changed rule. The command line sends the route as it read it, so an unchanged route keeps its original source. */
export function compileEditedRule(written: RouteRule, routingRule: RoutingRule): RoutingRule {
  const { route } = written;
  const src = route.src === routingRule.route.src ? routingRule.rawSrc : route.src;
  const dest = route.dest === routingRule.route.dest ? routingRule.rawDest : route.dest;
  return compileRule(
    { ...written, route: { ...route, src, ...(dest !== undefined && { dest }) } },
    routingRule,
  );
}

/**
 * Returns a rule of PUT. If it comes with the members that a read adds, and its route still is what they compile to, it is the rule that
 * was read. Otherwise (or if such members do not count) its route is compiled like a new one.
 */
export function compileStagedRule(written: StagedRoute, keepRead: boolean): RoutingRule {
  const { id, rawSrc, rawDest, srcSyntax, routeType: _type, staged = false, ...rule } = written;
  if (!keepRead) return compileRule(rule, { id, staged: false });
  if (rawSrc !== undefined) {
    const { dest, ...route } = rule.route;
    const raw = { ...route, src: rawSrc, ...(rawDest === undefined ? {} : { dest: rawDest }) };
    const read = compileRule({ ...rule, srcSyntax, route: raw }, { id, staged });
    if (read.route.src === rule.route.src && read.route.dest === dest) return read;
  }
  return compileRule({ ...rule, srcSyntax }, { id, staged });
}

/** Returns the effect of a rule, as answers name it; undefined for a rule without one. */
export function routeTypeOf({ route }: RoutingRule): string | undefined {
  const { dest, status, headers, transforms } = route;
  if (dest !== undefined)
    return status !== undefined && status >= 300 && status < 400 ? 'redirect' : 'rewrite';
  if (status !== undefined) return 'set_status';
  return headers !== undefined || transforms !== undefined ? 'transform' : undefined;
}

/** Returns a rule as answers show it. */
export function readRule(rule: RoutingRule): Record<string, unknown> {
  const routeType = routeTypeOf(rule);
  return { ...rule, ...(routeType === undefined ? {} : { routeType }) };
}

/** Throws 400 if two rules have the same name or id. */
export function checkDistinct(rules: readonly RoutingRule[]): void {
  for (const member of ['id', 'name'] as const) {
    const usedValues = new Set<string>();
    for (const rule of rules) {
      if (usedValues.has(rule[member]))
        throw badRequest(`There are two routes with the ${member} ${rule[member]}.`);
      usedValues.add(rule[member]);
    }
  }
}
