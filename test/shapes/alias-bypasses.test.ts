import { afterEach, expect, it } from 'vitest';
import { World } from '../support/world.ts';

let world: World;
afterEach(() => world.stop());

const seed = { projects: [{ name: 'web', deployments: [{ id: 'dpl_one' }] }] };
const yaml = (who: string) =>
  `projects: { web: { aliases: { web-demo.vercel.app: { deploymentId: dpl_one, protectionBypasses: { ${who} } } } } }`;
const bypasses = () => world.twin.account.aliases[0]!.protectionBypass;
const scopes = () => Object.values(bypasses()).map(({ scope }) => scope);

it('lets people and everybody in, and takes away what is not declared any more, if that is allowed', async () => {
  world = await World.start({ seed });
  await world.converge(yaml('user_1: {}, Grace@Example.com: {}, "*": {}'));
  expect(scopes().sort()).toEqual(['alias-protection-override', 'email_invite', 'user']);
  const refused = await world.plan(yaml('user_1: {}'), { allow: [] });
  expect(refused.plan.diagnostics.map(({ code }) => code)).toContain('allow/missing');
  await world.converge(yaml('user_1: {}'));
  expect(Object.keys(bypasses())).toEqual(['user_1']);
});

it('leaves links and those who only asked alone, and shows no secret of a link', async () => {
  world = await World.start({ seed });
  await world.converge(yaml(''));
  const times = { createdAt: 1, lastUpdatedAt: 1, lastUpdatedBy: 'user_2' };
  bypasses()['canary-link'] = { scope: 'shareable-link', createdAt: 1, createdBy: 'user_2' };
  bypasses().user_3 = { scope: 'user', access: 'requested', ...times };
  const plan = await world.converge(yaml('user_1: {}'));
  await world.converge(yaml(''));
  expect(scopes()).toEqual(['shareable-link', 'user']);
  expect(JSON.stringify([plan, world.ledger])).not.toContain('canary');
});
