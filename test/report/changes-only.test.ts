import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { planSchema } from '../../src/report/plan-document.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { stacksJson } from '../../src/report/stacks/stacks-json.ts';
import { terraformPlan } from '../../src/report/terraform/terraform-plan.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { change, edit, operation, planOf, resource } from './builders.ts';

const story = oneStoryIn(4);

/* A stack of 2,000 objects of which two change. */

const at = { file: 'trueup.yaml', line: 1, column: 1 };
const units = ['production', 'preview'].map((target) =>
  change('noop', `projects/web/env/A@${target}`, { kind: 'projectEnvVar', at }),
);
const plan = planOf({
  changes: [
    ...Array.from({ length: 1_998 }, (_, n) => change('noop', `projects/p${n}`, { kind: 'project' })),
    ...units,
    change('update', 'projects/web', { kind: 'project', fields: [edit('framework', 'a', 'b')] }),
    change('noop', 'projects/noted', { kind: 'project', changesLedgerOnly: true }),
    change('noop', 'projects/waits', { kind: 'project', handover: 'b' }),
    change('create', 'projects/new', {
      kind: 'project',
      after: resource('projects/new', { framework: 'x' }),
    }),
  ],
  operations: [operation(['projects/web'], [])],
  unmanaged: [{ kind: 'project', address: 'projects/old', id: '1' }],
});
const changedAddresses = ['projects/new', 'projects/noted', 'projects/waits', 'projects/web'];
const omitted = { project: 1_998, projectEnvVar: 1 };

story('JSON lists what changes and counts the rest by kind', () => {
  const [whole, reduced] = [planJson(plan), planJson(plan, undefined, { changesOnly: true })];
  expect(reduced.changes.map(({ address }) => address)).toEqual(changedAddresses);
  expect(reduced).toMatchObject({ omitted, summary: whole.summary });
  expect({ ...reduced, changes: whole.changes, omitted: undefined }).toEqual(whole);
  const document = JSON.parse(JSON.stringify(reduced));
  expect(new Ajv2020({ strict: false }).compile(planSchema())(document)).toBe(true);
  expect(JSON.stringify(reduced).length).toBeLessThan(JSON.stringify(whole).length / 50);
  const report = { id: 'shop', path: 'shop', needs: [], plan };
  const [stack] = stacksJson([report], undefined, [], { changesOnly: true }).stacks;
  expect(stack!.plan).toEqual(reduced);
});

story("Terraform's plan has unchanged objects in no member", () => {
  const [whole, reduced] = [terraformPlan(plan), terraformPlan(plan, { changesOnly: true })];
  expect(JSON.stringify(whole)).toContain('projects/p7');
  expect(JSON.stringify(reduced)).not.toMatch(/projects\/p\d|projects\/old/);
  expect(reduced.resource_changes.map(({ index }) => index)).toContain('projects/web');
  expect(reduced.trueup).toMatchObject({ omitted, summary: whole.trueup.summary });
  expect([reduced.applyable, reduced.complete]).toEqual([whole.applyable, whole.complete]);
});

story('is an option of plan and show, for these formats', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': 'stack: a\nplatform: { personal: true }\nprojects: { one: {} }\n',
  });
  await shell.withTwin({ projects: [{ name: 'one' }, { name: 'two' }] } as never);
  await shell.run(['apply', '--auto-approve']);
  const args = ['--json', '--changes-only'];
  const { changes, ...document } = JSON.parse((await shell.run(['plan', '--out', 'p.json', ...args])).stdout);
  expect([changes, document.omitted, document.summary.noop]).toEqual([[], { project: 1 }, 1]);
  expect(JSON.parse((await shell.run(['show', 'p.json', ...args])).stdout).omitted).toEqual({ project: 1 });
  expect(JSON.parse((await shell.run(['show', 'p.json', '--json'])).stdout).changes).toHaveLength(1);
  const refused = await shell.run(['plan', '--changes-only']);
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining('needs --format json or terraform'),
  ]);
});
