import type { Project } from '../account.ts';
import type { Making } from '../call.ts';
import { type Deployment, stateOf } from './deployment-state.ts';

/**
 * The deployment that serves each target of a project: the newest that is ready, unless another one was made to serve it (promoted, rolled
 * back to).
 */
export function servedTargets(call: Pick<Making, 'now'>, project: Project): Record<string, object> {
  const { deployments, serving = {} } = project;
  const served: Record<string, object> = {};
  for (const target of new Set(deployments.flatMap((one) => one.target ?? []))) {
    const one = deployments.find(({ id }) => id === serving[target]?.id) ?? newest(call, deployments, target);
    if (one)
      served[target] = {
        id: one.id,
        target,
        readyState: stateOf(one, call),
        createdAt: one.createdAt,
        meta: one.meta,
      };
  }
  return served;
}

const newest = (call: Pick<Making, 'now'>, deployments: readonly Deployment[], target: string) =>
  deployments.findLast((one) => one.target === target && stateOf(one, call) === 'READY');
