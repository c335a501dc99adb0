import { expect, it } from 'vitest';
import { keyText } from '../support/keys.ts';
import { jobFor, TestWorker } from './test-worker.ts';
import { stackYaml, Workplace } from './workplace.ts';

it('a job shares the budget that its worker names, in plans and applies', async () => {
  const workplace = await Workplace.start({
    'trueup.workspace.yaml': 'stacks: [dns]\n',
    'dns/trueup.yaml': stackYaml('dns'),
  });
  const commit = workplace.git('rev-parse', 'HEAD');
  const start = (env: Record<string, string>) => TestWorker.start(workplace, { key: keyText(), env });
  const plain = await start({});
  const { plan } = await plain.do(jobFor('plan', { commit, stack: 'dns' }, plain.shop.key));
  // A place that none can be is all that has to be seen; test/budget has what is done with one.
  const sharing = await start({ TRUEUP_LIMITS: 'mysql://db.example.com/trueup' });
  for (const job of [
    jobFor('plan', { commit, stack: 'dns' }, sharing.shop.key),
    jobFor('apply', { commit, stack: 'dns', plan: plan! }, sharing.shop.key),
  ])
    expect(await sharing.do(job, 2)).toMatchObject({
      state: 'failed',
      said: expect.stringContaining('[cli/database-url]'),
    });
});
