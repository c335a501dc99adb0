import { type Address, indexByAddress, isWithin } from '../model/address.ts';
import type { Change, ChangeAction } from '../model/change.ts';
import type { Operation, Plan } from '../model/plan.ts';
import { createPlanContext, markerOf } from './plan-context.ts';
import { lineOf } from './request-text.ts';
import { styleFor } from './style.ts';
import { cleanLine, firstLines } from './text.ts';

/** A graph to draw. An edge leads from a node to another one that depends on it; both are indexes of `nodes`. */
interface Graph {
  nodes: { lines: string[]; action: ChangeAction }[];
  edges: [number, number][];
}

const maxRequestLines = 4;

/**
 * Returns the graph of all resources of a plan, including unchanged ones, with their dependencies. Used by `graph` without `--operations`.
 */
export function resourceGraph(plan: Plan): Graph {
  const context = createPlanContext(plan, { style: styleFor({ color: false, width: 80 }), requests: false });
  const nodes = plan.changes.map((change) => ({
    id: change.address,
    lines: [
      cleanLine(change.address),
      `${cleanLine(change.kind)}: ${markerOf(change, context).word}`,
      ...takeoverLines([change]),
    ],
    action: change.action,
    needs: needsOf(change),
  }));
  return connected(nodes);
}

/**
 * Returns the graph of the operations of a plan, with their first requests and their order. Used by `graph --operations` to show how an
 * apply proceeds.
 */
export function operationGraph(plan: Plan): Graph {
  const changesByAddress = indexByAddress(plan.changes);
  const nodes = plan.operations.map((operation) => {
    const changes = operation.changes.flatMap((address) => changesByAddress.get(address) ?? []);
    return {
      id: operation.id,
      lines: [cleanLine(operation.id), ...requestLines(operation), ...takeoverLines(changes)],
      action: changesByAddress.get(operation.changes[0] ?? '')?.action ?? ('noop' as const),
      needs: operation.dependsOn,
    };
  });
  return connected(nodes);
}

/** Names the stacks that objects are taken over from, each once. */
const takeoverLines = (changes: Change[]): string[] =>
  [...new Set(changes.flatMap(({ takenFrom }) => takenFrom ?? []))].map(
    (stack) => `taken over from stack ${cleanLine(stack)}`,
  );

/**
 * Returns the addresses that a change depends on directly, for the edges of `trueup graph`: its parent and its references (`needs`). The
 * parent and its ancestors are left out of the references, since the parent is there already and needs its ancestors itself.
 */
function needsOf({ parent, needs = [] }: Change): Address[] {
  if (parent === undefined) return needs;
  return [parent, ...needs.filter((need) => !isWithin(parent, need))];
}

/** Lists the first requests of an operation for its node in the graph. */
function requestLines({ requests }: Operation): string[] {
  const lines = requests.map((request) => lineOf(request)).map(({ method, path }) => `${method} ${path}`);
  return firstLines(lines, maxRequestLines, (text) => text.replace('... ', ''));
}

/**
 * Turns nodes into the graph that `trueup graph` prints. Each node has an `id` and in `needs` the ids that it
 * depends on; an edge leads from a needed node to the node that needs it, by their indexes. Ids that are not
 * in the graph are ignored.
 */
function connected(nodes: (Graph['nodes'][number] & { id: string; needs: string[] })[]): Graph {
  const indexById = new Map(nodes.map(({ id }, index) => [id, index]));
  const edges = nodes.flatMap(({ needs }, index) =>
    [...new Set(needs)].flatMap((need): [number, number][] => {
      const from = indexById.get(need);
      return from === undefined || from === index ? [] : [[from, index]];
    }),
  );
  return { nodes: nodes.map(({ lines, action }) => ({ lines, action })), edges };
}

/** The colour behind a node; each label says the same in words. Dark text is readable on all of them. */
const graphColors: Record<ChangeAction, string> = {
  create: '#d3f2d3',
  adopt: '#d2e9f9',
  update: '#fbedc0',
  move: '#eddcf7',
  replace: '#f9cfcf',
  delete: '#f9cfcf',
  release: '#e8e8e8',
  forget: '#e8e8e8',
  noop: '#ffffff',
};

/** Formats a graph in the language of Graphviz, whose programs draw it. The default format of `trueup graph`. */
export function graphDot({ nodes, edges }: Graph): string {
  return [
    'digraph trueup {',
    '  rankdir=LR;',
    '  node [shape=box, style=filled, fontname="sans-serif"];',
    ...nodes.map(
      ({ lines, action }, index) =>
        `  n${index} [label="${lines.map(escapedForDot).join('\\n')}", fillcolor="${graphColors[action]}"];`,
    ),
    ...edges.map(([from, to]) => `  n${from} -> n${to};`),
    '}',
  ].join('\n');
}

/** Escapes a text for a quoted label of Graphviz, where only backslashes and quotes have a meaning. */
const escapedForDot = (text: string) => text.replace(/[\\"]/g, '\\$&');

/** Formats a graph for Mermaid, which GitHub and GitLab draw in Markdown. Used by `graph --format mermaid`. */
export function graphMermaid({ nodes, edges }: Graph): string {
  const actions = [...new Set(nodes.map(({ action }) => action))].sort();
  return [
    'flowchart LR',
    ...nodes.map(
      ({ lines, action }, index) =>
        `  n${index}["${lines.map(escapedForMermaid).join('<br/>')}"]:::${action}`,
    ),
    ...edges.map(([from, to]) => `  n${from} --> n${to}`),
    ...actions.map((action) => `  classDef ${action} fill:${graphColors[action]},color:#222,stroke:#888`),
  ].join('\n');
}

/** Escapes all characters of a label that could have a meaning for Mermaid, HTML or Markdown, as `#` and the number of the character. */
const escapedForMermaid = (text: string) =>
  text.replace(/[^\p{L}\p{N} ./@:_-]/gu, (char) => `#${char.codePointAt(0)};`);
