import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Project } from '../../providers/hosting/twin/index.ts';
import { load } from '../../src/config/load.ts';
import { actions, codes, newWorld } from '../support/scene.ts';
import { kinds, type World } from '../support/world.ts';
import { ownDomains } from '../twin/client.ts';

const environments = (from: number, to: number, meta = '{}') =>
  `projects: { web: { customEnvironments: { ${Array.from({ length: to - from }, (_, i) => `e${from + i}: ${meta}`).join(', ')} } } }`;
const web = 'projects: { web: {} }';

describe('the budget for deletions', () => {
  it.each([
    ['10 of 34: at the limit of both', 34, 10, []],
    ['11 of 40: too many at once', 40, 11, ['guard/deletions']],
    ['3 of 10: at the limit', 10, 3, []],
    ['4 of 10: too large a share', 10, 4, ['guard/share']],
    ['9 of 9: few have no share', 9, 9, []],
    ['12 of 12: both', 12, 12, ['guard/deletions', 'guard/share']],
  ])('%s', async (_, before, gone, expected) => {
    const world = await newWorld();
    await world.converge(environments(0, before));
    const left = gone === before ? web : environments(gone, before);
    const { plan } = await world.plan(left);
    expect(codes(plan)).toEqual(expected);
    if (expected.length > 0) {
      const { hint } = plan.diagnostics[0]!;
      expect(hint).toContain(`--max-deletions ${gone}`);
    }
    expect(codes((await world.plan(left, { maxDeletions: gone })).plan)).toEqual([]);
    expect(codes((await world.plan(left, { maxDeletions: gone - 1 })).plan)).toEqual(['guard/deletions']);
  });

  it('counts what was deleted outside like a deletion', async () => {
    const world = await newWorld();
    await world.converge(environments(0, 12));
    world.twin.account.projects[0]!.customEnvironments.splice(0, 11);
    expect(codes((await world.plan(environments(0, 12))).plan)).toEqual(['guard/deletions', 'guard/share']);
  });

  it('counts a container that is created again once, with all that was in it', async () => {
    const world = await newWorld();
    await world.converge(environments(0, 12));
    world.twin.account.projects.pop();
    expect(codes((await world.plan(environments(0, 12))).plan)).toEqual([]);
    await world.converge(environments(0, 12));
  });

  it('does not count what a change of project settings touches', async () => {
    const world = await newWorld();
    await world.converge(environments(0, 12));
    expect(codes((await world.plan(environments(0, 12, '{ description: new }'))).plan)).toEqual([]);
  });
});

it('an empty configuration is refused while the ledger has anything', async () => {
  const world = await newWorld();
  expect(codes((await world.plan('projects: {}')).plan)).toEqual([]);
  await world.converge(web);
  expect(codes((await world.plan('projects: {}')).plan)).toEqual(['guard/empty']);
  expect(codes((await world.plan('projects: {}', { destroy: true })).plan)).toEqual([]);
});

it('a refused empty configuration counts only the objects that the stack owns', async () => {
  const world = await newWorld({ seed: { projects: [{ name: 'web' }] } });
  await world.converge('projects: { web: { $existing: true, customEnvironments: { e: {} } } }');
  expect((await world.plan('projects: {}')).plan.diagnostics).toMatchObject([
    { code: 'guard/empty', message: 'the configuration declares nothing, but the ledger has 1 object' },
  ]);
});

it('an empty configuration is no mistake after everything was handed over', async () => {
  const world = await newWorld();
  await world.converge('projects: { web: {} }');
  await world.converge('projects: { web: { $handover: two } }');
  expect(codes((await world.plan('projects: {}')).plan)).toEqual([]);
});

describe('$protect', () => {
  const staging = (meta: string) =>
    `projects: { web: { customEnvironments: { staging: { ${meta} }, qa: {} } } }`;

  it('outlives its block; two applies are needed to delete', async () => {
    const world = await newWorld();
    await world.converge(staging('$protect: true'));
    expect(codes((await world.plan(web)).plan)).toEqual(['guard/protected']);
    // The first says that it is not protected any more, which is a change though nothing is sent.
    const since = world.twin.requests.length;
    expect(actions(await world.converge(staging('')))).toEqual([
      'adopt projects/web/customEnvironments/staging',
    ]);
    expect(world.writes(since)).toEqual([]);
    expect(codes((await world.plan(web)).plan)).toEqual([]);
  });

  it('counts though it came later than the object, and nothing else changed with it', async () => {
    const world = await newWorld();
    await world.converge(staging(''));
    expect(actions(await world.converge(staging('$protect: true')))).toHaveLength(1);
    expect(codes((await world.plan(web)).plan)).toEqual(['guard/protected']);
  });

  it('holds for what it is in', async () => {
    const world = await newWorld();
    await world.converge(`${staging('$protect: true').slice(0, -2)}, api: {} }`);
    const { plan } = await world.plan('projects: { api: {} }', { containersToDelete: ['projects/web'] });
    expect(codes(plan)).toEqual(['guard/protected']);
    expect(plan.diagnostics[0]!.message).toContain('staging');
  });

  it('holds for what a grant is for, also where the grant is let go in the same plan', async () => {
    const world = await newWorld();
    const group = 'accessGroups: { Web: { projects: { web: { role: ADMIN, $protect: true } } } }';
    await world.converge(`projects: { web: {}, api: {} }\n${group}`);
    const { plan } = await world.plan('projects: { api: {} }', { containersToDelete: ['projects/web'] });
    expect(codes(plan)).toEqual(['guard/protected']);
    expect(plan.diagnostics[0]!.message).toContain('accessGroups/Web/projects/web is protected');
    await world.converge('projects: { web: {}, api: {} }');
    await world.converge('projects: { api: {} }', { containersToDelete: ['projects/web'] });
  });

  it('refuses a replacement as well', async () => {
    const world = await newWorld();
    const domain = (environment: string) =>
      `projects: { web: { customEnvironments: { a: {}, b: {} }, domains: { x.example.com: { customEnvironmentId: ${environment}, $protect: true, $replace: allow } } } }`;
    await world.converge(domain('a'));
    expect(codes((await world.plan(domain('b'))).plan)).toEqual(['guard/protected']);
  });
});

describe('what something that stays goes on to name', () => {
  const domains = (text: string) => `projects: { web: { domains: { ${text} } } }`;
  const [target, both] = [
    'b.example.com: {}',
    'a.example.com: { redirect: b.example.com }, b.example.com: {}',
  ];

  it('is not deleted, be it named here or by somebody else', async () => {
    const world = await newWorld();
    await world.converge(domains(target!));
    const [project] = world.twin.account.projects;
    project!.domains.push({ ...project!.domains[0]!, name: 'a.example.com', redirect: 'b.example.com' });
    const { plan } = await world.plan(domains(''));
    expect(codes(plan)).toEqual(['plan/still-named']);
    expect(plan.diagnostics[0]!.hint).toContain(
      'declare projects/web/domains/a.example.com with another value',
    );
    expect(codes((await world.plan(domains('a.example.com: { redirect: b.example.com }'))).plan)).toEqual([
      'plan/still-named',
    ]);
    // Declared otherwise, it lets go first.
    await world.converge(domains('a.example.com: { redirect: null }'));
    expect(project!.domains.map(({ name }) => name)).not.toContain('b.example.com');
  });

  it('goes together with what names it, and with what both are in', async () => {
    const world = await newWorld();
    await world.converge(domains(both!));
    await world.converge(domains(''));
    await world.converge(domains(both!));
    await world.converge('projects: {}', { containersToDelete: ['projects/web'], destroy: true });
    expect(world.twin.account.projects).toEqual([]);
  });
});

describe('what the platform takes along, or takes out of something that stays', () => {
  const project = async (seed: object) =>
    newWorld({ seed: { domains: [{ name: 'example.com' }], projects: [{ name: 'web', ...seed }] } });
  const messages = ({ plan }: Awaited<ReturnType<World['plan']>>) =>
    plan.diagnostics
      .filter(({ code }) => !code.startsWith('was/'))
      .map(({ code, message }) => `${code}: ${message}`);

  it('an alias, by the id of its deployment: refused, unless it leads elsewhere before', async () => {
    const world = await project({ deployments: [{ id: 'dpl_other', state: 'READY' }] });
    const gitSource = '{ type: github, org: acme, repo: web, ref: main }';
    const v1 = `v1: { gitSource: ${gitSource} }`;
    const web = (deployments: string, to: string) =>
      `projects: { web: { deployments: { ${deployments} }, aliases: { demo.example.com: { deploymentId: "${to}" } } } }`;
    await world.converge(web(v1, '${projects.web.deployments.v1.id}'));
    const [id] = world.ledger.entries['projects/web/deployments/v1']!.ids;
    const deletions = ['projects/web/deployments/v1'];
    const letGo = await world.plan('projects: { other: { framework: nextjs } }', {
      containersToDelete: deletions,
    });
    expect(messages(letGo)).toEqual([
      'plan/still-named: projects/web/deployments/v1 would be deleted, but projects/web/aliases/demo.example.com, which stays, refers to it',
      'removed/released: projects/web is released: it stays in the account, and nothing manages it',
    ]);
    expect(codes((await world.plan(web('', id!), { containersToDelete: deletions })).plan)).toEqual([
      'plan/still-named',
    ]);
    await world.converge(web('', 'dpl_other'), { containersToDelete: deletions });
    expect(world.twin.account.aliases.map(({ deploymentId }) => deploymentId)).toEqual(['dpl_other']);
  });

  it('the environment that a domain of somebody else shows: refused', async () => {
    const world = await project({ domains: [{ name: 'theirs.example.com' }] });
    const web = (environments: string) =>
      `projects: { web: { customEnvironments: { ${environments} }, domains: { own.example.com: {} } } }`;
    await world.converge(web('qa: {}'));
    const [{ domains, customEnvironments }] = world.twin.account.projects as [Project];
    ownDomains({ domains })[0]!.customEnvironmentId = customEnvironments[0]!.id;
    expect(messages(await world.plan(web('')))).toEqual([
      'plan/still-named: projects/web/customEnvironments/qa would be deleted, but projects/web/domains/theirs.example.com, which stays, refers to it',
    ]);
  });

  it('a project of several that a webhook is for: said; the only one: refused, since none means all', async () => {
    const world = await project({});
    const own =
      'webhooks: { own: { url: "https://example.com", events: [domain.created], $secretTo: discard } }';
    await world.converge(`projects: { web: {}, api: {} }\n${own}`);
    const webhook = (...projects: string[]) =>
      world.twin.add({
        webhooks: [{ url: 'https://theirs.example.com', events: ['domain.created'], projects }],
      });
    const deletion = () =>
      world.plan(`projects: { web: {} }\n${own}`, { containersToDelete: ['projects/api'] });
    webhook('web', 'api');
    expect(messages(await deletion())).toEqual([
      expect.stringMatching(
        /^plan\/named-elsewhere: projects\/api would be deleted, and the platform removes it from webhooks\//,
      ),
    ]);
    webhook('api');
    expect(codes((await deletion()).plan)).toEqual(['plan/still-named']);
  });

  it('a place in the list of what events go to, by the id in it', async () => {
    const world = await project({});
    const connector = (to: string) =>
      `connectors: { auth.example.com/shop: { name: Shop, type: oauth, data: { clientId: shop, serverUrl: "https://auth.example.com" }, triggerDestinations: { destinations: [${to}] } } }`;
    await world.converge(
      `projects: { web: {}, api: {} }\n${connector('{ projectId: "${projects.api.id}" }')}`,
    );
    const { id } = world.twin.account.projects.find(({ name }) => name === 'api')!;
    const options = { containersToDelete: ['projects/api'] };
    const still = await world.plan(`projects: { web: {} }\n${connector(`{ projectId: ${id} }`)}`, options);
    expect(codes(still.plan)).toEqual(['plan/still-named']);
    await world.converge(`projects: { web: {} }\n${connector('')}`, options);
  });

  it('what somebody else has in it: refused', async () => {
    const world = await project({});
    const web = (alias: string) =>
      `projects: { web: { deployments: { v1: { gitSource: { type: github, org: acme, repo: web, ref: main } } }, aliases: { ${alias} } } }`;
    const demo = 'deploymentId: "${projects.web.deployments.v1.id}", protectionBypasses: { user_1: {} }';
    await world.converge(web(`demo.example.com: { ${demo} }`));
    const [alias] = world.twin.account.aliases;
    alias!.protectionBypass.user_9 = { ...alias!.protectionBypass.user_1 };
    expect(messages(await world.plan(web('')))).toEqual([
      'plan/still-inside: projects/web/aliases/demo.example.com would be deleted, but projects/web/aliases/demo.example.com/protectionBypasses/user_9, which is inside it, would not',
    ]);
    delete alias!.protectionBypass.user_9;
    await world.converge(web(''));
  });

  it('a role in a project: it counts with what the project holds', async () => {
    const world = await project({});
    await world.converge(
      'projects: { web: {}, api: {} }\naccessGroups: { Web: { projects: { api: { role: ADMIN } } } }',
    );
    const options = { containersToDelete: ['projects/api'], maxDeletions: 1 };
    const { plan } = await world.plan('projects: { web: {} }\naccessGroups: { Other: {} }', options);
    expect(codes(plan)).toEqual(['guard/deletions']);
    expect(plan.changes.find(({ action }) => action === 'delete')?.gradeReason).toBe(
      'this deletes 2 objects (1 accessGroupProject, 1 project); not counted: deployments and 3 other kinds',
    );
  });
});

describe('a run on fewer files', () => {
  const files = {
    'stack/a.yaml': 'stack: test\nplatform: { team: acme }\nprojects: { web: {} }\n',
    'stack/b.yaml': 'projects: { api: {} }\n',
    'more/c.yaml':
      'domains: { example.com: { $existing: true, records: [{ type: A, name: a, value: 192.0.2.1 }] } }\n',
  };
  async function start() {
    const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(world.folder, name)), { recursive: true });
      await writeFile(join(world.folder, name), text);
    }
    let paths = ['stack', 'more/c.yaml'];
    world.configure = () => load({ kinds, cwd: world.folder, env: {}, paths });
    await world.converge('');
    return { world, read: (...these: string[]) => (paths = these) };
  }

  it('deletes nothing, and says which file is missing', async () => {
    const { world, read } = await start();
    read('stack');
    const { plan } = await world.plan('');
    expect(codes(plan)).toEqual(['guard/inputs']);
    expect(plan.diagnostics[0]!.message).toContain('more/c.yaml');
    expect(codes((await world.plan('', { fewerInputs: true })).plan)).toEqual([]);
  });

  it('lets nothing go either', async () => {
    const { world, read } = await start();
    read('stack/a.yaml', 'more/c.yaml');
    expect(codes((await world.plan('')).plan)).toEqual(['guard/inputs']);
  });

  it('a file that is missing from a folder that was read whole was deleted', async () => {
    const { world } = await start();
    await writeFile(join(world.folder, 'stack/b.yaml'), '');
    const { plan } = await world.plan('');
    expect(codes(plan)).toEqual([]);
    expect(actions(plan)).toEqual(['release projects/api']);
  });

  it('that leaves things out by --target does not forget where they came from', async () => {
    const { world, read } = await start();
    read('stack/a.yaml');
    await world.apply(await world.plan('', { targets: ['projects/web'] }));
    expect(codes((await world.plan('')).plan)).toEqual(['guard/inputs']);
  });
});

it('clashing siblings are refused, also with what is not ours', async () => {
  const world = await newWorld({
    seed: { domains: [{ name: 'example.com', records: [{ type: 'A', name: 'x', value: '192.0.2.1' }] }] },
  });
  const { plan } = await world.plan(
    'domains: { example.com: { $existing: true, records: [{ type: CNAME, name: x, value: a.example.net }] } }',
  );
  expect(codes(plan)).toEqual(['plan/clash']);
});

it('every refusal says what to do', async () => {
  const world = await newWorld();
  await world.converge(environments(0, 12, '{ $protect: true }'));
  const plans = [
    await world.plan(web),
    await world.plan('projects: {}'),
    await world.plan(web, { containersToDelete: ['projects/no'] }),
    await world.plan(web, { targets: ['projects/no'] }),
    await world.plan('domains: { example.com: { $existing: true } }'),
  ];
  for (const { plan } of plans)
    for (const diagnostic of plan.diagnostics) expect(diagnostic, diagnostic.code).toHaveProperty('hint');
});
