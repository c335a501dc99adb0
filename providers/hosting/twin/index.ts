export type {
  Account,
  CustomEnvironment,
  DnsRecord,
  Domain,
  EnvVar,
  Project,
  ProjectDomain,
  Team,
  User,
} from './account.ts';
export type { FaultPlan } from './faults/fault-plan.ts';
export { FaultPlanError } from './faults/fault-problems.ts';
export { servedOperations } from './handlers.ts';
export type { DoneFault, LoggedRequest } from './http/request-log.ts';
export { type OpenApiDocument, openApi } from './open-api/document.ts';
export type { Outside } from './outside.ts';
export type { FirewallConfig, FirewallRule, FirewallState, IpRule } from './security/firewall-config.ts';
export { type Seed, SeedError } from './seed/seed.ts';
export { startTwin } from './server.ts';
export { defaultSwitches, otherSwitches, type Switches } from './switches.ts';
export type { Twin, TwinOptions } from './twin.ts';
export { version } from './version.ts';
