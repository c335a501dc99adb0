import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { openJournal } from '../../src/ledger/journal.ts';
import { findKey } from '../../src/ledger/key.ts';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import { jobFor, TestWorker } from '../fleet/test-worker.ts';
import { Workplace } from '../fleet/workplace.ts';
import type { Shell } from '../support/cli.ts';
import { here } from '../support/here.ts';
import { keyText } from '../support/keys.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';
import { workplace } from './workplace.ts';

const story = oneStoryIn(6);

// Stacks that declare equal webhooks, and whose run was interrupted while it created them. Their ledgers say only that each creation was sent.

const hook = '{ url: "https://x.example.com", events: [deployment.error], $secretTo: discard }';
const filesOf = (stacks: string[], labels = ['hook']) => ({
  'trueup.workspace.yaml': `stacks: [${stacks.join(', ')}]\n`,
  ...Object.fromEntries(
    stacks.map((stack) => [
      `${stack}/trueup.yaml`,
      `stack: ${stack}\nplatform: { team: acme }\nwebhooks: { ${labels.map((label) => `${label}: ${hook}`).join(', ')} }\n`,
    ]),
  ),
});
/** A fault of the platform: it carries out a request, and the answer is lost. */
const unanswered = { type: 'status', status: 502, when: 'after' } as const;
/** A clock for the run after an interrupted one. Lists show by then what that run created. */
const inAMinute = () => Date.now() + 61_000;
const later = { ...here.clock, now: inAMinute, monotonic: inAMinute };
const batch = '00000000-0000-4000-8000-000000000001';
const apply = ['apply', '--auto-approve', '--settle', '0', '--no-canary'];
const ledgerPath = ({ folder }: Shell, stack: string) => join(folder, '.trueup/ledger', `${stack}.json`);
const ledgerOf = (shell: Shell, stack: string) => JSON.parse(readFileSync(ledgerPath(shell, stack), 'utf8'));

/** Returns the workplace of stacks after a run that created their webhooks and got no answer. `first`: the arguments of that run. */
async function interrupted(stacks: string[], { labels = ['hook'], first = ['--all'] } = {}) {
  const place = await workplace(filesOf(stacks, labels));
  const { shell, twin } = place;
  twin.setFaults({ faults: [{ at: { operation: 'createWebhook' }, do: unanswered }] });
  const ran = await shell.run([...apply, ...first]);
  expect(ran.status, ran.all).toBe(1);
  twin.setFaults({ faults: [] });
  shell.clock = later;
  return place;
}

/** Runs these commands, and checks that each stack then has its own webhooks and nothing is left to do. */
async function expectShared(
  { shell, twin }: { shell: Shell; twin: Twin },
  stacks: string[],
  { commands = [[...apply, '--all']], labels = ['hook'] } = {},
) {
  for (const command of [...commands, ['plan', '--all', '--detailed-exitcode']]) {
    const ran = await shell.run(command);
    expect(ran.status, ran.all).toBe(0);
  }
  const owned = stacks.flatMap((stack) =>
    labels.flatMap((label): string[] => ledgerOf(shell, stack).entries[`webhooks/${label}`].ids),
  );
  expect(owned.sort()).toEqual(twin.account.webhooks.map(({ id }) => id).sort());
  expect(owned.length).toBe(stacks.length * labels.length);
}

const ways: Record<string, string[][]> = {
  'all stacks at once': [[...apply, '--all']],
  'a file of approved plans': [
    ['plan', '--all', '--out', 'plans.json'],
    ['apply', 'plans.json', '--settle', '0'],
  ],
  'one run for each stack': ['a', 'b'].map((stack) => [...apply, '--file', `${stack}/trueup.yaml`]),
  'one run for each stack, the last one first': ['b', 'a'].map((stack) => [
    ...apply,
    '--file',
    `${stack}/trueup.yaml`,
  ]),
};
const kept: Record<string, number[]> = {
  both: [0, 1],
  'only the first': [0],
  'only the last': [1],
  none: [],
};
const cases = Object.keys(ways).flatMap((way) => Object.keys(kept).map((left) => ({ way, left })));

it.each(sampled(cases, 1))(
  'two interrupted stacks get a webhook each: $way, $left in the account',
  async ({ way, left }) => {
    const place = await interrupted(['a', 'b']);
    const { webhooks } = place.twin.account;
    const created = [...webhooks];
    webhooks.splice(0, 2, ...kept[left]!.map((index) => created[index]!));
    await expectShared(place, ['a', 'b'], { commands: ways[way]! });
  },
);

story(
  'three interrupted stacks with two equal webhooks each get two each, although some are missing',
  async () => {
    const [stacks, labels] = [
      ['a', 'b', 'c'],
      ['hook', 'twin'],
    ];
    const place = await interrupted(stacks, { labels });
    expect(place.twin.account.webhooks.length).toBe(6);
    place.twin.account.webhooks.splice(1, 2);
    await expectShared(place, stacks, { labels });
  },
);

story('a stack that had not begun does not adopt what another stack has created', async () => {
  const place = await interrupted(['a', 'b'], { first: ['--file', 'a/trueup.yaml'] });
  await expectShared(place, ['a', 'b']);
});

story('a stack that was interrupted does not take what only the journal of another one records', async () => {
  const place = await interrupted(['a', 'b']);
  const { shell, twin } = place;
  twin.account.webhooks.splice(1);
  const { id } = twin.account.webhooks[0]!;
  // Without the journal, the webhook would belong to the stack whose ledger was written last.
  const writtenAt = (stack: string): string => ledgerOf(shell, stack).writtenAt;
  const stack = writtenAt('a') < writtenAt('b') ? 'a' : 'b';
  const path = ledgerPath(shell, stack);
  const key = await findKey('', shell.env);
  const journal = openJournal(path.replace('.json', '.journal'), key);
  const store = createLedgerStore(fileDocuments(path, here), { key, journal });
  const { begun, ...ledger } = (await store.read())!;
  const entries = {
    'webhooks/hook': { ...begun!['webhooks/hook']!.entry, ids: [id] },
  };
  await store.appendToJournal({ ...ledger, entries }, ['webhooks/hook']);
  await store.close();
  await expectShared(place, ['a', 'b']);
  expect(ledgerOf(shell, stack).entries['webhooks/hook'].ids).toEqual([id]);
});

story(
  'a stack that is interrupted again knows that the webhook of another stack was there before',
  async () => {
    const place = await interrupted(['a', 'b']);
    const { shell, twin } = place;
    twin.account.webhooks.splice(1);
    twin.setFaults({ faults: [{ at: { operation: 'createWebhook' }, do: unanswered }] });
    expect((await shell.run([...apply, '--all'])).status).toBe(1);
    twin.setFaults({ faults: [] });
    const seen = ['a', 'b'].flatMap((stack) => ledgerOf(shell, stack).begun?.['webhooks/hook'].seen ?? []);
    expect(seen.length).toBe(1);
    await expectShared(place, ['a', 'b']);
  },
);

story(
  'two jobs of one batch whose answers were lost get a webhook each when they are done again',
  async () => {
    const bench = await Workplace.start(filesOf(['a', 'b']));
    const worker = await TestWorker.start(bench, { key: keyText() });
    const { shop, queue } = worker;
    const { twin } = bench;
    bench.write('README.md', 'Two stacks.\n');
    const commit = bench.commit('two');
    const jobOf = async (stack: string) => {
      const { plan } = await worker.do(jobFor('plan', { commit, stack }, shop.key));
      return jobFor('apply', { commit, stack, plan: plan!, batch }, shop.key);
    };
    const jobs = [await jobOf('a'), await jobOf('b')];
    queue.sent.push(...jobs);
    twin.setFaults({ faults: [{ at: { operation: 'createWebhook' }, do: unanswered }] });
    const doBoth = () => Promise.all(jobs.map((job) => worker.do(job)));
    expect((await doBoth()).map(({ state }) => state)).toEqual(['failed', 'failed']);
    twin.setFaults({ faults: [] });
    twin.account.webhooks.splice(1);
    shop.port.run.host.clock = later;
    expect((await doBoth()).map(({ state }) => state)).toEqual(['done', 'done']);
    expect(twin.account.webhooks.length).toBe(2);
    for (const { stack } of jobs)
      expect(await worker.do(jobFor('plan', { commit, stack }, shop.key))).toMatchObject({ isEmpty: true });
  },
);
