import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { bodyOf, casesOf } from '../support/field-cases.ts';
import { sampleSeed } from '../support/samples.ts';
import { sampled } from '../support/sweep.ts';
import { World } from '../support/world.ts';
import { acceptIn, fileOf } from './accepted-text.ts';

let world: World;
beforeAll(async () => {
  world = await World.start({ seed: sampleSeed });
});
afterAll(() => world.stop());

it.each(
  sampled(
    allKinds.filter(({ name }) => name !== 'avatar'),
    10,
  ).map((kind) => [kind.name, kind] as const),
)('%s', async (_name, kind) => {
  const cases = casesOf(kind);
  const options = { maxDeletions: 1000, overwriteConflicts: true };
  world.clear();
  const ours = fileOf(world, stringify(bodyOf(kind, cases, 1)));
  await world.converge(ours, options);
  const { ledger } = world;
  await world.converge(fileOf(world, stringify(bodyOf(kind, cases, 2))), options);
  world.ledger = ledger;
  const result = await acceptIn(world, ours, {}, options);
  const { unplaced, wrong, left, open } = result;
  expect({ unplaced, wrong, open, left }).toEqual({ unplaced: [], wrong: [], open: [], left: [] });
});
