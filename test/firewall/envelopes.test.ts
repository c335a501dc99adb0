import { describe, expect, it } from 'vitest';
import { defaultSwitches, otherSwitches, type Switches } from '../../providers/hosting/twin/index.ts';
import { firewallEnvelope } from '../../providers/hosting/twin/security/firewall-body.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';
import { type Envelope, Firewall, rule, type SeedFirewall } from './fixture.ts';

const story = oneStoryIn(4);

interface Scenario {
  title: string;
  /** What the account has before anything was applied. */
  live?: SeedFirewall;
  /** Applied first. */
  before?: string;
  after: string;
  envelopes: Envelope[];
  switches?: Partial<Switches>;
}

const admin = rule('admin');
const api = rule('api', { does: 'challenge' });
const adminYaml = `
    - name: admin
      active: true
      conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin }] }]
      action: { mitigate: { action: deny } }`;
const apiYaml = `
    - name: api
      active: true
      conditionGroup: [{ conditions: [{ type: path, op: pre, value: /api }] }]
      action: { mitigate: { action: challenge } }`;
const twoRules = `  rules:${adminYaml}${apiYaml}`;
const ips = `
  ips:
    - { hostname: example.com, ip: 192.0.2.0/24, action: deny }
`;
const crs = (sqli: string, xss: string) => `
  crs:
    sqli: ${sqli}
    xss: ${xss}
`;

const scenarios: Scenario[] = [
  {
    title: 'switched on: last, when there is something to enforce',
    after: `${twoRules}\n  firewallEnabled: true`,
    envelopes: [
      ['rules.insert', null, admin],
      ['rules.insert', null, api],
      ['firewallEnabled', null, true],
    ],
  },
  {
    title: 'switched off: first',
    before: `${twoRules}\n  firewallEnabled: true`,
    after: 'firewallEnabled: false',
    envelopes: [
      ['firewallEnabled', null, false],
      ['rules.remove', 'api', null],
      ['rules.remove', 'admin', null],
    ],
  },
  {
    title: 'the settings',
    after: `
      botIdEnabled: true
      logHeaders: [accept, user-agent]
    `,
    envelopes: [
      ['botId.toggle', null, true],
      ['logHeaders.update', null, ['accept', 'user-agent']],
    ],
  },
  {
    title: 'the settings, changed and reset',
    live: { botIdEnabled: true, logHeaders: '*' },
    after: `
      botIdEnabled: false
      logHeaders: null
    `,
    envelopes: [
      ['botId.toggle', null, false],
      ['logHeaders.update', null, null],
    ],
  },
  {
    title: 'a rule of every shape is inserted',
    after: `
      rules:
        - name: everything
          description: what a rule can say
          active: false
          conditionGroup:
            - conditions:
                - { type: header, op: nex, key: user-agent }
                - { type: geo_country, op: inc, value: [NO, SE], neg: true }
            - conditions: [{ type: ip_address, op: eq, value: 192.0.2.1, neg: false }]
          action:
            mitigate:
              action: rate_limit
              rateLimit: { algo: fixed_window, window: 60, limit: 100, keys: [ip], action: challenge }
              redirect: null
              actionDuration: 5m
              bypassSystem: true
              logHeaders: [accept]
        - name: moved
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: re, value: ^/old }] }]
          action: { mitigate: { action: redirect, redirect: { location: /new, permanent: true } } }
    `,
    envelopes: [
      [
        'rules.insert',
        null,
        {
          name: 'everything',
          description: 'what a rule can say',
          active: false,
          conditionGroup: [
            {
              conditions: [
                { type: 'header', op: 'nex', key: 'user-agent', value: '' },
                { type: 'geo_country', op: 'inc', value: ['NO', 'SE'], neg: true },
              ],
            },
            { conditions: [{ type: 'ip_address', op: 'eq', value: '192.0.2.1' }] },
          ],
          action: {
            mitigate: {
              action: 'rate_limit',
              rateLimit: {
                algo: 'fixed_window',
                window: 60,
                limit: 100,
                keys: ['ip'],
                action: 'challenge',
              },
              actionDuration: '5m',
              bypassSystem: true,
              logHeaders: ['accept'],
            },
          },
        },
      ],
      [
        'rules.insert',
        null,
        {
          name: 'moved',
          active: true,
          conditionGroup: [{ conditions: [{ type: 'path', op: 're', value: '^/old' }] }],
          action: { mitigate: { action: 'redirect', redirect: { location: '/new', permanent: true } } },
        },
      ],
    ],
  },
  {
    title: 'an update sends the whole rule, with what is not declared as it was found',
    live: { rules: [{ ...admin, description: 'from the dashboard' }] },
    after: `  rules:${adminYaml.replace('true', 'false')}`,
    envelopes: [['rules.update', 'admin', { ...admin, description: 'from the dashboard', active: false }]],
  },
  {
    title: 'a description is reset',
    live: { rules: [{ ...admin, description: 'from the dashboard' }] },
    after: `  rules:${adminYaml}\n      description: null`,
    envelopes: [['rules.update', 'admin', admin]],
  },
  {
    title: 'what is ignored stays as it is in the account, though the whole rule is sent',
    live: { rules: [{ ...admin, active: false }] },
    after: `  rules:${adminYaml.replace('/admin', '/wp-admin')}\n      $ignore: [active]`,
    envelopes: [['rules.update', 'admin', { ...rule('admin', { matches: 'wp-admin' }), active: false }]],
  },
  {
    title: 'a rule is renamed',
    before: twoRules,
    after: twoRules.replace('name: api', 'name: backend\n      $was: api'),
    envelopes: [['rules.update', 'api', { ...api, name: 'backend' }]],
  },
  {
    title: 'a rule is removed',
    before: twoRules,
    after: `  rules:${adminYaml}`,
    envelopes: [['rules.remove', 'api', null]],
  },
  {
    title: 'rules change places',
    before: twoRules,
    after: `  rules:${apiYaml}${adminYaml}`,
    envelopes: [['rules.priority', 'api', 0]],
  },
  {
    title: 'two rules change: at once would be a third verdict, so the first is made anew',
    before: twoRules,
    after: twoRules.replace('/admin', '/wp-admin').replace('/api', '/v1'),
    envelopes: [
      ['rules.insert', null, rule('admin', { matches: 'wp-admin' })],
      ['rules.priority', 'admin', 0],
      ['rules.update', 'api', rule('api', { matches: 'v1', does: 'challenge' })],
      ['rules.remove', 'admin', null],
    ],
  },
  {
    title: 'an IP rule is added, in its normal form',
    after: `
      ips:
        - { hostname: Example.com, ip: 2001:DB8::/48, action: challenge, notes: lab }
        - { hostname: "*", ip: 192.0.2.1, action: bypass }
    `,
    envelopes: [
      ['ip.insert', null, { hostname: '*', ip: '192.0.2.1', action: 'bypass' }],
      [
        'ip.insert',
        null,
        { hostname: 'example.com', ip: '2001:db8::/48', action: 'challenge', notes: 'lab' },
      ],
    ],
  },
  {
    title: 'an IP rule changes; its notes are not declared and stay',
    live: { ips: [{ hostname: 'example.com', ip: '192.0.2.0/24', action: 'deny', notes: 'theirs' }] },
    after: ips.replace('deny', 'log'),
    envelopes: [
      [
        'ip.update',
        '192.0.2.0/24',
        { hostname: 'example.com', ip: '192.0.2.0/24', action: 'log', notes: 'theirs' },
      ],
    ],
  },
  {
    title: 'an IP rule goes',
    before: ips,
    after: 'ips: []',
    envelopes: [['ip.remove', '192.0.2.0/24', null]],
  },
  {
    title: 'managed rulesets; what is not declared of them stays',
    live: { managedRules: { bot_filter: { active: true, action: 'challenge' }, owasp: { active: false } } },
    after: `
      managedRules:
        bot_protection: { active: false }
        ai_bots: { active: true, action: deny }
        owasp: { active: true }
    `,
    envelopes: [
      ['managedRules.update', 'ai_bots', { active: true, action: 'deny' }],
      ['managedRules.update', 'bot_protection', { active: false, action: 'challenge' }],
      ['managedRules.update', 'owasp', { active: true }],
    ],
  },
  {
    title: 'a managed ruleset under the old name',
    live: { managedRules: { bot_filter: { active: true, action: 'challenge' } } },
    after: 'managedRules: { bot_protection: { active: true, action: challenge } }',
    envelopes: [],
  },
  ...[true, false].map(
    (managedGroupsReadable): Scenario => ({
      title: `groups of a managed ruleset, ${managedGroupsReadable ? '' : 'not '}readable`,
      switches: { managedGroupsReadable },
      before:
        'managedRules: { ai_bots: { active: true, groups: { gptbot: { active: true, action: log } } } }',
      after: `
        managedRules:
          ai_bots: { active: true, groups: { gptbot: { active: false, action: log }, ccbot: { active: true } } }
      `,
      envelopes: [
        [
          'managedRuleGroup.update',
          'ai_bots',
          { gptbot: { active: false, action: 'log' }, ccbot: { active: true } },
        ],
      ],
    }),
  ),
  {
    title: 'a group keeps what is not declared of it, where it can be read',
    switches: { managedGroupsReadable: true },
    live: {
      managedRules: {
        ai_bots: {
          active: true,
          rules: { gptbot: { active: true, action: 'log' }, ccbot: { active: true } },
        },
      },
    },
    after: 'managedRules: { ai_bots: { groups: { gptbot: { active: false } } } }',
    envelopes: [
      [
        'managedRuleGroup.update',
        'ai_bots',
        { gptbot: { active: false, action: 'log' }, ccbot: { active: true } },
      ],
    ],
  },
  {
    title: 'categories of the core rule set',
    after: crs('{ active: true, action: deny }', '{ active: true }'),
    envelopes: [
      ['crs.update', 'sqli', { active: true, action: 'deny' }],
      ['crs.update', 'xss', { active: true, action: 'log' }],
    ],
  },
  {
    title: 'all categories go off at once',
    before: crs('{ active: true, action: deny }', '{ active: true, action: log }'),
    after: crs('{ active: false, action: deny }', '{ active: false }'),
    envelopes: [['crs.disable', null, null]],
  },
  {
    title: 'some categories go off: another one is on, and is not ours',
    live: {
      crs: {
        sqli: { active: true, action: 'deny' },
        xss: { active: true, action: 'deny' },
        rce: { active: true, action: 'log' },
      },
    },
    after: crs('{ active: false }', '{ active: false }'),
    envelopes: [
      ['crs.update', 'sqli', { active: false, action: 'deny' }],
      ['crs.update', 'xss', { active: false, action: 'deny' }],
    ],
  },
  {
    title: 'what a category that is off would do: told once, since it may not be kept',
    after: 'crs: { sqli: { active: false, action: deny } }',
    envelopes: [['crs.update', 'sqli', { active: false, action: 'deny' }]],
  },
];

describe.each([
  ['as the evidence says', defaultSwitches, sampled(scenarios, Math.ceil(scenarios.length / 4))],
  ['otherwise where it is silent', otherSwitches, sampled(scenarios, Math.ceil(scenarios.length / 16))],
] as const)('envelopes, the platform behaving %s', (_, switches, some) => {
  it.each(some)('$title', async (scenario) => {
    const firewall = await Firewall.start(scenario.live, { ...switches, ...scenario.switches });
    try {
      if (scenario.before) await firewall.converge(scenario.before);
      const from = firewall.requestCount;
      await firewall.converge(scenario.after);
      const sent = firewall.envelopes(from);
      expect(sent).toEqual(scenario.envelopes);
    } finally {
      await firewall.stop();
    }
  });
});

it('every action of an envelope has a scenario', () => {
  const actions = scenarios.flatMap(({ envelopes }) => envelopes.map(([action]) => action));
  const known = firewallEnvelope.options.map(({ shape }) => shape.action.value);
  expect(new Set(actions)).toEqual(new Set(known));
});

story('a project, and its firewall with everything in it, in one plan', async () => {
  const firewall = await Firewall.start();
  try {
    const { world } = firewall;
    const from = firewall.requestCount;
    await world.converge(`
projects:
  shop:
    firewall:
      firewallEnabled: true
      managedRules: { owasp: { active: true } }
      crs: { sqli: { active: true, action: deny }, xss: { active: true, action: log }, php: { active: false } }
      rules:
        - { name: a, active: true, conditionGroup: &any [{ conditions: [{ type: path, op: pre, value: / }] }], action: &deny { mitigate: { action: deny } } }
        - { name: b, active: true, conditionGroup: *any, action: *deny }
`);
    // One PUT: see document.test.ts.
    expect(firewall.envelopes(from)).toEqual([]);
    const { active, versions } = world.twin.account.projects.find(({ name }) => name === 'shop')!.firewall;
    expect(versions).toHaveLength(1);
    expect(active).toMatchObject({ firewallEnabled: true, crs: { sqli: { active: true, action: 'deny' } } });
  } finally {
    await firewall.stop();
  }
});
