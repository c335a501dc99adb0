import { expect } from 'vitest';
import { git, pushLedger } from '../support/ledger-places.ts';
import { site } from '../support/site.ts';
import { oneStoryIn, sweepOnly } from '../support/sweep.ts';
import { files } from '../workspace/workplace.ts';

const story = oneStoryIn(4);

story(
  'a pull request plans the stacks that it touches, in one comment; once merged, one approval applies all',
  async () => {
    const { twin, bare, github, push, run, pull, comments, writes } = await site();
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
    const broken = await plan(
      pull(push('change', { ...files, 'trueup.workspace.yaml': 'stacks: [gone]\n' })),
    );
    expect(broken).toMatchObject({ plan: { ok: false } });
    expect(comments()).toEqual([expect.stringContaining('there is no file or folder `gone`')]);
    expect(writes()).toBe(0);

    push('main', { ...files, ...tools, ...dns });
    github.pulls.set('a'.repeat(40), [{ number: 7, merged_at: '2026-11-23T10:00:00Z' }]);
    const applied = await run('apply-stacks');
    expect(applied).toMatchObject({ plan: { ok: true }, apply: { ok: true } });
    expect(comments()).toEqual([
      expect.stringMatching(
        /^<!-- trueup:plan:%2a -->\n\n### trueup apply: 4 of 4 stacks fully applied\n[\s\S]*`shop@production`[\s\S]*\*\*Applied [\s\S]*Merged as `aaaaaaa`/,
      ),
    ]);
    expect(twin.account.projects.map(({ name }) => name).sort()).toContain('shop-production');
    expect(git(bare, 'for-each-ref', 'refs/trueup')).toContain('refs/trueup/shop%40production');
    expect(Object.keys(await run('apply-stacks'))).toEqual(['plan']);
  },
);

sweepOnly(
  'here drift of one stack comes as a pull request, that of many is found, and the ledger of one is signed',
)('of many stacks drift comes as one pull request, and the ledger of one is signed by its name', async () => {
  const { twin, bare, clone, push, pull, run, machine, asked, body, pullBody } = await site();
  push('main', files);
  const valid = await run('validate-stacks', { trigger: 'pull_request', event: pull(push('change', files)) });
  expect(valid).toMatchObject({ validate: { ok: true } });
  const broken = { ...files, 'dns/trueup.yaml': 'stack: [dns\n' };
  const event = pull(push('change', broken));
  const wrong = await run('validate-stacks', { trigger: 'pull_request', event });
  expect(wrong).toMatchObject({
    validate: { ok: false, log: expect.stringMatching(/file=dns\/trueup\.yaml/) },
  });
  expect(await run('apply-stacks')).toMatchObject({ apply: { ok: true } });

  const drift = () => run('drift-stacks', { trigger: 'schedule' });
  expect(await drift()).toMatchObject({ drift: { ok: true } });
  expect(asked()).not.toMatch(/create/);
  const projectOf = (name: string) => twin.account.projects.find((one) => one.name === name)!;
  projectOf('hub').framework = 'astro';
  projectOf('intranet').framework = 'astro';
  expect(await drift()).toMatchObject({ drift: { ok: true } });
  expect(body()).toMatch(/^\*\*The objects under "Drift" were changed outside since the last apply\.\*\*\n/);
  expect(body().match(/^#### Drift/gm)).toHaveLength(2);
  expect(pullBody()).toContain('The plan after merging it');
  expect(git(bare, 'diff', '--name-only', 'main', 'trueup-drift').split('\n')).toEqual([
    'dns/trueup.yaml',
    'stacks/tools/trueup.yaml',
  ]);

  const { signature: _, ...ledger } = JSON.parse(git(bare, 'show', 'refs/trueup/dns:ledger.json'));
  pushLedger(clone(), 'dns', `${JSON.stringify(ledger, null, 2)}\n`);
  const sign = (inputs: Record<string, string>) =>
    run('sign-stacks', { trigger: 'workflow_dispatch', event: { ...(machine().event as object), inputs } });
  const { sign: shown } = await sign({ stack: 'dns' });
  const [, generation, digest] = /--generation (\d+) --digest (\w{64})/.exec(shown!.log)!;
  expect(await sign({ stack: 'dns', generation: generation!, digest: digest! })).toMatchObject({
    sign: { ok: true },
  });
});
