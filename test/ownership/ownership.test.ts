import { describe, expect, it } from 'vitest';
import type { PlanOptions } from '../../src/plan/input.ts';
import { actions, codes } from '../support/scene.ts';
import { Stacks } from '../support/stacks.ts';

const messages = ({ plan }: { plan: { diagnostics: { severity: string; message: string }[] } }) =>
  plan.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);

const site = (more = '') => `projects: { site: { framework: vite${more} } }`;
const seed = { domains: [{ name: 'example.com' }] };

describe('what another stack owns', () => {
  it('is an error here, all of it at once, with whose it is and since when', async () => {
    const stacks = await Stacks.start();
    await stacks.apply(
      'web',
      site(', env: { A: one, B: { value: two, target: [preview] } }, domains: { a.example.org: {} }'),
    );
    const planned = await stacks.plan(
      'growth',
      'projects: { site: { $existing: true, env: { A: other, C: new }, domains: { a.example.org: {} } } }',
    );
    expect(messages(planned).filter((text) => text.includes('owned by'))).toEqual([
      'projects/site/domains/a.example.org is owned by the stack web (applied 3 days ago)',
      'projects/site/env/A@development is owned by the stack web (applied 3 days ago)',
      'projects/site/env/A@preview is owned by the stack web (applied 3 days ago)',
      'projects/site/env/A@production is owned by the stack web (applied 3 days ago)',
    ]);
    expect(planned.plan.diagnostics.find(({ code }) => code === 'stack/owned')).toMatchObject({
      hint: expect.stringContaining('$from: web'),
      at: { line: expect.any(Number) },
    });
  });

  it('may be named, and its sections may be others’', async () => {
    const stacks = await Stacks.start();
    await stacks.apply('web', site(', env: { A: one }'));
    await stacks.apply('growth', 'projects: { site: { $existing: true, env: { C: new } } }');
    for (const [stack, body] of [
      ['web', site(', env: { A: one }')],
      ['growth', 'projects: { site: { $existing: true, env: { C: new } } }'],
    ] as const)
      expect(actions((await stacks.plan(stack, body)).plan)).toEqual([]);
  });

  it('is an error for both, where both have it from before', async () => {
    const stacks = await Stacks.start();
    await stacks.apply('web', site());
    stacks.ledgers.set('growth', { ...stacks.ledgerOf('web'), stack: 'growth' });
    for (const [stack, other] of [
      ['web', 'growth'],
      ['growth', 'web'],
    ] as const)
      expect(messages(await stacks.plan(stack, site()))).toEqual([
        `projects/site is owned by the stack ${other} (applied 3 days ago), and by this one`,
      ]);
  });

  it('is never deleted once it was adopted there, and dropped here', async () => {
    const stacks = await Stacks.start({ seed });
    const record =
      'domains: { example.com: { $existing: true, records: [{ type: A, name: www, value: 192.0.2.1 }] } }';
    await stacks.apply('web', record);
    // The other one adopted it from a store of its own.
    stacks.ledgers.set('growth', { ...stacks.ledgerOf('web'), stack: 'growth' });
    const planned = await stacks.apply('web', 'domains: { example.com: { $existing: true } }');
    expect(planned.plan.changes.filter(({ action }) => action !== 'noop')).toMatchObject([
      {
        action: 'forget',
        address: 'domains/example.com/records/www/A',
        reason: 'handed over to the stack growth',
      },
    ]);
    expect(actions((await stacks.plan('growth', record)).plan)).toEqual([]);
  });

  it('keeps a container: by name, by `$onRemove`, in the end of a stack', async () => {
    const stacks = await Stacks.start();
    await stacks.apply('web', site(', $onRemove: delete'));
    await stacks.apply(
      'growth',
      'projects: { site: { $existing: true, env: { C: new, D: { value: x, target: [preview] } } } }',
    );
    for (const [body, options] of [
      ['webhooks: { a: { url: https://a.example.com, events: [domain.created], $secretTo: discard } }', {}],
      ['projects: {}', { destroy: true, deletions: ['projects/site'] }],
    ] as [string, PlanOptions][]) {
      const planned = await stacks.plan('web', body, options);
      expect(codes(planned.plan)).toContain('stack/inside');
      expect(messages(planned).join()).toContain('projects/site/env/C@development');
      expect(messages(planned).join()).toContain('owned by the stack growth (applied 3 days ago)');
    }
    await stacks.apply('growth', 'projects: { site: { $existing: true } }');
    await stacks.apply('web', 'projects: {}', { destroy: true, deletions: ['projects/site'] });
    expect(stacks.world.twin.account.projects).toEqual([]);
  });

  it('is left alone by `$exclusive`, by name', async () => {
    const stacks = await Stacks.start();
    await stacks.apply('web', site());
    await stacks.apply(
      'growth',
      'projects: { site: { $existing: true, env: { C: { value: x, target: [preview] } } } }',
    );
    const { plan } = await stacks.plan(
      'web',
      site(', $exclusive: [env], env: { A: { value: x, target: [preview] } }'),
    );
    expect(actions(plan)).toEqual(['create projects/site/env/A@preview']);
    expect(
      plan.diagnostics.filter(({ code }) => code === 'stack/left').map(({ message }) => message),
    ).toEqual([
      'projects/site/env/C@preview is not declared here and is kept: it is owned by the stack growth (applied 3 days ago)',
    ]);
  });

  it('is known by the record: two stacks may have a TXT record each at one name', async () => {
    const stacks = await Stacks.start({ seed });
    const txt = (value: string) =>
      `domains: { example.com: { $existing: true, records: [{ type: TXT, name: "", value: ${value} }] } }`;
    await stacks.apply('web', txt('spf'));
    await stacks.apply('mail', txt('verification'));
    expect(actions((await stacks.plan('web', txt('spf'))).plan)).toEqual([]);
    expect(actions((await stacks.plan('mail', txt('verification'))).plan)).toEqual([]);
    await stacks.apply('web', txt('spf2'));
    expect(actions((await stacks.plan('mail', txt('verification'))).plan)).toEqual([]);
    const both = await stacks.plan('mail', 'domains: { example.com: { $existing: true } }');
    expect(both.plan.operations.map(({ requests }) => requests.length)).toEqual([1]);
  });
});

describe('handing over', () => {
  const record = (more = '', value = '192.0.2.1') =>
    `domains: { example.com: { $existing: true, records: [{ type: A, name: www, value: ${value}${more} }] } }`;
  const none = 'domains: { example.com: { $existing: true } }';
  const address = 'domains/example.com/records/www/A';

  it('takes the memory along: an edit in the same step is an edit, and the old home forgets', async () => {
    const stacks = await Stacks.start({ seed });
    await stacks.apply('web', record());
    const taken = await stacks.plan('growth', record(', $from: web', '192.0.2.9'));
    expect(taken.plan.changes.find((one) => one.address === address)).toMatchObject({
      action: 'update',
      fields: [{ cause: 'edit' }],
    });
    await stacks.carryOut('growth', taken);
    expect(stacks.ledgerOf('growth').entries[address]!.origin).toBe('created');
    const dropped = await stacks.apply('web', none);
    expect(actions(dropped.plan)).toEqual([`forget ${address}`]);
    for (const body of [record(', $from: web', '192.0.2.9'), record('', '192.0.2.9')])
      expect(actions((await stacks.plan('growth', body)).plan)).toEqual([]);
  });

  it('without a change is an entry in the ledger', async () => {
    const stacks = await Stacks.start({ seed });
    await stacks.apply('web', record());
    const { plan } = await stacks.apply('growth', record(', $from: web'));
    expect(plan.changes.filter(({ action }) => action !== 'noop')).toMatchObject([
      { action: 'adopt', address, reason: 'the stack web hands it over' },
    ]);
    expect(messages(await stacks.plan('web', record()))).toEqual([
      `${address} is owned by the stack growth (applied 3 days ago), and by this one`,
    ]);
    await stacks.apply('web', none);
    expect(Object.keys(stacks.ledgerOf('web').entries)).not.toContain(address);
  });

  it('takes no memory from a ledger that another key signed', async () => {
    const stacks = await Stacks.start({ seed });
    await stacks.apply('web', record());
    stacks.strangers.add('web');
    await stacks.apply('growth', record(', $from: web'));
    expect(stacks.ledgerOf('growth').entries[address]!.origin).toBe('adopted');
  });

  it('holds for all that is in a block, and only for the stack that is named', async () => {
    const stacks = await Stacks.start();
    await stacks.apply('web', site(', env: { A: one }, domains: { a.example.org: {} }'));
    const wrong = await stacks.plan(
      'growth',
      site(', $from: wbe, env: { A: one }, domains: { a.example.org: {} }'),
    );
    expect(messages(wrong)[0]).toBe(
      'projects/site is owned by the stack web (applied 3 days ago); `$from` says wbe',
    );
    await stacks.apply('growth', site(', $from: web, env: { A: one }, domains: { a.example.org: {} }'));
    const dropped = await stacks.apply(
      'web',
      'webhooks: { a: { url: https://a.example.com, events: [domain.created], $secretTo: discard } }',
    );
    expect(actions(dropped.plan).filter((one) => !one.startsWith('forget'))).toEqual(['create webhooks/a']);
    expect(stacks.world.twin.account.projects).toHaveLength(1);
  });

  it('may begin with the old home, where the workspace knows the new one', async () => {
    const stacks = await Stacks.start({ seed });
    await stacks.apply('web', record());
    const { plan } = await stacks.apply('web', none, { handedOver: new Map([[address, 'growth']]) });
    expect(plan.changes.filter(({ action }) => action !== 'noop')).toMatchObject([
      { action: 'forget', reason: 'handed over to the stack growth' },
    ]);
    expect(actions((await stacks.apply('growth', record(', $from: web'))).plan)).toEqual([
      `adopt ${address}`,
    ]);
  });

  it('may begin with the old home that says `$forget`', async () => {
    const stacks = await Stacks.start({ seed });
    await stacks.apply('web', record());
    await stacks.apply('web', record(', $forget: true'));
    expect(actions((await stacks.apply('growth', record(', $from: web'))).plan)).toEqual([
      `adopt ${address}`,
    ]);
  });
});
