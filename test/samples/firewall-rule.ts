import { inFirewall, type Sample, text, unset } from '../support/sample.ts';

const condition = (value: string) => [{ conditions: [{ type: 'path', op: 'pre', value }] }];

export const firewallRule: Sample = {
  place: (block) => inFirewall({ rules: [block] }),
  base: {
    name: 'rule',
    active: true,
    conditionGroup: condition('/a'),
    action: { mitigate: { action: 'deny' } },
  },
  leaves: {
    description: text,
    active: unset,
    conditionGroup: [condition('/b'), [{ conditions: [{ type: 'header', key: 'x', op: 'nex' }] }]],
    action: [
      {
        mitigate: {
          action: 'rate_limit',
          rateLimit: { algo: 'fixed_window', window: 60, limit: 10, keys: ['ip'], action: 'challenge' },
          actionDuration: '1h',
        },
      },
      { mitigate: { action: 'redirect', redirect: { location: '/elsewhere', permanent: false } } },
    ],
  },
};
