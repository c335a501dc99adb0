import type { Project } from '../account.ts';
import type { Making } from '../call.ts';
import { type Deployment, stateOf, urlOf } from './deployment-state.ts';
import { rolledOut } from './rollout-state.ts';

/**
 * Returns the deployment that serves each target of a project, by target: the newest ready one, unless another was promoted, rolled back to
 * or rolled out.
 */
export function servedTargets(call: Pick<Making, 'now'>, project: Project): Record<string, object> {
  const { deployments, serving = {} } = project;
  const served: Record<string, object> = {};
  for (const target of new Set(deployments.flatMap((deployment) => deployment.target ?? []))) {
    const asked = rolledOut(call, project, serving[target]?.id);
    const servingDeployment = deployments.find(({ id }) => id === asked) ?? newest(call, deployments, target);
    if (servingDeployment) served[target] = shown(call, project, servingDeployment);
  }
  return served;
}

/** Returns the newest deployments, in any state. How many the platform lists is not documented. */
export const latestDeployments = (call: Pick<Making, 'now'>, project: Project): object[] =>
  project.deployments
    .slice(-5)
    .reverse()
    .map((deployment) => shown(call, project, deployment));

/** Returns the newest ready deployment for a target. */
const newest = (call: Pick<Making, 'now'>, deployments: readonly Deployment[], target: string) =>
  deployments.findLast((deployment) => deployment.target === target && stateOf(deployment, call) === 'READY');

/** Returns a deployment as a project shows it: less than a read of it, and the members that the public client wants. */
function shown(call: Pick<Making, 'now'>, { name }: Project, deployment: Deployment): object {
  const { id, target, createdAt, meta } = deployment;
  const url = urlOf(deployment, name);
  return {
    ...{ id, name, target, createdAt, meta, url, deploymentHostname: url.split('.')[0] },
    ...{ createdIn: 'iad1', creator: null, plan: 'pro', private: true, type: 'LAMBDAS' },
    ...{ readyState: stateOf(deployment, call), readySubstate: 'PROMOTED', aliasAssigned: createdAt },
  };
}
