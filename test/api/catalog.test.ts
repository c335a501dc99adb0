import { expect, test } from 'vitest';
import { catalog } from '../../providers/hosting/catalog.ts';
import { Shell } from '../support/cli.ts';
import { sampled } from '../support/sweep.ts';

test('every operation of the catalog can be called, and arrives under its method and path', async () => {
  const shell = new Shell();
  const twin = await shell.withTwin({ team: { id: 'team_1', slug: 'acme' } });
  const outcomes = new Map<number, number>();
  for (const { method, path, operationId } of sampled([...catalog], 12)) {
    const before = twin.requests.length;
    const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const isKnown = catalog.filter((one) => one.operationId === operationId).length === 1;
    const called = operationId !== null && isKnown ? [operationId] : [method, path];
    const values = places.flatMap((name) => [
      '--param',
      `${name}=${name === 'teamId' ? 'team_1' : `a b/${name}`}`,
    ]);
    const body = /^(POST|PUT|PATCH|DELETE)$/.test(method) ? ['--auto-approve', '--field', 'x-y=1'] : [];
    const done = await shell.run(['api', ...called, '--team', 'acme', ...values, ...body]);
    const arrived = twin.requests.slice(before).filter((one) => one.path.split('?')[0] !== '/v2/teams/acme');
    const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
      name === 'teamId' ? 'team_1' : `a%20b%2F${name}`,
    );
    expect(arrived, done.all).toHaveLength(1);
    // The log of the twin does not show tokens.
    const logged = filled.replace(/(\/tokens?\/)[^/]+/, '$1(secret)');
    expect([arrived[0]!.method, arrived[0]!.path.split('?')[0]]).toEqual([method, logged]);
    if (operationId !== null) expect(arrived[0]!.operationId).toBe(operationId);
    outcomes.set(arrived[0]!.status, (outcomes.get(arrived[0]!.status) ?? 0) + 1);
  }
  console.log(`api: operations called, by status ${JSON.stringify(Object.fromEntries(outcomes))}`);
  expect(outcomes.has(501)).toBe(false);
});
