import { expect } from 'vitest';
import { exported } from '../export/exported.ts';
import { actions, codes, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const yaml = (note: string) =>
  `projects: { web: { firewallBypasses: [{ domain: '*', sourceIp: 192.0.2.7, note: ${note} }] } }`;
const at = 'projects/web/firewallBypasses/%2A/192.0.2.7';
const bypass = { projectScope: true, sourceIp: '192.0.2.7', note: 'load' };

story(
  'a bypass that ends by itself is adopted with a warning, which says when, and that a new one would not end',
  async () => {
    const seed = { projects: [{ name: 'web', firewallBypasses: [{ ...bypass, ttl: 3_600_000 }] }] };
    const world = await newWorld({ seed });
    const { yaml: written } = await exported(world);
    expect(written).toContain('# `ExpiresAt` is set in the account but cannot be declared');
    for (const text of [yaml('load'), written]) {
      const { plan } = await world.plan(text);
      expect([plan.operations, codes(plan)]).toEqual([[], []]);
      expect(actions(plan)).toContain(`adopt ${at}`);
      expect(codes(plan, 'warning')).toEqual(['firewall/bypass-ends']);
      const end = world.twin.account.projects[0]!.firewallBypasses[0]!.expiresAt!;
      expect(plan.diagnostics[0]!.message).toContain(new Date(end).toISOString());
    }
    // Changed, it is another one: the plan that does so says it.
    await world.converge(yaml('load'));
    const { plan } = await world.plan(yaml('other'), { targets: [at] });
    expect([actions(plan), codes(plan, 'warning')]).toEqual([
      [`replace ${at}`],
      expect.arrayContaining(['firewall/bypass-ends']),
    ]);
  },
);

story('one without an end converges, is adopted and exported without a word', async () => {
  const world = await newWorld();
  await world.converge(yaml('load'));
  world.ledger = { ...world.ledger, entries: {} };
  const { yaml: written } = await exported(world);
  expect(written).not.toContain('ExpiresAt');
  const { plan } = await world.plan(written);
  expect([plan.operations, plan.diagnostics]).toEqual([[], []]);
});

story('one with another note is created again after its deletion, under the same id', async () => {
  const world = await newWorld();
  await world.converge(yaml('load'));
  const [before] = world.twin.account.projects[0]!.firewallBypasses;
  await world.converge(yaml('other'));
  const [after] = world.twin.account.projects[0]!.firewallBypasses;
  expect([after!.note, after!.id]).toEqual(['other', before!.id]);
  expect(world.ledger.entries[at]!.ids).toEqual([before!.id]);
});
