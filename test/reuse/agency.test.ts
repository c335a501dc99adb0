import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const example = resolve('examples/agency');

const stacks: [folder: string, stage?: string][] = [
  ['dns'],
  ['sites', 'staging'],
  ['sites', 'production'],
  ['tools'],
];

/** The rows of the clients' file. */
const clients = readFileSync(join(example, 'shared/clients.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','));

story(
  'an agency: twelve sites in two stages and three stacks, each applied once and the same from then on',
  async () => {
    const shell = new Shell();
    cpSync(example, shell.folder, { recursive: true });
    // Data files are read if git tracks them.
    initRepository(shell.folder);
    execFileSync('git', ['add', '--all'], { cwd: shell.folder });
    await shell.withTwin({ team: { slug: 'acme' } });
    const database = Object.fromEntries(clients.map(([client]) => [client, `postgres://${client}`]));
    shell.env = {
      ...shell.env,
      TRUEUP_SECRET_sentry: 'https://sentry',
      TRUEUP_SECRET_database: JSON.stringify(database),
    };
    for (const [folder, stage] of stacks) {
      const inFolder = new Shell(join(shell.folder, folder));
      inFolder.env = shell.env;
      const chosen = stage === undefined ? [] : ['--stage', stage];
      const applied = await inFolder.run(['apply', '--auto-approve', '--settle', '0', ...chosen]);
      expect(applied.stderr).not.toContain('Error');
      expect(applied).toMatchObject({ status: 0 });
    }
    // From the folder of the workspace, all of them at once: none of them undoes what another one did.
    const ledgers = stacks.map(([folder]) => join(shell.folder, folder, '.trueup'));
    for (const from of new Set(ledgers)) cpSync(from, join(shell.folder, '.trueup'), { recursive: true });
    const again = await shell.run(['plan', '--all', '--detailed-exitcode']);
    expect(again.stdout).toContain('4 stacks: 4 without changes');
    expect(again).toMatchObject({ status: 0 });
  },
);

test('a configuration with stages asks for one, and says nothing else', async () => {
  const shell = new Shell();
  cpSync(example, shell.folder, { recursive: true });
  const sites = new Shell(join(shell.folder, 'sites'));
  const { status, stderr } = await sites.run(['plan', '--twin']);
  expect(status).toBe(1);
  expect(stderr).toContain('the configuration has the stages `production`, `staging`, but none is selected');
  expect(stderr).toContain('1 error');
});
