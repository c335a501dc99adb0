import type { Project } from '../account.ts';
import type { Call, Query } from '../call.ts';
import { cursorList, onlyNext } from '../cursor-list.ts';
import { badRequest } from '../errors.ts';
import { projectOfPath, projectsOf } from '../find-project.ts';
import { pageLimit } from '../http/pages.ts';
import { boolean, choice, queryValues, several, text } from '../http/query.ts';
import type { Resource } from '../resource.ts';
import { findTeam } from '../team/team.ts';
import { creatorMetadata, type FeatureFlag } from './flag-state.ts';

/** The query parameters of `readFlag`. */
export const readFlagQuery: Query = { withMetadata: boolean };

/** Returns a flag as answers show it. */
export function readFlag(call: Call, flag: FeatureFlag): Record<string, unknown> {
  const metadata = call.query.get('withMetadata') === 'true' && creatorMetadata(call.account, flag.createdBy);
  return { ...flag, typeName: 'flag', ...metadata };
}

const states = ['active', 'archived'] as const;
const kinds = ['boolean', 'string', 'number', 'json'] as const;

/** Returns a query parameter with one of these values; null if it is absent. Throws 400 for another value. */
function oneOf(call: Call, name: string, allowed: readonly string[]): string | null {
  const value = call.query.get(name);
  if (value === null || allowed.includes(value)) return value;
  throw badRequest(
    `Invalid request: \`${name}\` should be equal to one of the allowed values ${allowed.join(', ')}.`,
  );
}

/** Returns the flags that a list's query asks for: the active ones, unless `state` says archived (SDK). */
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

const ofProject = (call: Call) => wanted(call, [projectOfPath(call)]);
const ofTeam = (call: Call) => wanted(call, projectsOf(call.account, findTeam(call).id));

const query: Query = {
  state: choice(states),
  kind: choice(kinds),
  search: text,
  tags: several,
  maintainerIds: several,
  createdBy: text,
  ...readFlagQuery,
};

const list = (flags: (call: Call) => FeatureFlag[], size: (call: Call) => number) =>
  cursorList('data', { cursor: 'cursor', query, size, row: readFlag, extraMembers: onlyNext }, flags);

/** Lists of flags. The twin has no flags of marketplace integrations to mix in. */
export const flagLists: Resource = {
  operations: {
    listFlagsV2: list(ofProject, (call) => pageLimit(call, 25)),
    // Without a limit the older version lists all (SDK); only the twin's own cap counts.
    listFlags: list(ofProject, (call) =>
      call.query.get('limit') ? pageLimit(call) : Math.max(1, call.pageSize),
    ),
    listTeamFlagsV2: list(ofTeam, (call) => pageLimit(call, 25)),
    listTeamFlags: list(ofTeam, (call) => pageLimit(call)),
  },
};
