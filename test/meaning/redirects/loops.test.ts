import { describe, expect, test } from 'vitest';
import { redirectLoops } from '../../../providers/hosting/meaning/redirects/check-loops.ts';
import { viewOf } from '../../support/view-of.ts';

/** Returns the findings of the check in a configuration, each as a line, those of one code. */
async function findLoops(yaml: string): Promise<string[]> {
  return [...redirectLoops.find(await viewOf(yaml))].map(
    ({ severity, code, address, message }) => `${severity} ${code} ${address}: ${message}`,
  );
}

const project = (content: string) => `projects: { web: ${content} }`;
const bulk = (redirects: string) => project(`{ bulkRedirects: ${redirects} }`);
/** Routes that are named after their position. */
const routes = (...list: string[]) =>
  project(`{ routes: [${list.map((route, index) => `{ name: r${index}, ${route} }`).join(', ')}] }`);
const redirectRoute = (src: string, dest: string, syntax = 'path-to-regexp', more = '') =>
  `srcSyntax: ${syntax}, route: { src: '${src}', dest: '${dest}', status: 308${more} }`;

const loops: Record<string, string> = {
  'two bulk redirects': bulk('{ /a: /b, /b: /a }'),
  'a redirect to itself': bulk('{ /a: /a }'),
  'a redirect to itself by a query': bulk('{ /a: "/a?x=1" }'),
  'a redirect to itself by a fragment': bulk('{ /a: "/a#x" }'),
  'three bulk redirects': bulk('{ /a: /b, /b: /c, /c: /a }'),
  'a redirect into a circle': bulk('{ /x: /a, /a: /b, /b: /a }'),
  'another case without regard to case': bulk('{ /Docs: { destination: /docs, caseSensitive: false } }'),
  'a slash and no slash': bulk('{ /a: /a/, /a/: /a }'),
  'a redirect to its own host': project(
    '{ domains: { example.com: {} }, bulkRedirects: { /a: https://example.com/a } }',
  ),
  'a redirect to its own host by HTTP': project(
    '{ domains: { example.com: {} }, bulkRedirects: { /a: http://EXAMPLE.com/a } }',
  ),
  'hosts of two projects': `projects:
  a: { domains: { a.example.com: {} }, bulkRedirects: { /x: https://b.example.com/y } }
  b: { domains: { b.example.com: {} }, bulkRedirects: { /y: https://a.example.com/x } }`,
  'domains of two projects': `projects:
  a: { domains: { a.example.com: { redirect: b.example.com } } }
  b: { domains: { b.example.com: { redirect: a.example.com } } }`,
  'domains of two projects with other redirects': `projects:
  a: { domains: { a.example.com: { redirect: b.example.com } }, bulkRedirects: { /: /home } }
  b: { domains: { b.example.com: { redirect: a.example.com } }, routes: [{ name: x, srcSyntax: equals, route: { src: /x, dest: /y } }] }`,
  'domains of two projects with a route for the root': `projects:
  a: { domains: { a.example.com: { redirect: b.example.com } }, routes: [{ name: root, srcSyntax: equals, route: { src: /, dest: /home } }] }
  b: { domains: { b.example.com: { redirect: a.example.com } } }`,
  'two routes': routes(redirectRoute('/a', '/b'), redirectRoute('/b', '/a')),
  'a route to itself': routes(redirectRoute('/blog/:slug', '/blog/:slug')),
  'a route for everything to its own host': project(`{ domains: { example.com: {} }, routes: [
    { name: all, srcSyntax: path-to-regexp, route: { src: '/:path*', dest: 'https://example.com/:path*', status: 301 } }] }`),
  'a route whose path grows': routes(redirectRoute('/:path*', '/new/:path*')),
  'a login page behind itself': routes(
    redirectRoute('/:path*', '/login', 'path-to-regexp', ', missing: [{ type: cookie, key: session }]'),
  ),
  'regular expressions': routes(
    redirectRoute('^/old/(.*)$', '/new/$1', 'regex'),
    redirectRoute('^/new/(.*)$', '/old/$1', 'regex'),
  ),
  'a Location header': routes(
    'srcSyntax: equals, route: { src: /a, status: 302, headers: { Location: /b } }',
    redirectRoute('/b', '/a', 'equals'),
  ),
  'a route and a bulk redirect': project(
    `{ bulkRedirects: { /a: /b }, routes: [{ name: b, srcSyntax: equals, route: { src: /b, dest: /a, status: 307 } }] }`,
  ),
  'routes with one condition': routes(
    redirectRoute('/a', '/b', 'equals', ', has: [{ type: header, key: x-beta, value: "1" }]'),
    redirectRoute('/b', '/a', 'equals', ', has: [{ type: header, key: X-Beta, value: "1" }]'),
  ),
  'a bulk redirect to a domain that redirects back': project(
    '{ domains: { example.com: {}, www.example.com: { redirect: example.com } }, bulkRedirects: { /a: https://www.example.com/a } }',
  ),
  'a route to a domain that redirects back':
    project(`{ domains: { example.com: {}, www.example.com: { redirect: example.com } }, routes: [
    { name: www, srcSyntax: path-to-regexp, route: { src: '/:path*', dest: 'https://www.example.com/:path*', status: 308, has: [{ type: host, value: example.com }] } }] }`),
  'bulk redirects below headers for everything': project(`{ bulkRedirects: { /a: /b, /b: /a }, routes: [
    { name: headers, srcSyntax: regex, route: { src: '^/(.*)$', headers: { x-frame-options: DENY } } }] }`),
  'an alias': `projects:
  a: { domains: { a.example.com: { redirect: b.example.com } }, aliases: { b.example.com: { deploymentId: dpl_1, redirect: a.example.com } } }`,
};

describe('redirects that never end', () => {
  test.each(Object.entries(loops))('%s', async (_, yaml) => {
    const findings = await findLoops(yaml);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatch(/^error redirect\/loop /);
  });
});

const healthy: Record<string, string> = {
  'a slash at the end': bulk('{ /a: /a/ }'),
  'no slash at the end': bulk('{ /a/: /a }'),
  'another case, where the default decides': bulk('{ /Docs: /docs }'),
  'another case with regard to case': bulk('{ /Docs: { destination: /docs, caseSensitive: true } }'),
  'another host': project(
    '{ domains: { example.com: {} }, bulkRedirects: { /a: https://www.example.com/a } }',
  ),
  'another host of the account': `projects:
  a: { domains: { a.example.com: {} }, bulkRedirects: { /x: https://b.example.com/x } }
  b: { domains: { b.example.com: {} } }`,
  'another port': project(
    '{ domains: { example.com: {} }, bulkRedirects: { /a: "https://example.com:8443/a" } }',
  ),
  'HTTP to HTTPS':
    project(`{ domains: { example.com: {} }, routes: [{ name: tls, srcSyntax: path-to-regexp, route: {
    src: '/:path*', dest: 'https://example.com/:path*', status: 308, has: [{ type: header, key: x-forwarded-proto, value: http }] } }] }`),
  'HTTP to HTTPS of one host':
    project(`{ domains: { example.com: {} }, routes: [{ name: tls, srcSyntax: path-to-regexp, route: {
    src: '/:path*', dest: 'https://example.com/:path*', status: 308, has: [{ type: host, value: example.com }, { type: header, key: X-Forwarded-Proto, value: http }] } }] }`),
  'a cookie that the redirect sets': routes(
    redirectRoute(
      '/',
      '/',
      'equals',
      ', missing: [{ type: cookie, key: seen }], headers: { Set-Cookie: seen=1 }',
    ),
  ),
  'a cookie that another route sets': routes(
    "srcSyntax: path-to-regexp, route: { src: '/:path*', continue: true, transforms: [{ type: response.headers, op: append, target: { key: set-cookie }, args: seen=1 }] }",
    redirectRoute('/a', '/a', 'equals', ', missing: [{ type: cookie, key: seen }]'),
  ),
  'the canonical host':
    project(`{ domains: { example.com: {}, www.example.com: {} }, routes: [{ name: canonical, srcSyntax: path-to-regexp, route: {
    src: '/:path*', dest: 'https://www.example.com/:path*', status: 308, missing: [{ type: host, value: www.example.com }] } }] }`),
  'the canonical host, from the other one':
    project(`{ domains: { example.com: {}, www.example.com: {} }, routes: [{ name: canonical, srcSyntax: path-to-regexp, route: {
    src: '/:path*', dest: 'https://www.example.com/:path*', status: 308, has: [{ type: host, value: example.com }] } }] }`),
  'a domain to another one': project(
    '{ domains: { example.com: { redirect: www.example.com }, www.example.com: {} } }',
  ),
  'a query as the condition': routes(
    redirectRoute('/search', '/search', 'equals', ', has: [{ type: query, key: old }]'),
  ),
  'a query that the destination adds': routes(
    redirectRoute('/search', '/search?v=2', 'equals', ', missing: [{ type: query, key: v }]'),
  ),
  'a pattern that leaves out its destination': routes(redirectRoute('^/(?!login)(.*)$', '/login', 'regex')),
  languages: routes(
    redirectRoute('/', '/de', 'equals', ', has: [{ type: header, key: accept-language, value: "de.*" }]'),
    redirectRoute('/de', '/', 'equals', ', missing: [{ type: header, key: accept-language, value: "de.*" }]'),
  ),
  'a disabled route': routes(`enabled: false, ${redirectRoute('/a', '/b')}`, redirectRoute('/b', '/a')),
  'a rewrite': routes(
    'srcSyntax: equals, route: { src: /a, dest: /b }',
    'srcSyntax: equals, route: { src: /b, dest: /a }',
  ),
  'a route above that stops the circle': routes(
    redirectRoute('/a', '/page', 'equals'),
    redirectRoute('/b', '/a', 'equals'),
    redirectRoute('/a', '/b', 'equals'),
  ),
  'a circle in one of the possible orders': project(`{ bulkRedirects: { /a: /b }, routes: [
    { name: a, srcSyntax: equals, route: { src: /a, dest: /c, status: 307 } },
    { name: b, srcSyntax: equals, route: { src: /b, dest: /a, status: 307 } }] }`),
  'one level up': routes(redirectRoute('/docs/:page', '/:page')),
  'a number in the path': routes(redirectRoute('^/posts/(\\d+)$', '/posts/id-$1', 'regex')),
  'percent-encoding': bulk('{ /caf%C3%A9: /café }'),
  'a step up': bulk('{ /a: /a/../b, /b: /c }'),
  'a relative destination': bulk('{ /a: a }'),
  'a redirect without a destination': routes('srcSyntax: equals, route: { src: /a, status: 301 }'),
  'not modified': routes('srcSyntax: equals, route: { src: /a, status: 304, dest: /a }'),
  'a variable in the destination': routes(redirectRoute('/a', '/$TARGET', 'equals')),
  'routes below headers for everything': routes(
    "srcSyntax: regex, route: { src: '^/(.*)$', headers: { x-frame-options: DENY } }",
    redirectRoute('/a', '/b'),
    redirectRoute('/b', '/a'),
  ),
  'a path that is never redirected': bulk('{ /.well-known/a: /.well-known/a }'),
  'two slashes': bulk('{ //a: /a, /a: /b }'),
  'a value that only the account has': `projects:
  web: { bulkRedirects: { /a: "https://\${projects.other.id}.example.com/a" } }
  other: {}`,
  'one condition and its opposite': routes(
    redirectRoute('/a', '/b', 'equals', ', has: [{ type: cookie, key: beta }]'),
    redirectRoute('/b', '/a', 'equals', ', missing: [{ type: cookie, key: beta }]'),
  ),
  microfrontends: `projects:
  web: { bulkRedirects: { /docs: /docs } }
  docs: {}
microfrontends: { shop: { defaultApp: web, projects: { web: { isDefaultApp: true }, docs: {} } } }`,
};

describe('redirects that may end', () => {
  test.each(Object.entries(healthy))('%s', async (_, yaml) => {
    const findings = await findLoops(yaml);
    expect(findings.filter((line) => !line.startsWith('note'))).toEqual([]);
  });
});
