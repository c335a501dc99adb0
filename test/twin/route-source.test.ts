import { expect, it } from 'vitest';
import {
  compileDestination,
  compileSource,
  inferSyntax,
} from '../../providers/hosting/twin/projects/route-source.ts';

it.each([
  ['/about', 'equals'],
  ['/a.b', 'equals'],
  ['/blog/:slug', 'path-to-regexp'],
  ['/files/(.*)', 'path-to-regexp'],
  ['/a{/b}?', 'path-to-regexp'],
  ['^/blog/(.*)$', 'regex'],
  ['/blog/.*$', 'regex'],
] as const)('infers the syntax of %s', (src, syntax) => {
  expect(inferSyntax(src)).toBe(syntax);
});

it.each([
  ['/about', ['/about'], ['/about/', '/about/us', '/']],
  ['/blog/:slug', ['/blog/a', '/blog/a-b'], ['/blog', '/blog/a/b', '/blog/a/']],
  ['/blog/:slug?', ['/blog', '/blog/a'], ['/blog/a/b']],
  ['/docs/:path*', ['/docs', '/docs/a', '/docs/a/b'], ['/doc', '/docsa']],
  ['/docs/:path+', ['/docs/a', '/docs/a/b'], ['/docs']],
  ['/posts/:id(\\d+)', ['/posts/12'], ['/posts/a', '/posts/']],
  ['/files/(.*)', ['/files/', '/files/a/b'], ['/file']],
  ['/:file.txt', ['/a.txt'], ['/a_txt', '/a/b.txt']],
  ['/a{-:name}?', ['/a', '/a-b'], ['/ab']],
  ['/a\\:b', ['/a:b'], ['/a']],
])('compiles %s', (path, matching, others) => {
  const pattern = new RegExp(compileSource(path, 'path-to-regexp').src);
  for (const one of matching) expect(pattern.test(one), one).toBe(true);
  for (const one of others) expect(pattern.test(one), one).toBe(false);
});

it('puts the groups of the source into the destination', () => {
  const { src, groups } = compileSource('/blog/:year(\\d+)/:slug', 'path-to-regexp');
  const dest = compileDestination('https://example.com/:slug/:year?x=:other', groups);
  expect(dest).toBe('https://example.com/$2/$1?x=:other');
  expect('/blog/2026/hi'.replace(new RegExp(src), '$2/$1')).toBe('hi/2026');
});

it('takes an exact path and a regular expression as they are', () => {
  expect(compileSource('/a.b(c)', 'equals').src).toBe('^\\/a\\.b\\(c\\)$');
  expect(compileSource('^/a.*', 'regex').src).toBe('^/a.*');
});

it.each([
  ['/a/*', 'path-to-regexp'],
  ['/a/:', 'path-to-regexp'],
  ['/a/(b', 'path-to-regexp'],
  ['/a/(b', 'regex'],
] as const)('refuses %s as %s', (src, syntax) => {
  expect(() => compileSource(src, syntax)).toThrow(/Invalid request: `src`/);
});
