import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noteCounts } from '../support/cost.ts';
import { newWorld } from '../support/scene.ts';
import { runs } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const full = `
projects:
  api: { nodeVersion: 22.x }
  web:
    framework: nextjs
    nodeVersion: 22.x
    customEnvironments: { staging: {}, qa: {} }
    env:
      A: { value: a, target: [production] }
      B: [{ value: b, target: [production] }, { value: c, customEnvironmentIds: [staging] }]
    domains:
      a.example.com: { redirect: b.example.com, redirectStatusCode: 308 }
      b.example.com: {}
    firewall:
      firewallEnabled: true
      ips: [{ hostname: example.com, ip: 192.0.2.1, action: deny }]
domains:
  example.com: { $existing: true, records: [{ type: A, name: x, value: 192.0.2.1 }, { type: TXT, name: t, value: one }] }
`;
const other = `
projects:
  api: {}
  web:
    framework: vite
    customEnvironments: { staging: { description: new } }
    env:
      A: { value: z, target: [production] }
      B: { value: b, target: [production, preview] }
    domains:
      b.example.com: { redirect: c.example.com, redirectStatusCode: 308 }
      c.example.com: {}
    firewall:
      ips: [{ hostname: example.com, ip: 192.0.2.2, action: deny }]
domains:
  example.com: { $existing: true, records: [{ type: A, name: x, value: 192.0.2.9 }, { type: A, name: y, value: 192.0.2.1 }] }
`;

/** Everything that identifies what is there: if anything is doubled, or missing, this differs. */
function inventory({ twin: { account } }: World): string[] {
  return [
    ...account.projects.flatMap(({ name, framework, env, domains, customEnvironments, firewall }) => [
      `project ${name} ${framework}`,
      ...env.flatMap(({ key, value, target, customEnvironmentIds }) =>
        [...target, ...customEnvironmentIds.map(() => 'custom')].map(
          (place) => `env ${name} ${key} ${place} ${value}`,
        ),
      ),
      ...domains.map((domain) => `domain ${name} ${domain.name} ${domain.redirect}`),
      ...customEnvironments.map(({ slug, description }) => `environment ${name} ${slug} ${description}`),
      ...(firewall.active?.ips ?? []).map(({ ip, action }) => `ip ${name} ${ip} ${action}`),
    ]),
    ...account.domains.flatMap(({ name, records }) =>
      records.map((one) => `record ${name} ${one.type} ${one.name} ${one.value}`),
    ),
  ].sort();
}

const counts = { runs: 0, failed: 0, skipped: 0 };
noteCounts('faults', () => counts);

it('requests that fail at random: the next run finishes the work, with nothing doubled and nothing lost', async () => {
  const ideal = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
  await ideal.converge(full);
  const whole = inventory(ideal);
  await ideal.converge(other, { maxDeletions: 1000 });
  const changed = inventory(ideal);
  const owned = Object.keys(ideal.ledger.entries).sort();

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
      fc.boolean(),
      async (fails, stops) => {
        const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
        let writes = 0;
        const stop = new AbortController();
        const send: World['connection']['send'] = async (request) => {
          if (request.endpoint.startsWith('GET')) return world.connection.send(request);
          if (stops && writes === fails.length) stop.abort();
          if (fails[writes++ % fails.length]) throw new Error('refused before anything was done');
          return world.connection.send(request);
        };
        const failing = async (yaml: string) => {
          const planned = await world.plan(yaml, { maxDeletions: 1000 });
          const { outcome } = await world.apply(planned, { send, stop: stop.signal });
          counts.runs++;
          counts.failed += outcome.failed.length;
          counts.skipped += outcome.skipped.length;
          // Each address that should change is accounted for exactly once.
          const told = [
            ...outcome.done,
            ...outcome.failed.map((one) => one.address),
            ...outcome.skipped.map((one) => one.address),
          ];
          expect(told.sort()).toEqual(
            planned.plan.changes
              .filter(({ action }) => action !== 'noop')
              .map(({ address }) => address)
              .sort(),
          );
        };
        await failing(full);
        await world.converge(full, { maxDeletions: 1000 });
        expect(inventory(world)).toEqual(whole);
        await failing(other);
        await world.converge(other, { maxDeletions: 1000 });
        expect(inventory(world)).toEqual(changed);
        expect(Object.keys(world.ledger.entries).sort()).toEqual(owned);
      },
    ),
    { numRuns: runs(36) },
  );
});
