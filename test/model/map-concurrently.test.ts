import { expect, test } from 'vitest';
import { mapConcurrently } from '../../src/model/map-concurrently.ts';

test('the results are in the order of the items, and no more tasks than allowed run at once', async () => {
  let running = 0;
  let most = 0;
  const results = await mapConcurrently([3, 1, 2, 0], 2, async (turns) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    running--;
    return turns * 10;
  });
  expect([results, most]).toEqual([[30, 10, 20, 0], 2]);
});

test('no task starts after one has failed', async () => {
  const started: number[] = [];
  const run = mapConcurrently([0, 1, 2, 3, 4, 5], 2, async (item) => {
    started.push(item);
    await Promise.resolve();
    if (item === 0) throw new Error('refused');
  });
  await expect(run).rejects.toThrow('refused');
  await new Promise(setImmediate);
  expect(started).toEqual([0, 1]);
});
