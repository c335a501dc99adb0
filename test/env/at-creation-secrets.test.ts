import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

const configuration = (sites: string, secrets = '{ api_key: {} }') => `stack: sites
platform: { team: acme }
secrets: ${secrets}
templates:
  site:
    $kind: project
    env:
      API_KEY: { value: "\${secret.api_key}", type: sensitive, target: [production], $ignore: [value] }
projects:
  ${sites.split(' ').join(': { $use: site }\n  ')}: { $use: site }
`;

it('a secret for new objects is asked for by their plan only', async () => {
  const shell = new Shell();
  const twin = await shell.withTwin({
    team: { slug: 'acme' },
    projects: [
      { name: 'a', env: [{ key: 'API_KEY', value: 'theirs', type: 'sensitive', target: ['production'] }] },
    ],
  });
  await shell.write({ 'trueup.yaml': configuration('a') });
  expect((await shell.run(['validate'])).all).toContain('is valid');
  const first = await shell.run(['apply', '--auto-approve']);
  expect(first).toMatchObject({ status: 0 });
  expect(first.all).not.toMatch(/not set|not available|not compared/);

  await shell.write({ 'trueup.yaml': configuration('a b') });
  const plan = await shell.run(['plan']);
  expect(plan.all).toContain(
    'the secret `api_key` is not available: TRUEUP_SECRET_api_key is not set; needed by projects/b/env/API_KEY [secret/unset]\n',
  );
  const refused = await shell.run(['apply', '--auto-approve']);
  expect(refused.status).toBe(1);
  expect(refused.all).toContain('`api_key` would have to be sent, and is not available');
  expect(twin.account.projects).toHaveLength(1);

  shell.env.TRUEUP_SECRET_api_key = 'new';
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  const values = twin.account.projects.map(({ name, env }) => [name, env[0]!.value]);
  expect(values).toEqual([
    ['a', 'theirs'],
    ['b', 'new'],
  ]);
  delete shell.env.TRUEUP_SECRET_api_key;
  expect((await shell.run(['plan'])).stdout).toMatch(/^No changes/m);

  // A source that this run may not read is no obstacle either, until it has to be sent.
  await shell.write({ 'trueup.yaml': configuration('a b', '{ api_key: { env: OTHER } }') });
  const quiet = await shell.run(['apply', '--auto-approve']);
  expect(quiet.status, quiet.all).toBe(0);
  expect(quiet.all).not.toContain('not available');
  await shell.write({ 'trueup.yaml': configuration('a b c', '{ api_key: { env: OTHER } }') });
  const forbidden = await shell.run(['apply', '--auto-approve']);
  expect(forbidden.status).toBe(1);
  expect(forbidden.all).toContain('--allow-env OTHER');
  expect(twin.account.projects).toHaveLength(2);
});
