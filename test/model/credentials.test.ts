import { expect, it } from 'vitest';
import { holdsCredential, isCredentialName } from '../../src/model/credentials.ts';

it.each([
  'npm i --token=hunter2',
  'npm i --token hunter2',
  'curl -H "x-api-key: hunter2" https://example.com',
  'export AUTH_TOKEN="hunter2"',
  'https://ada:hunter2@example.com',
  'https://hooks.example.com/?api_key=hunter2',
  'https://hooks.example.com/T0/B0/9f8e7d1a',
  'Bearer hunter2',
  'Basic YWRhOmh1bnRlcg==',
  'sk_live_51H8xKq2',
  'canary-secret-7b21',
  'google-site-verification=4kQ9bX2m',
])('%s may hold a credential', (text) => {
  expect(holdsCredential(text)).toBe(true);
});

it.each([
  'npm ci',
  'next build && node dist/i18n.js',
  'turbo run build --filter=web',
  'npm i --token=$NPM_TOKEN',
  'authorization: ${{ secrets.TOKEN }}',
  '--auth=none',
  'node20 oauth2proxy 1200x630 1h30m 2024-01-01T00:00:00Z',
  'https://hooks.example.com/deploys',
  'https://d3f1x9abc.cdn.example.com/index.html',
  'd111111abcdef8.cdn.example.net',
  '2001:db8:85a3::8a2e:370:7334',
  '192.0.2.0/24',
  'v=spf1 include:_spf.example.com ~all',
  'public, max-age=31536000, s-maxage=60',
  '/docs/:path*',
  '/blog/(?<slug>[a-z0-9-]+)',
  'Sale ends Sunday: all shoes',
])('%s is ordinary text', (text) => {
  expect(holdsCredential(text)).toBe(false);
});

it('a name tells that its value lets somebody in', () => {
  const names = [
    'API_TOKEN',
    'STRIPE_KEY',
    'x-api-key',
    'authorization',
    'clientSecret',
    'cookie',
    'SENTRY_DSN',
  ];
  expect(names.filter((name) => !isCredentialName(name))).toEqual([]);
  const ordinary = ['LOG_LEVEL', 'key', 'author', 'monkey', 'NEXT_PUBLIC_SITE', 'keywords', 'tokenizer'];
  expect(ordinary.filter(isCredentialName)).toEqual([]);
});

it('takes time in proportion to the text', () => {
  for (const text of ['-', 'a-', 'token ', '--', '= ', 'a1', '://'].map((part) => part.repeat(100_000)))
    expect(typeof holdsCredential(text)).toBe('boolean');
});
