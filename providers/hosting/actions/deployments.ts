import * as z from 'zod';
import { defineAction, described, openEnum } from '#kind';

const { text, integer } = described;

type Json = Record<string, unknown>;

/** The member of a deployment's metadata that tells which run made it. */
const runMark = 'trueupRun';

/** So far the platform's clock may be from that of this machine, in milliseconds: in doubt it is built once more. */
const differenceOfClocks = 60_000;
const underWay = ['INITIALIZING', 'QUEUED', 'BUILDING'];
const failed = ['ERROR', 'CANCELED', 'DELETED'];

/**
 * Returns time and state of the newest deployment of a target (`production`, for example) from the answer about a
 * project; undefined if there is none.
 */
function newestOf({ latestDeployments }: Json, target: string) {
  const values = Array.isArray(latestDeployments) ? (latestDeployments as Json[]) : [];
  return values
    .filter((value) => value.target === target)
    .map(({ createdAt, readyState }) => ({ createdAt: Number(createdAt), state: String(readyState) }))
    .sort((a, b) => b.createdAt - a.createdAt)[0];
}

/**
 * Returns the reason why a new deployment would not reach visitors or would disturb another one; undefined if there
 * is none. Used before a redeployment.
 */
function busyWith(
  { name, lastAliasRequest }: Json,
  newest: ReturnType<typeof newestOf>,
  { rollingRelease }: Json = {},
): string | undefined {
  if (newest && underWay.includes(newest.state)) return `a build of ${name} is in progress`;
  if (((rollingRelease ?? {}) as Json).state === 'ACTIVE')
    return `a rolling release of ${name} is in progress`;
  const { type, jobStatus } = (lastAliasRequest ?? {}) as Json;
  if (jobStatus === 'pending' || jobStatus === 'in-progress')
    return `${name} is being promoted or rolled back`;
  return type === 'rollback'
    ? `${name} was rolled back, so a new build would not reach visitors: promote a deployment first`
    : undefined;
}

export const redeploy = defineAction({
  name: 'redeploy',
  doc: 'Rebuilds the deployment that currently serves a target, so that changed variables and settings take effect.',
  endpoint: 'POST /v13/deployments?forceNew=1',
  on: 'project',
  input: () => ({
    target: openEnum(['production', 'staging'])
      .default('production')
      .describe('The target, whose current deployment is rebuilt.'),
    deployment: z
      .string()
      .min(1)
      .optional()
      .describe('The id of another deployment to rebuild instead: `dpl_...`.'),
  }),
  finds: {
    endpoint: 'GET /v9/projects/{project}',
    // Whether a rolling release is under way the project does not tell.
    contextEndpoint: 'GET /v1/projects/{project}/rolling-release',
    take: (project, { target, deployment }, after) => {
      const { name, targets } = project;
      const { id } = ((targets ?? {}) as Record<string, Json | null>)[String(target)] ?? {};
      if (deployment === undefined && id === undefined)
        return { nothing: `no deployment of ${name} serves ${target}` };
      if (!after) return { values: { name, id: deployment ?? id } };
      const { since, contextAnswer } = after;
      const newest = newestOf(project, String(target));
      if (newest && newest.createdAt > since + differenceOfClocks && !failed.includes(newest.state))
        return {
          nothing: `a deployment of ${name} for ${target} was created since and already has the changes`,
        };
      const busy = busyWith(project, newest, contextAnswer);
      return busy === undefined ? { values: { name, id: deployment ?? id } } : { busy };
    },
  },
  // Never the newest: that may be one that failed, or that somebody rolled back from.
  body: ({ input: { target }, foundValues: { name, id }, mark }) => ({
    deploymentId: id,
    name,
    target,
    meta: { [runMark]: mark },
  }),
  grade: 'disruptive',
  why: 'visitors see it as soon as it is built',
  starts: 'build',
  until: { lookup: 'deployment', input: ({ answer: { id } }) => ({ id }) },
  effectSearch: {
    lookup: 'deployment',
    // A project may have thousands of older ones.
    input: ({ since }) => ({ since: since - 10 * differenceOfClocks }),
    is: ({ meta }, mark) => ((meta ?? {}) as Json)[runMark] === mark,
  },
  output: () => ({
    id: z.string().describe('The id of the new deployment.'),
    url: z.string().describe('Its URL, without `https://`.'),
    readyState: z.string().describe('Its status.'),
  }),
  declarable: true,
});

export const promote = defineAction({
  name: 'promote',
  doc: 'Promotes an existing deployment to production.',
  endpoint: 'POST /v10/projects/{project}/promote/{deployment}',
  on: 'project',
  input: () => ({ deployment: text('The id of the deployment: `dpl_...`.') }),
  grade: 'disruptive',
  why: 'visitors immediately see another deployment',
  repeatable: true,
  until: { lookup: 'deployment', input: ({ input: { deployment } }) => ({ id: deployment }) },
  declarable: true,
});

export const rollback = defineAction({
  name: 'rollback',
  doc: 'Rolls production back to an earlier deployment; later pushes do not replace it until one is promoted.',
  endpoint: 'POST /v1/projects/{project}/rollback/{deployment}',
  on: 'project',
  input: () => ({
    deployment: text('The id of the deployment: `dpl_...`.'),
    description: text('The reason, shown in the dashboard.').optional(),
  }),
  grade: 'disruptive',
  why: 'visitors immediately see another deployment, and later pushes do not go live automatically',
  repeatable: true,
});

export const describeRollback = defineAction({
  name: 'describeRollback',
  doc: 'Sets the reason for a rollback.',
  endpoint: 'PATCH /v1/projects/{project}/rollback/{deployment}/update-description',
  on: 'project',
  input: () => ({
    deployment: text('The id of the deployment that it was rolled back to.'),
    description: text('Why.'),
  }),
  grade: 'safe',
  repeatable: true,
});

export const cancelDeployment = defineAction({
  name: 'cancelDeployment',
  doc: 'Cancels the build of a deployment.',
  endpoint: 'PATCH /v12/deployments/{deployment}/cancel',
  input: () => ({ deployment: text('The id of the deployment: `dpl_...`.') }),
  grade: 'disruptive',
  why: 'the build does not go live',
  repeatable: true,
  output: () => ({ id: text('The id of the deployment.'), readyState: text('Its status.') }),
});

export const startCheckRun = defineAction({
  name: 'startCheckRun',
  doc: 'Runs a check of the project on a deployment again.',
  endpoint: 'POST /v2/deployments/{deployment}/check-runs',
  input: () => ({
    deployment: text('The id of the deployment: `dpl_...`.'),
    checkId: text('The id of the check.'),
  }),
  grade: 'safe',
  until: {
    lookup: 'checkRun',
    input: ({ input: { deployment }, answer: { id } }) => ({ deployment, id }),
  },
  output: () => ({ id: text('The id of the run.'), status: text('Its status.') }),
});

export const retryCi = defineAction({
  name: 'retryCi',
  doc: "Retries an attempt of the platform's CI.",
  endpoint: 'POST /v1/platform-ci/invocations/{invocation}/attempts/{attempt}/retry',
  input: () => ({
    invocation: text('The id of the invocation.'),
    attempt: text('The number of the attempt.'),
  }),
  grade: 'safe',
  output: () => ({ attempt: integer('The number of the new attempt.') }),
  until: {
    lookup: 'ciAttempt',
    input: ({ input: { invocation }, answer: { attempt } }) => ({ invocation, attempt: String(attempt) }),
  },
});
