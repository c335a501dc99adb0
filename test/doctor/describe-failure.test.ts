import { expect, test } from 'vitest';
import { ownFrames } from '../../src/doctor/command/describe-failure.ts';

test('a frame keeps the name of its function, of a private method, too', () => {
  const stack = [
    'Error: x',
    '    at Pseudonyms.#renameParts (/home/ada/trueup/dist/parts-plan.cjs:1:2)',
    '    at async Promise.all (/home/ada/trueup/dist/parts-plan.cjs:3:4)',
    '    at /home/ada/trueup/dist/parts-plan.cjs:5:6',
    '    at node:internal/process/task_queues:95:5',
  ].join('\n');
  expect(ownFrames(stack, '/home/ada/trueup/')).toEqual([
    'Pseudonyms.#renameParts dist/parts-plan.cjs:1:2',
    'async Promise.all dist/parts-plan.cjs:3:4',
    'dist/parts-plan.cjs:5:6',
  ]);
});
