import { describe, expect, it } from 'vitest';
import { actions, intercept } from '../support/scene.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';
import type { Planned } from '../support/world.ts';
import { Account, flag, ruleOn, segment } from './account.ts';

const story = oneStoryIn(7);

const rules = [ruleOn('beta')];
const used = { segments: { beta: segment() }, featureFlags: { banner: flag({ rules }) } };
const writes = (account: Account, since: number) =>
  account.asked(since).filter((line) => !line.startsWith('GET'));

/** What the deletion of the segment `beta` waits for. */
const awaited = ({ plan }: Planned) =>
  plan.operations.find(({ id }) => id === 'delete projects/web/segments/beta')!.dependsOn;

describe('a segment that a flag names', () => {
  story('is made before the flag, which gets its id', async () => {
    const account = await Account.start();
    const since = account.world.twin.requests.length;
    await account.converge(used);
    expect(writes(account, since)).toEqual(['PUT segments', 'PUT flags']);
    const [rule] = account.flag('banner').environments.production!.rules;
    expect(rule!.conditions[0]!.rhs).toBe(account.segment('beta').id);
  });

  story('goes after the flag', async () => {
    const account = await Account.start();
    await account.converge(used);
    const since = account.world.twin.requests.length;
    expect(awaited(await account.plan({}))).toEqual(['delete projects/web/featureFlags/banner']);
    await account.converge({});
    expect(writes(account, since)).toEqual([
      'PATCH flags/banner',
      'DELETE flags/banner',
      'DELETE segments/beta',
    ]);
  });

  story('goes after a change of the flag that lets go of it', async () => {
    const account = await Account.start();
    await account.converge(used);
    const since = account.world.twin.requests.length;
    const without = { featureFlags: { banner: flag({ rules: [] }) } };
    expect(awaited(await account.plan(without))).toEqual(['update projects/web/featureFlags/banner']);
    await account.converge(without);
    expect(writes(account, since)).toEqual(['PATCH flags/banner', 'DELETE segments/beta']);
  });

  story('goes after a flag that now names another', async () => {
    const account = await Account.start();
    await account.converge(used);
    const since = account.world.twin.requests.length;
    await account.converge({
      segments: { alpha: segment() },
      featureFlags: { banner: flag({ rules: [ruleOn('alpha')] }) },
    });
    expect(writes(account, since)).toEqual(['PUT segments', 'PATCH flags/banner', 'DELETE segments/beta']);
  });

  it('is the same one for a machine without a ledger', async () => {
    const account = await Account.start();
    await account.converge(used);
    account.world.ledger = { ...account.world.ledger, entries: {} };
    const { plan } = await account.plan(used);
    expect(plan.operations).toEqual([]);
    expect(new Set(plan.changes.map(({ action }) => action))).toEqual(new Set(['adopt']));
  });

  story('is left alone with the rules of others that name it', async () => {
    const account = await Account.start();
    await account.converge(used);
    account.world.ledger = { ...account.world.ledger, entries: {} };
    const environments = { production: { active: false } };
    await account.converge({ featureFlags: { banner: { kind: 'boolean', environments } } });
    const { active, rules } = account.flag('banner').environments.production!;
    expect([active, rules[0]!.conditions[0]!.rhs]).toEqual([false, account.segment('beta').id]);
  });
});

story('segments that name each other are made and deleted in an order that works', async () => {
  const account = await Account.start();
  const nested = {
    alpha: segment({ rules: [{ ...ruleOn('beta'), outcome: { type: 'all' } }] }),
    beta: segment(),
  };
  await account.converge({ segments: nested });
  expect(account.own.segments.map(({ slug }) => slug)).toEqual(['beta', 'alpha']);
  await account.converge({});
  expect(account.own.segments).toEqual([]);
});

describe('a segment that another one names', () => {
  const inSegment = (slug: string) => segment({ rules: [{ ...ruleOn(slug), outcome: { type: 'all' } }] });
  const nested = { alpha: inSegment('beta'), beta: segment() };

  story('goes after a change of that one, which lets go of it', async () => {
    const account = await Account.start();
    await account.converge({ segments: nested });
    const without = { segments: { alpha: segment({ rules: [] }) } };
    expect(awaited(await account.plan(without))).toEqual(['update projects/web/segments/alpha']);
    await account.converge(without);
    expect(account.own.segments.map(({ slug }) => slug)).toEqual(['alpha']);
  });

  it('goes after that one, also where the ledger has no entry for of it', async () => {
    const account = await Account.start();
    await account.converge({ segments: nested });
    const { entries } = account.world.ledger;
    for (const entry of Object.values(entries)) delete entry.dependsOn;
    expect(awaited(await account.plan({}))).toEqual(['delete projects/web/segments/alpha']);
  });

  it('is the same one for a machine without a ledger', async () => {
    const account = await Account.start();
    await account.converge({ segments: nested });
    account.world.ledger = { ...account.world.ledger, entries: {} };
    const { plan } = await account.plan({ segments: nested });
    expect(plan.operations).toEqual([]);
    expect(new Set(plan.changes.map(({ action }) => action))).toEqual(new Set(['adopt']));
  });

  it('is shown by its address, not by its id', async () => {
    const account = await Account.start();
    await account.converge({ segments: nested });
    const { plan } = await account.plan({ segments: { ...nested, alpha: segment({ rules: [] }) } });
    const shown = JSON.stringify(plan.changes.map(({ fields }) => fields));
    expect(shown).toContain('"$ref":"projects/web/segments/beta"');
    expect(shown).not.toContain(account.segment('beta').id);
  });

  it.each([
    ['by its id', { ...ruleOn('beta'), conditions: [{ lhs: { type: 'segment' }, cmp: 'eq', rhs: 's1' }] }],
    [
      'where an attribute is compared',
      {
        ...ruleOn('beta'),
        conditions: [
          { ...ruleOn('beta').conditions[0], lhs: { type: 'entity', kind: 'u', attribute: 'id' } },
        ],
      },
    ],
    ['and is the segment itself', ruleOn('alpha')],
  ])('%s is found before anything is asked', async (_, rule) => {
    const account = await Account.start();
    const alpha = segment({ rules: [{ ...rule, outcome: { type: 'all' } }] });
    const { diagnostics } = await account.configure({ segments: { ...nested, alpha } });
    expect(diagnostics.map(({ code }) => code)).toEqual(['config/check']);
  });
});

describe('settings', () => {
  const settings = { featureFlagSettings: { enabled: true } };

  it('come before the segments and flags of the same project', async () => {
    const account = await Account.start();
    const { plan } = await account.plan({ ...used, ...settings });
    const first = 'update projects/web/featureFlagSettings';
    const waiting = plan.operations.filter(({ dependsOn }) => dependsOn.includes(first)).map(({ id }) => id);
    expect(waiting.sort()).toEqual([
      'create projects/web/featureFlags/banner',
      'create projects/web/segments/beta',
    ]);
  });

  it('that fail stop them', async () => {
    const account = await Account.start();
    intercept(account.world, async (request, send) => {
      if (request.endpoint.endsWith('feature-flags/settings') && request.endpoint.startsWith('PATCH'))
        throw new Error('the connection was lost');
      return send(request);
    });
    const { outcome } = await account.world.apply(await account.plan({ ...used, ...settings }));
    expect(outcome.failed).toHaveLength(1);
    expect(account.own.segments).toEqual([]);
  });
});

const listed = (...values: string[]) => values.map((value) => ({ value }));

describe('the data of a segment', () => {
  const theirs = { user: { id: listed('u1'), 'e.mail': listed('a@example.com') } };

  it('is sent whole, what is not declared as it was found', async () => {
    const account = await Account.start({
      segments: [{ slug: 'beta', label: 'L', hint: 'H', data: { include: theirs, exclude: theirs } }],
    });
    await account.converge({ segments: { beta: segment({ include: { user: { id: [] } } }) } });
    expect(account.segment('beta').data).toEqual({
      include: { user: { ...theirs.user, id: [] } },
      exclude: theirs,
    });
  });

  story('is not sent where somebody changed the segment after the plan', async () => {
    const account = await Account.start();
    await account.converge({ segments: { beta: segment() } });
    const planned = await account.plan({ segments: { beta: segment({ include: theirs }) } });
    const beta = account.segment('beta');
    Object.assign(beta, { data: { exclude: theirs }, updatedAt: beta.updatedAt + 1 });
    const { outcome } = await account.world.apply(planned);
    expect(outcome.failed.map(({ error }) => (error as Error).message)).toEqual([
      expect.stringContaining('changed by somebody else'),
    ]);
    expect(account.segment('beta').data).toEqual({ exclude: theirs });
  });

  it('stays out of a change of anything else, which then needs no read', async () => {
    const account = await Account.start();
    await account.converge({ segments: { beta: segment() } });
    const since = account.world.twin.requests.length;
    await account.world.apply(await account.plan({ segments: { beta: { ...segment(), label: 'New' } } }));
    expect(account.asked(since)).toEqual(['PATCH segments/beta']);
    expect(account.world.twin.requests.at(-1)!.body).toEqual({ label: 'New' });
  });
});

describe.each(sampled([true, false], 1))('settings, never written and answering 404: %s', (absent) => {
  const switches = { flagSettingsAbsentUntilWritten: absent };

  story('are written, and stay when they are not declared any more', async () => {
    const account = await Account.start({}, switches);
    const since = account.world.twin.requests.length;
    await account.converge({ featureFlagSettings: { enabled: true } });
    expect(writes(account, since)).toEqual(['PATCH settings']);
    const { plan } = await account.plan({});
    expect(actions(plan)).toEqual(['release projects/web/featureFlagSettings']);
    expect(plan.operations).toEqual([]);
  });

  story('are left alone where nothing is declared of them', async () => {
    const account = await Account.start({}, switches);
    await account.converge({ featureFlagSettings: {} });
    expect(account.own.settings).toBeNull();
  });
});
