import { expect, it } from 'vitest';
import { git } from '../support/ledger-places.ts';
import { site } from '../support/site.ts';
import { files } from '../workspace/workplace.ts';

it('a pull request plans the stacks that it touches, in one comment; once merged, one approval applies all', async () => {
  const { twin, bare, push, run, pull, comments, writes } = await site();
  const plan = (event: unknown) => run('plan-stacks', { trigger: 'pull_request_target', event });
  push('main', files);
  const tools = { 'stacks/tools/trueup.yaml': `${files['stacks/tools/trueup.yaml']}# more\n` };
  await plan(pull(push('change', { ...files, ...tools })));
  expect(comments()).toEqual([
    expect.stringMatching(/^<!-- trueup:plan:%2a -->\n\n### trueup plan: 1 stack: 1 with changes\n/),
  ]);
  // The next push touches another one as well: the same comment.
  const dns = { 'dns/trueup.yaml': `${files['dns/trueup.yaml']}# more\n` };
  const second = await plan(pull(push('change', { ...files, ...tools, ...dns })));
  expect(second).toMatchObject({ plan: { ok: true } });
  expect(comments()).toEqual([expect.stringContaining('### trueup plan: 2 stacks: 2 with changes\n')]);
  const broken = await plan(pull(push('change', { ...files, 'trueup.workspace.yaml': 'stacks: [gone]\n' })));
  expect(broken).toMatchObject({ plan: { ok: false } });
  expect(comments()).toEqual([expect.stringContaining('there is no file or folder `gone`')]);
  expect(writes()).toBe(0);

  push('main', { ...files, ...tools, ...dns });
  const applied = await run('apply-stacks');
  expect(applied).toMatchObject({ plan: { ok: true }, apply: { ok: true } });
  expect(twin.account.projects.map(({ name }) => name).sort()).toContain('shop-production');
  expect(git(bare, 'for-each-ref', 'refs/trueup')).toContain('refs/trueup/shop%40production');
  expect(Object.keys(await run('apply-stacks'))).toEqual(['plan']);
});
