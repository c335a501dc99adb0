import type { Kind } from '#kind';
import { dnsRecord } from './domains/dns-record.ts';
import { domain } from './domains/domain.ts';
import { customEnvironment } from './projects/custom-environment.ts';
import { project } from './projects/project.ts';
import { projectDomain } from './projects/project-domain.ts';
import { projectEnvVar } from './projects/project-env-var.ts';
import { coreRuleset } from './security/core-ruleset.ts';
import { firewall } from './security/firewall.ts';
import { firewallIp } from './security/firewall-ip.ts';
import { firewallRule } from './security/firewall-rule.ts';
import { managedRuleset } from './security/managed-ruleset.ts';

/** Every kind of the platform; within a lane their changes are made in this order. */
export const kinds: Kind[] = [
  project,
  customEnvironment,
  projectEnvVar,
  domain,
  dnsRecord,
  projectDomain,
  firewall,
  managedRuleset,
  coreRuleset,
  firewallIp,
  firewallRule,
];
