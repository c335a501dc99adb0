import { describe, expect, it } from 'vitest';
import { actions, changeAt, codes, newWorld, refuse } from '../support/scene.ts';
import { oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(3);

/** Kinds with a secret that is shown once, each with the text of a variable for it. */
const shapes = [
  {
    object: 'globalConfigs/shop/tokens/web',
    value: 'https://edge-config.example/${id}?token=${secret}',
    yaml: (secretTo: unknown) =>
      `globalConfigs: ${JSON.stringify({ shop: { tokens: { web: { $secretTo: secretTo } } } })}`,
    written: ({ twin: { account } }: World) => {
      const { id, tokens } = account.globalConfigs[0]!;
      return tokens.map(({ token }) => `https://edge-config.example/${id}?token=${token}`);
    },
  },
  {
    object: 'webhooks/deploys',
    value: undefined,
    yaml: (secretTo: unknown) =>
      `webhooks: ${JSON.stringify({ deploys: { url: 'https://hooks.example.com/d', events: ['deployment.error'], $secretTo: secretTo } })}`,
    written: ({ twin }: World) => twin.account.webhooks.map(({ secret }) => secret),
  },
  {
    object: 'authTokens/deploys',
    value: 'Bearer ${secret}',
    yaml: (secretTo: unknown) => `authTokens: ${JSON.stringify({ deploys: { $secretTo: secretTo } })}`,
    written: undefined,
  },
  {
    object: 'projects/web/featureFlagSdkKeys/production/server/web',
    value: '${connectionString}',
    yaml: (secretTo: unknown) =>
      `---\nprojects: ${JSON.stringify({ web: { featureFlagSdkKeys: [{ environment: 'production', type: 'server', label: 'web', $secretTo: secretTo }] } })}`,
    written: undefined,
  },
] as const;

const variable = 'projects/app/env/TOKEN';
const units = [`${variable}@preview`, `${variable}@production`];
const project = 'projects: { app: {} }';

/** The variables of the project in the account: value, type and targets. */
const variablesIn = ({ twin }: World) =>
  twin.account.projects[0]!.env.map(({ key, value, type, target }) => ({ key, value, type, target }));

describe.each(sampled([...shapes], 2))(
  '$object with a variable for its secret',
  ({ object, value, yaml, written }) => {
    const to = { variable, ...(value === undefined ? {} : { value }) };
    const whole = `${project}\n${yaml(to)}`;

    story('writes the variable in the run that creates the object, and has nothing left to do', async () => {
      const world = await newWorld();
      const planned = await world.plan(whole);
      expect(codes(planned.plan)).toEqual([]);
      expect(actions(planned.plan)).toEqual(
        expect.arrayContaining([`create ${object}`, ...units.map((unit) => `create ${unit}`)]),
      );
      const { outcome } = await world.apply(planned);
      expect(outcome.failed).toEqual([]);
      expect(world.ledger.entries[object]).not.toHaveProperty('tainted');
      const [only, ...others] = variablesIn(world);
      expect([only?.key, only?.type, only?.target, others]).toEqual([
        'TOKEN',
        'sensitive',
        ['production', 'preview'],
        [],
      ]);
      if (written) expect(written(world)).toEqual([only?.value]);
      expect(actions((await world.plan(whole)).plan)).toEqual([]);
    });

    story('creates both again, without asking, after the variable was not written', async () => {
      const world = await newWorld();
      await world.apply(await world.plan(project));
      const restore = refuse(world, 'POST /v10/projects');
      const { outcome } = await world.apply(await world.plan(whole));
      expect(outcome.failed.map(({ address }) => address).sort()).toEqual(units);
      expect(world.ledger.entries[object]).toHaveProperty('tainted');
      restore();
      const again = await world.plan(whole, { unattended: true });
      expect(codes(again.plan)).toEqual([]);
      expect(changeAt(again.plan, object)).toMatchObject({ action: 'replace' });
      await world.apply(again);
      expect(variablesIn(world)).toHaveLength(1);
      if (written) expect(written(world)).toEqual(variablesIn(world).map((one) => one.value));
      expect(actions((await world.plan(whole)).plan)).toEqual([]);
    });
  },
);

describe('a token of a global config with a variable for its secret', () => {
  const [{ object, value }] = shapes;
  const whole = (secretTo: object = {}, more: object = {}) =>
    `${project}\nglobalConfigs: ${JSON.stringify({
      shop: { tokens: { web: { $secretTo: { variable, value, ...secretTo }, ...more } } },
    })}`;
  const applied = async (text = whole()) => {
    const world = await newWorld();
    await world.converge(text);
    return world;
  };
  const tokenIn = ({ twin }: World) => twin.account.globalConfigs[0]!.tokens.map(({ token }) => token);

  oneRowIn(4)([
    [
      'the variable is gone',
      whole(),
      'does not exist',
      (world: World) => void world.twin.account.projects[0]!.env.pop(),
    ],
    [
      '`value` has other text',
      whole({ value: 'https://other.example/${id}?token=${secret}' }),
      'with another `value`',
      () => {},
    ],
    ['there is another target', whole({ target: ['production'], gitBranch: undefined }), '', () => {}],
    [
      'the variable has another name',
      whole({ variable: 'projects/app/env/OTHER' }),
      'does not exist',
      () => {},
    ],
  ])('asks for a replacement if %s', async (_, text, why, change) => {
    const world = await applied();
    change(world);
    const [old] = tokenIn(world);
    const { plan } = await world.plan(text);
    if (why === '') return expect([codes(plan), actions(plan)]).toEqual([[], [`delete ${units[0]}`]]);
    expect(codes(plan)).toEqual(['secret/gone']);
    expect(plan.diagnostics.find(({ code }) => code === 'secret/gone')).toMatchObject({
      address: object,
      message: expect.stringContaining(why),
      hint: expect.stringContaining('`$replace: allow`'),
    });
    await world.converge(text.replace('"$secretTo"', '"$replace":"allow","$secretTo"'));
    expect(tokenIn(world)).toHaveLength(1);
    expect(tokenIn(world)).not.toEqual([old]);
    expect(variablesIn(world).map((one) => one.value)).toEqual([expect.stringContaining(tokenIn(world)[0]!)]);
  });

  it('asks for a replacement of a token that somebody else has replaced', async () => {
    const world = await applied();
    world.twin.account.globalConfigs[0]!.tokens = [];
    world.twin.add({ globalConfigs: [{ slug: 'other', tokens: ['web'] }] });
    const [shop, other] = world.twin.account.globalConfigs;
    shop!.tokens = other!.tokens.splice(0);
    const { plan } = await world.plan(whole());
    expect(codes(plan)).toEqual(['secret/gone']);
  });

  it('takes over a token and a variable that exist, and says what it does not know', async () => {
    const world = await newWorld({
      seed: {
        projects: [
          {
            name: 'app',
            env: [{ key: 'TOKEN', value: 'x', type: 'sensitive', target: ['production', 'preview'] }],
          },
        ],
        globalConfigs: [{ slug: 'shop', tokens: ['web'] }],
      },
    });
    const { plan } = await world.plan(whole());
    expect([codes(plan), codes(plan, 'warning')]).toEqual([[], ['secret/unverified', 'secret/unverified']]);
    await world.converge(whole());
    expect(variablesIn(world).map((one) => one.value)).toEqual(['x']);
    const { plan: later } = await world.plan(whole());
    expect(codes(later, 'warning')).toEqual([]);
    const asked = await world.plan(whole({}, { $replace: 'allow' }), { sendUnverified: [`${variable}@*`] });
    expect(codes(asked.plan)).toEqual([]);
    await world.apply(asked);
    expect(variablesIn(world).map((one) => one.value)).toEqual([expect.stringContaining(tokenIn(world)[0]!)]);
  });

  it('does not replace a token that is not ours, whatever becomes of its secret', async () => {
    const world = await newWorld({ seed: { globalConfigs: [{ slug: 'shop', tokens: ['web'] }] } });
    const { plan } = await world.plan(whole({}, { $replace: 'allow' }));
    expect(codes(plan)).toEqual(['secret/gone']);
    expect(plan.diagnostics[0]!.hint).toContain('not created or adopted by this stack');
  });

  it('writes a variable that exists with the secret of a new token', async () => {
    const world = await newWorld({
      seed: {
        projects: [
          {
            name: 'app',
            env: [{ key: 'TOKEN', value: 'x', type: 'encrypted', target: ['production', 'preview'] }],
          },
        ],
      },
    });
    await world.converge(whole());
    expect(variablesIn(world)).toEqual([
      {
        key: 'TOKEN',
        type: 'sensitive',
        target: ['production', 'preview'],
        value: expect.stringContaining(tokenIn(world)[0]!),
      },
    ]);
  });

  it('warns of a later write by somebody else, and leaves the variable as it is', async () => {
    const world = await applied();
    const [row] = world.twin.account.projects[0]!.env;
    row!.updatedAt = (row!.updatedAt ?? 0) + 60_000;
    const { plan } = await world.plan(whole());
    expect([codes(plan, 'warning'), actions(plan)]).toEqual([
      ['secret/changed-outside', 'secret/changed-outside'],
      [],
    ]);
  });

  it('deletes the variable with its `$secretTo`, and both with the block', async () => {
    const world = await applied();
    const without = `${project}\nglobalConfigs: { shop: { tokens: { web: { $secretTo: discard } } } }`;
    expect(actions((await world.plan(without)).plan)).toEqual(units.map((unit) => `delete ${unit}`));
    const none = `${project}\nglobalConfigs: { shop: {} }`;
    expect(actions((await world.plan(none)).plan)).toEqual([
      `delete ${object}`,
      ...units.map((unit) => `delete ${unit}`),
    ]);
    await world.converge(none);
    expect([tokenIn(world), variablesIn(world)]).toEqual([[], []]);
  });

  oneRowIn(4)([
    [{ targets: [object] }, 4],
    [{ targets: [`${variable}@production`] }, 4],
    [{ excludes: [object] }, 0],
    [{ excludes: [`${variable}@preview`] }, 0],
  ])('is planned together with its variable: %j', async (options, count) => {
    const world = await newWorld();
    await world.converge(project);
    const { plan } = await world.plan(whole(), options);
    expect(codes(plan)).toEqual([]);
    expect(actions(plan).filter((action) => !action.endsWith('globalConfigs/shop'))).toHaveLength(
      count === 4 ? 3 : 0,
    );
  });

  it('is not created while nobody can see whether its variable exists', async () => {
    const world = await newWorld();
    await world.converge(project);
    refuse(world, '/env', 403);
    const { plan } = await world.plan(whole());
    expect(actions(plan)).toEqual(['create globalConfigs/shop']);
  });

  it('goes into a shared variable, and into branches and custom environments', async () => {
    const shared = { variable: 'sharedEnv/TOKEN', projectId: ['app'] };
    const world = await applied(whole(shared));
    expect(world.twin.account.sharedEnv).toMatchObject([{ key: 'TOKEN', type: 'sensitive' }]);
    await world.converge(whole({ target: ['preview'], gitBranch: 'next' }, { $replace: 'allow' }));
    expect(variablesIn(world)).toMatchObject([{ target: ['preview'] }]);
  });
});
