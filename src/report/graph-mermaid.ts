import { graphColors } from './graph-colors.ts';
import type { Graph } from './plan-graph.ts';

/** A graph in the language of Mermaid, which GitHub and GitLab draw in Markdown. */
export function graphMermaid({ nodes, edges }: Graph): string {
  const actions = [...new Set(nodes.map(({ action }) => action))].sort();
  return [
    'flowchart LR',
    ...nodes.map(({ lines, action }, at) => `  n${at}["${lines.map(escaped).join('<br/>')}"]:::${action}`),
    ...edges.map(([from, to]) => `  n${from} --> n${to}`),
    ...actions.map((action) => `  classDef ${action} fill:${graphColors[action]},color:#222,stroke:#888`),
  ].join('\n');
}

/** All that could mean something there, to Mermaid, to HTML or to a fence around it, as the number of its character. */
const escaped = (text: string) =>
  text.replace(/[^\p{L}\p{N} ./@:_-]/gu, (char) => `#${char.codePointAt(0)};`);
