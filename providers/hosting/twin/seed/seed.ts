import * as z from 'zod';
import { dnsTypes } from '../account.ts';
import { createRecordBody } from '../domains/dns-body.ts';
import { createEnvBody } from '../env/env-body.ts';
import { createProjectBody, updateProjectBody } from '../projects/project-body.ts';
import { addProjectDomainBody } from '../projects/project-domain-body.ts';
import { putFirewallBody } from '../security/firewall-body.ts';
import { seedAccessGroup, seedTeamMember } from './seed-access-groups.ts';
import { seedFeatureFlags } from './seed-feature-flags.ts';
import { teamWideSeed } from './seed-team-wide.ts';
import { trafficFields } from './seed-traffic.ts';

const team = z.strictObject({
  id: z.string().optional(),
  slug: z.string().optional(),
  name: z.string().optional(),
  sensitiveEnvironmentVariablePolicy: z.enum(['default', 'on', 'off']).nullable().optional(),
  /** Beside the user, who owns the team. */
  members: z.array(seedTeamMember).optional(),
});

const variable = createEnvBody.omit({ type: true, customEnvironmentIds: true }).extend({
  type: z.enum(['system', 'encrypted', 'plain', 'sensitive', 'secret']).optional(),
  /** Slugs of the project's custom environments. */
  customEnvironments: z.array(z.string()).optional(),
  system: z.boolean().optional(),
  configurationId: z.string().optional(),
});

const projectDomain = addProjectDomainBody.omit({ customEnvironmentId: true }).extend({
  /** Slug of one of the project's custom environments. */
  customEnvironment: z.string().optional(),
  verified: z.boolean().optional(),
});

const customEnvironment = z.strictObject({
  id: z.string().optional(),
  slug: z.string(),
  description: z.string().optional(),
  branchMatcher: z
    .strictObject({ type: z.enum(['equals', 'startsWith', 'endsWith']), pattern: z.string() })
    .optional(),
});

const firewall = putFirewallBody.partial({ firewallEnabled: true });

const {
  environmentVariables: _env,
  skipGitConnectDuringLink: _skip,
  ...createFields
} = createProjectBody.shape;

const project = z.strictObject({
  ...createFields,
  ...updateProjectBody.shape,
  name: z.string(),
  id: z.string().optional(),
  /** Slug or id of the owning team, or `personal`; the first team when left out. */
  owner: z.string().optional(),
  // Readable fields that no write operation of the catalog takes.
  link: z.record(z.string(), z.unknown()).optional(),
  gitComments: z.record(z.string(), z.unknown()).optional(),
  gitProviderOptions: z.record(z.string(), z.unknown()).optional(),
  productionDeploymentsFastLane: z.boolean().optional(),
  live: z.boolean().optional(),
  paused: z.boolean().optional(),
  env: z.array(variable).optional(),
  domains: z.array(projectDomain).optional(),
  customEnvironments: z.array(customEnvironment).optional(),
  firewall: firewall.extend({ draft: firewall.optional() }).optional(),
  ...trafficFields,
  featureFlags: seedFeatureFlags.optional(),
});

const record = createRecordBody.extend({
  type: z.enum(dnsTypes),
  id: z.string().optional(),
  creator: z.string().optional(),
});

const domain = z.strictObject({
  name: z.string(),
  id: z.string().optional(),
  owner: z.string().optional(),
  zone: z.boolean().optional(),
  renew: z.boolean().optional(),
  echMode: z.enum(['auto', 'disabled']).optional(),
  customNameservers: z.array(z.string()).optional(),
  verified: z.boolean().optional(),
  boughtAt: z.number().optional(),
  expiresAt: z.number().optional(),
  records: z.array(record).optional(),
});

/** What an account starts with, as people write it. */
export const seedSchema = z.strictObject({
  user: z
    .strictObject({
      id: z.string().optional(),
      username: z.string().optional(),
      email: z.string().optional(),
      name: z.string().optional(),
    })
    .optional(),
  team: team.optional(),
  teams: z.array(team).optional(),
  projects: z.array(project).optional(),
  domains: z.array(domain).optional(),
  ...teamWideSeed,
  accessGroups: z.array(seedAccessGroup).optional(),
});

/** What an account starts with: everything is optional but names, keys and values. */
export type Seed = z.input<typeof seedSchema>;
export type SeedProject = z.infer<typeof project>;
export type SeedDomain = z.infer<typeof domain>;
export type SeedFirewall = z.infer<typeof firewall>;

/** A seed that cannot be used: every problem with its place. */
export class SeedError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The seed is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}
