import { describe, expect, it } from 'vitest';
import { codes, newWorld } from '../support/scene.ts';
import { Stacks } from '../support/stacks.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const deployments = [{ id: 'dpl_one', target: 'production' as const }];
const seed = { projects: [{ name: 'one', deployments }, { name: 'two' }] };
const told = async (yaml: string) => {
  const { diagnostics } = await (await newWorld({ seed })).configure(yaml);
  return diagnostics.map(({ code, at, related }) =>
    [code, ...[at, ...(related ?? []).map((one) => one.at)].map((one) => `${one?.line}:${one?.column}`)].join(
      ' ',
    ),
  );
};

describe('what only one object can have', () => {
  it.each([
    ['a domain of two projects', 'domains', 'www.example.com: {}', 'www.example.com: {}'],
    ['also for different branches', 'domains', 'www.example.com: {}', 'www.example.com: { gitBranch: next }'],
    ['in whatever spelling', 'domains', 'www.example.com: {}', 'WWW.Example.com: {}'],
    [
      'a host name of two deployments',
      'aliases',
      'x.vercel.app: { deploymentId: dpl_one }',
      'x.vercel.app: { deploymentId: dpl_two }',
    ],
  ])('is an error at both places before anything is read: %s', async (_, section, one, two) => {
    const yaml = `projects:\n  one: { ${section}: { ${one} } }\n  two: { ${section}: { ${two} } }`;
    expect(await told(yaml)).toEqual([
      `config/taken-twice 5:${14 + section.length} 4:${14 + section.length}`,
    ]);
  });

  it('a project in two groups, but not its default application, which only counts at creation', async () => {
    const groups = (...members: string[]) =>
      `projects: { one: {}, two: {} }\nmicrofrontends:\n${members.map((all, at) => `  g${at}: { ${all} }`).join('\n')}`;
    expect(await told(groups('projects: { one: {} }', 'projects: { two: {}, one: {} }'))).toEqual([
      'config/taken-twice 6:30 5:21',
    ]);
    expect(await told(groups('defaultApp: one, projects: { one: {} }', 'defaultApp: one'))).toEqual([]);
  });

  it('other names are not counted', async () => {
    const domains = (one: string, two: string) =>
      `projects: { one: { domains: { ${one} } }, two: { domains: { ${two} } } }`;
    expect(await told(domains('a.example.com: {}, "*.example.com": {}', 'b.example.com: {}'))).toEqual([]);
  });
});

describe('what somebody else’s object has', () => {
  const domains = (one: string, two: string) =>
    `projects: { one: { domains: { ${one} } }, two: { domains: { ${two} } } }`;
  const taken = { projects: [{ name: 'one', domains: [{ name: 'www.example.com' }] }, { name: 'two' }] };

  it('cannot be created: the plan says so, and who has it', async () => {
    const world = await newWorld({ seed: taken });
    const { plan } = await world.plan(domains('a.example.com: {}', 'www.example.com: {}'));
    expect(plan.diagnostics).toMatchObject([
      {
        severity: 'error',
        code: 'plan/taken',
        address: 'projects/two/domains/www.example.com',
        message:
          'projects/two/domains/www.example.com: projects/one/domains/www.example.com has the same `name`, which only one can have',
        at: { line: 3 },
      },
    ]);
  });

  story('is no matter once it is given up: deleted, or moved', async () => {
    const world = await newWorld({ seed: taken });
    const exclusive =
      'projects: { one: { $exclusive: [domains] }, two: { domains: { www.example.com: {} } } }';
    expect(codes((await world.plan(exclusive)).plan)).toEqual([]);
    await world.converge(domains('www.example.com: {}', ''));
    const moved = await world.plan(domains('', 'www.example.com: {}'));
    expect(codes(moved.plan)).toEqual([]);
    await world.converge(domains('', 'www.example.com: {}'));
  });

  story('is not judged where another stack has it, which may give it up first', async () => {
    const stacks = await Stacks.start({ seed: taken });
    await stacks.apply('a', domains('www.example.com: {}', ''));
    const all =
      'projects: { one: { $existing: true, domains: { a.example.com: {} } }, two: { domains: { www.example.com: {} } } }';
    expect(codes((await stacks.plan('b', all)).plan)).not.toContain('plan/taken');
  });

  it('a host name that moves leaves its old project first', async () => {
    const world = await newWorld({
      seed: {
        projects: [
          { name: 'one', deployments, aliases: [{ alias: 'x.vercel.app' }] },
          { name: 'two', deployments: [{ id: 'dpl_two', target: 'production' as const }] },
        ],
      },
    });
    const aliases = (one: string, two: string) =>
      `projects: { one: { aliases: { ${one} } }, two: { aliases: { ${two} } } }`;
    await world.converge(aliases('x.vercel.app: { deploymentId: dpl_one }', ''));
    const { plan } = await world.plan(aliases('', 'x.vercel.app: { deploymentId: dpl_two }'));
    expect(plan.operations.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ['delete projects/one/aliases/x.vercel.app', []],
      ['create projects/two/aliases/x.vercel.app', ['delete projects/one/aliases/x.vercel.app']],
    ]);
  });
});
