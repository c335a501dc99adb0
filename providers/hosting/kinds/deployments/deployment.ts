import * as z from 'zod';
import {
  atomic,
  createOnly,
  defineKind,
  dropUndefined,
  type Fields,
  immutable,
  isPlainObject,
  isRef,
  lastNameOf,
  onlyDeclared,
  openEnum,
  problem,
  readMayLack,
  refTo,
  type Step,
  type Value,
} from '#kind';
import { pendingByStatus } from '../pending.ts';

/** The member of a deployment's metadata that has its name here. */
const mark = 'trueup';

/**
 * Describes the Git source that a deployment is built from. The members depend on `type`; this is not checked here,
 * because only the types of the SDK define it.
 */
const gitSource = () =>
  z.strictObject({
    type: openEnum(['github', 'github-limited', 'gitlab', 'bitbucket', 'cursor-origin', 'vercel']),
    ref: z.string().optional(),
    sha: z.string().optional(),
    repoId: z.union([z.int(), z.string()]).optional(),
    org: z.string().optional(),
    repo: z.string().optional(),
    projectId: z.union([z.int(), z.string()]).optional(),
    repoUuid: z.string().optional(),
    workspaceUuid: z.string().optional(),
    owner: z.string().optional(),
    slug: z.string().optional(),
  });

const isOurs = (meta: unknown): boolean => isPlainObject(meta) && mark in meta;

/**
 * Returns the live source of a deployment with only the declared members, because the platform adds more, such as the commit of a
 * branch. Used to compare both sources without false differences.
 */
function asDeclared(live: Value | undefined, declared: Value | undefined): Value {
  if (!isPlainObject(live) || !isPlainObject(declared)) return live!;
  const members = Object.entries(declared).map(([name, value]) => {
    const liveValue = live[name];
    return [name, liveValue === undefined || String(liveValue) === String(value) ? value : liveValue];
  });
  return Object.fromEntries(members);
}

const failed = ['ERROR', 'CANCELED', 'DELETED'];
const building = { reason: 'the platform is still building it' };
const waiting = { reason: 'its build has not started yet' };
const queued = { QUEUED: waiting, INITIALIZING: waiting };
const blocked = { reason: 'the platform is not building it', failed: true as const };

/** A deployment that is made once, under a name in its metadata, and then stays as it is: another one gets another name. */
export const deployment = defineKind({
  name: 'deployment',
  doc: 'A deployment of a project, built once from a commit or from the source of another deployment. A failed one is built again.',
  section: 'deployments',
  parent: 'project',
  key: ['name'],
  shape: onlyDeclared,
  // `uid` in the list, `id` in a read of one deployment.
  id: ({ uid, id }) => uid ?? id,
  form: 2,
  lifecycle: { replace: 'never', container: true, after: ['projectEnvVar', 'projectDomain'] },
  fields: () => ({
    name: z.string().min(1).max(100).describe('Its name here, stored in its metadata as `trueup`.'),
    gitSource: immutable(readMayLack(atomic(gitSource())))
      .optional()
      .describe('The commit to build: `type`, `ref` or `sha`, and the repository as named by its provider.'),
    deploymentId: createOnly(z.string().min(1))
      .optional()
      .describe('The deployment to rebuild, instead of `gitSource`: `dpl_...`. Only used at creation.'),
    target: immutable(openEnum(['production', 'staging']))
      .optional()
      .describe('The target: `production` goes live as soon as it is built. A preview if omitted.'),
    customEnvironmentId: immutable(refTo('customEnvironment'))
      .optional()
      .describe('The slug of its custom environment, instead of `target`.'),
  }),
  example: `projects:
  web:
    deployments:
      v42:
        gitSource: { type: github, org: acme, repo: web, ref: main, sha: 8d5e957f297893487bd98fa830fa6413 }`,
  rules: {
    check: ({ gitSource, deploymentId, target, customEnvironmentId }) => [
      ...(gitSource !== undefined && deploymentId !== undefined
        ? [{ path: ['deploymentId'], message: 'use either `gitSource` or `deploymentId`' }]
        : []),
      ...(target !== undefined && customEnvironmentId !== undefined
        ? [{ path: ['target'], message: 'use either a `target` or a custom environment' }]
        : []),
    ],
    align: ({ desired: { fields }, live }) => ({
      desired: fields,
      live: live && { ...live.fields, gitSource: asDeclared(live.fields.gitSource, fields.gitSource) },
    }),
    grade: ({ action, after }) => {
      if (action === 'delete')
        return { grade: 'irreversible', reason: 'it cannot be restored, and it stops being served' };
      return action === 'create' && after?.fields.target === 'production'
        ? { grade: 'disruptive', reason: 'visitors see it as soon as it is built' }
        : undefined;
    },
  },
  read: {
    endpoint: 'GET /v7/deployments?projectId={project}',
    items: 'deployments',
    byId: {
      endpoint: 'GET /v13/deployments/{id}',
      within: 'projectId',
      isNeededFor: ({ gitSource, meta }) => gitSource === undefined && isOurs(meta),
    },
    deletedMark: ({ state, readyState }) => failed.includes(String(readyState ?? state)),
    later: {
      until: 'it is built',
      pending: pendingByStatus(
        'READY',
        { BUILDING: building, ...queued, BLOCKED: blocked },
        'errorMessage',
        'readyState',
      ),
      ended: 'its build failed or was canceled, or it was deleted; the next apply builds it again',
    },
  },
  decode: ({ meta, gitSource, target, customEnvironment }) => {
    const { [mark]: name } = (meta ?? {}) as Fields;
    const { id: customEnvironmentId } = (customEnvironment ?? {}) as Fields;
    if (name === undefined) return undefined;
    return dropUndefined({
      name,
      gitSource,
      target: (target ?? undefined) as Value,
      customEnvironmentId,
    }) as Fields;
  },
  // Without `forceNew` the platform may answer with one that is like it, and not ours.
  create: {
    endpoint: 'POST /v13/deployments?forceNew=1&skipAutoDetectionConfirmation=1',
    body: ({ parent, body: { name, customEnvironmentId, ...rest } }) => ({
      name: projectOf(parent),
      project: parent,
      meta: { [mark]: name },
      ...rest,
      ...(customEnvironmentId === undefined ? {} : { customEnvironmentSlugOrId: customEnvironmentId }),
    }),
    refuses: refuseMissingSource,
  },
  delete: 'DELETE /v13/deployments/{id}',
});

/** The name of a project: the platform wants it beside the id, for the addresses of the deployment. */
const projectOf = (parent: Step['parent']): string | undefined =>
  isRef(parent) ? lastNameOf(parent.$ref) : undefined;

/**
 * Refuses to create a deployment without a declared source: returns the problem, or undefined. The source of an
 * existing deployment may be undeclared.
 */
function refuseMissingSource({ address, after, body }: Step) {
  if (body.gitSource !== undefined || body.deploymentId !== undefined) return undefined;
  return problem('deployment/content', `${address} does not exist, and its source is not declared`, {
    address,
    at: after!.at,
    hint: 'declare its `gitSource`, or a `deploymentId` to rebuild',
  });
}
