import { expect, test } from 'vitest';
import { meaning } from '../../providers/hosting/meaning/index.ts';
import { viewOf } from '../support/view-of.ts';

/** Texts that let somebody in who knows them. */
const keys = ['canary-cookie', 'canary-header', 'canary-query', 'canary-bearer'];

test('a trace and findings show no value of a condition that may let somebody in', async () => {
  const condition = (type: string, key: string, value: string) =>
    `{ type: ${type}, op: eq, key: ${key}, value: ${value} }`;
  const match = (type: string, key: string, value: string) =>
    `{ type: ${type}, key: ${key}, value: ${value} }`;
  const list = (write: typeof condition) =>
    [
      write('cookie', 'beta', 'canary-cookie'),
      write('header', 'x-bypass-token', 'canary-header'),
      write('query', 'secret', 'canary-query'),
      write('header', 'x-sent', '"Bearer canary-bearer"'),
    ].join(', ');
  const view = await viewOf(`projects:
  web:
    domains: { www.example.com: {} }
    routes: [{ name: inside, srcSyntax: equals, route: { src: /in, dest: /app, status: 307, has: [${list(match)}] } }]
    firewall:
      firewallEnabled: true
      rules:
        - { name: inside, active: true, action: { mitigate: { action: bypass } }, conditionGroup: [{ conditions: [${list(condition)}] }] }
        - { name: never, active: true, action: { mitigate: { action: deny } }, conditionGroup: [{ conditions: [${condition('cookie', 'beta', 'canary-cookie')}, { type: path, op: eq, value: in }] }] }`);
  const trace = (await meaning.loadTrace())(view, {
    method: 'GET',
    url: new URL('https://www.example.com/in?secret=1'),
    headers: new Map([['cookie', 'beta=1']]),
  });
  const findings = (await Promise.all(meaning.checks.map((group) => group.load())))
    .flat()
    .flatMap((check) => [...check.find(view)]);
  const shown = JSON.stringify([trace, findings]);
  expect(shown).toContain('the stated value');
  expect(findings.length).toBeGreaterThan(0);
  for (const key of keys) expect(shown).not.toContain(key);
});
