import { expect, test } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { openRehearsalTwin } from '../../src/rehearse/open-twin.ts';
import { newWorld } from '../support/scene.ts';

test('a rehearsal whose twin cannot name its owner closes its connection and its twin', async () => {
  const { connection } = await newWorld({});
  const owner = await connection.owner();
  const closed: string[] = [];
  const provider: typeof hosting = {
    ...hosting,
    startTwin: async (options) => {
      const twin = await hosting.startTwin(options);
      const close = async () => {
        closed.push('twin');
        await twin.close();
      };
      return { ...twin, close };
    },
    connect: async (options) => {
      const inner = await hosting.connect(options);
      return {
        ...inner,
        owner: () => Promise.reject(new Error('no owner')),
        close: async () => {
          closed.push('connection');
          await inner.close();
        },
      };
    },
  };
  const clock = { now: Date.now, monotonic: () => performance.now(), sleep: async () => {} };
  await expect(openRehearsalTwin(provider, owner, clock)).rejects.toThrow('no owner');
  expect(closed).toEqual(['connection', 'twin']);
});
