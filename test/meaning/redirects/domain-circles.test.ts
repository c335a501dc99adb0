import { expect, test } from 'vitest';
import { redirectLoops } from '../../../providers/hosting/meaning/redirects/check-loops.ts';
import { load } from '../../../src/config/load.ts';
import { allAllowed } from '../../support/all-allowed.ts';
import { viewOf } from '../../support/view-of.ts';
import { kinds } from '../../support/world.ts';

/** Returns the problems of a configuration, each as a line. */
async function loadDomains(domains: string): Promise<string[]> {
  const text = `stack: test\nplatform: { team: acme }\nprojects: { web: { domains: ${domains} } }`;
  const { diagnostics } = await load({ kinds, cwd: '/', text, env: {}, sources: allAllowed({}, '/') });
  return diagnostics.map(({ code, address, message }) => `${code} ${address}: ${message}`);
}

test('domains of one project that redirect in a circle are one problem, in words about redirects', async () => {
  expect(
    await loadDomains(
      '{ a.example.com: { redirect: b.example.com }, b.example.com: { redirect: A.example.com } }',
    ),
  ).toEqual([
    'redirect/loop projects/web/domains/a.example.com: these redirects lead in a circle: a.example.com → b.example.com → a.example.com, so no request for them ever ends',
  ]);
});

test('a domain that redirects to itself is a problem, in words about redirects', async () => {
  expect(await loadDomains('{ a.example.com: { redirect: a.example.com } }')).toEqual([
    'redirect/loop projects/web/domains/a.example.com: a.example.com redirects to itself, so no request for it ever ends',
  ]);
});

test('domains that depend on each other in another way keep the words about dependencies', async () => {
  const domains =
    '{ a.example.com: { redirect: b.example.com }, b.example.com: { $dependsOn: [projects/web/domains/a.example.com] } }';
  expect(await loadDomains(domains)).toEqual([
    expect.stringMatching(/^config\/cycle .*depend on each other/),
  ]);
});

test('domains that redirect in a circle through another project are one finding', async () => {
  const view = await viewOf(`projects:
  a: { domains: { a.example.com: { redirect: b.example.com } } }
  b: { domains: { b.example.com: { redirect: a.example.com } } }`);
  expect([...redirectLoops.find(view)]).toEqual([
    {
      code: 'redirect/loop',
      severity: 'error',
      message:
        'these redirects lead in a circle: https://a.example.com/ → https://b.example.com/ → https://a.example.com/, so no request for them ever ends',
      hint: 'remove one of the redirects, or change its destination',
      address: 'projects/a/domains/a.example.com',
      path: 'redirect',
      related: [
        {
          message: 'another redirect of the circle',
          address: 'projects/b/domains/b.example.com',
          path: 'redirect',
        },
      ],
      subject: '2 projects/a/domains/a.example.com projects/b/domains/b.example.com',
    },
  ]);
});
