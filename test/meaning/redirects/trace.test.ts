import { expect, test } from 'vitest';
import { traceRedirects } from '../../../providers/hosting/meaning/redirects/trace.ts';
import { viewOf } from '../../support/view-of.ts';

const yaml = `projects:
  web:
    domains: { www.example.com: {}, example.com: { redirect: www.example.com, redirectStatusCode: 308 } }
    bulkRedirects:
      /old: { destination: /new, statusCode: 308 }
      /Docs: /help
      /a: /b
      /b: /a
      /out: https://example.org/out
    routes:
      - { name: off, enabled: false, srcSyntax: equals, route: { src: /x, status: 404 } }
      - { name: beta, srcSyntax: equals, route: { src: /x, dest: /beta, status: 307, has: [{ type: cookie, key: beta, value: "on" }] } }
      - { name: german, srcSyntax: equals, route: { src: /x, dest: /de, status: 307, has: [{ type: header, key: Accept-Language, value: "de.*" }] } }
      - { name: blog, srcSyntax: path-to-regexp, route: { src: "/blog/:slug", dest: "/posts/:slug", status: 308 } }
      - { name: app, srcSyntax: regex, route: { src: "^/app(/.*)?$", dest: "https://app.example.net$1" } }
`;

/** Returns the trace of a request as lines: the steps that match or may match, and the outcome. */
async function trace(url: string, headers: Record<string, string> = {}): Promise<string[]> {
  const { steps, outcome, isCertain } = traceRedirects(await viewOf(yaml), {
    method: 'GET',
    url: new URL(url),
    headers: new Map(Object.entries(headers)),
  });
  const shown = steps.filter(({ matches }) => matches !== 'no');
  return [
    ...shown.map(
      ({ address, matches, effect }) => `${matches} ${address.replace('projects/web/', '')}: ${effect}`,
    ),
    `${isCertain ? 'certain' : 'uncertain'}: ${outcome}`,
  ];
}

test.each<[url: string, headers: Record<string, string>, ...lines: string[]]>([
  ['https://www.example.com/', {}, 'certain: answered by projects/web'],
  [
    'https://www.example.com/old?x=1',
    {},
    'yes bulkRedirects/%2Fold: redirect to https://www.example.com/new (308)',
    'certain: redirected to https://www.example.com/new',
  ],
  [
    'http://www.example.com/new',
    {},
    'yes domains/www.example.com: redirect to https://www.example.com/new (308)',
    'certain: redirected to https://www.example.com/new',
  ],
  [
    'https://example.com/new',
    {},
    'yes domains/example.com: redirect to https://www.example.com/new (308)',
    'certain: redirected to https://www.example.com/new',
  ],
  [
    'https://www.example.com/docs',
    {},
    'unknown bulkRedirects/%2FDocs: redirect to https://www.example.com/help',
    'uncertain: redirect to https://www.example.com/help, or answered by projects/web',
  ],
  [
    'https://www.example.com/a',
    {},
    'yes bulkRedirects/%2Fa: redirect to https://www.example.com/b',
    'certain: never ends: https://www.example.com/a → https://www.example.com/b → https://www.example.com/a',
  ],
  [
    'https://www.example.com/out',
    {},
    'yes bulkRedirects/%2Fout: redirect to https://example.org/out',
    'certain: redirected to https://example.org/out',
  ],
  [
    'https://www.example.com/blog/hello',
    {},
    'yes routes/blog: redirect to https://www.example.com/posts/hello (308)',
    'certain: redirected to https://www.example.com/posts/hello',
  ],
  [
    'https://www.example.com/x',
    { cookie: 'beta=on; a=b' },
    'yes routes/beta: redirect to https://www.example.com/beta (307)',
    'certain: redirected to https://www.example.com/beta',
  ],
  [
    'https://www.example.com/x',
    { cookie: 'a=b', 'accept-language': 'de-DE' },
    'yes routes/german: redirect to https://www.example.com/de (307)',
    'certain: redirected to https://www.example.com/de',
  ],
  [
    'https://www.example.com/x',
    { cookie: 'a=b' },
    'unknown routes/german: redirect to https://www.example.com/de (307)',
    'uncertain: redirect to https://www.example.com/de (307), or answered by projects/web',
  ],
  [
    'https://www.example.com/app/1',
    {},
    'yes routes/app: rewrite to https://app.example.net$1',
    'certain: answered by projects/web/routes/app',
  ],
  ['https://other.example.org/', {}, 'uncertain: no project has other.example.org'],
])('%s %j', async (url, headers, ...lines) => {
  expect(await trace(url, headers)).toEqual(lines);
});

test('a step has its conditions, without values that may let somebody in', async () => {
  const { steps } = traceRedirects(await viewOf(yaml), {
    method: 'GET',
    url: new URL('https://www.example.com/x'),
    headers: new Map([['cookie', 'beta=off']]),
  });
  expect(steps.map(({ conditions }) => conditions)).toEqual([
    [
      { text: 'the path matches /x', verdict: 'yes' },
      { text: 'the cookie beta matches the stated value', verdict: 'no' },
    ],
    [
      { text: 'the path matches /x', verdict: 'yes' },
      {
        text: 'the header Accept-Language matches de.*',
        verdict: 'unknown',
        why: 'the request does not say it, or the value can be read in several ways',
      },
    ],
    [{ text: 'the path matches /blog/:slug', verdict: 'no' }],
    [{ text: 'the path matches ^/app(/.*)?$', verdict: 'no' }],
  ]);
});
