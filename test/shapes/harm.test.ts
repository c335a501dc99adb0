import { afterEach, describe, expect, it } from 'vitest';
import type { Request } from '../../src/model/request.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { type Planned, World } from '../support/world.ts';

const story = oneStoryIn(7);

let world: World;
afterEach(() => world.stop());

const apply = async (planned: Planned) => {
  const { outcome } = await world.apply(planned, { deliver: async () => {} });
  return outcome.failed.map(({ address, error }) => `${address}: ${(error as Error).message}`);
};
const actions = ({ plan }: Planned) =>
  plan.changes.filter(({ action }) => action !== 'noop').map(({ action, address }) => `${action} ${address}`);
/** Somebody else's request. */
const outside = (endpoint: Request['endpoint'], body: unknown) => world.connection.send({ endpoint, body });
const project = (name = 'web') => world.twin.account.projects.find((one) => one.name === name)!;
const route = (name: string) => ({ route: { name, srcSyntax: 'equals', route: { src: `/${name}` } } });
const routes = (...names: string[]) =>
  `projects: { web: { routes: [${names.map((name) => `{ name: ${name}, srcSyntax: equals, route: { src: /${name} } }`).join(', ')}] } }`;
const live = () =>
  (project().routes as unknown as { isLive: boolean; items: { name: string }[] }[])
    .find(({ isLive }) => isLive)!
    .items.map(({ name }) => name);

describe('a staged list', () => {
  it('does not promote what somebody staged since the plan was made', async () => {
    world = await World.start();
    await world.converge(routes('a'));
    const planned = await world.plan(routes('a', 'mine'));
    await outside(`POST /v1/projects/${project().id}/routes`, route('foreign'));
    expect(await apply(planned)).toEqual([expect.stringContaining('changed by somebody else')]);
    expect(live()).toEqual(['a']);
    const again = await world.plan(routes('a', 'mine'));
    expect(again.plan.diagnostics.map(({ code }) => code)).toContain('staged/elsewhere');
  });

  it('does not discard what somebody added to what a failed run staged', async () => {
    world = await World.start();
    await world.converge(routes('a'));
    const planned = await world.plan(routes('a', 'mine'));
    const { send } = world.connection;
    await world.apply(planned, {
      send: (request) => {
        if (request.stages && !request.stages.version) throw new Error('the line is dead');
        return send(request);
      },
    });
    const again = await world.plan(routes('a', 'mine'));
    expect(again.plan.diagnostics.map(({ code }) => code)).toEqual(['staged/left']);
    await outside(`POST /v1/projects/${project().id}/routes`, route('foreign'));
    const later = await world.plan(routes('a', 'mine'));
    expect(later.plan.diagnostics.map(({ code }) => code)).toContain('staged/elsewhere');
  });

  story('that also takes something out waits for what comes into it', async () => {
    world = await World.start();
    await world.converge(routes('old'));
    const yaml = `projects:
  api: {}
  web:
    routes:
      - { name: new, srcSyntax: equals, route: { src: /new, dest: "https://\${projects.api.id}.example.com" } }`;
    const { plan } = await world.plan(yaml);
    const list = plan.operations.find(({ kind }) => kind === 'projectRoute')!;
    expect(list.dependsOn).toEqual(['create projects/api']);
    await world.converge(yaml);
  });
});

describe('an object under a label', () => {
  const hook = (label: string) =>
    `webhooks: { ${label}: { url: "https://a.example.com", events: [domain.created], $secretTo: discard } }`;

  story('keeps its id under another label, and nothing is sent', async () => {
    world = await World.start();
    await world.converge(hook('one'));
    const { id } = world.twin.account.webhooks[0]!;
    const since = world.twin.requests.length;
    expect(actions(await world.plan(hook('two')))).toEqual(['adopt webhooks/two']);
    await world.converge(hook('two'));
    expect(world.writes(since)).toEqual([]);
    expect(Object.keys(world.ledger.entries)).toEqual(['webhooks/two']);
    expect(world.ledger.entries['webhooks/two']!.ids).toEqual([id]);
  });

  story('is replaced by one that is made before it goes', async () => {
    world = await World.start();
    const rule = (model: string) =>
      `aiGatewayRules: { r: { type: deny, match: { model: ${model} }, action: { reason: x } } }`;
    await world.converge(rule('a/b'));
    const planned = await world.plan(rule('c/d'));
    const { send } = world.connection;
    await world.apply(planned, {
      send: (request) => {
        if (request.endpoint.startsWith('POST')) throw new Error('402');
        return send(request);
      },
    });
    const rules = () => world.twin.account.aiGatewayRules.filter(({ deleted }) => !deleted);
    expect(rules().map(({ match }) => match)).toEqual([{ model: 'a/b' }]);
    await world.converge(rule('c/d'));
    expect(rules()).toHaveLength(1);
    expect(Object.keys(world.ledger.entries)).toEqual(['aiGatewayRules/r']);
  });
});

describe('a bypass', () => {
  const secret = (letter: string) => letter.repeat(32);
  const bypass = (more: string) => `projects: { web: { protectionBypass: { ${more} } } }`;

  story('of somebody else is not taken for ours by its note', async () => {
    world = await World.start();
    await world.converge('projects: { web: {} }');
    await outside(`PATCH /v1/projects/${project().id}/protection-bypass`, {
      generate: { secret: secret('f'), note: 'CI' },
    });
    await world.converge(bypass(`mine: { secret: ${secret('m')}, note: CI }`));
    expect(Object.keys(project().protectionBypass as object).sort()).toEqual([secret('f'), secret('m')]);
  });

  story('whose replacement was made, though nobody heard of it, is not made again', async () => {
    world = await World.start();
    await world.converge(
      bypass(`a: { secret: ${secret('d')}, isEnvVar: true }, b: { secret: ${secret('o')}, note: b }`),
    );
    const next = bypass(
      `a: { secret: ${secret('d')}, isEnvVar: true }, b: { secret: ${secret('n')}, note: b }`,
    );
    const planned = await world.plan(next);
    const { send } = world.connection;
    await world.apply(planned, {
      send: async (request) => {
        await send(request);
        throw new Error('the line is dead');
      },
    });
    await world.converge(next);
    expect(Object.keys(project().protectionBypass as object).sort()).toEqual([secret('d'), secret('n')]);
  });
});

describe('a rename', () => {
  story('of a project takes what is named after it along', async () => {
    world = await World.start();
    const yaml = (name: string, was = '') =>
      `projects: { ${name}: { ${was} } }
accessGroups: { G: { projects: { ${name}: { role: ADMIN } } } }
aiGatewayBudgets: { project: [{ projectId: ${name}, limitAmount: 5 }] }`;
    await world.converge(yaml('web'));
    const since = world.twin.requests.length;
    await world.converge(yaml('shop', '$was: web'));
    expect(world.writes(since)).toEqual([expect.stringMatching(/^PATCH \/v9\/projects\//)]);
  });

  it('that failed can be taken back', async () => {
    world = await World.start();
    const segment = (name: string, was = '') =>
      `projects: { web: { customEnvironments: { ${name}: { ${was} description: d } } } }`;
    await world.converge(segment('qa'));
    const planned = await world.plan(segment('staging', '$was: qa,'));
    await world.apply(planned, {
      send: () => {
        throw new Error('the line is dead');
      },
    });
    const since = world.twin.requests.length;
    await world.converge(segment('qa'));
    expect(world.writes(since)).toEqual([]);
    expect(Object.keys(world.ledger.entries)).toContain('projects/web/customEnvironments/qa');
    expect(Object.keys(world.ledger.entries)).not.toContain('projects/web/customEnvironments/staging');
  });
});

describe('the default bypass of a project', () => {
  const secret = (letter: string) => letter.repeat(32);
  const bypass = (more: string) => `projects: { web: { protectionBypass: { ${more} } } }`;
  const defaults = () =>
    Object.entries(project().protectionBypass as Record<string, { isEnvVar: boolean }>)
      .filter(([, { isEnvVar }]) => isEnvVar)
      .map(([key]) => key);

  it('hands its place on to what replaces it', async () => {
    world = await World.start();
    await world.converge(bypass(`a: { secret: ${secret('a')} }, b: { secret: ${secret('b')}, note: b }`));
    expect(defaults()).toEqual([secret('a')]);
    await world.converge(bypass(`a: { secret: ${secret('n')} }, b: { secret: ${secret('b')}, note: b }`));
    expect(defaults()).toEqual([secret('n')]);
  });

  it('is one: two that are to be it are refused', async () => {
    world = await World.start();
    const two = bypass(
      `a: { secret: ${secret('a')}, isEnvVar: true }, b: { secret: ${secret('b')}, isEnvVar: true }`,
    );
    const { plan } = await world.plan(two);
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(['bypass/default']);
  });

  it('of an answer that does not tell the project, nothing is concluded', async () => {
    world = await World.start();
    const yaml = bypass(`a: { secret: ${secret('a')} }`);
    await world.converge(yaml);
    const { send } = world.connection;
    world.connection.send = async (request) =>
      request.endpoint === 'GET /v9/projects/{project}' ? {} : send(request);
    const { plan } = await world.plan(yaml);
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(['observe/incomplete']);
    expect(plan.operations).toEqual([]);
  });
});
