import { expect, it } from 'vitest';
import { catalog } from '../../providers/hosting/catalog.ts';
import { defaultSwitches, otherSwitches, servedOperations } from '../../providers/hosting/twin/index.ts';
import { resources } from '../../providers/hosting/twin/resources.ts';
import { nameOf } from '../../providers/hosting/twin/tables.ts';

it('has 437 operations, each once', () => {
  expect(catalog).toHaveLength(437);
  expect(new Set(catalog.map(({ method, path }) => `${method} ${path}`)).size).toBe(437);
});

it('has every operation that the twin serves', () => {
  const known = new Set(catalog.map(nameOf));
  expect(servedOperations.filter((name) => !known.has(name))).toEqual([]);
});

it('has each operation, and each thing that is kept, declared by one resource', () => {
  const declared = resources.flatMap(({ operations, clientOperations, keeps }) => [
    ...Object.keys({ ...operations, ...clientOperations }),
    ...Object.keys(keeps?.account ?? {}).map((name) => `${name} of the account`),
    ...Object.keys(keeps?.project ?? {}).map((name) => `${name} of a project`),
  ]);
  expect(declared.filter((name, i) => declared.indexOf(name) !== i)).toEqual([]);
  expect(declared.length).toBeGreaterThan(servedOperations.length);
});

it('has every switch in two positions', () => {
  for (const [name, position] of Object.entries(defaultSwitches)) {
    expect(otherSwitches[name as keyof typeof otherSwitches], name).not.toBe(position);
  }
});
