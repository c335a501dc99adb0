import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

it('names the rule behind each refusal, its source, and how well the rules of the changed kinds are known', async () => {
  const domains = '{ shop.vercel.app: {}, a.example.com: { redirect: b.example.com } }';
  const shell = await new Shell().write({
    'trueup.yaml': `stack: shop\nplatform: { team: acme }\nprojects: { web: { domains: ${domains} }, shop: {} }\n`,
  });
  await shell.withTwin({ team: { slug: 'acme' } });
  const { rehearsal } = JSON.parse((await shell.run(['plan', '--rehearse', '--json'])).stdout);
  expect(rehearsal.kinds).toEqual([
    { kind: 'project', basis: 'measured' },
    { kind: 'projectDomain', basis: 'measured' },
  ]);
  const byAddress = new Map<string, object>(
    rehearsal.refused.map((refused: { address: string }) => [refused.address, refused]),
  );
  expect(byAddress.get('projects/web/domains/shop.vercel.app')).toMatchObject({
    ...{ rule: 'PF39', basis: 'measured', source: 'vercel/vercel#15678' },
  });
  // No source says which redirect targets the platform refuses.
  const assumed = byAddress.get('projects/web/domains/a.example.com');
  expect(assumed).toMatchObject({ basis: 'inferred', code: 'bad_request' });
  expect(assumed).not.toHaveProperty('source');
});
