import { expect, it } from 'vitest';
import { keyText } from '../support/keys.ts';
import { git } from '../support/ledger-places.ts';
import { RecordedSite } from '../support/recorded-site.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(5);

const header = (stack: string) => `stack: ${stack}\nplatform: { team: acme }\n`;
const project = (framework: string, env = 'A: { value: one, type: plain }') =>
  `projects: { web: { framework: ${framework}, env: { ${env} } } }\n`;

async function opened(ledger: 'git' | 'file') {
  const site = await RecordedSite.open(ledger);
  site.commit(project('nextjs'));
  await site.apply();
  const ok = async (...args: string[]) => {
    const ran = await site.run(args);
    expect(ran.status, ran.all).toBe(0);
    return ran;
  };
  const runs = async (...args: string[]) => {
    const { runs, doubts } = JSON.parse((await ok('log', '--json', ...args)).stdout);
    expect(doubts).toEqual([]);
    return runs;
  };
  const noUndo = async (run: number, ...args: string[]) => {
    const ran = await site.run(['undo', `${run}`, '--auto-approve', ...args]);
    expect(ran.status).toBe(1);
    return ran.stderr;
  };
  return { site, ok, runs, noUndo };
}

oneRowIn(2)(['file', 'git'] as const)(
  'what commands do to a ledger in %s is in the history, and is not undone',
  async (ledger) => {
    const { site, ok, runs, noUndo } = await opened(ledger);
    await ok('ledger', 'forget', 'projects/web/env/A@production');
    await ok('ledger', 'move', 'projects/web/env/*', '--to', 'growth');
    expect(await runs()).toMatchObject([
      {
        run: 3,
        command: 'move',
        to: 'growth',
        actor: { name: 'ada' },
        outcome: 'done',
        done: { released: 1 },
        verified: true,
        changes: ['development', 'preview'].map((target) => ({
          address: `projects/web/env/A@${target}`,
          action: 'forget',
          result: 'done',
        })),
      },
      { run: 2, command: 'forget', changes: [{ address: 'projects/web/env/A@production' }] },
      { run: 1, command: 'apply' },
    ]);
    expect((await ok('log')).stdout).toMatch(
      /#3 {2}\S+ {2}ledger move to growth {2}1 released\n.*by ada.*; no object was changed\n/,
    );
    expect(await noUndo(3)).toMatch(
      /run 3 cannot be undone: it only transferred ownership to the stack growth, and it changed no object(.|\n)*ledger move ADDRESS --to shop/,
    );
    expect(await noUndo(2)).toMatch(
      /it only dropped what the stack owned(.|\n)*declare the objects and apply/,
    );
    if (ledger === 'git') {
      git(site.checkout, 'fetch', '--quiet', 'origin', '+refs/trueup/*:refs/seen/*');
      const refs = git(site.checkout, 'for-each-ref', '--format=%(refname)', 'refs/seen').split('\n');
      const subject = (stack: string) =>
        git(site.checkout, 'log', '--format=%s', refs.find((ref) => ref.endsWith(stack))!);
      expect(subject('shop')).toContain('ledger move shop: 1 released (#3)');
      expect(subject('growth')).toContain('ledger move growth: 1 adopted (#1)');
    }

    // The new home has a record, too.
    site.edit(
      'projects: { web: { $existing: true, env: { A: { value: one, type: plain } } } }\n',
      header('growth'),
    );
    expect(await runs()).toMatchObject([
      { run: 1, stack: 'growth', command: 'move', from: 'shop', done: { adopted: 1 } },
    ]);
    expect(await noUndo(1)).toMatch(/it only took over ownership from the stack shop(.|\n)*--to shop/);
    await ok('ledger', 'retire', 'growth', '--force');
    expect(await runs('projects/web/env/*')).toMatchObject([
      { run: 2, command: 'retire', done: { released: 1 } },
      { run: 1 },
    ]);
    expect(await noUndo(2)).toContain('it only dropped what the stack owned');
  },
);

it('a signature is in the history, by the new key, and so is a new name', async () => {
  const { site, ok, noUndo } = await opened('file');
  site.env.TRUEUP_LEDGER_KEY = keyText('another');
  const { stderr } = await site.run(['ledger', 'sign']);
  const flags = /--generation \d+ --digest [0-9a-f]+/.exec(stderr)![0].split(' ');
  await ok('ledger', 'sign', ...flags);
  await ok('ledger', 'rename', 'shop', 'store');
  site.edit(project('nextjs'), header('store'));
  const { runs } = JSON.parse((await ok('log', '--json')).stdout);
  expect(runs).toMatchObject([
    { run: 3, command: 'rename', was: 'shop', verified: true },
    { run: 2, command: 'sign', verified: true },
    { run: 1, command: 'apply', verified: false },
  ]);
  expect((await ok('log')).stdout).toMatch(/#2 {2}\S+ {2}ledger sign\n/);
  expect(await noUndo(2)).toContain('it only signed the ledger, and it changed no object');
  expect(await noUndo(3)).toContain('trueup ledger rename store shop');
});

story('a run after such a record goes back to the configuration of the run before it', async () => {
  const { site, ok } = await opened('file');
  await ok('ledger', 'forget', 'projects/web/env/A@production');
  site.commit(project('astro', 'B: { value: two, type: plain, target: [preview] }'));
  await site.apply();
  const framework = () => site.twin.account.projects.find(({ name }) => name === 'web')!.framework;
  expect(framework()).toBe('astro');
  const { all } = await ok('undo', '3', '--auto-approve', '--settle', '0');
  expect(framework(), all).toBe('nextjs');
});

story('the first run after objects were handed over has nothing to go back to', async () => {
  const { site, ok, noUndo } = await opened('file');
  await ok('ledger', 'move', 'projects/**', '--to', 'growth');
  site.commit(project('astro'), header('growth'));
  await site.apply();
  expect(await noUndo(2)).toContain('no commit of this stack has the configuration from before');
});
