import type { ForeignFiles, StateReading, StateResource } from '#kind';
import { Attributes } from './attributes.ts';
import { customEnvironment } from './custom-environment.ts';
import { drain, webhook } from './delivery.ts';
import { dnsRecord, domain, projectDomain, zoneOf } from './domains.ts';
import { edgeConfig, edgeConfigItem, edgeConfigSchema, edgeConfigToken } from './edge-config.ts';
import { featureFlag } from './feature-flag.ts';
import { attackMode, firewall, firewallBypass } from './firewall.ts';
import { microfrontendGroup, microfrontendMembership } from './microfrontends.ts';
import { namedProject, project } from './project.ts';
import { rollingRelease } from './rolling-release.ts';
import { blobStore, registryRepository } from './stores.ts';
import {
  accessGroup,
  accessGroupMember,
  accessGroupProject,
  projectMembers,
  team,
  teamMember,
} from './team.ts';
import { oneVariable, severalVariables, sharedVariable } from './variables.ts';
import { record } from './zone-record.ts';

/** The resources of the platform's public provider that have a kind here. */
const readers = {
  vercel_access_group: accessGroup,
  vercel_access_group_member: accessGroupMember,
  vercel_access_group_project: accessGroupProject,
  vercel_attack_challenge_mode: attackMode,
  vercel_blob_store: blobStore,
  vercel_custom_environment: customEnvironment,
  vercel_dns_record: dnsRecord,
  vercel_domain: domain,
  vercel_drain: drain,
  vercel_edge_config: edgeConfig,
  vercel_edge_config_item: edgeConfigItem,
  vercel_edge_config_schema: edgeConfigSchema,
  vercel_edge_config_token: edgeConfigToken,
  vercel_feature_flag: featureFlag,
  vercel_firewall_bypass: firewallBypass,
  vercel_firewall_config: firewall,
  vercel_microfrontend_group: microfrontendGroup,
  vercel_microfrontend_group_membership: microfrontendMembership,
  vercel_project: project,
  vercel_project_domain: projectDomain,
  vercel_project_environment_variable: oneVariable,
  vercel_project_environment_variables: severalVariables,
  vercel_project_members: projectMembers,
  vercel_project_rolling_release: rollingRelease,
  vercel_shared_environment_variable: sharedVariable,
  vercel_team_config: team,
  vercel_team_member: teamMember,
  vercel_vcr_repository: registryRepository,
  vercel_webhook: webhook,
} satisfies Record<string, (of: Attributes) => StateReading>;

const isTaken = (type: string): type is keyof typeof readers => Object.hasOwn(readers, type);

/** Resources for which there is a better answer than that there is no kind for them. */
const reasons = new Map(
  Object.entries({
    vercel_alias: 'an alias is declared in its project here, and the state does not say which one that is',
    vercel_deployment:
      'a deployment is the work of a build, and stays as it is; pushes go on making new ones',
    vercel_log_drain: 'the platform has replaced this sort of drain; make a `drain`, or leave it as it is',
    vercel_shared_environment_variable_project_link:
      'name all projects of the variable in its `projectId`, once it is declared',
  }),
);

/** The types of resources that are taken over, in order: what the guide is checked against. */
export const takenTypes: readonly string[] = Object.keys(readers);

/** The state of the platform's Terraform provider, and records of zones, as objects of an account. */
export const foreignFiles: ForeignFiles = {
  isOwnProvider: (source) => /(^|\/)vercel\/vercel$/.test(source),
  teamOf: ({ type, attributes }: StateResource) => {
    const id = type === 'vercel_team_config' ? attributes.id : attributes.team_id;
    return typeof id === 'string' && id !== '' ? id : undefined;
  },
  read(resource) {
    if (resource.isData && resource.type === 'vercel_project') return namedProject(Attributes.of(resource));
    if (resource.isData || !isTaken(resource.type))
      return { why: reasons.get(resource.type) ?? 'there is no kind for it here' };
    return readers[resource.type](Attributes.of(resource));
  },
  zone: zoneOf,
  record,
};
