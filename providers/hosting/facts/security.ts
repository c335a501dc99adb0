import type { Fact, ObservedAnswer } from '#kind';
import {
  confirmedIf,
  inArea,
  isSuccess,
  judgeRows,
  type Row,
  rowsOf,
  toRow,
  toRows,
  toTexts,
  toVerdict,
} from './observed.ts';

const bypasses = 'GET /v1/security/firewall/bypass';
const firewall = 'GET /v1/security/firewall/config';
const firewallVersion = 'GET /v1/security/firewall/config/{configVersion}';
const firewallReads = [firewall, firewallVersion];
const webhooks = 'GET /v1/webhooks';

/**
 * Returns the rules of the live firewall in an answer, to check facts about rules. They stand below `active` in the answer with all
 * versions, and at the top in the answer with one version. Empty for any other answer.
 */
function rulesIn(observed: ObservedAnswer): Row[] {
  if (!isSuccess(observed)) return [];
  const body = toRow(observed.body);
  return toRows((observed.operation === firewall ? toRow(body.active) : body).rules);
}

/** Returns the conditions of all rules of the live firewall. */
const conditionsIn = (observed: ObservedAnswer): Row[] =>
  rulesIn(observed).flatMap((rule) =>
    toRows(rule.conditionGroup).flatMap(({ conditions }) => toRows(conditions)),
  );

/** Facts about the firewall and its bypasses. */
const firewallFacts: Fact[] = inArea('security', [
  {
    id: 'PF66',
    statement: 'The `Id` of a bypass joins project, domain (for a rule of one domain) and address with `#`.',
    source: 'terraform-provider-vercel, resource_firewall_bypass.go; vercel CLI, test/mocks/firewall.ts',
    confidence: 'read',
    kinds: ['firewallBypass'],
    operations: [bypasses],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'result'), ({ Id }) => toVerdict(String(Id).includes('#'))),
  },
  {
    id: 'PF67',
    statement: 'A bypass for all sources reads the address `0.0.0.0/0` or `::/0`.',
    source: 'vercel CLI, test/mocks/firewall.ts, system-bypass/list.ts',
    confidence: 'read',
    kinds: ['firewallBypass'],
    operations: [bypasses],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'result'), ({ Ip }) =>
        Ip === '*' ? 'contradicted' : confirmedIf(Ip === '0.0.0.0/0' || Ip === '::/0'),
      ),
  },
  {
    id: 'PF68',
    statement:
      'The action of a rule reads `rateLimit`, `redirect` and `actionDuration` as null where it has none.',
    source: 'vercel CLI, util/firewall/build-action.ts; documentation: firewall',
    confidence: 'read',
    kinds: ['firewallRule'],
    operations: firewallReads,
    answer: (observed) =>
      judgeRows(rulesIn(observed), ({ action }) => {
        const mitigate = toRow(toRow(action).mitigate);
        const members = ['rateLimit', 'redirect', 'actionDuration'];
        return toVerdict(members.every((member) => mitigate[member] !== undefined));
      }),
  },
  {
    id: 'PF69',
    statement: 'Conditions of a rule read `neg: false` and `key: ""` where these were not set.',
    source: 'vercel/terraform-provider-vercel#562',
    confidence: 'read',
    kinds: ['firewallRule'],
    operations: firewallReads,
    answer: (observed) =>
      judgeRows(conditionsIn(observed), ({ neg, key }) =>
        toVerdict(typeof neg === 'boolean' && typeof key === 'string'),
      ),
  },
  {
    id: 'PF70',
    statement:
      'The firewall reads as `active`, `draft` and `versions`. A deleted draft gives 204, and a POST activates a version.',
    source: 'vercel CLI',
    confidence: 'read',
    kinds: ['firewall', 'firewallRule', 'firewallIp', 'managedRuleset', 'coreRuleset'],
    operations: [firewall],
    answer(observed) {
      if (!isSuccess(observed)) return undefined;
      const body = toRow(observed.body);
      return toVerdict(['active', 'draft', 'versions'].every((member) => Object.hasOwn(body, member)));
    },
  },
  {
    id: 'PF71',
    statement: 'Conditions of a rule can have the type `rate_limit_api_id`.',
    source: 'vercel/terraform-provider-vercel#551',
    confidence: 'read',
    kinds: ['firewallRule'],
    operations: firewallReads,
    answer: (observed) =>
      judgeRows(conditionsIn(observed), ({ type }) => confirmedIf(type === 'rate_limit_api_id')),
  },
]);

/** Facts about webhooks, drains and global configs. */
const deliveryFacts: Fact[] = inArea('delivery', [
  {
    id: 'PF72',
    statement:
      'The list of webhooks is an array without an object around it. A missing one gives 404 `not_found`.',
    source: 'vercel CLI, test/mocks/webhooks.ts',
    confidence: 'read',
    kinds: ['webhook'],
    operations: [webhooks],
    answer: (observed) => (isSuccess(observed) ? toVerdict(Array.isArray(observed.body)) : undefined),
  },
  {
    id: 'PF73',
    statement: 'Webhooks can be called for the event `alerts.triggered`.',
    source: 'vercel/terraform-provider-vercel#436',
    confidence: 'read',
    kinds: ['webhook'],
    operations: [webhooks],
    answer: (observed) =>
      judgeRows(rowsOf(observed, ''), ({ events }) =>
        confirmedIf(toTexts(events).includes('alerts.triggered')),
      ),
  },
  {
    id: 'PF74',
    statement:
      'The endpoint of a drain is called at its creation, and must answer 200 with the header `x-vercel-verify`.',
    source: 'vercel/terraform-provider-vercel#412, log_drain',
    confidence: 'read',
    kinds: ['drain'],
    operations: ['POST /v1/drains'],
  },
  {
    id: 'PF75',
    statement: 'A read right after a write of a global config can still have the old items.',
    source: 'vercel/storage#69',
    confidence: 'measured',
    kinds: ['globalConfigItem'],
    operations: [
      'GET /v1/global-config/{edgeConfigId}/items',
      'PATCH /v1/global-config/{edgeConfigId}/items',
    ],
  },
]);

/** Facts about the firewall, and about the parts of an account that call or are read from outside. */
export const securityFacts: Fact[] = [...firewallFacts, ...deliveryFacts];
