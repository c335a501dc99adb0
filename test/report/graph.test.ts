import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { savePlan } from '../../src/approval/save-plan.ts';
import { shownPlan } from '../../src/approval/shown-plan.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { graphDot, graphMermaid, operationGraph, resourceGraph } from '../../src/report/plan-graph.ts';
import { Shell } from '../support/cli.ts';
import { sampled } from '../support/sweep.ts';
import { change, operation, planOf } from './builders.ts';
import { shortened } from './shortened.ts';
import { canary, tenPlans } from './ten-plans.ts';

const plans = await tenPlans();
const all = Object.entries(plans);
const graphs = { resources: resourceGraph, operations: operationGraph };
const languages = { dot: graphDot, mermaid: graphMermaid };
const each = Object.keys(graphs).flatMap((what) =>
  Object.keys(languages).map((language) => [what, language]),
) as [keyof typeof graphs, keyof typeof languages][];

it.each(each)('%s as %s, of ten plans', async (what, language) => {
  const text = all.map(
    ([name, plan]) => `### ${name}\n${shortened(languages[language](graphs[what](plan)))}\n`,
  );
  expect(text.join('\n')).not.toContain(canary);
  await expect(text.join('\n')).toMatchFileSnapshot(`golden/graph-${what}.${language}.txt`);
});

it.each(sampled(all, 3))('%j is drawn the same from a saved plan', (_, plan) => {
  const options = {
    baseUrl: '',
    owner: '',
    generation: 7,
    options: {},
    kinds: kindsOf(hosting.kinds),
    secrets: new Map(),
  };
  const shown = shownPlan(savePlan(plan, options));
  for (const graph of Object.values(graphs)) expect(graph(shown)).toEqual(graph(plan));
});

it('an edge leads from what comes first to what needs it, and not from what its parent is in', () => {
  const plan = planOf({
    changes: [
      change('create', 'a/1/b/1', { parent: 'a/1', needs: ['a/1', 'c/1'] }),
      change('noop', 'a/1'),
      change('update', 'a/1/b/1/d/1', { parent: 'a/1/b/1', needs: ['a/1', 'a/1/b/1', 'elsewhere'] }),
      change('create', 'c/1'),
    ],
    operations: [
      operation(['a/1/b/1'], [{ endpoint: 'POST /b' }], { id: 'second', dependsOn: ['first'] }),
      operation(['c/1'], [{ endpoint: 'POST /c' }], { id: 'first' }),
    ],
  });
  expect(resourceGraph(plan).edges).toEqual([
    [1, 0],
    [3, 0],
    [0, 2],
  ]);
  expect(operationGraph(plan)).toEqual({
    nodes: [
      { lines: ['second', 'POST /b'], action: 'create' },
      { lines: ['first', 'POST /c'], action: 'create' },
    ],
    edges: [[1, 0]],
  });
});

const hostile = 'a"];\\" -> b [x] %%{init: {}}%% <img src=x> `c` #quot; ```\u001b[31m\nend';

it('no name can break out', () => {
  const graph = resourceGraph(planOf({ changes: [change('create', hostile)] }));
  const dot = graphDot(graph).split('\n');
  expect(dot).toHaveLength(5);
  expect(dot[3]).toMatch(/^ {2}n0 \[label="(?:[^"\\]|\\.)*", fillcolor="#d3f2d3"\];$/);
  const mermaid = graphMermaid(graph).split('\n');
  expect(mermaid).toHaveLength(3);
  expect(mermaid[1]).toMatch(/^ {2}n0\["(?:[\w ./@:-]|#\d+;)*<br\/>thing: create"\]:::create$/);
});

const graphviz = (() => {
  try {
    execFileSync('dot', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

it.runIf(graphviz)('Graphviz reads it, where it is installed', () => {
  const svg = execFileSync('dot', ['-Tsvg'], {
    input: graphDot(resourceGraph(plans['hostile names'])),
    encoding: 'utf8',
  });
  expect(svg.match(/class="node"/g)).toHaveLength(plans['hostile names'].changes.length);
});

it('graph draws an account, and a saved plan without one', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': 'stack: demo\nplatform: { team: acme }\nprojects: { web: { env: { A: a } } }\n',
  });
  await shell.withTwin();
  const live = await shell.run(['graph', '--operations', '--format', 'mermaid']);
  expect(live.stdout).toMatch(/^flowchart LR\n.*POST \/v11\/projects/);
  expect((await shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
  shell.env = {};
  const saved = await shell.run(['graph', 'plan.json', '--operations', '--format', 'mermaid']);
  expect(saved).toEqual(live);
});
