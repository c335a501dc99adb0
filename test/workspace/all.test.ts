import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { files, workplace } from './workplace.ts';

const names = ['dns', 'shop@staging', 'shop@production', 'stacks/tools'];
const write = ({ method }: { method: string }) => method !== 'GET';

describe('plan --all', () => {
  it('plans each stack, and what a needed one creates is known after it', async () => {
    const { shell, twin } = await workplace();
    const { status, stdout, stderr } = await shell.run(['plan', '--all', '--json']);
    expect(stderr).toMatch(/^Read with \d+ requests\.\n$/);
    expect(status).toBe(0);
    const { stacks, complete } = JSON.parse(stdout);
    expect(complete).toBe(true);
    expect(stacks.map(({ id }: { id: string }) => id)).toEqual(names);
    expect(stacks[1]).toMatchObject({
      path: 'shop',
      stage: 'staging',
      stack: 'shop@staging',
      needs: ['dns'],
      awaits: [{ address: 'projects/hub', stack: 'dns' }],
      plan: { formatVersion: '1.4', summary: { create: 11 } },
    });
    expect(twin.requests.filter(write)).toEqual([]);
    const without = await shell.run(['plan', '-f', 'shop/trueup.yaml', '--stage', 'staging']);
    expect(without.status).toBe(1);
    expect(without.stderr).toContain('projects/hub is declared as existing, but the account has none');
  });

  it('reads what stacks have in common once', async () => {
    const { shell, twin } = await workplace();
    const reads = async (...args: string[]) => {
      const before = twin.requests.length;
      await shell.run(['plan', ...args]);
      return twin.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    };
    const apart = [
      ...(await reads('-f', 'dns/trueup.yaml')),
      ...(await reads('-f', 'stacks/tools/trueup.yaml')),
    ];
    const together = await reads('--all');
    expect(new Set(together).size).toBe(together.length);
    expect(apart.length).toBeGreaterThan(new Set(apart).size);
  });

  it('is one text, comment, page, SARIF log and report', async () => {
    const { shell } = await workplace();
    const show = async (format: string) => (await shell.run(['plan', '--all', '--format', format])).stdout;
    const text = await show('text');
    for (const name of names) expect(text).toContain(`== ${name}`);
    expect(text).toContain('== shop@staging, after dns\nKnown after dns is applied: projects/hub\n');
    expect(text).toContain('\n4 stacks: 4 with changes.\n');
    const comment = await show('markdown');
    expect(comment.split('\n')[0]).toBe('<!-- trueup:plan:%2a -->');
    expect(comment.match(/<!--/g)).toHaveLength(1);
    for (const name of names) expect(comment).toContain(`\n\`${name}\``);
    const page = await show('html');
    expect(page.match(/<h1>/g)).toHaveLength(5);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.parse(await show('sarif')).version).toBe('2.1.0');
    expect(JSON.parse(await show('gitlab'))).toEqual({ create: 21, update: 0, delete: 0 });
    expect((await shell.run(['plan', '--all', '--detailed-exitcode'])).status).toBe(2);
  });

  it('one that fails leaves out what needs it, and nothing else', async () => {
    const { shell } = await workplace({ 'dns/trueup.yaml': `${files['dns/trueup.yaml']}nonsense: 1\n` });
    const { status, stdout } = await shell.run(['plan', '--all', '--out', 'plans.json']);
    expect(status).toBe(1);
    expect(stdout).toContain('`nonsense` is no section');
    expect(stdout).toContain('Not planned: it needs dns, and that failed.');
    expect(stdout).toContain('+   projects/intranet');
    expect(stdout).toContain('4 stacks: 1 with changes, 1 failed, 2 left out.');
  });

  it('only what changed: of what is left out nothing is awaited', async () => {
    const { shell } = await workplace();
    await shell.write({ 'stacks/tools/trueup.yaml': `${files['stacks/tools/trueup.yaml']}# more\n` });
    const { stdout } = await shell.run(['plan', '--changed-since', 'HEAD', '--json']);
    expect(JSON.parse(stdout).stacks.map(({ id }: { id: string }) => id)).toEqual(['stacks/tools']);
    const none = await shell.run(['plan', '--all', '--changed-since', 'HEAD', '--format', 'markdown']);
    expect(none.status).toBe(0);
  });

  it.each([
    [['--file', 'dns'], '--file cannot be given with --all'],
    [['--stage', 'staging'], '--stage cannot be given with --all'],
    [['--target', 'projects/*'], '--target cannot be given with --all'],
    [['--ledger', 'one.json'], 'one file cannot be the ledger of several stacks'],
    [['--format', 'terraform'], 'this format shows one plan'],
  ])('is not for one stack: %j', async (args, message) => {
    const { shell } = await workplace();
    const { status, stderr } = await shell.run(['plan', '--all', ...args]);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});

describe('apply --all', () => {
  it('applies all in order, and then nothing is left', async () => {
    const { shell, twin } = await workplace();
    const { status, stderr } = await shell.run(['apply', '--all', '--auto-approve']);
    expect(stderr).toContain('4 of 4 stacks are as they should be.');
    expect(status).toBe(0);
    const made = twin.requests.filter(write).map(({ path }) => path);
    expect(made.findIndex((path) => path.endsWith('/env'))).toBeGreaterThan(0);
    const after = await shell.run(['plan', '--all', '--detailed-exitcode']);
    expect(after.status).toBe(0);
    expect(after.stdout).toContain('4 stacks: 4 without changes.');
  });

  it('asks once, and does nothing without a yes', async () => {
    const { shell, twin } = await workplace();
    expect((await shell.run(['apply', '--all'])).stderr).toContain('there is nobody to ask');
    const no = await shell.run(['apply', '--all'], { input: 'no\n', isTerminal: true });
    expect(no.status).toBe(1);
    expect(twin.requests.filter(write)).toEqual([]);
    expect((await shell.run(['apply', '--all'], { input: 'yes\n', isTerminal: true })).status).toBe(0);
  });

  it('one that fails leaves out what needs it, and says so', async () => {
    const tools = 'stack: tools\nplatform: { team: acme }\nsharedEnv: { TOOL: { value: x } }\n';
    const { shell, twin } = await workplace({ 'stacks/tools/trueup.yaml': tools });
    twin.setFaults({ faults: [{ at: { operation: 'createProject' }, do: { type: 'status', status: 403 } }] });
    const { status, stderr } = await shell.run(['apply', '--all', '--auto-approve']);
    expect(status).toBe(1);
    expect(stderr).toContain('shop@staging: Not applied: it needs dns, and that was not applied whole.');
    expect(stderr).toContain('1 of 4 stacks are as they should be.');
  });

  it('with the ledgers in git, where they are found again', async () => {
    const { shell, git } = await workplace();
    execFileSync('git', ['init', '-q', '--bare', join(shell.folder, 'remote.git')]);
    git('remote', 'add', 'origin', join(shell.folder, 'remote.git'));
    const ran = await shell.run(['apply', '--all', '--auto-approve', '--ledger', 'git']);
    expect(ran.stderr).toContain('4 of 4 stacks');
    expect(git('ls-remote', 'origin', 'refs/trueup/*')).toContain('refs/trueup/shop%40staging');
    const again = await shell.run(['plan', '--all', '--ledger', 'git', '--detailed-exitcode']);
    expect(again.status).toBe(0);
    await shell.write({ 'trueup.workspace.yaml': 'stacks: [dns, stacks/*]\n' });
    const { stderr } = await shell.run(['stacks', '--ledger', 'git']);
    expect(stderr).toContain('is of the stack shop@production, which is not in the workspace');
  });
});

describe('one saved file', () => {
  it('has all parts; apply does them, and does nothing when they are done', async () => {
    const { shell, twin } = await workplace();
    const planned = await shell.run(['plan', '--all', '--out', 'plans.json']);
    expect(planned.stderr).toContain('`trueup apply plans.json` carries it out.');
    const shown = await shell.run(['show', 'plans.json']);
    expect(shown.status).toBe(0);
    expect(shown.stdout).toContain('== shop@production, after dns\nKnown after dns is applied: projects/hub');
    expect(shown.stderr).toContain('Sealed by the key');
    expect((await shell.run(['apply', 'plans.json'])).status).toBe(0);
    const before = twin.requests.filter(write).length;
    const again = await shell.run(['apply', 'plans.json']);
    expect(again.stderr).toContain('4 of 4 stacks');
    expect(again.status).toBe(0);
    expect(twin.requests.filter(write)).toHaveLength(before);
  });

  it('goes on where a run ended in the middle', async () => {
    const { shell } = await workplace();
    await shell.run(['plan', '--all', '--out', 'plans.json']);
    const alone = await shell.run(['apply', '-f', 'dns/trueup.yaml', '--auto-approve']);
    expect(alone.status).toBe(0);
    // Somebody else's run: that is not the plan any more.
    const other = await shell.run(['apply', 'plans.json']);
    expect(other.status).toBe(1);
    expect(other.stderr).toContain('is not the plan that would be carried out now');
  });

  it('is refused whole where one part changed since', async () => {
    const { shell, twin } = await workplace();
    await shell.run(['plan', '--all', '--out', 'plans.json']);
    await shell.write({
      'stacks/tools/trueup.yaml': files['stacks/tools/trueup.yaml'].replace('vite', 'astro'),
    });
    const { status, stderr } = await shell.run(['apply', 'plans.json']);
    expect(status).toBe(1);
    expect(stderr).toContain('plans.json, stacks/tools is not the plan that would be carried out now');
    expect(twin.requests.filter(write)).toEqual([]);
  });

  it('is refused without a part, edited, or without its seal', async () => {
    const { shell, twin } = await workplace();
    await shell.run(['plan', '--all', '--out', 'plans.json']);
    const path = join(shell.folder, 'plans.json');
    const whole = JSON.parse(readFileSync(path, 'utf8'));
    const { seal: _, key: __, ...unsealed } = whole;
    const { digest } = await import('../../src/model/digest.ts');
    const summed = ({ checksum: ___, ...rest }: Record<string, unknown>) => ({
      ...rest,
      checksum: digest('trueup plans', rest),
    });
    const forged: [unknown, string][] = [
      [summed({ ...whole, parts: whole.parts.slice(1) }), 'was edited after it was sealed'],
      [summed(unsealed), 'is not sealed'],
      [{ ...whole, parts: whole.parts.slice(1) }, 'the checksum is another one'],
      [summed({ ...whole, parts: [{ ...whole.parts[0], needs: ['x'] }] }), 'needs other stacks now'],
    ];
    for (const [text, message] of forged) {
      writeFileSync(path, JSON.stringify(text));
      const { status, stderr } = await shell.run(['apply', 'plans.json']);
      expect(status).toBe(1);
      expect(stderr).toContain(message);
    }
    expect(twin.requests.filter(write)).toEqual([]);
  });

  it('what appeared in the created object meanwhile is no part of what was agreed to', async () => {
    const { shell } = await workplace();
    await shell.run(['plan', '--all', '--out', 'plans.json']);
    const provider = shell.provider;
    // As soon as the hub is there, somebody else gives it the variable that the shop would create.
    shell.provider = {
      ...provider,
      connect: async (options) => {
        const connection = await provider.connect(options);
        return {
          ...connection,
          send: async (request, confirm) => {
            const answer = await connection.send(request, confirm);
            const isHub = (request.body as { name?: string } | undefined)?.name === 'hub';
            if (isHub && request.endpoint.startsWith('POST'))
              await connection.send({
                endpoint: 'POST /v10/projects/{project}/env',
                params: { project: 'hub' },
                body: { key: 'SHOP_STAGING', value: 'x', type: 'plain', target: ['production'] },
              });
            return answer;
          },
        };
      },
    };
    const { status, stderr } = await shell.run(['apply', 'plans.json']);
    expect(status).toBe(1);
    expect(stderr).toContain('shop@staging: Error: plans.json, shop@staging is not the plan');
    expect(stderr).toContain('3 of 4 stacks are as they should be.');
  });
});
