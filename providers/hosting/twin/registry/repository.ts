import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { projectById, projectOfQuery, projectQuery } from '../find-project.ts';
import { cursorPage, limitQuery, pageLimit } from '../http/pages.ts';
import { text } from '../http/query.ts';
import { operation, type Resource, seedList } from '../resource.ts';

/** Another team that may pull. */
interface Permission {
  teamId: string;
  teamSlug: string;
  createdAt: number;
}

/** A repository of images; times are in milliseconds, and read as texts. */
export interface RegistryRepository {
  id: string;
  name: string;
  public: boolean;
  createdAt: number;
  updatedAt: number;
  permissions: Permission[];
}

declare module '../account.ts' {
  interface ProjectParts {
    registryRepositories: RegistryRepository[];
  }
  interface ProjectSeed {
    registryRepositories?: z.input<typeof seed>[];
  }
}

const grantBody = z.strictObject({ teamId: z.string().optional(), teamSlug: z.string().optional() });
const createBody = z.strictObject({ projectId: z.string(), name: z.string().min(1) });
const seed = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  public: z.boolean().optional(),
  permissions: z.array(grantBody).optional(),
});

const textOf = (at: number) => new Date(at).toISOString();

const readRepository = (
  project: Project,
  { id, name, createdAt, updatedAt, ...one }: RegistryRepository,
) => ({
  id,
  name,
  projectId: project.id,
  public: one.public,
  createdAt: textOf(createdAt),
  updatedAt: textOf(updatedAt),
});

const readPermission = ({ id }: RegistryRepository, { teamId, teamSlug, createdAt }: Permission) => ({
  repositoryId: id,
  teamId,
  teamSlug,
  createdAt: textOf(createdAt),
});

function add(making: Making, project: Project, name: string): RegistryRepository {
  if (project.registryRepositories.some((one) => one.name === name))
    throw conflict(`A repository "${name}" already exists.`);
  const at = making.time();
  const made = { id: making.id('repo_'), name, public: false, createdAt: at, updatedAt: at, permissions: [] };
  project.registryRepositories.push(made);
  return made;
}

/** The repository that the path names, by id or name, in the project of the query. */
function named(call: Call): { project: Project; repository: RegistryRepository } {
  const project = projectOfQuery(call);
  const { idOrName } = call.params;
  const all = project.registryRepositories;
  const repository = all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName);
  if (repository === undefined) throw notFound('Repository');
  return { project, repository };
}

/** The team that a body means; what is not known of it is made up from what is said: other teams are no part of the account. */
function teamOf({ account }: Making, { teamId, teamSlug }: z.infer<typeof grantBody>) {
  if ((teamId === undefined) === (teamSlug === undefined))
    throw badRequest('Invalid request: either `teamId` or `teamSlug` is needed.');
  const known = account.teams.find(({ id, slug }) => id === teamId || slug === teamSlug);
  return {
    teamId: teamId ?? known?.id ?? `team_${teamSlug}`,
    teamSlug: teamSlug ?? known?.slug ?? teamId!.replace(/^team_/, ''),
  };
}

function grant(making: Making, repository: RegistryRepository, body: z.infer<typeof grantBody>): Permission {
  const team = teamOf(making, body);
  const old = repository.permissions.find(({ teamId }) => teamId === team.teamId);
  if (old) return old;
  const made = { ...team, createdAt: making.time() };
  repository.permissions.push(made);
  return made;
}

function page<T extends { createdAt: number }>(call: Call, items: T[]) {
  const found = cursorPage(call, items, (one) => one.createdAt, { param: 'cursor', size: pageLimit(call) });
  return { found: found.page, ...(found.next !== null && { nextCursor: found.next }) };
}
const pageQuery = { ...projectQuery, ...limitQuery, cursor: text };

/** Repositories of images, each in a project, and the teams that may pull from them. */
export const registryRepository: Resource = {
  keeps: { project: { registryRepositories: [] } },
  operations: {
    listRepositories: operation(
      { on: projectOfQuery, query: pageQuery, list: 'repositories' },
      (call, project) => {
        const { found, ...rest } = page(call, project.registryRepositories);
        return { repositories: found.map((one) => readRepository(project, one)), ...rest };
      },
    ),
    createRepository: operation({ body: createBody, statuses: [200, 404, 409] }, (call, _, body) => {
      const project = projectById(call, body.projectId);
      return { repository: readRepository(project, add(call, project, body.name)) };
    }),
    getRepository: operation({ on: named, query: projectQuery }, (_, { project, repository }) => ({
      repository: readRepository(project, repository),
    })),
    // The images go later: it is only accepted.
    deleteRepository: operation(
      { on: named, query: projectQuery, statuses: [202], answers: 'none' },
      (_, { project, repository }) => {
        project.registryRepositories = project.registryRepositories.filter((one) => one !== repository);
      },
    ),
    listRepositoryPermissions: operation(
      { on: named, query: pageQuery, list: 'permissions' },
      (call, { repository }) => {
        const { found, ...rest } = page(call, repository.permissions);
        return { permissions: found.map((one) => readPermission(repository, one)), ...rest };
      },
    ),
    addRepositoryPermission: operation(
      { on: named, query: projectQuery, body: grantBody },
      (call, { repository }, body) => ({
        permission: readPermission(repository, grant(call, repository, body)),
      }),
    ),
    removeRepositoryPermission: operation(
      { on: named, query: projectQuery, body: grantBody, statuses: [204] },
      (call, { repository }, body) => {
        const { teamId } = teamOf(call, body);
        const found = repository.permissions.find((one) => one.teamId === teamId);
        if (found === undefined) throw notFound('Permission');
        repository.permissions = repository.permissions.filter((one) => one !== found);
      },
    ),
    clearRepositoryPermissions: operation(
      { on: named, query: projectQuery, statuses: [204] },
      (_, { repository }) => {
        repository.permissions = [];
      },
    ),
  },
  seed: {
    project: {
      registryRepositories: seedList(
        seed,
        (making, { id, name, permissions = [], ...more }, project: Project) => {
          const made = Object.assign(add(making, project, name), id && { id }, more);
          for (const one of permissions) grant(making, made, one);
        },
      ),
    },
  },
};
