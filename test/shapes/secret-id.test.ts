import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const yaml = `stack: demo
platform: { team: acme }
projects:
  web:
    protectionBypass: { made: { note: by the platform } }
`;
const ledgerOf = (shell: Shell) => readFileSync(join(shell.folder, '.trueup/ledger/demo.json'), 'utf8');

test('an id that is a secret takes a key, which is made: the ledger has its digest, even of a secret nobody declared', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin();
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  const [secret] = Object.keys(twin.account.projects[0]!.protectionBypass!);
  const { entries } = JSON.parse(ledgerOf(shell));
  expect(entries['projects/web/protectionBypass/made'].ids).toHaveLength(1);
  expect(ledgerOf(shell)).not.toContain(secret);
  expect(readdirSync(join(shell.folder, '.trueup'))).toContain('key');
});

story('an adoption takes one too: what is kept is no number in a list', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  await shell.withTwin({ projects: [{ name: 'web', protectionBypasses: [{ note: 'by the platform' }] }] });
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  const { entries } = JSON.parse(ledgerOf(shell));
  expect(entries['projects/web/protectionBypass/made'].ids[0]).toMatch(/^\w{12}\.[\w-]{32}$/);
});

test('in CI without a key a plan is made, and apply refuses before it sends anything', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin();
  shell.env.CI = 'true';
  expect((await shell.run(['plan'])).status).toBe(0);
  const ran = await shell.run(['apply', '--auto-approve', '--ephemeral-ledger']);
  expect([ran.status, twin.account.projects]).toEqual([1, []]);
  expect(ran.stderr).toContain('TRUEUP_LEDGER_KEY');
});
