import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyText } from '../support/keys.ts';
import { git } from '../support/ledger-places.ts';
import { RecordedSite } from '../support/recorded-site.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(5);

const project = (framework: string, value: string) =>
  `projects: { web: { framework: ${framework}, env: { A: { value: ${value}, type: plain } } } }\n`;

const folderOf = (site: RecordedSite) => join(site.folder, '.trueup/ledger/shop.history');
const recordOf = (site: RecordedSite, run: number) => join(folderOf(site), `00000${run}.json`);
const textOf = (site: RecordedSite, run: number) => readFileSync(recordOf(site, run), 'utf8');
const jsonOf = (site: RecordedSite, run: number) => JSON.parse(textOf(site, run));

interface Log {
  doubts: string[];
  runs: {
    run: number;
    verified: boolean;
    outcome: string;
    command: string;
    changes?: { address: string }[];
  }[];
}
const logOf = async (site: RecordedSite, ...args: string[]): Promise<Log> =>
  JSON.parse((await site.run(['log', '--json', ...args])).stdout);

const ci = {
  CI: 'true',
  GITHUB_ACTIONS: 'true',
  GITHUB_ACTOR: 'octocat',
  GITHUB_RUN_ID: '812',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/edge',
};

describe.each(['file', 'git'] as const)('with the ledger in %s', (ledger) => {
  story(
    'a run leaves a record of who did what from which commit, and the next one names its digest',
    async () => {
      const site = await RecordedSite.open(ledger);
      site.env = { ...site.env, ...ci };
      const commit = site.commit(project('nextjs', 'one'));
      await site.apply('--ephemeral-ledger');
      site.commit(project('astro', 'one'));
      await site.apply('--ephemeral-ledger');
      const { doubts, runs } = await logOf(site);
      expect(doubts).toEqual([]);
      expect(runs).toMatchObject([
        { run: 2, verified: true, done: { updated: 1 } },
        {
          run: 1,
          verified: true,
          stack: 'shop',
          command: 'apply',
          outcome: 'done',
          approval: 'flag',
          actor: { name: 'octocat', says: 'GITHUB_ACTOR' },
          ci: { name: 'GitHub Actions', run: '812', url: 'https://github.com/acme/edge/actions/runs/812' },
          commit: { id: commit },
          done: { created: 2 },
        },
      ]);
      const { stdout } = await site.run(['log', 'projects/web']);
      expect(stdout).toContain('octocat (as GITHUB_ACTOR says)');
      expect(stdout).toMatch(/~ projects\/web\n +framework: nextjs → astro/);
      expect(stdout).not.toContain('env/A');
    },
  );
});

story('git says what was done: a subject, and trailers for the rest', async () => {
  const site = await RecordedSite.open('git');
  const commit = site.commit(project('nextjs', 'one'));
  await site.apply();
  const tip = git(site.checkout, 'ls-remote', 'origin', 'refs/trueup/shop').split('\t')[0]!;
  const message = git(site.checkout, 'log', '--format=%B', '--grep=^apply shop: 2 created', '-n1', tip);
  expect(message).toMatch(/^apply shop: 2 created \(#1\)\n/);
  const trailers = git(site.checkout, 'log', '--format=%(trailers)', '--grep=^apply shop: 2', '-n1', tip);
  expect(trailers).toContain(`Configuration-Commit: ${commit}`);
  expect(trailers).toContain('Actor: ada (USER)');
  expect(trailers).toContain('Outcome: done');
});

story(
  'files that are not committed make a run dirty, whichever they are, and the ledger does not',
  async () => {
    const site = await RecordedSite.open('file');
    site.commit(project('nextjs', 'one'));
    await site.apply();
    // The ledger and its history lie in the work tree, changed since the commit.
    site.edit(project('nextjs', 'two'));
    await site.apply();
    site.commit(project('nextjs', 'three'));
    await site.apply();
    expect([1, 2, 3].map((run) => jsonOf(site, run).commit.dirty ?? false)).toEqual([false, true, false]);
    for (const run of ['2', '3']) {
      const undone = await site.run(['undo', run, '--auto-approve']);
      expect(undone.status).toBe(1);
      expect(undone.stderr).toMatch(/run 2 was applied from uncommitted files/);
    }
  },
);

it('no secret is in a record, and with no-values no value', async () => {
  const site = await RecordedSite.open('file');
  site.env.TRUEUP_SECRET_db = 'canary-of-the-database';
  const body = (framework: string) =>
    `secrets: { db: {} }\nprojects: { web: { framework: ${framework}, env: { DB: { value: "\${secret.db}" }, A: { value: shown, type: plain } } } }\n`;
  site.commit(body('nextjs'));
  await site.apply();
  site.env.TRUEUP_SECRET_db = 'canary-of-another-one';
  site.commit(body('astro'));
  site.env.TRUEUP_HISTORY = 'no-values';
  await site.apply();
  expect(textOf(site, 1)).toContain('"after": "(secret)"');
  expect(textOf(site, 1)).toContain('shown');
  expect(textOf(site, 1) + textOf(site, 2)).not.toContain('canary');
  expect(textOf(site, 2)).toContain('"path": "framework"');
  expect(textOf(site, 2)).not.toMatch(/astro|nextjs|"(before|after)"/);
  const undone = await site.run(['undo', '2', '--auto-approve', '--settle', '0']);
  expect(undone.status, undone.all).toBe(0);
  expect(undone.stderr).toMatch(/`value` is secret: its old value is not kept/);
  expect(site.twin.account.projects[0]).toMatchObject({ framework: 'nextjs' });
});

it('what the key does not verify is called so, and what is gone is told', async () => {
  const site = await RecordedSite.open('file');
  for (const framework of ['nextjs', 'astro', 'hugo']) {
    site.commit(project(framework, 'one'));
    await site.apply();
  }
  const text = textOf(site, 2);
  writeFileSync(recordOf(site, 2), text.replace('"after": "astro"', '"after": "remix"'));
  const forged = await logOf(site);
  expect(forged.runs.map(({ verified }) => verified)).toEqual([true, false, true]);
  expect((await site.run(['log'])).stdout).toMatch(/#2 .*not verified: changed after the key/);
  writeFileSync(recordOf(site, 2), text.replace('"start": "20', '"start": "19'));
  expect((await logOf(site)).runs.map(({ verified }) => verified)).toEqual([true, false, true]);
  // Signed by the same key, and about another run.
  writeFileSync(recordOf(site, 2), textOf(site, 1));
  expect((await logOf(site)).doubts.join()).toMatch(/the record of run 2 is not a valid record/);
  rmSync(recordOf(site, 2));
  expect((await logOf(site)).doubts).toEqual(['the record of run 2 is missing']);
  rmSync(recordOf(site, 3));
  expect((await logOf(site)).doubts.join()).toMatch(/a run sent a request at .* that no record mentions/);
});

it('without a key it is said once that nothing is verified, and nothing is undone', async () => {
  const site = await RecordedSite.open('file');
  site.commit(project('nextjs', 'one'));
  await site.apply();
  site.commit(project('astro', 'one'));
  await site.apply();
  delete site.env.TRUEUP_LEDGER_KEY;
  const { stdout, stderr } = await site.run(['log']);
  expect((stdout + stderr).match(/not verified/gi)).toHaveLength(1);
  expect((await site.run(['undo', '2', '--auto-approve'])).status).toBe(1);
  expect(site.twin.account.projects[0]).toMatchObject({ framework: 'astro' });
  site.env.TRUEUP_LEDGER_KEY = keyText('another');
  expect((await site.run(['log'])).stdout.match(/not verified: signed by a different key/g)).toHaveLength(2);
});

story('a run that is cut off leaves a record that says so, and the next one goes on with it', async () => {
  const site = await RecordedSite.open('file');
  site.commit(project('nextjs', 'one'));
  const write = site.twin.requests.length;
  site.twin.setFaults({
    faults: [{ at: { operation: 'createProject' }, do: { type: 'delay', ms: 3_600_000 } }],
  });
  const running = site.start(['apply', '--auto-approve', '--settle', '0']);
  for (;;) {
    if (site.twin.requests.slice(write).some(({ method }) => method === 'POST')) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  running.signal('SIGINT');
  running.signal('SIGINT');
  await running.ended;
  site.twin.setFaults({ faults: [] });
  const [cut] = (await logOf(site)).runs;
  expect(cut).toMatchObject({ run: 1, outcome: 'begun', verified: true, notDone: 2 });
  expect((await site.run(['log'])).stdout).toContain('has no recorded outcome');
  await site.apply();
  expect((await logOf(site)).runs).toMatchObject([{ run: 2, resumes: 1, outcome: 'done' }, { run: 1 }]);
});

story('destroy leaves a record, too, and a run that failed says what failed', async () => {
  const site = await RecordedSite.open('file');
  site.commit(project('nextjs', 'one'));
  site.twin.setFaults({
    faults: [{ at: { operation: 'createProjectEnv' }, do: { type: 'status', status: 400 } }],
  });
  expect((await site.run(['apply', '--auto-approve', '--settle', '0'])).status).toBe(1);
  site.twin.setFaults({ faults: [] });
  await site.apply();
  expect((await site.run(['destroy', '--confirm', 'shop', 'projects/web'])).status).toBe(0);
  expect((await logOf(site)).runs).toMatchObject([
    { command: 'destroy', outcome: 'done', done: { deleted: 2 } },
    { outcome: 'done' },
    { outcome: 'failed', failed: 1, done: { created: 1 } },
  ]);
});

story('the history follows a stack that is renamed', async () => {
  const site = await RecordedSite.open('file');
  site.commit(project('nextjs', 'one'));
  await site.apply();
  expect((await site.run(['ledger', 'rename', 'shop', 'store'])).status).toBe(0);
  site.commit(project('astro', 'one'), 'stack: store\nplatform: { team: acme }\n');
  await site.apply();
  const { doubts, runs } = await logOf(site);
  expect(doubts).toEqual([]);
  expect(runs).toMatchObject([{ run: 3 }, { run: 2, command: 'rename', was: 'shop' }, { run: 1 }]);
  expect(readdirSync(join(site.folder, '.trueup/ledger'))).not.toContain('shop.history');
});

story('--since and --run choose', async () => {
  const site = await RecordedSite.open('file');
  site.commit(project('nextjs', 'one'));
  await site.apply();
  site.commit(project('nextjs', 'two'));
  await site.apply();
  expect((await logOf(site, '--run', '#2')).runs.map(({ run }) => run)).toEqual([2]);
  expect((await logOf(site, '--since', '1h')).runs).toHaveLength(2);
  expect((await logOf(site, '--since', '2999-01-01')).runs).toHaveLength(0);
  expect((await logOf(site, 'projects/web')).runs.map(({ run }) => run)).toEqual([1]);
  for (const wrong of [
    ['--run', '7'],
    ['--run', 'x'],
    ['--since', 'yesterday'],
  ])
    expect((await site.run(['log', ...wrong])).status).toBe(1);
});

story(
  'a saved plan leaves its digest and that it was approved as one; each stack of a workspace has its own history',
  async () => {
    const site = await RecordedSite.open('git');
    site.commit(project('nextjs', 'one'));
    expect((await site.run(['plan', '--out', 'approved.json'])).status).toBe(0);
    const { checksum } = JSON.parse(readFileSync(join(site.folder, 'approved.json'), 'utf8'));
    expect((await site.run(['apply', 'approved.json', '--settle', '0'])).status).toBe(0);
    expect((await logOf(site)).runs).toMatchObject([{ approval: 'saved plan', plan: checksum }]);
    await site.write({
      'trueup.workspace.yaml': 'stacks:\n  - { path: . }\n  - { path: tools }\n',
      'tools/trueup.yaml': 'stack: tools\nplatform: { team: acme }\nprojects: { tools: {} }\n',
    });
    site.commit(project('astro', 'one'));
    const ran = await site.run(['apply', '--all', '--auto-approve', '--settle', '0']);
    expect(ran.status, ran.all).toBe(0);
    expect((await logOf(site)).runs).toMatchObject([{ run: 2, approval: 'flag' }, { run: 1 }]);
    expect((await logOf(site, '-f', 'tools/trueup.yaml')).runs).toMatchObject([{ run: 1, stack: 'tools' }]);
  },
);
