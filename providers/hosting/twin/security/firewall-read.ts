import type { Project } from '../account.ts';
import type { Switches } from '../switches.ts';
import { crsCodes, type FirewallConfig } from './firewall-config.ts';

function readCondition(condition: Record<string, unknown>, switches: Switches): Record<string, unknown> {
  if (condition.op !== 'ex' && condition.op !== 'nex') return condition;
  const { value: _value, ...rest } = condition;
  return switches.exValue === 'absent' ? rest : { ...rest, value: switches.exValue };
}

/** A configuration as answers show it. */
export function readConfig(config: FirewallConfig, switches: Switches): Record<string, unknown> {
  const { managedRuleGroups, ...read } = config;
  const rules = config.rules.map((rule) => ({
    ...rule,
    conditionGroup: rule.conditionGroup.map(({ conditions }) => ({
      conditions: conditions.map((one) => readCondition(one, switches)),
    })),
    valid: true,
    validationErrors: null,
  }));
  const managedRules: Record<string, unknown> = { ...config.managedRules };
  if (switches.managedGroupsReadable) {
    for (const [id, group] of Object.entries(managedRuleGroups)) {
      managedRules[id] = { active: false, ...config.managedRules[id], rules: group };
    }
  }
  const on = Object.entries(config.crs).filter(([, entry]) => entry.active);
  const off = crsCodes.map((code) => [code, { active: false, action: 'log' }]);
  const all = { ...Object.fromEntries(off), ...config.crs };
  const crs = switches.crsInactiveAbsent ? Object.fromEntries(on) : all;
  return { ...read, rules, managedRules, crs };
}

/** What a project's `security` says about its firewall: nothing until one was written. */
export function firewallInProject({ firewall: { active } }: Project): Record<string, unknown> {
  if (active === null) return {};
  return {
    firewallEnabled: active.firewallEnabled,
    firewallConfigVersion: active.version,
    firewallUpdatedAt: Date.parse(active.updatedAt),
    ...(active.botIdEnabled === undefined ? {} : { botIdEnabled: active.botIdEnabled }),
    ...(active.logHeaders === undefined ? {} : { log_headers: active.logHeaders }),
  };
}
