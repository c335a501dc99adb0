import { afterEach, describe, expect, it } from 'vitest';
import { defaultSwitches, otherSwitches } from '../../providers/hosting/twin/index.ts';
import { savePlan } from '../../src/approval/save-plan.ts';
import { shownPlan } from '../../src/approval/shown-plan.ts';
import type { Plan } from '../../src/model/plan.ts';
import { planText } from '../../src/report/plan-text.ts';
import { plainStyle } from '../report/builders.ts';
import { oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';
import { Firewall, type Rule, rule, type SeedFirewall } from './fixture.ts';

const story = oneStoryIn(7);

let firewall: Firewall;
afterEach(() => firewall.stop());

const three = ['a', 'b', 'c'].map((name) => rule(name));
const here = 'projects/web/firewall';
/** What is told of the rules, as `action name: reason`. */
const told = ({ changes }: Plan) =>
  changes
    .filter(({ kind, action }) => kind === 'firewallRule' && action !== 'noop')
    .map(({ action, address, reason }) => `${action} ${address.split('/').at(-1)}: ${reason ?? ''}`);
const codes = ({ diagnostics }: Plan) => diagnostics.map(({ severity, code }) => `${severity} ${code}`);

/** Converges, and returns the plan with the actions that were sent. */
async function converge(block: object | string) {
  const from = firewall.requestCount;
  const plan = await firewall.converge(block);
  return { plan, sent: firewall.envelopes(from).map(([action, id]) => `${action} ${id ?? ''}`.trim()) };
}

const platforms: [behaviour: string, switches: typeof defaultSwitches][] = [
  ['as the evidence says', defaultSwitches],
  ['otherwise where it is silent', otherSwitches],
];

describe.each(sampled(platforms, 1))('the platform behaving %s', (_, switches) => {
  it('a firewall that is as declared is adopted, and nothing is sent', async () => {
    const full: SeedFirewall = {
      firewallEnabled: true,
      botIdEnabled: true,
      logHeaders: ['b', 'a'],
      rules: [
        rule('theirs'),
        rule('everything', {
          description: 'd',
          conditionGroup: [
            { conditions: [{ type: 'header', op: 'ex', key: 'k', value: '' }] },
            { conditions: [{ type: 'region', op: 'inc', value: ['arn1'], neg: false }] },
          ],
          action: { mitigate: { action: 'deny', actionDuration: null, rateLimit: null, bypassSystem: null } },
        }),
        rule('short', { active: false, description: 'not declared' }),
      ],
      ips: [{ hostname: 'a', ip: '192.0.2.1', action: 'deny', notes: 'not declared' }],
      managedRules: { bot_filter: { active: true, action: 'log' }, ai_bots: { active: false } },
      crs: { xss: { active: true, action: 'deny' } },
    };
    firewall = await Firewall.start(full, switches);
    const { plan, sent } = await converge(`
      firewallEnabled: true
      botIdEnabled: true
      logHeaders: [a, b]
      rules:
        - name: everything
          description: d
          active: true
          conditionGroup:
            - conditions: [{ key: k, op: ex, type: header }]
            - conditions: [{ type: region, op: inc, value: [arn1] }]
          action: { mitigate: { action: deny } }
        - name: short
          active: false
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /short }] }]
          action: { mitigate: { action: deny, redirect: null } }
      ips: [{ hostname: A, ip: 192.0.2.1, action: deny }]
      managedRules: { bot_protection: { active: true, action: log }, ai_bots: { active: false } }
      crs: { xss: { active: true, action: deny }, sqli: { active: false } }
    `);
    expect(sent).toEqual([]);
    const actions = plan.changes.map(({ action }) => action);
    expect(actions.filter((action) => action !== 'adopt')).toEqual([]);
    expect(actions).toHaveLength(9);
    expect(plan.unmanaged.map(({ address }) => address)).toEqual([`${here}/rules/theirs`]);
  });

  it('nothing declared of a firewall: nothing is ours', async () => {
    firewall = await Firewall.start(undefined, switches);
    expect((await converge('rules: []\nips: []')).sent).toEqual([]);
    expect((await converge('{}')).sent).toEqual([]);
    expect(firewall.world.twin.account.projects[0]!.firewall.active).toBeNull();
  });
});

describe('what is not declared any more', () => {
  story('a field: is let go, and the rule stays where it is', async () => {
    firewall = await Firewall.start();
    await converge({ rules: three.map((one) => ({ ...one, description: 'd' })) });
    const { plan, sent } = await converge({ rules: three });
    expect(told(plan)).toEqual(['release a: ', 'release b: ', 'release c: ']);
    expect(sent).toEqual([]);
    expect(firewall.active.rules.map(({ description }) => description)).toEqual(['d', 'd', 'd']);
  });

  story('a rule that is released stays, and is not moved any more', async () => {
    firewall = await Firewall.start();
    await converge({ rules: three });
    const [a, , c] = three;
    const released = 'removed: [{ at: projects/web/firewall/rules/b, delete: false }]';
    await firewall.world.converge(`${firewall.yaml({ rules: [c, a] })}\n${released}`);
    expect(firewall.names()).toEqual(['c', 'a', 'b']);
  });

  story('a setting, a ruleset, a category: the platform keeps them', async () => {
    firewall = await Firewall.start();
    await converge({
      botIdEnabled: true,
      managedRules: { owasp: { active: true } },
      crs: { xss: { active: true } },
    });
    expect((await converge({})).sent).toEqual([]);
    expect(firewall.active).toMatchObject({ botIdEnabled: true, managedRules: { owasp: { active: true } } });
  });
});

describe('changes behind our back', () => {
  oneRowIn(5)<[what: string, edit: (live: Firewall['active']) => void, told: string[], sent: string[]]>([
    ['moved', (live) => void live.rules.push(live.rules.shift()!), ['move a: '], ['rules.priority a']],
    [
      'switched off',
      (live) => void Object.assign(live.rules[1]!, { active: false }),
      ['update b: changed outside'],
      ['rules.update b'],
    ],
    [
      'deleted',
      (live) => void live.rules.shift(),
      ['create a: deleted outside'],
      ['rules.insert', 'rules.priority a'],
    ],
    [
      'renamed',
      (live) => void Object.assign(live.rules[2]!, { name: 'z' }),
      ['update c: renamed outside'],
      ['rules.update c'],
    ],
    [
      'deleted and made again',
      (live) => void Object.assign(live.rules[0]!, { id: 'rule_new', active: false }),
      ['adopt a: replaced outside'],
      ['rules.update a'],
    ],
    ['another one in front', (live) => void live.rules.unshift({ id: 'rule_u', ...rule('u') }), [], []],
    [
      'a description that is not ours',
      (live) => void Object.assign(live.rules[0]!, { description: 'd' }),
      [],
      [],
    ],
  ])('a rule is %s', async (_, edit, changes, envelopes) => {
    firewall = await Firewall.start();
    await converge({ rules: three });
    edit(firewall.active);
    const { plan, sent } = await converge({ rules: three });
    expect(told(plan)).toEqual(changes);
    expect(sent).toEqual(envelopes);
    expect(firewall.names().filter((name) => name !== 'u')).toEqual(['a', 'b', 'c']);
  });

  story('everything else', async () => {
    firewall = await Firewall.start();
    const block = {
      firewallEnabled: true,
      logHeaders: ['a', 'b'],
      ips: [{ hostname: 'a', ip: '192.0.2.1', action: 'deny' }],
      managedRules: { owasp: { active: true } },
      crs: { xss: { active: true } },
    };
    await converge(block);
    const live = firewall.active;
    Object.assign(live, { firewallEnabled: false, logHeaders: ['b'], managedRules: {}, crs: {} });
    live.ips[0]!.action = 'log';
    const { plan } = await converge(block);
    expect(
      plan.changes
        .filter(({ action }) => action === 'update')
        .map(({ address, reason }) => [address, reason]),
    ).toEqual(
      ['', '/crs/xss', '/ips/a/192.0.2.1', '/managedRules/owasp'].map((at) => [here + at, 'changed outside']),
    );
    expect(firewall.active).toMatchObject({ firewallEnabled: true, logHeaders: ['a', 'b'] });
  });
});

describe('two live rules of one name', () => {
  const copy = (one: Rule, id: string) => ({ ...one, id });

  it('both known to the ledger, after a stop on the way: the newer one stays', async () => {
    firewall = await Firewall.start();
    await converge({ rules: three });
    firewall.active.rules.push(copy(rule('a', { matches: 'x' }), 'rule_new'));
    firewall.world.ledger.entries[`${here}/rules/a`]!.ids.push('rule_new');
    const next = [rule('a', { matches: 'x' }), ...three.slice(1)];
    const { plan, sent } = await converge({ rules: next });
    expect(told(plan)).toEqual(['adopt a: another copy of it is removed']);
    expect(sent).toEqual(['rules.priority a', 'rules.remove a']);
    expect(firewall.active.rules.map(({ id }) => id)[0]).toBe('rule_new');
    expect(firewall.names()).toEqual(['a', 'b', 'c']);
  });

  it('both known, and the rule is not declared any more: both go', async () => {
    firewall = await Firewall.start();
    await converge({ rules: three });
    firewall.active.rules.push(copy(three[0]!, 'rule_new'));
    firewall.world.ledger.entries[`${here}/rules/a`]!.ids.push('rule_new');
    const { sent } = await converge({ rules: three.slice(1) });
    expect(sent).toEqual(['rules.remove rule_new', 'rules.remove a']);
    expect(firewall.names()).toEqual(['b', 'c']);
  });

  it('one known, the other just what is to be made: its answer was lost, and it is ours', async () => {
    firewall = await Firewall.start();
    await converge({ rules: three });
    firewall.active.rules.push(copy(rule('a', { matches: 'x' }), 'rule_new'));
    await converge({ rules: [rule('a', { matches: 'x' }), ...three.slice(1)] });
    expect(firewall.names()).toEqual(['a', 'b', 'c']);
  });

  story('one known, the other anything else: it is none of ours', async () => {
    firewall = await Firewall.start();
    await converge({ rules: three });
    firewall.active.rules.push(copy(rule('a', { matches: 'y' }), 'rule_theirs'));
    await converge({ rules: [rule('a', { matches: 'x' }), ...three.slice(1)] });
    expect(firewall.names()).toEqual(['a', 'b', 'c', 'a']);
    expect(firewall.active.rules[3]).toMatchObject({ id: 'rule_theirs' });
  });

  it('none known: an error, and `$id` says which one is meant', async () => {
    firewall = await Firewall.start({ rules: [three[0]!, three[1]!, rule('a', { matches: 'x' })] });
    const { plan } = await firewall.plan({ rules: [three[0]] });
    expect(codes(plan)).toEqual(['error match/ambiguous']);
    const [first, , last] = firewall.active.rules.map(({ id }) => id);
    for (const id of [first, last]) expect(plan.diagnostics[0]!.message).toContain(id);

    const { sent } = await converge({ rules: [{ ...rule('a', { matches: 'z' }), $id: last }] });
    expect(sent).toEqual(['rules.update a']);
    expect(firewall.active.rules.map(({ id }) => id)).toEqual([first, expect.any(String), last]);
  });

  story('none declared: none ours; under `$exclusive` all of them go', async () => {
    firewall = await Firewall.start({ rules: [three[0]!, three[1]!, three[0]!] });
    expect((await converge({ rules: [three[1]] })).sent).toEqual([]);
    expect(firewall.names()).toEqual(['a', 'b', 'a']);
    const { sent } = await converge({ $exclusive: ['rules'], rules: [three[1]] });
    expect(sent).toEqual(['rules.remove a', 'rules.remove a']);
    expect(firewall.names()).toEqual(['b']);
  });
});

describe('a rule that exists and is not ours', () => {
  it('is never named in an envelope', async () => {
    firewall = await Firewall.start({ rules: three });
    const { sent } = await converge({ rules: [three[2], { name: 'b', $existing: true }, three[0]] });
    expect(sent).toEqual(['rules.priority c']);
    expect(firewall.names()).toEqual(['c', 'a', 'b']);
  });
});

describe('a category of the core rule set that is off', () => {
  story('does, once it is on, what the account shows, unless it is declared', async () => {
    firewall = await Firewall.start({ crs: { sqli: { active: false, action: 'deny' } } });
    const sqli = () => firewall.active.crs.sqli;
    await converge('crs: { sqli: { active: true } }');
    expect(sqli()).toEqual({ active: true, action: 'deny' });
    await converge('crs: { sqli: { active: false } }');
    expect(sqli()).toEqual({ active: false, action: 'deny' });
    await converge('crs: { sqli: { active: true } }');
    expect(sqli()).toEqual({ active: true, action: 'deny' });
    await converge('crs: { sqli: { active: true, action: log } }');
    expect(sqli()).toEqual({ active: true, action: 'log' });
  });

  story('is told once what it would do, whatever is kept of that', async () => {
    firewall = await Firewall.start({ crs: { sqli: { active: false, action: 'deny' } } });
    expect((await converge('crs: { sqli: { active: false, action: deny } }')).sent).toEqual([]);
    expect((await converge('crs: { sqli: { active: false, action: log } }')).sent).toEqual([
      'crs.update sqli',
    ]);
    // A platform that does not keep it reads as before.
    firewall.active.crs.sqli!.action = 'deny';
    expect((await converge('crs: { sqli: { active: false, action: log } }')).sent).toEqual([]);
    await converge('crs: { sqli: { active: true, action: log } }');
    expect(firewall.active.crs.sqli).toEqual({ active: true, action: 'log' });
  });
});

describe('a pending draft', () => {
  it('stops a plan that would change something, once, unless it is ignored', async () => {
    firewall = await Firewall.start({ rules: three });
    firewall.draft = structuredClone(firewall.active);
    const block = { botIdEnabled: true, rules: three.toReversed() };
    const { plan } = await firewall.plan(block);
    expect(codes(plan)).toEqual(['error staged/elsewhere']);
    const ignored = await firewall.plan(block, { ignoreDrafts: true });
    expect(codes(ignored.plan)).toEqual([]);
    const { outcome } = await firewall.world.apply(ignored);
    expect(outcome.failed).toEqual([]);
    expect(firewall.names()).toEqual(['c', 'b', 'a']);
  });

  it('is named for each project that has one, since each has to be published on its own', async () => {
    firewall = await Firewall.start({ rules: three });
    const { world } = firewall;
    world.twin.add({ projects: [{ name: 'api', firewall: { firewallEnabled: true } }, { name: 'site' }] });
    const { projects } = world.twin.account;
    for (const { firewall } of projects) firewall.draft = structuredClone(firewall.active);
    const block = { botIdEnabled: true, crs: { sqli: { active: true } } };
    const yaml = JSON.stringify(Object.fromEntries(projects.map(({ name }) => [name, { firewall: block }])));
    const { plan } = await world.plan(`projects: ${yaml}`);
    expect(plan.diagnostics.map(({ message }) => message).sort()).toEqual([
      'projects/api: the firewall has a pending draft from somewhere else',
      'projects/web: the firewall has a pending draft from somewhere else',
    ]);
  });

  it('is no matter where nothing is to be changed', async () => {
    firewall = await Firewall.start({ rules: three });
    firewall.draft = structuredClone(firewall.active);
    expect((await converge({ rules: three })).sent).toEqual([]);
  });
});

describe('a selection', () => {
  story('has all rules of a list, or none', async () => {
    firewall = await Firewall.start();
    await converge({ rules: three });
    const block = { botIdEnabled: true, rules: three.toReversed() };
    const targeted = await firewall.plan(block, { targets: [`${here}/rules/a`] });
    expect(told(targeted.plan)).toHaveLength(2);
    expect(targeted.plan.operations).toHaveLength(2);
    const excluded = await firewall.plan(block, { excludes: [`${here}/rules/a`] });
    expect(told(excluded.plan)).toEqual([]);
    expect(excluded.plan.operations).toHaveLength(1);
  });
});

describe('changes that are not safe in place', () => {
  const changed = ['a', 'b'].map((name) => rule(name, { matches: `${name}2` }));
  const ids = () => firewall.active.rules.map(({ id }) => id);

  oneRowIn(2)([
    ['of rules that are ours', true],
    ['of rules that are adopted', false],
  ])('%s are made with a copy, and the plan says so', async (_, isOurs) => {
    firewall = await Firewall.start();
    await converge({ rules: three.slice(0, 2) });
    if (!isOurs) firewall.world.ledger = { ...firewall.world.ledger, entries: {} };
    const [a, b] = ids();
    const { plan } = await firewall.plan({ rules: changed });
    const said = 'inserted as a new copy before the old one is removed, so its id changes';
    const { key } = firewall.world;
    const saved = { baseUrl: '', owner: '', generation: 1, options: {}, kinds, secrets: new Map(), key };
    for (const one of [plan, shownPlan(JSON.parse(JSON.stringify(savePlan(plan, saved))))]) {
      const text = planText(one, { style: { ...plainStyle, width: 200 }, requests: false });
      expect(text.split(said)).toHaveLength(2);
    }
    const { sent } = await converge({ rules: changed });
    // One of the two can be changed in place: nothing stands between the last that comes and the last that goes.
    expect(sent.filter((one) => one === 'rules.insert')).toHaveLength(1);
    expect(sent.filter((one) => one.startsWith('rules.remove'))).toHaveLength(1);
    expect(firewall.names()).toEqual(['a', 'b']);
    expect(ids().filter((id) => id === a || id === b)).toHaveLength(1);
  });
});
