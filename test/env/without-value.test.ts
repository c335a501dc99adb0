import { afterEach, describe, expect, it } from 'vitest';
import { Account } from './account.ts';

let account: Account;
const start = async (options?: Parameters<typeof Account.start>[0]) => {
  account = await Account.start(options);
};
afterEach(() => account.world.stop());

const errors = async (env: string, options?: Parameters<Account['plan']>[1]) =>
  (await account.plan(env, options)).plan.diagnostics.filter(({ severity }) => severity === 'error');

describe('a variable without a value', () => {
  it('is ours but for its value: adopted, changed, and released by nobody', async () => {
    await start({
      env: [
        { key: 'A', value: 'canary-one', target: ['production', 'preview'] },
        { key: 'S', value: 'two', type: 'sensitive', target: ['production'] },
      ],
    });
    const yaml = 'A: { target: [production, preview] }\nS: { target: [production], type: sensitive }';
    const adopted = await account.converge(yaml);
    expect(account.sent()).toEqual([]);
    const actions = adopted.changes
      .filter(({ kind }) => kind === 'projectEnvVar')
      .map(({ action }) => action);
    expect(new Set(actions)).toEqual(new Set(['adopt']));
    const entries = Object.entries(account.world.ledger.entries).filter(([address]) =>
      address.includes('/env/'),
    );
    expect(entries).toHaveLength(3);
    for (const [, { secrets, fields }] of entries)
      expect({ ...secrets, ...fields }).not.toHaveProperty('value');

    const changed = await account.converge(
      'A: { target: [production, preview], comment: ours }\nS: { target: [production], comment: ours }',
    );
    expect(account.sent()).toEqual(['PATCH comment', 'PATCH comment']);
    expect(JSON.stringify(changed)).not.toContain('canary');
    expect(account.rows()).toEqual([
      'A=canary-one encrypted production preview # ours',
      'S=two sensitive production # ours',
    ]);
    await account.converge('A: { target: [production, preview], type: plain }');
    expect(account.rows()).toEqual(['A=canary-one plain production preview # ours']);
  });

  it('is not drift when its value changes outside, and its comment is', async () => {
    await start({ env: [{ key: 'A', value: 'one', target: ['production'], comment: 'ours' }] });
    const yaml = 'A: { target: [production], comment: ours }';
    await account.converge(yaml);
    account.row('A').value = 'theirs';
    account.row('A').updatedAt += 60_000;
    const quiet = (await account.plan(yaml)).plan;
    expect(quiet.operations).toEqual([]);
    expect(quiet.changes.filter(({ action }) => action !== 'noop')).toEqual([]);
    expect(quiet.diagnostics).toEqual([]);
    account.row('A').comment = 'theirs';
    await account.converge(yaml);
    expect(account.rows()).toEqual(['A=theirs encrypted production # ours']);
  });

  it('cannot be created: the plan says how to give it a value', async () => {
    await start();
    const [error, ...more] = await errors('A: {}\nB: one');
    expect(more).toEqual([]);
    expect(error).toMatchObject({ code: 'env/no-value' });
    expect(error!.message).toContain('A@development');
    expect(error!.hint).toContain('secret.NAME');
    await account.converge('A: one\nB: one');
    await account.converge('A: {}\nB: one');
    account.project.env = account.project.env.filter(({ key }) => key !== 'A');
    expect((await errors('A: {}\nB: one')).map(({ code }) => code)).toContain('env/no-value');
  });

  it('that had one before is released of it, and deleted when it leaves the configuration', async () => {
    await start();
    await account.converge('A: { value: one, target: [production] }');
    const { plan } = await account.plan('A: { target: [production] }');
    const change = plan.changes.find(({ address }) => address.endsWith('A@production'))!;
    expect(change).toMatchObject({ action: 'release', fields: [{ path: 'value', cause: 'released' }] });
    expect(JSON.stringify(change.fields)).not.toContain('one');
    await account.converge('A: { target: [production] }');
    expect(account.rows()).toEqual(['A=one encrypted production']);
    await account.converge('B: one', { maxDeletions: 5 });
    expect(account.rows()).toEqual(['B=one encrypted production preview development']);
  });

  it('`value: null` and an entry without anything are mistakes', async () => {
    await start();
    expect(await errors('A: { value: null }')).toMatchObject([{ code: 'config/null' }]);
    expect(await errors('A:')).toMatchObject([{ code: 'config/null-entry' }]);
  });
});

describe('rows of variables without a value', () => {
  it('gain and lose targets', async () => {
    await start({ env: [{ key: 'A', value: 'one', type: 'sensitive', target: ['production'] }] });
    await account.converge('A: { target: [production, preview] }');
    expect(account.sent()).toEqual(['PATCH target']);
    expect(account.rows()).toEqual(['A=one sensitive production preview']);
    await account.converge('A: { target: [preview] }');
    expect(account.rows()).toEqual(['A=one sensitive preview']);
  });

  it('are split with their value where it can be read, and refused where not', async () => {
    await start({
      env: [
        { key: 'A', value: 'canary-one', target: ['production', 'preview'] },
        { key: 'S', value: 'two', type: 'sensitive', target: ['production', 'preview'] },
      ],
    });
    const split = (key: string) => `${key}: [{ target: [production], comment: ours }, { target: [preview] }]`;
    expect((await errors(split('S'))).map(({ code, hint }) => [code, hint])).toEqual([
      ['env/unknown-value', 'say its `value`, or declare the same for all its places'],
    ]);
    const plan = await account.converge(split('A'));
    expect(JSON.stringify(plan)).not.toContain('canary');
    expect(account.rows()).toEqual([
      'A=canary-one encrypted preview',
      'A=canary-one encrypted production # ours',
      'S=two sensitive production preview',
    ]);
  });

  it('stay two where the values may differ: no new place is given one of them by chance', async () => {
    await start({
      env: [
        { key: 'A', value: 'one', target: ['production'] },
        { key: 'A', value: 'two', target: ['preview'] },
        { key: 'B', value: 'same', target: ['production'] },
        { key: 'B', value: 'same', target: ['preview'] },
        { key: 'S', value: 'one', type: 'sensitive', target: ['production'] },
        { key: 'S', value: 'one', type: 'sensitive', target: ['preview'] },
      ],
    });
    expect((await errors('A: {}')).map(({ code }) => code)).toEqual(['env/which-value']);
    const custom = 'S: { target: [production, preview], customEnvironmentIds: [qa] }';
    expect((await errors(custom)).map(({ code }) => code)).toEqual(['env/which-value']);
    await account.converge('A: { target: [production, preview] }\nB: {}');
    expect(account.rows()).toEqual([
      'A=one encrypted production',
      'A=two encrypted preview',
      'B=same encrypted preview development',
      'B=same encrypted production',
      'S=one sensitive preview',
      'S=one sensitive production',
    ]);
  });

  it('leave two rows with two values, not one', async () => {
    await start({
      env: [
        { key: 'A', value: 'one', target: ['production', 'preview'] },
        { key: 'A', value: 'two', target: ['development'], customEnvironments: ['qa'] },
      ],
    });
    await account.converge(
      `A:
  - { target: [production], value: new }
  - { target: [preview, development] }
  - { customEnvironmentIds: [qa], value: new }`,
    );
    expect(account.rows()).toEqual([
      'A=new encrypted custom:qa',
      'A=new encrypted production',
      'A=one encrypted preview',
      'A=two encrypted development',
    ]);
  });

  it('are not made readable again by deleting a value that nobody knows', async () => {
    await start({ env: [{ key: 'A', value: 'one', type: 'sensitive', target: ['production'] }] });
    await account.converge('A: { target: [production], type: sensitive }');
    const codes = (await errors('A: { target: [production], type: plain, $replace: allow }')).map(
      ({ code }) => code,
    );
    expect(codes).toEqual(['env/unknown-value']);
    expect(account.rows()).toEqual(['A=one sensitive production']);
  });
});
