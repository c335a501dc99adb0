import { expect, test } from 'vitest';
import { newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(5);

/* What the kinds do with operations outside the published catalog that their samples do not show. */

story('without its block, deployments of a project are kept without limit again', async () => {
  const world = await newWorld();
  await world.converge('projects: { web: { deploymentRetention: { expiration: 1m } } }');
  const since = world.twin.requests.length;
  await world.converge('projects: { web: {} }');
  expect(world.twin.requests.slice(since).filter(({ method }) => method === 'PATCH')).toMatchObject([
    {
      body: {
        expiration: 'unlimited',
        expirationProduction: 'unlimited',
        expirationCanceled: 'unlimited',
        expirationErrored: 'unlimited',
      },
    },
  ]);
  const { plan } = await world.plan('projects: { web: { deploymentRetention: { expiration: unlimited } } }');
  expect(plan.diagnostics.map(({ message }) => message)).toContain('at least one duration must have a limit');
});

story('the URL of the newest deploy hook goes into a variable, and nowhere else', async () => {
  const world = await newWorld();
  const hook = (name: string) => `${name}: { ref: main, $secretTo: { variable: projects/web/env/${name} } }`;
  const yaml = (...names: string[]) =>
    `projects: { web: { gitRepository: { type: github, repo: acme/web }, deployHooks: { ${names.map(hook).join(', ')} } } }`;
  await world.converge(yaml('FIRST'));
  await world.converge(yaml('FIRST', 'SECOND'));
  const [web] = world.twin.account.projects;
  const { deployHooks } = web!;
  expect(deployHooks.map(({ name, url }) => [name, url])).toEqual(
    ['FIRST', 'SECOND'].map((name) => [name, web!.env.find(({ key }) => key === name)!.value]),
  );
  for (const { url } of deployHooks) expect(JSON.stringify(world.ledger)).not.toContain(url);
});

story(
  'an integration loses a project with its block, and access that others gave stays unknown',
  async () => {
    const world = await newWorld();
    await world.converge('projects: { web: { integrations: { icfg_one: {} } } }');
    const [web] = world.twin.account.projects;
    web!.allowedInstallations.push('icfg_other');
    await world.converge('projects: { web: {} }');
    expect(web!.allowedInstallations).toEqual(['icfg_other']);
  },
);

story('a connection of a file store is changed and ended by its own id', async () => {
  const world = await newWorld();
  const yaml = (connections: string) =>
    `projects: { web: {} }\nblobStores: { files: { connections: { ${connections} } } }`;
  await world.converge(yaml('web: { envVarPrefix: FILES }'));
  await world.converge(yaml('web: { envVarPrefix: UPLOADS }'));
  const [store] = world.twin.account.stores;
  expect(store!.connections).toMatchObject([{ envVarPrefix: 'UPLOADS' }]);
  await world.converge(yaml(''));
  expect(store!.connections).toEqual([]);
});

test("without its block, a project sends no traces, and one that never did is nobody's object", async () => {
  const world = await newWorld({ seed: { projects: [{ name: 'other' }] } });
  const yaml = (block: string) => `projects: { web: { ${block} }, other: { $exclusive: [tracingConfig] } }`;
  await world.converge(yaml('tracingConfig: { enabled: true }'));
  const since = world.twin.requests.length;
  await world.converge(yaml(''));
  expect(world.twin.requests.slice(since).filter(({ method }) => method !== 'GET')).toMatchObject([
    { method: 'DELETE', path: expect.stringContaining('/v1/drains/tracing/config?projectId=') },
  ]);
  const off = await world.converge(yaml('tracingConfig: { enabled: false }'));
  expect(off.changes.map(({ action }) => action)).not.toContain('create');
  const { plan } = await world.plan(yaml(''), {}, ({ name }) => name === 'tracingConfig');
  expect(plan.unmanaged).toEqual([]);
});

story(
  'a configuration of traces that is off counts as deleted once its block is gone, whoever switched it off',
  async () => {
    const world = await newWorld();
    const yaml = (block: string) => `projects: { web: { ${block} } }`;
    await world.converge(yaml('tracingConfig: { enabled: true }'));
    const { ledger, connection } = world;
    const { send } = connection;
    // The platform has switched it off, and something between says that there is nothing.
    const { outcome } = await world.apply(await world.plan(yaml('')), {
      send: async (request) => {
        const answer = await send(request);
        if (!request.endpoint.startsWith('DELETE')) return answer;
        throw Object.assign(new Error('not found'), { status: 404, mayBeCarriedOut: false });
      },
    });
    expect(outcome.failed).toEqual([]);
    world.ledger = ledger;
    const { plan } = await world.plan(yaml(''));
    expect(plan.operations).toEqual([]);
    // An answer in another form shows neither.
    connection.send = async (request) =>
      request.endpoint.startsWith('GET /v1/drains/tracing/config') ? {} : send(request);
    const unclear = await world.plan(yaml(''));
    expect(unclear.plan.diagnostics).toMatchObject([{ code: 'observe/incomplete' }]);
    expect(unclear.plan.changes.filter(({ kind }) => kind === 'tracingConfig')).toEqual([]);
    connection.send = send;
    await world.converge(yaml(''));
    expect(world.ledger.entries['projects/web/tracingConfig']).toBeUndefined();
  },
);

test('a policy with neither or both of `permissions` and `commands` gets a warning, since the platform may refuse it', async () => {
  const world = await newWorld();
  const warnings = async (members: string) => {
    const { plan } = await world.plan(
      `oidcPolicies: { ci: { clientId: cl_one, issuerUrl: 'https://issuer.example.com', claims: [{ name: aud, values: [{ value: one }] }], ${members} } }`,
    );
    return plan.diagnostics.map(({ severity, hint }) => [severity, hint]);
  };
  expect(await warnings('')).toEqual([['warning', 'add one of them']]);
  expect(await warnings('permissions: [read], commands: [env]')).toEqual([['warning', 'remove one of them']]);
  expect(await warnings('commands: [env]')).toEqual([]);
});
