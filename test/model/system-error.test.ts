import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeSystemError } from '../../src/model/describe-errors.ts';

it('tells an error of the system in plain words, with its code and without the path', async () => {
  const error = await readFile('/is-not-there').catch((thrown: Error) => thrown);
  expect(describeSystemError(error as Error)).toBe('there is no such file or folder (ENOENT)');
});

it('leaves other errors as they are', () => {
  expect(describeSystemError(new Error('odd'))).toBe('odd');
  expect(describeSystemError(Object.assign(new Error('odd'), { code: 'toString' }))).toBe('odd');
});
