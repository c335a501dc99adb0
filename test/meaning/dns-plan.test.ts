import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { FaultPlan, Seed } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(7);

const header = 'stack: test\nplatform: { team: acme }\n';
const system = { type: 'CNAME', name: '*', value: 'cname.vercel-dns.com.', creator: 'system' } as const;
const mail = { type: 'MX', name: '', value: 'mx.example.net.', mxPriority: 10 } as const;

interface ShownFinding {
  code: string;
  severity: string;
  address: string;
  finding?: { state: string };
}

/** The requests of the last plan: `GET /v10/projects`. */
let sent: string[] = [];

/** Returns the findings of a plan of a configuration in an account, as texts. `faults`: of the twin. */
async function planned(seed: Seed, yaml: string, faults: FaultPlan['faults'] = []): Promise<string[]> {
  const shell = await new Shell().write({ 'trueup.yaml': header + yaml });
  const twin = await shell.withTwin({ team: { slug: 'acme' }, ...seed });
  twin.setFaults({ faults });
  const ran = await shell.run(['plan', '--format', 'json']);
  sent = twin.requests.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);
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

  const warning = (state: string) =>
    `${state} warning domain/record-missing projects/web/domains/www.example.com`;
  const zone = (...records: (typeof mail | typeof www)[]) => ({ name: 'example.com', records });
  const www = { type: 'CNAME', name: 'www', value: 'cname.vercel-dns.com.' } as const;

  const note = (state: string) => warning(state).replace('warning', 'note');
  const unread = { at: { operation: 'getDomainConfig' }, do: { type: 'status', status: 403 } } as const;

  it('is a warning once the zone was read, and no record of the platform answers', async () => {
    expect(await planned({ domains: [zone(mail)] }, yaml)).toEqual([warning('new')]);
  });

  it('is a note if the platform was not asked, unless the plan removes its record', async () => {
    expect(await planned({ projects: [web], domains: [zone(mail)] }, yaml, [unread])).toEqual([
      note('unchanged'),
    ]);
    const exclusive = yaml.replace('{ records', '{ $exclusive: [records], records');
    expect(await planned({ projects: [web], domains: [zone(mail, www)] }, exclusive, [unread])).toEqual([
      warning('new'),
    ]);
  });

  story(
    'is fine if the platform says that the domain works, unless the plan removes its record',
    async () => {
      expect(await planned({ projects: [web], domains: [zone(mail)] }, yaml)).toEqual([]);
      const exclusive = yaml.replace('{ records', '{ $exclusive: [records], records');
      expect(await planned({ projects: [web], domains: [zone(mail, www)] }, exclusive)).toEqual([
        warning('new'),
      ]);
    },
  );

  story('is fine if the platform has a wildcard there, also in a zone that the plan creates', async () => {
    const seed: Seed = { projects: [web], domains: [{ name: 'example.com', records: [mail, system] }] };
    expect(await planned(seed, yaml)).toEqual([]);
    expect(await planned({}, yaml)).toEqual([]);
  });
});

describe('a zone for which other nameservers answer', () => {
  const elsewhere: Partial<NonNullable<Seed['domains']>[number]>[] = [
    { serviceType: 'external', nameservers: ['ns1.example.net'] },
    { serviceType: 'external' },
    { serviceType: 'na', nameservers: [] },
    { nameservers: ['ns1.example.net', 'ns2.vercel-dns.com'] },
    { nameservers: [] },
    { boughtAt: 1, customNameservers: ['ns1.example.net'] },
  ];
  const web = { name: 'web', domains: [{ name: 'www.example.com' }] };
  const text = (value: string) => ({ type: 'TXT' as const, name: '', value });
  const target = { type: 'CNAME', name: 'old', value: 'cname.vercel-dns.com.' } as const;
  const inbox = { type: 'MX', name: '', value: 'mail.example.com.', mxPriority: 10 } as const;
  const spf = [text('v=spf1 mx -all'), text('v=spf1 +all')];
  /** Without its nameservers, this account has a finding of each check. */
  const records = [target, inbox, ...spf];
  const yaml = `projects: { web: { domains: { www.example.com: {} }, bulkRedirects: { /a: https://shop.example.com/ } } }
domains: { example.com: { $existing: true, records: [{ type: TXT, name: x, value: hello }] } }
`;
  const unread = [
    { at: { operation: 'getDomainConfig' }, do: { type: 'status', status: 403 } },
  ] as FaultPlan['faults'];

  story('is not judged by the records that the platform keeps for it', async () => {
    const codes = async (domain: (typeof elsewhere)[number]) => {
      const seed: Seed = { projects: [web], domains: [{ name: 'example.com', records, ...domain }] };
      return [...new Set((await planned(seed, yaml, unread)).map((finding) => finding.split(' ')[2]))].sort();
    };
    expect(await codes({ nameservers: ['ns1.vercel-dns.com', 'ns2.vercel-dns.com.'] })).toEqual([
      'dns/dangling',
      'dns/spf-several',
      'dns/takeover',
      'domain/record-missing',
      'redirect/unserved',
    ]);
    for (const domain of elsewhere) expect(await codes(domain), JSON.stringify(domain)).toEqual([]);
  });
});

describe('texts that nobody declares', () => {
  const text = (value: string) => ({ type: 'TXT' as const, name: '', value });
  const yaml = 'domains: { example.com: { records: [{ type: TXT, name: "@", value: v=spf1 -all }] } }\n';
  const several = (state: string) => `${state} warning dns/spf-several domains/example.com/records/@/TXT`;

  it('stay beside a declared SPF record', async () => {
    const own = text('v=spf1 -all');
    const others = [text('v=spf1 mx -all'), text('x=1')];
    expect(await planned({ domains: [{ name: 'example.com', records: others }] }, yaml)).toEqual([
      several('new'),
    ]);
    expect(await planned({ domains: [{ name: 'example.com', records: [own, ...others] }] }, yaml)).toEqual([
      several('unchanged'),
    ]);
    const exclusive =
      'domains: { example.com: { $exclusive: [records], records: [{ type: TXT, name: "@", value: v=spf1 -all }] } }\n';
    expect(
      await planned({ domains: [{ name: 'example.com', records: [own, ...others] }] }, exclusive),
    ).toEqual([]);
  });
});

describe('a name that a plan points to the platform', () => {
  const web = { name: 'web', domains: [{ name: 'www.example.com' }] };
  const zoneOf = (names: string[]) => ({
    name: 'example.com',
    records: [
      system,
      ...names.map((name) => ({ type: 'CNAME' as const, name, value: 'cname.vercel-dns.com.' })),
    ],
  });
  const yamlOf = (names: string[], projects = '{ web: { domains: { www.example.com: {} } } }') =>
    `projects: ${projects}\ndomains: { example.com: { records: ${JSON.stringify(
      names.map((name) => ({ type: 'CNAME', name, value: 'cname.vercel-dns.com' })),
    )} } }\n`;
  /** The requests that a plan sends only because of such a name. */
  const extraRequests = () =>
    sent.filter((request) => /v4\/aliases|projects\/(?!prj_)[^/]+\/domains$/.test(request));
  const takeover = (name: string) => `new warning dns/takeover domains/example.com/records/${name}/CNAME`;

  story('is taken for unserved only if no project of the account serves it', async () => {
    const docs = { name: 'docs', domains: [{ name: 'docs.example.com' }, { name: '*.shop.example.com' }] };
    const seed: Seed = { projects: [web, docs], domains: [zoneOf(['www'])] };
    expect(await planned(seed, yamlOf(['www', 'docs', 'a.shop']))).toEqual([]);
    expect(await planned(seed, yamlOf(['www', 'docs', 'old']))).toEqual([takeover('old')]);
  });

  story('is unserved if the plan deletes its domain', async () => {
    const seed: Seed = { projects: [web, { name: 'docs' }], domains: [zoneOf(['www'])] };
    const yaml = yamlOf(['www'], '{ web: { $exclusive: [domains], domains: {} } }');
    expect(await planned(seed, yaml)).toEqual([takeover('www')]);
  });

  story('is not asked about if the plan leaves it as it is, or serves it', async () => {
    const seed: Seed = { projects: [web, { name: 'docs' }], domains: [zoneOf(['www', 'old'])] };
    for (const names of [
      ['www', 'old'],
      ['www', 'old', 'new'],
    ]) {
      const yaml = yamlOf(names, '{ web: { domains: { www.example.com: {}, new.example.com: {} } } }');
      expect(await planned(seed, yaml)).toEqual([]);
      expect(extraRequests()).toEqual([]);
    }
  });

  it('is served if it has an alias, which takes one request', async () => {
    const docs = { name: 'docs', deployments: [{}], aliases: [{ alias: 'docs.example.com' }] };
    const seed: Seed = { projects: [web, docs], domains: [zoneOf(['www'])] };
    expect(await planned(seed, yamlOf(['www', 'docs']))).toEqual([]);
    expect(extraRequests()).toEqual(['GET /v4/aliases/docs.example.com']);
  });

  story('is served if another stack of the same command serves it', async () => {
    const shell = await new Shell().write({
      'trueup.workspace.yaml': 'stacks: [zone, docs]\n',
      'zone/trueup.yaml': header.replace('test', 'zone') + yamlOf(['docs', 'old'], '{ web: {} }'),
      'docs/trueup.yaml': `${header.replace('test', 'docs')}projects: { docs: { domains: { docs.example.com: {} } } }\n`,
    });
    await shell.withTwin({ team: { slug: 'acme' } });
    const found = async (...args: string[]) =>
      (await shell.run(['plan', ...args])).stdout.match(/\S+ points to the platform/g);
    expect(await found('--all')).toEqual(['old.example.com points to the platform']);
    expect(await found('-f', 'zone')).toHaveLength(2);
    // A stack with errors may declare more than we understand.
    await shell.write({
      'docs/trueup.yaml': `${header.replace('test', 'docs')}projects: { docs: { domain: {} } }\n`,
    });
    expect(await found('--all')).toBeNull();
  });

  story('is served if a stack serves it that did not change', async () => {
    const redirects = 'projects: { web: { bulkRedirects: { /docs: https://docs.example.com/ } } }\n';
    const zone = yamlOf(['docs'], '{ web: { bulkRedirects: { /docs: https://docs.example.com/ } } }');
    const shell = await new Shell().write({
      'trueup.workspace.yaml': 'stacks: [zone, docs]\n',
      'zone/trueup.yaml': header.replace('test', 'zone') + redirects,
      'docs/trueup.yaml': `${header.replace('test', 'docs')}projects: { docs: { domains: { docs.example.com: {} } } }\n`,
    });
    initRepository(shell.folder);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: shell.folder });
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'one');
    await shell.write({ 'zone/trueup.yaml': header.replace('test', 'zone') + zone });
    await shell.withTwin({ team: { slug: 'acme' } });
    const { stdout } = await shell.run(['plan', '--changed-since', 'HEAD']);
    expect(stdout).toContain('records/docs/CNAME');
    expect(stdout).not.toMatch(/points to the platform|no project serves/);
  });

  story('is left open if there are too many projects, or if they cannot be read', async () => {
    const many = Array.from({ length: 120 }, (_, index) => ({ name: `site-${index}` }));
    const seed: Seed = { projects: [web, ...many], domains: [zoneOf(['www'])] };
    expect(await planned(seed, yamlOf(['www', 'old']))).toEqual([]);
    expect(extraRequests()).toEqual(['GET /v4/aliases/old.example.com']);
    const few: Seed = { projects: [web, { name: 'docs' }], domains: [zoneOf(['www'])] };
    const yaml = yamlOf(['www', 'old']);
    expect(await planned(few, yaml)).toEqual([takeover('old')]);
    expect(extraRequests()).toEqual(['GET /v4/aliases/old.example.com', 'GET /v9/projects/docs/domains']);
    // The domains of the declared project are read first.
    const fault = {
      at: { operation: 'getProjectDomains', nth: 2 },
      do: { type: 'status', status: 403 },
    } as const;
    expect(await planned(few, yaml, [fault])).toEqual([]);
  });
});
