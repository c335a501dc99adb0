import { afterEach, expect, it } from 'vitest';
import { exported } from '../export/exported.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { World } from '../support/world.ts';

const story = oneStoryIn(5);

let world: World;
afterEach(() => world.stop());

const seed = {
  projects: [
    {
      name: 'web',
      deployments: [
        { id: 'dpl_old', target: 'production' },
        { id: 'dpl_other', meta: { trueup: 'theirs' } },
      ],
      aliases: [{ alias: 'web-git-main.vercel.app' }, { alias: 'web-two.vercel.app' }],
    },
  ],
};
const web = (blocks: string) => `projects: { web: { ${blocks} } }`;
const source = 'gitSource: { type: github, org: acme, repo: web, ref: main }';
const deployments = () => world.twin.account.projects[0]!.deployments;
const problems = (plan: { diagnostics: { severity: string; code: string }[] }) =>
  plan.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);

story('is made once, known by the name in its metadata, and stays when its block goes', async () => {
  world = await World.start({ seed });
  const yaml = web(`deployments: { v1: { ${source}, target: production } }`);
  const plan = await world.converge(yaml);
  expect(plan.changes.find(({ action }) => action === 'create')).toMatchObject({ grade: 'disruptive' });
  expect(deployments().at(-1)).toMatchObject({ meta: { trueup: 'v1' }, target: 'production' });
  world.ledger = { ...world.ledger, entries: {} };
  const since = world.twin.requests.length;
  await world.converge(yaml);
  await world.converge(web('deployments: { v1: {} }'));
  await world.converge(yaml);
  for (const edited of [yaml.replace('main', 'next'), yaml.replace('production', 'staging')])
    expect(problems((await world.plan(edited)).plan)).toEqual(['replace/refused']);
  await world.converge(web(''));
  expect(world.writes(since)).toEqual([]);
  expect(deployments()).toHaveLength(3);
});

it('is deleted only where somebody asked for it, and that cannot be undone', async () => {
  world = await World.start({ seed });
  await world.converge(web(`deployments: { v1: { ${source} } }`));
  const removed = 'removed: [{ at: projects/web/deployments/v1, delete: true }]';
  const plan = await world.converge(`${web('')}\n${removed}`);
  expect(plan.changes.find(({ action }) => action === 'delete')).toMatchObject({ grade: 'irreversible' });
  expect(deployments().map(({ id }) => id)).toEqual(['dpl_old', 'dpl_other']);
});

story('is built anew where it failed, and has to say what of', async () => {
  world = await World.start({ seed });
  const yaml = web(`deployments: { v1: { deploymentId: dpl_old } }`);
  await world.converge(yaml);
  deployments().at(-1)!.state = 'ERROR';
  expect(problems((await world.plan(web('deployments: { v1: {} }'))).plan)).toEqual(['deployment/content']);
  await world.converge(yaml);
  expect(deployments().map(({ meta, state }) => [meta.trueup, state])).toEqual([
    [undefined, undefined],
    ['theirs', undefined],
    ['v1', 'ERROR'],
    ['v1', undefined],
  ]);
});

it('others, and their names, stand in no export, and `$exclusive` takes none of them away', async () => {
  world = await World.start({ seed });
  const { yaml } = await exported(world);
  expect(yaml).not.toMatch(/aliases|deployments|trueup|vercel\.app/);
  const one = `$exclusive: [deployments, aliases], deployments: { v1: { ${source} } }`;
  const two = 'aliases: { web-two.vercel.app: { deploymentId: dpl_other } }';
  await world.converge(web(`${one}, ${two}`));
  expect(world.writes().map((line) => line.replace(/\?.*/, ''))).toEqual([
    'POST /v13/deployments',
    'POST /v2/deployments/dpl_other/aliases',
  ]);
  expect(world.twin.account.aliases.map(({ alias, deploymentId }) => [alias, deploymentId])).toEqual([
    ['web-git-main.vercel.app', 'dpl_old'],
    ['web-two.vercel.app', 'dpl_other'],
  ]);
  await world.converge(web(one));
  expect(world.twin.account.aliases).toHaveLength(1);
});

it('a name moves, and its redirect is cleared by null', async () => {
  world = await World.start({ seed });
  const name = (rest: string) => web(`aliases: { web-two.vercel.app: { ${rest} } }`);
  await world.converge(name('deploymentId: dpl_old, redirect: WWW.example.com'));
  const plan = await world.converge(name('deploymentId: dpl_other, redirect: null'));
  expect(plan.changes.find(({ action }) => action === 'update')).toMatchObject({ grade: 'disruptive' });
  expect(world.twin.account.aliases.at(-1)).toMatchObject({ deploymentId: 'dpl_other', redirect: null });
});

story('a name cannot show what is not built yet: a later run gives it', async () => {
  world = await World.start({ seed });
  const [old] = deployments();
  old!.state = 'BUILDING';
  const yaml = web('aliases: { web-three.vercel.app: { deploymentId: dpl_old } }');
  const { outcome } = await world.apply(await world.plan(yaml));
  expect(outcome.failed.map(({ error }) => (error as Error).message).join()).toContain(
    'deployment_not_ready',
  );
  old!.state = 'READY';
  await world.converge(yaml);
});
