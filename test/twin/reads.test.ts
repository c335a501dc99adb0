import { expect, it, onTestFinished } from 'vitest';
import type { Account } from '../../providers/hosting/twin/account.ts';
import { Answer } from '../../providers/hosting/twin/call.ts';
import { startTwin } from '../../providers/hosting/twin/index.ts';
import type { Resource } from '../../providers/hosting/twin/resource.ts';
import { resources } from '../../providers/hosting/twin/resources.ts';
import { operations } from '../../providers/hosting/twin/tables.ts';
import { everySeed } from '../support/every-seed.ts';
import { samples } from '../support/samples.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { send } from './client.ts';
import { sendTheRest } from './every-operation.ts';
import { Reading } from './every-read.ts';

const story = oneStoryIn(4);

/** A resource that nothing else knows of, with something in every account and project. */
const unknown = {
  keeps: { account: { canaries: ['canary'] }, project: { canaries: ['canary'] } },
  operations: {},
} as unknown as Resource;

/** All objects that others can be kept in. */
const holders = ({ user, teams, projects, domains, globalConfigs, accessGroups }: Account): object[] => [
  user,
  ...teams,
  ...projects,
  ...projects.map((project) => project.featureFlags),
  ...domains,
  ...globalConfigs,
  ...accessGroups,
];

/** Has every operation of this test find more in the account than any read lists; returns what they answered, by name. */
function withCanaries(): Map<string, string[]> {
  const answers = new Map<string, string[]>();
  const before = Object.values(operations).map(({ serve }) => serve);
  resources.push(unknown);
  onTestFinished(() => {
    resources.splice(resources.indexOf(unknown), 1);
    for (const [i, operation] of Object.values(operations).entries()) operation.serve = before[i]!;
  });
  for (const [name, operation] of Object.entries(operations)) {
    const { serve } = operation;
    operation.serve = (call) => {
      for (const holder of holders(call.account)) Object.assign(holder, { canary: { of: 'canary' } });
      const result = serve(call);
      const body = result instanceof Answer ? result.body : result;
      answers.set(name, [...(answers.get(name) ?? []), JSON.stringify(body ?? null)]);
      return result;
    };
  }
  return answers;
}

story('show only what they list: nothing that another resource keeps in the same object', async () => {
  const answers = withCanaries();
  const twin = await startTwin({ seed: everySeed(samples) });
  onTestFinished(() => twin.close());
  expect(twin.account).toMatchObject({ canaries: ['canary'] });
  await Reading.of(twin);
  await sendTheRest(twin);
  await send(twin, 'POST', '/v11/projects', { name: 'kept' });
  await send(twin, 'PATCH', '/v9/projects/kept', { framework: 'nextjs' });
  expect(twin.account.projects.find(({ name }) => name === 'kept')).toMatchObject({ canaries: ['canary'] });
  // A rolling release has a canary deployment.
  const leaking = [...answers].filter(([, bodies]) => bodies.some((body) => /"canar(y|ies)"/.test(body)));
  expect(leaking.map(([name]) => name)).toEqual([]);
  console.log(`reads: ${answers.size} operations answered without what they do not list`);
  expect(answers.size).toBeGreaterThan(100);
});

it('have nothing that a client writes over what a resource keeps', async () => {
  withCanaries();
  const twin = await startTwin({ lenient: true, seed: { projects: [{ name: 'web' }] } });
  onTestFinished(() => twin.close());
  const { status } = await send(twin, 'PATCH', '/v9/projects/web', { canaries: 'x', other: 'y' });
  expect(status).toBe(200);
  expect(twin.account.projects).toMatchObject([{ canaries: ['canary'], outside: { other: 'y' } }]);
  const { body } = await send(twin, 'GET', '/v9/projects/web');
  expect([body.canaries, body.other]).toEqual([undefined, 'y']);
});
