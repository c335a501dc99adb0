import { expect, it } from 'vitest';
import { actions, newWorld } from '../support/scene.ts';
import { oneRowIn } from '../support/sweep.ts';

// A domain name in upper case, in Unicode or with a final dot is the same domain.

const spellings = ['Shop.Example.com.', 'shop.example.com', 'SHOP.EXAMPLE.COM'];

/** YAML with a domain name, for each field that holds one. */
const fields: [field: string, yaml: (name: string) => string][] = [
  ['domains', (name) => `domains: { ${name}: {} }`],
  ['domains of a project', (name) => `projects: { web: { domains: { ${name}: {} } } }`],
  [
    'redirect',
    (name) =>
      `projects: { web: { domains: { shop.example.com: {}, old.example.com: { redirect: ${name}, redirectStatusCode: 308 } } } }`,
  ],
  [
    'firewall.ips',
    (name) =>
      `projects: { web: { firewall: { ips: [{ hostname: ${name}, ip: 192.0.2.1, action: deny }] } } }`,
  ],
  [
    'firewallBypasses',
    (name) =>
      `projects: { web: { domains: { shop.example.com: {} }, firewallBypasses: [{ domain: ${name}, sourceIp: 192.0.2.7 }] } }`,
  ],
  ['certificates', (name) => `domains: { example.com: {} }\ncertificates: { c: { cns: [${name}] } }`],
  [
    'skewProtectionAllowedDomains',
    (name) => `projects: { web: { skewProtectionAllowedDomains: [${name}] } }`,
  ],
  ['previewDeploymentSuffix', (name) => `projects: { web: { previewDeploymentSuffix: ${name} } }`],
];

oneRowIn(5)(fields)('%s: each spelling is the same name', async (_, yaml) => {
  const world = await newWorld();
  await world.converge(yaml(spellings[0]!));
  for (const spelling of spellings) {
    const { plan } = await world.plan(yaml(spelling));
    expect(actions(plan)).toEqual([]);
  }
  const sent = JSON.stringify(world.twin.requests.map(({ path, body }) => [path, body]));
  expect(sent).toContain('shop.example.com');
  expect(sent).not.toMatch(/Shop|SHOP|example\.com\./);
});

it('a live name in another spelling is adopted without a change', async () => {
  const world = await newWorld({
    seed: { projects: [{ name: 'web', skewProtectionAllowedDomains: ['Shop.Example.com'] }] },
  });
  const { plan } = await world.plan(
    'projects: { web: { skewProtectionAllowedDomains: [shop.example.com.] } }',
  );
  expect(plan.operations).toEqual([]);
});

it('two spellings of one domain are declared twice', async () => {
  const world = await newWorld();
  const { diagnostics } = await world.configure(
    'projects: { web: { domains: { a.example.com: {}, A.example.com.: {} } } }',
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(['config/duplicate']);
});
