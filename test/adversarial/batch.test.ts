import { expect, it } from 'vitest';
import type { StackJob } from '../../src/fleet/job.ts';
import { jobFor, TestWorker } from '../fleet/test-worker.ts';
import { Workplace } from '../fleet/workplace.ts';
import { keyText } from '../support/keys.ts';

const stackFile = (stack: string, body: string) => `stack: ${stack}\nplatform: { team: acme }\n${body}\n`;
const variable = (...names: string[]) =>
  `sharedEnv: { LEVEL: { value: debug, target: [production], projectId: [${names.join(', ')}] } }`;
const files = {
  'trueup.workspace.yaml': 'stacks: [owner, { path: other, needs: [owner] }]\n',
  'owner/trueup.yaml': stackFile('owner', 'projects: { one: {}, two: {} }'),
  'other/trueup.yaml': stackFile(
    'other',
    `projects: { one: { $existing: true }, two: { $existing: true } }\n${variable('one', 'two')}`,
  ),
};
const [batch, otherBatch] = [1, 2].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [string, string];

it('Deletions by other approved plans of the same run or batch do not count as changes of the account; deletions by anyone else do.', async () => {
  const bench = await (await Workplace.start(files)).useLedgerServer();
  const worker = await TestWorker.start(bench, { key: keyText() });
  const { key } = worker.shop;
  const apply = async (stack: string, commit: string, jobBatch: string): Promise<StackJob> => {
    const { plan } = await worker.do(jobFor('plan', { commit, stack }, key));
    return jobFor('apply', { commit, stack, plan: plan!, batch: jobBatch }, key);
  };
  const first = bench.git('rev-parse', 'HEAD');
  for (const stack of ['owner', 'other'])
    expect(await worker.do(await apply(stack, first, otherBatch))).toMatchObject({ state: 'done' });

  bench.write(
    'owner/trueup.yaml',
    stackFile('owner', 'projects: { one: {} }\nremoved: [{ at: projects/two, delete: true }]'),
  );
  bench.write(
    'other/trueup.yaml',
    stackFile('other', `projects: { one: { $existing: true } }\n${variable('one')}`),
  );
  const second = bench.commit('two');
  const deletion = await apply('owner', second, batch);
  const change = await apply('other', second, batch);
  expect(await worker.do(deletion)).toMatchObject({ state: 'done' });

  const refused = { state: 'failed', said: expect.stringContaining('no longer matches') };
  const { plan: _, ...unsigned } = deletion as StackJob & { plan: string };
  const forged = { ...unsigned, plan: 'another plan' } as unknown as StackJob;
  const ofOtherBatch = jobFor('apply', { ...deletion, batch: otherBatch } as never, key);
  for (const others of [[], [forged, ofOtherBatch]]) {
    worker.queue.sent.splice(0, Number.POSITIVE_INFINITY, change, ...others);
    expect(await worker.do(change)).toMatchObject(refused);
  }
  worker.queue.sent.splice(0, Number.POSITIVE_INFINITY, change, deletion);
  expect(await worker.do(change)).toMatchObject({ state: 'done' });
  expect(bench.twin.account.sharedEnv).toMatchObject([{ projectId: [bench.twin.account.projects[0]!.id] }]);
});
