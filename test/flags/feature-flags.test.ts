import { describe, expect, it } from 'vitest';
import { featureFlag } from '../../providers/hosting/kinds/flags/feature-flag.ts';
import { actions, causes, codes, intercept } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import type { Planned } from '../support/world.ts';
import { Account, answer, environment, flag, ruleOn, segment } from './account.ts';

const story = oneStoryIn(7);

const banner = { featureFlags: { banner: flag() } };
const described = (description: string, production = {}) => ({
  featureFlags: { banner: flag(production, { description }) },
});
const failures = async (account: Account, planned: Planned) => {
  const { outcome } = await account.world.apply(planned);
  return outcome.failed.map(({ error }) => (error as Error).message);
};

describe('a change of a flag', () => {
  story('reads it, then sends what differs under its ETag', async () => {
    const account = await Account.start();
    await account.converge(banner);
    const since = account.world.twin.requests.length;
    await account.world.apply(await account.plan(described('Sale')));
    expect(account.asked(since)).toEqual(['GET flags/banner', 'PATCH flags/banner']);
    const [patch] = account.world.twin.requests.slice(since).filter(({ method }) => method === 'PATCH');
    expect(patch!.body).toEqual({ description: 'Sale' });
    expect(patch!.path).toMatch(/[?&]ifMatch=%22\w+%22/);
  });

  it('sends no environment but those that change, each whole, with what others wrote of it', async () => {
    const production = environment({ rules: [], targets: { on: { user: { id: [{ value: 'u1' }] } } } });
    const account = await Account.start({
      flags: [{ slug: 'banner', environments: { production, preview: environment({ rules: [] }) } }],
    });
    const environments = { production: { active: false }, preview: { active: true } };
    const { changes } = await account.converge({
      featureFlags: { banner: { kind: 'boolean', environments } },
    });
    expect(changes.find(({ kind }) => kind === 'featureFlag')!.action).toBe('adopt');
    const sent = account.world.twin.requests.find(({ method }) => method === 'PATCH')!;
    expect(sent.body).toEqual({ environments: { production: { ...production, active: false } } });
    expect(account.flag('banner').environments.preview).toMatchObject({ active: true });
  });

  story('is not sent where somebody changed the flag after the plan', async () => {
    const account = await Account.start();
    await account.converge(described('old'));
    const planned = await account.plan(described('ours'));
    const since = account.world.twin.requests.length;
    intercept(account.world, (request, send) => {
      if (request.expects) Object.assign(account.flag('banner'), { revision: 2, description: 'theirs' });
      return send(request);
    });
    expect(await failures(account, planned)).toEqual([expect.stringContaining('changed by somebody else')]);
    expect(account.asked(since)).toEqual(['GET flags/banner']);
    expect(account.flag('banner').description).toBe('theirs');
    const { plan } = await account.plan(described('ours'));
    expect(causes(plan, 'projects/web/featureFlags/banner')).toEqual({ description: 'conflict' });
  });

  oneRowIn(2)([412, 409] as const)(
    'is refused with %s where somebody changed it after that read',
    async (status) => {
      const account = await Account.start({}, { flagMismatchStatus: status });
      await account.converge(banner);
      const planned = await account.plan(described('ours', { active: false }));
      intercept(account.world, async (request, send) => {
        const result = await send(request);
        if (request.etag) Object.assign(account.flag('banner'), { revision: 2, description: 'theirs' });
        return result;
      });
      expect(await failures(account, planned)).toEqual([expect.stringContaining(`${status}`)]);
      expect(account.flag('banner')).toMatchObject({
        description: 'theirs',
        environments: { production: { active: true } },
      });
    },
  );
});

describe('the deletion of a flag', () => {
  story('archives it first', async () => {
    const account = await Account.start();
    await account.converge(banner);
    const since = account.world.twin.requests.length;
    await account.world.apply(await account.plan({}));
    expect(account.asked(since)).toEqual([
      'GET flags/banner',
      'PATCH flags/banner',
      'GET flags/banner',
      'DELETE flags/banner',
    ]);
    expect(account.own.flags).toEqual([]);
  });

  story('finds one that is archived already, also by an attempt that went no further', async () => {
    const account = await Account.start();
    await account.converge(banner);
    const end = intercept(account.world, async (request, send) => {
      if (request.endpoint.startsWith('DELETE')) throw new Error('the connection was lost');
      return send(request);
    });
    expect(await failures(account, await account.plan({}))).toHaveLength(1);
    end();
    expect(account.flag('banner').state).toBe('archived');
    const since = account.world.twin.requests.length;
    await account.world.apply(await account.plan({}));
    expect(account.asked(since)).toEqual(['GET flags/banner', 'DELETE flags/banner']);
  });

  story('is refused where somebody changed the flag after the plan', async () => {
    const account = await Account.start();
    await account.converge(banner);
    const planned = await account.plan({});
    Object.assign(account.flag('banner'), { revision: 2, description: 'theirs' });
    expect(await failures(account, planned)).toHaveLength(1);
    expect(account.flag('banner')).toMatchObject({ state: 'active', description: 'theirs' });
  });
});

describe('an archived flag', () => {
  story('is found, and can be taken back into use', async () => {
    const account = await Account.start({
      flags: [{ slug: 'banner', state: 'archived' }, { slug: 'other' }],
    });
    const { changes } = await account.converge({
      featureFlags: { banner: { kind: 'boolean', state: 'active' } },
    });
    expect(changes.map(({ address, action }) => `${action} ${address}`)).toContain(
      'adopt projects/web/featureFlags/banner',
    );
    expect(account.own.flags.map(({ slug, state }) => `${slug} ${state}`)).toEqual([
      'banner active',
      'other active',
    ]);
  });
});

describe('a new flag', () => {
  story('has a seed of its own, which is never compared unless it is declared', async () => {
    const account = await Account.start();
    await account.converge(banner);
    const sent = account.world.twin.requests.find(({ method }) => method === 'PUT')!;
    expect(sent.body).not.toHaveProperty('seed');
    account.flag('banner').seed += 1;
    expect(actions((await account.plan(banner)).plan)).toEqual([]);
  });

  story('needs every system environment, whole', async () => {
    const account = await Account.start();
    const environments = { production: { active: true, fallthrough: answer('on') }, preview: environment() };
    const { plan } = await account.plan({ featureFlags: { banner: flag({}, { environments }) } });
    expect(codes(plan)).toEqual(['flag/incomplete', 'flag/incomplete']);
    expect(plan.diagnostics.map(({ message }) => /`([^`]*)`/.exec(message)![1]).sort()).toEqual([
      'environments.development',
      'environments.production.pausedOutcome',
    ]);
    expect(plan.operations).toEqual([]);
  });

  story('comes after the settings that switch flags on', async () => {
    const account = await Account.start();
    const since = account.world.twin.requests.length;
    await account.converge({ ...banner, featureFlagSettings: { enabled: true } });
    expect(account.asked(since).slice(0, 2)).toEqual(['PATCH settings', 'PUT flags']);
  });

  it('takes the place of one of another kind where that is allowed, whole', async () => {
    const account = await Account.start();
    await account.converge(banner);
    const variants = [
      { id: 'off', value: 0 },
      { id: 'on', value: 1 },
    ];
    const number = flag({}, { kind: 'number', variants });
    expect(codes((await account.plan({ featureFlags: { banner: number } })).plan)).toEqual([
      'replace/refused',
    ]);
    const since = account.world.twin.requests.length;
    await account.converge({ featureFlags: { banner: { ...number, $replace: 'allow' } } });
    expect(account.asked(since).slice(-2)).toEqual(['DELETE flags/banner', 'PUT flags']);
    expect(account.flag('banner').kind).toBe('number');
  });

  story('may have a new environment later, which is sent whole', async () => {
    const account = await Account.start();
    await account.converge(banner);
    const { featureFlags } = banner;
    const environments = { ...featureFlags.banner.environments, staging: environment() };
    await account.converge({ featureFlags: { banner: { ...featureFlags.banner, environments } } });
    expect(account.flag('banner').environments.staging).toMatchObject({ active: true, rules: [] });
  });
});

it.each([
  ['flag', { featureFlags: { sale: { $was: 'banner', ...flag() } } }, banner],
  ['segment', { segments: { sale: { $was: 'beta', ...segment() } } }, { segments: { beta: segment() } }],
])('another slug is another %s: a rename is refused', async (_, renamed, before) => {
  const account = await Account.start();
  await account.converge(before);
  const { plan } = await account.plan(renamed);
  expect(codes(plan)).toEqual(['replace/refused']);
  expect(plan.diagnostics[0]!.message).toContain('cannot change `slug`');
  expect(plan.operations).toEqual([]);
});

it.each([
  ['a variant that is not there', flag({ fallthrough: answer('of') }), 'no variant "of"'],
  ['a target that is none', flag({ targets: { blue: { user: { id: [] } } } }), 'no variant "blue"'],
  ['a value of another kind', flag({}, { kind: 'number' }), 'must be a number'],
  ['an id that stands twice', flag({ rules: [ruleOn('beta'), ruleOn('beta')] }), 'two rules'],
  [
    'a segment by its id',
    flag({
      rules: [{ ...ruleOn('beta'), conditions: [{ lhs: { type: 'segment' }, cmp: 'eq', rhs: 'seg_1' }] }],
    }),
    'refer to segments by reference',
  ],
  [
    'a reference that is no segment',
    flag({
      rules: [
        {
          ...ruleOn('beta'),
          conditions: [
            {
              lhs: { type: 'entity', kind: 'user', attribute: 'id' },
              cmp: 'eq',
              rhs: '${projects.web.segments.beta.id}',
            },
          ],
        },
      ],
    }),
    'must be known',
  ],
])('%s is found before anything is asked', async (_, wrong, message) => {
  const account = await Account.start();
  const blocks = { segments: { beta: segment() }, featureFlags: { banner: wrong } };
  const { diagnostics } = await account.configure(blocks);
  expect(diagnostics.map((one) => one.message)).toContainEqual(expect.stringContaining(message));
});

story('a map without lists says nothing', async () => {
  const account = await Account.start();
  await account.converge({ featureFlags: { banner: flag({ targets: { on: {} } }) } });
  account.flag('banner').environments.production!.targets = { on: { user: { id: [{ value: 'u' }] } } };
  expect(actions((await account.plan({ featureFlags: { banner: flag({ targets: {} }) } })).plan)).toEqual([]);
});

it('flags of integrations are none of ours', () => {
  const references = { to: () => undefined };
  const row = { id: 'i', slug: 's', state: 'active', typeName: 'marketplaceFlag' };
  expect(featureFlag.decode!(row, references)).toBeUndefined();
  expect(featureFlag.decode!({ ...row, typeName: 'flag', environments: {} }, references)).toBeDefined();
});
