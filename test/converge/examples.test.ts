import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { comparedFields } from '../../src/kind/compare.ts';
import { isReadable } from '../../src/kind/define-kind.ts';
import { traitsOf } from '../../src/kind/traits.ts';
import { asksForWrite, type Change } from '../../src/model/change.ts';
import { isFoundById } from '../support/found-by-id.ts';
import { oneRowIn, sweepOnly } from '../support/sweep.ts';
import { exampleSecret, kinds, World } from '../support/world.ts';

const drained = '{ type: http, endpoint: "https://logs.example.com", encoding: json }';

describe('what the platform can rename', () => {
  oneRowIn(5)([
    [
      'a project',
      'projects: { web: { framework: nextjs, env: { A: b } } }',
      'projects: { shop: { $was: web, framework: nextjs, env: { A: b } } }',
    ],
    [
      'a custom environment',
      'projects: { web: { customEnvironments: { qa: { description: d } } } }',
      'projects: { web: { customEnvironments: { staging: { $was: qa, description: d } } } }',
    ],
    [
      'a global config',
      'globalConfigs: { shop: { items: { banner: Sale } } }',
      'globalConfigs: { store: { $was: shop, items: { banner: Sale } } }',
    ],
    [
      'an access group',
      'projects: { web: {} }\naccessGroups: { Web: { projects: { web: { role: ADMIN } } } }',
      'projects: { web: {} }\naccessGroups: { Front end: { $was: Web, projects: { web: { role: ADMIN } } } }',
    ],
    [
      'a drain',
      `drains: { audit: { schemas: { log: {} }, delivery: ${drained} } }`,
      `drains: { logs: { $was: audit, schemas: { log: {} }, delivery: ${drained} } }`,
    ],
  ])('%s keeps its id and what is in it', async (_, before, after) => {
    const world = await World.start();
    try {
      await world.converge(before);
      const since = world.twin.requests.length;
      const old = Object.values(world.ledger.entries).flatMap(({ ids }) => ids);
      const { changes } = await world.converge(after);
      expect(changes.filter(({ action }) => action !== 'noop').map(({ action }) => action)).toEqual([
        'update',
      ]);
      expect(world.writes(since)).toHaveLength(1);
      expect(Object.values(world.ledger.entries).flatMap(({ ids }) => ids)).toEqual(old);
    } finally {
      await world.stop();
    }
  });
});

/** The kinds in each example. */
const used: Record<string, Set<string>> = {};

/** The fields that a change writes although they could be read. */
const readableWrites = ({ address, kind: name, fields }: Change) => {
  const kind = kinds.get(name)!;
  const isUnread = (path: string) => {
    const { writeOnly, secret } = traitsOf(comparedFields(kind)[path.split('.')[0]!]!);
    return writeOnly || secret || !isReadable(kind);
  };
  return fields
    .filter((field) => asksForWrite(field) && !field.secret && !isUnread(field.path))
    .map(({ path }) => `${address} ${path}`);
};

describe('the example', () => {
  const folder = path.resolve(import.meta.dirname, '../../examples');
  const read = (...name: string[]) => readFileSync(path.join(folder, ...name), 'utf8');
  // Workflows are no configurations, and the agency has several and the guides tell of some: test/reuse runs them.
  const names = readdirSync(folder).filter(
    (name) => !['ci', 'agency', 'fleet', 'guides', 'policies'].includes(name),
  );
  const isFolder = (name: string) => statSync(path.join(folder, name)).isDirectory();
  const yaml = (names: string[]) => names.filter((name) => /(?<!\.test)\.yaml$/.test(name));
  const examples = [...yaml(names), ...names.filter(isFolder)];

  oneRowIn(5)(examples)('%s', async (name) => {
    const seed = `${name.replace(/\.yaml$/, '')}.seed.json`;
    const files: Record<string, string> = isFolder(name)
      ? Object.fromEntries(yaml(readdirSync(path.join(folder, name))).map((file) => [file, read(name, file)]))
      : { [name]: read(name) };
    const world = await World.start({ seed: names.includes(seed) ? JSON.parse(read(seed)) : {} });
    // Whatever secrets it asks for are there.
    for (const text of Object.values(files))
      for (const [, name] of text.matchAll(/\$\{secret\.(\w+)\}/g))
        world.env[`TRUEUP_SECRET_${name}`] = exampleSecret(name!);
    try {
      const { changes } = await world.converge(files);
      used[name.replace('.yaml', '')] = new Set(changes.map(({ kind }) => kind));
      expect(world.beside).toEqual([]);
      // And so is a second machine that has no ledger: what is there is adopted, and nothing that can be read is sent.
      // Only ids find some objects: their blocks would need them.
      const byId = Object.entries(world.ledger.entries).filter(([, { kind }]) => isFoundById(kind, kinds));
      world.ledger = { ...world.ledger, entries: Object.fromEntries(byId) };
      const again = await world.plan(files);
      expect(again.plan.changes.flatMap(readableWrites)).toEqual([]);
      await world.apply(again);
      expect((await world.plan(files)).plan.operations).toEqual([]);
    } finally {
      await world.stop();
    }
  });
});

sweepOnly('the suite plays some of the examples, in turn')('one example has every kind', () => {
  const { everything } = used;
  expect([...kinds.keys()].filter((kind) => !everything?.has(kind))).toEqual([]);
});
