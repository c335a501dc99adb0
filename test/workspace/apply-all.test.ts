import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { liveVersion } from '../../providers/hosting/twin/projects/staged-versions.ts';
import { digest } from '../../src/model/digest.ts';
import { Shell } from '../support/cli.ts';
import { startProcess } from '../support/process.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';
import { chain, eventsIn, files, workplace } from './workplace.ts';

const story = oneStoryIn(7);

/** A workspace of two stacks, where more would only cost more. */
const twoStacks = { 'trueup.workspace.yaml': 'stacks: [dns, stacks/tools]\n' };

const write = ({ method }: { method: string }) => method !== 'GET';

describe('apply --all', () => {
  story(
    'applies all in order after one harmless change in each stack, then finds nothing left, and refuses all while one ledger has an unknown format',
    async () => {
      const { shell, twin } = await workplace();
      const { status, stdout, stderr } = await shell.run(['apply', '--all', '--auto-approve']);
      expect(stderr).toContain('4 of 4 stacks are up to date.');
      expect(status).toBe(0);
      // Each stack does one harmless change first, since each has its own ledger.
      const planned = stdout.match(/First contact with this account: `create/g) ?? [];
      expect(planned.length).toBeGreaterThan(1);
      expect(stderr.match(/First contact: the account shows/g)).toHaveLength(planned.length);
      const made = twin.requests.filter(write).map(({ path }) => path);
      expect(made.findIndex((path) => path.includes('/env'))).toBeGreaterThan(0);
      const after = await shell.run(['plan', '--all', '--detailed-exitcode']);
      expect(after.status).toBe(0);
      expect(after.stdout).toContain('4 stacks: 4 without changes.');
      expect(after.stdout).not.toContain('First contact');
      const ledger = join(shell.folder, '.trueup/ledger/tools.json');
      writeFileSync(ledger, readFileSync(ledger, 'utf8').slice(0, -20));
      const sent = twin.requests.filter(write).length;
      const refused = await shell.run(['apply', '--all', '--auto-approve']);
      expect(refused.status).toBe(1);
      expect(refused.stdout).toContain('.trueup/ledger/tools.json');
      expect(refused.stderr).toContain('Nothing was changed');
      expect(twin.requests.filter(write).length).toBe(sent);
    },
  );

  it('asks once, and does nothing without a yes', async () => {
    const { shell, twin } = await workplace(twoStacks);
    expect((await shell.run(['apply', '--all'])).stderr).toContain('needs a terminal or --auto-approve');
    const no = await shell.run(['apply', '--all'], { input: 'no\n', isTerminal: true });
    expect(no.status).toBe(1);
    expect(twin.requests.filter(write)).toEqual([]);
    expect((await shell.run(['apply', '--all'], { input: 'yes\n', isTerminal: true })).status).toBe(0);
  });

  story('one that fails leaves out what needs it, and says so', async () => {
    const tools = 'stack: tools\nplatform: { team: acme }\nsharedEnv: { TOOL: { value: x } }\n';
    const { shell, twin } = await workplace({ 'stacks/tools/trueup.yaml': tools });
    twin.setFaults({ faults: [{ at: { operation: 'createProject' }, do: { type: 'status', status: 403 } }] });
    const { status, stderr } = await shell.run(['apply', '--all', '--auto-approve']);
    expect(status).toBe(1);
    expect(stderr).toContain('shop@staging: Not applied: it needs dns, which was not fully applied.');
    expect(stderr).toContain('1 of 4 stacks are up to date.');
  });

  story('keeps the order of stacks that need each other through one that did not change', async () => {
    const { shell, twin } = await workplace(chain);
    await shell.write({
      'last/trueup.yaml': `${chain['last/trueup.yaml']}sharedEnv: { LAST: { value: x } }\n`,
      'first/trueup.yaml':
        'stack: first\nplatform: { team: acme }\nprojects: { last-app: { $existing: true, env: { FIRST: x } } }\n',
    });
    const since = ['--changed-since', 'HEAD'];
    const { stdout } = await shell.run(['plan', ...since, '--json']);
    expect(JSON.parse(stdout).stacks).toMatchObject([
      { id: 'last', needs: [] },
      { id: 'first', needs: ['middle'], awaits: [{ address: 'projects/last-app', stack: 'last' }] },
    ]);
    twin.setFaults({ faults: [{ at: { operation: 'createProject' }, do: { type: 'status', status: 403 } }] });
    const { stderr } = await shell.run(['apply', ...since, '--auto-approve']);
    expect(stderr).toContain('first: Not applied: it needs last, which was not fully applied.');
  });

  story('one that cannot be planned leaves out what needs it, and the rest is done', async () => {
    const { shell, twin } = await workplace({
      'dns/trueup.yaml': 'stack: dns\nplatform: { team: acme }\nprojects: { hub: { frmework: nextjs } }\n',
    });
    const { status, stderr } = await shell.run(['apply', '--all', '--auto-approve']);
    expect(status).toBe(1);
    expect(stderr).toContain(
      'Skipped, since it cannot be planned: dns.\nSkipped, since they need that: shop@staging, shop@production.',
    );
    expect(stderr).toContain('1 of 1 stack is up to date.');
    expect(twin.account.projects.map(({ name }) => name)).toEqual(['intranet']);
  });

  story('with --json-stream each event says which stack it is about', async () => {
    const { shell } = await workplace({
      'dns/trueup.yaml': 'stack: dns\nplatform: { team: acme }\nprojects: { hub: { frmework: nextjs } }\n',
    });
    const { status, stdout, stderr } = await shell.run(['apply', '--all', '--auto-approve', '--json-stream']);
    expect([status, stderr]).toEqual([1, '']);
    const lines = eventsIn(stdout);
    const of = (stack: string) => lines.filter((line) => line.stack === stack).map(({ type }) => type);
    expect(of('dns')).toEqual(['diagnostic']);
    expect(of('shop@staging')).toEqual(['log']);
    expect([...new Set(of('stacks/tools'))]).toEqual(
      expect.arrayContaining(['planned_change', 'change_summary', 'apply_start', 'apply_complete', 'log']),
    );
    expect(lines.filter(({ stack }) => stack === undefined).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['version', 'log']),
    );
  });

  story(
    'in a stream, too, a stack with nothing to do is summed up, and what fails on the way is a diagnostic',
    async () => {
      const { shell } = await workplace(twoStacks);
      const stream = ['apply', '--all', '--auto-approve', '--json-stream'];
      expect((await shell.run(stream)).status).toBe(0);
      const again = await shell.run(stream);
      for (const stack of ['dns', 'stacks/tools'])
        expect(eventsIn(again.stdout)).toContainEqual(
          expect.objectContaining({ stack, changes: expect.objectContaining({ operation: 'apply' }) }),
        );
      // Somebody has the lease of one of them, and nobody can tell who.
      await shell.write({ '.trueup/ledger/tools.lock': '?' });
      const held = await shell.run(stream);
      expect([held.status, held.stderr]).toEqual([1, '']);
      expect(eventsIn(held.stdout)).toContainEqual(
        expect.objectContaining({ '@level': 'error', type: 'diagnostic', stack: 'stacks/tools' }),
      );
      expect(eventsIn(held.stdout).at(-1)).toMatchObject({
        '@message': '1 of 2 stacks are up to date.',
      });
    },
  );

  it('what costs money is allowed for all with --allow', async () => {
    const costly =
      'stack: tools\nplatform: { team: acme }\nprojects: { intranet: { speedInsights: { enabled: true } } }\n';
    const { shell, twin } = await workplace({ ...twoStacks, 'stacks/tools/trueup.yaml': costly });
    const refused = await shell.run(['apply', '--all', '--auto-approve']);
    expect([refused.status, refused.stdout]).toEqual([1, expect.stringContaining('which is not allowed')]);
    const { status, all } = await shell.run(['apply', '--all', '--auto-approve', '--allow', 'cost']);
    expect(status, all).toBe(0);
    expect(twin.requests.map(({ path }) => path)).toContainEqual(expect.stringContaining('speed-insights'));
  });

  story('what another stack is to have made and has not is an error of that stack alone', async () => {
    const { shell } = await workplace({
      'trueup.workspace.yaml': 'stacks: [dns, { path: shop, stages: [staging] }]\n',
    });
    // Without `needs` nobody makes it first.
    const { status, stdout } = await shell.run(['plan', '--all', '--json']);
    expect(status).toBe(1);
    const [dns, shop] = JSON.parse(stdout).stacks;
    expect(dns.plan.diagnostics).toEqual([]);
    expect(shop.plan.diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'error', address: 'projects/hub' }),
    );
  });

  story('takes targets and exclusions, each of which has to mean something in one of them', async () => {
    const { shell, twin } = await workplace();
    const names = () => twin.account.projects.map(({ name }) => name).sort();
    const mistakes = [
      ['--target', 'projects/nobody'],
      ['--exclude', 'projects/nobody'],
    ];
    for (const flags of sampled(mistakes, 1)) {
      const refused = await shell.run(['apply', '--all', '--auto-approve', ...flags]);
      expect([refused.status, refused.stderr]).toEqual([
        1,
        expect.stringContaining('no address matches projects/nobody'),
      ]);
    }
    const narrow = await shell.run(['apply', '--all', '--auto-approve', '--target', 'projects/intranet']);
    expect([narrow.status, names()], narrow.stderr).toEqual([0, ['intranet']]);
    const rest = await shell.run(['apply', '--all', '--auto-approve', '--exclude', 'projects/*-red']);
    expect([rest.status, names()], rest.stderr).toEqual([
      0,
      ['hub', 'intranet', 'shop-production', 'shop-staging'],
    ]);
    await shell.write({
      'stacks/tools/trueup.yaml':
        'stack: tools\nplatform: { team: acme }\nsharedEnv: { TOOL: { value: x } }\nremoved: [{ at: projects/intranet, delete: true }]\n',
    });
    const deleted = await shell.run(['apply', '--all', '--auto-approve']);
    expect([deleted.status, names().includes('intranet')], deleted.stderr).toEqual([0, false]);
  });

  story(
    'the settings that a new object has from the start are found, and set as they were shown',
    async () => {
      const settings = `firewall: { firewallEnabled: true, botIdEnabled: false }
    attackMode: { attackModeEnabled: true }
    featureFlagSettings: { enabled: true }`;
      for (const saved of sampled([false, true], 1)) {
        const { shell, twin } = await workplace({
          'stacks/guard/trueup.yaml': `stack: guard
platform: { team: acme }
projects:
  hub:
    $existing: true
    ${settings}
`,
          'trueup.workspace.yaml': 'stacks: [dns, { path: stacks/guard, needs: [dns] }]\n',
        });
        if (saved) expect((await shell.run(['plan', '--all', '--out', 'plans.json'])).status).toBe(0);
        const ran = await shell.run(['apply', ...(saved ? ['plans.json'] : ['--all', '--auto-approve'])]);
        expect([ran.status, ran.stderr]).toEqual([
          0,
          expect.stringContaining('2 of 2 stacks are up to date.'),
        ]);
        expect((await shell.run(['plan', '--all', '--detailed-exitcode'])).status).toBe(0);
        expect(twin.requests.filter(({ path }) => path.includes('/firewall/')).some(write)).toBe(true);
      }
    },
  );

  story(
    'stacks that stage changes to one list do so one after another, and none promotes for another',
    async () => {
      const names = ['one', 'two', 'three'];
      const stack = (name: string, to: string) => `stack: ${name}
platform: { team: acme }
projects:
  hub:
    $existing: true
    bulkRedirects: { /${name}: { destination: /${to} } }
    routes: [{ name: ${name}, srcSyntax: equals, route: { src: /${name}/${to}, status: 404 } }]
`;
      const all = (to: string) =>
        Object.fromEntries(names.map((name) => [`stacks/${name}/trueup.yaml`, stack(name, to)]));
      const { shell, twin } = await workplace({
        ...all('a'),
        'trueup.workspace.yaml': `stacks: [dns, ${names.map((name) => `{ path: stacks/${name}, needs: [dns] }`).join(', ')}]\n`,
      });
      for (const to of ['a', 'b']) {
        const before = twin.requests.length;
        await shell.write(all(to));
        const ran = await shell.run(['apply', '--all', '--auto-approve']);
        expect([ran.status, ran.stderr]).toEqual([
          0,
          expect.stringContaining('4 of 4 stacks are up to date.'),
        ]);
        // A promotion is the only write to a list of versions.
        const written = twin.requests.slice(before).filter(write);
        expect(written.filter(({ path }) => /\/versions\b/.test(path))).toHaveLength(2 * names.length);
      }
      expect((await shell.run(['plan', '--all', '--detailed-exitcode'])).status).toBe(0);
    },
  );

  it.each(sampled([false, true], 1))(
    'stacks that each add to one list are applied as shown, though each changes where the next one adds (saved: %s)',
    async (saved) => {
      const names = ['one', 'two', 'three'];
      const all = (numbers: number[]) =>
        Object.fromEntries(
          names.map((name) => {
            const routes = numbers.map(
              (n) => `{ name: ${name}${n}, srcSyntax: equals, route: { src: /${name}/${n}, status: 404 } }`,
            );
            const yaml = `stack: ${name}\nplatform: { team: acme }\nprojects: { hub: { $existing: true, routes: [${routes.join(', ')}] } }\n`;
            return [`stacks/${name}/trueup.yaml`, yaml];
          }),
        );
      const { shell, twin } = await workplace({
        ...all([1, 2]),
        'trueup.workspace.yaml': 'stacks: [dns, stacks/one, stacks/two, stacks/three]\n',
      });
      expect((await shell.run(['apply', '-f', 'dns', '--auto-approve'])).status).toBe(0);
      for (const numbers of [
        [1, 2],
        [0, 2],
      ]) {
        await shell.write(all(numbers));
        if (saved) await shell.run(['plan', '--all', '--out', 'plans.json']);
        const ran = await shell.run(['apply', ...(saved ? ['plans.json'] : ['--all', '--auto-approve'])]);
        expect([ran.status, ran.stderr]).toEqual([
          0,
          expect.stringContaining('4 of 4 stacks are up to date.'),
        ]);
        const routes = liveVersion(twin.account.projects[0]!.routes)!.items.map(({ name }) => name);
        expect(routes.sort()).toEqual(names.flatMap((name) => numbers.map((n) => `${name}${n}`)).sort());
      }
      expect((await shell.run(['plan', '--all', '--detailed-exitcode'])).status).toBe(0);
    },
  );

  story('with the ledgers in git, where they are found again', async () => {
    const { shell, git } = await workplace({
      'trueup.workspace.yaml': 'stacks: [dns, { path: shop, stages: [staging], needs: [dns] }]\n',
    });
    execFileSync('git', ['init', '-q', '--bare', join(shell.folder, 'remote.git')]);
    git('remote', 'add', 'origin', join(shell.folder, 'remote.git'));
    const ran = await shell.run(['apply', '--all', '--auto-approve', '--ledger', 'git']);
    expect(ran.stderr).toContain('2 of 2 stacks');
    expect(git('ls-remote', 'origin', 'refs/trueup/*')).toContain('refs/trueup/shop%40staging');
    const again = await shell.run(['plan', '--all', '--ledger', 'git', '--detailed-exitcode']);
    expect(again.status).toBe(0);
    await shell.write({ 'trueup.workspace.yaml': 'stacks: [dns]\n' });
    const { stderr } = await shell.run(['stacks', '--ledger', 'git']);
    expect(stderr).toContain('is of the stack shop@staging, which is not in the workspace');
  });
});

describe('one saved file', () => {
  story('has all parts; apply does them, and does nothing when they are done', async () => {
    const { shell, twin } = await workplace();
    const planned = await shell.run(['plan', '--all', '--out', 'plans.json']);
    expect(planned.stderr).toContain('`trueup apply plans.json` applies it.');
    const shown = await shell.run(['show', 'plans.json']);
    expect(shown.status).toBe(0);
    expect(shown.stdout).toContain('== shop@production, after dns\nKnown after dns is applied: projects/hub');
    expect(shown.stderr).toContain('Sealed with the key');
    expect((await shell.run(['apply', 'plans.json'])).status).toBe(0);
    const before = twin.requests.filter(write).length;
    const again = await shell.run(['apply', 'plans.json']);
    expect(again.stderr).toContain('4 of 4 stacks');
    expect(again.status).toBe(0);
    expect(twin.requests.filter(write)).toHaveLength(before);
  });

  story('applies and verifies targets that are in different stacks', async () => {
    const { shell } = await workplace();
    const targets = ['--target', 'projects/hub', '--target', 'projects/intranet'];
    expect((await shell.run(['plan', '--all', ...targets, '--out', 'plans.json'])).status).toBe(0);
    const { status, stdout, stderr } = await shell.run(['apply', 'plans.json']);
    expect(stderr).toContain('4 of 4 stacks are up to date');
    expect(stdout).not.toContain('errors');
    expect(status).toBe(0);
  });

  story('goes on where a run ended in the middle', async () => {
    const { shell } = await workplace();
    await shell.run(['plan', '--all', '--out', 'plans.json']);
    const alone = await shell.run(['apply', '-f', 'dns/trueup.yaml', '--auto-approve']);
    expect(alone.status).toBe(0);
    // Somebody else's run: that is not the plan any more.
    const other = await shell.run(['apply', 'plans.json']);
    expect(other.status).toBe(1);
    expect(other.stderr).toContain('no longer matches what would be applied');
  });

  it('is refused whole without a part, edited, without its seal, or where one part changed since', async () => {
    const { shell, twin } = await workplace();
    await shell.run(['plan', '--all', '--out', 'plans.json']);
    const path = join(shell.folder, 'plans.json');
    const whole = JSON.parse(readFileSync(path, 'utf8'));
    const { seal: _, key: __, ...unsealed } = whole;
    const summed = ({ checksum: ___, ...rest }: Record<string, unknown>) => ({
      ...rest,
      checksum: digest('trueup plans', rest),
    });
    const forged: [unknown, string][] = [
      [summed({ ...whole, parts: whole.parts.slice(1) }), 'was edited after it was sealed'],
      [summed(unsealed), 'is not sealed'],
      [{ ...whole, parts: whole.parts.slice(1) }, 'the checksum does not match'],
      [
        summed({ ...whole, parts: [{ ...whole.parts[0], needs: ['x'] }] }),
        'depends on different stacks than when it was planned',
      ],
    ];
    for (const [text, message] of forged) {
      writeFileSync(path, JSON.stringify(text));
      const { status, stderr } = await shell.run(['apply', 'plans.json']);
      expect(status).toBe(1);
      expect(stderr).toContain(message);
    }
    writeFileSync(path, JSON.stringify(whole));
    await shell.write({
      'stacks/tools/trueup.yaml': files['stacks/tools/trueup.yaml'].replace('vite', 'astro'),
    });
    const { status, stderr } = await shell.run(['apply', 'plans.json']);
    expect(status).toBe(1);
    expect(stderr).toContain('plans.json, stacks/tools no longer matches what would be applied');
    expect(twin.requests.filter(write)).toEqual([]);
  });

  it('is shown with every broken seal, also behind a missing one, and fails then', async () => {
    const { shell } = await workplace();
    await shell.run(['plan', '--all', '--out', 'plans.json']);
    const path = join(shell.folder, 'plans.json');
    const { seal: _, key: __, ...unsealed } = JSON.parse(readFileSync(path, 'utf8'));
    const withChecksum = (format: string, { checksum: ___, ...rest }: Record<string, unknown>) => ({
      ...rest,
      checksum: digest(format, rest),
    });
    const editPart = (index: number, change: object) =>
      unsealed.parts.with(index, {
        ...unsealed.parts[index],
        plan: withChecksum('trueup plan', { ...unsealed.parts[index].plan, ...change }),
      });
    const show = async (parts: object[]) => {
      writeFileSync(path, JSON.stringify(withChecksum('trueup plans', { ...unsealed, parts })));
      const { status, stderr } = await shell.run(['show', 'plans.json']);
      return [status, stderr.match(/^.*(?:Not sealed|Not trustworthy|Origin unknown|Sealed)/gm)];
    };
    expect(await show(unsealed.parts)).toEqual([0, ['Not sealed']]);
    const { id } = unsealed.parts[2];
    expect(await show(editPart(2, { generation: 7 }))).toEqual([1, ['Not sealed', `${id}: Not trustworthy`]]);
    expect(await show(editPart(2, { key: 'aaaaaaaaaaaa' }))).toEqual([
      0,
      ['Not sealed', `${id}: Origin unknown`],
    ]);
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
    expect(stderr).toContain('shop@staging: Error: plans.json, shop@staging no longer matches');
    expect(stderr).toContain('3 of 4 stacks are up to date.');
  });
});

describe('all stacks', () => {
  story('on the embedded twin, from a folder below, with a key that the first run makes', async () => {
    const { shell } = await workplace();
    shell.env = {};
    const below = new Shell(join(shell.folder, 'shop'));
    const applied = await below.run(['apply', '--all', '--twin', '--auto-approve']);
    expect(applied.stderr).toContain('4 of 4 stacks are up to date.');
    expect(readdirSync(join(shell.folder, '.trueup/twin/ledger')).sort()).toEqual(
      ['dns', 'shop@production', 'shop@staging', 'tools'].flatMap((stack) => [
        `${stack}.history`,
        `${stack}.json`,
      ]),
    );
    expect((await shell.run(['plan', '--all', '--twin', '--detailed-exitcode'])).status).toBe(0);
    expect((await shell.run(['stacks', '--twin'])).stderr).toBe('4 stacks.\n');
  });

  story('a dozen stacks at once are applied without a warning of the engine', async () => {
    const { shell } = await workplace();
    const names = Array.from({ length: 12 }, (_, at) => `stack-${at}`);
    for (const name of names)
      await shell.write({
        [`${name}/trueup.yaml`]: `stack: ${name}\nplatform: { team: acme }\nprojects: { ${name}: {} }\n`,
      });
    await shell.write({ 'trueup.workspace.yaml': `stacks: [${names.join(', ')}]\n` });
    const { TRUEUP_TOKEN, TRUEUP_BASE_URL, TRUEUP_LEDGER_KEY } = shell.env as Record<string, string>;
    const env = { TRUEUP_TOKEN, TRUEUP_BASE_URL, TRUEUP_LEDGER_KEY } as Record<string, string>;
    const { status, stderr } = await startProcess(['apply', '--all', '--auto-approve', '--settle', '0'], {
      cwd: shell.folder,
      env,
    }).ended;
    expect([status, stderr]).toEqual([0, expect.stringContaining('12 of 12 stacks are up to date.')]);
    expect(stderr).not.toContain('Warning');
  });
});
