import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Owner, Project } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { Collection, takeOut } from '../collection.ts';
import { hasTooLargeEnv } from '../env/deployed-env.ts';
import { ApiError, badRequest } from '../errors.ts';
import { choice, queryChoice, text } from '../http/query.ts';
import { type Pace, paceOf, startMoving } from '../motion.ts';
import { operation, type Resource, seedList } from '../resource.ts';
import { strings } from '../validate.ts';
import { type Deployment, hostsOf, stateOf, urlOf } from './deployment-state.ts';
import { gitSource, metaOfCommit } from './git-source.ts';
import { endRollout } from './rollout-state.ts';

const createBody = z.strictObject({
  name: z.string(),
  project: z.string().optional(),
  target: z.string().optional(),
  meta: z.record(z.string(), z.string()).optional(),
  gitSource: gitSource.optional(),
  deploymentId: z.string().optional(),
  customEnvironmentSlugOrId: z.string().optional(),
  files: z.array(z.looseObject({})).optional(),
  gitMetadata: z.looseObject({}).optional(),
  projectSettings: z.looseObject({}).optional(),
  monorepoManager: z.string().nullable().optional(),
  withLatestCommit: z.boolean().optional(),
  buildMachine: z.literal('turbo').optional(),
  gitAccessToken: z.string().optional(),
});
const texts = z.record(z.string(), z.string());
/** The body by the older path, with the members that only the Terraform provider sends. */
const clientBody = createBody.extend({
  projectSettings: createBody.shape.projectSettings.nullable(),
  env: texts.optional(),
  build: z.strictObject({ env: texts.optional() }).optional(),
  functions: z.looseObject({}).optional(),
  regions: strings.optional(),
  routes: z.array(z.unknown()).optional(),
});
const seed = z.strictObject({
  id: z.string().optional(),
  target: z.string().optional(),
  meta: z.record(z.string(), z.string()).optional(),
  state: z.enum(['QUEUED', 'BUILDING', 'READY', 'ERROR', 'CANCELED']).optional(),
});

declare module '../account.ts' {
  interface AccountSeed {
    /** The duration of builds, and which ones fail. */
    builds?: Pace;
  }
  interface ProjectParts extends Keeps<'deployments', Deployment> {
    /** By target: the deployment that was promoted or rolled back to. Removed when a newer deployment is created for the target. */
    serving?: Record<string, { id: string }>;
    /** The reason that the last rollback gave. */
    lastRollback?: { description: string };
    /** The last promotion or rollback that was requested. */
    lastAliasRequest?: Record<string, unknown>;
  }
  interface ProjectSeed extends Seeds<'deployments', typeof seed> {}
}

/** A deployment with its project. */
interface Found {
  project: Project;
  deployment: Deployment;
  createdAt: number;
}

/** Returns all deployments of an owner, each with its project. */
const deploymentsOf = ({ account }: Making, { id }: Owner): Found[] =>
  account.projects
    .filter(({ accountId }) => accountId === id)
    .flatMap((project) =>
      project.deployments.map((deployment) => ({
        project,
        deployment,
        createdAt: deployment.createdAt,
      })),
    );

/** The deployments of an owner, found by their ids or host names. */
export const deployments = new Collection<Found, Owner>(
  {
    ...{ what: 'Deployment', param: ['idOrUrl', 'id'] },
    isCalled: ({ project, deployment }, name) =>
      deployment.id === name || urlOf(deployment, project.name) === name,
    shows: (call, located) => ({ uid: located.deployment.id, ...shown(call, located) }),
  },
  (call) => call.owner,
  deploymentsOf,
);

/** Returns a deployment as the list shows it. */
function shown(call: Making, { project, deployment }: Pick<Found, 'project' | 'deployment'>) {
  const state = stateOf(deployment, call);
  const environment = project.customEnvironments.find(({ id }) => id === deployment.customEnvironmentId);
  const { id: uid, username, email } = call.account.user;
  return {
    ...{
      name: project.name,
      url: urlOf(deployment, project.name),
      projectId: project.id,
      meta: deployment.meta,
      target: deployment.target,
    },
    ...{
      state,
      readyState: state,
      type: 'LAMBDAS',
      createdAt: deployment.createdAt,
      created: deployment.createdAt,
    },
    ...{
      creator: { uid, username, email },
      inspectorUrl: null,
      aliasAssigned: state === 'READY',
      aliasError: null,
    },
    ...(deployment.build?.fails &&
      state === 'ERROR' && { errorCode: 'BUILD_FAILED', errorMessage: 'The build failed.' }),
    ...(environment && { customEnvironment: { id: environment.id, slug: environment.slug } }),
  };
}

/** Returns the team of a project, which clients compare with their own; undefined for a personal project. */
function teamOf({ account }: Making, { accountId }: Project) {
  const team = account.teams.find((team) => team.id === accountId);
  return team && { team: { id: team.id, name: team.name, slug: team.slug } };
}

/** Returns a deployment as a read of it shows it: with its owner and its source. */
const whole = (call: Making, located: Pick<Found, 'project' | 'deployment'>) => ({
  id: located.deployment.id,
  ...shown(call, located),
  ownerId: located.project.accountId,
  ...teamOf(call, located.project),
  alias: hostsOf(call, located.project, located.deployment),
  ...(located.deployment.env && { env: located.deployment.env, build: { env: located.deployment.env } }),
  ...(located.deployment.gitSource && { gitSource: located.deployment.gitSource }),
});

/** Adds a new deployment to a project. */
function add(
  making: Making,
  project: Project,
  content: Omit<Deployment, 'id' | 'createdAt'> & { id?: string },
) {
  const id = content.id ?? making.id('dpl_', 28);
  const created = { ...content, id, createdAt: making.time() };
  project.deployments.push(created);
  // A new deployment for a target serves it once it is ready.
  if (created.target !== null) delete project.serving?.[created.target];
  return { project, deployment: created };
}

/**
 * Creates a deployment from a source or an earlier deployment. Answers an existing one of the same commit and target, unless the query
 * forces a new one.
 */
function create(call: Call, body: z.infer<typeof clientBody>) {
  const isForced = queryChoice(call, 'forceNew', ['0', '1']) === '1';
  queryChoice(call, 'skipAutoDetectionConfirmation', ['0', '1']);
  const named = body.project ?? body.name;
  const project = call.account.projects.find(
    ({ id, name, accountId }) => accountId === call.owner.id && (id === named || name === named),
  );
  if (project === undefined) throw new ApiError(400, 'project_not_found', `There is no project "${named}".`);
  if (!body.gitSource && !body.deploymentId && !body.files) {
    throw badRequest('Invalid request: missing required property `files`.');
  }
  const { customEnvironmentSlugOrId: wanted } = body;
  const meta = { ...metaOfCommit(body.gitMetadata), ...body.meta };
  const environment = project.customEnvironments.find(({ id, slug }) => id === wanted || slug === wanted);
  if (wanted !== undefined && environment === undefined) {
    throw new ApiError(400, 'bad_request', `There is no custom environment "${wanted}".`);
  }
  const old = deploymentsOf(call, call.owner).find(
    ({ deployment }) => deployment.id === body.deploymentId,
  )?.deployment;
  if (body.deploymentId !== undefined && old === undefined) {
    throw new ApiError(400, 'deployment_not_found', `There is no deployment "${body.deploymentId}".`);
  }
  const source = body.gitSource ?? old?.gitSource;
  const target = body.target ?? (wanted === undefined ? (old?.target ?? null) : null);
  const alike = project.deployments.find(
    (deployment) =>
      source?.sha !== undefined && deployment.gitSource?.sha === source.sha && deployment.target === target,
  );
  // No source says which deployments count as equal.
  if (alike && !isForced && !old) return whole(call, { project, deployment: alike });
  // A branch is built at its latest commit. Reads show that commit as well.
  const commit = source?.ref !== undefined &&
    source.sha === undefined && { sha: createHash('sha1').update(source.ref).digest('hex') };
  const envPlace = { target: environment?.id ?? target ?? 'preview', gitBranch: source?.ref };
  const common = { target, meta, ...(source && { gitSource: { ...source, ...commit } }) };
  return whole(
    call,
    add(call, project, {
      ...common,
      ...(environment && { customEnvironmentId: environment.id }),
      ...(body.env && { env: Object.keys(body.env) }),
      ...buildOf(call, hasTooLargeEnv(call.account, project, envPlace)),
    }),
  );
}

/** Returns the build of a new deployment: none if it is over at once. Nothing is built; it only takes time, and may fail. */
function buildOf(call: Call, isTooLarge: boolean): Pick<Deployment, 'build'> {
  const { buildSeconds, buildFails } = call.switches;
  const usual = {
    ...(buildSeconds ? { seconds: buildSeconds } : {}),
    ...(buildFails || isTooLarge ? { fails: true } : {}),
  };
  const build = startMoving(call, 'builds', usual);
  return build.endsAt > build.startedAt || build.fails ? { build } : {};
}

/** Makes the deployment that the path names serve the visitors of its project, and returns the project. Throws 400 if it is not ready. */
function serve(call: Call, type: 'promote' | 'rollback'): Project {
  const { projectId, deploymentId } = call.params;
  const located = deploymentsOf(call, call.owner).find(({ deployment }) => deployment.id === deploymentId);
  if (!located || located.project.id !== projectId)
    throw new ApiError(404, 'not_found', 'Deployment not found');
  const { project, deployment } = located;
  if (stateOf(deployment, call) !== 'READY')
    throw new ApiError(400, 'deployment_not_ready', 'The deployment is not ready.');
  endRollout(call, project, deployment.id);
  project.lastAliasRequest = {
    ...{ fromDeploymentId: project.serving?.production?.id ?? null, toDeploymentId: deployment.id },
    ...{ jobStatus: 'succeeded', requestedAt: call.time(), type },
  };
  project.serving = { ...project.serving, production: { id: deployment.id } };
  return project;
}

const deletion = operation({ on: deployments.named }, ({ account }, { object: { project, deployment } }) => {
  account.aliases = account.aliases.filter(({ deploymentId }) => deploymentId !== deployment.id);
  takeOut(project.deployments, deployment);
  return { uid: deployment.id, state: 'DELETED' };
});

const createQuery = { forceNew: choice(['0', '1']), skipAutoDetectionConfirmation: choice(['0', '1']) };

/** Deployments of an owner's projects. They are ready at once, unless a switch or a seed says otherwise. */
export const deployment: Resource = {
  keeps: { project: { deployments: [] } },
  operations: {
    getDeployments: deployments.pages('deployments', {
      where: {
        projectId: [text, ({ project }, asked) => project.id === asked || project.name === asked],
        target: [text, ({ deployment }, asked) => deployment.target === asked],
      },
    }),
    getDeployment: operation({ on: deployments.named }, (call, { object: located }) => whole(call, located)),
    createDeployment: operation({ body: createBody, query: createQuery }, (call, _, body) =>
      create(call, body),
    ),
    requestPromote: operation({ answers: 'none', statuses: [201] }, (call) => {
      serve(call, 'promote');
    }),
    requestRollback: operation({ query: { description: text }, answers: 'none', statuses: [201] }, (call) => {
      const served = serve(call, 'rollback');
      const description = call.query.get('description');
      if (description !== null) served.lastRollback = { description };
    }),
    cancelDeployment: operation({ on: deployments.named }, (call, { object: { project, deployment } }) => {
      if (!['QUEUED', 'BUILDING'].includes(stateOf(deployment, call)))
        throw badRequest('The deployment is not being built.');
      deployment.state = 'CANCELED';
      return whole(call, { project, deployment });
    }),
    deleteDeployment: deletion,
  },
  clientOperations: {
    'POST /v12/now/deployments': operation({ body: clientBody, query: createQuery }, (call, _, body) =>
      create(call, body),
    ),
    'DELETE /now/deployments/{id}': deletion,
    // The Terraform provider uploads files this way: those of deployments, and the picture of a team before each write of the team.
    'POST /v2/now/files': operation({ takes: 'bytes' }, () => ({ urls: [] })),
  },
  seed: {
    account: { builds: paceOf('builds') },
    project: {
      deployments: seedList(seed, (making, { target = null, meta = {}, ...given }, project: Project) =>
        add(making, project, { ...given, target, meta }),
      ),
    },
  },
};
