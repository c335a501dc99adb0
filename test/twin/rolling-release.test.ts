import { afterEach, describe, expect, it } from 'vitest';
import { type Switches, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
const path = '/v1/projects/web/rolling-release/config';
const start = async (switches: Partial<Switches> = {}) => {
  twin = await startTwin({ seed: { projects: [{ name: 'web' }] }, switches });
};
afterEach(() => twin.close());

const read = async () => (await send(twin, 'GET', path)).body;
const patch = (body: unknown) => send(twin, 'PATCH', path, body);
const project = async () => (await send(twin, 'GET', '/v9/projects/web')).body;
const automatic = {
  enabled: true,
  advancementType: 'automatic',
  stages: [{ targetPercentage: 10, duration: 5 }, { targetPercentage: 100 }],
};
const manual = {
  enabled: true,
  advancementType: 'manual-approval',
  stages: [{ targetPercentage: 10 }, { targetPercentage: 50 }, { targetPercentage: 100 }],
};

it('is null when it is off', async () => {
  await start();
  expect(await read()).toEqual({ rollingRelease: null });
  expect(await project()).not.toHaveProperty('rollingRelease');
});

it('reads stages in place of an advancement type', async () => {
  await start();
  const written = await patch(automatic);
  const rollingRelease = { target: 'production', stages: automatic.stages };
  expect([written.status, written.body]).toEqual([200, { rollingRelease }]);
  expect(await read()).toEqual({ rollingRelease });
  expect((await project()).rollingRelease).toEqual(rollingRelease);
  await patch(manual);
  expect((await read()).rollingRelease.stages).toEqual([
    { targetPercentage: 10, requireApproval: true },
    { targetPercentage: 50, requireApproval: true },
    { targetPercentage: 100 },
  ]);
});

it('asks for approval of the last stage too, if so switched', async () => {
  await start({ rollingReleaseLastStageApproval: true });
  await patch(manual);
  expect((await read()).rollingRelease.stages[2]).toEqual({ targetPercentage: 100, requireApproval: true });
});

it('turns on skew protection when it is enabled, unless that is set', async () => {
  await start();
  await patch({ enabled: false });
  expect(await project()).not.toHaveProperty('skewProtectionMaxAge');
  await patch(manual);
  expect((await project()).skewProtectionMaxAge).toBe(43_200);
  await send(twin, 'PATCH', '/v9/projects/web', { skewProtectionMaxAge: 600 });
  await patch(automatic);
  expect((await project()).skewProtectionMaxAge).toBe(600);
});

it.each([
  ['PATCH', { enabled: false, advancementType: '', stages: [] }],
  ['DELETE', undefined],
] as const)('is disabled by %s, again and again', async (method, body) => {
  await start();
  await patch(manual);
  for (let i = 0; i < 2; i += 1) {
    const answer = await send(twin, method, path, body);
    expect([answer.status, answer.body]).toEqual([200, { rollingRelease: null }]);
  }
  expect(await read()).toEqual({ rollingRelease: null });
  // What it turned on stays.
  expect((await project()).skewProtectionMaxAge).toBe(43_200);
});

describe('refusals', () => {
  const stages = (...percentages: number[]) => percentages.map((targetPercentage) => ({ targetPercentage }));
  it.each([
    ['a single stage', { ...manual, stages: stages(100) }],
    ['eleven stages', { ...manual, stages: stages(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100) }],
    ['falling percentages', { ...manual, stages: stages(50, 10, 100) }],
    ['equal percentages', { ...manual, stages: stages(50, 50, 100) }],
    ['a last stage below 100', { ...manual, stages: stages(10, 50) }],
    ['more than 100', { ...manual, stages: stages(10, 101) }],
    ['a duration with manual approval', { ...manual, stages: automatic.stages }],
    ['no duration with automatic advancement', { ...automatic, stages: stages(10, 100) }],
    [
      'a duration of the last stage',
      { ...automatic, stages: automatic.stages.map((one) => ({ ...one, duration: 5 })) },
    ],
    ['no type', { ...manual, advancementType: undefined }],
    ['an unknown type', { ...manual, advancementType: 'random' }],
    ['no enabled', { stages: manual.stages }],
    ['an unknown property', { ...manual, target: 'production' }],
  ])('%s', async (_what, body) => {
    await start();
    expect(refusal(await patch(body))).toEqual([400, 'bad_request']);
    expect(await read()).toEqual({ rollingRelease: null });
  });

  it('a project of somebody else', async () => {
    await start();
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const answer = await send(twin, method, `${path}?personal`, method === 'PATCH' ? manual : undefined);
      expect(refusal(answer), method).toEqual([404, 'not_found']);
    }
  });
});
