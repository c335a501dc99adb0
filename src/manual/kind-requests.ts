import type { Kind } from '../kind/kind.ts';
import { groupBy } from '../model/graph.ts';
import type { Endpoint } from '../model/plan.ts';

export type When = 'list' | 'read' | 'create' | 'update' | 'move' | 'delete' | 'promote';

/** A request that a plan has for a change of the kind. */
export interface PlannedRequest {
  endpoint: Endpoint;
  when: When;
}

/** An endpoint that a kind uses. `when` is empty where only the kind's own code knows. */
export interface KindRequest {
  endpoint: Endpoint;
  when: When[];
}

/** All of them, in the order in which they are told. */
export const whens: When[] = ['list', 'read', 'create', 'update', 'move', 'delete', 'promote'];

/** The endpoints that stand in a kind as data. */
export function dataEndpoints({ api }: Kind): PlannedRequest[] {
  const { list, read, staged } = api;
  const writes = (['create', 'update', 'move', 'delete'] as const).flatMap((when) => {
    const write = api[when];
    return typeof write === 'string' ? [{ endpoint: write, when }] : [];
  });
  return [
    ...(staged ? [{ endpoint: staged.versions, when: 'list' as const }] : []),
    ...[list?.endpoint ?? []].flat().map((endpoint) => ({ endpoint, when: 'list' as const })),
    ...(read ? [{ endpoint: read.endpoint, when: 'read' as const }] : []),
    ...(api.one ? [{ endpoint: api.one.endpoint, when: 'read' as const }] : []),
    ...(api.guard ? [{ endpoint: api.guard, when: 'read' as const }] : []),
    ...(api.detail ? [{ endpoint: api.detail.endpoint, when: 'read' as const }] : []),
    ...writes,
    ...(staged ? [{ endpoint: staged.promote, when: 'promote' as const }] : []),
  ];
}

/** Every endpoint that a kind uses, by when it is first used: from its data, from plans, and from what it claims. */
export function requestsOf(kind: Kind, planned: PlannedRequest[]): KindRequest[] {
  const known = [...dataEndpoints(kind), ...planned];
  const used = [...groupBy(known, ({ endpoint }) => endpoint)].map(([endpoint, of]) => ({
    endpoint,
    when: whens.filter((when) => of.some((one) => one.when === when)),
  }));
  const others = (kind.claims ?? []).filter((claim) => !used.some(({ endpoint }) => endpoint === claim));
  const rank = ({ when }: KindRequest) => whens.indexOf(when[0]!);
  return [...used.sort((a, b) => rank(a) - rank(b)), ...others.map((endpoint) => ({ endpoint, when: [] }))];
}
