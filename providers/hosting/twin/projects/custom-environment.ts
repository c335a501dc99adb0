import * as z from 'zod';
import type { CustomEnvironment, Project } from '../account.ts';
import { Answer, type Bodies, type Call, type Handlers } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { parseBody } from '../validate.ts';
import { findProject } from './project-state.ts';

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

/** A custom environment as answers show it. */
export function readCustomEnvironment(project: Project, one: CustomEnvironment): Record<string, unknown> {
  return {
    ...one,
    domains: project.domains.filter((domain) => domain.customEnvironmentId === one.id),
    currentDeploymentAliases: [],
  };
}

function findEnvironment(call: Call, project: Project): CustomEnvironment {
  const asked = call.params.environmentSlugOrId;
  const found = project.customEnvironments.find((one) => one.id === asked || one.slug === asked);
  if (found === undefined) throw notFound('Custom environment');
  return found;
}

/** The rules for a slug, or 400. The three built-in names are refused; the length is the Terraform provider's. */
export function checkSlug(project: Project, slug: string, except?: CustomEnvironment): void {
  if (['production', 'preview', 'development'].includes(slug)) {
    throw badRequest(`The slug \`${slug}\` is reserved.`);
  }
  if (!/^[a-z0-9-]{1,32}$/.test(slug)) {
    throw badRequest('Invalid request: `slug` should have 1 to 32 lower-case letters, digits and hyphens.');
  }
  if (project.customEnvironments.some((one) => one.slug === slug && one !== except)) {
    throw badRequest(`A custom environment with the slug \`${slug}\` already exists.`);
  }
}

// A variable of the source environment gets a copy of its own in the new one.
function copyEnvVars(call: Call, project: Project, from: string, id: string): void {
  const source = project.customEnvironments.find((one) => one.slug === from || one.id === from);
  const rows = project.env.filter((env) =>
    source ? env.customEnvironmentIds.includes(source.id) : env.target.includes(from) && !env.gitBranch,
  );
  for (const row of rows) {
    const at = call.time();
    const copy = { ...row, id: call.id('', 16), target: [], customEnvironmentIds: [id] };
    project.env.push({ ...copy, createdAt: at, updatedAt: at });
  }
}

function create(call: Call): unknown {
  const project = findProject(call);
  const body = parseBody(createBody, call.body ?? {}, call.outside);
  const slug = body.slug ?? `environment-${project.customEnvironments.length + 1}`;
  checkSlug(project, slug);
  const at = call.time();
  const one: CustomEnvironment = {
    id: call.id('env_', 28),
    slug,
    type: 'preview',
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.branchMatcher === undefined ? {} : { branchMatcher: body.branchMatcher }),
    createdAt: at,
    updatedAt: at,
  };
  project.customEnvironments.push(one);
  if (body.copyEnvVarsFrom !== undefined) copyEnvVars(call, project, body.copyEnvVarsFrom, one.id);
  return new Answer(201, readCustomEnvironment(project, one));
}

function update(call: Call): unknown {
  const project = findProject(call);
  const one = findEnvironment(call, project);
  const { branchMatcher, ...fields } = parseBody(updateBody, call.body, call.outside);
  if (fields.slug !== undefined) checkSlug(project, fields.slug, one);
  Object.assign(one, fields, { updatedAt: call.time() });
  if (branchMatcher === null) delete one.branchMatcher;
  else if (branchMatcher !== undefined) one.branchMatcher = branchMatcher;
  return readCustomEnvironment(project, one);
}

// What becomes of variables and domains that only belonged to it is not documented beyond the flag: they stay, unassigned.
function remove(call: Call): unknown {
  const project = findProject(call);
  const one = findEnvironment(call, project);
  const body = parseBody(removeBody, call.body ?? {}, call.outside);
  const read = readCustomEnvironment(project, one);
  project.customEnvironments.splice(project.customEnvironments.indexOf(one), 1);
  const lost = project.env.filter((env) => env.customEnvironmentIds.includes(one.id));
  for (const env of lost) env.customEnvironmentIds = env.customEnvironmentIds.filter((id) => id !== one.id);
  if (body.deleteUnassignedEnvironmentVariables === true) {
    const unassigned = lost.filter((env) => env.target.length + env.customEnvironmentIds.length === 0);
    project.env = project.env.filter((env) => !unassigned.includes(env));
  }
  for (const domain of project.domains) {
    if (domain.customEnvironmentId === one.id) domain.customEnvironmentId = null;
  }
  return read;
}

/** A project's custom environments; paths take a slug or an id. */
export const customEnvironmentHandlers: Handlers = {
  getProjectsByIdOrNameCustomEnvironments(call) {
    const project = findProject(call);
    const environments = project.customEnvironments.map((one) => readCustomEnvironment(project, one));
    return { accountLimit: { total: 12 }, environments };
  },
  createCustomEnvironment: create,
  getCustomEnvironment(call) {
    const project = findProject(call);
    return readCustomEnvironment(project, findEnvironment(call, project));
  },
  updateCustomEnvironment: update,
  removeCustomEnvironment: remove,
};

/** The schemas of their request bodies. */
export const customEnvironmentBodies: Bodies = {
  createCustomEnvironment: createBody.optional(),
  updateCustomEnvironment: updateBody,
  removeCustomEnvironment: removeBody.optional(),
};
