import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { oneStoryIn } from '../support/sweep.ts';
import { jobFor, keyText, TestWorker } from './test-worker.ts';
import { stackYaml, Workplace } from './workplace.ts';

const story = oneStoryIn(4);

story('the operator who enqueues a plan decides whether it does one harmless change first', async () => {
  const bench = await Workplace.start(
    { 'trueup.workspace.yaml': 'stacks: [web]\n', 'web/trueup.yaml': stackYaml('web', 'debug') },
    { projects: [{ name: 'web', framework: 'astro' }] },
  );
  const worker = await TestWorker.start(bench, { key: keyText() });
  const commit = bench.git('rev-parse', 'HEAD');
  const reportOf = async (about: object) => {
    const job = jobFor('plan', { commit, stack: 'web', ...about }, worker.shop.key);
    expect(await worker.do(job)).toMatchObject({ state: 'done' });
    return readFileSync(join(worker.shop.folder, 'reports', `${job.id}.md`), 'utf8');
  };
  expect(await reportOf({})).toContain('First contact with this account');
  expect(await reportOf({ canary: false })).not.toContain('First contact');
});
