import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shadowedRedirects } from '../../../providers/hosting/meaning/redirects/check-shadowed.ts';
import { compilePattern } from '../../../providers/hosting/meaning/redirects/path-pattern.ts';
import { coversPattern } from '../../../providers/hosting/meaning/redirects/pattern-cover.ts';
import { oneRowIn, oneStoryIn, runs } from '../../support/sweep.ts';
import { viewOf } from '../../support/view-of.ts';
import { parametersOf, withoutSlash } from './path-interpreter.ts';

const story = oneStoryIn(4);

/** Returns the findings in a configuration, each as a line. */
const shadowedIn = async (yaml: string) =>
  [...shadowedRedirects.find(await viewOf(yaml))].map(
    ({ severity, address, related = [] }) =>
      `${severity} ${[address, ...related.map((place) => place.address)].map((text) => text.replace('projects/web/', '')).join(' < ')}`,
  );

/** A project with these routes, named `a`, `b` and so on. A route: syntax, source, and more members as YAML. */
function routes(...list: [syntax: string, src: string, more?: string][]): string {
  const texts = list.map(([syntax, src, more = `dest: /to${src.length}, status: 308`], index) => {
    const name = String.fromCharCode(97 + index);
    return `{ name: ${name}, srcSyntax: ${syntax}, route: { src: '${src}', ${more} } }`;
  });
  return `projects: { web: { routes: [${texts.join(', ')}] } }`;
}

const to = (dest: string, more = '') => `dest: '${dest}', status: 308${more}`;
const beta = ', has: [{ type: cookie, key: beta }]';

const harmful: Record<string, [yaml: string, ...findings: string[]]> = {
  'the same path': [
    routes(['equals', '/a', to('/x')], ['equals', '/a', to('/y')]),
    'warning routes/b < routes/a',
  ],
  'the same path to the same end': [
    routes(['equals', '/a', to('/x')], ['equals', '/a', to('/x')]),
    'note routes/b < routes/a',
  ],
  'a pattern above a path': [
    routes(['path-to-regexp', '/blog/:slug', to('/posts/:slug')], ['equals', '/blog/about']),
    'warning routes/b < routes/a',
  ],
  'a pattern above several': [
    routes(
      ['path-to-regexp', '/:path*'],
      ['equals', '/a'],
      ['path-to-regexp', '/b/:c'],
      ['path-to-regexp', '/d/:e*'],
    ),
    'warning routes/b < routes/a < routes/c < routes/d',
  ],
  everything: [routes(['regex', '^/(.*)$'], ['regex', '^/old/[0-9]+$']), 'warning routes/b < routes/a'],
  'everything as a rewrite': [
    routes(['regex', '.*', 'dest: https://app.example.com'], ['equals', '/a']),
    'warning routes/b < routes/a',
  ],
  'a regular expression above a path': [
    routes(['regex', '^/docs/(.*)$'], ['equals', '/docs/api']),
    'warning routes/b < routes/a',
  ],
  'another name of the parameter': [
    routes(['path-to-regexp', '/a/:x'], ['path-to-regexp', '/a/:y']),
    'warning routes/b < routes/a',
  ],
  'a condition below': [
    routes(['equals', '/a'], ['equals', '/a', to('/y', beta)]),
    'warning routes/b < routes/a',
  ],
  'the same condition': [
    routes(['equals', '/a', to('/x', beta)], ['equals', '/a', to('/y', beta)]),
    'warning routes/b < routes/a',
  ],
  'a status': [
    routes(['path-to-regexp', '/admin/:path*', 'status: 404'], ['equals', '/admin/help']),
    'warning routes/b < routes/a',
  ],
  'another case that does not matter': [
    routes(['equals', '/Docs', `${to('/x')}, caseSensitive: false`], ['equals', '/docs']),
    'warning routes/b < routes/a',
  ],
  'a route and a bulk redirect': [
    `projects: { web: { bulkRedirects: { /a: /x }, routes: [{ name: a, srcSyntax: equals, route: { src: /a, dest: /y, status: 308 } }] } }`,
    'warning routes/a < bulkRedirects/%2Fa',
  ],
  'bulk redirects that differ in case': [
    'projects: { web: { bulkRedirects: { /Docs: { destination: /x, caseSensitive: false }, /docs: { destination: /y, caseSensitive: false } } } }',
    'warning bulkRedirects/%2FDocs < bulkRedirects/%2Fdocs',
  ],
};

const healthy: Record<string, string> = {
  'a path above a pattern': routes(['equals', '/blog/about'], ['path-to-regexp', '/blog/:slug']),
  'a condition above': routes(['equals', '/a', to('/x', beta)], ['equals', '/a']),
  'different conditions': routes(
    ['equals', '/a', to('/x', beta)],
    ['equals', '/a', to('/y', ', missing: [{ type: cookie, key: beta }]')],
  ),
  'headers for everything': routes(
    ['regex', '^/(.*)$', 'headers: { x-frame-options: DENY }'],
    ['equals', '/a'],
  ),
  'everything, and on': routes(
    ['regex', '^/(.*)$', 'headers: { x-frame-options: DENY }, continue: true'],
    ['equals', '/a'],
  ),
  'a rewrite that looks for a file first': routes(
    ['regex', '^/(.*)$', 'dest: /app/$1, check: true'],
    ['equals', '/a'],
  ),
  'a disabled route above':
    'projects: { web: { routes: [{ name: a, enabled: false, srcSyntax: equals, route: { src: /a, dest: /x, status: 308 } }, { name: b, srcSyntax: equals, route: { src: /a, dest: /y, status: 308 } }] } }',
  'the root, which a pattern may leave out': routes(['path-to-regexp', '/:path*'], ['equals', '/']),
  'another case that may matter': routes(['equals', '/Docs'], ['equals', '/docs']),
  'another case that matters above': routes(
    ['equals', '/docs', `${to('/x')}, caseSensitive: true`],
    ['equals', '/docs'],
  ),
  'a pattern with one part above two': routes(['path-to-regexp', '/a/:x'], ['equals', '/a/b/c']),
  'a pattern with at least one part above none': routes(['path-to-regexp', '/a/:x+'], ['equals', '/a']),
  'what a pattern leaves out': routes(['regex', '^/(?!api).*$'], ['equals', '/api']),
  'a pattern for numbers': routes(['path-to-regexp', '/posts/:id(\\d+)'], ['path-to-regexp', '/posts/:slug']),
  'a part of a word': routes(['regex', '^/docs$'], ['equals', '/docs2']),
  'a slash at the end': routes(['equals', '/a'], ['equals', '/a/']),
  'a route and a bulk redirect to the same end':
    'projects: { web: { bulkRedirects: { /a: /x }, routes: [{ name: a, srcSyntax: equals, route: { src: /a, dest: /x, status: 308 } }] } }',
  'a rewrite of everything beside bulk redirects':
    "projects: { web: { bulkRedirects: { /a: /x }, routes: [{ name: a, srcSyntax: regex, route: { src: '^/(.*)$', dest: 'https://app.example.com/$1' } }] } }",
  'bulk redirects that differ in case, which may matter':
    'projects: { web: { bulkRedirects: { /Docs: /x, /docs: /y } } }',
};

describe('routes and redirects that never answer', () => {
  oneRowIn(5)(Object.entries(harmful))('%s', async (_, [yaml, ...findings]) => {
    expect(await shadowedIn(yaml)).toEqual(findings);
  });
});

describe('routes and redirects that may answer', () => {
  test.each(Object.entries(healthy))('%s', async (_, yaml) => {
    expect(await shadowedIn(yaml)).toEqual([]);
  });
});

story('a pattern that covers another one matches all its paths, with every default', () => {
  const parts = ['', 'a', 'A', 'b'];
  const paths = parts.flatMap((first) => [
    `/${first}`,
    ...parts.flatMap((second) => [
      `/${first}/${second}`,
      ...parts.map((third) => `/${first}/${second}/${third}`),
    ]),
  ]);
  const anySource = fc
    .array(fc.constantFrom('a', 'A', 'b', ':x', ':y', ':x*', ':x+'), { minLength: 1, maxLength: 3 })
    .filter(
      (list) => list.slice(0, -1).every((part) => !/[*+]/.test(part)) && new Set(list).size === list.length,
    )
    .map((list) => `/${list.join('/')}`);
  const anyPattern = fc.record({
    source: anySource,
    isCaseSensitive: fc.constantFrom(undefined, true, false),
  });
  let count = 0;
  fc.assert(
    fc.property(anyPattern, anyPattern, (first, second) => {
      const [one, other] = [first, second].map(({ source, isCaseSensitive }) =>
        compilePattern(source, 'path-to-regexp', isCaseSensitive),
      );
      if (!coversPattern(one!, other!)) return;
      count++;
      for (const isSensitive of [true, false])
        for (const isSlashIgnored of [true, false])
          for (const path of paths) {
            const read = isSlashIgnored ? withoutSlash(path) : path;
            const matches = ({ source, isCaseSensitive = isSensitive }: typeof first) =>
              parametersOf(source, read, isCaseSensitive) !== undefined;
            if (matches(second)) expect([path, matches(first)]).toEqual([path, true]);
          }
    }),
    { numRuns: runs(40_000, 80) },
  );
  expect(count).toBeGreaterThan(20);
});
