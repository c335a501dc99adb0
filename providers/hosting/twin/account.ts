import { createHash } from 'node:crypto';
import type { AiGatewayBudget } from './ai/budget.ts';
import type { AiGatewayBudgetDefault } from './ai/budget-default.ts';
import type { AiGatewayRule } from './ai/rule.ts';
import type { GlobalConfig } from './config/global-config-state.ts';
import type { Drain } from './delivery/drain-state.ts';
import type { Webhook } from './delivery/webhook.ts';
import type { SharedEnvVar } from './env/shared-env-read.ts';
import type { FeatureFlags } from './flags/flag-state.ts';
import type { BulkRedirect } from './projects/bulk-redirects-read.ts';
import type { ProtectionBypass } from './projects/protection-bypass.ts';
import type { RollingRelease } from './projects/rolling-release.ts';
import type { RoutingRule } from './projects/routing-rule.ts';
import type { Version } from './projects/staged-versions.ts';
import type { AttackMode } from './security/attack-mode.ts';
import type { FirewallState } from './security/firewall-config.ts';
import type { AccessGroup } from './team/access-group-state.ts';
import type { TeamMember } from './team/team-member.ts';

/** The person whose token is used; owner of the personal account. */
export interface User {
  id: string;
  username: string;
  email: string;
  name: string | null;
  createdAt: number;
}

/** A team that the user belongs to. */
export interface Team {
  id: string;
  slug: string;
  name: string;
  sensitiveEnvironmentVariablePolicy: 'default' | 'on' | 'off' | null;
  createdAt: number;
  updatedAt: number;
}

/** One row of a project's environment variables; the value is kept in the clear. */
export interface EnvVar {
  id: string;
  key: string;
  value: string;
  type: 'system' | 'encrypted' | 'plain' | 'sensitive' | 'secret';
  target: string[];
  customEnvironmentIds: string[];
  gitBranch?: string;
  comment?: string;
  createdAt: number;
  updatedAt: number;
  createdBy: string | null;
  updatedBy: string | null;
  /** The platform's own row: cannot be written. */
  system?: boolean;
  /** Set on a row that an integration owns: cannot be written. */
  configurationId?: string | null;
}

/** A domain name that a project serves. */
export interface ProjectDomain {
  name: string;
  apexName: string;
  projectId: string;
  redirect: string | null;
  redirectStatusCode: number | null;
  gitBranch: string | null;
  customEnvironmentId: string | null;
  verified: boolean;
  verification?: { type: string; domain: string; value: string; reason: string }[];
  createdAt: number;
  updatedAt: number;
}

/** An environment beside production, preview and development. */
export interface CustomEnvironment {
  id: string;
  slug: string;
  type: 'preview';
  description?: string;
  branchMatcher?: { type: string; pattern: string };
  createdAt: number;
  updatedAt: number;
}

/** A project with everything below it. Fields beyond these are the API's own, as they are read. */
export interface Project {
  id: string;
  name: string;
  accountId: string;
  createdAt: number;
  updatedAt: number;
  env: EnvVar[];
  domains: ProjectDomain[];
  customEnvironments: CustomEnvironment[];
  firewall: FirewallState;
  featureFlags: FeatureFlags;
  attackMode: AttackMode | null;
  bulkRedirects: Version<BulkRedirect>[];
  routes: Version<RoutingRule>[];
  /** By secret; not there before the first bypass. */
  protectionBypass?: Record<string, ProtectionBypass>;
  /** Null when it was disabled, not there when it was never on. */
  rollingRelease?: RollingRelease | null;
  [field: string]: unknown;
}

/** The DNS types that the platform knows. */
export const dnsTypes = ['A', 'AAAA', 'ALIAS', 'CAA', 'CNAME', 'HTTPS', 'MX', 'NS', 'SRV', 'TXT'] as const;
export type DnsType = (typeof dnsTypes)[number];

/** One DNS record in its written form: hosts lower-case with a trailing dot, the apex as ''. */
export interface DnsRecord {
  id: string;
  type: DnsType;
  name: string;
  value?: string;
  mxPriority?: number;
  srv?: { priority: number; weight: number; port: number; target: string };
  https?: { priority: number; target: string; params: string };
  ttl: number;
  comment: string;
  /** A user's id, or 'system' for a record of the platform. */
  creator: string;
  createdAt: number;
  updatedAt: number | null;
}

/** A domain of an owner with its zone. */
export interface Domain {
  id: string;
  name: string;
  ownerId: string;
  zone: boolean;
  renew: boolean;
  echMode: 'auto' | 'disabled';
  customNameservers: string[];
  verified: boolean;
  boughtAt: number | null;
  expiresAt: number | null;
  createdAt: number;
  records: DnsRecord[];
}

/** Everything that the twin knows: plain data, so that it can be saved and edited by tests. */
export interface Account {
  user: User;
  teams: Team[];
  projects: Project[];
  domains: Domain[];
  /** Without the token's user, who owns every team, see `membersOf`. */
  teamMembers: TeamMember[];
  accessGroups: AccessGroup[];
  webhooks: Webhook[];
  drains: Drain[];
  globalConfigs: GlobalConfig[];
  aiGatewayRules: AiGatewayRule[];
  aiGatewayBudgets: AiGatewayBudget[];
  aiGatewayBudgetDefaults: AiGatewayBudgetDefault[];
  sharedEnv: SharedEnvVar[];
  /** How many ids were made; ids are derived from it, so that equal requests give equal ids. */
  made: number;
  /** The latest server time that was handed out. */
  lastTime: number;
}

/** The lists of an account with nothing in it: of a new one, and of one that was saved before it had them all. */
export const emptyLists = (): Omit<Account, 'user' | 'made' | 'lastTime'> => ({
  teams: [],
  projects: [],
  domains: [],
  teamMembers: [],
  accessGroups: [],
  webhooks: [],
  drains: [],
  globalConfigs: [],
  aiGatewayRules: [],
  aiGatewayBudgets: [],
  aiGatewayBudgetDefaults: [],
  sharedEnv: [],
});

/** Who owns what a request is about: a team, or the user's personal account. */
export interface Owner {
  id: string;
  team?: Team;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new id, `prefix` and then `length` letters and digits, the same in every run for the same sequence of requests. */
export function makeId(account: Account, prefix: string, length: number): string {
  account.made += 1;
  const digest = createHash('sha512').update(`${prefix}${account.made}`).digest();
  return prefix + [...digest.subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** The server's time, strictly increasing: lists are paged by it. */
export function tick(account: Account, now: () => number): number {
  account.lastTime = Math.max(now(), account.lastTime + 1);
  return account.lastTime;
}

/** The owner that a team id or slug names; none for the personal account without either. */
export function findOwner(account: Account, idOrSlug: string | null): Owner | undefined {
  if (idOrSlug === null || idOrSlug === '') return { id: account.user.id };
  const team = account.teams.find((team) => team.id === idOrSlug || team.slug === idOrSlug);
  return team && { id: team.id, team };
}
