import { beforeEach, expect, test } from 'vitest';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { newWorld } from '../support/scene.ts';
import type { World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await newWorld();
});

const style = styleFor({ color: false, width: 80 });
const web = (value: string, more = '') =>
  `projects: { web: { env: { LOG_LEVEL: { value: ${value}, target: [production]${more} } } } }`;
const shown = async (yaml: string) => planText((await world.plan(yaml)).plan, { style, requests: false });
const entry = () => world.ledger.entries['projects/web/env/LOG_LEVEL@production']!;
const variable = () => world.twin.account.projects[0]!.env[0]!;

test('an encrypted variable that stands in clear is shown so, what it was as well', async () => {
  await world.apply(await world.plan(web('info')));
  expect(variable()).toMatchObject({ type: 'encrypted', value: 'info' });
  expect(Object.keys(entry().secrets)).toEqual([]);
  expect(await shown(web('debug'))).toContain('value: info → debug');
});

test('a value that somebody else wrote is not shown, unless it is plain', async () => {
  await world.apply(await world.plan(web('info')));
  variable().value = 'canary-theirs';
  for (const value of ['info', 'debug']) {
    const text = await shown(web(value));
    expect(text).toContain(`value: (secret) → ${value}`);
    expect(text).not.toContain('canary');
  }
  variable().type = 'plain';
  expect(await shown(web('info'))).toContain('value: canary-theirs → info');
});

test('what is adopted is not shown', async () => {
  await world.apply(await world.plan(web('info')));
  world.ledger = { ...world.ledger, entries: {} };
  variable().value = 'canary-theirs';
  expect(await shown(web('info'))).not.toContain('canary');
});

test('a literal of type sensitive is shown on neither side, declared so or found so', async () => {
  await world.apply(await world.plan(web('canary-one', ', type: sensitive')));
  expect(Object.keys(entry().fields)).not.toContain('value');
  for (const yaml of [web('canary-two', ', type: sensitive'), web('canary-two')]) {
    const { plan } = await world.plan(yaml);
    const text = planText(plan, { style, requests: true, verbose: true });
    expect(text).toContain('LOG_LEVEL@production');
    expect(text + JSON.stringify(planJson(plan))).not.toContain('canary');
  }
});

test('a secret that becomes a literal is shown on one side only, and the other way round on none', async () => {
  world.env = { TRUEUP_SECRET_level: 'canary-secret' };
  const secret = `secrets: { level: {} }\n${web('"${secret.level}"')}`;
  await world.apply(await world.plan(secret));
  expect(await shown(web('debug'))).toContain('value: (secret) → debug');
  await world.apply(await world.plan(web('debug')));
  expect(await shown(secret)).toContain('value: (secret, changed)');
  expect(await shown(secret)).not.toContain('debug');
});

test('the ledger of before, with a keyed digest of a literal, plans to nothing and is kept', async () => {
  world.env = { TRUEUP_SECRET_level: 'info' };
  await world.apply(await world.plan(`secrets: { level: {} }\n${web('"${secret.level}"')}`));
  expect(Object.keys(entry().secrets)).toEqual(['value']);
  const { plan } = await world.plan(web('info'));
  expect(plan.changes.every(({ action }) => action === 'noop')).toBe(true);
  await world.apply(await world.plan(web('debug')));
  expect(Object.keys(entry().secrets)).toEqual([]);
  expect(await shown(web('warn'))).toContain('value: debug → warn');
});
