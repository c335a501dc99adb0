import { describe, expect, it } from 'vitest';
import { renewedTexts } from '../../src/report/plan-notes.ts';
import { actions, causes, changeAt, codes, newWorld } from '../support/scene.ts';
import { ownDomains } from '../twin/client.ts';

const web = 'projects: { web: { framework: nextjs } }';
const withRules = (names: string[], meta = '') => `
projects:
  web:
    firewall:
      ${meta}
      rules:
${names
  .map(
    (name) =>
      `        - { name: ${name}, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /${name} }] }], action: { mitigate: { action: deny } } }`,
  )
  .join('\n')}
`;
const rule = (name: string) => ({
  name,
  active: true,
  conditionGroup: [{ conditions: [{ type: 'path' as const, op: 'pre' as const, value: `/${name}` }] }],
  action: { mitigate: { action: 'deny' as const } },
});

// D: declared, L: live, K: known to the ledger.
describe('what becomes of an object', () => {
  it('D only: it is created', async () => {
    const world = await newWorld();
    expect(actions(await world.converge(web))).toEqual(['create projects/web']);
    expect(world.ledger.entries['projects/web']).toMatchObject({ origin: 'created', kind: 'project' });
  });

  it('D and K: it was deleted outside, and is created again under a new id', async () => {
    const world = await newWorld();
    await world.converge(web);
    const [old] = world.ledger.entries['projects/web']!.ids;
    world.twin.account.projects.pop();
    const plan = await world.converge(web);
    expect(changeAt(plan, 'projects/web')).toMatchObject({ action: 'create', reason: 'deleted outside' });
    expect(world.ledger.entries['projects/web']!.ids).not.toContain(old);
  });

  it('D and L, equal: it is adopted, which is a change until it is recorded, and sends nothing', async () => {
    const world = await newWorld({ seed: { projects: [{ name: 'web', framework: 'nextjs' }] } });
    expect(actions(await world.converge(web))).toEqual(['adopt projects/web']);
    expect(world.writes()).toEqual([]);
    expect(world.ledger.entries['projects/web']).toMatchObject({ origin: 'adopted' });
    expect(actions((await world.plan(web)).plan)).toEqual([]);
  });

  it('D and L, different: it is adopted and updated, and it is said that nobody knows who was first', async () => {
    const world = await newWorld({ seed: { projects: [{ name: 'web', framework: 'vite' }] } });
    const plan = await world.converge(web);
    expect(actions(plan)).toEqual(['adopt projects/web']);
    expect(causes(plan, 'projects/web')).toEqual({ framework: 'unknown' });
    expect(world.writes()).toHaveLength(1);
    expect(world.twin.account.projects[0]!.framework).toBe('nextjs');
  });

  it('renamed outside: it is found by its id, and named back', async () => {
    const world = await newWorld();
    await world.converge(web);
    world.twin.account.projects[0]!.name = 'other';
    const plan = await world.converge(web);
    expect(changeAt(plan, 'projects/web')).toMatchObject({ action: 'update', reason: 'renamed outside' });
    expect(world.twin.account.projects.map(({ name }) => name)).toEqual(['web']);
  });

  it('renamed outside, and the name is wanted for another one: the name is free before it is taken', async () => {
    const world = await newWorld();
    await world.converge('projects: { web: {} }');
    world.twin.account.projects[0]!.name = 'api';
    await world.converge('projects: { web: {}, api: {} }');
    expect(world.writes().slice(-2)).toEqual([
      expect.stringMatching(/^PATCH \/v9\/projects\//),
      'POST /v11/projects',
    ]);
  });

  it('renamed outside, and the name was given to another one: an error that names both', async () => {
    const world = await newWorld();
    await world.converge('projects: { web: {} }');
    world.twin.account.projects[0]!.name = 'api';
    world.twin.add({ projects: [{ name: 'web' }] });
    const { plan } = await world.plan('projects: { web: {} }');
    expect(codes(plan)).toEqual(['match/name-taken']);
    expect(plan.operations).toEqual([]);
  });

  it('replaced outside: what was applied to the old one says nothing of the new one, nor of what is in it', async () => {
    const world = await newWorld();
    const yaml =
      'projects: { web: { framework: nextjs, domains: { a.example.com: {}, b.example.com: {} } } }';
    await world.converge(yaml);
    world.twin.account.projects.pop();
    world.twin.add({
      projects: [
        { name: 'web', framework: 'vite', domains: [{ name: 'a.example.com' }, { name: 'b.example.com' }] },
      ],
    });
    const less = 'projects: { web: { framework: nextjs, domains: { a.example.com: {} } } }';
    const plan = await world.converge(less);
    expect(actions(plan)).toEqual([
      'adopt projects/web',
      'adopt projects/web/domains/a.example.com',
      // Its name is its id; but the one that was applied is gone with its project.
      'forget projects/web/domains/b.example.com',
    ]);
    expect(changeAt(plan, 'projects/web')).toMatchObject({ reason: 'replaced outside' });
    expect(causes(plan, 'projects/web')).toEqual({ framework: 'unknown' });
    expect(ownDomains(world.twin.account.projects[0]!)).toHaveLength(2);
  });

  it('L and K: what is not declared any more is deleted', async () => {
    const world = await newWorld();
    await world.converge('projects: { web: { customEnvironments: { staging: {} } } }');
    expect(actions(await world.converge('projects: { web: {} }'))).toEqual([
      'delete projects/web/customEnvironments/staging',
    ]);
    expect(world.twin.account.projects[0]!.customEnvironments).toEqual([]);
    expect(Object.keys(world.ledger.entries)).toEqual(['projects/web']);
  });

  it('L and K with another id: it is forgotten, not deleted', async () => {
    const world = await newWorld();
    await world.converge('projects: { web: { customEnvironments: { staging: {} } } }');
    const [project] = world.twin.account.projects;
    project!.customEnvironments = [];
    const id = 'env_another';
    project!.customEnvironments.push({
      id,
      slug: 'staging',
      type: 'preview',
      createdAt: 1,
      updatedAt: 1,
    });
    expect(actions(await world.converge('projects: { web: {} }'))).toEqual([
      'forget projects/web/customEnvironments/staging',
    ]);
    expect(project!.customEnvironments.map((one) => one.id)).toEqual([id]);
  });

  it('K only: it is forgotten', async () => {
    const world = await newWorld();
    await world.converge('projects: { web: { customEnvironments: { staging: {} } } }');
    world.twin.account.projects[0]!.customEnvironments = [];
    const plan = await world.converge('projects: { web: {} }');
    expect(actions(plan)).toEqual(['forget projects/web/customEnvironments/staging']);
  });

  it('a record that was deleted outside and is not declared any more is forgotten', async () => {
    const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
    const records = (list: string) => `domains: { example.com: { $existing: true, records: [${list}] } }`;
    await world.converge(
      records('{ type: A, name: a, value: 192.0.2.1 }, { type: A, name: b, value: 192.0.2.2 }'),
    );
    world.twin.account.domains[0]!.records.splice(0, 1);
    const plan = await world.converge(records('{ type: A, name: b, value: 192.0.2.2 }'));
    expect(actions(plan)).toEqual(['forget domains/example.com/records/a/A']);
    expect(renewedTexts(plan)).toEqual([
      'The ledger is out of date for 1 object (no longer in the account): the next apply updates it without sending anything.',
    ]);
  });

  it('the reason for which entries are forgotten is also true of several objects', async () => {
    const world = await newWorld();
    await world.converge('projects: { web: { customEnvironments: { staging: {}, testing: {} } } }');
    world.twin.account.projects[0]!.customEnvironments = [];
    expect(renewedTexts((await world.plan('projects: { web: {} }')).plan)).toEqual([
      'The ledger is out of date for 2 objects (no longer in the account): the next apply updates it without sending anything.',
    ]);
  });

  it('L only: it is counted and left alone', async () => {
    const world = await newWorld({
      seed: {
        projects: [
          { name: 'other', env: [{ key: 'A', value: 'a' }] },
          { name: 'web', env: [{ key: 'B', value: 'b' }] },
        ],
      },
    });
    const plan = await world.converge('projects: { web: { env: { C: c } } }');
    expect(plan.unmanaged.map(({ address }) => address)).toEqual([
      'projects/other',
      'projects/web/env/B@development',
      'projects/web/env/B@preview',
      'projects/web/env/B@production',
    ]);
    expect(world.twin.account.projects.map(({ env }) => env.map(({ key }) => key))).toEqual([
      ['A'],
      ['B', 'C'],
    ]);
  });

  it('an unknown kind in the ledger is left alone, and said', async () => {
    const world = await newWorld();
    await world.converge('projects: { web: {} }');
    const entry = { ...world.ledger.entries['projects/web']!, kind: 'fromTheFuture' };
    world.ledger.entries['future/x'] = entry;
    const { plan } = await world.plan('projects: { web: {} }');
    expect(codes(plan, 'warning')).toEqual(['ledger/unknown-kind']);
    await world.converge('projects: { web: { framework: vite } }');
    expect(world.ledger.entries['future/x']).toEqual(entry);
  });
});

it('settings that come with what is created are not changed where the block says nothing of them', async () => {
  const world = await newWorld();
  const plan = await world.converge(withRules(['a']));
  expect(actions(plan)).toEqual([
    'create projects/web',
    'adopt projects/web/firewall',
    'create projects/web/firewall/rules/a',
  ]);
  expect(world.ledger.entries['projects/web/firewall']).toMatchObject({ origin: 'adopted' });
  expect(actions((await world.plan(withRules(['a']))).plan)).toEqual([]);
});

describe('what the platform cannot change in place, of an object that is not ours', () => {
  const theirs = { name: 'e2e', timeout: 60, source: { kind: 'webhook' as const, webhookId: 'theirs' } };
  const seed = { projects: [{ name: 'web', checks: [theirs] }] };
  const ours = (source: string, more = '$replace: allow') =>
    `projects: { web: { checks: { e2e: { timeout: 600, source: ${source}, ${more} } } } }`;
  const [asFound, other] = [
    '{ kind: webhook, webhookId: theirs }',
    '{ kind: git-provider, provider: github, externalCheckName: ci }',
  ];

  it('is not replaced, whatever the block allows: it says how it becomes ours', async () => {
    const world = await newWorld({ seed });
    const before = structuredClone(world.twin.account.projects[0]!.checks);
    for (const more of ['', '$replace: allow', '$protect: true']) {
      const { plan } = await world.plan(ours(other!, more));
      expect(codes(plan)).toEqual(['replace/not-owned']);
      expect(plan.diagnostics[0]!.hint).toMatch(
        /^adopt it first: declare it with `source` as in the account/,
      );
      expect(plan.operations).toEqual([]);
    }
    // Adopted as it is, it is ours.
    expect(actions(await world.converge(ours(asFound!)))).toEqual([
      'adopt projects/web',
      'adopt projects/web/checks/e2e',
    ]);
    expect(world.twin.account.projects[0]!.checks[0]!.id).toBe(before[0]!.id);
    expect(actions(await world.converge(ours(other!)))).toEqual(['replace projects/web/checks/e2e']);
  });

  it('is not replaced in the place of one that was', async () => {
    const world = await newWorld({ seed: { projects: [{ name: 'web' }] } });
    await world.converge(ours(other!));
    const { checks } = world.twin.account.projects[0]!;
    Object.assign(checks[0]!, { id: 'check_theirs', source: theirs.source });
    expect(codes((await world.plan(ours(other!))).plan)).toEqual(['replace/not-owned']);
  });

  it('is not replaced where nothing would be lost either, nor where the ledger is gone', async () => {
    const bypass = (note: string) =>
      `projects: { web: { firewallBypasses: [{ domain: "*", sourceIp: 192.0.2.7, note: ${note} }] } }`;
    const world = await newWorld({ seed: { projects: [{ name: 'web' }] } });
    await world.converge(bypass('one'));
    const ledger = world.ledger;
    world.ledger = { ...ledger, entries: {} };
    expect(codes((await world.plan(bypass('two'))).plan)).toEqual(['replace/not-owned']);
    expect(actions(await world.converge(bypass('one')))).toHaveLength(2);
    expect(actions(await world.converge(bypass('two')))).toEqual([expect.stringMatching(/^replace /)]);
  });

  it('is replaced where `$exclusive` says that what is not ours goes', async () => {
    const world = await newWorld({ seed });
    const yaml = ours(other!).replace('web: {', 'web: { $exclusive: [checks],');
    expect(actions(await world.converge(yaml))).toEqual([
      'adopt projects/web',
      'replace projects/web/checks/e2e',
    ]);
  });
});

describe('$exclusive', () => {
  const seed = {
    domains: [
      {
        name: 'example.com',
        records: [
          { type: 'A' as const, name: 'x', value: '192.0.2.1' },
          { type: 'A' as const, name: 'y', value: '192.0.2.2' },
        ],
      },
    ],
  };
  const exclusive = (records: string) =>
    `domains: { example.com: { $existing: true, $exclusive: [records], records: [${records}] } }`;

  it('deletes what is not declared in its section', async () => {
    const world = await newWorld({ seed });
    const plan = await world.converge(exclusive('{ type: A, name: x, value: 192.0.2.1 }'));
    expect(actions(plan)).toEqual([
      'adopt domains/example.com/records/x/A',
      'delete domains/example.com/records/y/A',
    ]);
    expect(plan.unmanaged).toEqual([]);
  });

  it('deletes everything where the section is empty on purpose', async () => {
    const world = await newWorld({ seed });
    await world.converge('domains: { example.com: { $existing: true, $exclusive: [records] } }');
    expect(world.twin.account.domains[0]!.records).toEqual([]);
  });

  it('takes strangers along where a part is ours', async () => {
    const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
    await world.converge(
      'domains: { example.com: { $existing: true, records: [{ type: TXT, name: t, value: ours }] } }',
    );
    world.twin.account.domains[0]!.records.push({
      ...world.twin.account.domains[0]!.records[0]!,
      id: 'rec_theirs',
      value: 'theirs',
    });
    await world.converge('domains: { example.com: { $existing: true, $exclusive: [records] } }');
    expect(world.twin.account.domains[0]!.records).toEqual([]);
  });

  it('deletes all objects of one name', async () => {
    const world = await newWorld({
      seed: { projects: [{ name: 'web', firewall: { rules: [rule('a'), rule('a'), rule('b')] } }] },
    });
    await world.converge(withRules(['b'], '$exclusive: [rules]'));
    const { active } = world.twin.account.projects[0]!.firewall;
    expect(active!.rules.map(({ name }) => name)).toEqual(['b']);
  });
});

describe('several live objects of one name', () => {
  const seed = { projects: [{ name: 'web', firewall: { rules: [rule('a'), rule('a')] } }] };
  const choosing = (id: string) => withRules(['a']).replace('{ name: a,', `{ name: a, $id: ${id},`);

  it('is an error that names both ids', async () => {
    const world = await newWorld({ seed });
    const ids = world.twin.account.projects[0]!.firewall.active!.rules.map(({ id }) => id);
    const { plan } = await world.plan(withRules(['a']));
    expect(codes(plan)).toEqual(['match/ambiguous']);
    for (const id of ids) expect(plan.diagnostics[0]!.message).toContain(id);
    expect(plan.operations).toEqual([]);
  });

  it('$id chooses, and afterwards the ledger knows', async () => {
    const world = await newWorld({ seed });
    const [, second] = world.twin.account.projects[0]!.firewall.active!.rules;
    await world.converge(choosing(second!.id));
    expect(world.ledger.entries['projects/web/firewall/rules/a']!.ids).toEqual([second!.id]);
    expect(actions((await world.plan(withRules(['a']))).plan)).toEqual([]);
    const edited = choosing(second!.id).replace('value: /a', 'value: /changed');
    await world.converge(edited);
    const rules = world.twin.account.projects[0]!.firewall.active!.rules;
    expect(
      rules.filter(({ conditionGroup }) => JSON.stringify(conditionGroup).includes('/changed')),
    ).toHaveLength(1);
    expect(rules).toHaveLength(2);
  });

  it('an $id that is not among them is an error, not a creation', async () => {
    const world = await newWorld({ seed });
    expect(codes((await world.plan(choosing('rule_no'))).plan)).toEqual(['match/no-such-id']);
    const empty = await newWorld({ seed: { projects: [{ name: 'web' }] } });
    expect(codes((await empty.plan(choosing('rule_no'))).plan)).toEqual(['match/no-such-id']);
  });

  it('without a declaration both are unmanaged', async () => {
    const world = await newWorld({ seed });
    const plan = await world.converge(withRules(['b']));
    expect(plan.unmanaged).toHaveLength(2);
  });
});
