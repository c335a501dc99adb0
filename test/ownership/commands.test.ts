import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

const header = (stack: string) => `stack: ${stack}\nplatform: { team: acme }\n`;
const site = (more: string) => `projects: { site: { ${more} } }\n`;
const apply = ['apply', '--auto-approve', '--settle', '0'];

/** A folder with two stacks: `web` owns a project with two variables. */
async function twoStacks() {
  const shell = new Shell();
  const twin = await shell.withTwin();
  await shell.write({
    'web.yaml':
      header('web') + site('framework: vite, env: { A: one, B: { value: two, target: [preview] } }'),
    'growth.yaml': header('growth') + site('$existing: true'),
  });
  const made = await shell.run([...apply, '-f', 'web.yaml']);
  expect(made.status, made.stderr).toBe(0);
  return { shell, twin };
}

const list = async (shell: Shell, stack: string) =>
  (await shell.run(['ledger', 'list', '-f', `${stack}.yaml`])).stdout
    .split('\n')
    .flatMap((line) => line.split('  ')[0] || []);

describe('trueup ledger move', () => {
  it('lets another stack own something, wherever its container stays', async () => {
    const { shell, twin } = await twoStacks();
    const moved = await shell.run([
      'ledger',
      'move',
      'projects/site/env/A',
      '--to',
      'growth',
      '-f',
      'web.yaml',
    ]);
    expect([moved.status, moved.stdout]).toEqual([
      0,
      ['development', 'preview', 'production'].map((target) => `projects/site/env/A@${target}\n`).join(''),
    ]);
    expect(moved.stderr).toContain('1 object in 3 entries of web is now owned by growth.');
    await shell.write({
      'web.yaml': header('web') + site('framework: vite, env: { B: { value: two, target: [preview] } }'),
      'growth.yaml': header('growth') + site('$existing: true, env: { A: one }'),
    });
    twin.clearRequests();
    for (const stack of ['web', 'growth']) {
      const planned = await shell.run(['plan', '--detailed-exitcode', '-f', `${stack}.yaml`]);
      expect([planned.status, planned.stdout], planned.stderr).toEqual([
        0,
        expect.stringContaining('No changes'),
      ]);
    }
    expect(twin.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    // And back, the container with it.
    expect(
      (await shell.run(['ledger', 'move', 'projects/**', '--to', 'growth', '-f', 'web.yaml'])).status,
    ).toBe(0);
    expect(await list(shell, 'web')).toEqual([]);
    expect(await list(shell, 'growth')).toContain('projects/site/env/B@preview');
  });

  it('refuses what is owned by nobody, by the same stack, and a name that is none', async () => {
    const { shell } = await twoStacks();
    const move = (glob: string, to: string) =>
      shell.run(['ledger', 'move', glob, '--to', to, '-f', 'web.yaml']);
    expect((await move('projects/other', 'growth')).stderr).toContain(
      'the stack web owns nothing that matches',
    );
    expect((await move('projects/site', 'web')).stderr).toContain('it is already owned by web');
    expect((await move('projects/site', 'a b')).stderr).toContain('a b is not a valid stack name');
    expect(await list(shell, 'web')).toHaveLength(5);
  });
});

describe('trueup ledger retire', () => {
  it('ends the claims of a stack that is gone, and of no other', async () => {
    const { shell, twin } = await twoStacks();
    await shell.write({ 'growth.yaml': header('growth') + site('framework: vite') });
    expect((await shell.run([...apply, '-f', 'growth.yaml'])).stderr).toMatch(
      /owned by the stack web \(applied \d+ seconds? ago by run 1(, \w+)?\)/,
    );
    const asked = await shell.run(['ledger', 'retire', 'web']);
    expect([asked.status, asked.stderr]).toEqual([1, expect.stringContaining('--force')]);
    twin.clearRequests();
    expect((await shell.run(['ledger', 'retire', 'web', '--force'])).stdout).toBe(
      'Retired: web no longer owns anything. 3 objects stay as they are.\n',
    );
    expect(twin.requests).toEqual([]);
    expect((await shell.run([...apply, '-f', 'growth.yaml'])).status).toBe(0);
    expect((await shell.run(['ledger', 'retire', 'wbe', '--force'])).stderr).toContain(
      'there is no ledger of wbe',
    );
    expect((await shell.run(['ledger', 'retire', 'w b'])).stderr).toContain('-> trueup ledger retire shop');
  });
});

describe('owns', () => {
  it('is a fence: what is declared outside of it is an error, all of it at once', async () => {
    const shell = new Shell();
    const owns = 'owns: ["projects/*/env/**", "projects/*/domains/*"]\n';
    await shell.write({
      'trueup.yaml':
        header('web') + owns + site('$existing: true, env: { A: one }, domains: { a.example.org: {} }'),
    });
    expect((await shell.run(['validate'])).status).toBe(0);
    await shell.write({
      'trueup.yaml':
        header('web') +
        owns +
        site('framework: vite, env: { A: one }') +
        'webhooks: { a: { url: https://a.example.com, events: [domain.created], $secretTo: discard } }\n',
    });
    const { status, stderr } = await shell.run(['validate']);
    expect(status).toBe(1);
    expect(stderr).toContain('2 resources are outside what this stack may own: projects/site and webhooks/a');
    expect(stderr).toContain('trueup.yaml:4:');
    const rendered = await shell.run(['render']);
    expect(rendered.stdout + rendered.stderr).toContain('outside what this stack may own');
  });

  it('is told once for very many, with the number, the first places and, as JSON, all of them', async () => {
    const shell = new Shell();
    const names = Array.from({ length: 40 }, (_, i) => `site-${i + 10}`);
    await shell.write({
      'trueup.yaml': `${header('web')}owns: ["domains/**"]\nprojects:\n${names.map((name) => `  ${name}: { env: { A: one } }\n`).join('')}`,
    });
    const { stderr } = await shell.run(['validate']);
    expect(stderr.match(/\[stack\/outside\]/g)).toHaveLength(1);
    expect(stderr).toMatch(
      /80 resources are outside what this stack may own: projects\/site-10, projects\/site-11,\s+projects\/site-12 and 77 more/,
    );
    expect(stderr.match(/trueup.yaml:\d+:\d+/g)).toHaveLength(3);
    expect(stderr).toContain('and 77 more places');
    const { diagnostics } = JSON.parse((await shell.run(['validate', '--format', 'json'])).stdout);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0].related).toHaveLength(79);
  });

  it('stands in the workspace file, too, and holds for a stack that is run alone', async () => {
    const shell = new Shell();
    await shell.write({
      'trueup.workspace.yaml': 'stacks: [{ path: web.yaml, owns: ["projects/*/env/**"] }]\n',
      'web.yaml': header('web') + site('framework: vite'),
    });
    for (const command of [
      ['validate', '-f', 'web.yaml'],
      ['plan', '--all'],
    ]) {
      const { stdout, stderr } = await shell.run(command);
      expect(stdout + stderr).toContain('projects/site is outside what this stack may own');
    }
  });
});

it('in a workspace the old home may go first: what another stack takes over is not deleted', async () => {
  const { shell, twin } = await twoStacks();
  await shell.write({
    'trueup.workspace.yaml': 'stacks: [web.yaml, growth.yaml]\n',
    'web.yaml': header('web') + site('framework: vite, env: { B: { value: two, target: [preview] } }'),
    'growth.yaml':
      header('growth') +
      site('$existing: true, env: { $from: web, A: one }').replace(
        '$from: web, A: one',
        'A: { value: one, $from: web }',
      ),
  });
  const dropped = await shell.run([...apply, '-f', 'web.yaml']);
  expect([dropped.status, dropped.stdout], dropped.stderr).toEqual([
    0,
    expect.stringContaining('handed over to the stack growth'),
  ]);
  const taken = await shell.run([...apply, '-f', 'growth.yaml']);
  expect([taken.status, taken.stdout], taken.stderr).toEqual([0, expect.stringContaining('adopt')]);
  expect(twin.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

describe('the recipes for handing something over', () => {
  const own = (stack: string, more: string) => header(stack) + site(more);
  const taking = (from: string) =>
    own('growth', `$existing: true, env: { A: { value: one, $from: ${from} } }`);

  /** Two stacks without a workspace; `growth` wants the variable A. */
  async function start() {
    const { shell, twin } = await twoStacks();
    const run = async (...args: string[]) => {
      const ran = await shell.run(args);
      expect(ran.status, ran.all).toBe(0);
      return ran.stdout;
    };
    const applied = async (stack: string, yaml: string) => {
      await shell.write({ [`${stack}.yaml`]: yaml });
      return run(...apply, '-f', `${stack}.yaml`);
    };
    const refused = async (yaml: string, why: string) => {
      await shell.write({ 'growth.yaml': yaml });
      const { status, stderr } = await shell.run([...apply, '-f', 'growth.yaml']);
      expect([status, stderr.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(why)]);
    };
    const deletions = () => twin.requests.filter(({ method }) => method === 'DELETE');
    return { shell, run, applied, refused, deletions };
  }

  it('work with stacks that were renamed, the old one and the new one', async () => {
    const { run, applied, refused, deletions } = await start();
    const given = (stack: string, heir: string) =>
      own(
        stack,
        `framework: vite, env: { A: { value: one, $handover: ${heir} }, B: { value: two, target: [preview] } }`,
      );
    await applied('web', given('web', 'expansion'));
    await run('ledger', 'rename', 'web', 'site');
    await refused(taking('web'), 'owned by the stack site');
    await refused(taking('site'), 'and handed over to the stack expansion');
    await applied('site', given('site', 'growth'));
    expect(await applied('growth', taking('site'))).toContain('taken over from stack site');
    await applied('site', own('site', 'framework: vite, env: { B: { value: two, target: [preview] } }'));
    expect(deletions()).toEqual([]);
  });

  it('work with a stack that is gone, and with one whose ledger is lost', async () => {
    for (const end of ['retire', 'lost']) {
      const { shell, run, applied, refused, deletions } = await start();
      await refused(taking('web'), 'run `trueup ledger retire web`');
      if (end === 'retire') await run('ledger', 'retire', 'web', '--force');
      else rmSync(join(shell.folder, '.trueup/ledger/web.json'));
      expect(await applied('growth', taking('web').replace(', $from: web', ''))).toContain('adopted');
      expect(deletions()).toEqual([]);
    }
  });

  it('work by the operator, who replaces what the stack wrote about its heir', async () => {
    const { run, applied, shell } = await start();
    await applied('web', own('web', 'framework: vite, env: { A: { value: one, $handover: expansion } }'));
    await run('ledger', 'move', 'projects/site/env/A', '--to', 'growth', '-f', 'web.yaml');
    await shell.write({
      'web.yaml': own('web', 'framework: vite'),
      'growth.yaml': own('growth', '$existing: true, env: { A: one }'),
    });
    expect(await run('plan', '--detailed-exitcode', '-f', 'growth.yaml')).toContain('No changes');
    expect(await run('ledger', 'list', '-f', 'growth.yaml')).not.toContain('handed over');
  });
});
