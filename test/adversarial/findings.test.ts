import { expect, it } from 'vitest';
import { compilePattern, matchPattern } from '../../providers/hosting/meaning/redirects/path-pattern.ts';
import { matchesValue } from '../../providers/hosting/meaning/redirects/route-conditions.ts';
import { Shell } from '../support/cli.ts';

const header = 'stack: shop\nplatform: { team: acme }\n';

it('Guards see findings that the configuration turns off.', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `${header}findings: [{ code: "**", severity: off, reason: x }]
projects: { web: { env: { NEXT_PUBLIC_KEY: sk_live_abcdefghijklmnopqrstuvwx }, bulkRedirects: { /a: /b, /b: /a } } }`,
    'guards.yaml': 'deny: [{ finding: "redirect/*", message: Ask. }, { finding: "env/*", message: Ask. }]',
  });
  for (const args of [['plan'], ['apply', '--auto-approve']]) {
    const { status, stderr } = await shell.run([...args, '--twin', '--guards', 'guards.yaml']);
    expect(status).toBe(1);
    expect(stderr).toContain('the guards refuse the finding redirect/loop');
    expect(stderr).toContain('the guards refuse the finding env/public-secret');
  }
});

it('Findings and traces are the same whatever the value of a secret is, so they confirm no guess.', async () => {
  const yaml = `${header}secrets: { key: {}, place: {} }
projects:
  web:
    domains: { shop.example.com: {} }
    env:
      NEXT_PUBLIC_KEY: { value: "\${secret.key}" }
      OTHER: { value: "\${secret.key}", type: sensitive, target: [production] }
      NEXT_PUBLIC_PLACE: { value: "https://x.example/\${secret.place}" }`;
  const outputs: string[] = [];
  for (const [key, place] of [
    ['sk_live_abcdefghijklmnopqrstuvwx', 'AKIAIOSFODNN7EXAMPLE'],
    ['an-ordinary-value', 'home'],
  ]) {
    const shell = await new Shell().write({ 'trueup.yaml': yaml });
    Object.assign(shell.env, { TRUEUP_SECRET_key: key, TRUEUP_SECRET_place: place });
    const run = async (...args: string[]) => (await shell.run(args)).stdout;
    const before = [
      await run('validate', '--format', 'json'),
      await run('plan', '--twin', '--verbose'),
      await run('trace', 'GET', 'https://shop.example.com/a', '--live', '--twin', '--json'),
    ];
    // After the apply, the account shows the values of variables that are not sensitive.
    await run('apply', '--twin', '--auto-approve');
    const after = [await run('plan', '--twin', '--format', 'json'), await run('plan', '--twin', '--verbose')];
    outputs.push([...before, ...after].join('\n'));
    expect(outputs.at(-1)).not.toContain(key);
  }
  expect(outputs[1]).toBe(outputs[0]);
});

it('A regular expression in a configuration that could need too many steps is not matched.', () => {
  const verdictOf = (syntax: string, source: string, path: string) =>
    matchPattern(compilePattern(source, syntax, true), path).verdict;
  const path = `/${'a'.repeat(22)}c`;
  const segments = `${'/a'.repeat(30)}/%`;
  const costly: [syntax: string, source: string, path: string][] = [
    ['regex', `^/${'(?:a|a)'.repeat(22)}$`, path],
    ['regex', `^/${'(?:a|aa)'.repeat(22)}$`, path],
    ['regex', `^/${'a?'.repeat(22)}${'a'.repeat(22)}$`, path],
    ['regex', '^/(?:aa?)+$', path],
    ['regex', '^/(?:aa?){22}$', path],
    ['regex', `a*${'a*'.repeat(4)}b`, path],
    ['path-to-regexp', Array.from({ length: 8 }, (_, i) => `/:p${i}*`).join(''), segments],
    ['path-to-regexp', Array.from({ length: 22 }, (_, i) => `/:p${i}?`).join(''), segments],
    ['path-to-regexp', `/${Array.from({ length: 8 }, (_, i) => `:p${i}-`).join('')}x`, `/${'a-'.repeat(30)}`],
    ['path-to-regexp', `/(${'(?:a|a)'.repeat(22)})`, path],
  ];
  for (const [syntax, source, visited] of costly)
    expect([source, verdictOf(syntax, source, visited)]).toEqual([source, 'unknown']);
  expect(matchesValue('(?:a|a)'.repeat(22), 'a'.repeat(22), undefined)).toBe('unknown');
  const cheap: [syntax: string, source: string, path: string][] = [
    ['regex', '^/(?:de|en|fr|it|es|pt|nl|pl)/(?:blog|news)/([^/]+)/?$', '/en/blog/first'],
    ['regex', '^/old/(.*)\\.(?:png|jpg|gif)$', `/old/${'a'.repeat(300)}.png`],
    ['path-to-regexp', '/blog/:year/:month/:day/:slug', '/blog/2026/01/02/a-long-name-of-an-article'],
    ['path-to-regexp', '/:locale?/docs/:path*', `/en/docs${'/a'.repeat(40)}`],
  ];
  for (const [syntax, source, visited] of cheap)
    expect([source, verdictOf(syntax, source, visited)]).not.toEqual([source, 'unknown']);
});
