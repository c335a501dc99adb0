import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
const a = 'a'.repeat(32);
const b = 'b'.repeat(32);
const integration = 'i'.repeat(32);
beforeEach(async () => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }] } });
});
afterEach(() => twin.close());

const patch = (body: unknown) => send(twin, 'PATCH', '/v1/projects/web/protection-bypass', body);
const generate = (secret?: string, note?: string) => patch({ generate: { secret, note } });
const revoke = (secret: string, regenerate = false) => patch({ revoke: { secret, regenerate } });
const update = (secret: string, fields: object) => patch({ update: { secret, ...fields } });
type Bypasses = Record<string, { scope: string; isEnvVar?: boolean; note?: string }>;
const read = async (): Promise<Bypasses> =>
  (await send(twin, 'GET', '/v9/projects/web')).body.protectionBypass;
const defaults = async () =>
  Object.entries(await read()).flatMap(([secret, one]) => (one.isEnvVar === true ? [secret] : []));

it('is a map by secret in the project, and absent at first', async () => {
  expect(await read()).toBeUndefined();
  const answer = await generate(a, 'CI');
  expect(answer.status).toBe(200);
  expect(answer.body.protectionBypass).toEqual({
    [a]: {
      scope: 'automation-bypass',
      createdAt: expect.any(Number),
      createdBy: twin.account.user.id,
      isEnvVar: true,
      note: 'CI',
    },
  });
  expect(await read()).toEqual(answer.body.protectionBypass);
});

it('makes a secret where none is given, also without any command', async () => {
  await generate(undefined, 'CI');
  await patch({});
  const secrets = Object.keys(await read());
  expect(secrets).toHaveLength(2);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9]{32}$/);
});

it('has one bypass for the environment variable: the first, until another is promoted', async () => {
  await generate(a);
  await generate(b);
  expect(await defaults()).toEqual([a]);
  await update(b, { isEnvVar: true });
  expect(await defaults()).toEqual([b]);
  expect((await update(a, { isEnvVar: false })).status).toBe(200);
});

it('changes and clears a note, and leaves the rest', async () => {
  await generate(a, 'CI');
  await update(a, { note: 'tests' });
  expect((await read())[a]).toMatchObject({ note: 'tests', isEnvVar: true });
  await update(a, { note: '' });
  expect((await read())[a]).toMatchObject({ note: '' });
});

it('revokes, the default only as the last one', async () => {
  await generate(a);
  await generate(b);
  expect(refusal(await revoke(a))).toEqual([400, 'bad_request']);
  expect((await revoke(b)).status).toBe(200);
  expect((await revoke(a)).body).toEqual({ protectionBypass: {} });
});

it('regenerates under a new secret, with the same note and role', async () => {
  await generate(a, 'CI');
  await generate(b);
  await revoke(a, true);
  const { [b]: other, ...rest } = await read();
  expect(other).toMatchObject({ isEnvVar: false });
  expect(Object.keys(rest)).not.toContain(a);
  expect(Object.values(rest)).toMatchObject([{ note: 'CI', isEnvVar: true }]);
});

it('takes several commands at once, all or none', async () => {
  await generate(a);
  const failed = await patch({ generate: { secret: b }, update: { secret: 'c', isEnvVar: true } });
  expect(refusal(failed)).toEqual([404, 'not_found']);
  expect(Object.keys(await read())).toEqual([a]);
  await patch({ generate: { secret: b }, update: { secret: b, isEnvVar: true } });
  expect(await defaults()).toEqual([b]);
});

it('leaves the bypass of an integration alone', async () => {
  const given = { integrationId: 'oac_1', configurationId: 'icfg_1', secret: integration };
  twin.add({ projects: [{ name: 'linked', protectionBypasses: [given] }] });
  const path = '/v1/projects/linked/protection-bypass';
  for (const body of [
    { update: { secret: integration, note: 'x' } },
    { revoke: { secret: integration, regenerate: false } },
  ]) {
    expect(refusal(await send(twin, 'PATCH', path, body))).toEqual([404, 'not_found']);
  }
  const { protectionBypass } = (await send(twin, 'PATCH', path, { generate: { secret: a } })).body;
  expect(protectionBypass[integration]).toMatchObject({ scope: 'integration-automation-bypass' });
  expect(protectionBypass[a].isEnvVar).toBe(true);
});

describe('refusals', () => {
  it.each([
    ['a short secret', { generate: { secret: 'abc' } }],
    ['a secret with other characters', { generate: { secret: '-'.repeat(32) } }],
    ['a long note', { generate: { note: 'x'.repeat(101) } }],
    ['an unknown command', { create: {} }],
    ['a revocation that does not say whether to regenerate', { revoke: { secret: a } }],
    ['an unknown property', { update: { secret: a, scope: 'x' } }],
    ['no body', undefined],
  ])('%s', async (_what, body) => {
    expect(refusal(await patch(body))).toEqual([400, 'bad_request']);
  });

  it('a secret in use, an unknown one, and the demotion of the default', async () => {
    await generate(a);
    expect(refusal(await generate(a))).toEqual([409, 'conflict']);
    expect(refusal(await revoke(b))).toEqual([404, 'not_found']);
    expect(refusal(await update(b, { note: 'x' }))).toEqual([404, 'not_found']);
    expect(refusal(await update(a, { isEnvVar: false }))).toEqual([409, 'conflict']);
    await generate(b);
    expect(refusal(await update(a, { isEnvVar: false }))).toEqual([409, 'conflict']);
    expect(await defaults()).toEqual([a]);
  });

  it('a project of somebody else', async () => {
    const path = '/v1/projects/web/protection-bypass?personal';
    expect(refusal(await send(twin, 'PATCH', path, {}))).toEqual([404, 'not_found']);
  });
});

it('writes no secret into the log of requests', async () => {
  await generate(a);
  await revoke(a);
  const { body } = await send(twin, 'GET', '/__twin/requests');
  expect(body).toHaveLength(2);
  expect(JSON.stringify(body)).not.toContain(a);
});
