import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { Shell } from '../support/cli.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';

const story = oneStoryIn(3);

/*
 * Promotes everything from one random side to another. After it, the promoted objects are equal and A is byte for byte what it was; or the
 * promotion is refused, and no file is written.
 */

type Block = Record<string, unknown>;

const targets = fc.subarray(['production', 'preview', 'development'], { minLength: 1 });
const scalar = fc.constantFrom<unknown>(
  'a',
  'b',
  '${var.v}',
  '${var.w}-x',
  '${secret.s}',
  'pre-${secret.s}',
  'https://${project.id}',
);
const variable = fc.oneof(
  scalar,
  fc.record({ value: scalar, target: targets }),
  fc.record({ value: scalar, comment: fc.constantFrom('x', 'y') }),
  targets.map((chosen) => [
    { value: 'first', target: chosen },
    ...(chosen.length < 3
      ? [
          {
            value: 'second',
            target: ['production', 'preview', 'development'].filter((name) => !chosen.includes(name)),
          },
        ]
      : []),
  ]),
);
const fields = {
  framework: fc.constantFrom('nextjs', 'vite', null),
  nodeVersion: fc.constantFrom('20.x', '22.x'),
  buildCommand: fc.constantFrom('make', 'make ${var.v}'),
  resourceConfig: fc.record({ functionDefaultTimeout: fc.constantFrom(10, 20) }),
};
const project = fc.record(
  {
    ...fields,
    $protect: fc.constant(true),
    env: fc.dictionary(fc.constantFrom('A', 'B', 'C'), variable, { maxKeys: 3 }),
    domains: fc.dictionary(fc.constantFrom('www.a.example', 'b.example'), fc.record({}), { maxKeys: 2 }),
  },
  { requiredKeys: [] },
);
const patch = fc.record(
  { ...fields, env: fc.dictionary(fc.constantFrom('A', 'D'), scalar, { maxKeys: 2 }) },
  { requiredKeys: [] },
);
const record = fc.record({
  type: fc.constant('A'),
  name: fc.constantFrom('www', 'api'),
  value: fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3'),
});
const records = fc.uniqueArray(record, { selector: ({ name, value }) => name + value, maxLength: 4 });

const common = {
  platform: { team: 'acme' },
  variables: { v: { default: 'one' }, w: { default: 'two' } },
  secrets: { s: {} },
};

/** Returns a configuration as people write it: in lines, or in braces. */
const textOf = (document: Block, isFlow: boolean): string =>
  isFlow ? `${JSON.stringify(document)}\n` : stringify(document, { lineWidth: 0 });

async function promoteAll(shell: Shell, a: string, b: string, isOfA: () => Promise<string>, files: string[]) {
  const before = await isOfA();
  // Two projects may have drawn the same domain, and a patch may not fit.
  fc.pre((await shell.run(['validate', ...(a === 'a' ? ['--all'] : [])])).status === 0);
  const textsBefore = files.map((file) => readFileSync(join(shell.folder, file), 'utf8'));
  const ran = await shell.run(['diff', a, b, '--promote', '**', '--auto-approve']);
  expect(await isOfA()).toBe(before);
  const context = [...textsBefore, ran.all].join('\n');
  if (ran.status !== 0) {
    expect(files.map((file) => readFileSync(join(shell.folder, file), 'utf8'))).toEqual(textsBefore);
    expect(ran.stderr, context).toContain('[diff/unpromotable]');
    // Only a domain that another project of B has cannot be promoted.
    expect(ran.stderr, context).toContain('which only one can have');
    return;
  }
  const { objects } = JSON.parse((await shell.run(['diff', a, b, '--json'])).stdout);
  const open = objects.filter(
    ({ state }: { state: string }) => !['equal', 'onlyInB', 'otherSource'].includes(state),
  );
  expect(open, context).toEqual([]);
}

story('between two stages', async () => {
  const stage = fc.record({ v: fc.constantFrom('one', 'three') }, { requiredKeys: [] });
  const stages = ['staging', 'preview', 'production'] as const;
  const configuration = fc.record({
    projects: fc.dictionary(fc.constantFrom('web', 'api-${stage}', 'site'), project, {
      minKeys: 1,
      maxKeys: 3,
    }),
    records,
    variables: fc.tuple(stage, stage, stage),
    patches: fc.array(
      fc.record({
        at: fc.constantFrom(0, 1, 2),
        stage: fc.constantFrom<unknown>(...stages, ['staging', 'preview']),
        patch,
      }),
      { maxLength: 4 },
    ),
    isFlow: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(configuration, async (drawn) => {
      const names = Object.keys(drawn.projects);
      const document = {
        stack: 'shop',
        ...common,
        stages: Object.fromEntries(stages.map((name, i) => [name, { variables: drawn.variables[i] }])),
        projects: drawn.projects,
        domains: { 'a.example': { $existing: true, records: drawn.records } },
        patches: drawn.patches.map(({ at, stage: when, patch: content }) => ({
          $at: `projects/${names[at % names.length]!.replace('${stage}', '*')}`,
          $when: { stage: when },
          ...content,
        })),
      };
      const shell = await new Shell().write({ 'trueup.yaml': textOf(document, drawn.isFlow) });
      const render = async () => {
        const texts = await Promise.all(
          ['staging', 'preview'].map((name) => shell.run(['render', '--stage', name])),
        );
        return texts.map(({ all }) => all).join('\n');
      };
      await promoteAll(shell, 'staging', 'production', render, ['trueup.yaml']);
    }),
    { numRuns: runs(Number(process.env.TRUEUP_RUNS ?? 240), 60) },
  );
});

story('between two stacks', async () => {
  const stack = fc.record({
    projects: fc.dictionary(fc.constantFrom('web', 'api'), project, { maxKeys: 2 }),
    records,
    isFlow: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(stack, stack, async (a, b) => {
      const write = (name: string, drawn: typeof a) =>
        textOf(
          {
            stack: name,
            ...common,
            projects: drawn.projects,
            domains: { 'a.example': { $existing: true, records: drawn.records } },
          },
          drawn.isFlow,
        );
      const shell = await new Shell().write({
        'trueup.workspace.yaml': 'stacks: [a, b]\n',
        'a/trueup.yaml': write('a', a),
        'b/trueup.yaml': write('b', b),
      });
      const render = async () => (await shell.run(['render', '-f', 'a/trueup.yaml'])).all;
      await promoteAll(shell, 'a', 'b', render, ['a/trueup.yaml', 'b/trueup.yaml']);
    }),
    { numRuns: runs(Number(process.env.TRUEUP_RUNS ?? 240), 60) },
  );
});
