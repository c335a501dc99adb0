import type { ForeignObject, StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

/**
 * Converts a `vercel_firewall_config` of a Terraform state to objects of the account, for `trueup from terraform`. It becomes a firewall
 * with the objects of four sections.
 */
export function firewall(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const project = inProject(attributes);
  const inside = { kind: 'firewall', id: project.id };
  const enabled = attributes.take('enabled');
  const settings = present({ firewallEnabled: enabled });
  const rules = attributes.inner('rules')?.items('rule').map(rule) ?? [];
  const ips = attributes.inner('ip_rules')?.items('rule').map(ip) ?? [];
  const { managed, categories } = managedRulesets(attributes.inner('managed_rulesets'));
  const placed = (kind: string, objects: Record<string, unknown>[]): ForeignObject[] =>
    objects.map((object) => ({ kind, in: inside, object }));
  return attributes.reading([
    { kind: 'firewall', in: project, object: settings },
    ...placed('managedRuleset', managed),
    ...placed('coreRuleset', categories),
    ...placed('firewallIp', ips),
    ...placed('firewallRule', rules),
  ]);
}

/**
 * Converts a custom rule of the firewall of a Terraform state to the form of the platform's answers, from which `trueup from terraform`
 * writes YAML.
 */
function rule(attributes: Attributes): Record<string, unknown> {
  const action = attributes.inner('action');
  const limit = action
    ?.inner('rate_limit')
    ?.renamed({ action: 'action', algo: 'algo', keys: 'keys', limit: 'limit', window: 'window' });
  const redirect = action?.inner('redirect')?.renamed({ location: 'location', permanent: 'permanent' });
  return present({
    id: attributes.text('id'),
    name: attributes.text('name'),
    description: attributes.text('description'),
    active: attributes.take('active') ?? true,
    conditionGroup: attributes.items('condition_group').map((group) => ({
      conditions: group.items('conditions').map(condition),
    })),
    action: {
      mitigate: present({
        ...action?.renamed({ action: 'action', action_duration: 'actionDuration' }),
        rateLimit: limit,
        redirect,
      }),
    },
  });
}

/**
 * Converts a condition of a firewall rule of a Terraform state to the form of the platform's answers. Terraform has one value and several
 * values in different attributes.
 */
function condition(attributes: Attributes): Record<string, unknown> {
  const { values, value, ...rest } = attributes.renamed({
    key: 'key',
    neg: 'neg',
    op: 'op',
    type: 'type',
    value: 'value',
    values: 'values',
  });
  const compared = Array.isArray(values) && values.length > 0 ? values : value;
  return present({ ...rest, ...(rest.neg === true ? {} : { neg: undefined }), value: compared });
}

const ip = (attributes: Attributes): Record<string, unknown> =>
  attributes.renamed({ action: 'action', hostname: 'hostname', id: 'id', ip: 'ip', notes: 'notes' });

/**
 * Returns the managed rulesets of the firewall. The core ruleset applies while `owasp` is active; a category of it
 * is only declared if it sets something.
 */
function managedRulesets(attributes: Attributes | undefined) {
  const read = (name: string) => {
    const ruleset = attributes?.inner(name);
    return ruleset ? [{ id: name, active: ruleset.take('active') ?? true, ...actionIn(ruleset) }] : [];
  };
  const owasp = attributes?.inner('owasp');
  const codes = ['sd', 'ma', 'lfi', 'rfi', 'rce', 'php', 'gen', 'xss', 'sqli', 'sf', 'java'];
  const categories = codes.flatMap((code) => {
    const attributes = owasp?.inner(code);
    return attributes ? [{ code, active: attributes.take('active') ?? true, ...actionIn(attributes) }] : [];
  });
  const managed = ['ai_bots', 'bot_filter', 'bot_protection', 'traffic_sources', 'vercel_ruleset'].flatMap(
    read,
  );
  return {
    managed: [
      ...managed.map(({ id, ...rest }) => ({ id: id === 'bot_filter' ? 'bot_protection' : id, ...rest })),
      ...(categories.length > 0
        ? [{ id: 'owasp', active: categories.some(({ active }) => active === true) }]
        : []),
    ],
    categories,
  };
}

const actionIn = (attributes: Attributes) => present({ action: attributes.text('action') });

/** Converts a `vercel_attack_challenge_mode` of a Terraform state to objects of the account, for `trueup from terraform`. */
export function attackMode(attributes: Attributes): StateReading {
  attributes.skip('id', 'team_id');
  const { enabled, until } = attributes.renamed({ enabled: 'enabled', attack_mode_active_until: 'until' });
  const object = present({ attackModeEnabled: enabled, attackModeActiveUntil: until });
  return attributes.reading([{ kind: 'attackMode', in: inProject(attributes), object }]);
}

/**
 * Converts a `vercel_firewall_bypass` (an address that passes the firewall) of a Terraform state to objects of the
 * account, for `trueup from terraform`.
 */
export function firewallBypass(attributes: Attributes): StateReading {
  attributes.skip('team_id');
  const domain = attributes.text('domain');
  const object = present({
    Id: attributes.text('id'),
    Ip: attributes.text('source_ip'),
    Note: attributes.text('note'),
    ...(domain === '*' ? { IsProjectRule: true } : { Domain: domain }),
  });
  return attributes.reading([{ kind: 'firewallBypass', in: inProject(attributes), object }]);
}
