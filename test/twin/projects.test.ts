import { afterEach, expect, it } from 'vitest';
import { startTwin, type Twin, type TwinOptions } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
const start = async (options?: TwinOptions) => {
  twin = await startTwin({ ...options });
};
afterEach(() => twin.close());

it('creates with the POST fields and changes with the PATCH fields only', async () => {
  await start();
  const created = await send(twin, 'POST', '/v11/projects', { name: 'web', framework: 'nextjs' });
  expect(created.body).toMatchObject({ name: 'web', framework: 'nextjs', nodeVersion: '24.x' });
  for (const [method, path, body, property] of [
    ['POST', '/v11/projects', { name: 'two', nodeVersion: '22.x' }, 'nodeVersion'],
    ['PATCH', '/v9/projects/web', { gitRepository: { type: 'github', repo: 'a/b' } }, 'gitRepository'],
    ['PATCH', '/v9/projects/web', { colour: 'red' }, 'colour'],
  ] as const) {
    const refused = await send(twin, method, path, body);
    expect(refusal(refused)).toEqual([400, 'bad_request']);
    expect(refused.body.error.message).toContain(`should NOT have additional property \`${property}\``);
  }
  const patched = await send(twin, 'PATCH', `/v9/projects/${created.body.id}`, { nodeVersion: '22.x' });
  expect(patched.body).toMatchObject({ framework: 'nextjs', nodeVersion: '22.x' });
  expect(patched.body.updatedAt).toBeGreaterThan(created.body.updatedAt);
});

it.each([
  [{}, 'missing required property `name`'],
  [{ name: 7 }, '`name` should be string'],
  [{ name: 'web', framework: 'nxtjs' }, '`framework` should be equal to one of the allowed values'],
  [{ name: 'web', buildCommand: 5 }, '`buildCommand` should be string'],
  [{ name: 'web', resourceConfig: { buildMachineType: '' } }, '`resourceConfig.buildMachineType`'],
  [{ name: 'Web' }, 'must be lowercase'],
  [{ name: 'a---b' }, 'cannot contain the sequence'],
])('refuses %j', async (body, message) => {
  await start();
  const refused = await send(twin, 'POST', '/v11/projects', body);
  expect(refusal(refused)).toEqual([400, 'bad_request']);
  expect(refused.body.error.message).toContain(message);
  expect(twin.account.projects).toEqual([]);
});

it('clears with null and leaves alone what is absent', async () => {
  await start({ seed: { projects: [{ name: 'web', buildCommand: 'make', outputDirectory: 'out' }] } });
  await send(twin, 'PATCH', '/v9/projects/web', { buildCommand: null, ssoProtection: null });
  expect((await send(twin, 'GET', '/v9/projects/web')).body).toMatchObject({
    buildCommand: null,
    outputDirectory: 'out',
    ssoProtection: null,
  });
});

it('refuses a name that is taken', async () => {
  await start({ seed: { projects: [{ name: 'web' }, { name: 'two' }] } });
  expect(refusal(await send(twin, 'POST', '/v11/projects', { name: 'web' }))).toEqual([409, 'conflict']);
  expect((await send(twin, 'PATCH', '/v9/projects/two', { name: 'web' })).status).toBe(409);
  expect((await send(twin, 'PATCH', '/v9/projects/two', { name: 'three' })).body.name).toBe('three');
});

it('never gives a password back', async () => {
  await start({ seed: { projects: [{ name: 'web' }] } });
  const passwordProtection = { deploymentType: 'all', password: 'canary' };
  const answer = await send(twin, 'PATCH', '/v9/projects/web', { passwordProtection });
  expect(answer.body.passwordProtection).toEqual({ deploymentType: 'all' });
});

it('reads an elastic machine as a selection', async () => {
  await start({ seed: { projects: [{ name: 'web' }] } });
  const resourceConfig = { buildMachineType: 'elastic' };
  expect((await send(twin, 'PATCH', '/v9/projects/web', { resourceConfig })).body.resourceConfig).toEqual({
    buildMachineSelection: 'elastic',
    buildMachineType: 'standard',
    fluid: true,
    functionDefaultRegions: ['iad1'],
  });
});

it('takes a repository and variables at creation, all or nothing', async () => {
  await start();
  const body = {
    name: 'web',
    gitRepository: { type: 'github', repo: 'acme/web' },
    environmentVariables: [{ key: 'A', value: '1', target: 'production' }],
  };
  const created = await send(twin, 'POST', '/v11/projects', body);
  expect(created.body.link).toMatchObject({ type: 'github', org: 'acme', repo: 'web' });
  expect(twin.account.projects[0]?.env).toMatchObject([
    { key: 'A', type: 'encrypted', target: ['production'] },
  ]);
  const twice = [...body.environmentVariables, ...body.environmentVariables];
  const refused = await send(twin, 'POST', '/v11/projects', { name: 'x', environmentVariables: twice });
  expect(refusal(refused)).toEqual([400, 'ENV_CONFLICT']);
  expect(twin.account.projects).toHaveLength(1);
});

it('deletes a project with all that is below it', async () => {
  await start({
    seed: {
      projects: [{ name: 'web', env: [{ key: 'A', value: '1' }], domains: [{ name: 'w.example.com' }] }],
    },
  });
  expect((await send(twin, 'DELETE', '/v9/projects/web')).status).toBe(204);
  expect((await send(twin, 'GET', '/v9/projects/web')).status).toBe(404);
  expect((await send(twin, 'GET', '/v10/projects/web/env')).status).toBe(404);
  await send(twin, 'POST', '/v11/projects', { name: 'web' });
  expect((await send(twin, 'GET', '/v10/projects/web/env')).body.envs).toEqual([]);
  // The name is free again.
  expect((await send(twin, 'POST', '/v10/projects/web/domains', { name: 'w.example.com' })).status).toBe(200);
});

it('leaves fields out of reads that the SDK does not know, if so switched', async () => {
  await start({
    seed: { projects: [{ name: 'web', previewDeploymentSuffix: 'example.com' }] },
    switches: { projectReadIncomplete: true },
  });
  const { body } = await send(twin, 'GET', '/v9/projects/web');
  expect(body).not.toHaveProperty('previewDeploymentSuffix');
  expect(body).not.toHaveProperty('serverlessFunctionRegion');
  expect(twin.account.projects[0]?.previewDeploymentSuffix).toBe('example.com');
});

it('answers bare errors, if so switched', async () => {
  await start({ switches: { errorBodyUnwrapped: true } });
  expect((await send(twin, 'GET', '/v9/projects/none')).body).toEqual({
    code: 'not_found',
    message: 'Project was not found.',
  });
});
