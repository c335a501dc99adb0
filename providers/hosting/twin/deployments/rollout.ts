import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call } from '../call.ts';
import { ApiError, badRequest, conflict } from '../errors.ts';
import { projectOfPath } from '../find-project.ts';
import { choice } from '../http/query.ts';
import { type Pace, paceOf, startMoving } from '../motion.ts';
import { operation, type Resource } from '../resource.ts';
import { type Deployment, stateOf, urlOf } from './deployment-state.ts';
import { progressOf, putAt, type Rollout } from './rollout-state.ts';
import { servedTargets } from './served-targets.ts';

declare module '../account.ts' {
  interface AccountSeed {
    /** The duration of an automatic stage, used instead of its minutes; a rollout that fails is aborted at the end of its first stage. */
    rollouts?: Pace;
  }
}

const canary = { canaryDeploymentId: z.string() };
const startBody = z.strictObject(canary);
const approveBody = z.strictObject({ ...canary, nextStageIndex: z.int() });

/** Returns a stage of a rollout as answers show it; null if there is none. */
function shownStage({ stages }: Rollout, index: number) {
  const stage = stages[index];
  if (stage === undefined) return null;
  const { targetPercentage, duration = null, requireApproval = false } = stage;
  return { index, isFinalStage: index === stages.length - 1, targetPercentage, duration, requireApproval };
}

/** Returns a deployment as a rollout shows it; null if it was deleted. */
function shownDeployment(call: Call, { name, deployments }: Project, id: string | null) {
  const deployment = deployments.find((deployment) => deployment.id === id);
  if (deployment === undefined) return null;
  const { createdAt, target } = deployment;
  return {
    id: deployment.id,
    name,
    createdAt,
    target,
    url: urlOf(deployment, name),
    readyState: stateOf(deployment, call),
  };
}

/** Returns a project's rollout as answers show it; null if there was none. */
function shown(call: Call, project: Project) {
  const { rollout } = project;
  if (rollout === undefined) return null;
  const { state, stage, at: since } = progressOf(rollout, call);
  const isActive = state === 'ACTIVE';
  const isManual = rollout.stages.some(({ requireApproval }) => requireApproval);
  const percentage = { ACTIVE: rollout.stages[stage]!.targetPercentage, COMPLETE: 100, ABORTED: 0 }[state];
  return {
    ...{ state, substate: null, currentCanaryPercentage: percentage },
    advancementType: isManual ? 'manual-approval' : 'automatic',
    stages: rollout.stages.map((_, index) => shownStage(rollout, index)),
    activeStage: isActive ? shownStage(rollout, stage) : null,
    nextStage: isActive ? shownStage(rollout, stage + 1) : null,
    canaryDeployment: shownDeployment(call, project, rollout.canary),
    currentDeployment: shownDeployment(call, project, rollout.current),
    queuedDeploymentId: null,
    ...{ startedAt: rollout.startedAt, updatedAt: since },
  };
}

const answer = (call: Call, project: Project) => ({ rollingRelease: shown(call, project) });

/** Returns the active rollout of this deployment. Throws 400 if there is none. */
function underWay(call: Call, { rollout }: Project, id: string): Rollout {
  if (rollout?.canary !== id) throw badRequest(`No rolling release of the deployment ${id} is under way.`);
  if (progressOf(rollout, call).state !== 'ACTIVE') throw badRequest('The rolling release is over.');
  return rollout;
}

/** Starts a rollout of a deployment, or throws if the project or the deployment cannot have one now. */
function start(call: Call, project: Project, id: string): void {
  const { rollingRelease, deployments, rollout } = project;
  if (!rollingRelease)
    throw new ApiError(422, 'rolling_release_disabled', 'The project has no rolling releases.');
  if (rollout && progressOf(rollout, call).state === 'ACTIVE')
    throw conflict('A rolling release is under way already.');
  const deployment: Deployment | undefined = deployments.find((deployment) => deployment.id === id);
  if (deployment === undefined) throw badRequest(`There is no deployment "${id}".`);
  if (stateOf(deployment, call) !== 'READY' || deployment.target !== 'production')
    throw badRequest('Only a deployment for production that is ready is rolled out.');
  const before = servedTargets(call, project).production as { id: string } | undefined;
  // A new deployment serves already unless an earlier rollout holds it back. Then the one before it becomes the current one again.
  const current =
    before && before.id !== id
      ? before.id
      : (deployments.findLast(
          (candidate) =>
            candidate !== deployment &&
            candidate.target === 'production' &&
            stateOf(candidate, call) === 'READY',
        )?.id ?? null);
  const { startedAt, fails } = startMoving(call, 'rollouts');
  const { seconds } = call.account.paces?.rollouts ?? {};
  project.rollout = {
    ...{ canary: id, current, stages: structuredClone(rollingRelease.stages), startedAt },
    ...{ stage: 0, stageAt: startedAt },
    ...(seconds === undefined ? {} : { stageSeconds: seconds }),
    ...(fails ? { fails } : {}),
  };
  if (current !== null) project.serving = { ...project.serving, production: { id: current } };
}

/** A rolling release under way: it goes through the stages that the project had when it began. */
export const rollout: Resource = {
  operations: {
    getRollingRelease: operation(
      { on: projectOfPath, query: { state: choice(['ACTIVE', 'COMPLETE', 'ABORTED']) } },
      (call, project) => {
        const release = shown(call, project);
        const asked = call.query.get('state');
        return { rollingRelease: asked === null || release?.state === asked ? release : null };
      },
    ),
    startRollingRelease: operation(
      { on: projectOfPath, body: startBody, statuses: [200, 409, 422] },
      (call, project, { canaryDeploymentId }) => {
        start(call, project, canaryDeploymentId);
        return answer(call, project);
      },
    ),
    approveRollingReleaseStage: operation(
      { on: projectOfPath, body: approveBody },
      (call, project, { canaryDeploymentId, nextStageIndex }) => {
        const rollout = underWay(call, project, canaryDeploymentId);
        const next = progressOf(rollout, call).stage + 1;
        if (nextStageIndex !== next)
          throw badRequest(`The next stage is ${next}, and not ${nextStageIndex}.`);
        putAt(rollout, next, call);
        return answer(call, project);
      },
    ),
    completeRollingRelease: operation(
      { on: projectOfPath, body: startBody },
      (call, project, { canaryDeploymentId }) => {
        const rollout = underWay(call, project, canaryDeploymentId);
        putAt(rollout, rollout.stages.length - 1, call);
        return answer(call, project);
      },
    ),
  },
  seed: { account: { rollouts: paceOf('rollouts') } },
};
