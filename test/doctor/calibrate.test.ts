import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { recordedSeed } from '../../providers/hosting/recorded/recorded-seed.ts';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import type { DoctorReport } from '../../src/doctor/doctor-report.ts';
import type { RecordedExchange } from '../../src/kind/evidence.ts';
import { Shell } from '../support/cli.ts';
import { send } from '../twin/client.ts';
import { harOf, type Recorded } from './recording.ts';

const shell = new Shell();
/** Stands for the platform: its account has objects from before the recording. */
let platform: Twin;

beforeAll(async () => {
  platform = await startTwin({
    seed: {
      team: { id: 'team_canary1', slug: 'canary-team' },
      projects: [
        {
          name: 'canary-web',
          env: [{ key: 'CANARY_OLD', value: 'canary-old', target: ['production'] }],
          domains: [{ name: 'canary.example.com' }],
        },
      ],
      domains: [{ name: 'canary.example', records: [{ type: 'A', name: 'canary', value: '192.0.2.1' }] }],
    },
  });
});
afterAll(() => platform.close());

type Sent = [method: Parameters<typeof send>[1], path: string, body?: unknown];

/** Sends a request to the platform, and returns the exchange as a recording has it. */
async function record(...request: Sent): Promise<Recorded> {
  const [method, path, body] = request;
  const scoped = path.includes('?') ? `${path}&teamId=team_canary1` : `${path}?teamId=team_canary1`;
  const { status, body: answer } = await send(platform, method, scoped, body);
  return { request: [method, scoped, body], status, body: answer };
}

/** Calibrates with a recording in a folder without configuration, and returns the report and everything that was printed. */
async function calibrate(har: string, ...args: string[]) {
  writeFileSync(join(shell.folder, 'recording.har'), har);
  const { status, stdout, all } = await shell.run([
    'doctor',
    '--calibrate',
    'recording.har',
    '--json',
    ...args,
  ]);
  const { calibration } = JSON.parse(stdout) as DoctorReport;
  return { status, calibration: calibration!, all };
}

/** Records a story with reads of older objects, creations, changes by id, refusals and deletions. */
async function recordStory(): Promise<Recorded[]> {
  const exchanges: Recorded[] = [];
  const run = async (...request: Sent) => {
    const exchange = await record(...request);
    exchanges.push(exchange);
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return exchange.body as any;
  };
  await run('GET', '/v2/teams/team_canary1');
  const { envs } = await run('GET', '/v10/projects/canary-web/env');
  await run('PATCH', `/v9/projects/canary-web/env/${envs[0].id}`, { value: 'canary-new' });
  await run('GET', '/v9/projects/canary-web/domains');
  const project = await run('POST', '/v11/projects', { name: 'canary-shop' });
  const { created } = await run('POST', `/v10/projects/${project.id}/env`, {
    ...{ key: 'CANARY_KEY', value: 'canary-secret', type: 'encrypted', target: ['preview'] },
  });
  await run('PATCH', `/v9/projects/${project.id}/env/${created.id}`, { value: 'canary-changed' });
  await run('POST', `/v10/projects/${project.id}/env`, {
    ...{ key: 'CANARY_KEY', value: 'canary-again', type: 'encrypted', target: ['preview'] },
  });
  const { records } = await run('GET', '/v5/domains/canary.example/records');
  await run('DELETE', `/v2/domains/canary.example/records/${records[0].id}`);
  const { uid } = await run('POST', '/v2/domains/canary.example/records', {
    ...{ type: 'CNAME', name: 'canary-www', value: 'canary.example.net' },
  });
  await run('DELETE', `/v2/domains/canary.example/records/${uid}`);
  await run('DELETE', `/v9/projects/${project.id}`);
  return exchanges;
}

const secrets = /canary|prj_|rec_|192\.0\.2/i;

it('agrees with a platform that has the rules of the twin, and shows no value of the recording', async () => {
  const exchanges = await recordStory();
  const { status, calibration, all } = await calibrate(harOf(exchanges));
  expect(calibration.operations.flatMap(({ differences }) => differences)).toEqual([]);
  expect(calibration).toMatchObject({ recorded: exchanges.length, agrees: exchanges.length, differs: 0 });
  expect(calibration.kinds.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['dnsRecord', 'project', 'projectDomain', 'projectEnvVar']),
  );
  expect(calibration.facts.map(({ id }) => id)).toContain('PF9');
  expect(status).toBe(0);
  expect(all).not.toMatch(secrets);
});

it('reports each way in which the platform differs, and counts what cannot be compared', async () => {
  const team = '?teamId=team_canary1';
  const created = { id: 'prj_canary7', name: 'canary-x', accountId: 'team_canary1', canaryMember: 'canary' };
  const variable = { key: 'CANARY', value: 'canary', type: 'plain', target: ['production'] };
  const exchanges: Recorded[] = [
    {
      request: ['POST', `/v11/projects${team}`, { name: 'canary-x' }],
      status: 200,
      body: { ...created, nodeVersion: 22 },
    },
    // Other versions of an operation are the same operation.
    {
      request: ['POST', `/v9/projects/prj_canary7/env${team}`, { ...variable, key: 'TZ' }],
      status: 400,
      body: { error: { code: 'RESERVED_NAME', message: 'canary' } },
    },
    {
      request: ['POST', `/v10/projects/prj_canary7/env${team}`, variable],
      status: 403,
      body: { error: { code: 'forbidden', message: 'canary' } },
    },
    {
      request: ['PATCH', `/v9/projects/prj_canary7${team}`, { framework: 'nextjs' }],
      status: 409,
      body: { error: { code: 'conflict', message: 'canary' } },
    },
    {
      request: ['GET', `/v9/projects/prj_canary7${team}`],
      status: 429,
      body: { error: { code: 'rate_limited' } },
    },
    { request: ['GET', `/v10/projects${team}`], status: 502, body: {} },
    { request: ['GET', `/v1/webhooks/canary-hook${team}`], status: 200, body: { id: 'canary-hook' } },
    { request: ['GET', '/canary/page'], status: 200, body: {} },
    { request: ['GET', `/v1/webhooks${team}`], status: 304 },
    {
      request: ['POST', `/v1/billing/buy${team}`, { item: { type: 'credits', creditType: 'v0', amount: 1 } }],
      status: 200,
      body: {},
    },
  ];
  const { status, calibration, all } = await calibrate(harOf(exchanges));
  const text = (await shell.run(['doctor', '--calibrate', 'recording.har'])).all;
  const { recorded, agrees, differs, notComparable, reasons } = calibration;
  expect({ recorded, agrees, differs, notComparable }).toEqual({
    ...{ recorded: 10, agrees: 0, differs: 3, notComparable: 7 },
  });
  expect(reasons).toEqual({
    ...{ token: 1, 'rate limit': 1, failure: 1, 'missing object': 1, 'no operation': 1 },
    ...{ 'not recorded': 1, 'not modelled': 1 },
  });
  const differences = calibration.operations.flatMap((operation) =>
    operation.differences.map(({ count: _, ...difference }) => [operation.operation, difference]),
  );
  expect(differences).toEqual(
    expect.arrayContaining([
      [
        'POST /v11/projects',
        {
          what: 'form',
          isRead: true,
          isOptional: false,
          path: 'nodeVersion',
          problem: 'type',
          platform: 'number',
          twin: 'text',
        },
      ],
      [
        'POST /v11/projects',
        {
          what: 'form',
          isRead: false,
          isOptional: false,
          path: '*',
          problem: 'only platform',
          platform: 'text',
        },
      ],
      [
        'POST /v10/projects/{idOrName}/env',
        { what: 'code', status: 400, platform: 'RESERVED_NAME', twin: 'bad_request' },
      ],
      ['PATCH /v9/projects/{idOrName}', { what: 'status', platform: 409, twin: 200 }],
    ]),
  );
  for (const operation of calibration.operations)
    expect(Object.values(operation.reasons).reduce((sum, number) => sum + number, 0)).toBe(
      operation.notComparable,
    );
  expect(status).toBe(1);
  expect(text).toContain('0 agree, 3 differ, 7 not comparable');
  expect(text).toContain('409, and 200 by the twin');
  expect(all + text).not.toMatch(secrets);
});

it('skips other hosts, and takes the address that --base-url names', async () => {
  const exchange: Recorded = { request: ['GET', '/v2/user'], status: 200, body: { user: { id: 'canary' } } };
  const har = harOf([exchange], 'https://proxy.canary.example');
  const other = await calibrate(har);
  expect(other.calibration).toMatchObject({ notComparable: 1, reasons: { 'other host': 1 } });
  expect(other.status).toBe(0);
  const named = await calibrate(har, '--base-url', 'https://proxy.canary.example');
  expect(named.calibration.reasons).toEqual({});
  expect(other.all + named.all).not.toMatch(secrets);
});

const entry = {
  request: { method: 'GET', url: 'https://api.vercel.com/v2/user' },
  response: { status: 200 },
};
it.each<[title: string, har: string, message: string]>([
  ['no JSON', '{ "log": canary }', 'recording.har:1:10'],
  ['no HAR', '{ "canary": 1 }', 'recording.har: log: expected object'],
  [
    'a wrong place',
    JSON.stringify({ log: { entries: [entry, { ...entry, request: { method: 'GET', url: 'canary' } }] } }),
    'recording.har: log.entries[1].request.url: expected a URL',
  ],
  [
    'a wrong type',
    JSON.stringify({ log: { entries: [{ ...entry, response: { status: 'canary' } }] } }),
    'recording.har: log.entries[0].response.status: expected number',
  ],
  ['too many requests', JSON.stringify({ log: { entries: Array(10_001).fill(entry) } }), 'more than 10000'],
])('refuses a file with %s, without quoting it', async (_, har, message) => {
  writeFileSync(join(shell.folder, 'recording.har'), har);
  const { status, all } = await shell.run(['doctor', '--calibrate', 'recording.har']);
  expect(status).toBe(1);
  expect(all).toContain(message);
  expect(all).toContain('[doctor/recording]');
  expect(all).not.toMatch(/canary|at .*\.ts/);
});

it('uses no client that obeys the proxy settings of Node.js, so that no proxy sees the token and the recording', async () => {
  // Node.js 24 sends the requests of `fetch` through a proxy if NODE_USE_ENV_PROXY is set, those to this machine as well.
  vi.stubGlobal('fetch', () => Promise.reject(new Error('sent through the proxy')));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { calibration } = await calibrate(
    harOf([{ request: ['GET', '/v9/projects'], status: 200, body: {} }]),
  );
  expect(calibration).toMatchObject({ recorded: 1, agrees: 1 });
});

it('says that a file cannot be read', async () => {
  const { all } = await shell.run(['doctor', '--calibrate', 'missing.har']);
  expect(all).toContain('the recording missing.har cannot be read');
});

it('leaves out only the objects of a recording that the twin refuses', async () => {
  const team = '?slug=canary-team';
  const row = (key: string, type: string, target: string[]) => ({ id: `canary-${key}`, key, type, target });
  const exchanges: Recorded[] = [
    {
      request: ['GET', `/v9/projects/canary-web/env${team}`],
      status: 200,
      body: { envs: [row('A', 'sensitive', ['development']), row('B', 'plain', ['production'])] },
    },
    { request: ['DELETE', `/v9/projects/canary-web/env/canary-B${team}`], status: 200, body: {} },
    { request: ['DELETE', `/v9/projects/canary-web/env/canary-A${team}`], status: 200, body: {} },
    { request: ['GET', `/v9/projects/CANARY_Web${team}`], status: 200, body: { name: 'CANARY_Web' } },
  ];
  const { calibration } = await calibrate(harOf(exchanges));
  const results = calibration.operations.map(({ operation, agrees, notComparable }) => [
    operation,
    agrees,
    notComparable,
  ]);
  expect(results).toEqual(
    expect.arrayContaining([
      ['DELETE /v9/projects/{idOrName}/env/{id}', 1, 1],
      ['GET /v9/projects/{idOrName}', 0, 1],
    ]),
  );
});

it('seeds the objects of all answers of a list', () => {
  const variables = (...keys: string[]) => ({
    operation: 'GET /v10/projects/{idOrName}/env',
    params: { idOrName: 'web' },
    query: { teamId: 'team_1' },
    status: 200,
    body: { envs: keys.map((key) => ({ id: `env_${key}`, key, type: 'plain', target: ['production'] })) },
  });
  const exchanges = [variables('A', 'B'), variables('B', 'C')] as unknown as RecordedExchange[];
  const { projects } = recordedSeed(exchanges);
  expect(projects![0]!.env!.map(({ key }) => key)).toEqual(['A', 'B', 'C']);
});

it('counts a difference of a whole answer, and not one of a member in a list that no kind reads', async () => {
  const list = (body: unknown): Recorded => ({
    request: ['GET', '/v10/projects?teamId=team_canary1'],
    status: 200,
    body,
  });
  // The name `accountId` is not shown, because the published form has free names.
  const project = { id: 'prj_canary1', name: 'canary-web', accountId: 7 };
  const { calibration, status } = await calibrate(harOf([list([project]), list({ projects: [project] })]));
  const found = calibration.operations.flatMap(({ differences }) =>
    differences.map((difference) => difference.what === 'form' && [difference.path, difference.isRead]),
  );
  expect(found).toEqual(
    expect.arrayContaining([
      ['', true],
      ['projects[].*', false],
    ]),
  );
  expect(calibration).toMatchObject({ agrees: 1, differs: 1 });
  expect(status).toBe(1);
});

it('keeps a project that a request only changes, although the answer has its id', () => {
  const project = { id: 'prj_1', name: 'web' };
  const link = {
    operation: 'POST /v9/projects/{idOrName}/link',
    params: { idOrName: 'prj_1' },
    query: { teamId: 'team_1' },
    sent: { type: 'github', repo: 'acme/web' },
    status: 200,
    body: project,
  };
  const list = { operation: 'GET /v10/projects', params: {}, query: { teamId: 'team_1' }, status: 200 };
  const refused = {
    operation: 'POST /v11/projects',
    params: {},
    query: {},
    sent: { name: 'api' },
    status: 409,
  };
  const exchanges = [link, { ...list, body: { projects: [project, { id: 'prj_2', name: 'api' }] } }, refused];
  const { projects } = recordedSeed(exchanges as unknown as RecordedExchange[]);
  expect(projects!.map(({ name }) => name)).toEqual(['web', 'api']);
});

it('compares requests about a team although an object that the twin lacks names the team', async () => {
  const team = '?teamId=team_canary1';
  const hook = { id: 'canary-hook', ownerId: 'team_canary1', url: 'https://canary.example', events: [] };
  const { calibration } = await calibrate(
    harOf([
      { request: ['GET', `/v1/webhooks${team}`], status: 200, body: [hook] },
      {
        request: ['POST', `/v11/projects${team}`, { name: 'canary-x' }],
        status: 402,
        body: { error: { code: 'payment_required', message: 'canary' } },
      },
    ]),
  );
  const [creation] = calibration.operations.filter(({ operation }) => operation === 'POST /v11/projects');
  expect(creation).toMatchObject({ differs: 1, notComparable: 0 });
});

it('seeds a bought domain, and no domain that the recording adds to a project', () => {
  const get = (operation: string, params: object, body: object) => ({
    ...{ operation, params, query: { teamId: 'team_1' }, status: 200, body },
  });
  const exchanges = [
    get('GET /v5/domains', {}, { domains: [{ id: 'dom_1', name: 'bought.example', boughtAt: 7 }] }),
    {
      ...get('POST /v10/projects/{idOrName}/domains', { idOrName: 'prj_1' }, { name: 'new.example' }),
      sent: { name: 'new.example' },
    },
    get(
      'GET /v9/projects/{idOrName}/domains',
      { idOrName: 'prj_1' },
      { domains: [{ name: 'new.example' }, { name: 'old.example' }] },
    ),
  ];
  const { projects, domains } = recordedSeed(exchanges as unknown as RecordedExchange[]);
  expect(domains).toMatchObject([{ name: 'bought.example', boughtAt: 7 }]);
  expect(projects).toMatchObject([{ domains: [{ name: 'old.example' }] }]);
});

it('tells a domain of the account from the same domain in a project', async () => {
  const exchanges = [
    await record('GET', '/v5/domains'),
    await record('POST', '/v10/projects/canary-web/domains', { name: 'canary.example' }),
    await record('GET', '/v9/projects/canary-web/domains'),
    await record('GET', '/v5/domains/canary.example/records'),
  ];
  const { calibration } = await calibrate(harOf(exchanges));
  expect(calibration).toMatchObject({ agrees: exchanges.length, differs: 0 });
});

it('sends no request to another place than the twin because an answer has an empty id', async () => {
  const exchanges: Recorded[] = [
    { request: ['GET', '/v2/teams/team_canary1'], status: 200, body: { id: '', slug: 'canary-team' } },
    { request: ['GET', '/v9/projects/canary-web?teamId=team_canary1'], status: 200, body: { id: '' } },
    { request: ['GET', '/v9/projects/canary-web?teamId='], status: 200, body: { id: 'prj_canary' } },
  ];
  const { all, calibration } = await calibrate(harOf(exchanges));
  expect(all).not.toContain('[internal]');
  expect(calibration.recorded).toBe(3);
});

it('seeds no team that the recording creates', () => {
  const made = { id: 'team_2', slug: 'new' };
  const exchange = { params: {}, query: {}, status: 200, body: made };
  const exchanges = [
    { ...exchange, operation: 'POST /v1/teams', sent: { slug: 'new' } },
    { ...exchange, operation: 'GET /v2/teams/{teamId}', params: { teamId: 'team_2' } },
  ];
  expect(recordedSeed(exchanges as unknown as RecordedExchange[]).teams).toEqual([]);
});
