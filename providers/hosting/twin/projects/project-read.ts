import type { Project } from '../account.ts';
import type { Call } from '../call.ts';
import { readEnvVar } from '../env/env-read.ts';
import { shownOf } from '../outside.ts';
import { readAttackMode } from '../security/attack-mode.ts';
import { firewallInProject } from '../security/firewall-read.ts';
import { readCustomEnvironment } from './custom-environment.ts';
import { readableFields } from './project-body.ts';
import { readBypasses } from './protection-bypass.ts';

// Missing in the SDK's read schema, although the Terraform provider decodes some of them.
const incomplete = [
  'publicSource',
  'previewDeploymentSuffix',
  'previewDeploymentsDisabled',
  'serverlessFunctionRegion',
];

/**
 * A project as GET, POST, PATCH and the list answer it: its own readable fields, and of what is below it only what is named
 * here. Whatever else a resource keeps in a project is not shown.
 */
export function readProject(call: Call, project: Project): Record<string, unknown> {
  const { protectionBypass, rollingRelease, env, customEnvironments } = project;
  const passwordProtection = project.passwordProtection as { deploymentType: string } | null | undefined;
  const security = { ...readAttackMode(call, project), ...firewallInProject(project) };
  const read: Record<string, unknown> = {
    ...shownOf(project, readableFields),
    ...(protectionBypass === undefined ? {} : { protectionBypass: readBypasses(call, protectionBypass) }),
    ...(rollingRelease === undefined ? {} : { rollingRelease }),
    alias: [],
    defaultResourceConfig: { functionDefaultRegions: ['iad1'] },
    deploymentExpiration: {},
    latestDeployments: [],
    targets: {},
    live: project.live ?? false,
    // The password never comes back.
    passwordProtection: passwordProtection ? { deploymentType: passwordProtection.deploymentType } : null,
    env: env.map((one) => readEnvVar(call, one, false)),
    customEnvironments: customEnvironments.map((one) => readCustomEnvironment(project, one)),
    ...(Object.keys(security).length > 0 && { security }),
  };
  if (call.switches.projectReadIncomplete) for (const field of incomplete) delete read[field];
  return read;
}
