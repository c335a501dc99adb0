import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const token = (more = '') => `stack: edge
platform: { team: acme }
projects: { app: {} }
globalConfigs:
  shop:
    tokens:
      web:
        $secretTo:
          variable: projects/app/env/EDGE
          value: "https://edge.example/\${id}?token=\${secret}"${more}
`;

test('A secret that the platform shows once goes only where its block says, and into no variable that can be read back.', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': token() });
  const twin = await shell.withTwin();
  const printed: string[] = [];
  const run = async (...args: string[]) => {
    const ran = await shell.run(args);
    printed.push(ran.all);
    return ran;
  };
  const secrets = () => twin.account.globalConfigs.flatMap(({ tokens }) => tokens.map(({ token }) => token));
  const values = () => twin.account.projects.flatMap(({ env }) => env.map(({ value }) => value));
  /** Everything that was printed, and every file. */
  const texts = () => [
    ...printed,
    ...readdirSync(shell.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  ];

  const planned = await run('plan', '--requests', '--verbose', '--out', 'plan.json');
  expect(planned.stdout).toContain('(secret) ${globalConfigs.shop.tokens.web.token}');
  const ran = await run('apply', 'plan.json', '--verbose');
  expect(ran.status, ran.all).toBe(0);
  expect(ran.stdout).toContain('Verified');
  expect(secrets()).toHaveLength(1);
  expect(values()).toEqual([
    expect.stringMatching(new RegExp(`^https://edge.example/ecfg_\\w+\\?token=${secrets()[0]}$`)),
  ]);
  for (const format of ['text', 'json', 'markdown', 'html', 'github', 'sarif'])
    await run('plan', '--format', format);
  expect((await run('plan', '--detailed-exitcode')).status).toBe(0);
  for (const args of [
    ['log'],
    ['log', '1'],
    ['blame', 'projects/app/env/EDGE*'],
    ['ledger', 'list'],
    ['secrets'],
    ['render'],
  ])
    await run(...args);
  await run('export');
  expect(texts().filter((text) => text.includes(secrets()[0]!))).toEqual([]);
  for (const more of ['type: encrypted', 'type: plain', 'target: [development]']) {
    await shell.write({ 'trueup.yaml': token(`\n          ${more}`) });
    const refused = await run('plan');
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('sensitive')]);
  }
});
