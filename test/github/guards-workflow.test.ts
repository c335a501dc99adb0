import { expect } from 'vitest';
import { site, siteYaml as yaml } from '../support/site.ts';
import { sweepOnly } from '../support/sweep.ts';

const guards = { 'guards.yaml': 'deny: [{ field: value, cause: edit, message: Ask ada. }]\n' };

sweepOnly('here the same commands judge, and what a pull request brings along runs nothing')(
  'guards on main judge what a pull request plans and what is applied, whatever the pull request says of them',
  async () => {
    const { push, pull, run, machine, comments, twin } = await site();
    push('main', yaml('info'));
    await run('apply');
    push('main', { ...yaml('info'), ...guards });
    const expressions = { ...machine().expressions, 'vars.TRUEUP_GUARDS': 'guards.yaml' };
    const plan = (files: Record<string, string>, more = {}) =>
      run('plan', {
        trigger: 'pull_request_target',
        event: pull(push('change', files)),
        expressions,
        ...more,
      });
    const refused = await plan({ ...yaml('debug'), 'guards.yaml': 'deny: []\n' });
    expect(refused).toMatchObject({ plan: { ok: false } });
    expect(comments()).toEqual([expect.stringMatching(/Ask\s+ada\./)]);
    // Guards that come with it judge nothing.
    for (const own of ['../change/guards.yaml', '../change/../change/trueup.yaml']) {
      const { plan: beside } = await plan(
        { ...yaml('debug'), ...guards },
        {
          expressions: { ...expressions, 'vars.TRUEUP_GUARDS': own },
        },
      );
      expect(beside).toMatchObject({
        ok: false,
        summary: expect.stringMatching(/are\s+part\s+of\s+the\s+pull\s+request\s+that\s+they\s+judge/),
      });
    }
    push('main', { ...yaml('debug'), ...guards });
    expect(await run('apply', { expressions })).toMatchObject({ plan: { ok: false } });
    expect(twin.account.projects[0]!.env[0]!.value).toBe('info');
    push('main', { ...yaml('debug'), 'guards.yaml': 'limits: { requests: 5 }\n' });
    const applied = await run('apply', { expressions });
    expect(applied).toMatchObject({ plan: { ok: true }, apply: { ok: true } });
    expect(twin.account.projects[0]!.env[0]!.value).toBe('debug');
  },
);
