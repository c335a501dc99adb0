import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneRowIn } from '../support/sweep.ts';

/** A key in clear, in the form that `env/public-secret` finds. */
const key = `sk_${'live'}_51AbCdEfGhIjKlMnOpQrStUv`;

const seed = {
  team: { slug: 'acme' },
  projects: [{ name: 'web', env: [{ key: 'NEXT_PUBLIC_KEY', value: key, type: 'plain' }] }],
};

const declared = `{ web: { env: { NEXT_PUBLIC_KEY: ${key} } } }`;

async function shellWith(projects: string): Promise<Shell> {
  const yaml = `stack: shop\nplatform: { team: acme }\nprojects: ${projects}\n`;
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  await shell.withTwin(seed as never);
  return shell;
}

describe('a secret that a finding reports', () => {
  it('stands in no snapshot: none is written, and the plan is shown', async () => {
    const shell = await shellWith(declared);
    const expected = await shell.run(['plan', '--json']);
    const { stdout, stderr, status } = await shell.run(['plan', '--json', '--snapshot', 'account.snapshot']);
    expect(stderr).toContain('[snapshot/clear-secret]');
    expect(JSON.parse(stdout).changes).toEqual(JSON.parse(expected.stdout).changes);
    expect(status).toBe(1);
    expect(existsSync(join(shell.folder, 'account.snapshot'))).toBe(false);
  });

  it('has one pseudonym in an anonymous snapshot, whose plan is equal', async () => {
    const shell = await shellWith(declared);
    const planned = await shell.run(['plan', '--json', '--snapshot', 'account.snapshot', '--anonymous']);
    const text = snapshotText(shell);
    expect(text).toContain('hidden-secret-');
    expect(text).not.toContain('51AbCdEfGhIj');
    const again = await shell.run(['plan', '--json', '--from', 'account.snapshot']);
    const actions = (json: string) =>
      JSON.parse(json).changes.map(({ action }: { action: string }) => action);
    expect(actions(again.stdout)).toEqual(actions(planned.stdout));
  });

  it('is a token if only the account has it, because the plan hides it already', async () => {
    const shell = await shellWith('{ web: { env: { OTHER: x } } }');
    const planned = await shell.run(['plan', '--json', '--snapshot', 'account.snapshot']);
    expect(planned.status, planned.stderr).toBe(0);
    expect(snapshotText(shell)).not.toContain('51AbCdEfGhIj');
  });
});

describe('a secret of one stack that the account shows in a field of another one', () => {
  oneRowIn(2)([
    ['an anonymous snapshot', ['plan', '--all', '--anonymous', '--snapshot']],
    ['a bug report', ['doctor', '--all', '--exclude', 'projects/73519', '--auto-approve', '--bug']],
  ])('is a token in %s', async (_, command) => {
    const stack = (name: string, content: string) => `stack: ${name}\nplatform: { team: acme }\n${content}\n`;
    const shell = await new Shell().write({
      'trueup.workspace.yaml': 'stacks: [docs, web]\n',
      'docs/trueup.yaml': stack('docs', 'projects: { docs: { buildCommand: make } }'),
      'web/trueup.yaml': stack(
        'web',
        `secrets: { pin: { env: PIN } }
projects: { web: { env: { PIN: { value: "\${secret.pin}", type: encrypted } } } }`,
      ),
    });
    await shell.withTwin({
      team: { slug: 'acme' },
      projects: [{ name: 'docs', buildCommand: 'run 73519' }],
    } as never);
    shell.env = { ...shell.env, PIN: '73519', TRUEUP_ALLOW_ENV: 'PIN' };
    const run = await shell.run([...command, 'account.snapshot']);
    expect(run.status, run.all).toBe(0);
    expect(snapshotText(shell)).toMatch(/"buildCommand": ?"snapshot-secret-\d+-[\da-f]+"/);
    expect(snapshotText(shell)).not.toContain('73519');
  });
});

const snapshotText = ({ folder }: Shell): string =>
  gunzipSync(readFileSync(join(folder, 'account.snapshot'))).toString();
