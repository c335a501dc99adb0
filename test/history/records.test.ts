import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';

it('leaves a record', async () => {
  const shell = await new Shell().write({
    'trueup.yaml':
      'stack: shop\nplatform: { team: acme }\nprojects: { web: { framework: nextjs, env: { A: { value: one, type: plain } } } }\n',
  });
  await shell.withTwin();
  shell.env = { ...shell.env, TRUEUP_LEDGER_KEY: keyText(), USER: 'ada' };
  console.log((await shell.run(['apply', '--auto-approve'])).all);
  const folder = join(shell.folder, '.trueup/ledger/shop.history');
  console.log(readdirSync(folder));
  console.log(readFileSync(join(folder, '000001.json'), 'utf8'));
  expect(1).toBe(1);
});
