import type { Project } from '../account.ts';
import type { FirewallConfig, FirewallState } from './firewall-config.ts';

/** A configuration with nothing in it; version 0 was never written. */
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

/** Makes a configuration the live one, under the next version number. */
export function activate(state: FirewallState, config: FirewallConfig, at: number): FirewallConfig {
  const version = Math.max(0, ...state.versions.map((one) => one.version)) + 1;
  state.active = { ...structuredClone(config), version, changes: [], updatedAt: new Date(at).toISOString() };
  state.versions.unshift(structuredClone(state.active));
  return state.active;
}
