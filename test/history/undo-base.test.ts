import { expect, it } from 'vitest';
import { git, headOf } from '../support/ledger-places.ts';
import { RecordedSite } from '../support/recorded-site.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';

const story = oneStoryIn(5);

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
type Name = 'A' | 'B';
const envValue = (site: RecordedSite, name: Name) =>
  site.twin.account.projects[0]!.env.find(({ key }) => key === name)?.value;
const undo = (site: RecordedSite, ...args: string[]) =>
  site.run(['undo', ...args, '--auto-approve', '--settle', '0']);
const revertsIn = (stdout: string) =>
  [...stdout.matchAll(/^ {2}git (revert .*)$/gm)].map(([, line]) => line!);

/** Commits a configuration on a branch of its own and merges it. Returns the merge. */
function merge(site: RecordedSite, text: string): string {
  git(site.checkout, 'checkout', '--quiet', '-b', 'feature');
  site.commit(text);
  git(site.checkout, 'checkout', '--quiet', '-');
  git(site.checkout, 'merge', '--quiet', '--no-ff', 'feature');
  git(site.checkout, 'branch', '--quiet', '-D', 'feature');
  return headOf(site.checkout);
}

async function applied(): Promise<RecordedSite> {
  const site = await RecordedSite.open('file');
  site.commit(body('1'));
  await site.apply();
  return site;
}

it.each(
  sampled(
    [
      ['this stack', ''],
      ['another stack', '$existing: true'],
    ] as const,
    1,
  ),
)('goes back to a value under the new name of a project of %s', async (_, how) => {
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

story('undoes one of the merges that a run applied', async () => {
  const site = await applied();
  const first = merge(site, body('2'));
  const unrelated = merge(site, body('2', '1', comment));
  merge(site, body('2', '3', comment));
  await site.apply();
  for (const words of [[], ['1', '--commit', 'HEAD']])
    expect((await undo(site, ...words)).stderr).toContain('either the number of a run or --commit');
  expect((await undo(site, '--commit', 'HEAD~9')).stderr).toContain('there is no commit "HEAD~9"');
  const none = await undo(site, '--commit', unrelated);
  expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('but changed nothing for it')]);
  const undoFirst = () => undo(site, '--commit', first.slice(0, 10));
  const { status, stdout, all } = await undoFirst();
  expect(status, all).toBe(0);
  expect([envValue(site, 'A'), envValue(site, 'B')]).toEqual(['1', '3']);
  expect(revertsIn(stdout)).toEqual([`revert --no-edit -m 1 ${first}`]);
  git(site.checkout, 'revert', '--no-edit', '-m', '1', first);
  expect((await site.run(['plan', '--detailed-exitcode'])).status).toBe(0);
  expect((await undoFirst()).stdout).toMatch(/^No changes\. Verified: .*there is no commit to revert\.$/ms);
  expect((await undo(site, '--commit', 'HEAD')).stderr).toContain('no recorded run of this stack applied');
});

story('undoes a commit that one run began and the next one finished', async () => {
  const site = await applied();
  const bad = site.commit(body('2', '2'));
  await site.apply('--target', 'projects/web/env/B*');
  await site.apply();
  const { status, all } = await undo(site, '--commit', bad);
  expect(status, all).toBe(0);
  expect([envValue(site, 'A'), envValue(site, 'B')]).toEqual(['1', '1']);
});

it.each(
  sampled<[string, string[]]>(
    [
      ['failed', []],
      ['was about another part', ['--target', 'projects/web/env/B*']],
    ],
    1,
  ),
)('looks behind an earlier run of the same commit that %s', async (_, flags) => {
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
