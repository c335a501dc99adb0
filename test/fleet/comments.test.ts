import { expect } from 'vitest';
import { startGithub } from '../support/github.ts';
import { keyText } from '../support/keys.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { jobFor, TestWorker } from './test-worker.ts';
import { stackYaml, Workplace } from './workplace.ts';

const story = oneStoryIn(4);

story(
  'a pull request is told of its plans, one comment for each stack, and of nothing where the file names no place',
  async () => {
    const workplace = await Workplace.start({
      'trueup.workspace.yaml': 'stacks: [dns, shop]\n',
      'dns/trueup.yaml': stackYaml('dns'),
      'shop/trueup.yaml': stackYaml('shop'),
    });
    await workplace.useLedgerServer();
    const github = await startGithub();
    const env = { GITHUB_API_URL: github.url, GITHUB_TOKEN: 'token' };
    const file = workplace.fleetFile.replace(' }', ', comments: { github: acme/site } }');
    const worker = await TestWorker.start(workplace, { file, env });
    const commit = workplace.git('rev-parse', 'HEAD');
    for (const stack of ['dns', 'shop', 'shop'])
      expect(await worker.do(jobFor('plan', { commit, stack, pull: 7 }, undefined))).toMatchObject({
        state: 'done',
      });
    const bodies = () => (github.comments.get(7) ?? []).map(({ body }) => /dns|shop/.exec(body)?.[0]);
    expect(bodies()).toEqual(['dns', 'shop']);
    // Without a number nobody is told, and a place that cannot be reached is no failure of the job.
    await worker.do(jobFor('plan', { commit, stack: 'dns' }, undefined));
    expect(bodies()).toHaveLength(2);
    const lost = await TestWorker.start(workplace, {
      file,
      env: { ...env, GITHUB_API_URL: 'http://127.0.0.1:9' },
    });
    expect(await lost.do(jobFor('plan', { commit, stack: 'dns', pull: 7 }, undefined))).toMatchObject({
      state: 'done',
    });
    expect(lost.said()).toContain('could not update the pull request');
    // After the merge those of the commit are told what was applied.
    github.pulls.set(commit, [{ number: 9, merged_at: '2026-01-01T00:00:00Z' }]);
    const keyed = await TestWorker.start(workplace, { file, env, key: keyText() });
    const planned = await keyed.do(jobFor('plan', { commit, stack: 'dns' }, keyed.shop.key));
    const apply = jobFor('apply', { commit, stack: 'dns', plan: planned.plan! }, keyed.shop.key);
    expect(await keyed.do(apply)).toMatchObject({ state: 'done' });
    expect(github.comments.get(9)).toMatchObject([{ body: expect.stringContaining('Applied') }]);
    const silent = await TestWorker.start(workplace, { env, key: keyText() });
    await silent.do(jobFor('plan', { commit, stack: 'dns', pull: 7 }, silent.shop.key));
    expect(bodies()).toHaveLength(2);
  },
);
