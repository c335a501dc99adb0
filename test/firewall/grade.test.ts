import { afterAll, beforeAll, expect, it } from 'vitest';
import { gradeOf } from '../../providers/hosting/kinds/security/protection.ts';
import { oneRowIn } from '../support/sweep.ts';
import { Firewall, rule } from './fixture.ts';

let firewall: Firewall;
beforeAll(async () => {
  firewall = await Firewall.start();
});
afterAll(() => firewall.stop());

const ip = (action: string) => ({ ips: [{ hostname: 'a', ip: '192.0.2.1', action }] });
const managed = (owasp: object) => ({ managedRules: { owasp } });
const crs = (xss: object) => ({ crs: { xss } });
const rules = (...of: object[]) => ({ rules: of });

oneRowIn(5)([
  ['the firewall goes off', { firewallEnabled: true }, { firewallEnabled: false }, 'disruptive'],
  ['the firewall goes on', { firewallEnabled: false }, { firewallEnabled: true }, 'safe'],
  ['a setting changes', { botIdEnabled: true }, { botIdEnabled: false }, 'safe'],
  ['a deny rule is deactivated', rules(rule('a')), rules(rule('a', { active: false })), 'disruptive'],
  ['a deny rule only logs', rules(rule('a')), rules(rule('a', { does: 'log' })), 'disruptive'],
  ['a deny rule challenges', rules(rule('a')), rules(rule('a', { does: 'challenge' })), 'disruptive'],
  ['a deny rule lets through', rules(rule('a')), rules(rule('a', { does: 'bypass' })), 'disruptive'],
  ['a deny rule is removed', rules(rule('a'), rule('b')), rules(rule('b')), 'disruptive'],
  ['a challenge denies', rules(rule('a', { does: 'challenge' })), rules(rule('a')), 'safe'],
  ['a rule that is off is removed', rules(rule('a', { active: false }), rule('b')), rules(rule('b')), 'safe'],
  ['a rule that logs is removed', rules(rule('a', { does: 'log' }), rule('b')), rules(rule('b')), 'safe'],
  ['a broad deny is new', rules(rule('a')), rules(rule('a'), rule('b', { matches: '' })), 'safe'],
  ['a rule matches something else', rules(rule('a')), rules(rule('a', { matches: 'b' })), 'safe'],
  ['rules change places', rules(rule('a'), rule('b')), rules(rule('b'), rule('a')), 'safe'],
  ['an address is denied no more', ip('deny'), ip('log'), 'disruptive'],
  ['an address is let through no more', ip('bypass'), ip('log'), 'safe'],
  ['an IP rule is removed', ip('challenge'), {}, 'disruptive'],
  ['an IP rule that lets through is removed', ip('bypass'), {}, 'safe'],
  ['a managed ruleset goes off', managed({ active: true }), managed({ active: false }), 'disruptive'],
  [
    'a managed ruleset only logs',
    managed({ active: true }),
    managed({ active: true, action: 'log' }),
    'disruptive',
  ],
  ['a managed ruleset goes on', managed({ active: false }), managed({ active: true }), 'safe'],
  ['a category goes off', crs({ active: true, action: 'deny' }), crs({ active: false }), 'disruptive'],
  ['a category that logs goes off', crs({ active: true, action: 'log' }), crs({ active: false }), 'safe'],
] as const)('%s', async (_, before, after, grade) => {
  firewall.world.ledger = { ...firewall.world.ledger, entries: {} };
  firewall.world.twin.account.projects[0]!.firewall.active = null;
  await firewall.converge(before);
  const { plan } = await firewall.plan(after);
  const graded = plan.changes.filter((one) => one.action !== 'noop' && one.grade !== 'safe');
  expect(graded.map((one) => one.grade)).toEqual(grade === 'safe' ? [] : [grade]);
  for (const { gradeReason } of graded) expect(gradeReason).toMatch(/^weaker protection/);
  expect(plan.changes.filter(({ action }) => action !== 'noop').length).toBeGreaterThan(0);
});

it.each([{ toString: 1 }, 'constructor', 3, null, ['deny']])(
  'an action %j that nobody knows holds off nothing',
  (action) => {
    const grade = gradeOf((fields) => fields.action);
    const resource = (of: unknown) => ({ fields: { action: of } }) as never;
    const change = (before: unknown, after: unknown) =>
      grade({ action: 'update', before: resource(before), after: resource(after) } as never);
    expect(change(action, 'log')).toBeUndefined();
    expect(change('deny', action)).toMatchObject({ grade: 'disruptive' });
  },
);
