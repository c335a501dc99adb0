import { afterEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { atTheLastMoment } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { Account } from './account.ts';

const story = oneStoryIn(7);

let account: Account;
const start = async (options?: Parameters<typeof Account.start>[0]) => {
  account = await Account.start(options);
};
afterEach(() => account.world.stop());

const changeOf = (plan: Plan, name: string) =>
  plan.changes.find(({ address }) => address === `projects/web/env/${name}`)!;
const messages = (outcome: { failed: { address: string; error: unknown }[] }) =>
  outcome.failed.map(({ address, error }) => [address.split('/').at(-1), (error as Error).message]);

describe('what is found', () => {
  it('is adopted as it is, and nothing is sent', async () => {
    await start({
      env: [
        { key: 'A', value: 'one' },
        { key: 'S', value: 'two', type: 'sensitive' },
      ],
    });
    const plan = await account.converge('A: one\nS: { value: two, target: [production, preview] }');
    expect(account.sent()).toEqual([]);
    expect(
      new Set(plan.changes.filter(({ kind }) => kind === 'projectEnvVar').map(({ action }) => action)),
    ).toEqual(new Set(['adopt']));
    expect(
      Object.keys(account.world.ledger.entries).filter((address) => address.includes('/env/')),
    ).toHaveLength(5);
  });

  it('keeps its type and comment where none is declared', async () => {
    await start({
      env: [{ key: 'A', value: 'one', type: 'plain', comment: 'theirs', target: ['production'] }],
    });
    await account.converge('A: { value: two, target: [production, preview] }');
    expect(account.rows()).toEqual(['A=two encrypted preview', 'A=two plain production # theirs']);
  });

  it('of the platform or of an integration is not there at all, even where everything undeclared goes', async () => {
    const theirs = [
      { key: 'A', value: '1', type: 'system', system: true, target: ['production'] },
      { key: 'B', value: '1', configurationId: 'icfg_1', target: ['production'] },
    ] as const;
    await start({
      env: [...theirs.map((one) => ({ ...one, target: [...one.target] })), { key: 'C', value: '1' }],
    });
    const { world } = account;
    await world.converge(account.yaml('D: x', '$exclusive: [env]'), { maxDeletions: 10 });
    expect(account.rows()).toEqual([
      'A=1 system production',
      'B=1 encrypted production',
      'D=x encrypted production preview development',
    ]);
    expect((await world.plan(account.yaml('D: x'))).plan.unmanaged).toEqual([]);
  });

  story('under a list that repeats a row is found once', async () => {
    await start({ env: [{ key: 'A', value: 'one' }], switches: { envListDuplicates: true } });
    await account.converge('A: two');
    expect(account.sent()).toEqual(['PATCH value']);
  });
});

describe('a row that also has places which are not declared', () => {
  const env = [{ key: 'A', value: 'one', target: ['production', 'preview'] as ('production' | 'preview')[] }];

  it('is adopted, and the rest counts as unmanaged', async () => {
    await start({ env });
    await account.converge('A: { value: one, target: [production] }');
    expect(account.sent()).toEqual([]);
    const { plan } = await account.plan('A: { value: one, target: [production] }');
    expect(plan.unmanaged.map(({ address }) => address)).toEqual(['projects/web/env/A@preview']);
  });

  it.each([
    ['value', 'A: { value: two, target: [production] }'],
    ['comment', 'A: { value: one, comment: why, target: [production] }'],
    ['type', 'A: { value: one, type: plain, target: [production] }'],
  ])('is not changed: %s', async (_, yaml) => {
    await start({ env });
    const { plan } = await account.plan(yaml);
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(['env/undeclared-targets']);
    expect(plan.operations).toEqual([]);
    expect(plan.diagnostics[0]).toMatchObject({
      address: 'projects/web/env/A@production',
      at: { line: expect.any(Number) },
    });
  });

  it('stops only its own changes', async () => {
    await start({ env: [...env, { key: 'B', value: 'one' }] });
    const { plan } = await account.plan('A: { value: two, target: [production] }\nB: two');
    expect(plan.operations.map(({ changes }) => changes.length)).toEqual([3]);
  });

  story('can be narrower', async () => {
    await start({ env });
    await account.converge('A: { value: one, target: [production] }\nB: x');
    account.sent();
    await account.converge('B: x');
    expect(account.sent()).toEqual(['PATCH target']);
    expect(account.rows()).toEqual([
      'A=one encrypted preview',
      'B=x encrypted production preview development',
    ]);
  });

  it('takes in no more places: what is declared gets a row of its own', async () => {
    await start({ env });
    await account.converge('A: { value: one, target: [production, development] }');
    expect(account.rows()).toEqual(['A=one encrypted development', 'A=one encrypted production preview']);
  });

  it('can be declared in full', async () => {
    await start({ env });
    await account.converge('A: { value: two, target: [production, preview] }');
    expect(account.sent()).toEqual(['PATCH value']);
  });
});

describe.each([true, false])("the team's policy (makes variables sensitive: %s)", (policyMakesSensitive) => {
  const switches = { policyMakesSensitive };
  story('decides the type that is not declared, with development in a row of its own', async () => {
    await start({ strict: true, switches });
    await account.converge('A: one\nB: { value: one, customEnvironmentIds: [staging] }');
    expect(account.rows()).toEqual([
      'A=one encrypted development',
      'A=one sensitive production preview',
      'B=one sensitive custom:staging',
    ]);
    await account.converge('A: two\nB: { value: two, customEnvironmentIds: [staging] }');
    expect(account.rows()).toContain('A=two sensitive production preview');
  });

  story('refuses a type that contradicts it, but for development', async () => {
    await start({ strict: true, switches });
    const codes = (yaml: string) => account.codes(yaml);
    expect(await codes('A: { value: one, type: encrypted, target: [production] }')).toEqual(['env/policy']);
    expect(await codes('A: { value: one, type: plain, gitBranch: x }')).toEqual(['env/policy']);
    expect(await codes('A: { value: one, type: plain, target: [development] }')).toEqual([]);
    expect(await codes('A: { value: one, type: sensitive, target: [preview] }')).toEqual([]);
  });

  story('lets older variables be, until they are written to', async () => {
    await start({ strict: true, switches, env: [{ key: 'A', value: 'one', target: ['production'] }] });
    await account.converge('A: { value: one, target: [production] }');
    expect(account.sent()).toEqual([]);
    await account.converge('A: { value: two, target: [production] }');
    expect(account.sent()).toEqual(['PATCH type value']);
    expect(account.rows()).toEqual(['A=two sensitive production']);
  });

  it('makes what leaves an older row sensitive', async () => {
    await start({
      strict: true,
      switches,
      env: [{ key: 'A', value: 'one', target: ['production', 'preview'] }],
    });
    await account.converge('A: [{ value: two, target: [production] }, { value: one, target: [preview] }]');
    expect(account.rows()).toEqual(['A=one sensitive preview', 'A=two sensitive production']);
  });

  it('also decides if no plan can read it, as with a token of one project', async () => {
    await start({ switches });
    const yaml =
      'A: { value: one, target: [production] }\nB: { value: one, customEnvironmentIds: [staging] }';
    const planned = await account.plan(yaml);
    account.world.twin.account.teams[0]!.sensitiveEnvironmentVariablePolicy = 'on';
    const { outcome } = await account.world.apply(planned);
    if (policyMakesSensitive) {
      await account.converge(yaml);
      expect(account.rows()).toEqual(['A=one sensitive production', 'B=one sensitive custom:staging']);
    } else
      expect(messages(outcome)).toEqual([
        ['A@production', expect.stringMatching('400 bad_request: The policy of this team')],
        ['B@custom:staging', expect.stringMatching('400 bad_request: The policy of this team')],
      ]);
  });
});

describe('what hurts', () => {
  it('is refused without `$replace: allow`: leaving sensitive', async () => {
    await start();
    await account.converge('A: { value: one, type: sensitive, target: [production] }');
    expect(await account.codes('A: { value: one, type: plain, target: [production] }')).toEqual([
      'replace/refused',
    ]);
    const { plan } = await account.plan(
      'A: { value: one, type: plain, target: [production], $replace: allow }',
    );
    expect(changeOf(plan, 'A@production')).toMatchObject({ action: 'replace', grade: 'disruptive' });
  });

  story('is graded: a split is disruptive, also for the part that only moves', async () => {
    await start();
    await account.converge('A: { value: one, target: [production, preview] }');
    const { plan } = await account.plan(
      'A: [{ value: two, target: [production] }, { value: one, target: [preview] }]',
    );
    expect(changeOf(plan, 'A@preview')).toMatchObject({ action: 'noop', grade: 'disruptive' });
    const exact = await account.plan('A: { value: two, target: [production, preview] }');
    expect(changeOf(exact.plan, 'A@production').grade).toBe('safe');
    expect(changeOf((await account.plan('B: x')).plan, 'A@production').grade).toBe('irreversible');
  });

  it('is only what it must be: `$ignore` leaves a value alone, in a new row too', async () => {
    await start({ env: [{ key: 'A', value: 'theirs', target: ['production', 'preview'] }] });
    await account.converge(
      'A: [{ value: two, target: [production] }, { value: mine, target: [preview], $ignore: [value] }]',
    );
    expect(account.rows()).toEqual(['A=theirs encrypted preview', 'A=two encrypted production']);
  });
});

describe('a request that fails', () => {
  story('of a batch is reported, and the others are done; the next run goes on', async () => {
    await start();
    const yaml =
      'A: one\nB: one\nC: [{ value: one, target: [production] }, { value: two, target: [preview] }]';
    const planned = await account.plan(yaml);
    const theirs = ['B', 'C'].map((key, i) => ({
      ...{ id: `x${i}`, key, value: 'theirs', type: 'encrypted' as const, target: ['preview'] },
      ...{ customEnvironmentIds: [], createdAt: i, updatedAt: i, createdBy: null, updatedBy: null },
    }));
    const { outcome, events } = await account.world.apply(
      planned,
      atTheLastMoment(account.world, () => void account.project.env.push(...theirs)),
    );
    const failed = ['B@development', 'B@preview', 'B@production', 'C@preview'];
    expect(messages(outcome).sort()).toEqual(
      failed.map((name) => [name, expect.stringMatching(`^ENV_CONFLICT: .*\`${name[0]}\``)]),
    );
    expect(outcome.done).toEqual(
      expect.arrayContaining(['projects/web/env/A@production', 'projects/web/env/C@production']),
    );
    expect(events.map(({ type }) => type)).toContain('failed');
    const known = Object.keys(account.world.ledger.entries).filter((address) => address.includes('/env/'));
    const names = known.map((address) => address.split('/').at(-1));
    expect(names.sort()).toEqual(['A@development', 'A@preview', 'A@production', 'C@production']);
    account.sent();
    await account.converge(yaml);
    expect(account.sent().sort()).toEqual(['PATCH target value', 'PATCH value'].sort());
    expect(account.rows()).toContain('C=two encrypted preview');
  });

  it('of a batch says why, also where the answer does not name the variable', async () => {
    await start({ switches: { envConflictStatus: 409 } });
    const planned = await account.plan('A: one\nB: one');
    const { outcome } = await account.world.apply(
      planned,
      atTheLastMoment(account.world, () => void account.project.env.push({ ...rowOf('B'), id: 'x' })),
    );
    expect(new Set(messages(outcome).map(([, message]) => message))).toEqual(
      new Set([expect.stringMatching(/^env_already_exists: .*`B`/)]),
    );
  });

  story('after a place was freed leaves it to be created, which is no deletion outside', async () => {
    await start();
    await account.converge('A: { value: one, target: [production, preview] }');
    const yaml = 'A: [{ value: two, target: [production] }, { value: one, target: [preview] }]\nB: x';
    const planned = await account.plan(yaml);
    const { connection } = account.world;
    const { send } = connection;
    connection.send = (request) => {
      if (JSON.stringify(request.body ?? {}).includes('"key":"A"')) throw new Error('cut');
      return send(request);
    };
    const { outcome } = await account.world.apply(planned);
    connection.send = send;
    expect(messages(outcome)).toEqual([['A@preview', 'cut']]);
    expect(outcome.done).toEqual(
      expect.arrayContaining(['projects/web/env/A@production', 'projects/web/env/B@preview']),
    );
    const { plan } = await account.plan(yaml);
    expect(changeOf(plan, 'A@preview')).toMatchObject({ action: 'create' });
    expect(changeOf(plan, 'A@preview').reason).toBeUndefined();
    account.sent();
    await account.converge(yaml);
    expect(account.sent()).toEqual(['POST 1']);
  });

  story('holds up nothing that does not need it: an environment that cannot be made', async () => {
    await start();
    const yaml = account.yaml('A: one\nB: { value: one, customEnvironmentIds: [staging] }');
    account.project.customEnvironments.splice(0);
    const planned = await account.world.plan(yaml);
    const { connection } = account.world;
    const { send } = connection;
    connection.send = (request) => {
      if (request.endpoint.startsWith('POST') && request.endpoint.includes('custom'))
        throw new Error('plan limit');
      return send(request);
    };
    const { outcome } = await account.world.apply(planned);
    connection.send = send;
    expect(account.rows()).toEqual(['A=one encrypted production preview development']);
    expect(outcome.skipped.map(({ address }) => address)).toEqual(['projects/web/env/B@custom:staging']);
    await account.world.converge(yaml);
    expect(account.rows()).toContain('B=one encrypted custom:staging');
  });
});

const rowOf = (key: string) => ({
  ...{
    id: key,
    key,
    value: 'theirs',
    type: 'encrypted' as const,
    target: ['preview'],
    customEnvironmentIds: [],
  },
  ...{ createdAt: 1, updatedAt: 1, createdBy: null, updatedBy: null },
});

describe('custom environments', () => {
  story('come before their variables and go after them', async () => {
    await start();
    account.project.customEnvironments.splice(0);
    const body = (environments: string, env: string) =>
      `projects: { web: { customEnvironments: ${environments}, env: ${env} } }`;
    await account.world.converge(body('{ next: {} }', '{ A: { value: one, customEnvironmentIds: [next] } }'));
    expect(account.rows()).toEqual(['A=one encrypted custom:next']);
    await account.world.converge(
      body('{ other: {} }', '{ A: { value: one, customEnvironmentIds: [other] } }'),
    );
    expect(account.rows()).toEqual(['A=one encrypted custom:other']);
    await account.world.converge(body('{}', '{}'));
    expect(account.rows()).toEqual([]);
  });

  it('that cannot be listed freeze the variables: they are not taken for deleted', async () => {
    await start();
    const yaml = 'A: { value: one, customEnvironmentIds: [staging] }';
    await account.converge(yaml);
    const { connection } = account.world;
    const { send } = connection;
    connection.send = (request) => {
      if (request.endpoint.includes('custom-environments')) throw new Error('trouble');
      return send(request);
    };
    const { plan } = await account.plan(yaml);
    connection.send = send;
    expect(plan.complete).toBe(false);
    expect(plan.changes.filter(({ action }) => action !== 'noop')).toEqual([]);
  });

  story('that the platform does not list any more stay in the rows that name them', async () => {
    await start({ env: [{ key: 'A', value: 'one', target: ['production', 'preview'] }] });
    account.row('A').customEnvironmentIds = ['env_gone'];
    account.project.customEnvironments.push({
      ...account.project.customEnvironments[0]!,
      id: 'env_gone',
      slug: 'gone',
    });
    const listed = account.project.customEnvironments.pop()!;
    await account.converge('A: { value: one, target: [production, preview] }');
    account.project.customEnvironments.push(listed);
    await account.converge('A: { value: one, target: [production] }');
    expect(account.rows()).toEqual(['A=one encrypted production custom:gone']);
  });
});
