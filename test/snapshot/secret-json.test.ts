import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

const yamlWith = (item: string) => `stack: shop
platform: { team: acme }
secrets: { pin: { env: PIN }, code: { env: CODE } }
projects: { web: { env: { PIN: "\${secret.pin}", CODE: "\${secret.code}" } } }
globalConfigs: { shop: { items: { one: { value: ${item} }, two: { value: 5 } } } }
`;

it('a secret as a number or as the name of a member of JSON is in no plan and no snapshot, and the plan from it is equal', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': yamlWith('{ deep: [{ kilimanjaro: 1, other: x }, { pin: 73519842 }] }'),
  });
  await shell.withTwin({ team: { slug: 'acme' } } as never);
  shell.env = { ...shell.env, PIN: 'other-pin', CODE: 'other-code', TRUEUP_ALLOW_ENV: 'PIN,CODE' };
  const applied = await shell.run(['apply', '--auto-approve', '--ledger', 'ledger.json']);
  expect(applied.status, applied.all).toBe(0);
  shell.env = { ...shell.env, PIN: '73519842', CODE: 'kilimanjaro' };
  await shell.write({ 'trueup.yaml': yamlWith('{ deep: [] }') });
  for (const format of ['text', 'json', 'html', 'markdown']) {
    const { all } = await shell.run(['plan', '--format', format, '--ledger', 'ledger.json']);
    expect(all).toContain('deep');
    expect(all).not.toMatch(/73519842|kilimanjaro/);
  }
  // Without its ledger: an item that was applied in clear has a digest there, and a snapshot with another value is refused.
  const planned = await shell.run([
    'plan',
    '--json',
    '--ledger',
    'other.json',
    '--snapshot',
    'account.snapshot',
  ]);
  expect(planned.status, planned.all).toBe(0);
  expect(gunzipSync(readFileSync(join(shell.folder, 'account.snapshot'))).toString()).not.toMatch(
    /73519842|kilimanjaro/,
  );
  const again = await shell.run(['plan', '--json', '--from', 'account.snapshot']);
  expect(again.status, again.all).toBe(0);
  expect(JSON.parse(again.stdout).changes).toEqual(JSON.parse(planned.stdout).changes);
});
