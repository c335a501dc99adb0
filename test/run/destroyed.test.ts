import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { deletedObjects } from '../../src/run/verify.ts';
import { bodyOf, casesOf } from '../support/field-cases.ts';
import { sampleSeed } from '../support/samples.ts';
import { sampled } from '../support/sweep.ts';
import { kinds, World } from '../support/world.ts';

/** No limit of deletions. */
const limits = { maxDeletions: 10_000 };

describe.each(sampled(allKinds, 1).map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
  it.each([true, false])('is not listed after a destroy, also with its containers: %s', async (isWhole) => {
    const world = await World.start({ seed: sampleSeed });
    try {
      const yaml = stringify(bodyOf(kind, casesOf(kind), 0));
      const applied = await world.plan(yaml, limits);
      expect((await world.apply(applied, { deliver: async () => {} })).outcome.failed).toEqual([]);
      const owned = Object.keys(world.ledger.entries);
      const destroy = { destroy: true, containersToDelete: isWhole ? owned : [] };
      const planned = await world.plan(yaml, destroy);
      const { outcome } = await world.apply(planned);
      expect([outcome.failed, outcome.skipped, outcome.postponed]).toEqual([[], [], []]);
      const deleted = deletedObjects(planned.plan, kinds);
      const { live } = await world.plan(yaml, { destroy: true }, deleted.canBeIn);
      expect(deleted.findShown(live)).toEqual([]);
    } finally {
      await world.stop();
    }
  });
});
