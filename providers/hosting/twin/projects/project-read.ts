import type { Project } from '../account.ts';
import type { Call } from '../call.ts';
import { readEnvVar } from '../env/env-read.ts';
import { readAttackMode } from '../security/attack-mode.ts';
import { readCustomEnvironment } from './custom-environment.ts';
import { readBypasses } from './protection-bypass.ts';

// Missing in the SDK's read schema, although the Terraform provider decodes some of them.
const incomplete = [
  'publicSource',
  'previewDeploymentSuffix',
  'previewDeploymentsDisabled',
  'serverlessFunctionRegion',
];

/** A project as GET, POST, PATCH and the list answer it: without its domains, redirects, routes and the firewall's content. */
export function readProject(call: Call, project: Project): Record<string, unknown> {
  const { attackMode: _attackMode, bulkRedirects: _redirects, routes: _routes, ...others } = project;
  const {
    firewall,
    featureFlags: _flags,
    domains: _domains,
    env,
    customEnvironments,
    passwordProtection,
    protectionBypass,
    ...fields
  } = others;
  const { active } = firewall;
  const read: Record<string, unknown> = {
    ...fields,
    ...(protectionBypass === undefined ? {} : { protectionBypass: readBypasses(call, protectionBypass) }),
    alias: [],
    defaultResourceConfig: { functionDefaultRegions: ['iad1'] },
    deploymentExpiration: {},
    latestDeployments: [],
    targets: {},
    live: fields.live ?? false,
    // The password never comes back.
    passwordProtection: passwordProtection
      ? { deploymentType: (passwordProtection as { deploymentType: string }).deploymentType }
      : null,
    env: env.map((one) => readEnvVar(call, one, false)),
    customEnvironments: customEnvironments.map((one) => readCustomEnvironment(project, one)),
  };
  const security: Record<string, unknown> = readAttackMode(call, project);
  if (active !== null) {
    Object.assign(security, {
      firewallEnabled: active.firewallEnabled,
      firewallConfigVersion: active.version,
      firewallUpdatedAt: Date.parse(active.updatedAt),
      ...(active.botIdEnabled === undefined ? {} : { botIdEnabled: active.botIdEnabled }),
      ...(active.logHeaders === undefined ? {} : { log_headers: active.logHeaders }),
    });
  }
  if (Object.keys(security).length > 0) read.security = security;
  if (call.switches.projectReadIncomplete) for (const field of incomplete) delete read[field];
  return read;
}
