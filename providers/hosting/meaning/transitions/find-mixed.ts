/*
 * Finds parts of one project that change one after the other, and that some request may concern together. In between, such a request meets
 * the new verdict of one part and the old one of another, for example the redirect from before the apply and the firewall rules from after
 * it.
 */
import type { Address, MixedParts, PartType } from '#kind';
import { type Condition, readCondition } from '../firewall/condition.ts';
import { compilePattern } from '../redirects/path-pattern.ts';
import type { FirewallList } from './firewall-list.ts';
import { type BulkState, changedClasses } from './judge-bulk-redirects.ts';
import { findDifference } from './judge-firewall.ts';
import { areDisjoint, type RouteState } from './judge-routes.ts';
import { isChanged, type PartWay } from './part.ts';

/** The parts of a project that can be mixed. */
export interface ProjectParts {
  project: Address;
  firewall: PartWay<FirewallList>;
  bulk: PartWay<BulkState>;
  routes: PartWay<RouteState>;
  hosts: readonly PartWay<unknown>[];
}

/**
 * Returns the changed parts of a project that answer some request together while one is as before the apply and another as after it;
 * undefined if there is no such state, or if surely no request concerns two of them.
 */
export function findMixed(parts: ProjectParts): MixedParts | undefined {
  const { project, firewall, bulk, routes, hosts } = parts;
  const changed = [firewall, bulk, routes, ...hosts].filter(isChanged);
  const mixedTypes = new Set<PartType>();
  let firstState = Number.POSITIVE_INFINITY;
  for (const [i, first] of changed.entries())
    for (const second of changed.slice(i + 1)) {
      const state = mixedState(first, second);
      if (state === undefined || !mayConcernSameRequest(first, second, parts)) continue;
      firstState = Math.min(firstState, state);
      mixedTypes.add(first.type).add(second.type);
    }
  return mixedTypes.size === 0 ? undefined : { project, types: [...mixedTypes], state: firstState };
}

/**
 * Returns the first state in which one part is as in the first state of the way and another one as later. A host that no project serves
 * mixes nothing.
 */
function mixedState(first: PartWay<unknown>, second: PartWay<unknown>): number | undefined {
  const isOld = ({ ids }: PartWay<unknown>, state: number) =>
    ids[state] === ids[0] && ids[state] !== ids.at(-1);
  const isNew = ({ ids }: PartWay<unknown>, state: number) => ids[state] !== ids[0];
  const isServed = ({ isAbsent }: PartWay<unknown>, state: number) => isAbsent?.[state] !== true;
  const state = first.ids.findIndex(
    (_, i) =>
      isServed(first, i) &&
      isServed(second, i) &&
      ((isOld(first, i) && isNew(second, i)) || (isNew(first, i) && isOld(second, i))),
  );
  return state < 0 ? undefined : state;
}

function mayConcernSameRequest(
  first: PartWay<unknown>,
  second: PartWay<unknown>,
  parts: ProjectParts,
): boolean {
  const { firewall, bulk, routes } = parts;
  const withoutFirewall = [first, second].filter((part) => part !== firewall);
  // Redirects of paths concern all hosts of the project.
  const [other] = withoutFirewall.length === 1 ? withoutFirewall : [];
  if (!other)
    return first.type === 'host' || second.type === 'host'
      ? first.type !== second.type
      : mayMatchAlike(bulk, routes);
  const [before, after] = [firewall.states[0]!, firewall.states.at(-1)!];
  return requestsOf(other, parts).some((conditions) => findDifference(before, after, conditions) !== 'no');
}

/**
 * Returns groups of conditions that cover the change of a part: each request that the part treats in another way after the apply meets all
 * conditions of at least one group. An empty group covers all requests. So the change of another part can be compared within these groups
 * only.
 */
function requestsOf(part: PartWay<unknown>, { bulk, routes }: ProjectParts): Condition[][] {
  const conditionOf = (type: string, op: string, value: string): Condition[] =>
    [readCondition({ type, op, value })].filter((condition) => condition !== undefined);
  if (part.type === 'host') return part.part.startsWith('*') ? [[]] : [conditionOf('host', 'eq', part.part)];
  if (part === bulk)
    return changedClasses(bulk.states[0]!, bulk.states.at(-1)!).map((key) =>
      conditionOf('path', 're', anySpelling(key)),
    );
  return changedRoutes(routes).map(({ route: { pattern } }) =>
    pattern && pattern.prefix !== '' ? conditionOf('path', 'pre', pattern.prefix) : [],
  );
}

/** Returns an expression for a path in all spellings that the platform may treat alike, apart from encoded characters. */
const anySpelling = (path: string): string => `^${path.replace(/[^\w/-]/g, '\\$&').replaceAll('/', '/+')}/*$`;

/**
 * Returns the routes that only the first or only the last state has, because only requests that they match can be answered in another way.
 * Returns all routes if those that both states have change their order.
 */
function changedRoutes({ states }: PartWay<RouteState>): RouteState['items'] {
  const [before, after] = [states[0]!.items, states.at(-1)!.items];
  const idOf = ({ matchId, effectId }: RouteState['items'][number]) => `${matchId} ${effectId}`;
  const [idsBefore, idsAfter] = [new Set(before.map(idOf)), new Set(after.map(idOf))];
  const sharedBefore = before.map(idOf).filter((id) => idsAfter.has(id));
  const sharedAfter = after.map(idOf).filter((id) => idsBefore.has(id));
  if (sharedBefore.join('\n') !== sharedAfter.join('\n')) return [...before, ...after];
  return [
    ...before.filter((route) => !idsAfter.has(idOf(route))),
    ...after.filter((route) => !idsBefore.has(idOf(route))),
  ];
}

/** True unless surely no path is concerned by changed bulk redirects and changed routes. */
function mayMatchAlike(bulk: PartWay<BulkState>, routes: PartWay<RouteState>): boolean {
  const patterns = changedRoutes(routes).map(({ route }) => route.pattern);
  return changedClasses(bulk.states[0]!, bulk.states.at(-1)!).some((path) => {
    const literal = compilePattern(path, 'equals', false);
    return patterns.some((pattern) => !areDisjoint(literal, pattern));
  });
}
