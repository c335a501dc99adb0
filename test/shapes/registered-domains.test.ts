import { afterEach, expect, it } from 'vitest';
import { exported } from '../export/exported.ts';
import { World } from '../support/world.ts';

let world: World;
afterEach(() => world.stop());

const domains = [
  { name: 'bought.com', boughtAt: 1, renew: true },
  { name: 'moved.com', transferredAt: 1, customNameservers: ['ns2.example.net', 'ns1.example.net'] },
  { name: 'elsewhere.com' },
];

it('renews and leads elsewhere only what is registered with the platform, and says so before anything is sent', async () => {
  world = await World.start({ seed: { domains } });
  for (const name of ['elsewhere.com', 'new.com']) {
    const settings = 'autoRenew: { enabled: true }, nameservers: { custom: [ns1.example.net] }';
    const { plan } = await world.plan(`domains: { ${name}: { ${settings} } }`);
    const found = plan.diagnostics.filter(({ severity }) => severity === 'error');
    expect(found.map(({ code, address }) => [code, address])).toEqual([
      ['domain/not-registered', `domains/${name}/autoRenew`],
      ['domain/not-registered', `domains/${name}/nameservers`],
    ]);
  }
  expect(world.writes()).toEqual([]);
});

it('nameservers are the same in any order and case; an export has them, and what is renewed', async () => {
  world = await World.start({ seed: { domains } });
  const same =
    'domains: { moved.com: { autoRenew: { enabled: false }, nameservers: { custom: [NS1.Example.net., ns2.example.net] } } }';
  await world.converge(same);
  expect(world.writes()).toEqual([]);
  const { yaml } = await exported(world);
  expect(yaml).not.toContain('Not in this export');
  expect(yaml.match(/nameservers:\n +custom: \[/g)).toHaveLength(2);
  expect(yaml.match(/autoRenew:\n +enabled: true/g)).toHaveLength(1);
});

it('no way goes back to the nameservers of the platform, and what is no longer declared stays', async () => {
  world = await World.start({ seed: { domains } });
  await world.converge('domains: { bought.com: { nameservers: { custom: [] } } }');
  const { plan } = await world.plan('domains: { moved.com: { nameservers: { custom: [] } } }');
  expect(plan.diagnostics.map(({ code, severity }) => [code, severity])).toContainEqual([
    'domain/way-back',
    'error',
  ]);
  await world.converge(
    'domains: { moved.com: { autoRenew: { enabled: true }, nameservers: { custom: [ns1.example.org] } } }',
  );
  const since = world.twin.requests.length;
  await world.converge('domains: { moved.com: {} }');
  expect(world.writes(since)).toEqual([]);
  const [, moved] = world.twin.account.domains;
  expect([moved!.renew, moved!.customNameservers]).toEqual([true, ['ns1.example.org']]);
});
