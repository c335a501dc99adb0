import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

const configuration = (level: string) => `stack: shop
platform: { team: acme }
secrets: { db: { env: DATABASE_URL } }
projects:
  web:
    env:
      LEVEL: ${level}
      DB: { value: '\${secret.db}', type: encrypted }
`;

/** Returns the text of each file below a folder, by its path. */
function filesIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

it('A rehearsal sends only reads to the platform, writes no file but its plan, and shows no secret of the run or of the account.', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': configuration('info') });
  const platform = await shell.withTwin({
    team: { slug: 'acme' },
    projects: [
      {
        name: 'web',
        env: [{ key: 'OLD', value: 'live-canary-of-the-account', type: 'encrypted', target: ['production'] }],
      },
    ],
  });
  shell.env = {
    ...shell.env,
    DATABASE_URL: 'postgres://canary-of-the-run',
    TRUEUP_ALLOW_ENV: 'DATABASE_URL',
  };
  const applied = await shell.run(['apply', '--auto-approve', '--no-canary']);
  expect(applied.status, applied.all).toBe(0);
  await shell.write({ 'trueup.yaml': configuration('debug') });
  shell.env.DATABASE_URL = 'postgres://canary-of-the-next-run';
  const filesBefore = filesIn(shell.folder);
  const requestsBefore = platform.requests.length;
  const rehearsed = await shell.run(['plan', '--rehearse', '--verbose', '--out', 'shop.plan']);
  expect(rehearsed.status, rehearsed.all).toBe(0);
  expect(rehearsed.stdout).toContain('Accepted: 2 of 2 changes');
  const again = await shell.run(['rehearse', 'shop.plan', '--json']);
  expect(again.status, again.all).toBe(0);
  const methods = platform.requests.slice(requestsBefore).map(({ method }) => method);
  expect(new Set(methods)).toEqual(new Set(['GET']));
  expect(existsSync(join(shell.folder, 'shop.plan'))).toBe(true);
  const filesAfter = filesIn(shell.folder);
  expect([...filesAfter.keys()].filter((name) => !filesBefore.has(name))).toEqual(['shop.plan']);
  for (const [name, text] of filesBefore) expect([name, filesAfter.get(name)]).toEqual([name, text]);
  for (const text of [rehearsed.all, again.all, ...filesAfter.values()])
    expect(text).not.toMatch(/canary-of/);
});
