import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';

const yaml = `stack: demo
platform: { team: acme }
secrets: { it: {} }
projects:
  web: { env: { TOKEN: { value: "\${secret.it}", type: sensitive, target: [production] } } }
`;
const [old, next] = [keyText('last year'), keyText('this year')];

test('the key is rotated by an apply, and a plan that was saved before it is refused', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin();
  const given = { ...shell.env, TRUEUP_SECRET_it: 'canary-value' };
  const outputs: string[] = [];
  const run = async (keys: object, ...args: string[]) => {
    shell.env = { ...given, ...keys };
    const ran = await shell.run(args);
    outputs.push(ran.all);
    return ran;
  };
  const both = { TRUEUP_LEDGER_KEY: next, TRUEUP_LEDGER_KEY_PREVIOUS: old };
  await run({ TRUEUP_LEDGER_KEY: old }, 'apply', '--auto-approve');
  await run({ TRUEUP_LEDGER_KEY: old }, 'plan', '--out', 'plan.json');
  const sent = twin.requests.filter(({ method }) => method !== 'GET').length;

  const alone = await run({ TRUEUP_LEDGER_KEY_PREVIOUS: old }, 'plan');
  expect([alone.status, alone.stderr]).toEqual([
    1,
    expect.stringContaining('TRUEUP_LEDGER_KEY to the new key'),
  ]);
  const refused = await run(both, 'apply', 'plan.json');
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining('with the previous ledger key'),
  ]);
  const planned = await run(both, 'plan', '--detailed-exitcode');
  expect([planned.status, planned.stdout]).toEqual([
    2,
    expect.stringContaining('recorded again with the current ledger key'),
  ]);
  expect((await run(both, 'apply', '--auto-approve')).status).toBe(0);
  const after = await run({ TRUEUP_LEDGER_KEY: next }, 'plan', '--detailed-exitcode');
  expect([after.status, after.stderr]).toEqual([0, expect.stringMatching(/^Ledger: [^\n]*\n$/)]);

  expect(twin.requests.filter(({ method }) => method !== 'GET')).toHaveLength(sent);
  outputs.push(readFileSync(join(shell.folder, '.trueup/ledger/demo.json'), 'utf8'));
  expect(outputs.join('\n')).not.toContain('canary');
});
