import type { Making } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import type { FirewallEnvelope, PutFirewall } from './firewall-body.ts';
import { type FirewallConfig, type FirewallRule, type IpRule, managedId } from './firewall-config.ts';

type WrittenRule = NonNullable<PutFirewall['rules']>[number];
type WrittenIp = NonNullable<PutFirewall['ips']>[number];

/** Returns a new id for a rule, with its name in it. */
function ruleId(making: Making, name: string): string {
  const word = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  return making.id(`rule_${word}_`, 6);
}

/** Returns a rule as it is stored, with an id. Members that the server itself sets (`valid`, `validationErrors`) are dropped. */
export function storedRule(making: Making, written: WrittenRule, id = written.id): FirewallRule {
  const { id: _id, valid: _valid, validationErrors: _errors, ...rule } = written;
  return { id: id ?? ruleId(making, rule.name), ...rule };
}

/** Returns an IP rule as it is stored, with an id. */
export function storedIp(making: Making, written: WrittenIp, id = written.id): IpRule {
  return { ...written, id: id ?? making.id('ip_', 24) };
}

/** Returns the index of an entry, or throws 404. */
function indexOf<T extends { id: string }>(list: T[], id: string, what: string): number {
  const index = list.findIndex((entry) => entry.id === id);
  if (index < 0) throw notFound(`The ${what} ${id}`);
  return index;
}

/** Switches off all categories of the core rule set. */
const allOff = (config: FirewallConfig) => {
  for (const entry of Object.values(config.crs)) entry.active = false;
};

/** Returns the time and author that a change of a managed ruleset gets. */
function stamp(making: Making): { updatedAt: string; userId: string; username: string } {
  const { id, username } = making.account.user;
  return { updatedAt: new Date(making.time()).toISOString(), userId: id, username };
}

/**
 * Applies one change of PATCH to a copy of a configuration that is not live yet. Throws 404 or 400 if it names no existing rule or
 * position.
 */
export function applyEnvelope(making: Making, config: FirewallConfig, envelope: FirewallEnvelope): void {
  const { rules, ips } = config;
  switch (envelope.action) {
    case 'firewallEnabled':
      config.firewallEnabled = envelope.value;
      return;
    case 'rules.insert':
      rules.push(storedRule(making, envelope.value));
      return;
    case 'rules.update':
      rules[indexOf(rules, envelope.id, 'rule')] = storedRule(making, envelope.value, envelope.id);
      return;
    case 'rules.remove':
      rules.splice(indexOf(rules, envelope.id, 'rule'), 1);
      return;
    case 'rules.priority': {
      const from = indexOf(rules, envelope.id, 'rule');
      if (envelope.value >= rules.length) {
        throw badRequest(`Invalid request: \`value\` should be less than ${rules.length}.`);
      }
      rules.splice(envelope.value, 0, ...rules.splice(from, 1));
      return;
    }
    case 'crs.update':
      config.crs[envelope.id] = envelope.value;
      return;
    case 'crs.disable':
      allOff(config);
      return;
    case 'ip.insert':
      ips.push(storedIp(making, envelope.value));
      return;
    case 'ip.update':
      ips[indexOf(ips, envelope.id, 'IP rule')] = storedIp(making, envelope.value, envelope.id);
      return;
    case 'ip.remove':
      ips.splice(indexOf(ips, envelope.id, 'IP rule'), 1);
      return;
    case 'managedRules.update':
      config.managedRules[managedId(envelope.id)] = { ...envelope.value, ...stamp(making) };
      return;
    case 'managedRuleGroup.update': {
      const id = managedId(envelope.id);
      config.managedRuleGroups[id] = { ...config.managedRuleGroups[id], ...envelope.value };
      return;
    }
    case 'botId.toggle':
      config.botIdEnabled = envelope.value;
      return;
    case 'logHeaders.update':
      if (envelope.value == null) delete config.logHeaders;
      else config.logHeaders = envelope.value;
      return;
  }
}

/**
 * Writes the body of a PUT into a copy of a configuration that is not live yet. Rules keep the ids in the body. `keepOmitted`: members that
 * the body lacks stay as they are; otherwise they are reset.
 */
export function applyPut(
  making: Making,
  config: FirewallConfig,
  body: PutFirewall,
  keepOmitted: boolean,
): void {
  config.firewallEnabled = body.firewallEnabled;
  if (body.rules !== undefined || !keepOmitted) {
    config.rules = (body.rules ?? []).map((rule) => storedRule(making, rule));
  }
  if (body.ips !== undefined || !keepOmitted) config.ips = (body.ips ?? []).map((ip) => storedIp(making, ip));
  if (body.crs !== undefined || !keepOmitted) config.crs = { ...(body.crs as FirewallConfig['crs']) };
  if (body.managedRules !== undefined || !keepOmitted) {
    config.managedRules = {};
    config.managedRuleGroups = {};
    for (const [id, { rules, ...entry }] of Object.entries(body.managedRules ?? {})) {
      config.managedRules[managedId(id)] = { ...entry, ...stamp(making) };
      if (rules !== undefined) config.managedRuleGroups[managedId(id)] = rules;
    }
  }
  for (const member of ['rulesets', 'botIdEnabled', 'logHeaders'] as const) {
    if (body[member] !== undefined) Object.assign(config, { [member]: body[member] });
    else if (!keepOmitted) delete config[member];
  }
}
