import { describe, expect, it } from 'vitest';
import { foldDiagnostics } from '../../src/model/fold-diagnostics.ts';
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

  it('includes the settings of an object that the same apply created, also under another name', async () => {
    const stacks = await Stacks.start();
    const settings = 'firewall: { firewallEnabled: true }';
    await stacks.apply('web', `projects: { site: { ${settings} } }`);
    const growth = (name: string) => `projects: { ${name}: { $existing: true, ${settings} } }`;
    expect(messages(await stacks.plan('growth', growth('site')))).toEqual([
      'projects/site/firewall is owned by the stack web (applied 3 days ago)',
    ]);
    stacks.world.twin.account.projects[0]!.name = 'shop';
    expect(messages(await stacks.plan('growth', growth('shop')))).toEqual([
      'projects/shop/firewall is owned by the stack web (applied 3 days ago) as projects/site/firewall',
    ]);
    await stacks.apply('blog', 'projects: { blog: {} }');
    expect(messages(await stacks.plan('growth', growth('blog')))).toEqual([]);
  });

  it('is one error for each stack where it is much, with the first names and every place', async () => {
    const stacks = await Stacks.start();
    const sites = (names: string[], more = '') =>
      `projects:\n${names.map((name) => `  ${name}:\n    env: { A: one, B: two }\n    ${more}\n`).join('')}`;
    await stacks.apply('web', sites(['a', 'b']));
    await stacks.apply('old', sites(['c']));
    const { plan } = await stacks.plan('growth', sites(['a', 'b', 'c']));
    const [web, old, ...more] = foldDiagnostics(plan.diagnostics).filter(
      ({ code }) => code === 'stack/owned',
    );
    expect(web).toMatchObject({
      severity: 'error',
      code: 'stack/owned',
      message:
        '6 resources are owned by the stack web (applied 3 days ago): projects/a, projects/b, projects/a/env/A and 3 more',
      hint: expect.stringContaining('write `$from: web` in their blocks'),
      at: expect.objectContaining({ line: 4 }),
      related: [
        ['projects/b', 7],
        ['projects/a/env/A', 5],
        ['projects/a/env/B', 5],
        ['projects/b/env/A', 8],
        ['projects/b/env/B', 8],
      ].map(([message, line]) => ({ message, at: expect.objectContaining({ line }) })),
    });
    expect(old?.message).toBe(
      '3 resources are owned by the stack old (applied 3 days ago): projects/c, projects/c/env/A and projects/c/env/B',
    );
    expect(more).toEqual([]);
    // The container's `$from` is for all in it.
    const siblings = [await stacks.sibling('web', sites(['z']))];
    const handed = await stacks.plan('growth', sites(['a', 'b', 'c'], '$from: web'), { siblings });
    expect(messages(handed).filter((text) => text.includes('stack web'))).toEqual([]);
    // So is the missing consent.
    const taken = await stacks.plan('growth', sites(['a', 'b'], '$from: web'));
    expect(foldDiagnostics(taken.plan.diagnostics).filter(({ code }) => code === 'stack/no-consent')).toEqual(
      [
        expect.objectContaining({
          message:
            '6 resources are owned by the stack web (applied 3 days ago), and not handed over: projects/a, projects/b, projects/a/env/A and 3 more',
        }),
      ],
    );
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
        reason: 'left to the stack growth, also an owner',
      },
    ]);
    expect(actions((await stacks.plan('growth', record)).plan)).toEqual([]);
  });

  it('keeps a container: by `removed`, in the end of a stack', async () => {
    const stacks = await Stacks.start();
    await stacks.apply('web', site(''));
    await stacks.apply(
      'growth',
      'projects: { site: { $existing: true, env: { C: new, D: { value: x, target: [preview] } } } }',
    );
    for (const [body, options] of [
      [
        'webhooks: { a: { url: https://a.example.com, events: [domain.created], $secretTo: discard } }\nremoved: [{ at: projects/site, delete: true }]',
        {},
      ],
      ['projects: {}', { destroy: true, containersToDelete: ['projects/site'] }],
    ] as [string, PlanOptions][]) {
      const planned = await stacks.plan('web', body, options);
      expect(codes(planned.plan)).toContain('stack/inside');
      expect(messages(planned).join()).toContain('projects/site/env/C@development');
      expect(messages(planned).join()).toContain('owned by the stack growth (applied 3 days ago)');
    }
    await stacks.apply('growth', 'projects: { site: { $existing: true } }');
    await stacks.apply('web', 'projects: {}', { destroy: true, containersToDelete: ['projects/site'] });
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
      'projects/site/env/C@preview is not declared here and is kept: it is owned by the stack growth',
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

  /** Kinds whose ids are unique in their container only: a person, a path, a key. */
  const alike = {
    'a member of two projects': {
      body: (name: string, what = 'members: { user_1: { role: PROJECT_DEVELOPER } }') =>
        `projects: { ${name}: { framework: vite, $allow: [remove-access], ${what} } }`,
      none: 'nodeVersion: 22.x',
      address: (name: string) => `projects/${name}/members/user_1`,
    },
    'items of one name in two configs': {
      body: (name: string, what = 'items: { banner: { value: hello } }') =>
        `globalConfigs: { ${name}: { ${what} } }`,
      none: '',
      address: (name: string) => `globalConfigs/${name}/items/banner`,
    },
    'redirects from one path in two projects': {
      body: (name: string, what = 'bulkRedirects: { /old: { destination: /new } }') =>
        `projects: { ${name}: { framework: vite, ${what} } }`,
      none: 'nodeVersion: 22.x',
      address: (name: string) => `projects/${name}/bulkRedirects/%2Fold`,
    },
  };

  for (const [name, { body, none, address }] of Object.entries(alike))
    it(`is told from what has the same id elsewhere: ${name}`, async () => {
      const stacks = await Stacks.start({
        seed: { team: { members: [{ uid: 'user_1', email: 'ada@acme.example', role: 'MEMBER' }] } },
      });
      await stacks.apply('web', body('one'));
      await stacks.apply('growth', body('two'));
      for (const [stack, where] of [
        ['web', 'one'],
        ['growth', 'two'],
      ] as const) {
        const planned = await stacks.plan(stack, body(where));
        expect([...actions(planned.plan), ...messages(planned)]).toEqual([]);
      }
      // What is dropped here is deleted: the other stack has not taken it over.
      const dropped = await stacks.apply('web', body('one', none));
      expect(actions(dropped.plan)).toContain(`delete ${address('one')}`);
      // And who names the container otherwise still means the same object.
      stacks.ledgers.set('other', {
        ...stacks.ledgerOf('growth'),
        stack: 'other',
        entries: Object.fromEntries(
          Object.entries(stacks.ledgerOf('growth').entries).map(([at, entry]) => [
            at.replace('/two', '/formerly'),
            entry,
          ]),
        ),
      });
      const both = await stacks.plan('growth', body('two'));
      expect(codes(both.plan)).toContain('stack/owned');
      expect(messages(both).join('\n')).toContain(
        `${address('two')} is owned by the stack other (applied 3 days ago) as ${address('formerly')}, and by this one`,
      );
    });

  it('may be renamed by its owner: what others have in it follows with `$was`, before or after', async () => {
    const stacks = await Stacks.start();
    const inside = (head: string, value = 'one') =>
      `projects: { ${head} $existing: true, env: { A: { value: ${value}, type: plain } } } }`;
    await stacks.apply('web', 'projects: { site: { framework: vite } }');
    await stacks.apply('growth', inside('site: {'));
    // Both in one commit: the owner has not renamed it yet.
    const early = await stacks.plan('growth', inside('shop: { $was: site,', 'two'));
    expect([...actions(early.plan), ...messages(early)]).toEqual([
      'update projects/shop/env/A@development',
      'update projects/shop/env/A@preview',
      'update projects/shop/env/A@production',
    ]);
    await stacks.apply('web', 'projects: { shop: { framework: vite, $was: site } }');
    const lost = await stacks.plan('growth', inside('shop: {'));
    const [missing] = lost.plan.diagnostics.filter(({ code }) => code === 'existing/missing');
    expect([missing!.message, missing!.hint]).toEqual([
      'projects/shop is declared with `$existing`, and known here as projects/site, its name before it was renamed',
      'add `$was: site` to its block, and nothing in it changes',
    ]);
    const { plan } = await stacks.apply('growth', inside('shop: { $was: site,'));
    expect(plan.operations).toEqual([]);
    expect(actions((await stacks.plan('growth', inside('shop: {'))).plan)).toEqual([]);
    expect(stacks.world.twin.account.projects.map(({ name, env }) => [name, env.length])).toEqual([
      ['shop', 1],
    ]);
  });
});
