import { expect } from 'vitest';
import { git, pushLedger } from '../support/ledger-places.ts';
import { site } from '../support/site.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const yaml = (level: string) => ({
  'trueup.yaml': `stack: site
platform: { team: acme }
projects: { web: { framework: nextjs, env: { LEVEL: { value: ${level}, type: plain } } } }
`,
});

story(
  'a ledger that nobody signed is signed by a job that is started by hand, after a person looked at it',
  async () => {
    const { bare, clone, push, run, machine } = await site();
    push('main', yaml('info'));
    expect((await run('apply')).apply!.ok).toBe(true);
    const { signature: _, ...ledger } = JSON.parse(git(bare, 'show', 'refs/trueup/site:ledger.json'));
    pushLedger(clone(), 'site', `${JSON.stringify(ledger, null, 2)}\n`);
    push('main', yaml('debug'));
    expect((await run('apply')).apply!.log).toContain('`trueup ledger sign`');

    const started = (inputs: Record<string, string>) =>
      run('sign', { trigger: 'workflow_dispatch', event: { ...(machine().event as object), inputs } });
    const { sign: shown } = await started({});
    expect(shown).toMatchObject({ ok: false, log: expect.stringContaining('projects/web') });
    const [, generation, digest] = /--generation (\d+) --digest (\w{64})/.exec(shown!.log)!;
    expect((await started({ generation: generation!, digest: '0'.repeat(64) })).sign!.ok).toBe(false);
    expect((await started({ generation: generation!, digest: digest! })).sign!.ok).toBe(true);
    expect((await run('apply')).apply!.ok).toBe(true);
  },
);
