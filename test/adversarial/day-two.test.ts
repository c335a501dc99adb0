import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { checksumOf } from '../../src/approval/parse-saved-plan.ts';
import type { SavedPlan } from '../../src/approval/saved-plan.ts';
import { traitsOf } from '../../src/kind/traits.ts';
import { ThenStand, web } from '../actions/then-stand.ts';

/* What is done beside the configuration: by whom it can be had done, and how often. */

const actionsAndLookups = await hosting.actionsAndLookups();
const stand = new ThenStand();
beforeEach(() => stand.begin());

const ledgerFile = () => join(stand.shell.folder, '.trueup/ledger/demo.json');
const ledger = () => JSON.parse(readFileSync(ledgerFile(), 'utf8'));
const debt = 'redeploy projects/web {"target":"production"}';

it('A configuration cannot request an action that costs money, shows a secret or cannot be undone, or one that could run twice by mistake.', async () => {
  const all = [...actionsAndLookups.actions.values()];
  const byHand = all.filter(({ declarable }) => !declarable);
  expect(byHand.length).toBeGreaterThan(40);
  await stand.write(web('one', '', `[${byHand.map(({ name }) => name).join(', ')}]`));
  const { status, all: said } = await stand.shell.run(['validate']);
  expect([status, said.match(/\[config\/then\]/g)?.length]).toEqual([1, byHand.length]);
  for (const { name } of byHand) expect(said).toContain(`\`trueup run ${name}\``);
  for (const { name, cost, shows, grade, repeatable, until, effectSearch } of all.filter(
    (one) => one.declarable,
  )) {
    const isFound = effectSearch !== undefined || until?.isState === true;
    expect([name, cost, shows, repeatable === true || isFound]).toEqual([name, undefined, undefined, true]);
    expect(['safe', 'disruptive'], name).toContain(grade);
  }
});

it('No action of a configuration receives a secret, and a lookup neither reveals a secret nor confirms a guess.', async () => {
  const secrets = (then: string) =>
    web('one', '', then).replace('projects:', 'secrets: { s: {} }\nprojects:');
  for (const tag of ['"${secret.s}"', '"a-${secret.s}"']) {
    await stand.write(secrets(`[{ invalidateByTags: { tags: [${tag}] } }]`));
    const { status, all } = await stand.shell.run(['validate']);
    expect([status, all.includes('a secret cannot be given to `invalidateByTags`')], all).toEqual([1, true]);
  }
  const secretFields = [...actionsAndLookups.lookups.values()].flatMap(({ name, output }) =>
    Object.keys(output).flatMap((field) => (traitsOf(output[field]!).secret ? [[name, field] as const] : [])),
  );
  expect(secretFields.length).toBeGreaterThan(0);
  for (const [name, field] of secretFields) {
    const guess = web(`"\${lookup.x.${field}}"`).replace(
      'projects:',
      `lookups: { x: { ${name}: {} } }\nprojects:`,
    );
    const confirm = web('one').replace(
      'projects:',
      `lookups: { x: { ${name}: { ${field}: guess } } }\nprojects:`,
    );
    for (const [text, wanted] of [
      [guess, `the lookup \`x\` has no field \`${field}\``],
      [confirm, `\`${name}\` has no \`${field}\``],
    ] as const) {
      await stand.write(text);
      const { status, all } = await stand.shell.run(['validate']);
      expect([status, all.includes(wanted)], all).toEqual([1, true]);
    }
  }
});

it('Anyone who can write to the store of a ledger can neither have an action sent nor drop a pending one.', async () => {
  const forge = (owed: unknown) => writeFileSync(ledgerFile(), JSON.stringify({ ...ledger(), owed }));
  const refuseAll = async () => {
    const before = stand.made().length;
    for (const args of [
      ['apply', '--auto-approve'],
      ['run', 'redeploy', 'projects/web', '--again', '--auto-approve'],
      ['run', 'redeploy', 'projects/web', '--skip', '--auto-approve'],
    ]) {
      const refused = await stand.shell.run(args);
      expect([refused.status, stand.made().length], refused.all).toEqual([1, before]);
      expect(refused.all).toContain('[ledger/');
    }
  };
  await stand.write(web('one', '', '[]'));
  expect((await stand.apply()).status).toBe(0);
  await stand.write(web('one'));
  forge({
    [debt]: {
      ...{ action: 'redeploy', about: 'projects/web', input: { target: 'production' } },
      ...{ from: ['projects/web'], since: '2026-01-01T00:00:00.000Z' },
    },
  });
  await refuseAll();
  await stand.begin();
  stand.fails('createDeployment', 403);
  await stand.apply();
  expect(Object.keys(ledger().owed)).toEqual([debt]);
  forge(undefined);
  await refuseAll();
});

it('A pending action is sent once, even if several runs try at the same time.', async () => {
  stand.fails('createDeployment', 403);
  await stand.apply();
  expect(Object.keys(ledger().owed)).toEqual([debt]);
  stand.twin.requests.length = 0;
  const ends = await Promise.all([
    ...[1, 2, 3].map(() => stand.apply('--lock-wait', '60')),
    stand.shell.run(['run', 'redeploy', 'projects/web', '--again', '--auto-approve', '--lock-wait', '60']),
  ]);
  expect(stand.made(), ends.map(({ all }) => all).join('\n')).toEqual(['dpl_live']);
  expect(ledger().owed).toBeUndefined();
  // Somebody else sends it while a person still thinks.
  stand.fails('createDeployment', 403);
  await stand.write(web('two'));
  await stand.apply();
  stand.twin.requests.length = 0;
  const { provider } = stand.shell;
  let isPaid = false;
  stand.shell.provider = {
    ...provider,
    connect: async (settings) => {
      const connection = await provider.connect(settings);
      return {
        ...connection,
        send: async (request, confirm) => {
          if (request.endpoint.includes('/projects/{project}') && !isPaid) {
            isPaid = true;
            stand.shell.provider = provider;
            expect((await stand.apply()).status).toBe(0);
          }
          return connection.send(request, confirm);
        },
      };
    },
  };
  const late = await stand.shell.run(['run', 'redeploy', 'projects/web', '--again', '--auto-approve']);
  expect([late.status, isPaid, stand.made().length], late.all).toEqual([1, true, 1]);
  expect(late.all).toContain('is not owed any more: another run was faster');
});

it('An action that is not safe to repeat is sent again without a person only if two complete reads, ten minutes after it was sent, do not show what it makes.', async () => {
  await stand.inQuickTime();
  stand.loses('before');
  expect((await stand.apply()).status).toBe(75);
  expect((await stand.shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
  for (const args of [
    ['apply', 'plan.json', '--settle', '0'],
    ['apply', '--auto-approve', '--settle', '0'],
    ['apply', '--auto-approve', '--settle', '0', '--target', 'projects/web/**'],
    ['apply', '--auto-approve', '--settle', '0', '--no-actions'],
  ])
    await stand.shell.run(args);
  await stand.write(web('two'));
  const again = await stand.apply();
  expect([again.status, stand.made().length], again.all).toEqual([75, 1]);
  const sent = await stand.shell.run(['run', 'redeploy', 'projects/web', '--again', '--auto-approve']);
  expect([sent.status, stand.made().length], sent.all).toEqual([0, 2]);
});

it('A saved plan is applied with the actions that it shows, or not at all.', async () => {
  const file = join(stand.shell.folder, 'plan.json');
  const save = (...args: string[]) => stand.shell.run(['plan', '--out', 'plan.json', ...args]);
  const forged = (change: (plan: SavedPlan) => SavedPlan) => {
    const plan = change(JSON.parse(readFileSync(file, 'utf8')));
    writeFileSync(file, JSON.stringify({ ...plan, checksum: checksumOf(plan) }));
  };
  const done = () => stand.shell.run(['apply', 'plan.json', '--settle', '0']);
  // The key is there once something was applied.
  await stand.write(web('zero', '', '[]'));
  expect((await stand.apply()).status).toBe(0);
  await stand.write(web('one'));
  for (const change of [
    ({ actions: _, ...plan }: SavedPlan) => plan,
    (plan: SavedPlan) => ({ ...plan, options: { ...plan.options, actions: false as const } }),
    ({ actions: _, seal: __, key: ___, ...plan }: SavedPlan) => plan,
  ]) {
    expect((await save()).status).toBe(0);
    forged(change as (plan: SavedPlan) => SavedPlan);
    const refused = await done();
    expect([refused.status, stand.made()], refused.all).toEqual([1, []]);
  }
  expect((await save('--no-actions')).status).toBe(0);
  const without = await done();
  expect([without.status, stand.made(), ledger().owed], without.all).toEqual([0, [], undefined]);
  await stand.write(web('two'));
  expect((await save()).status).toBe(0);
  const whole = await done();
  expect([whole.status, stand.made()], whole.all).toEqual([0, ['dpl_live']]);
});
