import type { Project } from '../account.ts';
import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { createEnvBody } from '../env/env-body.ts';
import { createEnvVars } from '../env/env-var.ts';
import { ApiError, badRequest } from '../errors.ts';
import { limitQuery, pageLimit } from '../http/pages.ts';
import { text } from '../http/query.ts';
import type { NoteOutside } from '../outside.ts';
import { parseBody } from '../validate.ts';
import { createProjectBody, updateProjectBody } from './project-body.ts';
import { readProject } from './project-read.ts';
import { forgetProject } from './project-references.ts';
import {
  addProject,
  checkProjectName,
  findProject,
  findProjectToRead,
  gitLink,
  setProjectFields,
} from './project-state.ts';

function checkNameFree(call: Call, name: string, except?: Project): void {
  const taken = call.account.projects.some(
    (project) => project.accountId === call.owner.id && project.name === name && project !== except,
  );
  if (taken) {
    throw new ApiError(409, 'conflict', `Project "${name}" already exists, please use a new name.`);
  }
}

function create(call: Call): unknown {
  const body = parseBody(createProjectBody, call.body, call.outside);
  checkProjectName(body.name);
  checkNameFree(call, body.name);
  // Checked before anything is made: a refused variable must not leave a project behind.
  const variables = (body.environmentVariables ?? []).map((one) => {
    const { target, ...rest } = (one ?? {}) as Record<string, unknown>;
    const asArray = typeof target === 'string' ? [target] : target;
    const { outside } = call;
    const note: NoteOutside = outside && ((member, was) => outside(`environmentVariables[].${member}`, was));
    return parseBody(createEnvBody, { type: 'encrypted', ...rest, target: asArray }, note);
  });
  const project = addProject(call.account, call.owner, body.name, call.time);
  try {
    setProjectFields(project, body, call);
    if (body.gitRepository !== undefined) project.link = gitLink(body.gitRepository, project.createdAt);
    const { failed } = createEnvVars(call, project, variables, false);
    if (failed[0] !== undefined) throw failed[0];
  } catch (error) {
    call.account.projects.splice(call.account.projects.indexOf(project), 1);
    throw error;
  }
  return readProject(call, project);
}

function update(call: Call): unknown {
  const project = findProject(call);
  const body = parseBody(updateProjectBody, call.body, call.outside);
  if (body.name !== undefined) {
    checkProjectName(body.name);
    checkNameFree(call, body.name, project);
    project.name = body.name;
  }
  setProjectFields(project, body, call);
  project.updatedAt = call.time();
  return readProject(call, project);
}

// `from` is a time; the most recently changed projects come first.
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

/** Projects: created with the POST fields only, then changed with the PATCH fields. */
export const projectHandlers: Handlers = {
  getProjects: list,
  createProject: create,
  getProject: (call) => readProject(call, findProjectToRead(call)),
  updateProject: update,
  deleteProject(call) {
    // All that is below a project is kept inside it, and goes with it.
    const project = findProject(call);
    call.account.projects.splice(call.account.projects.indexOf(project), 1);
    forgetProject(call.account, project.id);
    return new Answer(204);
  },
};

/** The schemas of their request bodies. */
export const projectBodies: Bodies = { createProject: createProjectBody, updateProject: updateProjectBody };

/** The query parameters that they read. */
export const projectQueries: Queries = { getProjects: { search: text, from: text, ...limitQuery } };
