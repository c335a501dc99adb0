import { describe, expect, it } from 'vitest';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { changeAt, codes, newWorld } from '../support/scene.ts';
import { oneRowIn } from '../support/sweep.ts';

const people = [
  { uid: 'user_1', email: 'grace@example.com' },
  { uid: 'user_2', email: 'alan@example.com' },
];
const nobody = { allow: [] };
const yaml = (members: string, { header = '', group = '' } = {}) =>
  `${header}\naccessGroups:\n  Frontend:\n    members: { ${members} }\n    ${group}`;
const both = 'user_1: {}, user_2: {}';
const start = async (options = {}) => {
  const world = await newWorld({ seed: { team: { members: people } } });
  await world.converge(yaml(both, options), nobody);
  return world;
};
const refused = ['allow/missing'];

describe('what takes access away', () => {
  it('does not happen without a word, which may stand in the block, around it, in the header or in an option', async () => {
    const world = await start();
    const { plan } = await world.plan(yaml('user_1: {}'), nobody);
    expect(codes(plan)).toEqual(refused);
    expect(changeAt(plan, 'accessGroups/Frontend/members/user_2')).toMatchObject({
      action: 'delete',
      permissions: ['remove-access'],
    });
    for (const [text, options] of [
      [yaml('user_1: {}', { group: '$allow: [remove-access]' }), nobody],
      [yaml('user_1: {}', { header: '$allow: [cost, remove-access]' }), nobody],
      [yaml('user_1: {}'), { allow: ['remove-access'] }],
    ] as const)
      expect(codes((await world.plan(text, options)).plan)).toEqual([]);
    expect(codes((await world.plan(yaml('user_1: {}', { header: '$allow: [cost]' }), nobody)).plan)).toEqual(
      refused,
    );
  });

  it('is counted at the top of a plan', async () => {
    const world = await start();
    const { plan } = await world.plan(yaml(''));
    const text = planText(plan, { style: styleFor({ color: false, width: 100 }), requests: false });
    expect(text.split('\n').slice(0, 3).join('\n')).toContain("2 changes remove people's access.");
    expect(planMarkdown(plan)).toContain("**2 changes remove people's access.**");
  });

  it('is remembered for what is gone, and only for that', async () => {
    const world = await start({ group: '$allow: [remove-access]' });
    expect(codes((await world.plan(yaml('user_1: {}'), nobody)).plan)).toEqual(refused);
    await world.converge('projects: { kept: {} }', {
      ...nobody,
      containersToDelete: ['accessGroups/Frontend'],
      maxDeletions: 100,
    });
    expect(Object.keys(world.ledger.entries)).toEqual(['projects/kept']);
    const other = await start();
    const { plan } = await other.plan('projects: { kept: {} }', {
      ...nobody,
      containersToDelete: ['accessGroups/Frontend'],
      maxDeletions: 100,
    });
    expect(codes(plan)).toEqual(expect.arrayContaining(refused));
  });

  it('counts from the apply that read it, also if nothing else changed', async () => {
    const world = await start();
    const plan = await world.converge(yaml(both, { group: '$allow: [remove-access]' }), nobody);
    expect(changeAt(plan, 'accessGroups/Frontend')).toMatchObject({
      action: 'adopt',
      reason: '`$allow` is remembered',
    });
    const lifted = await world.converge(yaml(both), nobody);
    expect(changeAt(lifted, 'accessGroups/Frontend')).toMatchObject({ reason: '`$allow` is lifted' });
  });
});

describe('what costs money once it is on', () => {
  const switches: [name: string, yaml: (enabled: boolean) => string][] = [
    ['speed insights', (enabled) => `projects: { web: { speedInsights: { enabled: ${enabled} } } }`],
    ['web analytics', (enabled) => `projects: { web: { webAnalytics: { enabled: ${enabled} } } }`],
    ['static addresses', (enabled) => `projects: { web: { staticIps: { enabled: ${enabled} } } }`],
    [
      'a domain that is renewed',
      (enabled) => `domains: { bought.com: { autoRenew: { enabled: ${enabled} } } }`,
    ],
  ];
  oneRowIn(4)(switches)('%s: asked for when it is switched on, and only then', async (_, yaml) => {
    const seed = { domains: [{ name: 'bought.com', boughtAt: 1, renew: false }] };
    const world = await newWorld({ seed });
    // New with what it is in, then there and off.
    if (!yaml(true).startsWith('domains'))
      expect(codes((await world.plan(yaml(true), nobody)).plan)).toEqual(['allow/missing']);
    await world.converge(yaml(false), nobody);
    const { plan } = await world.plan(yaml(true), nobody);
    expect(codes(plan)).toEqual(['allow/missing']);
    expect(plan.changes.flatMap(({ permissions = [] }) => permissions)).toEqual(['cost']);
    await world.converge(`$allow: [cost]\n${yaml(true)}`, nobody);
    // On it stays, and goes off, without a word; also where somebody else switched it on.
    expect(codes((await world.plan(yaml(true), nobody)).plan)).toEqual([]);
    world.ledger = { ...world.ledger, entries: {} };
    expect(codes((await world.plan(yaml(true), nobody)).plan)).toEqual([]);
    await world.converge(yaml(false), nobody);
  });
});

it('what is allowed is a known word, in a list', async () => {
  const world = await newWorld();
  const said = async (allow: string) => {
    const { configuration } = await world.plan(`$allow: ${allow}\nprojects: {}`);
    return configuration.diagnostics.map(({ message, hint }) => [message, hint]);
  };
  expect(await said('[costs]')).toEqual([['`$allow` has no `costs`', 'did you mean `cost`?']]);
  expect(await said('cost')).toEqual([
    ['`$allow` must be a list, not a text', '$allow: [cost, remove-access]'],
  ]);
});
