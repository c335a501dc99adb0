import { expect, it } from 'vitest';
import type { Kind } from '../../src/kind/kind.ts';
import type { Live } from '../../src/model/resource.ts';
import { createAnswerCache, readFromOneAnswer } from '../../src/observe/answer-cache.ts';

const kind = {
  name: 'settings',
  fields: { region: {} },
  undeclared: ['gate.mode'],
  read: { endpoint: 'GET /v1/settings', facts: ['owner.id'] },
} as unknown as Kind;

const read = (answer: object) =>
  readFromOneAnswer(
    kind,
    {},
    {
      answers: createAnswerCache(async () => answer),
      live: {} as Live,
      id: 'settings',
    },
  );

it.each([{ region: 'fra1' }, { gate: { mode: 'open' } }, { owner: { id: 'usr_1' } }])(
  'reads %o, because the kind knows the member',
  async (answer) => {
    expect(await read(answer)).toEqual([answer]);
  },
);

it.each([{ message: 'Welcome' }, {}])(
  'refuses %o, because the kind knows no member of it',
  async (answer) => {
    await expect(read(answer)).rejects.toThrow('the response has no member of a settings');
  },
);
