import type { Address } from '../model/address.ts';
import { isWithin } from '../model/address.ts';
import type { Action, Change } from '../model/change.ts';
import type { Operation, Plan } from '../model/plan.ts';
import { cleanLine } from './clean.ts';
import { markerOf } from './marker.ts';
import { planContext } from './plan-context.ts';
import { lineOf } from './request-text.ts';
import { styleFor } from './style.ts';

/** What is drawn. An edge leads from what comes first to what needs it; both are places in `nodes`. */
export interface Graph {
  nodes: { lines: string[]; action: Action }[];
  edges: [number, number][];
}

const most = 4;

/** The resources of a plan, those that stay as they are included, and which of them needs which. */
export function resourceGraph(plan: Plan): Graph {
  const context = planContext(plan, { style: styleFor({ color: false, width: 80 }), requests: false });
  const nodes = plan.changes.map((change) => ({
    id: change.address,
    lines: [cleanLine(change.address), `${cleanLine(change.kind)}: ${markerOf(change, context).word}`],
    action: change.action,
    needs: needsOf(change),
  }));
  return connected(nodes);
}

/** The operations of a plan with their requests, and which of them comes after which. */
export function operationGraph(plan: Plan): Graph {
  const actions = new Map(plan.changes.map(({ address, action }) => [address, action]));
  const nodes = plan.operations.map((operation) => ({
    id: operation.id,
    lines: [cleanLine(operation.id), ...requestLines(operation)],
    action: actions.get(operation.changes[0] ?? '') ?? ('noop' as const),
    needs: operation.dependsOn,
  }));
  return connected(nodes);
}

/** Without what its parent is in, since the parent needs that. */
function needsOf({ parent, needs = [] }: Change): Address[] {
  const direct = needs.filter((one) => parent === undefined || one === parent || !isWithin(parent, one));
  return parent === undefined ? direct : [parent, ...direct];
}

function requestLines({ requests }: Operation): string[] {
  const lines = requests.map((request) => lineOf(request)).map(({ method, path }) => `${method} ${path}`);
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `and ${more} more`] : lines;
}

function connected(nodes: (Graph['nodes'][number] & { id: string; needs: string[] })[]): Graph {
  const places = new Map(nodes.map(({ id }, at) => [id, at]));
  const edges = nodes.flatMap(({ needs }, at) =>
    [...new Set(needs)].flatMap((one): [number, number][] => {
      const from = places.get(one);
      return from === undefined || from === at ? [] : [[from, at]];
    }),
  );
  return { nodes: nodes.map(({ lines, action }) => ({ lines, action })), edges };
}
