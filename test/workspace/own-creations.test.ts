import { expect, it } from 'vitest';
import { jobFor, keyText, TestWorker } from '../fleet/test-worker.ts';
import { Workplace } from '../fleet/workplace.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';
import { workplace } from './workplace.ts';

const story = oneStoryIn(4);

/** Two stacks that each declare this object. */
const stackFiles = (object: string) =>
  Object.fromEntries(
    ['a', 'b'].map((stack) => [
      `${stack}/trueup.yaml`,
      `stack: ${stack}\nplatform: { team: acme }\n${object}\n`,
    ]),
  );
/** The platform keeps several with equal content. */
const webhook =
  'webhooks: { hook: { url: "https://x.example.com", events: [deployment.error], $secretTo: discard } }';
/** The platform keeps one of them: by its name, and by its content. */
const unique = {
  projects: 'projects: { hub: { framework: astro } }',
  aiGatewayRules: 'aiGatewayRules: { hook: { type: deny, match: { model: example/x } } }',
};
const orders = {
  'at the same time': '[a, b]',
  'one after the other': '[a, { path: b, needs: [a] }]',
};
const ways = (Object.keys(orders) as (keyof typeof orders)[]).flatMap((order) =>
  [false, true].map((isSaved) => ({ order, isSaved })),
);

/** Applies both stacks, at once or from a file of approved plans. */
async function applied(object: string, { order, isSaved }: (typeof ways)[number]) {
  const place = await workplace({
    ...stackFiles(object),
    'trueup.workspace.yaml': `stacks: ${orders[order]}\n`,
  });
  const { shell } = place;
  if (isSaved) expect((await shell.run(['plan', '--all', '--out', 'plans.json'])).status).toBe(0);
  const ran = await shell.run([
    ...['apply', ...(isSaved ? ['plans.json'] : ['--all', '--auto-approve']), '--settle', '0'],
  ]);
  return { ...place, ran };
}

it.each(sampled(ways, 1))(
  'stacks of one run create equal webhooks, $order (saved: $isSaved): each has its own, and none is foreign',
  async (way) => {
    const { shell, twin, ran } = await applied(webhook, way);
    expect(ran.status, ran.all).toBe(0);
    expect(ran.all).not.toContain('somebody else');
    expect(twin.account.webhooks.length).toBe(2);
    const again = await shell.run(['plan', '--all', '--detailed-exitcode']);
    expect(again.status, again.all).toBe(0);
  },
);

const uniqueOnes = (Object.keys(unique) as (keyof typeof unique)[]).flatMap((section) =>
  ways.map((way) => ({ section, ...way })),
);
it.each(sampled(uniqueOnes, 1))(
  'a stack does not take what another stack of the run created: $section, $order (saved: $isSaved)',
  async ({ section, ...way }) => {
    const { shell, twin, ran } = await applied(unique[section], way);
    expect(ran.status, ran.all).toBe(1);
    expect(ran.all).not.toContain('shows that it was done');
    expect(twin.account[section].length).toBe(1);
    const owned = await shell.run(['plan', '--all']);
    expect(owned.all).toContain('stack/owned');
  },
);

/** Blocks of a second stack that mean the webhook of the first one, each with what the first one still declares. */
const meaning = {
  'takes it over': { giver: '', more: '$from: a' },
  'is handed it': { giver: webhook.replace('discard', 'discard, $handover: b'), more: '$from: a' },
  'refers to it': { giver: webhook, more: '$existing: true, $id: ID' },
};
const meanings = (Object.keys(meaning) as (keyof typeof meaning)[]).flatMap((verb) =>
  ways.map((way) => ({ verb, ...way })),
);
it.each(sampled(meanings, 1))(
  'a stack $verb under another label, what another stack of the run owns: $order (saved: $isSaved)',
  async ({ verb, order, isSaved }) => {
    const { shell, twin } = await workplace({
      ...stackFiles(webhook),
      'b/trueup.yaml': 'stack: b\nplatform: { team: acme }\nprojects: { hub: { framework: astro } }\n',
      'trueup.workspace.yaml': `stacks: ${orders[order]}\n`,
    });
    const applyAll = ['apply', '--all', '--auto-approve', '--settle', '0'];
    expect((await shell.run(applyAll)).status).toBe(0);
    const before = structuredClone(twin.account.webhooks);
    const { giver, more } = meaning[verb];
    const fields =
      verb === 'refers to it' ? '' : 'url: "https://x.example.com", events: [deployment.error], ';
    const block = `webhooks: { other: { ${fields}${more.replace('ID', before[0]!.id)} } }`;
    await shell.write({
      'a/trueup.yaml': `stack: a\nplatform: { team: acme }\nprojects: { main: { framework: astro } }\n${giver}\n`,
      'b/trueup.yaml': `stack: b\nplatform: { team: acme }\nprojects: { hub: { framework: nextjs } }\n${block}\n`,
    });
    if (isSaved) expect((await shell.run(['plan', '--all', '--out', 'plans.json'])).status).toBe(0);
    const ran = await shell.run(isSaved ? ['apply', 'plans.json', '--settle', '0'] : applyAll);
    expect(ran.status, ran.all).toBe(0);
    expect(twin.account.webhooks).toEqual(before);
    const again = await shell.run(['plan', '--all', '--detailed-exitcode']);
    expect(again.status, again.all).toBe(0);
  },
);

story('two jobs of one batch create equal webhooks: both are done', async () => {
  const bench = await (await Workplace.start(stackFiles(webhook))).useLedgerServer();
  const worker = await TestWorker.start(bench, { key: keyText() });
  const { key } = worker.shop;
  bench.write('trueup.workspace.yaml', 'stacks: [a, b]\n');
  const commit = bench.commit('two');
  const batch = '00000000-0000-4000-8000-000000000001';
  const jobOf = async (stack: string) => {
    const { plan } = await worker.do(jobFor('plan', { commit, stack }, key));
    return jobFor('apply', { commit, stack, plan: plan!, batch }, key);
  };
  const [a, b] = [await jobOf('a'), await jobOf('b')];
  expect(await worker.do(a)).toMatchObject({ state: 'done' });
  // Only jobs of the same batch explain an object.
  const alone = { state: 'failed', said: expect.stringContaining('no longer matches') };
  expect(await worker.do(b)).toMatchObject(alone);
  worker.queue.sent.push(a, b);
  expect(await worker.do(b)).toMatchObject({ state: 'done' });
  expect(bench.twin.account.webhooks.length).toBe(2);
});
