import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { ApiError, badRequest, forbidden, notFound } from '../errors.ts';
import { being } from '../http/list-query.ts';
import { text } from '../http/query.ts';
import { ofOwner } from '../kept.ts';
import { operation, type Resource, seedList } from '../resource.ts';
import { isDomainName, lower } from '../validate.ts';
import { type Alias, findAlias } from './alias-state.ts';
import { deployments } from './deployment.ts';
import { stateOf } from './deployment-state.ts';

const assignBody = z.strictObject({
  alias: z.string().optional(),
  redirect: z.string().nullable().optional(),
});
const seed = z.strictObject({
  alias: z.string(),
  redirect: z.string().optional(),
  deployment: z.string().optional(),
});

declare module '../account.ts' {
  interface ProjectSeed extends Seeds<'aliases', typeof seed> {}
}

const created = ({ createdAt }: Alias) => new Date(createdAt).toISOString();

/**
 * Returns an alias as the list of a deployment's aliases shows it. An alias with a `redirect` redirects instead of serving the deployment.
 */
const ofDeployment = (alias: Alias) => ({
  ...{ uid: alias.uid, alias: alias.alias, created: created(alias), redirect: alias.redirect },
  ...(Object.keys(alias.protectionBypass).length > 0 && { protectionBypass: alias.protectionBypass }),
});

/** Returns an alias as reads show it. */
function shown({ account }: Making, alias: Alias) {
  const { id: uid, username, email } = account.user;
  const { createdAt, updatedAt, deploymentId, projectId } = alias;
  return {
    ...ofDeployment(alias),
    createdAt,
    updatedAt,
    creator: { uid, username, email },
    deploymentId,
    projectId,
  };
}

const aliases = ofOwner('aliases', {
  ...{ what: 'Alias', param: 'aliasId', shows: shown },
  isCalled: ({ uid, alias }, name) => uid === name || alias === name.toLowerCase(),
});

/** Makes a name lead to a deployment: a new alias, or an existing one that is moved. Throws if the owner may not use the name. */
function assign(
  making: Making,
  project: Project,
  deploymentId: string,
  { alias, redirect }: z.infer<typeof assignBody>,
) {
  if (alias === undefined) throw badRequest('Invalid request: missing required property `alias`.');
  const name = lower(alias);
  const { account, owner } = making;
  if (!isDomainName(name))
    throw new ApiError(400, 'invalid_alias', `The alias "${alias}" is not a host name.`);
  const isOwn = account.domains.some(
    (domain) => domain.ownerId === owner.id && (name === domain.name || name.endsWith(`.${domain.name}`)),
  );
  if (!isOwn && !name.endsWith('.vercel.app'))
    throw forbidden(`You don't have access to the domain of ${name}.`);
  const existing = account.aliases.find((alias) => alias.alias === name);
  if (existing && existing.ownerId !== owner.id) throw new ApiError(403, 'forbidden', 'The alias is in use.');
  const [uid, now] = [existing?.uid ?? making.id('', 24), making.time()];
  const { createdAt = now, protectionBypass = {} } = existing ?? {};
  const assigned: Alias = {
    ...{
      uid,
      alias: name,
      ownerId: owner.id,
      projectId: project.id,
      deploymentId,
      createdAt,
      updatedAt: now,
    },
    ...{ redirect: redirect === undefined ? (existing?.redirect ?? null) : redirect, protectionBypass },
  };
  account.aliases = [...account.aliases.filter((alias) => alias !== existing), assigned];
  return { assigned, oldDeploymentId: existing?.deploymentId };
}

/** Assigns a name to the deployment that the path names, or throws 400 if it is not ready. */
function post(call: Call, body: z.infer<typeof assignBody>) {
  const { project, deployment } = deployments.named(call).object;
  if (stateOf(deployment, call) !== 'READY') {
    throw new ApiError(400, 'deployment_not_ready', 'The deployment is not ready.');
  }
  const { assigned, oldDeploymentId } = assign(call, project, deployment.id, body);
  const { uid, alias } = assigned;
  return { uid, alias, created: created(assigned), ...(oldDeploymentId && { oldDeploymentId }) };
}

/** Returns the alias that the path names. If the query names a project, the alias has to be in it. */
function aliasInProject(call: Call): Alias {
  const projectId = call.query.get('projectId');
  const alias = findAlias(call, call.params.idOrAlias!);
  if (projectId !== null && alias.projectId !== projectId) throw notFound('Alias');
  return alias;
}

const list = aliases.pages('aliases', {
  where: {
    projectId: being('projectId'),
    domain: [text, ({ alias }, asked) => alias === asked || alias.endsWith(`.${asked}`)],
  },
});

const listOfDeployment = operation(
  { on: deployments.named, list: 'aliases' },
  ({ account }, { object: { deployment } }) => ({
    aliases: account.aliases.filter(({ deploymentId }) => deploymentId === deployment.id).map(ofDeployment),
  }),
);

/**
 * Host names of deployments. Each name is an alias of at most one deployment. Aliases are removed with their deployment and with their
 * domain.
 */
export const alias: Resource = {
  keeps: { account: { aliases: [] } },
  operations: {
    listAliases: list,
    getAlias: operation({ query: { projectId: text }, on: aliasInProject }, shown),
    listDeploymentAliases: listOfDeployment,
    // The documentation calls the body optional, but it has the name, so it is required.
    assignAlias: operation({ body: assignBody }, (call, _, body) => post(call, body)),
    deleteAlias: aliases.remove({ answer: { status: 'SUCCESS' } }),
  },
  clientOperations: {
    'GET /v3/now/aliases': list,
    'GET /now/deployments/{id}/aliases': listOfDeployment,
    'POST /now/deployments/{id}/aliases': operation({ body: assignBody }, (call, _, body) =>
      post(call, body),
    ),
    'GET /now/aliases/{idOrAlias}': operation({ on: aliasInProject }, shown),
    'DELETE /now/aliases/{aliasId}': aliases.remove({ answer: { status: 'SUCCESS' } }),
  },
  seed: {
    project: {
      aliases: seedList(seed, (making, { deployment, ...body }, project: Project) => {
        const [first] = project.deployments;
        const deploymentOfAlias =
          deployment === undefined ? first : project.deployments.find(({ id }) => id === deployment);
        if (deploymentOfAlias === undefined)
          throw new Error(`There is no deployment for the alias "${body.alias}".`);
        assign(making, project, deploymentOfAlias.id, body);
      }),
    },
  },
  after: ['domains', 'projects.deployments'],
  forget(account, projectId) {
    account.aliases = account.aliases.filter((alias) => alias.projectId !== projectId);
  },
};
