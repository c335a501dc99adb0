import * as z from 'zod';
import type { Project } from '../account.ts';
import { type Call, type Stamped, stamped, times } from '../call.ts';
import { badRequest } from '../errors.ts';
import { ofProject } from '../kept.ts';
import { operation, type Resource } from '../resource.ts';

/** An environment beside production, preview and development. */
export interface CustomEnvironment extends Stamped {
  slug: string;
  type: 'preview';
  description?: string;
  branchMatcher?: { type: string; pattern: string };
}

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'customEnvironments', CustomEnvironment> {}
  interface ProjectSeed extends Seeds<'customEnvironments', typeof seed> {}
}

const branchMatcher = z.strictObject({
  type: z.enum(['equals', 'startsWith', 'endsWith']),
  pattern: z.string().min(1),
});

const createBody = z.strictObject({
  slug: z.string().optional(),
  description: z.string().optional(),
  branchMatcher: branchMatcher.optional(),
  copyEnvVarsFrom: z.string().optional(),
});
const updateBody = z.strictObject({
  slug: z.string().optional(),
  description: z.string().optional(),
  branchMatcher: branchMatcher.nullable().optional(),
});
const removeBody = z.strictObject({ deleteUnassignedEnvironmentVariables: z.boolean().optional() });

/** Returns a custom environment as answers show it. */
export function readCustomEnvironment(
  project: Project,
  customEnvironment: CustomEnvironment,
): Record<string, unknown> {
  return {
    ...customEnvironment,
    domains: project.domains.filter((domain) => domain.customEnvironmentId === customEnvironment.id),
    currentDeploymentAliases: [],
  };
}

/** Returns the id of the environment that a seed names by its slug. Throws an `Error` if the project has none. */
export function customEnvironmentId(project: Project, slug: string): string {
  const customEnvironment = project.customEnvironments.find(
    (customEnvironment) => customEnvironment.slug === slug,
  );
  if (customEnvironment === undefined)
    throw new Error(`There is no custom environment "${slug}" in this project.`);
  return customEnvironment.id;
}

const environments = ofProject('customEnvironments', {
  what: 'Custom environment',
  param: 'environmentSlugOrId',
  by: ['id', 'slug'],
  shows: (_, customEnvironment, project) => readCustomEnvironment(project, customEnvironment),
});

/**
 * Throws 400 for an invalid or taken slug, and for the three built-in names. The greatest length is the Terraform provider's. `except`: may
 * have it.
 */
export function checkSlug(project: Project, slug: string, except?: CustomEnvironment): void {
  if (['production', 'preview', 'development'].includes(slug)) {
    throw badRequest(`The slug \`${slug}\` is reserved.`);
  }
  if (!/^[a-z0-9-]{1,32}$/.test(slug)) {
    throw badRequest('Invalid request: `slug` should have 1 to 32 lower-case letters, digits and hyphens.');
  }
  if (
    project.customEnvironments.some(
      (customEnvironment) => customEnvironment.slug === slug && customEnvironment !== except,
    )
  ) {
    throw badRequest(`A custom environment with the slug \`${slug}\` already exists.`);
  }
}

/** Copies the variables of an environment (`from`: its slug, id or target) to the new environment with this id. */
function copyEnvVars(call: Call, project: Project, from: string, id: string): void {
  const source = project.customEnvironments.find(
    (customEnvironment) => customEnvironment.slug === from || customEnvironment.id === from,
  );
  const rows = project.env.filter((env) =>
    source ? env.customEnvironmentIds.includes(source.id) : env.target.includes(from) && !env.gitBranch,
  );
  for (const row of rows) {
    const copy = { ...row, id: call.id('', 16), target: [], customEnvironmentIds: [id] };
    project.env.push({ ...copy, ...times(call) });
  }
}

/** Returns a new custom environment, with copies of another environment's variables if the body asks for them. */
function create(call: Call, body: z.infer<typeof createBody>, project: Project): CustomEnvironment {
  const { slug = `environment-${project.customEnvironments.length + 1}`, description, branchMatcher } = body;
  checkSlug(project, slug);
  const customEnvironment: CustomEnvironment = {
    ...stamped(call, 'env_', 28),
    slug,
    type: 'preview',
    ...(description === undefined ? {} : { description }),
    ...(branchMatcher === undefined ? {} : { branchMatcher }),
  };
  if (body.copyEnvVarsFrom !== undefined)
    copyEnvVars(call, project, body.copyEnvVarsFrom, customEnvironment.id);
  return customEnvironment;
}

/**
 * Removes a deleted environment from variables and domains. These stay without an environment, because nothing else is documented; with
 * `dropsUnassigned`, which a flag of the request sets, variables without any environment are removed.
 */
function unassign(project: Project, id: string, dropsUnassigned = false): void {
  const lost = project.env.filter((env) => env.customEnvironmentIds.includes(id));
  for (const env of lost)
    env.customEnvironmentIds = env.customEnvironmentIds.filter(
      (customEnvironmentId) => customEnvironmentId !== id,
    );
  if (dropsUnassigned) {
    const unassigned = lost.filter((env) => env.target.length + env.customEnvironmentIds.length === 0);
    project.env = project.env.filter((env) => !unassigned.includes(env));
  }
  for (const domain of project.domains) {
    if (domain.customEnvironmentId === id) domain.customEnvironmentId = null;
  }
}

const seed = z.strictObject({
  id: z.string().optional(),
  slug: z.string(),
  description: z.string().optional(),
  branchMatcher: branchMatcher.extend({ pattern: z.string() }).optional(),
});

/** A project's custom environments; paths take a slug or an id. */
export const customEnvironment: Resource = {
  ...environments.kept(seed, (making, environment, project) => {
    checkSlug(project, environment.slug);
    return { type: 'preview', ...environment, ...stamped(making, 'env_', 28) };
  }),
  operations: {
    getProjectsByIdOrNameCustomEnvironments: operation(
      { on: environments.home, list: 'environments' },
      (_, project) => ({
        accountLimit: { total: 12 },
        environments: project.customEnvironments.map((customEnvironment) =>
          readCustomEnvironment(project, customEnvironment),
        ),
      }),
    ),
    createCustomEnvironment: environments.create({ body: createBody.optional(), statuses: [201] }, create),
    getCustomEnvironment: environments.read(),
    updateCustomEnvironment: environments.update(
      { body: updateBody },
      (_, customEnvironment, { branchMatcher, ...fields }, project) => {
        if (fields.slug !== undefined) checkSlug(project, fields.slug, customEnvironment);
        Object.assign(customEnvironment, fields);
        if (branchMatcher === null) delete customEnvironment.branchMatcher;
        else if (branchMatcher !== undefined) customEnvironment.branchMatcher = branchMatcher;
      },
    ),
    removeCustomEnvironment: operation(
      {
        on: environments.named,
        body: removeBody.optional(),
      },
      (call, { home: project, object: environment }, { deleteUnassignedEnvironmentVariables }) => {
        const read = readCustomEnvironment(project, environment);
        environments.drop(call, environment, project);
        unassign(project, environment.id, deleteUnassignedEnvironmentVariables);
        return read;
      },
    ),
  },
};
