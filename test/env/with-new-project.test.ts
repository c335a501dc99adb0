import { expect, it } from 'vitest';
import type { ApiObject } from '../../src/kind/read.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { groupFailures } from '../../src/report/failures.ts';
import { newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(4);

const projectWith = (env: string, rest = '') =>
  `secrets: { token: { env: TOKEN }, known: { env: KNOWN } }\nprojects: { other: {}, web: { ${rest}env: { ${env} } } }`;
const variables =
  'A: a, B: [{ value: b, target: [production] }, { value: c, target: [preview], type: plain }]';

const pathsOf = (writes: string[]) => writes.map((write) => write.replace(/prj_\w+/, 'ID')).sort();

/** What the ledger says of each object, without ids, salts, digests and times. */
const formOf = ({ ledger }: World) =>
  Object.entries(ledger.entries)
    .map(([address, { ids, salt, fields, secrets, updatedAt, ...members }]) => ({
      ...{ address, ...members, ids: ids.length, isDated: updatedAt !== undefined },
      fields: Object.keys(fields),
      secrets: Object.keys(secrets),
    }))
    .sort((a, b) => a.address.localeCompare(b.address));

oneRowIn(2)([true, false])(
  'they are created in its request, and recorded as if they had followed (the answer shows them: %s)',
  async (newProjectShowsEnv) => {
    const switches = { newProjectShowsEnv, envTargetAsString: true };
    const [together, apart] = [await newWorld({ switches }), await newWorld({ switches })];
    await together.converge(projectWith(variables));
    expect(pathsOf(together.writes())).toEqual(['POST /v11/projects', 'POST /v11/projects']);
    await apart.converge(projectWith(''));
    await apart.converge(projectWith(variables));
    const rows = ({ twin }: World) =>
      twin.account.projects.find(({ name }) => name === 'web')!.env.map(({ id, ...row }) => row.key);
    expect(rows(together)).toEqual(rows(apart));
    const datedOnlyByAnswer = (form: ReturnType<typeof formOf>) =>
      newProjectShowsEnv ? form : form.map((entry) => ({ ...entry, isDated: false }));
    expect(datedOnlyByAnswer(formOf(together))).toEqual(datedOnlyByAnswer(formOf(apart)));
    expect(together.ledger.begun).toBeUndefined();
  },
);

oneRowIn(5)([
  ['a secret that is not known yet', 'A: a, S: "${secret.token}"', '', ['A']],
  ['a secret', 'A: a, S: "${secret.known}"', '', []],
  ['a reference', 'A: a, R: "${projects.other.id}"', '', ['A']],
  ['a branch', 'A: { value: a, target: [preview], gitBranch: next }', '', []],
  ['a comment', 'A: { value: a, comment: why }', '', []],
  ['a visibility', 'A: { value: a, visibility: config }', '', []],
  [
    'a custom environment',
    'A: { value: a, customEnvironmentIds: [qa] }',
    'customEnvironments: { qa: {} }, ',
    [],
  ],
  ['a project that takes two requests', 'A: a', 'nodeVersion: 22.x, ', []],
  ['something else to wait for', 'A: { value: a, $dependsOn: [projects.other] }', '', []],
])('they follow in a request of their own with %s', async (_, env, rest, joined) => {
  const world = await newWorld();
  world.secretsOf = () => new Map([['known', new Sealed('canary-secret')]]);
  const { plan } = await world.plan(projectWith(env, rest));
  const bodies = plan.operations.flatMap(({ requests }) => requests.map(({ body }) => body as ApiObject));
  const inProject = bodies.flatMap(({ environmentVariables = [] }) => environmentVariables as ApiObject[]);
  expect(inProject.map(({ key }) => key)).toEqual(joined);
});

it('the canary is the project alone, and other projects have their variables', async () => {
  const world = await newWorld();
  const yaml = 'projects: { a: { env: { A: a } }, b: { env: { B: b } } }';
  const { plan } = await world.plan(yaml, { canary: 'on-first-contact' });
  expect(plan.firstContact?.firstChange).toBe('projects/a');
  expect(
    plan.operations.map(({ changes }) => changes.filter((address) => !/@(dev|pre)/.test(address))),
  ).toEqual([['projects/a'], ['projects/b', 'projects/b/env/B@production'], ['projects/a/env/A@production']]);
});

story('a refused variable leaves no project behind, and the next run creates both', async () => {
  const world = await newWorld();
  world.twin.setFaults({
    faults: [{ at: { operation: 'createProject', nth: 1 }, do: { type: 'status', status: 400 } }],
  });
  const yaml = 'projects: { web: { env: { A: { value: a, target: [production] } } } }';
  const { outcome } = await world.apply(await world.plan(yaml));
  expect(outcome.failed.map(({ address }) => address)).toEqual([
    'projects/web',
    'projects/web/env/A@production',
  ]);
  expect([world.ledger.entries, world.ledger.begun]).toEqual([{}, undefined]);
  await world.converge(yaml);
});

story(
  'the error of a variable that is refused each time names the variables, and a way to create the project',
  async () => {
    const world = await newWorld();
    const key = 'K'.repeat(300);
    const yaml = `projects: { web: { env: { A: a, ${key}: b } } }`;
    const { outcome } = await world.apply(await world.plan(yaml));
    expect(world.twin.account.projects).toEqual([]);
    expect(new Set(outcome.failed.map(({ error }) => (error as { hint?: string }).hint))).toEqual(
      new Set([
        `the same request was to create projects/web/env/A and projects/web/env/${key}: if the platform refuses one of them, correct or remove its block; \`trueup apply --target 'projects/web'\` creates projects/web alone`,
      ]),
    );
    const alone = await world.plan(yaml, { targets: ['projects/web'] });
    await world.apply(alone);
    expect(world.twin.account.projects).toMatchObject([{ name: 'web', env: [] }]);
  },
);

story(
  'shows the error of several refused variables once, and creates everything after they are corrected',
  async () => {
    const world = await newWorld();
    const [first, second] = ['K'.repeat(300), 'L'.repeat(300)];
    const yaml = (refused: string) => `
templates: { base: { env: { A: a${refused && `, ${first}: shared`} } } }
projects: { one: { $use: base }, two: { $use: base, env: { B: b${refused && `, ${second}: c`} } } }
`;
    const planned = await world.plan(yaml('refused'));
    const { outcome } = await world.apply(planned);
    const groups = groupFailures(planned.plan, outcome);
    expect(groups.map(({ failed }) => failed[0]!.address).sort()).toEqual(['projects/one', 'projects/two']);
    expect(groups.map(({ failed }) => new Set(failed.map(({ error }) => error)).size)).toEqual([1, 1]);
    await world.converge(yaml(''));
    expect(world.twin.account.projects.map(({ name, env }) => [name, env.length]).sort()).toEqual([
      ['one', 1],
      ['two', 2],
    ]);
  },
);
