import { describe, expect } from 'vitest';
import { actions, causes, codes, newWorld } from '../support/scene.ts';
import { oneRowIn } from '../support/sweep.ts';

// Several changes of one object, or of what it names, in one commit: what is ours is an edit, whatever else happens to it.

const variable = (more: string) => `projects: { web: { env: { A: { ${more}, target: [production] } } } }`;
const at = 'projects/web/env/A@production';

describe('a new value of a variable', () => {
  const open = 'value: one, type: plain';
  const kept = 'value: one, type: encrypted';
  oneRowIn(5)([
    ['that becomes encrypted', open, 'value: two, type: encrypted'],
    ['that becomes sensitive', open, 'value: two, type: sensitive'],
    ['that becomes open', kept, 'value: two, type: plain'],
    ['that was encrypted and becomes sensitive', kept, 'value: two, type: sensitive'],
    ['that drops its open type', open, 'value: two'],
    ['that drops its type', kept, 'value: two'],
    ['that says its type', 'value: one', 'value: two, type: encrypted'],
    ['that says it is open', 'value: one', 'value: two, type: plain'],
    ['that becomes a secret', open, 'value: "${secret.a}", type: plain'],
    ['that becomes a secret and encrypted', open, 'value: "${secret.a}", type: encrypted'],
    ['that was a secret and is open', 'value: "${secret.a}"', 'value: two, type: plain'],
  ])('%s is our edit', async (_, before, after) => {
    const world = await newWorld();
    world.env = { A: 'of the secret' };
    const yaml = (more: string) => `secrets: { a: { env: A } }\n${variable(more)}`;
    await world.converge(yaml(before));
    const { plan } = await world.plan(yaml(after), { unattended: true });
    expect(codes(plan)).toEqual([]);
    expect(causes(plan, at).value).toBe('edit');
    await world.converge(yaml(after));
    // And what somebody else does is told as before.
    world.twin.account.projects[0]!.env[0]!.value = 'of somebody else';
    if (world.twin.account.projects[0]!.env[0]!.type === 'sensitive') return;
    expect(causes((await world.plan(yaml(after))).plan, at).value).toBe('drift');
    expect(causes((await world.plan(yaml(before))).plan, at).value).toBe('conflict');
  });

  oneRowIn(2)([
    ['becomes a secret', 'one', '"${secret.a}"'],
    ['was a secret', '"${secret.a}"', 'one'],
  ])('of a field that %s is our edit', async (_, before, after) => {
    const world = await newWorld();
    world.env = { A: 'of the secret' };
    const yaml = (text: string) =>
      `secrets: { a: { env: A } }\nprojects: { web: { buildCommand: ${text}, customEnvironments: { qa: { description: ${text} } } } }`;
    await world.converge(yaml(before));
    const { plan } = await world.plan(yaml(after));
    expect(causes(plan, 'projects/web').buildCommand).toBe('edit');
    expect(causes(plan, 'projects/web/customEnvironments/qa').description).toBe('edit');
    await world.converge(yaml(after));
  });
});

describe('what names a project', () => {
  const webhook = (names: string, events: string) =>
    `webhooks: { a: { url: "https://a.example.com", events: [${events}], projectIds: [${names}], $secretTo: discard, $replace: allow } }`;
  const shared = (names: string, value: string) =>
    `sharedEnv: { A: { value: ${value}, projectId: [${names}], target: [production] } }`;
  const drain = (names: string, url: string) =>
    `drains: { a: { schemas: { log: {} }, projectIds: [${names}], delivery: { type: http, endpoint: "https://${url}", encoding: json, headers: {} } } }`;
  const cases: [what: string, address: string, (names: string, other: 0 | 1) => string, field: string][] = [
    [
      'a webhook',
      'webhooks/a',
      (names, i) => webhook(names, ['domain.created', 'project.created'][i]!),
      'projectIds',
    ],
    [
      'a variable of the team',
      'sharedEnv/A@production',
      (names, i) => shared(names, ['one', 'two'][i]!),
      'projectId',
    ],
    ['a drain', 'drains/a', (names, i) => drain(names, ['a.example.com', 'b.example.com'][i]!), 'projectIds'],
  ];

  oneRowIn(3)(cases)(
    '%s, which changes while that is renamed, is our edit',
    async (_, address, yaml, field) => {
      const world = await newWorld();
      await world.converge(`projects: { old: {}, other: {} }\n${yaml('old, other', 0)}`);
      const renamed = 'projects: { new: { $was: old }, other: {} }';
      // Alone it is no change of what names it.
      expect(actions((await world.plan(`${renamed}\n${yaml('new, other', 0)}`)).plan)).toEqual([
        'update projects/new',
      ]);
      for (const [next, changed] of [
        [yaml('new', 0), field],
        [yaml('new, other', 1), undefined],
        [yaml('new', 1), field],
      ] as const) {
        const { plan } = await world.plan(`${renamed}\n${next}`, { unattended: true });
        expect(codes(plan)).toEqual([]);
        const found = causes(plan, address);
        expect(new Set(Object.values(found))).toEqual(new Set(['edit']));
        if (changed !== undefined) expect(Object.keys(found)).toContain(changed);
      }
      await world.converge(`${renamed}\n${yaml('new', 1)}`);
    },
  );

  oneRowIn(3)(cases)(
    '%s, which changes after that was renamed without it, is our edit',
    async (_, address, yaml) => {
      const world = await newWorld();
      await world.converge(`projects: { old: {}, other: {} }\n${yaml('old, other', 0)}`);
      const renamed = (names: string) => `projects: { new: { $was: old }, other: {} }\n${yaml(names, 0)}`;
      await world.apply(await world.plan(renamed('new, other'), { targets: ['projects/*'] }));
      const { plan } = await world.plan(renamed('new'));
      expect(new Set(Object.values(causes(plan, address)))).toEqual(new Set(['edit']));
    },
  );

  oneRowIn(3)(cases)('%s, which somebody else changed, is told so', async (_, address, yaml, field) => {
    const world = await newWorld();
    await world.converge(`projects: { old: {}, other: {} }\n${yaml('old, other', 0)}`);
    const { webhooks, sharedEnv, drains, projects } = world.twin.account;
    const { id } = projects.find(({ name }) => name === 'other')!;
    for (const one of [...webhooks, ...drains]) Object.assign(one, { projectIds: [id] });
    for (const one of sharedEnv) Object.assign(one, { projectId: [id] });
    const renamed = 'projects: { new: { $was: old }, other: {} }';
    const { plan } = await world.plan(`${renamed}\n${yaml('new, other', 0)}`);
    expect(causes(plan, address)).toEqual({ [field]: 'drift' });
    const both = await world.plan(`${renamed}\n${yaml('new', 0)}`);
    expect(causes(both.plan, address)).toEqual({ [field]: 'conflict' });
  });
});
