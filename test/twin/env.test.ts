import { afterEach, describe, expect, it } from 'vitest';
import { type Seed, type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { oneRowIn } from '../support/sweep.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
type SeedVariable = NonNullable<NonNullable<Seed['projects']>[number]['env']>[number];
const start = async (
  env: SeedVariable[] = [],
  switches: Partial<Switches> = {},
  team: Seed['team'] = { slug: 'acme' },
) => {
  const seed: Seed = { team, projects: [{ name: 'web', env, customEnvironments: [{ slug: 'staging' }] }] };
  twin = await startTwin({ seed, switches });
};
afterEach(() => twin.close());

const post = (body: unknown, query = '') => send(twin, 'POST', `/v10/projects/web/env${query}`, body);
const rows = () => twin.account.projects[0]!.env;
const production = ['production'];

describe('values', () => {
  const seeded: SeedVariable[] = [
    { key: 'PLAIN', value: 'p', type: 'plain' },
    { key: 'ENCRYPTED', value: 'e', type: 'encrypted' },
    { key: 'SENSITIVE', value: 's', type: 'sensitive' },
  ];
  const list = async (query = '') =>
    Object.fromEntries(
      (await send(twin, 'GET', `/v10/projects/web/env${query}`)).body.envs.map((one: { key: string }) => [
        one.key,
        one,
      ]),
    );

  it('lists ciphertext, and the clear with decrypt=true', async () => {
    await start(seeded);
    const closed = await list();
    expect(closed.PLAIN.value).toBe('p');
    expect(closed.ENCRYPTED).toMatchObject({ value: expect.stringMatching(/^eyJ2/), decrypted: false });
    expect(closed.SENSITIVE).toMatchObject({ value: '', decrypted: false });
    const open = await list('?decrypt=true');
    expect(open.ENCRYPTED).toMatchObject({ value: 'e', decrypted: true });
    expect(open.SENSITIVE.value).toBe('');
  });

  it('decrypts in the single read, except sensitive ones', async () => {
    await start(seeded);
    const read = async (key: string) => {
      const { id } = rows().find((row) => row.key === key)!;
      return (await send(twin, 'GET', `/v1/projects/web/env/${id}`)).body;
    };
    expect(await read('ENCRYPTED')).toMatchObject({ value: 'e', decrypted: true });
    expect(await read('SENSITIVE')).not.toHaveProperty('value');
  });

  it('answers writes with the encrypted value', async () => {
    await start();
    const { status, body } = await post({ key: 'A', value: 'clear', type: 'encrypted', target: production });
    expect(status).toBe(201);
    expect(body.created.value).not.toContain('clear');
    expect(body.failed).toEqual([]);
    const { id } = body.created;
    const patched = await send(twin, 'PATCH', `/v9/projects/web/env/${id}`, { value: 'other' });
    expect(patched.body.value).toMatch(/^eyJ2/);
    expect(patched.body.value).not.toBe(body.created.value);
    expect(rows()[0]?.value).toBe('other');
  });

  it('has the two other ways to keep a sensitive value back and to tell of plain ones', async () => {
    await start(seeded, { sensitiveValue: 'absent', plainDecryptedFlag: false });
    const read = await list();
    expect(read.SENSITIVE).not.toHaveProperty('value');
    expect(read.PLAIN.decrypted).toBe(false);
  });
});

describe('rules', () => {
  oneRowIn(5)([
    [{ key: 'A', value: '1', type: 'sensitive', target: ['development', 'preview'] }, 'development'],
    [
      { key: 'A', value: '1', type: 'plain', target: production, gitBranch: 'dev' },
      'only be set for the target preview',
    ],
    [{ key: 'A', value: '1', type: 'plain' }, 'missing required property `target`'],
    [{ key: 'A', value: '1', type: 'plain', target: [] }, 'missing required property `target`'],
    [{ key: 'A', value: '1', type: 'plain', target: ['staging'] }, '`target[0]` should be equal to one of'],
    [{ key: 'A', type: 'plain', target: production }, 'missing required property `value`'],
    [{ key: 'A', value: '1', target: production }, 'missing required property `type`'],
    [{ key: 'A', value: '1', type: 'secret', target: production }, '`type` should be equal to one of'],
    [{ key: 'A-B', value: '1', type: 'plain', target: production }, 'invalid characters'],
    [{ key: 'A', value: '1', type: 'plain', target: production, comment: 'x'.repeat(501) }, '`comment`'],
    [{ key: 'A', value: '1', type: 'plain', customEnvironmentIds: ['staging'] }, 'does not exist'],
    [
      { key: 'A', value: '1', type: 'plain', target: production, system: true },
      'additional property `system`',
    ],
  ])('refuses %j', async (body, message) => {
    await start();
    const refused = await post(body);
    expect(refusal(refused)).toEqual([400, 'bad_request']);
    expect(refused.body.error.message).toContain(message);
    expect(rows()).toEqual([]);
  });

  it('lets nothing leave the type sensitive', async () => {
    await start([{ key: 'A', value: '1', type: 'sensitive', target: ['production'] }]);
    const path = `/v9/projects/web/env/${rows()[0]!.id}`;
    expect((await send(twin, 'PATCH', path, { type: 'plain', value: '2' })).status).toBe(400);
    expect((await send(twin, 'PATCH', path, { target: ['development'] })).status).toBe(400);
    expect((await send(twin, 'PATCH', path, { value: '2', comment: 'new' })).status).toBe(200);
    expect(
      (await post({ key: 'A', value: '3', type: 'plain', target: production }, '?upsert=true')).status,
    ).toBe(400);
  });

  it.each([true, false])('minds the policy of the team (makes variables sensitive: %s)', async (makes) => {
    const policy = { slug: 'acme', sensitiveEnvironmentVariablePolicy: 'on' as const };
    await start([{ key: 'OLD', value: '1', target: ['preview'] }], { policyMakesSensitive: makes }, policy);
    const staging = twin.account.projects[0]!.customEnvironments[0]!.id;
    const answerTo = async (body: object) => {
      const { status, body: answer } = await post({ key: 'A', value: '1', type: 'encrypted', ...body });
      return answer.created?.type ?? status;
    };
    const guarded = makes ? 'sensitive' : 400;
    expect(await answerTo({ target: production })).toBe(guarded);
    expect(await answerTo({ target: ['preview'], gitBranch: 'next' })).toBe(guarded);
    expect(await answerTo({ customEnvironmentIds: [staging] })).toBe(guarded);
    expect(await answerTo({ target: ['development'] })).toBe('encrypted');
    expect(await answerTo({ key: 'B', type: 'sensitive', target: production })).toBe('sensitive');
    // Nothing can be sensitive in development, by the policy or not.
    expect(await answerTo({ key: 'C', target: ['preview', 'development'] })).toBe(400);
    // The policy is about new variables. An older one keeps its type until its value is written.
    const older = async (body: object) => {
      const answer = await send(twin, 'PATCH', `/v9/projects/web/env/${rows()[0]!.id}`, body);
      return answer.body.type ?? answer.status;
    };
    expect(await older({ comment: 'old' })).toBe('encrypted');
    expect(await older({ value: '2' })).toBe(makes ? 'encrypted' : 400);
    expect(await older({ value: '2', type: 'sensitive' })).toBe('sensitive');
  });

  it('keeps rows of the platform and of integrations to itself', async () => {
    await start([
      { key: 'A', value: '1', type: 'system', system: true },
      { key: 'B', value: '1', configurationId: 'icfg_1' },
    ]);
    for (const { id } of rows()) {
      expect((await send(twin, 'DELETE', `/v9/projects/web/env/${id}`)).status).toBe(403);
      expect((await send(twin, 'PATCH', `/v9/projects/web/env/${id}`, { value: '2' })).status).toBe(403);
    }
  });
});

describe('conflicts', () => {
  const taken: SeedVariable = { key: 'A', value: '1', target: ['production', 'preview'] };
  const overlapping = { key: 'A', value: '2', type: 'plain', target: ['preview', 'development'] };

  it('refuses overlapping targets of one key and branch', async () => {
    await start([taken]);
    expect((await post(overlapping)).body.error).toMatchObject({
      code: 'ENV_CONFLICT',
      envVarKey: 'A',
      target: ['production', 'preview'],
    });
    expect((await post({ ...overlapping, target: ['development'] })).status).toBe(201);
    expect((await post({ ...overlapping, target: ['preview'], gitBranch: 'dev' })).status).toBe(201);
    const branch = await post({ ...overlapping, target: ['preview'], gitBranch: 'dev' });
    expect(branch.body.error.gitBranch).toBe('dev');
  });

  it('creates the rest of a batch', async () => {
    await start([taken]);
    const answer = await post([overlapping, { ...overlapping, key: 'B' }, { ...overlapping, key: 'B' }]);
    expect(answer.status).toBe(201);
    expect(answer.body.created.map((one: { key: string }) => one.key)).toEqual(['B']);
    expect(answer.body.failed).toMatchObject([
      { error: { code: 'ENV_CONFLICT', envVarKey: 'A' } },
      { error: { code: 'ENV_CONFLICT', envVarKey: 'B' } },
    ]);
  });

  it('judges a PATCH by what the row becomes', async () => {
    await start([taken, { key: 'A', value: '1', target: ['development'] }]);
    const path = `/v9/projects/web/env/${rows()[1]!.id}`;
    expect(refusal(await send(twin, 'PATCH', path, { target: ['preview'] }))).toEqual([400, 'ENV_CONFLICT']);
    const moved = await send(twin, 'PATCH', path, { target: ['preview'], gitBranch: 'dev' });
    expect(moved.body).toMatchObject({ target: ['preview'], gitBranch: 'dev' });
    expect(refusal(await send(twin, 'PATCH', path, { gitBranch: null }))).toEqual([400, 'ENV_CONFLICT']);
    const back = await send(twin, 'PATCH', path, { gitBranch: null, target: ['development'] });
    expect(back.body).not.toHaveProperty('gitBranch');
  });

  it('answers 409 without details, if so switched', async () => {
    await start([taken], { envConflictStatus: 409 });
    const refused = await post(overlapping);
    expect(refusal(refused)).toEqual([409, 'env_already_exists']);
    expect(refused.body.error).not.toHaveProperty('envVarKey');
  });

  it('overwrites with upsert=true what has the same targets', async () => {
    await start([{ ...taken, comment: 'old' }]);
    const { id } = rows()[0]!;
    const same = { ...overlapping, target: ['preview', 'production'] };
    expect((await post(same, '?upsert=true')).body.created).toMatchObject({ id, value: '2', type: 'plain' });
    expect(rows()).toHaveLength(1);
    expect(rows()[0]).not.toHaveProperty('comment');
    expect((await post(overlapping, '?upsert=true')).status).toBe(400);
  });

  it('overwrites with upsert=true what overlaps, if so switched', async () => {
    await start([taken], { upsertOverlapping: true });
    expect((await post(overlapping, '?upsert=true')).status).toBe(201);
    expect(rows()).toMatchObject([{ target: ['preview', 'development'], value: '2' }]);
  });
});

it('deletes one and many', async () => {
  await start(['A', 'B', 'C'].map((key) => ({ key, value: '1' })));
  const [a, b, c] = rows().map((row) => row.id);
  expect((await send(twin, 'DELETE', `/v9/projects/web/env/${a}`)).body).toMatchObject({ id: a, key: 'A' });
  const many = await send(twin, 'DELETE', '/v1/projects/web/env', { ids: [b, c, 'nothing'] });
  expect(many.body).toEqual({ deleted: 2, ids: [b, c] });
  expect((await send(twin, 'DELETE', `/v9/projects/web/env/${a}`)).status).toBe(404);
});

it('filters by custom environment and branch', async () => {
  await start([
    { key: 'A', value: '1', customEnvironments: ['staging'] },
    { key: 'B', value: '1', gitBranch: 'dev' },
    { key: 'C', value: '1' },
  ]);
  const keys = async (query: string) =>
    (await send(twin, 'GET', `/v10/projects/web/env${query}`)).body.envs.map(
      (one: { key: string }) => one.key,
    );
  expect(await keys('?customEnvironmentSlug=staging')).toEqual(['A']);
  expect(await keys('?gitBranch=dev')).toEqual(['B']);
  expect(await keys('')).toEqual(['C', 'B', 'A']);
});

it('repeats a row and shortens a target, if so switched', async () => {
  await start([{ key: 'A', value: '1', target: ['production'] }], {
    envListDuplicates: true,
    envTargetAsString: true,
  });
  const { envs } = (await send(twin, 'GET', '/v10/projects/web/env')).body;
  expect(envs).toHaveLength(2);
  expect(envs[0]).toEqual(envs[1]);
  expect(envs[0].target).toBe('production');
});

it('notes the ids of a batch in the log of events', async () => {
  await start([{ key: 'A', value: 'a' }]);
  const { id } = rows()[0]!;
  await send(twin, 'DELETE', '/v1/projects/web/env', { ids: [id] });
  const { events } = (await send(twin, 'GET', `/v3/events?entityId=${id}`)).body;
  expect(events).toMatchObject([{ text: expect.stringContaining('batchRemoveProjectEnv') }]);
});
