import { graphColors } from './graph-colors.ts';
import type { Graph } from './plan-graph.ts';

/** A graph in the language of Graphviz. */
export function graphDot({ nodes, edges }: Graph): string {
  return [
    'digraph trueup {',
    '  rankdir=LR;',
    '  node [shape=box, style=filled, fontname="sans-serif"];',
    ...nodes.map(
      ({ lines, action }, at) =>
        `  n${at} [label="${lines.map(escaped).join('\\n')}", fillcolor="${graphColors[action]}"];`,
    ),
    ...edges.map(([from, to]) => `  n${from} -> n${to};`),
    '}',
  ].join('\n');
}

/** In quotes only these two mean something; the escapes of labels all begin with the first. */
const escaped = (text: string) => text.replace(/[\\"]/g, '\\$&');
