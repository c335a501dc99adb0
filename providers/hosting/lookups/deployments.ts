import * as z from 'zod';
import { defineLookup, described, dropUndefined, openEnum } from '#kind';

const { text, time, number, flag, json } = described;

type Json = Record<string, unknown>;

const states = ['QUEUED', 'INITIALIZING', 'BUILDING', 'READY', 'ERROR', 'CANCELED', 'BLOCKED'] as const;

/** All deployments, by any creator; the kind of this name has only those that a configuration declares. */
export const deployment = defineLookup({
  name: 'deployment',
  doc: 'The deployments of one or all projects, newest first, with status and target.',
  endpoint: 'GET /v7/deployments?projectId={project}',
  on: 'project',
  items: 'deployments',
  single: { endpoint: 'GET /v13/deployments/{id}', within: 'projectId' },
  key: 'id',
  input: () => ({
    target: openEnum(['production', 'staging'])
      .optional()
      .describe('Only this target: `production`, `staging`.'),
    branch: z.string().optional().describe('Only this branch.'),
    sha: z.string().optional().describe('Only this commit.'),
  }),
  output: () => ({
    id: z.string().describe('`dpl_...`'),
    project: z.string().describe('The name of its project.'),
    url: z.string().describe('Its URL, without `https://`.'),
    state: openEnum(states).describe('Its status.'),
    target: z.string().describe('`production`, `staging`, or `preview`.'),
    branch: z.string().describe('The branch it was built from.'),
    sha: z.string().describe('The commit it was built from.'),
    createdAt: z.iso.datetime().describe('When it was created.'),
    error: z.string().describe('Why it failed.'),
  }),
  columns: ['id', 'project', 'target', 'state', 'createdAt', 'url'],
  decode: ({ uid, id, name, url, readyState, state, target, meta, gitSource, createdAt, errorMessage }) => {
    const { githubCommitRef, githubCommitSha } = (meta ?? {}) as Json;
    const { ref, sha } = (gitSource ?? {}) as Json;
    return dropUndefined({
      id: uid ?? id,
      project: name,
      url,
      state: readyState ?? state,
      target: target ?? 'preview',
      branch: ref ?? githubCommitRef,
      sha: sha ?? githubCommitSha,
      createdAt,
      error: errorMessage ?? undefined,
    });
  },
  moves: ['actions', 'pushes'],
  end: { field: 'state', reached: ['READY'], ended: ['ERROR', 'CANCELED', 'BLOCKED', 'DELETED'] },
});

export const deploymentFile = defineLookup({
  name: 'deploymentFile',
  doc: 'The files of a deployment, as a tree.',
  endpoint: 'GET /v6/deployments/{deployment}/files',
  items: '',
  key: 'name',
  input: () => ({ deployment: text('The id of the deployment: `dpl_...`.') }),
  output: () => ({
    name: text('Its name.'),
    type: text('`directory`, `file`, `lambda` and so on.'),
    uid: text('The id of its content.'),
    contentType: text('Its content type.'),
    children: json('Its children.'),
  }),
  columns: ['name', 'type', 'uid'],
  moves: ['actions', 'pushes'],
});

/** Describes the columns of a check run. */
const checkRunFields = () => ({
  id: text('The id of the run.'),
  name: text('The check.'),
  deploymentId: text('The deployment it runs on.'),
  status: openEnum(['queued', 'running', 'completed']).describe('Its status.'),
  conclusion: openEnum(['succeeded', 'failed', 'neutral', 'skipped', 'canceled', 'timeout']).describe(
    'Its conclusion.',
  ),
  conclusionText: text('The same, for humans.'),
  createdAt: time('When it started.'),
});
const runColumns = ['id', 'name', 'status', 'conclusion', 'createdAt'];

/** Only how it ended tells whether it went well. */
const checkEnd = {
  field: 'conclusion',
  reached: ['succeeded', 'neutral', 'skipped'],
  ended: ['failed', 'canceled', 'timeout'],
};

export const checkRun = defineLookup({
  name: 'checkRun',
  doc: 'The runs of checks on a deployment.',
  endpoint: 'GET /v2/deployments/{deployment}/check-runs',
  items: 'runs',
  single: { endpoint: 'GET /v2/deployments/{deployment}/check-runs/{id}' },
  key: 'id',
  input: () => ({ deployment: text('The id of the deployment: `dpl_...`.') }),
  output: checkRunFields,
  columns: runColumns,
  moves: ['actions', 'pushes'],
  end: checkEnd,
});

export const runOfCheck = defineLookup({
  name: 'runOfCheck',
  doc: 'The runs of one check of a project, on any deployment.',
  endpoint: 'GET /v2/projects/{project}/checks/{check}/runs',
  on: 'check',
  items: 'runs',
  key: 'id',
  output: checkRunFields,
  columns: runColumns,
  moves: ['actions', 'pushes'],
  end: checkEnd,
});

/** States of an attempt that has no result yet, or never gets one, by its status; any other is running. */
const stateOfNew = new Map<unknown, string>([
  ['new', 'queued'],
  ['skipped', 'skipped'],
  ['bootstrapping_failed', 'failed'],
  ['jobs_on_hive_failed', 'failed'],
]);

/** The platform's command line is the only source of its form. */
export const ciAttempt = defineLookup({
  name: 'ciAttempt',
  doc: "An attempt of the platform's CI, with status and result.",
  endpoint: 'GET /v1/platform-ci/invocations/{invocation}/attempts/{attempt}',
  item: 'invocation',
  input: () => ({
    invocation: text('The id of the invocation.'),
    attempt: text('The number of the attempt.'),
  }),
  output: () => ({
    state: openEnum(['queued', 'running', 'succeeded', 'failed', 'skipped']).describe('Its status.'),
    status: text('The status as named by the platform.'),
  }),
  decode: ({ status, runConclusion, completed }) => {
    const { result } = (runConclusion ?? {}) as Json;
    const { conclusion } = (completed ?? {}) as Json;
    return dropUndefined({ state: result ?? conclusion ?? stateOfNew.get(status) ?? 'running', status });
  },
  moves: ['actions', 'pushes'],
  end: { field: 'state', reached: ['succeeded', 'skipped'], ended: ['failed', 'canceled', 'timeout'] },
});

export const promoteAlias = defineLookup({
  name: 'promoteAlias',
  doc: 'The aliases moved by the last promotion or rollback of a project, with the status of each.',
  endpoint: 'GET /v1/projects/{project}/promote/aliases',
  on: 'project',
  items: 'aliases',
  key: 'alias',
  input: () => ({ failedOnly: flag('Only failed ones.').optional() }),
  output: () => ({
    alias: text('The name.'),
    id: text('Its id.'),
    status: openEnum(['pending', 'in-progress', 'completed', 'failed', 'skipped']).describe('Its status.'),
  }),
  moves: ['actions'],
  end: { field: 'status', reached: ['completed', 'skipped'], ended: ['failed'] },
});

export const rollout = defineLookup({
  name: 'rollout',
  doc: 'The current or last rolling release of a project, with its stage.',
  endpoint: 'GET /v1/projects/{project}/rolling-release',
  on: 'project',
  item: 'rollingRelease',
  output: () => ({
    state: openEnum(['ACTIVE', 'COMPLETE', 'ABORTED']).describe('Its status.'),
    substate: text('What it waits for.'),
    currentCanaryPercentage: number('The share of visitors who get the new deployment.'),
    advancementType: text('`manual-approval` or `automatic`.'),
    activeStage: json('The current stage.'),
    nextStage: json('The next stage.'),
    canary: text('The id of the new deployment.'),
    startedAt: time('When it started.'),
    updatedAt: time('When it last changed.'),
  }),
  decode: ({ canaryDeployment, ...rest }) => ({ ...rest, canary: (canaryDeployment as Json | null)?.id }),
  columns: ['state', 'substate', 'currentCanaryPercentage', 'canary'],
  moves: ['actions', 'pushes', 'visitors'],
  end: { field: 'state', reached: ['COMPLETE'], ended: ['ABORTED'] },
});

export const rolloutSlots = defineLookup({
  name: 'rolloutSlots',
  doc: "Whether the account's plan allows a rolling release of a project.",
  endpoint: 'GET /v1/projects/{project}/rolling-release/billing',
  on: 'project',
  output: () => ({
    availableSlots: number('How many more projects may have one.'),
    reason: text('Why there is none.'),
    message: text('The same, for humans.'),
  }),
});

export const deploymentFlag = defineLookup({
  name: 'deploymentFlag',
  doc: 'The feature flags that the code of a deployment declares.',
  endpoint: 'GET /v1/deployments/{deployment}/feature-flags',
  items: 'flags',
  key: 'slug',
  input: () => ({ deployment: text('The id of the deployment: `dpl_...`.') }),
  output: () => ({ slug: text('The name of the flag.'), id: text('Its id.'), state: text('Its status.') }),
  moves: ['actions', 'pushes'],
});

export const microfrontendsConfig = defineLookup({
  name: 'microfrontendsConfig',
  doc: 'The configuration of microfrontends that a deployment has.',
  endpoint: 'GET /v1/microfrontends/{deployment}/config',
  input: () => ({ deployment: text('The id of the deployment: `dpl_...`.') }),
  output: () => ({ config: json('The configuration.') }),
  moves: ['actions', 'pushes'],
});

export const productionMicrofrontends = defineLookup({
  name: 'productionMicrofrontends',
  doc: 'The configuration of microfrontends that production of a project has.',
  endpoint: 'GET /v1/microfrontends/projects/{project}/production-mfe-config',
  on: 'project',
  output: () => ({ config: json('The configuration.') }),
  moves: ['actions', 'pushes'],
});
