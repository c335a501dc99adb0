import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { defaultSwitches, otherSwitches, type Switches } from '../../providers/hosting/twin/index.ts';
import type { Exported } from '../../src/export/export-live.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { noteCounts } from '../support/cost.ts';
import { casesOf } from '../support/field-cases.ts';
import { merged, placed, sampleSeed, samples } from '../support/samples.ts';
import { runs } from '../support/sweep.ts';
import { exampleSecret, describe as text, World } from '../support/world.ts';
import { exported } from './exported.ts';

const counts = { accounts: 0, objects: 0, secrets: 0 };
noteCounts('export', () => counts);

/** Exports, and proves that it plans to no write with and without its secrets, and to nothing once applied. */
async function expectNoWrite(world: World): Promise<Exported & { yaml: string }> {
  world.ledger = { ...world.ledger, entries: {} };
  const found = await exported(world);
  expect((await exported(world)).yaml, 'twice the same bytes').toBe(found.yaml);
  counts.accounts += 1;
  counts.objects += found.count;
  counts.secrets += found.secrets.size;
  const since = world.twin.requests.length;
  for (const withSecrets of [false, true]) {
    world.env = withSecrets
      ? Object.fromEntries(
          [...found.secrets].flatMap(([name, value]) => (value ? [[name, value.reveal()]] : [])),
        )
      : {};
    const planned = await world.plan(found.yaml);
    const errors = planned.plan.diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors, found.yaml).toEqual([]);
    expect(planned.plan.operations, text(planned.plan)).toEqual([]);
    const actions = new Set(planned.plan.changes.map(({ action }) => action));
    expect([...actions].filter((action) => action !== 'adopt' && action !== 'noop')).toEqual([]);
    if (withSecrets) await world.apply(planned);
  }
  const again = await world.plan(found.yaml);
  const open = again.plan.changes.filter(({ action }) => action !== 'noop');
  expect(open.map(({ address, action }) => `${action} ${address}`)).toEqual([]);
  expect(world.writes(since)).toEqual([]);
  return found;
}

const allCases = () => allKinds.flatMap((kind: Kind) => casesOf(kind).map((one) => ({ kind, one })));
type Case = ReturnType<typeof allCases>[number];

/** An account that has all of these, as they are in one step. */
async function expectNoWriteFor(some: Case[], step: number, switches: Switches): Promise<void> {
  const world = await World.start({ seed: sampleSeed, switches });
  try {
    const bodies = some.map(({ kind, one }) => placed(samples[kind.name]!, one.label, one.steps[step]!));
    await world.apply(await world.plan(stringify(merged(...bodies)), { maxDeletions: 1000 }));
    await expectNoWrite(world);
  } finally {
    await world.stop();
  }
}

it.each(allKinds.map((kind) => [kind.name, kind] as const))(
  'an account with every field of a %s',
  (_, kind) =>
    expectNoWriteFor(
      casesOf(kind).map((one) => ({ kind, one })),
      1,
      defaultSwitches,
    ),
);

it('an account with a third of everything, the platform behaving the other way wherever it is silent', () =>
  expectNoWriteFor(
    allCases().filter((_, index) => index % 3 === 0),
    2,
    otherSwitches,
  ));

it('random accounts', async () => {
  const some = fc.subarray(allCases(), { minLength: 5, maxLength: 30 });
  const platform = fc.constantFrom(defaultSwitches, otherSwitches);
  await fc.assert(fc.asyncProperty(some, fc.nat(2), platform, expectNoWriteFor), {
    numRuns: runs(Number(process.env.TRUEUP_RUNS ?? 8)),
  });
});

describe('the account of the example', () => {
  const folder = path.resolve(import.meta.dirname, '../../examples');
  const names = readdirSync(folder).filter(
    (name) => name.endsWith('.yaml') || (name !== 'ci' && statSync(path.join(folder, name)).isDirectory()),
  );
  it.each(names)('%s', async (name) => {
    const at = path.join(folder, name);
    const files = statSync(at).isDirectory()
      ? Object.fromEntries(
          readdirSync(at)
            .filter((file) => file.endsWith('.yaml'))
            .map((file) => [file, readFileSync(path.join(at, file), 'utf8')]),
        )
      : { [name]: readFileSync(at, 'utf8') };
    const seed = path.join(folder, `${name.replace(/\.yaml$/, '')}.seed.json`);
    const world = await World.start({
      seed: statSync(seed, { throwIfNoEntry: false }) ? JSON.parse(readFileSync(seed, 'utf8')) : {},
    });
    try {
      for (const content of Object.values(files))
        for (const [, name] of content.matchAll(/\$\{secret\.(\w+)\}/g))
          world.env[`TRUEUP_SECRET_${name}`] = exampleSecret(name!);
      await world.converge(files);
      await expectNoWrite(world);
    } finally {
      await world.stop();
    }
  });
});
