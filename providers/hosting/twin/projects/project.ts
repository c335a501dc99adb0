import * as z from 'zod';
import type { Project, ProjectSeed } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { createEnvVars } from '../env/env-changes.ts';
import { type CreateEnv, createEnvBody } from '../env/env-row.ts';
import { badRequest, conflict } from '../errors.ts';
import { projectOfPath, projectToRead } from '../find-project.ts';
import { limitQuery, pageLimit } from '../http/pages.ts';
import { text } from '../http/query.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';
import { parseBody } from '../validate.ts';
import { createProjectBody, readOnlyFields, updateProjectBody } from './project-body.ts';
import { addProject, checkProjectName, gitLink, readProject, setProjectFields } from './project-state.ts';

declare module '../account.ts' {
  interface AccountParts extends Keeps<'projects', Project> {}
  interface AccountSeed {
    projects?: SeedProject[];
  }
}

/** A project of a seed. */
export type SeedProject = z.input<typeof seed> & ProjectSeed;

/** Throws 409 if another project of the owner has the name. */
function checkNameFree(call: Call, name: string, except?: Project): void {
  const isTaken = call.account.projects.some(
    (project) => project.accountId === call.owner.id && project.name === name && project !== except,
  );
  if (isTaken) {
    throw conflict(`Project "${name}" already exists, please use a new name.`);
  }
}

/**
 * Parses a variable in the body of a new project, or throws 400. The Terraform provider sends null for no custom environments, and
 * `decrypted` without an effect.
 */
function parseVariable({ outside }: Call, variable: unknown): CreateEnv {
  const { decrypted: _, target, ...rest } = (variable ?? {}) as Record<string, unknown>;
  const cleanVariable = {
    type: 'encrypted',
    ...rest,
    target: typeof target === 'string' ? [target] : target,
    customEnvironmentIds: rest.customEnvironmentIds ?? undefined,
  };
  const leniency = outside && {
    ...outside,
    note: (member: string, was: 'unknown member' | 'null') =>
      outside.note(`environmentVariables[].${member}`, was),
  };
  return parseBody(createEnvBody, cleanVariable, leniency);
}

/** Creates a project, with the variables in the body. */
function create(call: Call, body: z.infer<typeof createProjectBody>): unknown {
  checkProjectName(body.name);
  checkNameFree(call, body.name);
  // Checked before anything is made: a refused variable must not leave a project behind.
  const variables = (body.environmentVariables ?? []).map((variable) => parseVariable(call, variable));
  // The server's time moves on once for the request, and once for the project.
  call.time();
  const project = addProject(call, body.name);
  try {
    setProjectFields(project, body, call);
    if (body.gitRepository !== undefined) project.link = gitLink(body.gitRepository, project.createdAt);
    const { failed } = createEnvVars(call, project, variables, false);
    if (failed[0] !== undefined) throw failed[0];
  } catch (error) {
    call.account.projects.splice(call.account.projects.indexOf(project), 1);
    throw error;
  }
  const { env, ...answer } = readProject(call, project);
  return call.switches.newProjectShowsEnv ? { ...answer, env } : answer;
}

/** Applies a PATCH to a project. */
function update(call: Call, project: Project, body: z.infer<typeof updateProjectBody>): unknown {
  if (body.name !== undefined) {
    checkProjectName(body.name);
    checkNameFree(call, body.name, project);
    project.name = body.name;
  }
  setProjectFields(project, body, call);
  project.updatedAt = call.time();
  return readProject(call, project);
}

/**
 * Returns a page of the owner's projects, the most recently changed first. `from` in the query is the time of change at which the page
 * continues.
 */
function list(call: Call): unknown {
  const search = call.query.get('search');
  const from = call.query.get('from');
  const before = from === null || from === '' ? Number.POSITIVE_INFINITY : Number(from.replace(/^c_/, ''));
  if (Number.isNaN(before)) throw badRequest('Invalid request: `from` should be a cursor of this list.');
  const { untilInclusive, projectCursorAsString } = call.switches;
  const wanted = call.account.projects
    .filter((project) => project.accountId === call.owner.id)
    .filter((project) => search === null || project.name.includes(search))
    .filter((project) => (untilInclusive ? project.updatedAt <= before : project.updatedAt < before))
    .sort((a, b) => b.updatedAt - a.updatedAt);
  const page = wanted.slice(0, pageLimit(call));
  const last = wanted.length > page.length ? page.at(-1)!.updatedAt : null;
  const next = last !== null && projectCursorAsString ? `c_${last}` : last;
  const pagination = projectCursorAsString
    ? { count: page.length, next }
    : { count: page.length, next, prev: null };
  return { projects: page.map((project) => readProject(call, project)), pagination };
}

const {
  environmentVariables: _env,
  skipGitConnectDuringLink: _skip,
  ...createFields
} = createProjectBody.shape;

const seed = z.strictObject({
  ...createFields,
  ...updateProjectBody.shape,
  ...readOnlyFields,
  ...seedOwned,
  name: z.string(),
});

/** Adds a project of a seed. */
function load(making: Making, seeded: Omit<z.infer<typeof seed>, 'owner'>): Project {
  const { id, name, gitRepository, ...fields } = seeded;
  checkProjectName(name);
  if (making.taken!.hasProject(making.owner.id, name)) throw new Error(`There are two projects "${name}".`);
  const project = addProject(making, name);
  if (id !== undefined) {
    project.id = id;
    for (const domain of project.domains) domain.projectId = id;
  }
  setProjectFields(project, fields, making);
  if (gitRepository !== undefined) project.link = gitLink(gitRepository, project.createdAt);
  return project;
}

/** Projects. A creation takes other fields than a change. */
export const project: Resource = {
  keeps: { account: { projects: [] } },
  operations: {
    getProjects: operation({ query: { search: text, from: text, ...limitQuery }, list: 'projects' }, list),
    createProject: operation(
      { body: createProjectBody, facts: { publicSource: 'PF19', '*': 'PF26' }, statuses: [200, 409] },
      (call, _, body) => create(call, body),
    ),
    getProject: operation({ on: projectToRead }, readProject),
    updateProject: operation(
      {
        on: projectOfPath,
        body: updateProjectBody,
        facts: {
          publicSource: 'PF19',
          gitRepository: 'PF20',
          'resourceConfig.buildMachineType': 'PF22',
          '*': 'PF26',
        },
        statuses: [200, 409],
      },
      update,
    ),
    // The objects of a project are stored in it, so they are deleted with it.
    deleteProject: operation({ on: projectOfPath, statuses: [204] }, (call, project) => {
      call.account.projects.splice(call.account.projects.indexOf(project), 1);
      call.forgetProject(project.id);
    }),
  },
  seed: { account: { projects: seedList(seed, load, 'project') } },
};
