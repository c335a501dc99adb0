import type { Project } from '../account.ts';
import type { Call, Handlers, Queries, Query } from '../call.ts';
import { badRequest } from '../errors.ts';
import { cursorPage } from '../http/cursor-page.ts';
import { limitQuery, pageLimit } from '../http/pages.ts';
import { choice, several, text } from '../http/query.ts';
import { queryValues } from '../http/query-values.ts';
import { findProject } from '../projects/project-state.ts';
import { findTeam } from '../team/team.ts';
import { readFlag, readFlagQuery } from './feature-flag.ts';
import type { FeatureFlag } from './flag-state.ts';

const states = ['active', 'archived'] as const;
const kinds = ['boolean', 'string', 'number', 'json'] as const;

// A parameter of several values is repeated, or has them separated by commas.
function oneOf(call: Call, name: string, allowed: readonly string[]): string | null {
  const value = call.query.get(name);
  if (value === null || allowed.includes(value)) return value;
  throw badRequest(
    `Invalid request: \`${name}\` should be equal to one of the allowed values ${allowed.join(', ')}.`,
  );
}

/** The flags that a list's query asks for: the active ones, unless `state` says archived (SDK). */
function wanted(call: Call, projects: readonly Project[]): FeatureFlag[] {
  const state = oneOf(call, 'state', states) ?? 'active';
  const kind = oneOf(call, 'kind', kinds);
  const search = (call.query.get('search') ?? '').toLowerCase();
  const tags = queryValues(call, 'tags');
  const maintainers = queryValues(call, 'maintainerIds');
  const createdBy = call.query.get('createdBy');
  return projects
    .flatMap((project) => project.featureFlags.flags)
    .filter((flag) => flag.state === state && (kind === null || flag.kind === kind))
    .filter((flag) => `${flag.slug}\n${flag.description ?? ''}`.toLowerCase().includes(search))
    .filter((flag) => tags.every((tag) => flag.tags?.includes(tag)))
    .filter((flag) => maintainers.length === 0 || maintainers.some((id) => flag.maintainerIds?.includes(id)))
    .filter((flag) => createdBy === null || flag.createdBy === createdBy);
}

function page(call: Call, flags: readonly FeatureFlag[], size: number): unknown {
  const { page, next } = cursorPage(call, flags, (flag) => flag.createdAt, { param: 'cursor', size });
  return { data: page.map((flag) => readFlag(call, flag)), pagination: { next } };
}

const ofProject = (call: Call) => wanted(call, [findProject(call, call.params.projectIdOrName)]);

function ofTeam(call: Call): FeatureFlag[] {
  const team = findTeam(call);
  return wanted(
    call,
    call.account.projects.filter((project) => project.accountId === team.id),
  );
}

/** Lists of flags. The twin has no flags of marketplace integrations to mix in. */
export const flagListHandlers: Handlers = {
  listFlagsV2: (call) => page(call, ofProject(call), pageLimit(call, 25)),
  // Without a limit the older version lists all (SDK); only the twin's own cap counts.
  listFlags: (call) =>
    page(call, ofProject(call), call.query.get('limit') ? pageLimit(call) : Math.max(1, call.pageSize)),
  listTeamFlagsV2: (call) => page(call, ofTeam(call), pageLimit(call, 25)),
  listTeamFlags: (call) => page(call, ofTeam(call), pageLimit(call)),
};

const query: Query = {
  state: choice(states),
  kind: choice(kinds),
  search: text,
  tags: several,
  maintainerIds: several,
  createdBy: text,
  ...limitQuery,
  cursor: text,
  ...readFlagQuery,
};

/** The query parameters that they read. */
export const flagListQueries: Queries = {
  listFlagsV2: query,
  listFlags: query,
  listTeamFlagsV2: query,
  listTeamFlags: query,
};
