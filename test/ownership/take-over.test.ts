import { describe, expect, it } from 'vitest';
import type { PlanOptions } from '../../src/plan/input.ts';
import { formerAddress } from '../../src/plan/take-over.ts';
import { actions, codes } from '../support/scene.ts';
import { Stacks } from '../support/stacks.ts';
import type { Planned } from '../support/world.ts';

const seed = { domains: [{ name: 'example.com' }] };
const record = (more = '', value = '192.0.2.1') =>
  `domains: { example.com: { $existing: true, records: [{ type: A, name: www, value: ${value}${more} }] } }`;
const none = 'domains: { example.com: { $existing: true } }';
const address = 'domains/example.com/records/www/A';

const errors = ({ plan }: Planned) =>
  plan.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
const changed = ({ plan }: Planned) => plan.changes.filter(({ action }) => action !== 'noop');

/** The stack web has applied a record; `more` stands in its block. */
async function webHasRecord(more = '') {
  const stacks = await Stacks.start({ seed });
  await stacks.apply('web', record());
  if (more !== '') await stacks.apply('web', record(more));
  return stacks;
}

/** The configuration of web in the checkout of growth. */
const beside = async (stacks: Stacks, body: string) => ({ siblings: [await stacks.sibling('web', body)] });

describe('in one commit of a workspace', () => {
  it('takes the memory along: an edit in the same step is an edit, and the old home forgets', async () => {
    const stacks = await webHasRecord();
    const taken = await stacks.plan(
      'growth',
      record(', $from: web', '192.0.2.9'),
      await beside(stacks, none),
    );
    expect(taken.plan.changes.find((change) => change.address === address)).toMatchObject({
      action: 'update',
      takenFrom: 'web',
      reason: 'taken over from stack web',
      fields: [{ cause: 'edit' }],
    });
    await stacks.carryOut('growth', taken);
    expect(stacks.ledgerOf('growth').entries[address]!.origin).toBe('created');
    const dropped = await stacks.apply('web', none);
    expect(actions(dropped.plan)).toEqual([`forget ${address}`]);
    for (const body of [record(', $from: web', '192.0.2.9'), record('', '192.0.2.9')])
      expect(actions((await stacks.plan('growth', body)).plan)).toEqual([]);
  });

  it('begins with either stack, and the other one completes it, wherever the first run ended', async () => {
    for (const order of [
      ['web', 'growth'],
      ['growth', 'web'],
    ]) {
      const stacks = await webHasRecord();
      const bodies: Record<string, string> = { web: none, growth: record(', $from: web', '192.0.2.9') };
      const plan = async (stack: string) => {
        const other = stack === 'web' ? 'growth' : 'web';
        return stacks.plan(stack, bodies[stack]!, {
          siblings: [await stacks.sibling(other, bodies[other]!)],
        });
      };
      const shown: Record<string, Planned> = { web: await plan('web'), growth: await plan('growth') };
      expect(changed(shown.web!)).toMatchObject([
        { action: 'forget', reason: 'handed over to the stack growth' },
      ]);
      for (const stack of order) {
        // What was approved before the other one was applied is what is done.
        const now = await plan(stack);
        const outline = ({ plan: { changes } }: Planned) =>
          changes.map(({ action, reason, takenFrom, changesLedgerOnly }) => ({
            action,
            reason,
            takenFrom,
            changesLedgerOnly,
          }));
        expect(outline(now)).toEqual(outline(shown[stack]!));
        await stacks.carryOut(stack, now);
      }
      // The mark that the old home left goes without being asked for.
      for (const stack of order) {
        const left = await plan(stack);
        expect(left.plan.operations).toEqual([]);
        expect(changed(left).filter(({ changesLedgerOnly }) => !changesLedgerOnly)).toEqual([]);
        await stacks.carryOut(stack, left);
        expect(changed(await plan(stack))).toEqual([]);
      }
      expect(Object.keys(stacks.ledgerOf('web').entries)).not.toContain(address);
      expect(stacks.ledgerOf('growth').entries[address]!.origin).toBe('created');
    }
  });

  it('holds for all that is in a block, and only for the stack that is named', async () => {
    const stacks = await Stacks.start();
    const site = (more = '') =>
      `projects: { site: { framework: vite${more}, env: { A: one }, domains: { a.example.org: {} } } }`;
    const hook =
      'webhooks: { a: { url: https://a.example.com, events: [domain.created], $secretTo: discard } }';
    await stacks.apply('web', site());
    const siblings = [await stacks.sibling('web', hook)];
    const wrong = await stacks.plan('growth', site(', $from: wbe'), { siblings });
    expect(errors(wrong)[0]).toBe(
      'projects/site is owned by the stack web (applied 3 days ago); `$from` says wbe',
    );
    await stacks.apply('growth', site(', $from: web'), { siblings });
    const dropped = await stacks.apply('web', hook);
    expect(actions(dropped.plan).filter((text) => !text.startsWith('forget'))).toEqual(['create webhooks/a']);
    expect(stacks.world.twin.account.projects).toHaveLength(1);
  });

  it('finds an object by its id: one without a name, edited, and one that is renamed here', async () => {
    const stacks = await Stacks.start();
    const both = (hook: string, project: string) => `webhooks: { ${hook} }\nprojects: { ${project} }`;
    const hook = (url: string, more = '') =>
      `hook: { url: https://${url}.example.com, events: [domain.created], $secretTo: discard${more} }`;
    await stacks.apply('web', both(hook('a'), 'site: { framework: vite, env: { A: one } }'));
    const { id } = stacks.world.twin.account.webhooks[0]!;
    const empty = both('', '');
    const body = both(
      hook('a', ', $from: web'),
      'shop: { framework: vite, $was: site, $from: web, env: { A: two } }',
    );
    const planned = await stacks.apply('growth', body, await beside(stacks, empty));
    expect(new Set(actions(planned.plan))).toEqual(
      new Set([
        'adopt webhooks/hook',
        'update projects/shop',
        ...['development', 'preview', 'production'].map((target) => `update projects/shop/env/A@${target}`),
      ]),
    );
    expect(stacks.world.twin.account.webhooks).toMatchObject([{ id }]);
    expect(stacks.world.twin.account.projects.map(({ name }) => name)).toEqual(['shop']);
    expect(Object.keys(stacks.ledgerOf('growth').entries)).toContain('projects/shop/env/A@preview');
    expect(actions((await stacks.plan('growth', body)).plan)).toEqual([]);
  });

  it('keeps an object without a name for the stack that takes it, under whatever label', async () => {
    const stacks = await Stacks.start();
    const hook = (label: string, more = '') =>
      `webhooks: { ${label}: { url: https://a.example.com, events: [domain.created], $secretTo: discard${more} } }`;
    const site = 'projects: { site: { framework: vite } }';
    await stacks.apply('web', `${hook('a')}\n${site}`);
    const taker = await stacks.sibling('growth', hook('x', ', $from: web'));
    const { plan } = await stacks.apply('web', site, { siblings: [taker] });
    expect(actions(plan)).toEqual(['forget webhooks/a']);
    const taken = await stacks.apply('growth', hook('x', ', $from: web'), await beside(stacks, site));
    expect(actions(taken.plan)).toEqual(['adopt webhooks/x']);
    expect(stacks.world.twin.account.webhooks).toHaveLength(1);
  });

  it('is handed over under a new label of the giver', async () => {
    const stacks = await Stacks.start();
    const hook = (label: string, more = '') =>
      `webhooks: { ${label}: { url: https://a.example.com, events: [domain.created], $secretTo: discard${more} } }`;
    await stacks.apply('web', hook('a'));
    await stacks.apply('web', hook('b', ', $handover: growth'));
    expect(stacks.ledgerOf('web').entries).toMatchObject({ 'webhooks/b': { handover: 'growth' } });
    expect(Object.keys(stacks.ledgerOf('web').entries)).toEqual(['webhooks/b']);
  });

  it('may take one target of a variable, and leave the others', async () => {
    const stacks = await Stacks.start();
    const variable = (head: string, targets: string, more = '') =>
      `projects: { site: { ${head}, env: { A: { value: one, target: [${targets}]${more} } } } }`;
    await stacks.apply('web', variable('framework: vite', 'preview, production'));
    const left = variable('framework: vite', 'production');
    const taken = await stacks.apply(
      'growth',
      variable('$existing: true', 'preview', ', $from: web'),
      await beside(stacks, left),
    );
    expect(actions(taken.plan)).toEqual(['adopt projects/site/env/A@preview']);
    expect(actions((await stacks.apply('web', left)).plan)).toEqual(['forget projects/site/env/A@preview']);
    expect(stacks.world.twin.account.projects[0]!.env).toHaveLength(1);
    // What shares a row with another stack's target is not changed behind its back.
    const edited = variable('$existing: true', 'preview').replace('value: one', 'value: two');
    expect(errors(await stacks.plan('growth', edited))).toEqual([
      expect.stringContaining('also covers production, which this plan leaves alone'),
    ]);
  });

  it('may take a container from a stack that keeps something in it, in any order', async () => {
    const site = (head: string, more = '') => `projects: { site: { ${head}${more}, env: { A: one } } }`;
    const kept = 'projects: { site: { $existing: true, env: { B: { value: two, target: [preview] } } } }';
    for (const order of [
      ['web', 'growth'],
      ['growth', 'web'],
    ]) {
      const stacks = await Stacks.start();
      const before = 'framework: vite, env: { A: one, B: { value: two, target: [preview] } }';
      await stacks.apply('web', `projects: { site: { ${before} } }`);
      const bodies: Record<string, string> = { web: kept, growth: site('$from: web, framework: vite') };
      const plan = async (stack: string) => {
        const other = stack === 'web' ? 'growth' : 'web';
        return stacks.plan(stack, bodies[stack]!, {
          siblings: [await stacks.sibling(other, bodies[other]!)],
        });
      };
      const shown: Record<string, string[]> = {};
      for (const stack of order) shown[stack] = actions((await plan(stack)).plan);
      for (const round of [1, 2, 3])
        for (const stack of order) {
          const planned = await plan(stack);
          expect(planned.plan.operations).toEqual([]);
          if (round === 1) expect(actions(planned.plan)).toEqual(shown[stack]);
          if (round === 3) expect(changed(planned)).toEqual([]);
          await stacks.carryOut(stack, planned);
        }
      expect(stacks.ledgerOf('web').entries['projects/site']).toMatchObject({ existing: true });
      expect(stacks.ledgerOf('growth').entries['projects/site']).toMatchObject({ origin: 'created' });
    }
  });

  it('takes a container that would be deleted with its block, and what is in it', async () => {
    const stacks = await Stacks.start();
    const site = (more: string, env = 'A: one') =>
      `projects: { site: { framework: vite${more}, env: { ${env} } }, own: {} }`;
    await stacks.apply('web', site('', 'A: one, B: two'));
    const bodies: Record<string, string> = {
      web: 'projects: { own: {} }\nremoved: [{ at: projects/site, delete: true }]',
      growth: 'projects: { site: { framework: vite, $from: web, env: { A: one } } }',
    };
    const plan = async (stack: string) => {
      const other = stack === 'web' ? 'growth' : 'web';
      return stacks.plan(stack, bodies[stack]!, { siblings: [await stacks.sibling(other, bodies[other]!)] });
    };
    for (const stack of ['web', 'growth', 'web']) await stacks.carryOut(stack, await plan(stack));
    for (const stack of ['web', 'growth']) expect(changed(await plan(stack))).toEqual([]);
    expect(Object.keys(stacks.ledgerOf('web').entries)).toEqual(['projects/own']);
    expect(stacks.world.twin.account.projects.map(({ env }) => env.length).sort()).toEqual([0, 2]);
  });

  it('leaves nothing of the old home in the way of the new one, before that is applied again', async () => {
    const stacks = await Stacks.start();
    const site = (more: string) => `projects: { site: { framework: vite${more}, env: { A: one } }, own: {} }`;
    await stacks.apply('web', site(''));
    await stacks.apply('web', site(', $handover: growth'));
    await stacks.apply('growth', site(', $from: web').replace(', own: {}', ''));
    // Not even its deletion.
    const { plan } = await stacks.apply(
      'growth',
      'projects: { mine: {} }\nremoved: [{ at: projects/site, delete: true }]',
    );
    expect(actions(plan)).toContain('delete projects/site');
    expect(
      changed(await stacks.apply('web', 'projects: { own: {} }')).every(
        ({ changesLedgerOnly }) => changesLedgerOnly,
      ),
    ).toBe(true);
    expect(Object.keys(stacks.ledgerOf('web').entries)).toEqual(['projects/own']);
  });

  it('keeps what a reverted commit declares in the old home again, until that takes it back', async () => {
    const stacks = await webHasRecord();
    await stacks.apply('growth', record(', $from: web'), await beside(stacks, none));
    await stacks.apply('web', none);
    const web = await stacks.sibling('web', record());
    const growth = await stacks.sibling('growth', none);
    const kept = await stacks.apply('growth', none, { siblings: [web] });
    expect(actions(kept.plan)).toEqual([]);
    expect(kept.plan.diagnostics.map(({ code }) => code)).toContain('stack/declared-there');
    const refused = await stacks.plan('web', record(), { siblings: [growth] });
    expect(refused.plan.diagnostics).toMatchObject([
      { code: 'stack/owned', hint: expect.stringContaining('$from: growth') },
    ]);
    const back = await stacks.apply('web', record(', $from: growth'), { siblings: [growth] });
    expect(actions(back.plan)).toEqual([`adopt ${address}`]);
    expect(actions((await stacks.apply('growth', none)).plan)).toEqual([`forget ${address}`]);
    expect(stacks.world.writes().filter((write) => write.startsWith('DELETE'))).toEqual([]);
  });
});

describe('without a common workspace', () => {
  it('`$handover` sends nothing; the other stack takes over, and the block is history', async () => {
    const stacks = await webHasRecord();
    // Not even an edit in the same block.
    const given = await stacks.apply('web', record(', $handover: growth', '192.0.2.7'));
    expect(given.plan.operations).toEqual([]);
    expect(changed(given)).toMatchObject([{ action: 'forget', reason: 'handed over to the stack growth' }]);
    expect(stacks.ledgerOf('web').entries[address]).toMatchObject({ handover: 'growth', origin: 'created' });
    const waiting = await stacks.plan('web', record(', $handover: growth'));
    expect(changed(waiting)).toEqual([]);
    expect(waiting.plan.changes.find((change) => change.address === address)?.reason).toBe(
      'waits for the stack growth to take it over',
    );
    const taken = await stacks.apply('growth', record(', $from: web', '192.0.2.9'));
    expect(actions(taken.plan)).toEqual([`update ${address}`]);
    expect(stacks.ledgerOf('growth').entries[address]!.handover).toBeUndefined();
    // Both blocks may lose their keys in any order, before the old home is applied again.
    for (const body of [record(', $from: web', '192.0.2.9'), record('', '192.0.2.9')])
      expect([
        ...actions((await stacks.plan('growth', body)).plan),
        ...codes((await stacks.plan('growth', body)).plan),
      ]).toEqual([]);
    const over = await stacks.apply('web', record(', $handover: growth'));
    expect(changed(over)).toMatchObject([{ action: 'forget', changesLedgerOnly: true }]);
    expect(stacks.ledgerOf('web').entries[address]).toBeUndefined();
    for (const body of [record(', $handover: growth'), none])
      expect(changed(await stacks.plan('web', body))).toEqual([]);
  });

  it('never deletes what was handed over, whatever becomes of the block', async () => {
    const site = (more: string) => `projects: { site: { framework: vite${more} } }`;
    const hook =
      'webhooks: { a: { url: https://a.example.com, events: [domain.created], $secretTo: discard } }';
    const stacks = await Stacks.start();
    await stacks.apply('web', `${site(', env: { A: one }')}\n${hook}`);
    await stacks.apply('web', `${site(', env: { A: { value: one, $handover: growth } }')}\n${hook}`);
    // The block is gone, and nobody has taken it yet: it waits.
    expect(changed(await stacks.apply('web', `${site(', $exclusive: [env]')}\n${hook}`))).toEqual([]);
    // Not with its container, either.
    const gone = `${hook}\nremoved: [{ at: projects/site, delete: true }]`;
    expect(codes((await stacks.plan('web', gone)).plan)).toContain('stack/inside');
    const end: PlanOptions = { destroy: true, containersToDelete: ['projects/site'] };
    expect(codes((await stacks.plan('web', hook, end)).plan)).toContain('stack/inside');
    await stacks.apply('web', `${site(', $handover: growth')}\n${hook}`);
    const destroyed = await stacks.apply('web', hook, end);
    expect(actions(destroyed.plan).filter((text) => !text.startsWith('forget'))).toEqual([
      'delete webhooks/a',
    ]);
    expect(stacks.world.twin.account.projects[0]!.env).toHaveLength(1);
  });

  it('leaves a rule in its place, while its block moves in the list of its former owner', async () => {
    const stacks = await Stacks.start({ seed: { projects: [{ name: 'site' }] } });
    const rule = (name: string, more = '') =>
      `{ name: ${name}, active: true, action: { mitigate: { action: deny } }, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /${name} }] }]${more} }`;
    const rules = (...items: string[]) =>
      `projects: { site: { $existing: true, firewall: { rules: [${items.join(', ')}] } } }`;
    await stacks.apply('web', rules(rule('a'), rule('b'), rule('c')));
    const made = stacks.world.writes().filter((write) => write.startsWith('PATCH')).length;
    const given = rule('b', ', $handover: growth');
    for (const items of [
      [rule('a'), given, rule('c')],
      [given, rule('a'), rule('c')],
    ])
      expect((await stacks.apply('web', rules(...items))).plan.operations).toEqual([]);
    await stacks.apply('growth', rules(rule('b', ', $from: web')));
    expect((await stacks.apply('web', rules(rule('a'), rule('c')))).plan.operations).toEqual([]);
    expect(stacks.world.writes().filter((write) => write.startsWith('PATCH'))).toHaveLength(made);
  });

  it('may be revoked until it was taken', async () => {
    const stacks = await webHasRecord(', $handover: growth');
    const back = await stacks.apply('web', record('', '192.0.2.5'));
    expect(actions(back.plan)).toEqual([`update ${address}`]);
    expect(errors(await stacks.plan('growth', record(', $from: web', '192.0.2.5')))).toEqual([
      `${address} is owned by the stack web (applied 3 days ago), and not handed over`,
    ]);
    const again = await webHasRecord(', $handover: growth');
    expect(changed(await again.apply('web', record()))).toMatchObject([{ reason: '`$handover` is lifted' }]);
    await again.apply('web', record(', $handover: growth'));
    // Too late: both are told, and nothing is lost.
    await again.apply('growth', record(', $from: web'));
    expect(errors(await again.plan('web', record()))).toEqual([
      `${address} is owned by the stack growth (applied 3 days ago), and by this one`,
    ]);
  });

  it('releasing in one and declaring in the other needs no common key', async () => {
    const stacks = await webHasRecord();
    stacks.strangers.add('web');
    const refused = await stacks.plan('growth', record(', $from: web'), await beside(stacks, none));
    expect(refused.plan.diagnostics).toMatchObject([
      {
        code: 'stack/no-consent',
        message: `${address} is owned by the stack web (applied 3 days ago), whose ledger is not signed with this run's key`,
        hint: expect.stringContaining('`delete: false`'),
      },
    ]);
    await stacks.apply('web', `${none}\nremoved: [{ at: ${address}, delete: false }]`);
    expect(actions((await stacks.apply('growth', record())).plan)).toEqual([`adopt ${address}`]);
  });
});

describe('that only the new home has applied, where both drop the object,', () => {
  const half = async () => {
    const stacks = await webHasRecord();
    await stacks.apply('growth', record(', $from: web'), await beside(stacks, none));
    return stacks;
  };

  it('leaves it to the old home, which deletes it', async () => {
    const stacks = await half();
    const { plan } = await stacks.apply('growth', none);
    expect(plan.changes.filter(({ action }) => action !== 'noop')).toMatchObject([
      { action: 'forget', reason: 'left to the stack web, also an owner' },
    ]);
    expect(actions((await stacks.apply('web', none)).plan)).toEqual([`delete ${address}`]);
  });

  it('never ends with an object of nobody, in whichever order and both at once', async () => {
    for (const order of [
      ['web', 'growth'],
      ['growth', 'web'],
    ]) {
      const stacks = await half();
      const siblings = [await stacks.sibling('web', none), await stacks.sibling('growth', none)];
      const othersOf = (stack: string) => ({
        siblings: siblings.filter(({ desired }) => desired.stack !== stack),
      });
      const planned = [];
      for (const stack of order)
        planned.push([stack, await stacks.plan(stack, none, othersOf(stack))] as const);
      const warnings = planned.flatMap(([stack, { plan }]) =>
        plan.diagnostics
          .filter(({ code }) => code === 'stack/dropped-by-both')
          .map(({ message }) => [stack, message]),
      );
      expect(warnings).toEqual([
        [
          'web',
          `${address} is no longer declared here, nor by the stack growth, which owns it as well: it is kept until that stack is applied`,
        ],
      ]);
      for (const [stack, plan] of planned) await stacks.carryOut(stack, plan);
      const next = [];
      for (const stack of order)
        next.push(...actions((await stacks.apply(stack, none, othersOf(stack))).plan));
      expect(next).toEqual([`delete ${address}`]);
    }
  });
});

it.each([
  ['a block', 'projects/shop', 'projects/web'],
  ['a block in a renamed one', 'projects/shop/env/A@production', 'projects/web/env/A@production'],
  ['a renamed block in a renamed one', 'projects/shop/env/B@production', 'projects/web/env/OLD@production'],
])('the former address of %s', async (_, address, expected) => {
  const stacks = await Stacks.start();
  const { input } = await stacks.plan(
    'web',
    'projects: { shop: { $was: web, env: { A: { value: a, target: [production] }, B: { $was: OLD, value: b, target: [production] } } } }',
  );
  expect(formerAddress(address, input.desired.resources)).toBe(expected);
});
