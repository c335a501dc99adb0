import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';

const names = ['ONE', 'TWO', 'THREE', 'FOUR'];
const configuration = `stack: demo
platform: { team: acme }
secrets: { ${names.map((name) => `${name.toLowerCase()}: {}`).join(', ')} }
projects:
  web:
    env: { ${names.map((name) => `${name}: "\${secret.${name.toLowerCase()}}"`).join(', ')} }
  docs: { framework: futurejs }
`;

test('secrets that are missing are one warning, which says what to set', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': configuration });
  await shell.withTwin();
  const { stderr } = await shell.run(['plan']);
  expect(stderr).toContain(
    '4 secrets are not available, since their environment variables are not set: one, two, three and 1 more',
  );
  expect(stderr).toContain('-> set TRUEUP_SECRET_one, TRUEUP_SECRET_two, TRUEUP_SECRET_three and 1 more');
  expect(stderr).toContain('2 warnings');
});

test('a plan of a part warns of that part only, in its document, too', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': configuration });
  await shell.withTwin();
  const codes = async (...args: string[]) => {
    const { stdout } = await shell.run(['plan', '--json', ...args]);
    return JSON.parse(stdout).diagnostics.map(({ code }: { code: string }) => code);
  };
  expect(await codes('--target', 'projects/docs')).toEqual(['config/unknown-value', 'target/narrowed']);
  expect(await codes('--target', 'projects/web/env/ONE@*')).toEqual([
    'secret/unset',
    'target/closure',
    'target/narrowed',
  ]);
});

const values = Object.fromEntries(
  names.map((name) => [`TRUEUP_SECRET_${name.toLowerCase()}`, `value-of-${name}`]),
);
const typed = (type: string) =>
  configuration
    .replace('futurejs', 'nextjs')
    .replaceAll(/"(\$\{secret\.\w+\})"/g, `{ value: "$1", type: ${type}, target: [production] }`);
const sensitive = typed('sensitive');

/** A stack that was applied in CI, with its secrets and a key. */
async function applied(yaml = sensitive) {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  await shell.withTwin();
  const ci = { ...shell.env, CI: 'true', TRUEUP_LEDGER: 'ledger.json' };
  const key = { TRUEUP_LEDGER_KEY: keyText() };
  shell.env = { ...ci, ...values, ...key };
  expect((await shell.run(['apply', '--auto-approve', '--settle', '0'])).status).toBe(0);
  const warnings = async (env: Record<string, string>, ...args: string[]) => {
    shell.env = { ...ci, ...env };
    const { stdout } = await shell.run(['plan', '--json', ...args]);
    return JSON.parse(stdout).diagnostics as { code: string }[];
  };
  return { shell, key, warnings };
}

test('without the key that the ledger was written with, that is the one thing to set', async () => {
  const { shell, key, warnings } = await applied();
  expect(await warnings({ ...values, ...key })).toEqual([]);
  const one = {
    severity: 'warning',
    code: 'secret/no-key',
    message: 'TRUEUP_LEDGER_KEY is not set: 4 secrets are not compared',
    hint: expect.stringMatching(/^set it to the key the ledger was written with/),
  };
  expect(await warnings(values)).toEqual([expect.objectContaining(one)]);
  expect(await warnings(values, '--target', 'projects/web/env/ONE@*')).toContainEqual(
    expect.objectContaining({ message: 'TRUEUP_LEDGER_KEY is not set: 1 secret is not compared' }),
  );
  // Another one to send takes a key as well: the same one.
  await shell.write({ 'trueup.yaml': sensitive.replace('env: {', 'env: { FIVE: "${secret.one}",') });
  expect(await warnings(values)).toEqual([expect.objectContaining(one)]);
});

test('a new secret without any key: the plan shows it, and apply asks for the key that the ledger has', async () => {
  const readable = typed('encrypted');
  const { shell, warnings } = await applied(readable);
  await shell.write({ 'trueup.yaml': readable.replace('env: {', 'env: { FIVE: "${secret.one}",') });
  expect(await warnings(values)).toMatchObject([
    { code: 'secret/no-key', message: 'TRUEUP_LEDGER_KEY is not set: 4 secrets are not compared' },
  ]);
  const refused = await shell.run(['apply', '--auto-approve']);
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/is signed by the key \w+, but no key is available here/),
  ]);
});

test('the plan of a pull request says that the key is missing, and suggests no key', async () => {
  const literal =
    'stack: shop\nplatform: { team: acme }\nprojects: { web: { env: { A: { value: one, type: sensitive, target: [production] } } } }\n';
  const { shell, warnings } = await applied(literal);
  await shell.write({
    'event.json': JSON.stringify({ pull_request: { number: 7, head: { repo: null }, base: {} } }),
  });
  const pullRequest = await warnings({ GITHUB_EVENT_PATH: 'event.json' });
  expect(pullRequest).toEqual([
    expect.objectContaining({
      severity: 'warning',
      code: 'secret/key-left-out',
      message: '1 secret is not compared: that takes the ledger key, which plans of pull requests never have',
    }),
  ]);
  expect(JSON.stringify(pullRequest)).not.toContain('TRUEUP_LEDGER_KEY');
  expect(JSON.stringify(await warnings({ CI_MERGE_REQUEST_IID: '7' }))).not.toContain('TRUEUP_LEDGER_KEY');
});

test('that the plan of a pull request has no secrets is said in one line', async () => {
  const { shell, key, warnings } = await applied();
  const pull = { pull_request: { number: 7, head: { repo: null }, base: {} } };
  await shell.write({ 'event.json': JSON.stringify(pull) });
  const left = {
    severity: 'warning',
    code: 'secret/left-out',
    message:
      '4 secrets are not available to pull request plans, so they are not compared: one, two, three and 1 more',
  };
  expect(await warnings({ ...key, GITHUB_EVENT_PATH: 'event.json' })).toEqual([
    expect.objectContaining(left),
  ]);
  expect(await warnings({ ...key, CI_MERGE_REQUEST_IID: '7' })).toEqual([expect.objectContaining(left)]);
  expect(await warnings({ ...key, ...values, TRUEUP_SECRET_one: '', CI_MERGE_REQUEST_IID: '7' })).toEqual([
    expect.objectContaining({
      message: '1 secret is not available to pull request plans, so it is not compared: one',
    }),
  ]);
  // Elsewhere they are missing.
  const missing = await warnings(key);
  expect(missing.map(({ code }) => code)).toEqual(['secret/unset']);
});

test('a plan of a pull request that sends no secret is applied after the merge, without them as well', async () => {
  const { shell, key } = await applied();
  await shell.write({
    'trueup.yaml': sensitive.replace('framework: nextjs', 'framework: astro'),
  });
  const given = shell.env;
  const without = Object.fromEntries(
    Object.entries({ ...given, ...key }).filter(([name]) => !(name in values)),
  );
  shell.env = { ...without, CI_MERGE_REQUEST_IID: '7' };
  expect((await shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
  shell.env = without;
  expect(await shell.run(['apply', 'plan.json', '--settle', '0'])).toMatchObject({ status: 0 });
});
