import { expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { ruleOf } from './firewall-lines.ts';

const story = oneStoryIn(3);

interface ShownFinding {
  code: string;
  severity: string;
  address: string;
  finding?: { state: string };
}

/** Returns a rule as the account has it: a condition that compares with nothing has an empty value. */
function liveRuleOf(line: string) {
  const { conditionGroup, ...rule } = ruleOf(line);
  const groups = conditionGroup.map(({ conditions }) => ({
    conditions: conditions.map((condition) => ({ value: '', ...condition })),
  }));
  return { ...rule, conditionGroup: groups };
}

/** Returns the findings of a plan that declares firewall rules in an account that has others, as texts. */
async function planned(
  live: readonly string[],
  declared: readonly string[],
  {
    isOn = true,
    isNew = false,
    firewall = { firewallEnabled: true },
  }: { isOn?: boolean; isNew?: boolean; firewall?: object } = {},
) {
  const rules = declared.map(ruleOf);
  const yaml = JSON.stringify({ web: { firewall: { ...firewall, rules } } });
  const shell = await new Shell().write({
    'trueup.yaml': `stack: test\nplatform: { team: acme }\nprojects: ${yaml}\n`,
  });
  const seeded = { firewallEnabled: isOn, rules: live.map(liveRuleOf) };
  const projects = isNew ? [] : [{ name: 'web', firewall: seeded }];
  const seed = { team: { slug: 'acme' }, projects } as Seed;
  await shell.withTwin(seed);
  const ran = await shell.run(['plan', '--format', 'json']);
  const { diagnostics, fixedFindings = [] } = JSON.parse(ran.stdout) as Record<string, ShownFinding[]>;
  return [...diagnostics!, ...fixedFindings]
    .filter(({ code }) => code.startsWith('firewall/'))
    .map(({ severity, code, address, finding }) => `${finding?.state} ${severity} ${code} ${address}`);
}

const at = (name: string) => `projects/web/firewall/rules/${name}`;

it('a declared rule below an undeclared one that denies everything is never reached', async () => {
  expect(await planned(['all deny: path pre /'], ['health bypass: path eq /health'])).toEqual([
    `new warning firewall/unreachable ${at('health')}`,
    `unchanged note firewall/matches-everything ${at('all')}`,
  ]);
});

it('a further rule that is never reached is new', async () => {
  const live = ['all deny: path pre /a', 'health bypass: path eq /a/health'];
  expect(await planned(live, ['other bypass: path eq /a/other'])).toEqual([
    `new warning firewall/unreachable ${at('other')}`,
    `unchanged warning firewall/unreachable ${at('health')}`,
  ]);
});

story('what an account has already is unchanged', async () => {
  const live = ['all deny: path pre /a', 'health bypass: path eq /a/health'];
  expect(await planned(live, ['other deny: path eq /x'])).toEqual([
    `unchanged warning firewall/unreachable ${at('health')}`,
  ]);
});

it('a plan that changes the rule above fixes it', async () => {
  const live = ['all deny: path pre /a', 'health bypass: path eq /a/health'];
  expect(await planned(live, ['all deny: path pre /a & path neq /a/health'])).toEqual([
    `fixed warning firewall/unreachable ${at('health')}`,
  ]);
});

it('rules are read from the account as they were written', async () => {
  const rules = [
    'a deny: header.x nex',
    'b challenge: header.x !ex & path pre /b',
    'c bypass: cookie.c ex',
    'd deny: path pre x',
  ];
  expect(await planned(rules, rules)).toEqual([
    `unchanged warning firewall/unreachable ${at('b')}`,
    `unchanged warning firewall/never-matches ${at('d')}`,
  ]);
});

const faulty = ['all deny: path pre /', 'health bypass: path eq /health', 'none deny: path pre x'];

it.each([
  ['the account', {}],
  ['the configuration', { firewallEnabled: false }],
])('while %s turns the firewall off, its rules harm nobody', async (_, firewall) => {
  const found = await planned(faulty, faulty, { isOn: false, firewall });
  expect(found).toEqual([
    'unchanged note firewall/off projects/web/firewall',
    `unchanged note firewall/unreachable ${at('health')}`,
    `unchanged note firewall/never-matches ${at('none')}`,
  ]);
});

it('what a plan makes worse by turning a firewall on is new', async () => {
  expect(await planned(faulty, faulty, { isOn: false })).toEqual([
    `new warning firewall/unreachable ${at('health')}`,
    `new note firewall/matches-everything ${at('all')}`,
    `new warning firewall/never-matches ${at('none')}`,
    'fixed note firewall/off projects/web/firewall',
  ]);
});

story('rules of a new project do nothing until its firewall is turned on', async () => {
  expect(await planned([], faulty, { isNew: true, firewall: {} })).toEqual([
    'new note firewall/off projects/web/firewall',
    `new note firewall/unreachable ${at('health')}`,
    `new note firewall/never-matches ${at('none')}`,
  ]);
  expect(await planned([], ['none deny: path pre /x'], { isNew: true })).toEqual([]);
});
