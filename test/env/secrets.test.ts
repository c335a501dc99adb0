import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { Plan } from '../../src/model/plan.ts';
import { plan as planOf } from '../../src/plan/plan.ts';
import { diagnosticsText } from '../../src/report/diagnostics-text.ts';
import { eventWriter } from '../../src/report/events-text.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { Account } from './account.ts';

let account: Account;
const start = async (options?: Parameters<typeof Account.start>[0]) => {
  account = await Account.start(options);
  account.world.env.DATABASE = 'one';
};
afterEach(() => account.world.stop());

const changeOf = (plan: Plan, name: string) =>
  plan.changes.find(({ address }) => address === `projects/web/env/${name}`)!;
const values = (key: string) =>
  account.project.env.filter((row) => row.key === key).map(({ value }) => value);
const secret = 'A: { value: "${secret.database}", type: sensitive, target: [production, preview] }';

describe('a value that cannot be read', () => {
  const found = [{ key: 'A', value: 'theirs', type: 'sensitive' as const }];

  it.each(['', 'absent'] as const)(
    'is not sent on adoption, until asked for once (read as "%s")',
    async (sensitiveValue) => {
      await start({ env: found, switches: { sensitiveValue } });
      for (let run = 0; run < 2; run++) {
        await account.converge(secret);
        expect(await account.codes(secret)).toEqual(['secret/unverified', 'secret/unverified']);
      }
      expect(account.sent()).toEqual([]);
      await account.converge(secret, { sendUnverified: ['projects/web/env/A@*'] });
      expect(account.sent()).toEqual(['PATCH value']);
      expect(values('A')).toEqual(['one']);
      expect(await account.codes(secret)).toEqual([]);
      await account.converge(secret, { sendUnverified: ['**'] });
      expect(account.sent()).toEqual([]);
    },
  );

  it.each([
    ['value and type', 'A: { value: two, type: plain, target: [production], $replace: allow }'],
    ['type alone', 'A: { value: one, type: plain, target: [production], $replace: allow }'],
    [
      'value, from a secret',
      'A: { value: "${secret.database}", type: encrypted, target: [production], $replace: allow }',
    ],
  ])('is no conflict when %s change at once, since nobody else touched it', async (_, next) => {
    await start();
    await account.converge('A: { value: one, type: sensitive, target: [production] }');
    expect(await account.codes(next)).toEqual([]);
    await account.converge(next);
    expect(await account.codes(next)).toEqual([]);
  });

  it('is not sent again after the ledger was lost, and one that can be read is verified in memory', async () => {
    await start();
    const yaml = `${secret}\nB: "\${secret.database}"`;
    await account.converge(yaml);
    account.sent();
    account.world.ledger = { ...account.world.ledger, entries: {} };
    await account.converge(yaml);
    expect(account.sent()).toEqual([]);
    const { plan } = await account.plan(yaml);
    expect(plan.diagnostics.map(({ address }) => address)).toEqual([
      'projects/web/env/A@preview',
      'projects/web/env/A@production',
    ]);
  });

  it('is not sent again because the key of the ledger is another one', async () => {
    await start();
    const yaml = `${secret}\nB: "\${secret.database}"`;
    await account.converge(yaml);
    const { input } = await account.plan(yaml);
    const other = planOf({ ...input, key: ledgerKeyFrom('another key, as long as the first') });
    expect(other.operations).toEqual([]);
    expect(other.diagnostics.map(({ code }) => code)).toEqual(['secret/unverified', 'secret/unverified']);
  });

  it('is sent once when it is rotated', async () => {
    await start();
    await account.converge(secret);
    account.sent();
    account.world.env.DATABASE = 'two';
    const plan = await account.converge(secret);
    expect(changeOf(plan, 'A@production').fields).toMatchObject([
      { path: 'value', cause: 'edit', secret: true },
    ]);
    expect(account.sent()).toEqual(['PATCH value']);
    expect(values('A')).toEqual(['two']);
  });

  it('is verified where it was encrypted before', async () => {
    await start();
    await account.converge('A: { value: "${secret.database}", target: [production, preview] }');
    await account.converge(secret);
    expect(await account.codes(secret)).toEqual([]);
  });

  it('cannot leave its row: it could not be created again', async () => {
    await start({ env: [{ ...found[0]!, target: ['production', 'preview'] }] });
    const places = (production: string) =>
      `A: [{ value: ${production}, target: [production], comment: why }, { value: x, target: [preview] }]`;
    const { plan } = await account.plan(places('y'));
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'env/unknown-value', address: 'projects/web/env/A@preview' },
    ]);
    expect(plan.operations).toEqual([]);
    await account.converge(places('y'), { sendUnverified: ['**'] });
    expect(account.rows()).toEqual(['A=x sensitive preview', 'A=y sensitive production # why']);
  });

  it('keeps its row, where something else can leave', async () => {
    await start({ env: [{ ...found[0]!, target: ['preview'], customEnvironments: ['staging'] }] });
    const yaml = 'A: [{ value: x, target: [preview] }, { value: y, customEnvironmentIds: [staging] }]';
    await account.converge(yaml, { sendUnverified: ['**/A@custom:staging'] });
    expect(account.rows()).toEqual(['A=theirs sensitive preview', 'A=y sensitive custom:staging']);
  });

  it('is joined by nothing: a new place has the wanted value', async () => {
    await start({ env: [{ ...found[0]!, target: ['production'] }] });
    await account.converge('A: { value: x, type: sensitive, target: [production, preview] }');
    expect(account.rows()).toEqual(['A=theirs sensitive production', 'A=x sensitive preview']);
  });
});

describe('a secret that is not available', () => {
  const without = async (yaml: string) => {
    account.world.env = {};
    return account.plan(yaml);
  };

  it('is not compared, and stays known to the ledger', async () => {
    await start();
    const yaml = `${secret}\nB: "\${secret.database}"`;
    await account.converge(yaml);
    account.sent();
    const planned = await without(yaml);
    expect(new Set(planned.plan.diagnostics.map(({ code, severity }) => `${severity} ${code}`))).toEqual(
      new Set(['warning secret/not-compared']),
    );
    expect(planned.plan.operations).toEqual([]);
    await account.world.apply(planned);
    account.world.env.DATABASE = 'one';
    await account.converge(yaml);
    expect(account.sent()).toEqual([]);
    expect(await account.codes(yaml)).toEqual([]);
  });

  it('fails only what has to send it', async () => {
    await start();
    const { outcome } = await account.world.apply(await without(`${secret}\nB: known`));
    expect(outcome.failed.map(({ address }) => address).sort()).toEqual([
      'projects/web/env/A@preview',
      'projects/web/env/A@production',
    ]);
    expect(account.rows()).toEqual(['B=known encrypted production preview development']);
  });

  it('deletes nothing that could not be created again', async () => {
    await start();
    await account.converge(secret);
    account.sent();
    const { outcome } = await account.world.apply(
      await without(
        'A: { value: "${secret.database}", type: plain, target: [production, preview], $replace: allow }',
      ),
    );
    expect(outcome.failed).toHaveLength(2);
    expect(account.sent()).toEqual([]);
    expect(values('A')).toEqual(['one']);
  });
});

describe('drift', () => {
  it('of a value that can be read is shown and reverted', async () => {
    await start();
    await account.converge('A: one\nP: { value: one, type: plain }');
    for (const row of account.project.env) row.value = 'theirs';
    const plan = await account.converge('A: one\nP: { value: one, type: plain }');
    for (const name of ['A@production', 'P@preview'])
      expect(changeOf(plan, name)).toMatchObject({
        reason: 'changed outside',
        fields: [{ path: 'value', cause: 'drift' }],
      });
    expect(account.rows().map((row) => row.split(' ')[0])).toEqual(['A=one', 'P=one']);
  });

  it('against an edit is a conflict, and refused where nobody watches', async () => {
    await start();
    await account.converge('A: one');
    account.row('A').value = 'theirs';
    const { plan } = await account.plan('A: two', { unattended: true });
    expect(changeOf(plan, 'A@preview').fields).toMatchObject([{ cause: 'conflict' }]);
    expect(new Set(plan.diagnostics.map(({ code }) => code))).toEqual(new Set(['guard/conflict']));
    await account.converge('A: two', { overwriteConflicts: true });
  });

  it('of a type or a comment is reverted where they are declared, and else not ours', async () => {
    await start();
    await account.converge('A: { value: one, type: encrypted, comment: mine }\nB: one');
    Object.assign(account.row('A'), { type: 'plain', comment: 'theirs' });
    Object.assign(account.row('B'), { type: 'plain', comment: 'theirs' });
    account.sent();
    await account.converge('A: { value: one, type: encrypted, comment: mine }\nB: one');
    expect(account.sent()).toEqual(['PATCH comment type']);
    expect(account.row('B')).toMatchObject({ type: 'plain', comment: 'theirs' });
  });

  it('of the rows alone is none: the units are the same', async () => {
    await start();
    await account.converge('A: { value: one, target: [production, preview] }');
    const row = account.row('A');
    row.target = ['production'];
    account.project.env.push({ ...row, id: 'other', target: ['preview'] });
    account.sent();
    await account.converge('A: { value: one, target: [production, preview] }');
    expect(account.sent()).toEqual([]);
    await account.converge('B: one');
    expect(account.rows()).toEqual(['B=one encrypted production preview development']);
  });

  it('of what went away is created again', async () => {
    await start();
    await account.converge('A: one');
    account.project.env.splice(0);
    const { plan } = await account.plan('A: one');
    expect(changeOf(plan, 'A@preview')).toMatchObject({ action: 'create', reason: 'deleted outside' });
    await account.converge('A: one');
  });
});

describe('no value is in anything that is shown or kept', () => {
  const canaries = ['canary-secret-2', 'canary-live-3', 'canary-foreign-4', 'canary-rotated-5'];
  // It stands in the YAML for everybody to read.
  const literal = 'literal-1';
  const [first, live, foreign, rotated] = canaries as [string, string, string, string];
  const style = styleFor({ color: false, width: 200 });
  const seen: string[] = [];
  const see = (...things: unknown[]) => {
    for (const thing of things)
      seen.push(
        typeof thing === 'string'
          ? thing
          : `${inspect(thing, { depth: 12, showHidden: true })}\n${JSON.stringify(thing)}`,
      );
  };
  beforeEach(() => seen.splice(0));

  const go = async (yaml: string, options?: Parameters<Account['plan']>[1]) => {
    const planned = await account.plan(yaml, options);
    const { plan } = planned;
    see(plan, planned.live, planned.ledger, planned.input.desired, planned.input.secrets, planJson(plan));
    for (const verbose of [false, true]) see(planText(plan, { style, requests: true, verbose }));
    see(diagnosticsText(plan.diagnostics, { style }));
    const { outcome, events } = await account.world.apply(planned);
    see(
      outcome,
      events,
      events.map(eventWriter(plan, { style })),
      outcomeText(plan, outcome, { style, now: 0 }),
    );
    for (const { error } of outcome.failed) see(String((error as Error).stack), (error as Error).cause ?? '');
    see(account.world.ledger);
    return outcome;
  };

  it.each([false, true])('neither wanted nor found ones (errors bare: %s)', async (errorBodyUnwrapped) => {
    await start({
      switches: { errorBodyUnwrapped },
      env: [
        { key: 'L', value: live, type: 'encrypted' },
        { key: 'M', value: live, type: 'encrypted', target: ['production', 'preview'] },
        { key: 'F', value: foreign, type: 'encrypted' },
      ],
    });
    account.world.env.DATABASE = first;
    const yaml = (more = '') => `
L: ${literal}
M: [{ value: ${literal}, target: [production] }, { value: ${literal}-b, target: [preview] }]
S: { value: "x\${secret.database}y", type: sensitive, target: [production] }
J: { value: "\${secret.database}", comment: plain text }
${more}`;
    expect((await go(yaml())).failed).toEqual([]);
    account.world.env.DATABASE = rotated;
    account.row('L').value = live;
    expect((await go(yaml(`N: ${literal}`))).failed).toEqual([]);
    // Values that the platform would quote in its refusals, one written and one found.
    const { connection } = account.world;
    for (const row of account.project.env) if (row.key === 'J') row.configurationId = 'icfg';
    await go(yaml(`N: ${literal}-b`));
    const { send } = connection;
    connection.send = (request) =>
      send({ ...request, endpoint: request.endpoint.replace('/v9/', '/v8/') as never });
    await go(yaml(`N: ${literal}`));
    connection.send = send;
    await go('Z: z', { maxDeletions: 20 });
    const text = seen.join('\n');
    for (const canary of canaries) expect(text.includes(canary), canary).toBe(false);
    expect(text).toContain('projects/web/env/S@production');
    expect(text).toContain('failed');
  });

  it('nor what a server echoes', async () => {
    await start();
    account.world.env.DATABASE = first;
    const yaml = `A: ${literal}\nS: "\${secret.database}"`;
    const planned = await account.plan(yaml);
    // A name that the twin refuses by quoting it.
    const { connection } = account.world;
    const { send } = connection;
    connection.send = (request) => {
      const body = request.body as { key: string; value: unknown }[];
      if (!Array.isArray(body)) return send(request);
      return send({ ...request, body: body.map((row) => ({ ...row, key: row.value })) });
    };
    const { outcome, events } = await account.world.apply(planned);
    expect(outcome.failed).toHaveLength(6);
    see(outcome, events, events.map(eventWriter(planned.plan, { style })));
    const text = seen.join('\n');
    expect(text).toContain('invalid characters');
    for (const canary of canaries) expect(text.includes(canary), canary).toBe(false);
  });
});
