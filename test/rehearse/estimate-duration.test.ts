import { expect, test, vi } from 'vitest';
import { World } from '../support/world.ts';
import { rehearseIn } from './rehearse-world.ts';

test("a rehearsal reckons with the rate limits of the account's billing plan, not with those of the twin's", async () => {
  const world = await World.start();
  try {
    const owner = await world.connection.owner();
    const facts = { ...owner.facts, billing: { plan: 'hobby' } };
    vi.spyOn(world.connection, 'owner').mockResolvedValue({ ...owner, facts });
    const planned = await world.plan('globalConfigs: { shop: { items: { banner: Sale } } }');
    const { duration } = await rehearseIn(world, planned, {}, { crashPoints: 0 });
    const writes = duration?.limits.filter(({ what }) => what === 'global config writes');
    expect(writes).toMatchObject([{ allowed: 250, window: 30 * 24 * 3600 }]);
  } finally {
    await world.stop();
  }
});
