import { afterEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { Account } from './account.ts';

const story = oneStoryIn(5);

let account: Account;
const start = async (options?: Parameters<typeof Account.start>[0]) => {
  account = await Account.start(options);
};
afterEach(() => account.world.stop());

const key = 'A: { value: "${secret.database}", type: sensitive, target: [production], $ignore: [value] }';
const changes = (plan: Plan) =>
  plan.changes
    .filter(({ action }) => action !== 'noop')
    .map(({ address, action }) => `${action} ${address.split('/').at(-1)}`);
const valuesInLedger = () =>
  Object.entries(account.world.ledger.entries).flatMap(([address, { fields, secrets }]) =>
    'value' in { ...fields, ...secrets } ? [address] : [],
  );

describe('a value with `$ignore: [value]`', () => {
  it('is sent at creation, and needs no secret afterwards', async () => {
    await start();
    account.world.env.DATABASE = 'first';
    const plan = await account.converge(key);
    expect(changes(plan)).toContain('create A@production');
    expect(account.rows()).toEqual(['A=first sensitive production']);
    expect(valuesInLedger()).toEqual([]);
    account.world.env.DATABASE = 'second';
    await account.converge(key);
    account.world.env = {};
    const later = (await account.plan(key)).plan;
    expect(changes(later)).toEqual([]);
    expect(later.diagnostics).toEqual([]);
    expect(later.notCompared).toBeUndefined();
    await account.converge(key.replace('$ignore', 'comment: ours, $ignore'));
    expect(account.rows()).toEqual(['A=first sensitive production # ours']);
    expect(valuesInLedger()).toEqual([]);
    expect(account.world.ledger.entries['projects/web/env/A@production']!.hidden).toEqual(['value']);
  });

  story('is left alone by an adoption, and sent when the variable was deleted outside', async () => {
    await start({ env: [{ key: 'A', value: 'theirs', type: 'sensitive', target: ['production'] }] });
    await account.converge(key);
    expect(account.sent()).toEqual([]);
    expect(valuesInLedger()).toEqual([]);
    account.project.env = [];
    account.world.env.DATABASE = 'first';
    const plan = await account.converge(key);
    expect(plan.changes.find(({ action }) => action === 'create')).toMatchObject({
      reason: 'deleted outside',
    });
    expect(account.rows()).toEqual(['A=first sensitive production']);
  });

  story('is sent by a replacement', async () => {
    await start({ env: [{ key: 'A', value: 'theirs', type: 'sensitive', target: ['production'] }] });
    await account.converge(key);
    account.world.env.DATABASE = 'first';
    const plan = await account.converge(
      'A: { value: "${secret.database}", type: plain, target: [production], $ignore: [value], $replace: allow }',
    );
    expect(changes(plan)).toEqual(['replace A@production']);
    expect(account.rows()).toEqual(['A=first plain production']);
    expect(valuesInLedger()).toEqual([]);
  });

  story('stays when its project is renamed', async () => {
    await start({ env: [{ key: 'A', value: 'theirs', type: 'sensitive', target: ['production'] }] });
    await account.converge(key);
    const renamed = account.yaml(key, '$was: web\n    customEnvironments: { staging: {}, qa: {} }');
    await account.world.converge(renamed.replace('  web:', '  shop:'));
    expect(account.project.name).toBe('shop');
    expect(account.rows()).toEqual(['A=theirs sensitive production']);
    expect(valuesInLedger()).toEqual([]);
  });

  story('is sent with its project when that is created', async () => {
    await start();
    account.world.env.DATABASE = 'first';
    await account.converge(key);
    account.world.twin.account.projects.splice(0);
    await account.converge(key);
    expect(account.rows()).toEqual(['A=first sensitive production']);
  });

  story('is that of the new target only, where a variable gains one', async () => {
    await start({ env: [{ key: 'A', value: 'theirs', target: ['production'] }] });
    const wide = 'A: { value: "${secret.database}", target: [production, preview], $ignore: [value] }';
    await account.converge(wide.replace(', preview', ''));
    account.world.env.DATABASE = 'first';
    const plan = await account.converge(wide);
    expect(changes(plan)).toEqual(['create A@preview']);
    expect(account.rows()).toEqual(['A=first encrypted preview', 'A=theirs encrypted production']);
    account.world.env = {};
    expect((await account.plan(wide)).plan.diagnostics).toEqual([]);
  });
  story('is that of the new target only, also in a row that cannot be read', async () => {
    await start({ env: [{ key: 'A', value: 'theirs', type: 'sensitive', target: ['production'] }] });
    await account.converge(key);
    account.world.env.DATABASE = 'first';
    await account.converge(key.replace('[production]', '[production, preview]'));
    expect(account.rows()).toEqual(['A=first sensitive preview', 'A=theirs sensitive production']);
  });
});

describe('a reference to a field with `$ignore`', () => {
  const pair = (type: string, copy: string) => `
A: { value: "\${secret.database}", type: ${type}, target: [production], $ignore: [value] }
B: { value: "x-\${projects.web.env['A@production'].value}", type: ${copy}, target: [production] }`;

  story('takes the live value, or that of the creation', async () => {
    await start();
    account.world.env.DATABASE = 'first';
    await account.converge(pair('encrypted', 'encrypted'));
    expect(account.rows()).toEqual(['A=first encrypted production', 'B=x-first encrypted production']);
    account.row('A').value = 'theirs';
    account.world.env = {};
    const { plan } = await account.plan(pair('encrypted', 'encrypted'));
    expect(JSON.stringify(plan.changes)).not.toContain('theirs');
    await account.converge(pair('encrypted', 'encrypted'));
    expect(account.rows()).toEqual(['A=theirs encrypted production', 'B=x-theirs encrypted production']);
  });

  it('is as secret as the field', async () => {
    await start({ env: [{ key: 'A', value: 'theirs', target: ['production'] }] });
    expect(await account.codes(pair('encrypted', 'plain'))).toContain('ref/secret');
    expect(await account.codes(pair('sensitive', 'sensitive'))).toContain('ref/unreadable');
  });
});
