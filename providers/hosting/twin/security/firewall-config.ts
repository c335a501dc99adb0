import type { Project } from '../account.ts';
import type { Switches } from '../switches.ts';

/** A custom rule as it is stored. The content of its conditions was checked when it was written. */
export interface FirewallRule {
  id: string;
  name: string;
  description?: string;
  active: boolean;
  conditionGroup: {
    conditions: { type: string; op: string; neg?: boolean; key?: string; value?: unknown }[];
  }[];
  action: { mitigate?: Record<string, unknown> };
}

/** One IP rule. */
export interface IpRule {
  id: string;
  hostname: string;
  ip: string;
  action: string;
  notes?: string;
}

/** One version of a project's firewall configuration. */
export interface FirewallConfig {
  id: string;
  version: number;
  ownerId: string;
  projectKey: string;
  updatedAt: string;
  firewallEnabled: boolean;
  rules: FirewallRule[];
  ips: IpRule[];
  changes: Record<string, unknown>[];
  managedRules: Record<
    string,
    { active: boolean; action?: string; updatedAt?: string; userId?: string; username?: string }
  >;
  /** The rules of managed groups, by the id of the ruleset. A switch decides whether reads show them. */
  managedRuleGroups: Record<string, Record<string, { active: boolean; action?: string }>>;
  crs: Record<string, { active: boolean; action: string }>;
  rulesets?: unknown;
  botIdEnabled?: boolean;
  logHeaders?: string | string[];
}

/** A project's firewall: the live configuration, the draft, and `versions`, all that were ever live, the latest first. */
export interface FirewallState {
  active: FirewallConfig | null;
  draft: FirewallConfig | null;
  versions: FirewallConfig[];
}

/** The fixed codes of the OWASP core rule set. */
export const crsCodes = ['sd', 'ma', 'lfi', 'rfi', 'rce', 'php', 'gen', 'xss', 'sqli', 'sf', 'java'] as const;

/** The fixed ids of managed rulesets; bot_filter is the old name of bot_protection. */
export const managedRulesets = [
  'ai_bots',
  'bot_filter',
  'bot_protection',
  'traffic_sources',
  'vercel_ruleset',
  'owasp',
] as const;

/** Returns the id under which a managed ruleset is stored and read. */
export const managedId = (id: string): string => (id === 'bot_filter' ? 'bot_protection' : id);

/** Returns an empty configuration. Its version is 0, which no written configuration has. */
export function emptyConfig(project: Project): FirewallConfig {
  return {
    id: `waf_${project.id.slice(4)}`,
    version: 0,
    ownerId: project.accountId,
    projectKey: project.id,
    updatedAt: new Date(project.createdAt).toISOString(),
    firewallEnabled: false,
    rules: [],
    ips: [],
    changes: [],
    managedRules: {},
    managedRuleGroups: {},
    crs: {},
  };
}

/** Makes a copy of a configuration the live one, under the next version number, and returns it. */
export function activate(state: FirewallState, config: FirewallConfig, timestamp: number): FirewallConfig {
  const version = Math.max(0, ...state.versions.map((version) => version.version)) + 1;
  state.active = {
    ...structuredClone(config),
    version,
    changes: [],
    updatedAt: new Date(timestamp).toISOString(),
  };
  state.versions.unshift(structuredClone(state.active));
  return state.active;
}

/**
 * Returns a condition as reads show it: `neg` and `key` are always there (vercel/terraform-provider-vercel#562), and
 * a switch decides what the value of a condition without one reads as.
 */
function readCondition(condition: Record<string, unknown>, switches: Switches): Record<string, unknown> {
  const filled = { neg: false, key: '', ...condition };
  if (condition.op !== 'ex' && condition.op !== 'nex') return filled;
  const { value: _value, ...rest } = filled as Record<string, unknown>;
  return switches.exValue === 'absent' ? rest : { ...rest, value: switches.exValue };
}

/**
 * Returns the action of a rule as reads show it: missing members are null (the platform's command line, `util/firewall/build-action.ts`).
 */
const readAction = ({ mitigate, ...action }: FirewallRule['action']): FirewallRule['action'] => ({
  ...action,
  ...(mitigate && { mitigate: { rateLimit: null, redirect: null, actionDuration: null, ...mitigate } }),
});

/** Returns a configuration as answers show it. */
export function readConfig(config: FirewallConfig, switches: Switches): Record<string, unknown> {
  const { managedRuleGroups, ...read } = config;
  const rules = config.rules.map((rule) => ({
    ...rule,
    conditionGroup: rule.conditionGroup.map(({ conditions }) => ({
      conditions: conditions.map((condition) => readCondition(condition, switches)),
    })),
    action: readAction(rule.action),
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
  const categories = { ...Object.fromEntries(off), ...config.crs };
  const crs = switches.crsInactiveAbsent ? Object.fromEntries(on) : categories;
  return { ...read, rules, managedRules, crs };
}

/** Returns the members of a project's `security` about its firewall; none until a configuration is written. */
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
