import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { catalog } from '../../providers/hosting/catalog.ts';
import {
  type FaultPlan,
  FaultPlanError,
  servedOperations,
  startTwin,
  type Twin,
  type TwinOptions,
} from '../../providers/hosting/twin/index.ts';
import { lists, nameOf } from '../../providers/hosting/twin/tables.ts';
import { Shell } from '../support/cli.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { until } from '../support/until.ts';
import { type Reply, refusal, send } from './client.ts';

const story = oneStoryIn(4);

type Fault = FaultPlan['faults'][number];

async function start(faults: Fault[], options: TwinOptions = {}): Promise<Twin> {
  const twin = await startTwin({ ...options, faults: { faults } });
  onTestFinished(() => twin.close());
  return twin;
}

const create = (twin: Twin, name: string) => send(twin, 'POST', '/v11/projects', { name });
const list = (twin: Twin, query = '') => send(twin, 'GET', `/v10/projects${query}`);
const named = (reply: Reply): string[] => reply.body.projects.map(({ name }: { name: string }) => name);
const stored = (twin: Twin): string[] => twin.account.projects.map(({ name }) => name);
const done = (twin: Twin) => twin.faults.map(({ request, fault }) => `${request} ${fault}`);

/** Why no answer came. */
const lost = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    (answer) => `answered ${JSON.stringify(answer)}`,
    (error: { code?: string }) => error.code ?? String(error),
  );

/** What goes over the wire, byte by byte. */
async function raw(twin: Twin, path: string): Promise<{ status: number; text: string }> {
  const answer = await request(`${twin.url}${path}`, { headers: { authorization: 'Bearer test' } });
  return { status: answer.statusCode, text: await answer.body.text() };
}

const first = { request: 1 };

describe('in place of the effect', () => {
  it.each([
    [{}, {}, undefined],
    [{ retryAfter: 2 }, { 'retry-after': '2' }, undefined],
    [
      { reset: 30 },
      { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1030' },
      { total: 100, remaining: 0, reset: 1030 },
    ],
    [{ retryAfter: 0, reset: 0.5 }, { 'retry-after': '0', 'x-ratelimit-reset': '1001' }, expect.anything()],
  ])('429 with %j', async (wait, headers, limit) => {
    const twin = await start([{ at: first, do: { type: 'rateLimit', ...wait } }], { now: () => 1_000_000 });
    const refused = await create(twin, 'web');
    expect(refusal(refused)).toEqual([429, 'rate_limited']);
    const said = Object.entries(refused.headers).filter(([name]) => /retry-after|ratelimit/.test(name));
    expect(Object.fromEntries(said)).toMatchObject(headers);
    expect(said.length === 0).toBe(Object.keys(headers).length === 0);
    expect(refused.body.error.limit).toEqual(limit);
    expect(stored(twin)).toEqual([]);
    expect((await create(twin, 'web')).status).toBe(200);
    expect(twin.faults).toMatchObject([{ request: 1, operationId: 'createProject', method: 'POST' }]);
  });

  oneRowIn(5)([400, 403, 404, 409, 422, 500, 502, 503] as const)('%i', async (status) => {
    const twin = await start([{ at: first, do: { type: 'status', status } }]);
    expect((await create(twin, 'web')).status).toBe(status);
    expect(stored(twin)).toEqual([]);
    expect(done(twin)).toEqual([`1 ${status} before the effect`]);
    expect(twin.requests[0]).toMatchObject({ status, fault: `${status} before the effect` });
    expect((await create(twin, 'web')).status).toBe(200);
  });

  it('the connection is reset', async () => {
    const twin = await start([{ at: first, do: { type: 'connectionReset' } }]);
    expect(await lost(create(twin, 'web'))).toBe('ECONNRESET');
    expect(stored(twin)).toEqual([]);
    expect(twin.requests[0]).toMatchObject({ status: 0, operationId: 'createProject' });
    expect((await create(twin, 'web')).status).toBe(200);
  });
});

describe('after the effect', () => {
  it.each([400, 403, 404, 409, 422, 500, 502, 503] as const)('%i', async (status) => {
    const twin = await start([{ at: first, do: { type: 'status', status, when: 'after' } }]);
    expect((await create(twin, 'web')).status).toBe(status);
    expect(stored(twin)).toEqual(['web']);
    expect((await create(twin, 'web')).status).toBe(409);
  });

  it('the connection is reset', async () => {
    const twin = await start([{ at: first, do: { type: 'connectionReset', when: 'after' } }]);
    expect(await lost(create(twin, 'web'))).toBe('ECONNRESET');
    expect(stored(twin)).toEqual(['web']);
    expect(done(twin)).toEqual(['1 connection reset after the effect']);
  });

  it('the connection ends in the middle of the answer, or before one that is empty', async () => {
    const faults: Fault[] = [{ at: { every: 1 }, do: { type: 'connectionReset', when: 'during' } }];
    const twin = await start(faults);
    expect(await lost(create(twin, 'web'))).toMatch(/UND_ERR_SOCKET|ECONNRESET|UND_ERR_RES_CONTENT_LENGTH/);
    expect(stored(twin)).toEqual(['web']);
    expect(twin.requests[0]?.status).toBe(200);
    expect(await lost(send(twin, 'DELETE', '/v9/projects/web'))).toBe('ECONNRESET');
    expect(stored(twin)).toEqual([]);
    expect(twin.requests[1]?.status).toBe(0);
  });

  it('the answer comes later, on the clock that the twin was given', async () => {
    const waits: number[] = [];
    let wake = () => {};
    const sleep = (ms: number) => {
      waits.push(ms);
      return new Promise<void>((done) => {
        wake = done;
      });
    };
    const twin = await start([{ at: first, do: { type: 'delay', ms: 90_000 } }], { sleep });
    let answered = false;
    const late = create(twin, 'web').finally(() => {
      answered = true;
    });
    // Others are served meanwhile, and see what was done.
    while (waits.length === 0) await list(twin);
    expect(waits).toEqual([90_000]);
    expect(named(await list(twin))).toEqual(['web']);
    expect(answered).toBe(false);
    wake();
    expect((await late).status).toBe(200);
  });
});

describe('batches', () => {
  const variables = ['A', 'B', 'C'].map((key) => ({
    key,
    value: 'x',
    type: 'plain',
    target: ['production'],
  }));
  const half: Fault = { at: { every: 1 }, do: { type: 'partialBatch' } };
  const most: Fault = { at: { every: 1 }, do: { type: 'partialBatch', done: 2 } };
  const seed = { projects: [{ name: 'web' }] };

  it("of a project's variables", async () => {
    const twin = await start([most], { seed });
    const answer = await send(twin, 'POST', '/v10/projects/web/env', variables);
    expect(answer.status).toBe(201);
    expect(answer.body.created.map(({ key }: { key: string }) => key)).toEqual(['A', 'B']);
    expect(answer.body.failed).toEqual([
      { error: expect.objectContaining({ code: 'internal_server_error', envVarKey: 'C' }) },
    ]);
    expect(twin.account.projects[0]?.env.map(({ key }) => key)).toEqual(['A', 'B']);
    expect(done(twin)).toEqual(['1 2 of 3 items done']);
    // The whole of what was asked is in the log, and a batch of one has no part.
    expect(twin.requests[0]?.body).toHaveLength(3);
    expect((await send(twin, 'POST', '/v10/projects/web/env', variables[2])).status).toBe(201);
    expect(twin.faults).toHaveLength(1);
  });

  it('of shared variables: created, changed, deleted', async () => {
    const twin = await start([half]);
    const evs = ['A', 'B', 'C', 'D'].map((key) => ({ key, value: 'x' }));
    const keys = () => twin.account.sharedEnv.map(({ key }) => key);
    const made = await send(twin, 'POST', '/v1/env', { evs, type: 'encrypted', target: ['production'] });
    expect(made.body.failed.map((one: { error: object }) => one.error)).toMatchObject([
      { envVarKey: 'C', target: ['production'] },
      { envVarKey: 'D' },
    ]);
    expect(keys()).toEqual(['A', 'B']);
    const [a, b] = twin.account.sharedEnv.map(({ id }) => id);
    const updates = { [a!]: { comment: 'new' }, [b!]: { comment: 'new' } };
    const changed = await send(twin, 'PATCH', '/v1/env', { updates });
    expect(changed.body).toMatchObject({ updated: [{ id: a }], failed: [{ error: { envVarId: b } }] });
    expect(twin.account.sharedEnv.map(({ comment }) => comment ?? '')).toEqual(['new', '']);
    const removed = await send(twin, 'DELETE', '/v1/env', { ids: [a, b] });
    expect(removed.body).toMatchObject({ deleted: [a], failed: [{ error: { envVarId: b } }] });
    expect(keys()).toEqual(['B']);
  });

  it('that are refused as a whole are refused', async () => {
    const twin = await start([most], { seed });
    expect((await send(twin, 'POST', '/v10/projects/nobody/env', variables)).status).toBe(404);
    expect(twin.faults).toEqual([]);
  });
});

describe('lists', () => {
  const seed = { projects: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name })) };

  it('a page says that it is the last one', async () => {
    const twin = await start([{ at: { request: 2 }, do: { type: 'cutList' } }], { seed });
    const honest = await list(twin, '?limit=2');
    expect(honest.body.pagination.next).not.toBeNull();
    const cut = await list(twin, '?limit=2');
    expect(named(cut)).toEqual(named(honest));
    expect(cut.body.pagination).toEqual({ ...honest.body.pagination, next: null });
  });

  it('a list is shorter than it is, by half or as far as asked', async () => {
    const faults: Fault[] = [
      { at: { request: 1 }, do: { type: 'cutList' } },
      { at: { request: 2 }, do: { type: 'cutList', keep: 1 } },
      { at: { request: 3 }, do: { type: 'cutList', keep: 9 } },
      { at: { request: 4 }, do: { type: 'cutList', keep: 0 } },
    ];
    const twin = await start(faults, { seed: { ...seed, globalConfigs: [{ slug: 'one' }] } });
    expect((await list(twin)).body).toMatchObject({
      projects: [{}, {}],
      pagination: { count: 2, next: null },
    });
    expect(named(await list(twin))).toHaveLength(1);
    // Nothing to cut, so nothing was done.
    expect(named(await list(twin))).toHaveLength(5);
    expect((await send(twin, 'GET', '/v1/global-config')).body).toEqual([]);
    expect(twin.faults.map(({ request }) => request)).toEqual([1, 2, 4]);
  });

  it('an answer ends in the middle of its JSON', async () => {
    const twin = await start([{ at: first, do: { type: 'cutJson' } }], { seed });
    const path = `/v10/projects?slug=acme`;
    const { status, text } = await raw(twin, path);
    const whole = await raw(twin, path);
    expect(status).toBe(200);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(whole.text.startsWith(text) && text.length > 0).toBe(true);
  });

  it.each([false, true])('are as before a write for a while; by id as well: %s', async (byId) => {
    let time = 1000;
    const faults: Fault[] = [{ at: { operation: 'createProject' }, do: { type: 'stale', ms: 100, byId } }];
    const twin = await start(faults, { now: () => time });
    const byName = async (name: string) => (await send(twin, 'GET', `/v9/projects/${name}`)).status;
    await create(twin, 'a');
    time += 60;
    await create(twin, 'b');
    expect(named(await list(twin))).toEqual([]);
    expect([await byName('a'), await byName('b')]).toEqual(byId ? [404, 404] : [200, 200]);
    expect((await create(twin, 'a')).status).toBe(409);
    time += 40;
    // The first write is seen by now, the second one is not.
    expect(named(await list(twin))).toEqual(['a']);
    expect([await byName('a'), await byName('b')]).toEqual(byId ? [200, 404] : [200, 200]);
    time += 100;
    expect(named(await list(twin)).sort()).toEqual(['a', 'b']);
  });

  it('each served read of many is known as a list', () => {
    const single = [
      'getAiGatewayVirtualModelConfig',
      'getAuthUser',
      'getDomainConfig',
      'getEdgeConfigSchema',
      'getFlagSettings',
      'getInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationGlobalConfig',
      'getRollingRelease',
      'getRollingReleaseConfig',
      'getSecurityFirewallConfig',
    ];
    const many = catalog.filter(
      (one) => one.method === 'GET' && servedOperations.includes(nameOf(one)) && !one.path.endsWith('}'),
    );
    expect(new Set([...Object.keys(lists), ...single])).toEqual(new Set(many.map(nameOf)));
  });
});

describe('somebody else', () => {
  const write = { type: 'foreignWrite', method: 'POST', path: '/v10/projects/web/env' } as const;
  const body = { key: 'A', value: 'canary-5512', type: 'encrypted', target: ['production'] };

  it('writes just before a request is served, in the same team', async () => {
    const faults: Fault[] = [{ at: { request: 2 }, do: { ...write, body, as: 'eve' } }];
    const twin = await start(faults, { seed: { projects: [{ name: 'web' }] } });
    const read = async () => (await send(twin, 'GET', '/v10/projects/web/env')).body.envs;
    expect(await read()).toEqual([]);
    expect(await read()).toMatchObject([{ key: 'A', createdBy: 'user_eve' }]);
    expect(twin.account.user.username).toBe('ada');
    // It is no request of the client's, and no value of it is told.
    expect(twin.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
    expect(done(twin)).toEqual(['2 before it, eve: POST /v10/projects/web/env']);
    expect(JSON.stringify([twin.requests, twin.faults])).not.toContain('canary');
  });

  it('may be refused, and writes beside another fault', async () => {
    const faults: Fault[] = [
      { at: first, do: { type: 'connectionReset' } },
      { at: first, do: { ...write, body } },
      {
        at: first,
        do: { type: 'foreignWrite', method: 'POST', path: '/v11/projects', body: { name: 'web' } },
      },
    ];
    const twin = await start(faults);
    expect(await lost(create(twin, 'mine'))).toBe('ECONNRESET');
    expect(stored(twin)).toEqual(['web']);
    expect(done(twin)).toEqual([
      '1 before it, somebody-else: POST /v10/projects/web/env (refused: 404 not_found)',
      '1 before it, somebody-else: POST /v11/projects',
      '1 connection reset before the effect',
    ]);
  });

  it('does what a function does', async () => {
    const twin = await start([]);
    await create(twin, 'web');
    twin.setFaults({
      faults: [
        {
          at: { request: 2 },
          do: { type: 'foreignChange', change: ({ projects }) => void projects.splice(0) },
        },
      ],
    });
    expect(named(await list(twin))).toEqual(['web']);
    expect(named(await list(twin))).toEqual([]);
  });
});

describe('which requests', () => {
  /** The numbers of the requests that fail, of a fixed sequence: three times a write and two reads. */
  async function failing(at: Fault['at'], only?: Fault['only'], again = false): Promise<number[]> {
    const fault: Fault = { at, do: { type: 'status', status: 500 }, ...(only ? { only } : {}) };
    const twin = await start([fault]);
    if (again) {
      for (const name of ['x', 'y']) await create(twin, name);
      twin.setFaults({ faults: [fault] });
      twin.faults.splice(0);
    }
    for (const name of ['a', 'b', 'c']) {
      await create(twin, name);
      await list(twin);
      await send(twin, 'GET', '/v2/teams');
    }
    return twin.faults.map(({ request }) => request);
  }

  oneRowIn(5)<[Fault['at'], Fault['only'], number[]]>([
    [{ request: 5 }, undefined, [5]],
    [{ request: 2 }, 'writes', [4]],
    [{ request: 3 }, 'reads', [5]],
    [{ every: 4 }, undefined, [4, 8]],
    [{ every: 2 }, 'writes', [4]],
    [{ operation: 'getProjects' }, undefined, [2, 5, 8]],
    [{ operation: 'getTeams', nth: 2 }, undefined, [6]],
    [{ seed: 1, share: 1 }, 'writes', [1, 4, 7]],
    [{ seed: 1, share: 0 }, undefined, []],
  ])('%j of %s: %j', async (at, only, expected) => {
    expect(await failing(at, only)).toEqual(expected);
    expect(await failing(at, only, true)).toEqual(expected);
  });

  story('a seed always gives the same, whatever order requests arrive in', async () => {
    const draws = async (seed: number, order: (names: string[]) => string[]) => {
      const twin = await start([{ at: { seed, share: 0.3 }, do: { type: 'status', status: 500 } }]);
      const names = Array.from({ length: 100 }, (_, i) => `p${i}`);
      await Promise.all(order(names).map((name) => send(twin, 'GET', `/v9/projects/${name}`)));
      return twin.faults.map(({ path }) => path).sort();
    };
    const once = await draws(42, (names) => names);
    expect(await draws(42, (names) => names.toReversed())).toEqual(once);
    expect(await draws(43, (names) => names)).not.toEqual(once);
    console.log(`faults: ${once.length} of 100 requests drawn at a share of 0.3`);
    expect(once.length).toBeGreaterThan(15);
    expect(once.length).toBeLessThan(45);
    // What is asked again is drawn again.
    const twin = await start([{ at: { seed: 42, share: 0.5 }, do: { type: 'status', status: 500 } }]);
    const statuses: number[] = [];
    for (let i = 0; i < 20; i++) statuses.push((await list(twin)).status);
    expect(new Set(statuses)).toEqual(new Set([200, 500]));
  });

  story("the twin's own pages are neither disturbed nor counted", async () => {
    const twin = await start([{ at: { every: 1 }, do: { type: 'status', status: 500 } }]);
    for (const path of ['requests', 'faults', 'openapi.json']) {
      expect((await send(twin, 'GET', `/__twin/${path}`)).status).toBe(200);
    }
    expect((await send(twin, 'GET', '/__twin/nothing')).status).toBe(404);
    expect((await list(twin)).status).toBe(500);
    expect((await send(twin, 'GET', '/__twin/faults')).body).toEqual(twin.faults);
    expect(done(twin)).toEqual(['1 500 before the effect']);
  });

  it('a plan can be replaced at any time', async () => {
    const twin = await start([{ at: { every: 1 }, do: { type: 'stale', ms: 1e6 } }]);
    await create(twin, 'web');
    expect(named(await list(twin))).toEqual([]);
    twin.setFaults({ faults: [{ at: { request: 2 }, do: { type: 'status', status: 503 } }] });
    expect(named(await list(twin))).toEqual(['web']);
    expect((await list(twin)).status).toBe(503);
    expect(() => twin.setFaults({ faults: [{ at: { request: 0 }, do: { type: 'cutJson' } }] })).toThrow(
      FaultPlanError,
    );
    expect((await list(twin)).status).toBe(200);
    expect(done(twin)).toEqual(['1 lists do not show it for 1000000 ms', '2 503 before the effect']);
  });
});

story('the command takes a plan from a file', async () => {
  const shell = await new Shell().write({
    'faults.json': '{"faults": [{"at": {"every": 2}, "do": {"type": "status", "status": 502}}]}',
  });
  const { said, signal, ended } = shell.start(['twin', '--faults', 'faults.json']);
  onTestFinished(async () => {
    signal('SIGTERM');
    await ended;
  });
  const url = () => /^http:\S+$/m.exec(said())?.[0];
  await until(url);
  const twin = { url: url() } as Twin;
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await list(twin)).status);
  expect(statuses).toEqual([200, 502, 200, 502]);
  const { body } = await send(twin, 'GET', '/__twin/faults');
  expect(body).toMatchObject([{ request: 2, operationId: 'getProjects' }, { request: 4 }]);
});

describe('a plan that cannot be used', () => {
  const problems = async (faults: unknown): Promise<string[]> => {
    const failure = await startTwin({ faults: faults as FaultPlan }).then(
      (twin) => twin.close(),
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(FaultPlanError);
    return (failure as FaultPlanError).problems;
  };
  const act = { type: 'cutJson' };

  it('is told every problem of shape with its place', async () => {
    expect(await problems([])).toEqual(['should be object']);
    expect(
      await problems({
        fault: [],
        faults: [
          { at: {}, do: act },
          { at: { request: 0 }, do: act },
          { at: { operation: 'createProject', nht: 2 }, do: act },
          { at: { request: 1, every: 2 }, do: act },
          { at: { seed: 1, share: 2 }, do: act, only: 'some' },
          { at: { every: 2 } },
          { at: { every: 2 }, do: { type: 'explode' } },
          { at: { every: 2 }, do: { type: 'delay' } },
          { at: { every: 2 }, do: { type: 'status', status: 418, when: 'later', x: 1 } },
          { at: { every: 2 }, do: { type: 'foreignWrite', method: 'GET', path: 'v1' } },
          { at: { every: 2 }, do: { type: 'foreignChange', change: 'text' } },
        ],
      }),
    ).toMatchInlineSnapshot(`
      [
        "\`faults[0].at\` should be {request}, {every}, {operation} with or without {nth}, or {seed, share}",
        "\`faults[1].at.request\` should NOT be less than 1",
        "\`faults[2].at\` should NOT have additional property \`nht\`",
        "\`faults[3].at\` should be {request}, {every}, {operation} with or without {nth}, or {seed, share}",
        "\`faults[4].at.share\` should NOT be more than 1",
        "\`faults[4].only\` should be equal to one of the allowed values "reads", "writes"",
        "missing required property \`faults[5].do\`",
        "\`faults[6].do.type\` should be one of rateLimit, status, connectionReset, delay, partialBatch, cutList, cutJson, stale, foreignWrite, foreignChange",
        "missing required property \`faults[7].do.ms\`",
        "\`faults[8].do.status\` should be equal to one of the allowed values 400, 402, 403, 404, 409, 410, 422, 500, 502, 503",
        "\`faults[8].do.when\` should be equal to one of the allowed values "before", "after"",
        "\`faults[8].do\` should NOT have additional property \`x\`",
        "\`faults[9].do.method\` should be equal to one of the allowed values "POST", "PUT", "PATCH", "DELETE"",
        "\`faults[9].do.path\` should begin with a slash",
        "\`faults[10].do.change\` should be a function: a file has \`foreignWrite\` in its place",
        "should NOT have additional property \`fault\`",
      ]
    `);
  });

  it('is told every problem of meaning with its place', async () => {
    const path = '/v1/nothing';
    expect(
      await problems({
        faults: [
          { at: { operation: 'createProjects' }, do: act },
          { at: { operation: 'createProject' }, only: 'reads', do: act },
          { at: { operation: 'createProject' }, do: { type: 'cutList' } },
          { at: { operation: 'getProjects' }, do: { type: 'stale', ms: 1 } },
          { at: { operation: 'createProject' }, do: { type: 'partialBatch' } },
          { at: { every: 1 }, only: 'reads', do: { type: 'partialBatch' } },
          { at: { every: 1 }, only: 'writes', do: { type: 'cutList' } },
          { at: { every: 1 }, do: { type: 'foreignWrite', method: 'POST', path } },
        ],
      }),
    ).toMatchInlineSnapshot(`
      [
        "\`faults[0].at.operation\` should be the name of an operation that the twin serves",
        "\`faults[1].only\` leaves nothing of createProject, which writes",
        "\`faults[2].at.operation\` leaves nothing to do: \`cutList\` is for lists",
        "\`faults[3].at.operation\` leaves nothing to do: \`stale\` is for writes",
        "\`faults[4].at.operation\` leaves nothing to do: \`partialBatch\` is for batches (createProjectEnv, createSharedEnvVariable, updateSharedEnvVariable, deleteSharedEnvVariable)",
        "\`faults[5].only\` leaves nothing to do: \`partialBatch\` is for batches (createProjectEnv, createSharedEnvVariable, updateSharedEnvVariable, deleteSharedEnvVariable)",
        "\`faults[6].only\` leaves nothing to do: \`cutList\` is for lists",
        "\`faults[7].do.path\` should be a path for POST that the twin serves",
      ]
    `);
  });

  story('is refused by the command, as is a file that is none', async () => {
    const shell = await new Shell().write({
      'bad.json': '{"faults": [{"at": {"request": 1}, "do": {"type": "explode"}}]}',
      'none.json': 'faults:',
    });
    const bad = await shell.run(['twin', '--faults', 'bad.json']);
    expect(bad).toMatchObject({ status: 1, stdout: '' });
    expect(bad.stderr).toContain('`faults[0].do.type` should be one of rateLimit');
    const none = await shell.run(['twin', '--faults', 'none.json']);
    expect(none).toMatchObject({ status: 1, stdout: '' });
    expect(none.stderr).toContain('the fault plan none.json cannot be read');
  });
});
