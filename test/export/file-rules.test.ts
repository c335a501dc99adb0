import { expect, it } from 'vitest';
import { readFileRules } from '../../src/export/write-export.ts';
import { kinds } from '../support/world.ts';

it('accepts a file for --by in a folder whose name begins with two dots', () => {
  const by = ['projects/*=..sites/a.yaml'];
  expect(readFileRules({ by, out: 'x.yaml' }, kinds)).toMatchObject([{ file: '..sites/a.yaml' }]);
});
