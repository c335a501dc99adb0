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
export type { FaultPlan } from './fault-plan.ts';
export { FaultPlanError } from './fault-problems.ts';
export type { FirewallConfig, FirewallRule, FirewallState, IpRule } from './firewall-config.ts';
export { servedOperations } from './handlers.ts';
export { type OpenApiDocument, openApi } from './open-api.ts';
export type { Outside } from './outside.ts';
export type { DoneFault, LoggedRequest } from './request-log.ts';
export { type Seed, SeedError } from './seed.ts';
export { startTwin } from './server.ts';
export { defaultSwitches, otherSwitches, type Switches } from './switches.ts';
export type { Twin, TwinOptions } from './twin.ts';
export { version } from './version.ts';
