import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { kinds as allKinds } from '../providers/hosting/kinds/index.ts';
import { defaultSwitches, otherSwitches } from '../providers/hosting/twin/index.ts';
import { can } from '../src/kind/define-kind.ts';
import type { Plan } from '../src/model/plan.ts';
import type { SideEffect } from '../src/model/side-effect.ts';
import { noteCounts } from './support/cost.ts';
import { bodyOf, casesOf, type FieldCase, touched, withoutKind } from './support/field-cases.ts';
import { type Block, sampleSeed } from './support/samples.ts';
import { exampleSecret, World } from './support/world.ts';

const options = { maxDeletions: 1000 };
const counts = { cases: 0, converged: 0, requests: 0 };
noteCounts('converge', () => counts);

describe.each([
  ['as the evidence says', defaultSwitches, 100],
  ['the other way wherever it is silent', otherSwitches, 40],
] as const)('every field of every kind, the platform behaving %s', (_, switches, pageSize) => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ switches, pageSize, seed: sampleSeed });
  });
  afterAll(async () => {
    counts.requests += world.twin.requests.length;
    await world.stop();
  });

  it.each(allKinds.map((kind) => [kind.name, kind] as const))('%s', async (name, kind) => {
    const cases = casesOf(kind);
    counts.cases += cases.length;
    const body = (step: number) => bodyOf(kind, cases, step);
    const go = async (wanted: Block) => {
      counts.converged++;
      const plan = await world.converge(stringify(wanted), options);
      expect(world.beside.filter((one) => !followsByItself(one))).toEqual([]);
      return plan;
    };
    // What the kind before left behind would only be listed over and over.
    world.clear();

    await go(body(0));
    // Each case changes one field, and so does the plan.
    for (const step of [1, 2]) expectOnlyThat(await go(body(step)), cases, step);

    // The same without a ledger: what equals the YAML is adopted, and nothing is sent.
    const { ledger } = world;
    world.ledger = { ...ledger, entries: {} };
    const adopting = await world.plan(stringify(body(2)), options);
    const unseen = cases.filter((one) => !one.readable).map(({ label }) => label);
    const sent = adopting.plan.operations.flatMap(({ changes }) => changes);
    expect(sent.filter((address) => !unseen.some((label) => touched(address, label)))).toEqual([]);
    await world.apply(adopting);
    // And remembered as if it had been created: the next plan has nothing to record.
    const next = await world.plan(stringify(body(2)), options);
    const open = next.plan.changes.filter(({ fields }) => fields.some(({ cause }) => cause !== 'unverified'));
    expect(open.map(({ address }) => address)).toEqual([]);
    world.ledger = ledger;

    const since = world.twin.requests.length;
    expectOnlyThat(await go(body(3)), cases, 3);
    expect(world.writes(since), 'what is not named any more is let go, not sent').toEqual([]);

    const ended = await go(withoutKind(body(3), kind));
    const mine = ended.changes.filter(
      (change) => change.kind === name && cases.some(({ label }) => touched(change.address, label)),
    );
    const deletes = can(kind, 'delete') && !kind.container;
    expect(mine.length).toBeGreaterThanOrEqual(cases.length);
    expect(new Set(mine.map(({ action }) => action))).toEqual(new Set([deletes ? 'delete' : 'release']));
  });
});

/** A redirect gets its status from the platform, which takes that away with it: nobody wrote that. */
const followsByItself = (one: SideEffect) =>
  one.kind === 'projectDomain' && one.type === 'changed' && one.path === 'redirectStatusCode';

const drained = '{ type: http, endpoint: "https://logs.example.com", encoding: json }';

describe('what the platform can rename', () => {
  it.each([
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

describe('the example', () => {
  const folder = path.resolve(import.meta.dirname, '../examples');
  const read = (...name: string[]) => readFileSync(path.join(folder, ...name), 'utf8');
  // Workflows are no configurations.
  const names = readdirSync(folder).filter((name) => name !== 'ci');
  const isFolder = (name: string) => statSync(path.join(folder, name)).isDirectory();
  const yaml = (names: string[]) => names.filter((name) => name.endsWith('.yaml'));
  const examples = [...yaml(names), ...names.filter(isFolder)];

  it.each(examples)('%s', async (name) => {
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
      await world.converge(files);
      expect(world.beside).toEqual([]);
      // And so is a second machine that has no ledger: what is there is adopted, and nothing that can be read is sent.
      const since = world.twin.requests.length;
      world.ledger = { ...world.ledger, entries: {} };
      await world.apply(await world.plan(files));
      expect(world.writes(since)).toEqual([]);
    } finally {
      await world.stop();
    }
  });
});

/** Each case's objects change by its field alone, and those of a case that stays as it is do not. */
function expectOnlyThat(plan: Plan, cases: FieldCase[], step: number) {
  for (const one of cases) {
    const changed = plan.changes.filter(
      ({ address, action }) => touched(address, one.label) && action !== 'noop',
    );
    const expected = one.expected[step];
    if (expected === 'anything') continue;
    const seen = changed.map(({ kind, action, fields }) => ({
      kind,
      action,
      fields: fields
        .filter(({ cause }) => cause !== 'recorded')
        .map(({ path, cause }) => `${path}: ${cause}`),
    }));
    if (expected === undefined) expect(seen, `${one.label}, step ${step}`).toEqual([]);
    else {
      expect(seen.length, `${one.label}, step ${step}`).toBeGreaterThan(0);
      expect(new Set(seen.map((each) => JSON.stringify(each))), `${one.label}, step ${step}`).toEqual(
        new Set([JSON.stringify(expected)]),
      );
    }
  }
}
