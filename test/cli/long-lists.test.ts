import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const yaml = 'stack: demo\nplatform: { team: acme }\nprojects: { p03: { framework: nextjs }, fresh: {} }\n';

test('of an account with many projects a plan reads the ones that are declared, and says what it did not list', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const projects = Array.from({ length: 40 }, (_, index) => ({ name: `p${String(index).padStart(2, '0')}` }));
  const twin = await shell.withTwin({ projects }, { pageSize: 5 });
  const planned = await shell.run(['plan', '--out', 'plan.json']);
  expect(twin.requests).toHaveLength(4);
  expect(planned.stdout).toContain(`
Not managed here, left alone: project (not listed).

First contact with this account: \`create projects/fresh\` is done first and checked by a fresh read
before the other change.

Read with 4 requests. To send: 1 PATCH and 1 POST in 2 operations.
Plan: 1 to create, 1 to adopt (1 of them changed), 0 to update, 0 to delete. 2 requests.`);

  const shown = await shell.run(['show', 'plan.json']);
  expect(shown.stdout).toContain('before the other change.\n\nTo send: 1 PATCH');
  // Who else works in the account changes nothing of what was approved: not even what comes on the first page.
  for (const one of twin.account.projects) one.updatedAt += one.name === 'p03' ? 1_000_000 : 0;
  const before = twin.requests.length;
  const applied = await shell.run(['apply', 'plan.json']);
  expect([applied.status, applied.stderr]).toEqual([0, expect.not.stringContaining('Error')]);
  expect(applied.stdout).toContain('Verified: the account matches');
  expect(twin.account.projects).toHaveLength(41);
  console.log(`long lists: ${twin.requests.length - before} requests for an apply of two projects`);
  expect(twin.requests.length - before).toBeLessThan(16);

  const second = await shell.run(['plan']);
  expect(second.stdout).toBe(`Not managed here, left alone: project (not listed).

Read with 2 requests.
No changes. The account matches the configuration.
`);
  const json = JSON.parse((await shell.run(['plan', '--json'])).stdout);
  expect(json).toMatchObject({ reads: 2, unlisted: ['project'], summary: { unmanaged: 0 } });
});
