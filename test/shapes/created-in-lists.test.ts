import { describe, expect, test } from 'vitest';
import type { SecretTo } from '../../src/model/resource.ts';
import type { Sealed } from '../../src/model/sealed.ts';
import { changeAt, intercept, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(5);

interface Hook {
  id: string;
  name: string;
  ref: string;
  url: string;
}

/* Answers to creations that list other objects, too, in any order: only the sent values and the earlier ids show which one is new. */

const yaml = (...names: string[]) =>
  `projects: { web: { gitRepository: { type: github, repo: acme/web }, deployHooks: {${names
    .map((name) => ` ${name}: { ref: main, $secretTo: { file: ${name}.txt } }`)
    .join(',')} } } }`;
const addressOf = (name: string) => `projects/web/deployHooks/${name}`;
const hooksIn = ({ twin }: World): Hook[] => twin.account.projects[0]!.deployHooks;
const foreign = (name: string): Hook => ({
  id: `foreign${name}`,
  name,
  ref: 'main',
  url: `https://foreign/${name}`,
});

/** A world with a linked project and these hooks of others, and the secrets that arrive at their files. */
async function newHookWorld(...others: Hook[]) {
  const world = await newWorld();
  await world.converge(yaml());
  hooksIn(world).push(...others);
  const delivered: Record<string, string> = {};
  const deliver = async (to: SecretTo, secret: Sealed) => {
    delivered[(to as { file: string }).file] = secret.reveal();
  };
  return { world, delivered, deliver };
}

/** From now on, `change` changes the hooks in the answer to each creation of a hook; `before` runs just before it. */
const answerCreations = (world: World, change: (hooks: Hook[]) => Hook[] | undefined, before = () => {}) =>
  intercept(world, async (request, send) => {
    if (!request.endpoint.startsWith('POST ') || !request.endpoint.endsWith('/deploy-hooks'))
      return send(request);
    before();
    const project = (await send(request)) as { link: { deployHooks: Hook[] } };
    return { ...project, link: { ...project.link, deployHooks: change(project.link.deployHooks) } };
  });

const orders: [string, (hooks: Hook[]) => Hook[]][] = [
  ['newest last', (hooks) => hooks],
  ['newest first', (hooks) => [...hooks].reverse()],
  ['in the order of the ids', (hooks) => [...hooks].sort((a, b) => (a.id < b.id ? -1 : 1))],
];

describe.each(orders)('with hooks %s in the answer', (_, order) => {
  story('each of two new hooks gets its own id and URL, and the hook of others stays', async () => {
    const { world, delivered, deliver } = await newHookWorld(foreign('other'));
    answerCreations(world, order);
    const { outcome } = await world.apply(await world.plan(yaml('a', 'b')), { deliver });
    expect(outcome.failed).toEqual([]);
    const hookOf = (name: string) => hooksIn(world).find((hook) => hook.name === name)!;
    for (const name of ['a', 'b']) {
      expect(world.ledger.entries[addressOf(name)]!.ids).toEqual([hookOf(name).id]);
      expect(delivered[`${name}.txt`]).toBe(hookOf(name).url);
    }
    await world.converge(yaml());
    expect(hooksIn(world)).toEqual([foreign('other')]);
  });
});

story('hooks of one project are created one after the other', async () => {
  const { world } = await newHookWorld();
  const { plan } = await world.plan(yaml('a', 'b'));
  const [first, second] = plan.operations.filter(({ kind }) => kind === 'deployHook');
  expect(second!.dependsOn).toContain(first!.id);
});

story('of two new hooks with the same name and branch, none is ours, and no URL is delivered', async () => {
  const { world, delivered, deliver } = await newHookWorld();
  const planned = await world.plan(yaml('a'));
  const stop = answerCreations(
    world,
    (hooks) => hooks,
    () => hooksIn(world).push(foreign('a')),
  );
  const { outcome } = await world.apply(planned, { deliver });
  expect(outcome.failed).toMatchObject([
    { address: addressOf('a'), error: { message: expect.stringContaining('does not show the outcome') } },
  ]);
  expect([delivered, world.ledger.entries[addressOf('a')]]).toEqual([{}, undefined]);
  stop();
  const { plan } = await world.plan(yaml('a'));
  expect(changeAt(plan, addressOf('a'))).toBeUndefined();
  expect(plan.diagnostics.map(({ code }) => code)).toContain('resume/ambiguous');
  expect(hooksIn(world)).toHaveLength(2);
});

test('a hook that its answer lacks is found in the account, and no other URL is delivered', async () => {
  const { world, delivered, deliver } = await newHookWorld(foreign('other'));
  answerCreations(world, () => [foreign('other')]);
  const { outcome } = await world.apply(await world.plan(yaml('a')), { deliver });
  expect(outcome.failed).toMatchObject([
    { error: { message: expect.stringContaining('does not contain the url') } },
  ]);
  const { id } = hooksIn(world).find(({ name }) => name === 'a')!;
  expect(world.ledger.entries[addressOf('a')]).toMatchObject({ ids: [id], tainted: true });
  expect(delivered).toEqual({});
});

/** From now on, a bypass of the system's protection that somebody else made is first in the answer to each creation. */
const answerWithForeignBypass = (world: World, foreignBypass: object) =>
  intercept(world, async (request, send) => {
    const answer = await send(request);
    if (!request.endpoint.startsWith('POST /v1/security/firewall/bypass')) return answer;
    const { result, ...others } = answer as { result: object[] };
    return { ...others, result: [{ ...result[0], ...foreignBypass }, ...result] };
  });

oneRowIn(2)([
  ['another domain', { Id: 'foreign', Domain: 'other.example' }],
  ['the same domain', { Id: 'foreign', Ip: '198.51.100.9' }],
])('a firewall bypass is not confused with one of others for %s, listed first', async (_, foreignBypass) => {
  const world = await newWorld();
  const domain = 'www.example.com';
  const web = (bypasses: string) =>
    `projects: { web: { domains: { ${domain}: {} }, firewallBypasses: [${bypasses}] } }`;
  await world.converge(web(''));
  answerWithForeignBypass(world, foreignBypass);
  await world.converge(web(`{ domain: ${domain}, sourceIp: 192.0.2.7 }`));
  const bypassIds = world.twin.account.projects[0]!.firewallBypasses.map(({ id }) => id);
  expect(bypassIds).toHaveLength(1);
  const entry = Object.values(world.ledger.entries).find(({ kind }) => kind === 'firewallBypass');
  expect(entry!.ids).toEqual(bypassIds);
});

story(
  'a generated protection bypass is not confused with a newer one of others with the same note',
  async () => {
    const world = await newWorld();
    const web = (blocks: string) => `projects: { web: { protectionBypass: { ${blocks} } } }`;
    await world.converge(web(''));
    const foreignSecret = 'f'.repeat(32);
    const bypasses = () => Object.keys(world.twin.account.projects[0]!.protectionBypass ?? {});
    const planned = await world.plan(web('ci: { note: ci }'));
    const end = intercept(world, async (request, send) => {
      const answer = await send(request);
      if (!request.endpoint.startsWith('PATCH ')) return answer;
      const bypass = { scope: 'automation-bypass', createdBy: 'other', isEnvVar: false, note: 'ci' } as const;
      const made = { ...bypass, createdAt: 1e15 };
      world.twin.account.projects[0]!.protectionBypass![foreignSecret] = made;
      return {
        protectionBypass: {
          ...(answer as { protectionBypass: object }).protectionBypass,
          [foreignSecret]: made,
        },
      };
    });
    const { outcome } = await world.apply(planned);
    end();
    expect(outcome.failed).toMatchObject([
      { error: { message: expect.stringContaining('does not show the outcome') } },
    ]);
    expect(world.ledger.entries).not.toHaveProperty(['projects/web/protectionBypass/ci']);
    expect(bypasses()).toHaveLength(2);
  },
);

story('two generated protection bypasses with one note get their own ids in one run', async () => {
  const world = await newWorld();
  const web = (...names: string[]) =>
    `projects: { web: { protectionBypass: { ${names.map((name) => `${name}: { note: ci }`).join(', ')} } } }`;
  await world.converge(web('a', 'b'));
  await world.converge(web('a', 'b', 'c'));
  const entries = Object.values(world.ledger.entries).filter(({ kind }) => kind === 'protectionBypass');
  expect(new Set(entries.flatMap(({ ids }) => ids)).size).toBe(3);
  expect(Object.keys(world.twin.account.projects[0]!.protectionBypass ?? {})).toHaveLength(3);
});

story('a firewall rule is not confused with a later one of others with the same name', async () => {
  const world = await newWorld();
  const conditionGroup = [{ conditions: [{ type: 'path', op: 'pre', value: '/x' }] }];
  const rule = { name: 'ours', active: true, conditionGroup, action: { mitigate: { action: 'deny' } } };
  const web = (...rules: object[]) =>
    `projects: ${JSON.stringify({ web: { firewall: { firewallEnabled: true, rules } } })}`;
  await world.converge(web({ ...rule, name: 'first' }));
  const planned = await world.plan(web({ ...rule, name: 'first' }, rule));
  intercept(world, async (request, send) => {
    const answer = (await send(request)) as { rules: object[] };
    if (!request.endpoint.startsWith('GET /v1/security/firewall/config/active')) return answer;
    return { ...answer, rules: [...answer.rules, { ...rule, id: 'rule_foreign', active: false }] };
  });
  const { outcome } = await world.apply(planned);
  expect(outcome.failed).toEqual([]);
  const entries = Object.values(world.ledger.entries).filter(({ kind }) => kind === 'firewallRule');
  const ids = entries.flatMap((entry) => entry.ids);
  expect(ids).toHaveLength(2);
  expect(ids).not.toContain('rule_foreign');
});
