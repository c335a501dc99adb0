import { expect } from 'vitest';
import { actions, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const zone = { domains: [{ name: 'example.com' }] };
const records = (line: string) => `domains: { example.com: { $existing: true, records: [${line}] } }`;
const env = (line: string) => `projects: { web: { env: { ${line} } } }`;

/** What a plan proposes once `before` was applied. */
async function proposals(before: string, after: string): Promise<string[]> {
  const world = await newWorld({ seed: zone });
  await world.converge(before);
  const { plan } = await world.plan(after, { maxDeletions: 100 });
  return plan.diagnostics
    .filter(({ code }) => code.startsWith('was/'))
    .map(({ code, message, hint }) =>
      code === 'was/proposed' ? `${message}: ${/`([^`]+)`/.exec(hint!)?.[1]}` : `${code} ${hint}`,
    );
}

oneRowIn(4)([
  [
    'a project',
    'projects: { old: { framework: nextjs } }',
    'projects: { new: { framework: nextjs } }',
    'projects/new would be created, and projects/old, which has the same fields, no longer managed',
    '$was: old',
  ],
  [
    'a custom environment',
    'projects: { web: { customEnvironments: { stage: {} } } }',
    'projects: { web: { customEnvironments: { staging: {} } } }',
    'projects/web/customEnvironments/staging would be created, and projects/web/customEnvironments/stage, which has the same fields, deleted',
    '$was: stage',
  ],
  [
    'a plain variable, once for all its places',
    env('OLD: { value: one, type: plain }'),
    env('NEW: { value: one, type: plain }'),
    'projects/web/env/NEW would be created, and projects/web/env/OLD, which has the same fields, deleted',
    '$was: OLD',
  ],
  [
    'a set of records',
    records('{ type: A, name: old, value: 192.0.2.1 }'),
    records('{ type: A, name: new, value: 192.0.2.1 }'),
    'domains/example.com/records/new/A would be created, and domains/example.com/records/old/A, which has the same fields, deleted',
    '$was: old/A',
  ],
])(
  '%s that goes while its like comes: the rename is proposed, and does what it says',
  async (_, before, after, message, was) => {
    expect(await proposals(before, after)).toEqual([`${message}: ${was}`]);
    const world = await newWorld({ seed: zone });
    await world.converge(before);
    const renamed = after
      .replace(/(new|staging|NEW): \{ ?/, `$1: { ${was}, `)
      .replace('{ type: A', `{ ${was}, type: A`)
      .replace(', }', ' }');
    const plan = await world.converge(renamed, { maxDeletions: 0 });
    expect(actions(plan).filter((one) => /^(create|delete|release)/.test(one))).toEqual([]);
    expect(plan.diagnostics).toEqual([]);
  },
);

oneRowIn(5)([
  ['other fields', env('OLD: { value: one, type: plain }'), env('NEW: { value: two, type: plain }')],
  [
    'fewer fields',
    env('OLD: { value: one, type: plain, comment: c }'),
    env('NEW: { value: one, type: plain }'),
  ],
  [
    'another place',
    env('OLD: { value: one, type: plain, target: [production] }'),
    env('NEW: { value: one, type: plain, target: [preview] }'),
  ],
  [
    'several that go',
    env('A: { value: one, type: plain }, B: { value: one, type: plain }'),
    env('NEW: { value: one, type: plain }'),
  ],
  [
    'several that come',
    env('OLD: { value: one, type: plain }'),
    env('A: { value: one, type: plain }, B: { value: one, type: plain }'),
  ],
  [
    'another parent',
    'projects: { web: { env: { OLD: { value: one, type: plain } } }, docs: {} }',
    'projects: { web: {}, docs: { env: { NEW: { value: one, type: plain } } } }',
  ],
  ['a secret of equal value', env('OLD: one'), env('NEW: one')],
  [
    'a secret that cannot be read',
    env('OLD: { value: one, type: sensitive, target: [production] }'),
    env('NEW: { value: one, type: sensitive, target: [production] }'),
  ],
])('nothing is proposed for %s', async (_, before, after) => {
  expect(await proposals(before, after)).toEqual([]);
});

story('a project with other settings is still suspected', async () => {
  expect(
    await proposals('projects: { old: { framework: nextjs } }', 'projects: { new: { framework: vite } }'),
  ).toEqual([expect.stringMatching(/^was\/suspected .*`\$was: old`/)]);
});
