import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { RecordedSite } from '../support/recorded-site.ts';

const project = (framework: string) => `projects: { web: { framework: ${framework} } }\n`;

test('A history record that the key does not verify is marked as such, and nothing is undone from it.', async () => {
  const site = await RecordedSite.open('file');
  for (const framework of ['nextjs', 'astro', 'hugo']) {
    site.commit(project(framework));
    await site.apply();
  }
  const place = join(site.folder, '.trueup/ledger/shop.history/000002.json');
  writeFileSync(place, readFileSync(place, 'utf8').replace('"after": "astro"', '"after": "remix"'));
  expect((await site.run(['log'])).stdout).toMatch(/#2 .*not verified: changed after the key/);
  for (const run of ['2', '3']) {
    const undone = await site.run(['undo', run, '--auto-approve']);
    expect([undone.status, undone.stderr]).toEqual([1, expect.stringContaining('run 2 is not verified')]);
  }
});

const yaml = `stack: shop
platform: { personal: true }
secrets: { key: {} }
projects:
  web:
    env: { OPEN: { value: open, type: plain }, HIDDEN: hidden, KEY: "\${secret.key}" }
`;

/** A stack that was applied; then somebody wrote these values in the dashboard. */
async function changed(values: Record<string, string>) {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin();
  shell.env = { ...shell.env, TRUEUP_SECRET_key: 'the-secret-of-the-run' };
  const done = await shell.run(['apply', '--auto-approve']);
  expect(done, done.all).toMatchObject({ status: 0 });
  for (const row of twin.account.projects[0]!.env)
    if (values[row.key as string] !== undefined) row.value = values[row.key as string]!;
  return { shell, text: () => readFileSync(join(shell.folder, 'trueup.yaml'), 'utf8') };
}

test('Text from the account is written to the repository literally: accept and export never write it as an expression.', async () => {
  const { shell, text } = await changed({ OPEN: '${secret.key}' });
  const accepted = await shell.run(['accept', '--all', '--auto-approve']);
  expect(accepted, accepted.all).toMatchObject({ status: 0 });
  expect(text()).toContain('$${secret.key}');
  expect(text().match(/(?<!\$)\$\{secret\.key\}/g)).toHaveLength(1);
  const exported = await shell.run(['export', '--stack', 'copy']);
  expect(exported.stdout).toContain('$${secret.key}');
});

test('Accept writes a value that may be a secret only if it was confirmed or named, and never shows it.', async () => {
  const { shell, text } = await changed({ HIDDEN: 'canary-of-somebody' });
  const left = await shell.run(['accept', '--all', '--auto-approve']);
  expect(left.stderr).toContain('it may be a secret');
  expect(text()).toBe(yaml);
  const named = await shell.run(['accept', '--all', '--auto-approve', '--values', 'projects/web/env/HIDDEN']);
  expect(text()).toContain('canary-of-somebody');
  expect(left.all + named.all).not.toContain('canary-of-somebody');
});
