import { describe, expect } from 'vitest';
import { Account, environment, flag, ruleOn, segment } from '../flags/account.ts';
import { actions } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { exported } from './exported.ts';

const story = oneStoryIn(4);

const inList = {
  id: 'r2',
  conditions: [
    {
      lhs: { type: 'segment' },
      cmp: 'oneOf',
      rhs: { type: 'list', items: [{ value: '${projects.web.segments.beta.id}', note: 'n' }] },
    },
  ],
  outcome: { type: 'variant', variantId: 'on' },
};
const inSegment = { ...ruleOn('beta'), outcome: { type: 'all' } };
const blocks = {
  segments: { alpha: segment({ rules: [inSegment] }), beta: segment() },
  featureFlags: { banner: flag({ rules: [ruleOn('beta'), inList] }) },
};

async function applied(): Promise<Account> {
  const account = await Account.start();
  await account.converge(blocks);
  account.world.ledger = { ...account.world.ledger, entries: {} };
  return account;
}

describe('references in the middle of data', () => {
  story('are written as expressions, and planned to no write', async () => {
    const { world } = await applied();
    const { yaml } = await exported(world);
    expect(yaml.match(/\$\{projects\.web\.segments\.beta\.id\}/g)).toHaveLength(3);
    expect(yaml).toContain('environments:');
    const { plan } = await world.plan(yaml);
    expect(plan.diagnostics).toEqual([]);
    expect(plan.operations).toEqual([]);
    expect(new Set(plan.changes.map(({ action }) => action))).toEqual(new Set(['adopt']));
  });

  story('bring what they name as existing into a part', async () => {
    const { world } = await applied();
    const { yaml } = await exported(world, ['projects/web/featureFlags/*']);
    expect(yaml).toMatch(/beta:\n +\$existing: true/);
    expect(yaml).not.toContain('alpha');
    expect(yaml).toContain('rhs: ${projects.web.segments.beta.id}');
    const { plan } = await world.plan(yaml);
    expect(plan.operations).toEqual([]);
    expect(actions(plan)).toEqual(['adopt projects/web/featureFlags/banner']);
  });

  story('that lead nowhere leave their field out, and nothing else', async () => {
    const account = await applied();
    account.own.segments = account.own.segments.filter(({ slug }) => slug !== 'beta');
    const { yaml, notes } = await exported(account.world, ['projects/web/featureFlags/*']);
    expect(yaml).toContain('# `environments` is left out: it refers to something that does not exist');
    expect(yaml).toContain('banner:');
    expect(notes).toEqual([]);
    const { plan } = await account.world.plan(yaml);
    expect(actions(plan)).toEqual(['adopt projects/web/featureFlags/banner']);
  });
});

story('values of variants that say nothing elsewhere are kept', async () => {
  const account = await Account.start();
  const variants = [null, '', [], {}, false, 0, [[1], [null]]].map((value, index) => ({
    id: `v${index}`,
    value,
  }));
  const answers = environment({
    pausedOutcome: { type: 'variant', variantId: 'v0' },
    fallthrough: { type: 'variant', variantId: 'v1' },
  });
  const environments = { production: answers, preview: answers, development: answers };
  await account.converge({ featureFlags: { banner: { kind: 'json', variants, environments } } });
  account.world.ledger = { ...account.world.ledger, entries: {} };
  const { yaml } = await exported(account.world);
  const { plan } = await account.world.plan(yaml);
  expect(plan.operations).toEqual([]);
  expect(actions(plan)).toContain('adopt projects/web/featureFlags/banner');
  const { configuration } = await account.world.plan(yaml);
  const { fields } = configuration.desired.resources.get('projects/web/featureFlags/banner')!;
  expect(fields.variants).toEqual(variants);
});
