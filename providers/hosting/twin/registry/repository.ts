import * as z from 'zod';
import type { Project } from '../account.ts';
import { type Making, type Stamped, times } from '../call.ts';
import { Collection, takeOut } from '../collection.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { projectById, projectQuery } from '../find-project.ts';
import { ofQueriedProject } from '../kept.ts';
import { operation, type Resource } from '../resource.ts';

/** Another team that may pull images. */
interface Permission {
  teamId: string;
  teamSlug: string;
  createdAt: number;
}

/** A repository of images; times are in milliseconds, and read as texts. */
export interface RegistryRepository extends Stamped {
  name: string;
  public: boolean;
  permissions: Permission[];
}

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'registryRepositories', RegistryRepository> {}
  interface ProjectSeed extends Seeds<'registryRepositories', typeof seed> {}
}

const grantBody = z.strictObject({ teamId: z.string().optional(), teamSlug: z.string().optional() });
const createBody = z.strictObject({ projectId: z.string(), name: z.string().min(1) });
const seed = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  public: z.boolean().optional(),
  permissions: z.array(grantBody).optional(),
});

/** Returns a time as answers have it: an ISO text. */
const textOf = (timestamp: number) => new Date(timestamp).toISOString();

const repositories = ofQueriedProject('registryRepositories', {
  ...{ what: 'Repository', param: 'idOrName', by: ['id', 'name'], as: 'repository' },
  shows: (_, { id, name, public: isPublic, createdAt, updatedAt }, { id: projectId }) => ({
    ...{ id, name, projectId, public: isPublic },
    ...{ createdAt: textOf(createdAt), updatedAt: textOf(updatedAt) },
  }),
});

/** Returns a permission as answers show it. */
const readPermission = ({ id }: RegistryRepository, { teamId, teamSlug, createdAt }: Permission) => ({
  repositoryId: id,
  teamId,
  teamSlug,
  createdAt: textOf(createdAt),
});

/** Returns a new repository, or throws 409 if its name is taken. */
function make(making: Making, { name }: { name: string }, project: Project): RegistryRepository {
  if (project.registryRepositories.some((registryRepository) => registryRepository.name === name))
    throw conflict(`A repository "${name}" already exists.`);
  return { id: making.id('repo_'), name, public: false, ...times(making), permissions: [] };
}

/** Returns the team in a body. Other teams are not part of the account, so their missing members are derived from the body. */
function teamOf({ account }: Making, { teamId, teamSlug }: z.infer<typeof grantBody>) {
  if ((teamId === undefined) === (teamSlug === undefined))
    throw badRequest('Invalid request: either `teamId` or `teamSlug` is needed.');
  const team = account.teams.find(({ id, slug }) => id === teamId || slug === teamSlug);
  return {
    teamId: teamId ?? team?.id ?? `team_${teamSlug}`,
    teamSlug: teamSlug ?? team?.slug ?? teamId!.replace(/^team_/, ''),
  };
}

/** Gives a team permission for a repository, and returns the permission. A team that has one keeps it. */
function grant(making: Making, repository: RegistryRepository, body: z.infer<typeof grantBody>): Permission {
  const team = teamOf(making, body);
  const old = repository.permissions.find(({ teamId }) => teamId === team.teamId);
  if (old) return old;
  const granted = { ...team, createdAt: making.time() };
  repository.permissions.push(granted);
  return granted;
}

/** Returns the member of an answer with the cursor of the next page, if there is one. */
const nextCursorOf = (next: string | null) => (next === null ? {} : { nextCursor: next });

const permissions = new Collection<Permission, RegistryRepository>(
  {
    what: 'Permission',
    as: 'permission',
    query: projectQuery,
    shows: (_, permission, registryRepository) => readPermission(registryRepository, permission),
  },
  (call) => repositories.named(call).object,
  (_, { permissions }) => permissions,
);

/** Repositories of images, each in a project, and the teams that may pull from them. */
export const registryRepository: Resource = {
  ...repositories.kept(seed, (making, { permissions = [], ...given }, project) => {
    const repository = Object.assign(make(making, given, project), given);
    for (const permission of permissions) grant(making, repository, permission);
    return repository;
  }),
  operations: {
    listRepositories: repositories.pages('repositories', { cursor: 'cursor', extraMembers: nextCursorOf }),
    createRepository: operation({ body: createBody, statuses: [200, 404, 409] }, (call, _, body) => {
      const project = projectById(call, body.projectId);
      return repositories.answer(call, repositories.add(call, make(call, body, project), project), project);
    }),
    getRepository: repositories.read(),
    // The images go later: it is only accepted.
    deleteRepository: repositories.remove({ statuses: [202], answers: 'none' }),
    listRepositoryPermissions: permissions.pages('permissions', {
      cursor: 'cursor',
      extraMembers: nextCursorOf,
    }),
    addRepositoryPermission: operation(
      { on: permissions.home, query: projectQuery, body: grantBody },
      (call, repository, body) => permissions.answer(call, grant(call, repository, body), repository),
    ),
    removeRepositoryPermission: operation(
      { on: permissions.home, query: projectQuery, body: grantBody, statuses: [204] },
      (call, { permissions }, body) => {
        const { teamId } = teamOf(call, body);
        const permission = permissions.find((permission) => permission.teamId === teamId);
        if (permission === undefined) throw notFound('Permission');
        takeOut(permissions, permission);
      },
    ),
    clearRepositoryPermissions: operation(
      { on: permissions.home, query: projectQuery, statuses: [204] },
      (_, repository) => {
        repository.permissions = [];
      },
    ),
  },
  clientOperations: {
    'PATCH /v1/vcr/repository/{idOrName}': repositories.update({
      body: z.strictObject({ public: z.boolean() }),
    }),
  },
};
