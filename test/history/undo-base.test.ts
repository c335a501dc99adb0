import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git, headOf } from '../support/ledger-places.ts';
import { RecordedSite } from '../support/recorded-site.ts';

// Git merges changes of lines that are apart from each other.
const body = (a: string, b = '1', end = '') => `projects:
  web:
    env:
      A: { value: "${a}", type: plain }
      # The other one.

      # Its value.
      B: { value: "${b}", type: plain }

    # The end.
${end}`;
const comment = '# Nothing that anybody reads.\n';
/** Declares the same as `body`, with a template. */
const refactored = (a: string, b = '1') =>
  `templates: { base: { env: { B: { value: "${b}", type: plain } } } }\nprojects: { web: { $use: base, env: { A: { value: "${a}", type: plain } } } }\n`;

type Name = 'A' | 'B';
const envValue = (site: RecordedSite, name: Name) =>
  site.twin.account.projects[0]!.env.find(({ key }) => key === name)?.value;
const undo = (site: RecordedSite, ...args: string[]) =>
  site.run(['undo', ...args, '--auto-approve', '--settle', '0']);
const revertsIn = (stdout: string) =>
  [...stdout.matchAll(/^ {2}git (revert .*)$/gm)].map(([, line]) => line!);

/** Commits a file that no configuration reads. */
function commitReadme(site: RecordedSite): void {
  writeFileSync(join(site.checkout, 'README.md'), `${Math.random()}`);
  git(site.checkout, 'add', 'README.md');
  git(site.checkout, 'commit', '--quiet', '-m', 'Read me');
}

/** Commits a configuration on a branch of its own and merges it; returns the commit on the main branch. */
function merge(site: RecordedSite, text: string, how: '--no-ff' | '--squash'): string {
  git(site.checkout, 'checkout', '--quiet', '-b', 'feature');
  site.commit(`${text}# A draft.\n`);
  site.commit(text);
  git(site.checkout, 'checkout', '--quiet', '-');
  git(site.checkout, 'merge', '--quiet', how, 'feature');
  if (how === '--squash') git(site.checkout, 'commit', '--quiet', '-m', 'Squashed');
  git(site.checkout, 'branch', '--quiet', '-D', 'feature');
  return headOf(site.checkout);
}

async function applied(first = body('1')): Promise<RecordedSite> {
  const site = await RecordedSite.open('file');
  site.commit(first);
  await site.apply();
  return site;
}

it.each<[string, (site: RecordedSite) => string[]]>([
  [
    'after a refactoring and a commit of something else',
    (site) => {
      site.commit(refactored('1'));
      commitReadme(site);
      return [`--no-edit ${site.commit(refactored('2'))}`];
    },
  ],
  [
    'in front of a commit of something else',
    (site) => {
      const bad = site.commit(body('2'));
      commitReadme(site);
      site.commit(body('2', '1', comment));
      return [`--no-edit ${bad}`];
    },
  ],
  [
    'in several merges of a queue that one run applied',
    (site) => {
      const first = merge(site, body('2'), '--no-ff');
      merge(site, body('2', '1', comment), '--no-ff');
      const second = merge(site, body('2', '3', comment), '--no-ff');
      return [second, first].map((id) => `--no-edit -m 1 ${id}`);
    },
  ],
  [
    'in a squashed branch',
    (site) => {
      site.commit(refactored('1'));
      return [`--no-edit ${merge(site, refactored('2'), '--squash')}`];
    },
  ],
  [
    'behind a value that was never applied',
    (site) => {
      site.commit(body('9'));
      site.commit(body('1'));
      return [`--no-edit ${site.commit(body('2'))}`];
    },
  ],
])('reverts only the commits with the change: %s', async (_, commit) => {
  const site = await applied();
  const reverts = commit(site);
  await site.apply();
  const { status, stdout, all } = await undo(site, '2');
  expect(status, all).toBe(0);
  expect([envValue(site, 'A'), envValue(site, 'B')]).toEqual(['1', '1']);
  expect(revertsIn(stdout)).toEqual(reverts.map((line) => `revert ${line}`));
  for (const line of revertsIn(stdout)) git(site.checkout, ...line.split(' '));
  expect((await site.run(['plan', '--detailed-exitcode'])).status).toBe(0);
  // The files have been reverted by now.
  expect((await undo(site, '2')).stdout).toMatch(
    /^No changes\. Verified: .*there is no commit to revert\.$/ms,
  );
});

it.each([
  ['this stack', ''],
  ['another stack', '$existing: true'],
])('goes back to a value under the new name of a project of %s', async (_, how) => {
  const at = (name: string, was: string, value: string) =>
    body(value).replace('web:', `${name}:\n    ${[how, was].join('\n    ')}`);
  const site = await RecordedSite.open('file', { projects: [{ name: 'web' }] });
  site.commit(at('web', '', '1'));
  await site.apply();
  site.twin.account.projects[0]!.name = 'shop';
  site.commit(at('shop', '$was: web', '1'));
  const bad = site.commit(at('shop', '$was: web', '2'));
  await site.apply();
  const { stdout, all } = await undo(site, '2');
  expect(envValue(site, 'A'), all).toBe('1');
  expect(revertsIn(stdout)).toEqual([`revert --no-edit ${bad}`]);
});

it('says so where the history keeps no values', async () => {
  const site = await applied();
  const first = headOf(site.checkout);
  site.commit(refactored('1'));
  const bad = site.commit(refactored('2'));
  await site.apply('--history', 'no-values');
  const { status, stdout, all } = await undo(site, '2');
  expect(status, all).toBe(0);
  expect(all).toContain(
    `the record of run 2 does not contain the values from before it, so this goes back to the configuration of run 1 (${first.slice(0, 12)})`,
  );
  expect(envValue(site, 'A')).toBe('1');
  expect(revertsIn(stdout)).toEqual([`revert --no-edit ${bad}`]);
});

it('refuses a history that lacks the commit of a run, and names it', async () => {
  const site = await applied();
  const bad = site.commit(body('2'));
  await site.apply();
  git(site.checkout, 'commit', '--quiet', '--amend', '-m', 'Another one');
  const { status, stderr } = await undo(site, '2');
  expect(status).toBe(1);
  expect(stderr).toContain(`the commit ${bad} is not in the history of HEAD`);
  expect(envValue(site, 'A')).toBe('2');
  git(site.checkout, 'reset', '--quiet', '--hard', bad);
  // As in a shallow clone.
  writeFileSync(join(site.checkout, '.git/shallow'), `${bad}\n`);
  expect((await undo(site, '2')).stderr).toMatch(/the commit [0-9a-f]{40} is not in the history of HEAD/);
  expect((await undo(site, '1')).stderr).toMatch(/the commit [0-9a-f]{40} is not in the history of HEAD/);
});

it('names the commits that brought what the first run created', async () => {
  const site = await RecordedSite.open('file');
  commitReadme(site);
  site.commit('');
  const first = site.commit(body('1'));
  commitReadme(site);
  await site.apply();
  const { status, stdout, all } = await undo(site, '1', '--delete', 'projects/web');
  expect(status, all).toBe(0);
  expect(revertsIn(stdout)).toEqual([`revert --no-edit ${first}`]);
});

it('undoes one of the merges that a run applied', async () => {
  const site = await applied();
  const first = merge(site, body('2'), '--no-ff');
  const unrelated = merge(site, body('2', '1', comment), '--no-ff');
  merge(site, body('2', '3', comment), '--no-ff');
  await site.apply();
  const none = await undo(site, '--commit', unrelated);
  expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('but changed nothing for it')]);
  const { status, stdout, all } = await undo(site, '--commit', first.slice(0, 10));
  expect(status, all).toBe(0);
  expect([envValue(site, 'A'), envValue(site, 'B')]).toEqual(['1', '3']);
  expect(revertsIn(stdout)).toEqual([`revert --no-edit -m 1 ${first}`]);
  git(site.checkout, 'revert', '--no-edit', '-m', '1', first);
  expect((await site.run(['plan', '--detailed-exitcode'])).status).toBe(0);
});

it('undoes a commit that one run began and the next one finished', async () => {
  const site = await applied();
  const bad = site.commit(body('2', '2'));
  await site.apply('--target', 'projects/web/env/B*');
  await site.apply();
  const { status, all } = await undo(site, '--commit', bad);
  expect(status, all).toBe(0);
  expect([envValue(site, 'A'), envValue(site, 'B')]).toEqual(['1', '1']);
});

it('says which words name a run or a commit', async () => {
  const site = await applied();
  for (const words of [[], ['1', '--commit', 'HEAD']])
    expect((await undo(site, ...words)).stderr).toContain('either the number of a run or --commit');
  expect((await undo(site, '--commit', 'HEAD~5')).stderr).toContain('there is no commit "HEAD~5"');
  commitReadme(site);
  expect((await undo(site, '--commit', 'HEAD')).stderr).toContain('no recorded run of this stack applied');
});

it.each([
  ['failed', []],
  ['was about another part', ['--target', 'projects/web/env/B*']],
])('looks behind an earlier run of the same commit that %s', async (_, flags) => {
  const site = await applied();
  const bad = site.commit(body('2', '2'));
  if (flags.length === 0)
    site.twin.setFaults({
      faults: [{ at: { operation: 'editProjectEnv' }, do: { type: 'status', status: 403 } }],
    });
  const ran = await site.run(['apply', '--auto-approve', '--settle', '0', ...flags]);
  expect(ran.status, ran.all).toBe(flags.length === 0 ? 1 : 0);
  site.twin.setFaults({ faults: [] });
  await site.apply();
  const { status, stdout, all } = await undo(site, '3');
  expect(status, all).toBe(0);
  expect(envValue(site, 'A')).toBe('1');
  expect(revertsIn(stdout)).toEqual([`revert --no-edit ${bad}`]);
});
