/*
 * Replaced objects with content or referrers that a plan must not lose: the platform deletes the notifications of an alert rule with the
 * rule, and a replaced webhook gets another id.
 */
import { describe, expect, it } from 'vitest';
import { actions, changeAt, codes, newWorld, refuse } from '../support/scene.ts';
import { Stacks } from '../support/stacks.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(5);

const fieldsByType = {
  'built-in': 'ruleScope: { type: all }, triggers: { mode: all }, matchMinimumSeverityLevel: low',
  custom:
    "ruleScope: { type: project, projectId: '${projects.web.id}' }, severity: low, evaluation: { window: 5m, query: { metrics: { errors: { metric: vercel.request.count, aggregation: count } }, outputs: [errors] } }, trigger: { type: threshold, output: errors, operator: gt, threshold: 20 }",
};

const channel = (id: string, meta = '') =>
  `${id}: { type: slack, configId: icfg_cuwj0AdCdH3BwWT4LPijCC7t, channelId: ${id}${meta} }`;

/** The YAML of a rule with notifications. Another type needs a replacement. */
const rule = (type: keyof typeof fieldsByType, ...notifications: string[]) =>
  `projects: { web: {} }\nalertRules: { a: { $replace: allow, type: ${type}, ${fieldsByType[type]}, notifications: { ${notifications.join()} } } }`;

const c1 = 'alertRules/a/notifications/C1';
const c2 = 'alertRules/a/notifications/C2';

describe('a rule is not replaced', () => {
  story(
    'with a notification that is not declared and not ours, declared but not adopted, or given up',
    async () => {
      const world = await newWorld();
      await world.converge(rule('built-in', channel('C1'), channel('C2')));
      const { plan } = await world.plan(rule('custom', channel('C1', ', $handover: other'), channel('C2')));
      expect(codes(plan)).toEqual(['plan/still-inside']);
      delete world.ledger.entries[c2];
      for (const declared of [[channel('C1')], [], [channel('C1'), channel('C2')]]) {
        const { plan } = await world.plan(rule('custom', ...declared));
        expect(codes(plan)).toEqual(['plan/still-inside']);
      }
    },
  );

  story('with a notification of another stack', async () => {
    const stacks = await Stacks.start();
    await stacks.apply('own', rule('built-in', channel('C1')));
    const theirs = (label: string) =>
      `alertRules: { a: { $existing: true, notifications: { ${channel('C2').replace('C2:', `${label}:`)} } } }`;
    await stacks.apply('other', theirs('C2'));
    for (const declared of [[], [channel('C2')], [channel('C2', ', $from: other')]]) {
      const { plan } = await stacks.plan('own', rule('custom', channel('C1'), ...declared));
      expect(codes(plan).sort()).toEqual(['plan/still-inside', 'stack/inside']);
    }
  });

  it('or deleted, if its notifications could not be read, nor a webhook that an unread notification names', async () => {
    const world = await newWorld();
    const webhook = (url: string) =>
      `webhooks: { pager: { url: 'https://${url}.example.com/', events: [alerts.triggered], $secretTo: discard, $replace: allow } }\n`;
    const named = "n: { type: webhook, webhookId: '${webhooks.pager.id}' }";
    await world.converge(webhook('one') + rule('built-in', named));
    refuse(world, '/notifications');
    for (const yaml of [webhook('two') + rule('custom', named), `${webhook('one')}projects: { web: {} }`]) {
      const { plan } = await world.plan(yaml);
      expect([actions(plan), codes(plan)]).toEqual([[], ['observe/incomplete']]);
      expect(plan.notCompared?.flatMap(({ items }) => items.map(({ address }) => address))).toContain(
        'alertRules/a',
      );
    }
  });
});

describe('--target and --exclude', () => {
  story('keep a replacement together with the deletions in it', async () => {
    const world = await newWorld();
    await world.converge(rule('built-in', channel('C1'), channel('C2')));
    const yaml = rule('custom', channel('C1'));
    const all = ['replace alertRules/a', `create ${c1}`, `delete ${c2}`];
    expect(actions((await world.plan(yaml, { targets: ['alertRules/a'] })).plan)).toEqual(all);
    expect(actions((await world.plan(yaml, { excludes: [c2] })).plan)).toEqual([]);
    expect(actions((await world.plan(yaml, { targets: [c2] })).plan)).toEqual([`delete ${c2}`]);
  });

  story('keep a replacement together with the objects that need the new id', async () => {
    const world = await newWorld();
    const yaml = (url: string) => `
webhooks: { pager: { url: 'https://${url}.example.com/', events: [alerts.triggered], $secretTo: discard, $replace: allow } }
projects: { web: { env: { HOOK: { value: 'x-\${webhooks.pager.id}', type: plain, target: [production] }, URL: a } } }`;
    await world.converge(yaml('one'));
    const { plan } = await world.plan(yaml('two'), { targets: ['webhooks/pager'] });
    expect(actions(plan)).toEqual(['update projects/web/env/HOOK@production', 'replace webhooks/pager']);
    expect(actions((await world.plan(yaml('two'), { excludes: ['projects/web/env/HOOK@*'] })).plan)).toEqual(
      [],
    );
  });
});

story('a replacement that fails half-way does not make its notifications look deleted outside', async () => {
  const world = await newWorld();
  await world.converge(rule('built-in', channel('C1')));
  for (const refused of [
    'POST /alerts/v3/alert-rules',
    'POST /alerts/v3/alert-rules/{alertRule}/notifications/links',
  ]) {
    const send: typeof world.connection.send = (request) =>
      request.endpoint === refused ? Promise.reject(new Error('no')) : world.connection.send(request);
    const { outcome } = await world.apply(await world.plan(rule('custom', channel('C1'))), { send });
    expect(outcome.failed).toHaveLength(1);
    expect(Object.keys(world.ledger.entries)).not.toContain(c1);
  }
  const plan = await world.converge(rule('custom', channel('C1')));
  expect(plan.changes.find(({ address }) => address === c1)).toMatchObject({ action: 'create' });
  expect(plan.changes.find(({ address }) => address === c1)!.reason).toBeUndefined();
});

oneRowIn(2)(['ended', 'was killed'])(
  'a replacement that is renamed as well continues after each run that failed and %s',
  async (end) => {
    const renamed = rule('custom', channel('C1')).replace('a: {', 'b: { $was: a,');
    const world = await newWorld();
    await world.converge(rule('built-in', channel('C1')));
    for (let run = 0; run < 2; run++) {
      let stored = world.ledger;
      await world.apply(await world.plan(renamed), {
        send: (request) =>
          request.endpoint === 'POST /alerts/v3/alert-rules'
            ? Promise.reject(new Error('no'))
            : world.connection.send(request),
        save: async (ledger) => {
          stored = structuredClone(ledger);
        },
      });
      if (end === 'was killed') world.ledger = stored;
      expect(Object.keys(world.ledger.entries)).toEqual(['projects/web']);
    }
    await world.converge(renamed);
    expect(world.twin.account.alertRules.map(({ name }) => name)).toEqual(['b']);
    expect(world.ledger).not.toHaveProperty('begun');
  },
);

story(
  'a notification that was deleted outside is not said to be deleted with its replaced rule',
  async () => {
    const world = await newWorld();
    await world.converge(rule('built-in', channel('C1')));
    world.ledger = {
      ...world.ledger,
      entries: { ...world.ledger.entries, [c2]: { ...world.ledger.entries[c1]!, ids: ['icfg/C2'] } },
    };
    const { plan } = await world.plan(rule('custom', channel('C1'), channel('C2')));
    expect(plan.changes.find(({ address }) => address === c2)).toMatchObject({
      action: 'create',
      reason: 'deleted outside',
    });
  },
);

it('a notification of an `$exclusive` rule counts as deleted with the replaced rule even if it was not adopted', async () => {
  const world = await newWorld();
  const exclusive = (type: keyof typeof fieldsByType) =>
    rule(type, channel('C1'), channel('C2')).replace('$replace', '$exclusive: [notifications], $replace');
  await world.converge(exclusive('built-in'));
  delete world.ledger.entries[c2];
  const { plan } = await world.plan(exclusive('custom'));
  expect(changeAt(plan, c2)).toMatchObject({
    action: 'create',
    reason: 'deleted together with alertRules/a, which is replaced',
  });
  expect(plan.deletedObjects?.map(({ address }) => address)).toEqual(['alertRules/a', c1, c2]);
});
