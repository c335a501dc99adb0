import { expect, it } from 'vitest';
import { setLedgerPlace } from '../../src/ci/edit-yaml-lines.ts';

it.each([
  ['a comment without a line end', 'stack: shop # ours', 'stack: shop # ours\nledger: git\n'],
  [
    'a comment with a line end',
    'stack: shop # ours\nprojects: {}\n',
    'stack: shop # ours\nledger: git\nprojects: {}\n',
  ],
  ['the end of the text', 'stack: shop', 'stack: shop\nledger: git\n'],
])('the place of the ledger gets a line of its own behind %s', (_, text, expected) => {
  expect(setLedgerPlace(text, 'stack', 'git')).toBe(expected);
});

it.each([
  ['stacks:\n  - a\n  - b # last', 'stacks:\n  - a\n  - b # last\nledger: git\n'],
  ['stacks: [a, b] # all', 'stacks: [a, b] # all\nledger: git\n'],
  ['stacks:\n  - a\n  - b\n', 'stacks:\n  - a\n  - b\nledger: git\n'],
  ['stacks:\n  - a\n# more\nvalues: {}\n', 'stacks:\n  - a\nledger: git\n# more\nvalues: {}\n'],
])('the comment behind a list of stacks stays in its line: %j', (text, expected) => {
  expect(setLedgerPlace(text, 'stacks', 'git')).toBe(expected);
});
