import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { temporary } from '../support/ledger-places.ts';

it('Output of a failed command is shown without any secret of the run, and without anything that looks like one.', async () => {
  const own = 'own-pass-phrase-of-the-vault';
  const other = 'another-secret-of-the-run';
  const secrets: Record<string, string> = {
    'what it printed': own,
    'another secret': other,
    'a variable that sounds like one': 'value-of-a-variable',
    'what is called so': 'hunter2hunter2',
    'a key that nobody knows': 'sk_live_51HxYzAbCdEfGh123456',
    'a password in an address': 'letmein',
    'a header': 'Zm9vYmFyYmF6',
  };
  const script = `echo '${own}'
cat >&2 <<'END'
cannot reach the vault: permission denied for item prod
printed ${own}, encoded ${Buffer.from(own).toString('base64')}
asked with ${other} and $VAULT_TOKEN
password: hunter2hunter2
used sk_live_51HxYzAbCdEfGh123456 at https://ada:letmein@vault.example.com/item
Authorization: Bearer Zm9vYmFyYmF6
END
echo "environment $VAULT_TOKEN $TRUEUP_TOKEN" >&2
exit 4`;
  const program = join(temporary(), 'vault');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const shell = await new Shell().write({
    'trueup.yaml': `stack: demo
platform: { team: acme }
secrets: { db: { command: ['${program}'] }, other: {} }
projects: { web: { env: { A: "\${secret.db}", B: "\${secret.other}" } } }
`,
  });
  await shell.withTwin();
  shell.env = { ...shell.env, TRUEUP_SECRET_other: other, VAULT_TOKEN: 'value-of-a-variable' };
  for (const command of [
    ['plan'],
    ['plan', '--json'],
    ['secrets'],
    ['secrets', '--json'],
    ['apply', '--auto-approve'],
  ]) {
    const { all } = await shell.run([...command, '--allow-command', program]);
    expect(all).toContain('cannot reach the vault: permission denied for item prod');
    expect(all).toContain('vault.example.com');
    for (const [what, secret] of Object.entries(secrets))
      expect([command, what, all.includes(secret)]).toEqual([command, what, false]);
    expect(all).not.toContain(Buffer.from(own).toString('base64'));
    expect(all).not.toContain('token-for-tests');
  }
});
