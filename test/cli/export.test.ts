import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

const yaml = `stack: acme
platform: { team: acme }
secrets: { api: { env: API_KEY } }
projects:
  web:
    framework: nextjs
    env: { API_KEY: "\${secret.api}", HELLO: { value: world, type: plain } }
webhooks:
  deploys: { url: https://hooks.example.com, events: [deployment.succeeded], $secretTo: discard }
`;

/** A shell with an account on the embedded twin that has what `yaml` says. */
async function withAccount(): Promise<Shell> {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  shell.env.API_KEY = 'canary-of-the-key';
  const { status, all } = await shell.run(['apply', '--twin', '--auto-approve']);
  expect(status, all).toBe(0);
  return shell;
}

it('an account comes back as YAML that plans to no write, and holds no secret', async () => {
  const shell = await withAccount();
  const printed = await shell.run(['export', '--twin']);
  expect(printed.status, printed.all).toBe(0);
  expect(printed.all).not.toContain('canary');
  expect(printed.stdout).toContain('framework: nextjs');
  expect(printed.stderr).toContain('set 1 in the environment: WEB_API_KEY');

  const wrote = await shell.run(['export', '--twin', '--out', 'copy/trueup.yaml', '--stack', 'copy']);
  expect(wrote.status, wrote.all).toBe(0);
  shell.env = { WEB_API_KEY: 'canary-of-the-key' };
  const planned = await shell.run(['plan', '--twin', '-f', 'copy', '--requests', '--detailed-exitcode']);
  expect(planned.status, planned.all).toBe(2);
  expect(planned.stdout).toMatch(/0 to create, 8 to adopt, 0 to update, 0 to delete\. 0 requests/);
  expect(planned.stdout).not.toMatch(/POST|PATCH|PUT|DELETE/);
  expect((await shell.run(['apply', '--twin', '-f', 'copy', '--auto-approve'])).status).toBe(0);
  expect((await shell.run(['plan', '--twin', '-f', 'copy', '--detailed-exitcode'])).status).toBe(0);
});

it('one file for each area; files that are there are left alone', async () => {
  const shell = await withAccount();
  expect((await shell.run(['schema', '--out', '.trueup/schema.json'])).status).toBe(0);
  const args = ['export', '--twin', '--out-dir', 'areas'];
  expect((await shell.run(args)).status).toBe(0);
  const folder = join(shell.folder, 'areas');
  expect(readdirSync(folder).sort()).toEqual(['projects.yaml', 'trueup.yaml', 'webhooks.yaml']);
  const before = readFileSync(join(folder, 'projects.yaml'), 'utf8');
  expect(before.split('\n')[0]).toBe('# yaml-language-server: $schema=../.trueup/schema.json');
  const again = await shell.run(args);
  expect(again.status).toBe(1);
  expect(again.stderr).toMatch(/areas\/trueup\.yaml, .* there already/);
  expect((await shell.run([...args, '--force'])).status).toBe(0);
  expect(readFileSync(join(folder, 'projects.yaml'), 'utf8')).toBe(before);
  expect(statSync(folder).isDirectory()).toBe(true);
  expect((await shell.run(['validate', '-f', 'areas'])).status).toBe(0);
  const formatted = await shell.run(['fmt', '--check', 'areas']);
  expect(formatted.status, formatted.all).toBe(0);
});

it('a part, without a configuration', async () => {
  const shell = await withAccount();
  const { stdout, status } = await shell.run([
    'export',
    '--twin',
    '--team',
    'acme',
    '--target',
    'webhooks/*',
  ]);
  expect(status).toBe(0);
  expect(stdout).toContain('hooks.example.com:');
  expect(stdout).not.toContain('projects:');
});

it.each([
  [['--team', 'acme', '--personal'], /cannot be used with/],
  [['--out', 'a', '--out-dir', 'b'], /cannot be used with/],
  [['--nonsense'], /unknown option/],
])('%j is refused', async (args, message) => {
  const { status, stderr } = await new Shell().run(['export', '--twin', ...args]);
  expect(status).toBe(1);
  expect(stderr).toMatch(message);
});

it('an account that nobody names is asked for', async () => {
  const { status, stderr } = await new Shell().run(['export', '--twin']);
  expect(status).toBe(1);
  expect(stderr).toContain('--team SLUG');
});
