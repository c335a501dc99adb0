import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(3);

const rule = (action: string, path = '/admin') =>
  `projects: { web: { firewall: { rules: [{ name: one, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: ${path} }] }], action: { mitigate: { action: ${action} } } }, { name: two, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /b }] }], action: { mitigate: { action: deny } } }] } } }`;
const routes = (...names: string[]) =>
  `projects: { web: { routes: [${names.map((name) => `{ name: ${name}, route: { src: /${name}, has: [{ type: header, key: of-${name} }], status: 404 } }`).join(', ')}] } }`;
const policy = (issuer: string) =>
  `oidcPolicies: { ci: { clientId: cl_one, issuerUrl: '${issuer}', claims: [{ name: aud, values: [{ value: one }] }], permissions: [], $replace: allow } }`;

/** Adds a member that no schema knows to the first object which has a member of this name and value. */
function addUnknown(value: unknown, name: string, wanted: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ((value as Record<string, unknown>)[name] === wanted) {
    Object.assign(value, { unknownToAll: 'x' });
    return true;
  }
  return Object.values(value).some((member) => addUnknown(member, name, wanted));
}

const warnings = ({ plan }: Awaited<ReturnType<World['plan']>>) =>
  plan.diagnostics.map(({ code, message }) => `${code} ${/`.*?`/.exec(message)?.[0]}`);

const conditions = '`conditionGroup[].conditions[].unknownToAll`';
oneRowIn(4)([
  ['another field of a rule changes', rule('deny'), rule('challenge'), ['value', '/admin'], conditions],
  ['the field itself changes', rule('deny'), rule('deny', '/x'), ['value', '/admin'], conditions],
  [
    'an item of a staged list moves',
    routes('a', 'b', 'c'),
    routes('b', 'c', 'a'),
    ['key', 'of-a'],
    '`route.has[].unknownToAll`',
  ],
  [
    'an object is replaced',
    policy('https://a.example.com'),
    policy('https://b.example.com'),
    ['name', 'aud'],
    '`claims[].unknownToAll`',
  ],
] as [string, string, string, [string, string], string][])(
  'a plan names a member that is lost where %s',
  async (_, before, after, [name, wanted], member) => {
    const world = await newWorld();
    await world.converge(before);
    expect(warnings(await world.plan(before))).toEqual([]);
    expect(addUnknown(world.twin.account, name, wanted)).toBe(true);
    const unchanged = await world.plan(before);
    expect([warnings(unchanged), unchanged.plan.operations]).toEqual([[], []]);
    expect(warnings(await world.plan(after))).toEqual([`write/loses ${member}`]);
  },
);

story('a plan names no member of an object that it leaves alone or only moves', async () => {
  const world = await newWorld();
  await world.converge(rule('deny'));
  expect(addUnknown(world.twin.account, 'value', '/b')).toBe(true);
  expect(warnings(await world.plan(rule('challenge')))).toEqual([]);
  const swapped = rule('deny').replace(
    /\[(\{ name: one.*\}), (\{ name: two.*\})\] \} \} \}/,
    '[$2, $1] } } }',
  );
  const moved = await world.plan(swapped);
  expect([moved.plan.operations.length, warnings(moved)]).toEqual([1, []]);
});

it('an approved plan is not applied where it would by now remove a member that it did not name', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: shop\nplatform: { team: acme }\n${rule('deny')}\n`,
  });
  const twin = await shell.withTwin();
  expect((await shell.run(['apply', '--auto-approve', '--settle', '0'])).status).toBe(0);
  await shell.write({ 'trueup.yaml': `stack: shop\nplatform: { team: acme }\n${rule('challenge')}\n` });
  expect((await shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
  expect(addUnknown(twin.account, 'value', '/admin')).toBe(true);
  const sent = twin.requests.filter(({ method }) => method !== 'GET').length;
  const ran = await shell.run(['apply', 'plan.json', '--settle', '0']);
  expect(ran.status, ran.all).toBe(1);
  expect(ran.all).toContain('approval/');
  expect(twin.requests.filter(({ method }) => method !== 'GET').length).toBe(sent);
});
