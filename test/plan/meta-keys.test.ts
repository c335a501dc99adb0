import { describe, expect, it } from 'vitest';
import { actions, changeAt, codes, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(7);

describe('$handover', () => {
  it('of a missing object is no error for its content, which is handed over with it', async () => {
    const world = await newWorld();
    const handover = 'projects: { web: { $handover: other, env: { A: a } }, api: {} }';
    expect(codes((await world.plan(handover)).plan)).toEqual([]);
    const needing = `${handover}\naccessGroups: { Web: { projects: { web: { role: ADMIN } } } }`;
    expect(codes((await world.plan(needing)).plan)).toEqual(['forget/missing']);
  });
});

describe('$was', () => {
  const content = `
    customEnvironments: { staging: {} }
    env: { A: { value: a, customEnvironmentIds: [staging] } }
    domains: { a.example.com: { redirect: b.example.com, redirectStatusCode: 308 }, b.example.com: {} }`;
  const named = (name: string, meta = '') => `projects:\n  ${name}:${meta && `\n    ${meta}`}${content}\n`;

  it('renames, and takes all that is in it along', async () => {
    const world = await newWorld();
    await world.converge(named('old'));
    const { id } = world.twin.account.projects[0]!;
    const since = world.twin.requests.length;
    const plan = await world.converge(named('new', '$was: old'));
    expect(actions(plan)).toContain('update projects/new');
    expect(world.writes(since)).toEqual([`PATCH /v9/projects/${id}`]);
    expect(Object.keys(world.ledger.entries).every((address) => address.startsWith('projects/new'))).toBe(
      true,
    );
    expect(JSON.stringify(world.ledger.entries)).not.toContain('projects/old');
  });

  story('is history once it was followed, and may be removed', async () => {
    const world = await newWorld();
    await world.converge(named('old'));
    await world.converge(named('new', '$was: old'));
    expect(actions((await world.plan(named('new', '$was: old'))).plan)).toEqual([]);
    expect(actions((await world.plan(named('new'))).plan)).toEqual([]);
  });

  story('deletes in the right order what was renamed before', async () => {
    const world = await newWorld();
    await world.converge(named('old'));
    await world.converge(named('new', '$was: old'));
    const since = world.twin.requests.length;
    await world.converge('projects: { new: {} }');
    const order = world.writes(since).map((line) => line.replace(/.*\//, ''));
    expect(order.indexOf('a.example.com')).toBeLessThan(order.indexOf('b.example.com'));
  });

  it('is an error where both are declared', async () => {
    const world = await newWorld();
    await world.converge(named('old'));
    const { plan } = await world.plan('projects: { old: {}, new: { $was: old } }');
    expect(codes(plan)).toContain('was/both-declared');
  });

  it('is an error where both are live', async () => {
    const world = await newWorld();
    await world.converge('projects: { old: {} }');
    world.twin.add({ projects: [{ name: 'new' }] });
    expect(codes((await world.plan('projects: { new: { $was: old } }')).plan)).toEqual(['match/name-taken']);
    const fresh = await newWorld({ seed: { projects: [{ name: 'old' }, { name: 'new' }] } });
    const { plan } = await fresh.plan('projects: { new: { $was: old } }', { adoptRenamed: true });
    expect(codes(plan)).toEqual(['match/ambiguous']);
  });

  it('needs --adopt-renamed for what was never applied from here', async () => {
    const world = await newWorld({ seed: { projects: [{ name: 'old', env: [{ key: 'A', value: 'a' }] }] } });
    const yaml = 'projects: { new: { $was: old, env: { A: a } } }';
    expect(codes((await world.plan(yaml)).plan)).toEqual(['was/unknown']);
    await world.converge(yaml, { adoptRenamed: true });
    expect(world.twin.account.projects.map(({ name }) => name)).toEqual(['new']);
  });

  story('creates nothing with --adopt-renamed if the account has no object of that name', async () => {
    const world = await newWorld({
      seed: { projects: [{ name: 'web', env: [{ key: 'OLD', value: 'a' }] }] },
    });
    const adopt = async (yaml: string) => codes((await world.plan(yaml, { adoptRenamed: true })).plan);
    expect(await adopt('projects: { new: { $was: odl } }')).toEqual(['was/unfound']);
    expect(await adopt('projects: { web: { env: { NEW: { value: a, $was: ODL } } } }')).toHaveLength(3);
    expect(await adopt('projects: { web: { env: { NEW: { value: a, $was: OLD } } } }')).toEqual([]);
  });

  story('that a target left out was not followed: it can be taken back, or made then', async () => {
    const world = await newWorld();
    await world.converge('projects: { old: {}, api: {} }');
    const { id } = world.twin.account.projects.find(({ name }) => name === 'old')!;
    const renamed = 'projects: { new: { $was: old }, api: { framework: nextjs } }';
    await world.apply(await world.plan(renamed, { targets: ['projects/api'] }));
    expect(world.ledger.entries['projects/old']?.ids).toEqual([id]);
    expect(actions((await world.plan('projects: { old: {}, api: {} }')).plan)).toEqual([
      'release projects/api',
    ]);
    await world.converge(renamed);
    expect(world.ledger.entries['projects/new']?.ids).toEqual([id]);
  });

  story('is asked for to go back on a rename where somebody took the old name back', async () => {
    const world = await newWorld();
    await world.converge('projects: { old: { env: { A: a } } }');
    await world.converge('projects: { new: { $was: old, env: { A: a } } }');
    world.twin.account.projects[0]!.name = 'old';
    expect(codes((await world.plan('projects: { old: {} }')).plan)).toEqual(['was/missing']);
    await world.converge('projects: { old: { $was: new, env: { A: a } } }');
  });

  story('follows a child and its parent in one go', async () => {
    const world = await newWorld();
    await world.converge('projects: { old: { customEnvironments: { one: {} } } }');
    await world.converge('projects: { new: { $was: old, customEnvironments: { two: { $was: one } } } }');
    expect(world.twin.account.projects[0]!.customEnvironments.map(({ slug }) => slug)).toEqual(['two']);
    expect(Object.keys(world.ledger.entries).sort()).toEqual([
      'projects/new',
      'projects/new/customEnvironments/two',
    ]);
  });
});

describe('$replace', () => {
  const domain = (environment: string, meta = '') =>
    `projects: { web: { customEnvironments: { a: {}, b: {} }, domains: { x.example.com: { customEnvironmentId: ${environment}${meta} } } } }`;

  it('is asked for where a change needs delete and create', async () => {
    const world = await newWorld();
    await world.converge(domain('a'));
    const { plan } = await world.plan(domain('b'));
    expect(codes(plan)).toEqual(['replace/refused']);
    expect(plan.diagnostics[0]!.message).toContain('customEnvironmentId');
    expect(plan.operations).toEqual([]);
  });

  it('allows it', async () => {
    const world = await newWorld();
    await world.converge(domain('a'));
    const since = world.twin.requests.length;
    const plan = await world.converge(domain('b', ', $replace: allow'));
    expect(changeAt(plan, 'projects/web/domains/x.example.com')).toMatchObject({
      action: 'replace',
      grade: 'irreversible',
    });
    expect(world.writes(since).map((line) => line.split(' ')[0])).toEqual(['DELETE', 'POST']);
  });

  it('deletes the content of a replaced object, and creates what is declared again', async () => {
    const world = await newWorld();
    const types = {
      'built-in': 'ruleScope: { type: all }, triggers: { mode: all }, matchMinimumSeverityLevel: low',
      custom:
        "ruleScope: { type: project, projectId: '${projects.web.id}' }, severity: low, evaluation: { window: 5m, query: { metrics: { errors: { metric: vercel.request.count, aggregation: count } }, outputs: [errors] } }, trigger: { type: threshold, output: errors, operator: gt, threshold: 20 }",
    };
    const rule = (type: keyof typeof types, ...channels: string[]) =>
      `projects: { web: {} }\nalertRules: { a: { $replace: allow, type: ${type}, ${types[type]}, notifications: { ${channels
        .map((id) => `${id}: { type: slack, configId: icfg_cuwj0AdCdH3BwWT4LPijCC7t, channelId: ${id} }`)
        .join()} } } }`;
    await world.converge(rule('built-in', 'C1', 'C2'));
    const both = ['replace alertRules/a', 'create alertRules/a/notifications/C1'];
    for (const target of ['alertRules/a', 'alertRules/a/notifications/C1']) {
      const { plan } = await world.plan(rule('custom', 'C1', 'C2'), { targets: [target] });
      expect(actions(plan)).toEqual([...both, 'create alertRules/a/notifications/C2']);
    }
    const existing = rule('custom', 'C1').replace(/C1: \{.*?\}/, 'C1: { $existing: true }');
    expect(codes((await world.plan(existing)).plan)).toEqual(['plan/still-inside']);
    const plan = await world.converge(rule('custom', 'C1'));
    expect(actions(plan)).toEqual([...both, 'delete alertRules/a/notifications/C2']);
    expect(changeAt(plan, 'alertRules/a/notifications/C1')!.reason).toBe(
      'deleted together with alertRules/a, which is replaced',
    );
  });

  story('changes what refers to the id of a replaced object, in the same plan', async () => {
    const world = await newWorld();
    const hook = (url: string) => `
webhooks: { pager: { url: 'https://${url}.example.com/', events: [alerts.triggered], $secretTo: discard, $replace: allow } }
projects: { web: { env: { HOOK: { value: 'x-\${webhooks.pager.id}', type: plain, target: [production] }, URL: a } } }
alertRules: { a: { type: built-in, ruleScope: { type: all }, triggers: { mode: all }, matchMinimumSeverityLevel: low, notifications: { n: { type: webhook, webhookId: '\${webhooks.pager.id}' } } } }`;
    await world.converge(hook('one'));
    const all = [
      'replace alertRules/a/notifications/n',
      'update projects/web/env/HOOK@production',
      'replace webhooks/pager',
    ];
    for (const target of ['projects/web/env/HOOK@*', 'webhooks/pager'])
      expect(actions((await world.plan(hook('two'), { targets: [target] })).plan)).toEqual(all);
    const plan = await world.converge(hook('two'));
    expect(actions(plan)).toEqual(all);
    // The old webhook goes when nothing needs it any more.
    const deletion = plan.operations.find(({ id }) => id === 'delete webhooks/pager')!;
    expect(deletion.dependsOn).toEqual([
      'create webhooks/pager',
      'delete alertRules/a/notifications/n',
      'update projects/web/env/HOOK@production',
    ]);
  });

  story(
    'a replacement that fails half-way is not taken for a deletion by others, and is finished by the next run',
    async () => {
      const world = await newWorld();
      await world.converge(domain('a'));
      const planned = await world.plan(domain('b', ', $replace: allow'));
      const send: typeof world.connection.send = (request) =>
        request.endpoint.startsWith('POST')
          ? Promise.reject(new Error('no'))
          : world.connection.send(request);
      const { outcome } = await world.apply(planned, { send });
      expect(outcome.failed).toHaveLength(1);
      expect(Object.keys(world.ledger.entries)).not.toContain('projects/web/domains/x.example.com');
      const plan = await world.converge(domain('b', ', $replace: allow'));
      expect(changeAt(plan, 'projects/web/domains/x.example.com')!.reason).toBeUndefined();
    },
  );

  it('never for what holds others, a domain for example', async () => {
    const world = await newWorld();
    await world.converge('domains: { a.example.com: {} }');
    const yaml = 'domains: { b.example.com: { $was: a.example.com, $replace: allow } }';
    expect(codes((await world.plan(yaml)).plan)).toEqual(['replace/refused']);
  });
});

describe('$dependsOn', () => {
  const chain = (list: [name: string, needs?: string][]) =>
    `projects: {}\ndomains:\n${list.map(([name, needs]) => `  ${name}: { ${needs ? `$dependsOn: ['domains["${needs}"]']` : ''} }`).join('\n')}\n`;
  const three = chain([
    ['a.example.com', 'b.example.com'],
    ['b.example.com', 'c.example.com'],
    ['c.example.com'],
  ]);

  story('orders creation, and backward the deletion of what is not declared any more', async () => {
    const world = await newWorld();
    await world.converge(three);
    const order = () => world.twin.account.domains.map(({ name }) => name);
    expect(order()).toEqual(['c.example.com', 'b.example.com', 'a.example.com']);
    const since = world.twin.requests.length;
    const removed = ['a', 'b', 'c'].map((name) => `{ at: domains/${name}.example.com, delete: true }`);
    await world.converge(`projects: { web: {} }\nremoved: [${removed.join(', ')}]`);
    expect(
      world
        .writes(since)
        .filter((line) => line.startsWith('DELETE'))
        .map((line) => line.replace(/.*\//, '')),
    ).toEqual(['a.example.com', 'b.example.com', 'c.example.com']);
  });

  it('is recorded though nothing else changed', async () => {
    const world = await newWorld();
    await world.converge(chain([['a.example.com'], ['b.example.com']]));
    const yaml = chain([['a.example.com', 'b.example.com'], ['b.example.com']]);
    expect(actions(await world.converge(yaml))).toEqual(['adopt domains/a.example.com']);
  });

  it('in a circle is an error', async () => {
    const world = await newWorld();
    const { plan } = await world.plan(
      chain([
        ['a.example.com', 'b.example.com'],
        ['b.example.com', 'a.example.com'],
      ]),
    );
    expect(codes(plan).length).toBeGreaterThan(0);
    expect(plan.operations).toEqual([]);
  });
});
