import { expect, it } from 'vitest';
import { workInOrder } from '../../src/model/graph.ts';

it('a stack that fails while an earlier one works is an error of the whole, once all have ended', async () => {
  const stacks = [
    { id: 'slow', waitsFor: [] },
    { id: 'wrong', waitsFor: [] },
    { id: 'needs-wrong', waitsFor: ['wrong'] },
  ];
  const ended: string[] = [];
  // A rejection that nobody handles fails the test run, too.
  const work = workInOrder(stacks, async ({ id }) => {
    if (id !== 'slow') throw new Error(`${id} fails`);
    await new Promise((done) => setTimeout(done, 20));
    ended.push(id);
  });
  await expect(work).rejects.toThrow('wrong fails');
  expect(ended).toEqual(['slow']);
});
