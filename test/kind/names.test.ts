import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { domainProblems } from '../../providers/hosting/kinds/domains/host-name.ts';
import { load } from '../../src/config/load.ts';
import { kinds } from '../support/world.ts';

/** What is said of a configuration: `error 1:2 message`. */
async function told(yaml: string): Promise<string[]> {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'trueup-names-'));
  try {
    await writeFile(path.join(cwd, 'trueup.yaml'), `${yaml}\nstack: test\nplatform: { personal: true }\n`);
    const { diagnostics } = await load({ kinds, cwd, env: {} });
    return diagnostics.map(({ severity, at, message }) => `${severity} ${at?.line}:${at?.column} ${message}`);
  } finally {
    await rm(cwd, { recursive: true });
  }
}

const project = (name: string) => told(`projects: { ${JSON.stringify(name)}: {} }`);
const record = (fields: object) =>
  told(
    `domains: { example.com: { records: [${JSON.stringify({ type: 'A', name: 'www', value: '192.0.2.1', ...fields })}] } }`,
  );

describe('a name that the platform is known to refuse is an error at its place', () => {
  it.each(['A', 'a/b', 'a b', 'wеb', 'w\u202eeb', 'a---b', 'é', '${', ''])('a project %j', async (name) => {
    const [first, ...more] = await project(name);
    expect(first).toMatch(/^error 1:1[34] /);
    expect(more).toEqual([]);
  });

  it.each(['web', 'a-b', 'a--b', 'a.b_c', '1', 'x'.repeat(100)])('not a project %j', async (name) => {
    expect(await project(name)).toEqual([]);
  });

  it.each(['1A', 'a/b', 'a b', 'A-B', 'А', 'A\u200b'])('a variable %j', async (name) => {
    expect(await told(`projects: { web: { env: { ${JSON.stringify(name)}: x } } }`)).toEqual([
      'error 1:27 a name can have letters, digits and underscores, and cannot start with a digit',
    ]);
  });

  it.each(['localhost', 'a b.com', 'a..b.com', '.a.com', `${'x'.repeat(64)}.com`, `${'x.'.repeat(130)}com`])(
    'a domain %j',
    async (name) => {
      expect(await told(`projects: { web: { domains: { ${JSON.stringify(name)}: {} } } }`)).toMatchObject([
        expect.stringMatching(/^error 1:31 /),
      ]);
      expect(await told(`domains: { ${JSON.stringify(name)}: {} }`)).toMatchObject([
        expect.stringMatching(/^error 1:12 /),
      ]);
    },
  );

  it.each([
    ['0 issuewild ";"', 'the platform rejects a CAA record whose `issuewild` names no issuer'],
    ['0 issue ";"', 'the platform rejects a CAA record whose `issue` names no issuer'],
    ['0 issue ""', 'the platform rejects a CAA record whose `issue` names no issuer'],
    [
      '0 issue "ca.com; validationmethods=dns-01"',
      'the platform rejects the parameter `validationmethods=dns-01`',
    ],
    ['256 issue "ca.com"', 'the flags of a CAA record must be a number from 0 to 255'],
  ])('a CAA record %s', async (value, message) => {
    expect(await record({ type: 'CAA', name: '@', value })).toEqual([
      expect.stringContaining(`error 1:70 ${message}`),
    ]);
  });

  it.each([
    '0 issue "letsencrypt.org"',
    '128 issuewild "digicert.com; cansignhttpexchanges=yes"',
    '0 iodef "mailto:a@b.c"',
  ])('not a CAA record %s', async (value) =>
    expect(await record({ type: 'CAA', name: '@', value })).toEqual([]),
  );

  it.each(['a b', 'a..b', 'x'.repeat(64), 'a\u0000'])('a record called %j', async (name) => {
    expect(await record({ name })).toMatchObject([expect.stringMatching(/^error /)]);
  });
});

describe('a name of which nobody knows is a warning', () => {
  it.each(['a/b', '-a', 'a!', 'a.*'])('a record called %j', async (name) => {
    expect(await record({ name })).toMatchObject([
      expect.stringMatching(/^warning .*the platform may reject the name/),
    ]);
  });

  it.each(['*', '*.a', '_dmarc', 'a-b', 'é', '@', 'www.example.com.'])(
    'not a record called %j',
    async (name) => {
      expect(await record({ name })).toEqual([]);
    },
  );
});

it.each(['https://www.a.com', 'a.com:443', 'a.com/b', 'a.com?b'])('%s is a URL, not a domain', (name) => {
  expect(domainProblems(name)).toEqual([
    expect.objectContaining({ message: 'a domain has no scheme, port or path' }),
  ]);
});

it('a redirect to a URL is a mistake at its place', async () => {
  expect(await told('projects: { web: { domains: { a.com: { redirect: "https://b.com" } } } }')).toEqual([
    expect.stringMatching(/^error 1:\d+ a domain has no scheme, port or path$/),
  ]);
});

it('a name that looks like another one is shown as what it is', async () => {
  const yaml = 'projects: { web: { domains: { "ехample.com": {} } } }';
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'trueup-names-'));
  try {
    await writeFile(path.join(cwd, 'trueup.yaml'), `stack: test\nplatform: { personal: true }\n${yaml}`);
    const { desired } = await load({ kinds, cwd, env: {} });
    expect([...desired.resources.keys()]).toContainEqual(
      expect.stringContaining('projects/web/domains/xn--'),
    );
  } finally {
    await rm(cwd, { recursive: true });
  }
});
