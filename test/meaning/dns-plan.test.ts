import { describe, expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';

const header = 'stack: test\nplatform: { team: acme }\n';
const system = { type: 'CNAME', name: '*', value: 'cname.vercel-dns.com.', creator: 'system' } as const;
const mail = { type: 'MX', name: '', value: 'mx.example.net.', mxPriority: 10 } as const;

interface ShownFinding {
  code: string;
  severity: string;
  address: string;
  finding?: { state: string };
}

/** Returns the findings of a plan of a configuration in an account, as texts. */
async function planned(seed: Seed, yaml: string): Promise<string[]> {
  const shell = await new Shell().write({ 'trueup.yaml': header + yaml });
  await shell.withTwin({ team: { slug: 'acme' }, ...seed });
  const ran = await shell.run(['plan', '--format', 'json']);
  const { diagnostics } = JSON.parse(ran.stdout) as { diagnostics: ShownFinding[] };
  return diagnostics.map(
    ({ severity, code, address, finding }) => `${finding?.state} ${severity} ${code} ${address}`,
  );
}

describe('a domain of a project without a record', () => {
  const yaml = `projects: { web: { domains: { www.example.com: {} } } }
domains: { example.com: { records: [{ type: MX, name: "@", value: mx.example.net, mxPriority: 10 }] } }
`;
  const web = { name: 'web', domains: [{ name: 'www.example.com' }] };

  it('is a warning once the zone was read, and no record of the platform answers', async () => {
    const seed: Seed = { projects: [web], domains: [{ name: 'example.com', records: [mail] }] };
    expect(await planned(seed, yaml)).toEqual([
      'unchanged warning domain/record-missing projects/web/domains/www.example.com',
    ]);
    expect(await planned({ domains: [{ name: 'example.com', records: [mail] }] }, yaml)).toEqual([
      'new warning domain/record-missing projects/web/domains/www.example.com',
    ]);
  });

  it('is fine if the platform has a wildcard there, also in a zone that the plan creates', async () => {
    const seed: Seed = { projects: [web], domains: [{ name: 'example.com', records: [mail, system] }] };
    expect(await planned(seed, yaml)).toEqual([]);
    expect(await planned({}, yaml)).toEqual([]);
  });
});
