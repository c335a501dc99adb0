import { afterEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { atTheLastMoment, atTheLastMoment, atTheLastMoment, atTheLastMoment, atTheLastMoment } from '../support/scene.ts';
import { Account } from './account.ts';

let account: Account;

import { atTheLastMoment } from '../support/scene.ts';

const start = async (options?: Parameters<typeof Account.start>[0]) => {
import { atTheLastMoment } from '../support/scene.ts';
  account = await Account.start(options);
import { atTheLastMoment } from '../support/scene.ts';
};

import { atTheLastMoment } from '../support/scene.ts';

afterEach(() => account.world.stop());

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

const changeOf = (plan: Plan, name: string) =>


  plan.changes.find(({ address }) => address === `projects/web/env/${name}`)!;

import { atTheLastMoment } from '../support/scene.ts';

const messages = (outcome: { failed: { address: string; error: unknown }[] }) =>

import { atTheLastMoment } from '../support/scene.ts';

  outcome.failed.map(({ address, error }) => [address.split('/').at(-1), (error as Error).message]);

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

describe('what is found', () => {
import { atTheLastMoment } from '../support/scene.ts';
  it('is adopted as it is, and nothing is sent', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({
import { atTheLastMoment } from '../support/scene.ts';
      env: [
import { atTheLastMoment } from '../support/scene.ts';
        { key: 'A', value: 'one' },
import { atTheLastMoment } from '../support/scene.ts';
        { key: 'S', value: 'two', type: 'sensitive' },
import { atTheLastMoment } from '../support/scene.ts';
      ],
import { atTheLastMoment } from '../support/scene.ts';
    });
import { atTheLastMoment } from '../support/scene.ts';
    const plan = await account.converge('A: one\nS: { value: two, target: [production, preview] }');
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.sent()).toEqual([]);
import { atTheLastMoment } from '../support/scene.ts';
    expect(
import { atTheLastMoment } from '../support/scene.ts';
      new Set(plan.changes.filter(({ kind }) => kind === 'projectEnvVar').map(({ action }) => action)),
import { atTheLastMoment } from '../support/scene.ts';
    ).toEqual(new Set(['adopt']));
import { atTheLastMoment } from '../support/scene.ts';
    expect(
import { atTheLastMoment } from '../support/scene.ts';
      Object.keys(account.world.ledger.entries).filter((address) => address.includes('/env/')),
import { atTheLastMoment } from '../support/scene.ts';
    ).toHaveLength(5);
import { atTheLastMoment } from '../support/scene.ts';
  });

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

  it('keeps its type and comment where none is declared', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({
import { atTheLastMoment } from '../support/scene.ts';
      env: [{ key: 'A', value: 'one', type: 'plain', comment: 'theirs', target: ['production'] }],
import { atTheLastMoment } from '../support/scene.ts';
    });

import { atTheLastMoment } from '../support/scene.ts';

    await account.converge('A: { value: two, target: [production, preview] }');

import { atTheLastMoment } from '../support/scene.ts';

    expect(account.rows()).toEqual(['A=two encrypted preview', 'A=two plain production # theirs']);

import { atTheLastMoment } from '../support/scene.ts';

  });

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

  it('of the platform or of an integration is not there at all, even where everything undeclared goes', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    const theirs = [
import { atTheLastMoment } from '../support/scene.ts';
      { key: 'A', value: '1', type: 'system', system: true, target: ['production'] },
import { atTheLastMoment } from '../support/scene.ts';
      { key: 'B', value: '1', configurationId: 'icfg_1', target: ['production'] },
import { atTheLastMoment } from '../support/scene.ts';
    ] as const;
import { atTheLastMoment } from '../support/scene.ts';
    await start({
import { atTheLastMoment } from '../support/scene.ts';
      env: [...theirs.map((one) => ({ ...one, target: [...one.target] })), { key: 'C', value: '1' }],
import { atTheLastMoment } from '../support/scene.ts';
    });

import { atTheLastMoment } from '../support/scene.ts';

    const { world } = account;

import { atTheLastMoment } from '../support/scene.ts';

    await world.converge(account.yaml('D: x', '$exclusive: [env]'), { maxDeletions: 10 });

import { atTheLastMoment } from '../support/scene.ts';

    expect(account.rows()).toEqual([
import { atTheLastMoment } from '../support/scene.ts';
      'A=1 system production',
import { atTheLastMoment } from '../support/scene.ts';
      'B=1 encrypted production',
import { atTheLastMoment } from '../support/scene.ts';
      'D=x encrypted production preview development',
import { atTheLastMoment } from '../support/scene.ts';
    ]);

import { atTheLastMoment } from '../support/scene.ts';

    expect((await world.plan(account.yaml('D: x'))).plan.unmanaged).toEqual([]);

import { atTheLastMoment } from '../support/scene.ts';

  });

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

  it('under a list that repeats a row is found once', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ env: [{ key: 'A', value: 'one' }], switches: { envListDuplicates: true } });
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: two');
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.sent()).toEqual(['PATCH value']);
import { atTheLastMoment } from '../support/scene.ts';
  });

import { atTheLastMoment } from '../support/scene.ts';

});

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

describe('a row that also has places which are not declared', () => {
import { atTheLastMoment } from '../support/scene.ts';
  const env = [{ key: 'A', value: 'one', target: ['production', 'preview'] as ('production' | 'preview')[] }];
import { atTheLastMoment } from '../support/scene.ts';

import { atTheLastMoment } from '../support/scene.ts';
  it('is adopted, and the rest counts as unmanaged', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ env });
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: { value: one, target: [production] }');
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.sent()).toEqual([]);
import { atTheLastMoment } from '../support/scene.ts';
    const { plan } = await account.plan('A: { value: one, target: [production] }');
import { atTheLastMoment } from '../support/scene.ts';
    expect(plan.unmanaged.map(({ address }) => address)).toEqual(['projects/web/env/A@preview']);
import { atTheLastMoment } from '../support/scene.ts';
  });
import { atTheLastMoment } from '../support/scene.ts';

import { atTheLastMoment } from '../support/scene.ts';
  it.each([
import { atTheLastMoment } from '../support/scene.ts';
    ['value', 'A: { value: two, target: [production] }'],
import { atTheLastMoment } from '../support/scene.ts';
    ['comment', 'A: { value: one, comment: why, target: [production] }'],
import { atTheLastMoment } from '../support/scene.ts';
    ['type', 'A: { value: one, type: plain, target: [production] }'],
import { atTheLastMoment } from '../support/scene.ts';
    [
import { atTheLastMoment } from '../support/scene.ts';
      'value, beside one that is only forgotten',
import { atTheLastMoment } from '../support/scene.ts';
      'A: [{ value: two, target: [production] }, { value: one, target: [preview], $forget: true }]',
import { atTheLastMoment } from '../support/scene.ts';
    ],
import { atTheLastMoment } from '../support/scene.ts';
  ])('is not changed: %s', async (_, yaml) => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ env });
import { atTheLastMoment } from '../support/scene.ts';
    const { plan } = await account.plan(yaml);
import { atTheLastMoment } from '../support/scene.ts';
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(['env/undeclared-targets']);
import { atTheLastMoment } from '../support/scene.ts';
    expect(plan.operations).toEqual([]);
import { atTheLastMoment } from '../support/scene.ts';
    expect(plan.diagnostics[0]).toMatchObject({
import { atTheLastMoment } from '../support/scene.ts';
      address: 'projects/web/env/A@production',
import { atTheLastMoment } from '../support/scene.ts';line: expect.any(Number) ,
import { atTheLastMoment } from '../support/scene.ts';
    });
import { atTheLastMoment } from '../support/scene.ts';
  });

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

  it('stops only its own changes', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ env: [...env, { key: 'B', value: 'one' }] });
import { atTheLastMoment } from '../support/scene.ts';
    const { plan } = await account.plan('A: { value: two, target: [production] }\nB: two');
import { atTheLastMoment } from '../support/scene.ts';
    expect(plan.operations.map(({ changes }) => changes.length)).toEqual([3]);
import { atTheLastMoment } from '../support/scene.ts';
  });

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

  it('can be narrower', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ env });
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: { value: one, target: [production] }\nB: x');
import { atTheLastMoment } from '../support/scene.ts';
    account.sent();
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('B: x');
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.sent()).toEqual(['PATCH target']);
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toEqual([
import { atTheLastMoment } from '../support/scene.ts';
      'A=one encrypted preview',
import { atTheLastMoment } from '../support/scene.ts';
      'B=x encrypted production preview development',
import { atTheLastMoment } from '../support/scene.ts';
    ]);
import { atTheLastMoment } from '../support/scene.ts';
  });

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

  it('takes in no more places: what is declared gets a row of its own', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ env });
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: { value: one, target: [production, development] }');
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toEqual(['A=one encrypted development', 'A=one encrypted production preview']);
import { atTheLastMoment } from '../support/scene.ts';
  });

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

  it('can be declared in full', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ env });
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: { value: two, target: [production, preview] }');
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.sent()).toEqual(['PATCH value']);
import { atTheLastMoment } from '../support/scene.ts';
  });

import { atTheLastMoment } from '../support/scene.ts';

});

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

describe("the team's policy on sensitive variables", () => {
import { atTheLastMoment } from '../support/scene.ts';
  it('decides the type that is not declared, with development in a row of its own', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ strict: true });
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: one\nB: { value: one, customEnvironmentIds: [staging] }');
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toEqual([
import { atTheLastMoment } from '../support/scene.ts';
      'A=one encrypted development',
import { atTheLastMoment } from '../support/scene.ts';
      'A=one sensitive production preview',
import { atTheLastMoment } from '../support/scene.ts';
      'B=one sensitive custom:staging',
import { atTheLastMoment } from '../support/scene.ts';
    ]);
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: two\nB: { value: two, customEnvironmentIds: [staging] }');
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toContain('A=two sensitive production preview');
import { atTheLastMoment } from '../support/scene.ts';
  });
import { atTheLastMoment } from '../support/scene.ts';

import { atTheLastMoment } from '../support/scene.ts';
  it('refuses a type that contradicts it, but for development', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ strict: true });
import { atTheLastMoment } from '../support/scene.ts';
    const codes = (yaml: string) => account.codes(yaml);
import { atTheLastMoment } from '../support/scene.ts';
    expect(await codes('A: { value: one, type: encrypted, target: [production] }')).toEqual(['env/policy']);
import { atTheLastMoment } from '../support/scene.ts';
    expect(await codes('A: { value: one, type: plain, gitBranch: x }')).toEqual(['env/policy']);
import { atTheLastMoment } from '../support/scene.ts';
    expect(await codes('A: { value: one, type: plain, target: [development] }')).toEqual([]);
import { atTheLastMoment } from '../support/scene.ts';
    expect(await codes('A: { value: one, type: sensitive, target: [preview] }')).toEqual([]);
import { atTheLastMoment } from '../support/scene.ts';
  });
import { atTheLastMoment } from '../support/scene.ts';

import { atTheLastMoment } from '../support/scene.ts';
  it('lets older variables be, until they are written to', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ strict: true, env: [{ key: 'A', value: 'one', target: ['production'] }] });
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: { value: one, target: [production] }');
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.sent()).toEqual([]);
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: { value: two, target: [production] }');
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.sent()).toEqual(['PATCH type value']);
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toEqual(['A=two sensitive production']);
import { atTheLastMoment } from '../support/scene.ts';
  });
import { atTheLastMoment } from '../support/scene.ts';

import { atTheLastMoment } from '../support/scene.ts';
  it('makes what leaves an older row sensitive', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ strict: true, env: [{ key: 'A', value: 'one', target: ['production', 'preview'] }] });
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: [{ value: two, target: [production] }, { value: one, target: [preview] }]');
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toEqual(['A=one sensitive preview', 'A=two sensitive production']);
import { atTheLastMoment } from '../support/scene.ts';
  });
import { atTheLastMoment } from '../support/scene.ts';
});

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

describe('what hurts', () => {
import { atTheLastMoment } from '../support/scene.ts';
  it('is refused without `$replace: allow`: leaving sensitive', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start();
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: { value: one, type: sensitive, target: [production] }');
import { atTheLastMoment } from '../support/scene.ts';
    expect(await account.codes('A: { value: one, type: plain, target: [production] }')).toEqual([
import { atTheLastMoment } from '../support/scene.ts';
      'replace/refused',
import { atTheLastMoment } from '../support/scene.ts';
    ]);
import { atTheLastMoment } from '../support/scene.ts';
    const { plan } = await account.plan(
import { atTheLastMoment } from '../support/scene.ts';
      'A: { value: one, type: plain, target: [production], $replace: allow }',
import { atTheLastMoment } from '../support/scene.ts';
    );
import { atTheLastMoment } from '../support/scene.ts';
    expect(changeOf(plan, 'A@production')).toMatchObject({ action: 'replace', grade: 'disruptive' });
import { atTheLastMoment } from '../support/scene.ts';
  });
import { atTheLastMoment } from '../support/scene.ts';

import { atTheLastMoment } from '../support/scene.ts';
  it('is graded: a split is disruptive, also for the part that only moves', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start();
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: { value: one, target: [production, preview] }');
import { atTheLastMoment } from '../support/scene.ts';
    const { plan } = await account.plan(
import { atTheLastMoment } from '../support/scene.ts';
      'A: [{ value: two, target: [production] }, { value: one, target: [preview] }]',
import { atTheLastMoment } from '../support/scene.ts';
    );
import { atTheLastMoment } from '../support/scene.ts';
    expect(changeOf(plan, 'A@preview')).toMatchObject({ action: 'noop', grade: 'disruptive' });
import { atTheLastMoment } from '../support/scene.ts';
    const exact = await account.plan('A: { value: two, target: [production, preview] }');
import { atTheLastMoment } from '../support/scene.ts';
    expect(changeOf(exact.plan, 'A@production').grade).toBe('safe');
import { atTheLastMoment } from '../support/scene.ts';
    expect(changeOf((await account.plan('B: x')).plan, 'A@production').grade).toBe('irreversible');
import { atTheLastMoment } from '../support/scene.ts';
  });
import { atTheLastMoment } from '../support/scene.ts';

import { atTheLastMoment } from '../support/scene.ts';
  it('is only what it must be: `$ignore` leaves a value alone, in a new row too', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ env: [{ key: 'A', value: 'theirs', target: ['production', 'preview'] }] });
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge(
import { atTheLastMoment } from '../support/scene.ts';
      'A: [{ value: two, target: [production] }, { value: mine, target: [preview], $ignore: [value] }]',
import { atTheLastMoment } from '../support/scene.ts';
    );
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toEqual(['A=theirs encrypted preview', 'A=two encrypted production']);
import { atTheLastMoment } from '../support/scene.ts';
  });
import { atTheLastMoment } from '../support/scene.ts';
});

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

describe('a request that fails', () => {
import { atTheLastMoment } from '../support/scene.ts';
  it('of a batch is reported, and the others are done; the next run goes on', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start();
import { atTheLastMoment } from '../support/scene.ts';
    const yaml =
import { atTheLastMoment } from '../support/scene.ts';
      'A: one\nB: one\nC: [{ value: one, target: [production] }, { value: two, target: [preview] }]';
import { atTheLastMoment } from '../support/scene.ts';
    const planned = await account.plan(yaml);
import { atTheLastMoment } from '../support/scene.ts';
    const theirs = ['B', 'C'].map((key, i) => ({
import { atTheLastMoment } from '../support/scene.ts';
      ...id: `x$i`, key, value: 'theirs', type: 'encrypted' as const, target: ['preview'] ,
import { atTheLastMoment } from '../support/scene.ts';
      ...customEnvironmentIds: [], createdAt: i, updatedAt: i, createdBy: null, updatedBy: null ,
import { atTheLastMoment } from '../support/scene.ts';
    }));
import { atTheLastMoment } from '../support/scene.ts';
    const { outcome, events } = await account.world.apply(
import { atTheLastMoment } from '../support/scene.ts';
      planned,
import { atTheLastMoment } from '../support/scene.ts';
      atTheLastMoment(account.world, () => void account.project.env.push(...theirs)),
import { atTheLastMoment } from '../support/scene.ts';
    );
import { atTheLastMoment } from '../support/scene.ts';
    const failed = ['B@development', 'B@preview', 'B@production', 'C@preview'];
import { atTheLastMoment } from '../support/scene.ts';
    expect(messages(outcome).sort()).toEqual(
import { atTheLastMoment } from '../support/scene.ts';
      failed.map((name) => [name, expect.stringMatching(`^ENV_CONFLICT: .*\`$name[0]\``)]),
import { atTheLastMoment } from '../support/scene.ts';
    );
import { atTheLastMoment } from '../support/scene.ts';
    expect(outcome.done).toEqual(
import { atTheLastMoment } from '../support/scene.ts';
      expect.arrayContaining(['projects/web/env/A@production', 'projects/web/env/C@production']),
import { atTheLastMoment } from '../support/scene.ts';
    );
import { atTheLastMoment } from '../support/scene.ts';
    expect(events.map(({ type }) => type)).toContain('failed');
import { atTheLastMoment } from '../support/scene.ts';
    const known = Object.keys(account.world.ledger.entries).filter((address) => address.includes('/env/'));
import { atTheLastMoment } from '../support/scene.ts';
    const names = known.map((address) => address.split('/').at(-1));
import { atTheLastMoment } from '../support/scene.ts';
    expect(names.sort()).toEqual(['A@development', 'A@preview', 'A@production', 'C@production']);
import { atTheLastMoment } from '../support/scene.ts';
    account.sent();
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge(yaml);
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.sent().sort()).toEqual(['PATCH target value', 'PATCH value'].sort());
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toContain('C=two encrypted preview');
import { atTheLastMoment } from '../support/scene.ts';
  });

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

  it('of a batch says why, also where the answer does not name the variable', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ switches: { envConflictStatus: 409 } });
import { atTheLastMoment } from '../support/scene.ts';
    const planned = await account.plan('A: one\nB: one');
import { atTheLastMoment } from '../support/scene.ts';
    const { outcome } = await account.world.apply(
import { atTheLastMoment } from '../support/scene.ts';
      planned,
import { atTheLastMoment } from '../support/scene.ts';
      atTheLastMoment(account.world, () => void account.project.env.push({ ...rowOf('B'), id: 'x' })),
import { atTheLastMoment } from '../support/scene.ts';
    );
import { atTheLastMoment } from '../support/scene.ts';
    expect(new Set(messages(outcome).map(([, message]) => message))).toEqual(
import { atTheLastMoment } from '../support/scene.ts';
      new Set([expect.stringMatching(/^env_already_exists: .*`B`/)]),
import { atTheLastMoment } from '../support/scene.ts';
    );
import { atTheLastMoment } from '../support/scene.ts';
  });

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

  it('after a place was freed leaves it to be created, which is no deletion outside', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start();
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: { value: one, target: [production, preview] }');
import { atTheLastMoment } from '../support/scene.ts';
    const yaml = 'A: [{ value: two, target: [production] }, { value: one, target: [preview] }]\nB: x';
import { atTheLastMoment } from '../support/scene.ts';
    const planned = await account.plan(yaml);
import { atTheLastMoment } from '../support/scene.ts';
    const { connection } = account.world;
import { atTheLastMoment } from '../support/scene.ts';
    const { send } = connection;
import { atTheLastMoment } from '../support/scene.ts';
    connection.send = (request) => {
import { atTheLastMoment } from '../support/scene.ts';
      if (JSON.stringify(request.body ?? {}).includes('"key":"A"')) throw new Error('cut');
import { atTheLastMoment } from '../support/scene.ts';
      return send(request);
import { atTheLastMoment } from '../support/scene.ts';
    };
import { atTheLastMoment } from '../support/scene.ts';
    const { outcome } = await account.world.apply(planned);
import { atTheLastMoment } from '../support/scene.ts';
    connection.send = send;
import { atTheLastMoment } from '../support/scene.ts';
    expect(messages(outcome)).toEqual([['A@preview', 'cut']]);
import { atTheLastMoment } from '../support/scene.ts';
    expect(outcome.done).toEqual(
import { atTheLastMoment } from '../support/scene.ts';
      expect.arrayContaining(['projects/web/env/A@production', 'projects/web/env/B@preview']),
import { atTheLastMoment } from '../support/scene.ts';
    );
import { atTheLastMoment } from '../support/scene.ts';
    const { plan } = await account.plan(yaml);
import { atTheLastMoment } from '../support/scene.ts';
    expect(changeOf(plan, 'A@preview')).toMatchObject({ action: 'create' });
import { atTheLastMoment } from '../support/scene.ts';
    expect(changeOf(plan, 'A@preview').reason).toBeUndefined();
import { atTheLastMoment } from '../support/scene.ts';
    account.sent();
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge(yaml);
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.sent()).toEqual(['POST 1']);
import { atTheLastMoment } from '../support/scene.ts';
  });

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

  it('holds up nothing that does not need it: an environment that cannot be made', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start();
import { atTheLastMoment } from '../support/scene.ts';
    const yaml = account.yaml('A: one\nB: { value: one, customEnvironmentIds: [staging] }');
import { atTheLastMoment } from '../support/scene.ts';
    account.project.customEnvironments.splice(0);
import { atTheLastMoment } from '../support/scene.ts';
    const planned = await account.world.plan(yaml);
import { atTheLastMoment } from '../support/scene.ts';
    const { connection } = account.world;
import { atTheLastMoment } from '../support/scene.ts';
    const { send } = connection;
import { atTheLastMoment } from '../support/scene.ts';
    connection.send = (request) => {
import { atTheLastMoment } from '../support/scene.ts';
      if (request.endpoint.startsWith('POST') && request.endpoint.includes('custom'))
import { atTheLastMoment } from '../support/scene.ts';
        throw new Error('plan limit');
import { atTheLastMoment } from '../support/scene.ts';
      return send(request);
import { atTheLastMoment } from '../support/scene.ts';
    };
import { atTheLastMoment } from '../support/scene.ts';
    const { outcome } = await account.world.apply(planned);
import { atTheLastMoment } from '../support/scene.ts';
    connection.send = send;
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toEqual(['A=one encrypted production preview development']);
import { atTheLastMoment } from '../support/scene.ts';
    expect(outcome.skipped.map(({ address }) => address)).toEqual(['projects/web/env/B@custom:staging']);
import { atTheLastMoment } from '../support/scene.ts';
    await account.world.converge(yaml);
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toContain('B=one encrypted custom:staging');
import { atTheLastMoment } from '../support/scene.ts';
  });

import { atTheLastMoment } from '../support/scene.ts';

});

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

const rowOf = (key: string) => ({
import { atTheLastMoment } from '../support/scene.ts';
  ...{
import { atTheLastMoment } from '../support/scene.ts';
    id: key,
import { atTheLastMoment } from '../support/scene.ts';
    key,
import { atTheLastMoment } from '../support/scene.ts';
    value: 'theirs',
import { atTheLastMoment } from '../support/scene.ts';
    type: 'encrypted' as const,
import { atTheLastMoment } from '../support/scene.ts';
    target: ['preview'],
import { atTheLastMoment } from '../support/scene.ts';
    customEnvironmentIds: [],
import { atTheLastMoment } from '../support/scene.ts';
  },

import { atTheLastMoment } from '../support/scene.ts';

  ...{ createdAt: 1, updatedAt: 1, createdBy: null, updatedBy: null },

import { atTheLastMoment } from '../support/scene.ts';

});

import { atTheLastMoment, atTheLastMoment } from '../support/scene.ts';

describe('custom environments', () => {
import { atTheLastMoment } from '../support/scene.ts';
  it('come before their variables and go after them', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start();
import { atTheLastMoment } from '../support/scene.ts';
    account.project.customEnvironments.splice(0);
import { atTheLastMoment } from '../support/scene.ts';
    const body = (environments: string, env: string) =>
import { atTheLastMoment } from '../support/scene.ts';
      `projects: { web: { customEnvironments: ${environments}, env: ${env} } }`;
import { atTheLastMoment } from '../support/scene.ts';
    await account.world.converge(body('{ next: {} }', '{ A: { value: one, customEnvironmentIds: [next] } }'));
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toEqual(['A=one encrypted custom:next']);
import { atTheLastMoment } from '../support/scene.ts';
    await account.world.converge(
import { atTheLastMoment } from '../support/scene.ts';
      body('{ other: {} }', '{ A: { value: one, customEnvironmentIds: [other] } }'),
import { atTheLastMoment } from '../support/scene.ts';
    );
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toEqual(['A=one encrypted custom:other']);
import { atTheLastMoment } from '../support/scene.ts';
    await account.world.converge(body('{}', '{}'));
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toEqual([]);
import { atTheLastMoment } from '../support/scene.ts';
  });
import { atTheLastMoment } from '../support/scene.ts';

import { atTheLastMoment } from '../support/scene.ts';
  it('that cannot be listed freeze the variables: they are not taken for deleted', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start();
import { atTheLastMoment } from '../support/scene.ts';
    const yaml = 'A: { value: one, customEnvironmentIds: [staging] }';
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge(yaml);
import { atTheLastMoment } from '../support/scene.ts';
    const { connection } = account.world;
import { atTheLastMoment } from '../support/scene.ts';
    const { send } = connection;
import { atTheLastMoment } from '../support/scene.ts';
    connection.send = (request) => {
import { atTheLastMoment } from '../support/scene.ts';
      if (request.endpoint.includes('custom-environments')) throw new Error('trouble');
import { atTheLastMoment } from '../support/scene.ts';
      return send(request);
import { atTheLastMoment } from '../support/scene.ts';
    };
import { atTheLastMoment } from '../support/scene.ts';
    const { plan } = await account.plan(yaml);
import { atTheLastMoment } from '../support/scene.ts';
    connection.send = send;
import { atTheLastMoment } from '../support/scene.ts';
    expect(plan.complete).toBe(false);
import { atTheLastMoment } from '../support/scene.ts';
    expect(plan.changes.filter(({ action }) => action !== 'noop')).toEqual([]);
import { atTheLastMoment } from '../support/scene.ts';
  });
import { atTheLastMoment } from '../support/scene.ts';

import { atTheLastMoment } from '../support/scene.ts';
  it('that the platform does not list any more stay in the rows that name them', async () => {
import { atTheLastMoment } from '../support/scene.ts';
    await start({ env: [{ key: 'A', value: 'one', target: ['production', 'preview'] }] });
import { atTheLastMoment } from '../support/scene.ts';
    account.row('A').customEnvironmentIds = ['env_gone'];
import { atTheLastMoment } from '../support/scene.ts';
    account.project.customEnvironments.push({
import { atTheLastMoment } from '../support/scene.ts';
      ...account.project.customEnvironments[0]!,
import { atTheLastMoment } from '../support/scene.ts';
      id: 'env_gone',
import { atTheLastMoment } from '../support/scene.ts';
      slug: 'gone',
import { atTheLastMoment } from '../support/scene.ts';
    });
import { atTheLastMoment } from '../support/scene.ts';
    const listed = account.project.customEnvironments.pop()!;
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: { value: one, target: [production, preview] }');
import { atTheLastMoment } from '../support/scene.ts';
    account.project.customEnvironments.push(listed);
import { atTheLastMoment } from '../support/scene.ts';
    await account.converge('A: { value: one, target: [production] }');
import { atTheLastMoment } from '../support/scene.ts';
    expect(account.rows()).toEqual(['A=one encrypted production custom:gone']);
import { atTheLastMoment } from '../support/scene.ts';
  });

import { atTheLastMoment } from '../support/scene.ts';

});

import { atTheLastMoment } from '../support/scene.ts';
