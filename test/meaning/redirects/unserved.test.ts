import { describe, expect, test } from 'vitest';
import { unservedRedirects } from '../../../providers/hosting/meaning/redirects/check-unserved.ts';
import { viewOf } from '../../support/view-of.ts';
import { accountOf } from '../dns-view.ts';

const zone = (records: string) => `domains: { example.com: { records: [${records}] } }`;
const www = 'domains: { www.example.com: {} }';
const web = (content: string, records = '') => `projects: { web: { ${content} } }\n${zone(records)}`;

const harmful: Record<string, string> = {
  'a bulk redirect': web(`${www}, bulkRedirects: { /shop: https://shop.example.com/ }`),
  'several redirects to one host': web(
    `${www}, bulkRedirects: { /a: "https://shop.example.com/a?x=1", /b: HTTPS://SHOP.example.com/b }`,
  ),
  'a host with a record for the platform': web(
    `${www}, bulkRedirects: { /shop: https://shop.example.com/ }`,
    '{ type: CNAME, name: shop, value: cname.vercel-dns.com. }',
  ),
  'the zone itself': web(`${www}, bulkRedirects: { /: https://example.com/ }`),
  'a domain': web('domains: { www.example.com: { redirect: app.example.com } }'),
  'a route with parameters': web(
    `${www}, routes: [{ name: docs, srcSyntax: path-to-regexp, route: { src: '/docs/:path*', dest: 'https://docs.example.com/:path*', status: 308 } }]`,
  ),
};

const healthy: Record<string, string> = {
  'a host of another project': `projects:
  web: { ${www}, bulkRedirects: { /shop: https://shop.example.com/ } }
  shop: { domains: { shop.example.com: {} } }
${zone('')}`,
  'a host that redirects': web(
    'domains: { www.example.com: {}, example.com: { redirect: www.example.com } }, bulkRedirects: { /a: https://example.com/b }',
  ),
  'a host below a wildcard domain': web(
    'domains: { "*.example.com": {} }, bulkRedirects: { /a: https://shop.example.com/ }',
  ),
  'a host elsewhere by a CNAME': web(
    `${www}, bulkRedirects: { /shop: https://shop.example.com/ }`,
    '{ type: CNAME, name: shop, value: shops.myshopify.com. }',
  ),
  'a host elsewhere by an address': web(
    `${www}, bulkRedirects: { /shop: https://shop.example.com/ }`,
    '{ type: A, name: shop, value: 192.0.2.1 }',
  ),
  'a host below a wildcard record': web(
    `${www}, bulkRedirects: { /shop: https://shop.example.com/ }`,
    '{ type: A, name: "*", value: 192.0.2.1 }',
  ),
  'a delegated host': web(
    `${www}, bulkRedirects: { /shop: https://shop.eu.example.com/ }`,
    '{ type: NS, name: eu, value: ns1.example.net. }',
  ),
  'an alias': web(
    `${www}, aliases: { demo.example.com: { deploymentId: dpl_1 } }, bulkRedirects: { /demo: https://demo.example.com/ }`,
  ),
  'another port': web(`${www}, bulkRedirects: { /a: "https://shop.example.com:8443/" }`),
  'another domain': web(`${www}, bulkRedirects: { /a: https://shop.example.org/ }`),
  'a domain without a zone': `projects: { web: { ${www}, bulkRedirects: { /a: https://shop.example.com/ } } }`,
  'a zone that is kept elsewhere': `projects: { web: { ${www}, bulkRedirects: { /a: https://shop.example.com/ } } }
domains: { example.com: { zone: false } }`,
  'a disabled route': web(
    `${www}, routes: [{ name: a, enabled: false, srcSyntax: equals, route: { src: /a, dest: 'https://a.example.com/', status: 308 } }]`,
  ),
  'a host that depends on a parameter': web(
    `${www}, routes: [{ name: a, srcSyntax: path-to-regexp, route: { src: '/:team', dest: 'https://:team.example.com/', status: 308 } }]`,
  ),
};

/** Returns the findings in a configuration as texts: the redirect and the host. */
const unservedIn = async (yaml: string) =>
  [...unservedRedirects.find(await viewOf(yaml))].map(({ severity, subject }) => `${severity} ${subject}`);

describe('redirects to hosts that no project serves', () => {
  test.each(Object.entries(harmful))('%s', async (title, yaml) => {
    // Other records are likely, unless the zone is declared as a whole. A declared record for the platform leaves no doubt.
    const severity = title === 'a host with a record for the platform' ? 'warning' : 'note';
    expect(await unservedIn(yaml)).toEqual([expect.stringMatching(`^${severity} \\S+$`)]);
    expect(await unservedIn(yaml.replace('{ records', '{ $exclusive: [records], records'))).toEqual([
      expect.stringMatching(/^warning \S+$/),
    ]);
    expect([...unservedRedirects.find(await accountOf(yaml))]).toMatchObject([{ severity: 'warning' }]);
  });

  test('a zone of which no declared project has a domain', async () => {
    for (const meta of ['', '$exclusive: [records], '])
      expect(
        await unservedIn(
          `projects: { web: { domains: { www.example.org: {} }, bulkRedirects: { /a: https://shop.example.com/ } } }
domains: { example.com: { ${meta}records: [] } }`,
        ),
      ).toEqual(['note shop.example.com']);
  });

  test('the finding names the host and what to do', async () => {
    const yaml = harmful['several redirects to one host']!;
    const [finding] = unservedRedirects.find(await viewOf(yaml));
    expect(finding).toMatchObject({
      message:
        'this redirect and 1 more lead to shop.example.com, which no declared project serves: unless an undeclared project or record answers for it, visitors get an error page',
      hint: 'add shop.example.com to the `domains` of a project, or redirect to a host that answers',
      address: 'projects/web/bulkRedirects/%2Fa',
      path: 'destination',
      related: [{ address: 'projects/web/bulkRedirects/%2Fb' }],
    });
    const [inAccount] = unservedRedirects.find(await accountOf(yaml));
    expect(inAccount?.message).toBe(
      'this redirect and 1 more lead to shop.example.com, which no project serves, so visitors get an error page',
    );
  });
});

describe('redirects to hosts that may answer', () => {
  test.each(Object.entries(healthy))('%s', async (_, yaml) => {
    expect(await unservedIn(yaml)).toEqual([]);
  });

  test('a zone of another stack', async () => {
    expect(
      await unservedIn(`projects: { web: { ${www}, bulkRedirects: { /a: https://shop.example.com/ } } }
domains: { example.com: { $existing: true } }`),
    ).toEqual([]);
  });

  test('an account whose projects are not all read', async () => {
    const view = await viewOf(harmful['a bulk redirect']!);
    const knows = (kind: string) => (kind === 'dnsRecord' ? 'all' : 'declared');
    expect([...unservedRedirects.find({ ...view, knows })]).toEqual([]);
  });
});
