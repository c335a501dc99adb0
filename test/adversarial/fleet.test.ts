import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Job, parseJob, signJob, signOutcome } from '../../src/fleet/job.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import { jobFor, TestWorker } from '../fleet/test-worker.ts';
import { stackYaml, Workplace } from '../fleet/workplace.ts';
import { keyText } from '../support/keys.ts';
import { headOf } from '../support/ledger-places.ts';

const files = {
  'trueup.workspace.yaml': 'stacks: [dns, { path: shop, needs: [dns] }]\n',
  'dns/trueup.yaml': stackYaml('dns'),
  'shop/trueup.yaml': stackYaml('shop'),
};

/** A fleet on its repository, with one worker that has the key. `areLedgersInGit`: for tests of what git makes of names and refs. */
async function fleet({ areLedgersInGit = false } = {}) {
  const bench = await Workplace.start(files);
  if (!areLedgersInGit) await bench.useLedgerServer();
  const worker = await TestWorker.start(bench, { key: keyText() });
  const commit = headOf(bench.checkout);
  return { bench, worker, commit, key: worker.shop.key! };
}

/** The names of the projects in the account. */
const projectsOf = ({ twin }: Workplace) => twin.account.projects.map(({ name }) => name).sort();
const writes = ({ twin }: Workplace) => twin.requests.filter(({ method }) => method !== 'GET').length;

const stranger = ledgerKeyFrom(Buffer.alloc(32, 7));

it('A worker with a key runs no job without the key’s MAC, and none that somebody changed.', async () => {
  const { bench, worker, commit, key } = await fleet();
  const planned = await worker.do(jobFor('plan', { commit, stack: 'dns' }, key));
  expect(planned).toMatchObject({ state: 'done', changes: { create: 2 } });
  const about = { commit, stack: 'dns', plan: planned.plan! };
  const good = jobFor('apply', about, key);
  const forged: Job[] = [
    jobFor('apply', about, undefined),
    jobFor('apply', about, stranger),
    { ...jobFor('apply', about, stranger), key: key.id },
    { ...good, stack: 'shop', ledger: 'shop' },
    { ...good, by: 'somebody else' },
    { ...jobFor('plan', { commit, stack: 'dns' }, key), ...{ action: 'apply', plan: planned.plan! } } as Job,
    { ...jobFor('plan', { commit, stack: 'dns' }, undefined), mac: good.mac!, key: good.key! },
  ];
  for (const job of forged)
    expect(await worker.do(job), JSON.stringify(job)).toMatchObject({ state: 'refused' });
  expect(writes(bench)).toBe(0);
  expect(await worker.do(good)).toMatchObject({ state: 'done' });
  expect(projectsOf(bench)).toEqual(['dns']);
});

it('A worker with a key takes only commits of the protected branch.', async () => {
  const { bench, worker, key } = await fleet();
  bench.git('checkout', '-q', '-b', 'feature');
  bench.write('dns/trueup.yaml', stackYaml('dns', 'evil'));
  const branch = bench.commit('two', 'feature');
  const nowhere = '1'.repeat(40);
  for (const commit of [branch, nowhere])
    expect(await worker.do(jobFor('plan', { commit, stack: 'dns' }, key))).toMatchObject({
      state: 'refused',
      said: `the commit ${commit} is not on main, and a worker with a key accepts no other`,
    });
  bench.git('push', '-q', 'origin', 'feature:main');
  // The branch is as it was fetched last, for half a minute.
  worker.shop.mirrorOf = (await TestWorker.start(bench, { key: keyText() })).shop.mirrorOf;
  expect(await worker.do(jobFor('plan', { commit: branch, stack: 'dns' }, key))).toMatchObject({
    state: 'done',
  });
});

it('A worker without a key can only plan.', async () => {
  const { bench, worker, commit, key } = await fleet({ areLedgersInGit: true });
  const planned = await worker.do(jobFor('plan', { commit, stack: 'dns' }, key));
  const refs = bench.git('ls-remote', 'origin');
  const keyless = await TestWorker.start(bench);
  bench.git('checkout', '-q', '-b', 'feature');
  bench.write('dns/trueup.yaml', stackYaml('dns', 'debug'));
  const branch = bench.commit('two', 'feature');
  expect(await keyless.do(jobFor('plan', { commit: branch, stack: 'dns' }, undefined))).toMatchObject({
    state: 'done',
  });
  for (const job of [
    jobFor('apply', { commit, stack: 'dns', plan: planned.plan! }, key),
    jobFor('apply', { commit, stack: 'dns', plan: planned.plan! }, undefined),
  ])
    expect(await keyless.do(job)).toMatchObject({
      state: 'refused',
      said: 'a worker without a key only plans',
    });
  expect(writes(bench)).toBe(0);
  // Nor is anything sealed, or kept beside the ledger.
  expect(
    bench
      .git('ls-remote', 'origin')
      .split('\n')
      .filter((line) => !line.endsWith('feature'))
      .join('\n'),
  ).toBe(refs);
});

it('Anyone who can write to the queue can drop, delay and repeat jobs, and nothing else: a repeated apply does nothing.', async () => {
  const { bench, worker, commit, key } = await fleet();
  const plan = async (commit: string) =>
    (await worker.do(jobFor('plan', { commit, stack: 'dns' }, key))).plan!;
  const first = await plan(commit);
  const apply = jobFor('apply', { commit, stack: 'dns', plan: first }, key);
  expect(await worker.do(apply)).toMatchObject({ state: 'done', exit: 0 });
  const done = writes(bench);
  for (const again of [apply, { ...apply }])
    expect(await worker.do(again)).toMatchObject({
      state: 'done',
      said: expect.stringContaining('it was already applied'),
    });
  expect(writes(bench)).toBe(done);
  // A plan that was made and never carried out stays so once another one was agreed to.
  bench.write('dns/trueup.yaml', stackYaml('dns', 'debug'));
  const second = bench.commit('two');
  const other = await TestWorker.start(bench, { key: keyText() });
  const later = (await other.do(jobFor('plan', { commit: second, stack: 'dns' }, key))).plan!;
  const old = jobFor('apply', { commit, stack: 'dns', plan: 'another digest' }, key);
  expect(await other.do(old)).toMatchObject({
    state: 'refused',
    said: expect.stringContaining('another plan has replaced'),
  });
  expect(writes(bench)).toBe(done);
  expect(await other.do(jobFor('apply', { commit: second, stack: 'dns', plan: later }, key))).toMatchObject({
    state: 'done',
  });
  const now = writes(bench);
  expect(now).toBeGreaterThan(done);
  // The first one, once more: what it did was done, and is not done again over what came after.
  expect(await other.do(apply)).toMatchObject({ state: 'refused' });
  expect(writes(bench)).toBe(now);
});

it('A worker applies only the plan whose digest was approved, or nothing.', async () => {
  const { bench, worker, commit, key } = await fleet();
  const planOf = async (stack: string) => (await worker.do(jobFor('plan', { commit, stack }, key))).plan!;
  const [dns, shop] = [await planOf('dns'), await planOf('shop')];
  expect(await worker.do(jobFor('apply', { commit, stack: 'dns', plan: shop }, key))).toMatchObject({
    state: 'refused',
  });
  // The ledger of another stack, where the plan lies that the digest is of.
  expect(
    await worker.do(jobFor('apply', { commit, stack: 'dns', ledger: 'shop', plan: shop }, key)),
  ).toMatchObject({
    state: 'failed',
    said: expect.stringContaining('approval/foreign'),
  });
  // A commit that the plan was not made of.
  bench.write('dns/trueup.yaml', stackYaml('dns', 'debug'));
  const second = bench.commit('two');
  const other = await TestWorker.start(bench, { key: keyText() });
  expect(await other.do(jobFor('apply', { commit: second, stack: 'dns', plan: dns }, key))).toMatchObject({
    state: 'failed',
    said: expect.stringContaining('approval/changed'),
  });
  expect(writes(bench)).toBe(0);
});

it('A job waits for the jobs that it needs until a worker with the key reports them as done.', async () => {
  const { bench, worker, commit, key } = await fleet();
  const plan = (await worker.do(jobFor('plan', { commit, stack: 'shop' }, key))).plan!;
  const need = '00000000-0000-4000-8000-000000000001';
  const job = jobFor('apply', { commit, stack: 'shop', plan, needs: [need] }, key);
  const done = { job: need, state: 'done', worker: 'x', seconds: 1 } as const;
  for (const said of [
    undefined,
    done,
    signOutcome(done, stranger),
    { ...signOutcome(done, stranger), key: key.id },
  ]) {
    if (said) worker.queue.known.set(need, said);
    expect(await worker.do(job)).toMatchObject({ state: 'skipped' });
  }
  worker.queue.known.set(need, signOutcome({ ...done, state: 'failed' }, key));
  expect(await worker.do(job)).toMatchObject({ state: 'skipped' });
  expect(writes(bench)).toBe(0);
  worker.queue.known.set(need, signOutcome(done, key));
  expect(await worker.do(job)).toMatchObject({ state: 'done' });
});

it('No job makes a worker leave the checkout of its commit, or use a repository that its own file does not name.', async () => {
  const { bench, commit, key } = await fleet({ areLedgersInGit: true });
  const keyless = await TestWorker.start(bench);
  const about = { commit, stack: 'dns' };
  for (const repository of ['https://evil.example/x.git', bench.origin, '../shop', 'ext::sh', '--x'])
    expect(parseJob({ ...jobFor('plan', about, key), repository }), repository).toBeUndefined();
  expect(await keyless.do(jobFor('plan', { ...about, repository: 'evil/shop' }, undefined))).toMatchObject({
    state: 'refused',
  });
  symlinkSync('/', join(bench.checkout, 'out'));
  const linked = bench.commit('two', 'feature');
  for (const folder of ['out', 'out/etc', 'nothing'])
    expect(
      await keyless.do(jobFor('plan', { ...about, commit: linked, folder }, undefined)),
      folder,
    ).toMatchObject({
      state: 'refused',
    });
  for (const stack of ['../secret', '/etc/passwd', 'out/etc', 'dns@--help', 'nothing'])
    expect(await keyless.do(jobFor('plan', { ...about, stack }, undefined)), stack).toMatchObject({
      state: expect.stringMatching(/refused|skipped|failed/),
    });
  expect(keyless.said()).not.toContain('root:');
});

it('The queue contains names, digests and results of jobs: no plan, no secret, and no command.', async () => {
  const { bench, worker, commit, key } = await fleet();
  bench.write(
    'dns/trueup.yaml',
    `stack: dns
platform: { team: acme }
secrets: { PASSWORD: {} }
projects: { dns: { env: { PASSWORD: { value: "\${secret.PASSWORD}", type: sensitive, target: [production] } } } }
`,
  );
  const second = bench.commit('two');
  const secret = 'canary-secret-of-a-stack';
  const other = await TestWorker.start(bench, { key: keyText(), env: { TRUEUP_SECRET_PASSWORD: secret } });
  const planned = await other.do(jobFor('plan', { commit: second, stack: 'dns' }, key));
  const job = jobFor('apply', { commit: second, stack: 'dns', plan: planned.plan! }, key);
  const applied = await other.do(job);
  const failed = await other.do(jobFor('plan', { commit, stack: 'shop', needs: [] }, key));
  expect([planned.state, applied.state, failed.state]).toEqual(['done', 'done', 'done']);
  const inQueue = JSON.stringify([job, planned, applied, failed]);
  for (const text of [secret, keyText(), 'token-for-tests', 'PASSWORD', bench.origin])
    expect(inQueue).not.toContain(text);
  expect(Object.keys(job).sort()).toEqual(
    [
      ...['action', 'batch', 'commit', 'folder', 'format', 'id', 'key', 'ledger', 'mac', 'needs'],
      ...['plan', 'repository', 'stack'],
    ].sort(),
  );
  for (const more of ['argv', 'command', 'env', 'url', 'secrets', 'file'])
    expect(parseJob({ ...signJob(job, key), [more]: 'x' }), more).toBeUndefined();
  expect(worker.queue.sent).toEqual([]);
});
