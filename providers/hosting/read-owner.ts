/*
 * The owner of an account: the first request of every command. There are three sorts of tokens (the platform's page "Access tokens"):
 *
 * | Token           | The owner is read from                                                                                           |
 * | --------------- | ---------------------------------------------------------------------------------------------------------------- |
 * | full account    | the team that the scope names, or the user                                                                       |
 * | of one team     | the team                                                                                                         |
 * | of one project  | the project: it names its team in `accountId`, and the platform refuses to show the team (403 `team_unauthorized`) |
 *
 * A token that may not read the team is treated like one of a project. According to a few reports it can also be one of a team. Such a
 * token only works with the id of the team (`team: team_...`), because no answer that it may read shows which slug belongs to an
 * `accountId`.
 */

import { HttpError, RateLimited, RequestError } from '../../src/http/errors.ts';
import type { Owner, Scope } from '../../src/kind/provider.ts';
import { type Diagnostic, problem, raise } from '../../src/model/diagnostic.ts';
import { listFew } from '../../src/model/fold-wordings.ts';
import type { Masking } from '../../src/model/masking.ts';
import type { Request } from '../../src/model/request.ts';
import { lookups } from './lookups.ts';
import { projectEndpoint } from './project-token.ts';

type Json = Record<string, unknown>;

/** Where the owner is read. */
interface OwnerSource {
  scope: Scope;
  /** The origin of the base URL, for messages. */
  origin: string;
  /** Names or ids of the declared objects of a kind. The token may be limited to one of the projects. */
  declared?: ((kind: string) => readonly string[]) | undefined;
  /** The secrets of the connection, which no name from an answer may show. */
  masking: Masking;
  /** Called with the owner when it was read. */
  onRead(owner: Owner): void;
  /** Sends a read, with these query parameters, and returns the body of the answer. */
  read(request: Request, query: Record<string, string>): Promise<unknown>;
}

/** The owner of an account. `projectId`: the project that it was found by, because the token may not read the team. */
export interface FoundOwner {
  owner: Owner;
  projectId?: string;
}

/**
 * Creates the function to read the owner of an account, because all requests of a connection need the owner's id. It reads the owner once.
 * A failure may pass, so only a success is remembered. The function throws like `readOwner`.
 */
export function createOwnerReader(source: OwnerSource): () => Promise<FoundOwner> {
  let reading: Promise<FoundOwner> | undefined;
  const readFirst = async () => {
    try {
      const result = await readOwner(source);
      source.onRead(result.owner);
      return result;
    } catch (error) {
      reading = undefined;
      throw error;
    }
  };
  return () => {
    reading ??= readFirst();
    return reading;
  };
}

/**
 * Reads the owner of the account that the scope names, so that no plan is made for another account. Throws `Problems` that explain a wrong
 * token or team, and `RateLimited`.
 */
async function readOwner(source: OwnerSource): Promise<FoundOwner> {
  const { scope, read } = source;
  try {
    const owner = ownerOf(await read(ownerRequest(scope), {}), source);
    return { owner: await withStandIn(owner, source) };
  } catch (error) {
    if (!(error instanceof RequestError) || error instanceof RateLimited) throw error;
    const isLimited = error.code === 'team_unauthorized' && 'team' in scope;
    const ownerOfProject = isLimited ? await findByProject(scope.team, source) : undefined;
    if (ownerOfProject) return ownerOfProject;
    return raise(ownerProblem(error, source));
  }
}

const ownerRequest = (scope: Scope): Request =>
  'team' in scope ? { endpoint: lookups.team, params: { teamId: scope.team } } : { endpoint: lookups.user };

const declaredProjects = (declared: OwnerSource['declared']) => declared?.('project') ?? [];

/**
 * The number of projects that are asked for at the same time. After a success no others are asked for, because a configuration may have
 * thousands.
 */
const projectsAtOnce = 10;

const isTeamId = (team: string) => team.startsWith('team_');

/**
 * Returns the owner of an account whose token may not read the team itself, because it is limited to one project: the team of the first
 * declared project that the token can read. Undefined if there is no such project, or if the configuration names the team by its slug: the
 * platform may ignore the slug and show a project of the same name in another team.
 */
async function findByProject(team: string, { declared, read }: OwnerSource): Promise<FoundOwner | undefined> {
  const names = isTeamId(team) ? declaredProjects(declared) : [];
  for (let start = 0; start < names.length; start += projectsAtOnce) {
    const answers = await Promise.all(
      names.slice(start, start + projectsAtOnce).map((id) =>
        read({ endpoint: projectEndpoint, params: { id } }, { teamId: team }).catch((error) => {
          if (error instanceof HttpError && [403, 404].includes(error.status)) return undefined;
          throw error;
        }),
      ),
    );
    for (const answer of answers) {
      const { id, accountId } = (answer ?? {}) as Json;
      if (typeof id !== 'string' || accountId !== team) continue;
      return { owner: { type: 'team', id: team, slug: team, facts: { teamId: team } }, projectId: id };
    }
  }
  return undefined;
}

/**
 * Returns the owner with the team that stands in for it: users of version `northstar` have no personal account that can be used. Without a
 * team, their lists are empty, and a plan would create everything again. The team is null if the answers name none in a form that may be
 * shown.
 */
async function withStandIn(owner: Owner, { read, masking }: OwnerSource): Promise<Owner> {
  const { version, defaultTeamId } = owner.facts;
  if (owner.type === 'team' || version !== 'northstar') return owner;
  const teamId = masking.safeSlugIn(defaultTeamId);
  if (teamId === undefined) return { ...owner, standIn: null };
  const team = (await read(ownerRequest({ team: teamId }), {}).catch(() => undefined)) as Json | undefined;
  return { ...owner, standIn: masking.safeSlugIn(team?.slug) ?? teamId };
}

/**
 * Returns the problem that explains a failed read of the account: a wrong token, a wrong team, a token with another scope, or another error
 * with its HTTP status. The read of the account is the first request, so most users meet these mistakes here.
 */
function ownerProblem(error: RequestError, { scope, origin, declared }: OwnerSource): Diagnostic {
  const { status, invalidToken, scopeHint } = error instanceof HttpError ? error : ({} as Partial<HttpError>);
  const atOrigin = `at ${origin}`;
  if (scopeHint !== undefined) {
    const isLimited = error.code === 'team_unauthorized';
    const hasId = 'team' in scope && isTeamId(scope.team);
    const projects = isLimited && hasId ? declaredProjects(declared) : [];
    const tried = projects.length > 0 ? `, nor any of these projects in it: ${listFew(projects)}` : '';
    const needs = hasId
      ? 'a configuration that declares this project, or `--target projects/NAME`'
      : "its team's id, as the team's settings show it: `platform: { team: team_... }` or --team";
    const account = 'team' in scope ? `the team ${JSON.stringify(scope.team)}${tried}` : 'a personal account';
    const remedy = 'team' in scope ? scopeHint : 'name its team: `platform: { team: SLUG }` or --team SLUG';
    return problem('auth/scope', `the token cannot read ${account} ${atOrigin} (${error.message})`, {
      hint: isLimited ? `${remedy}; a token of one project needs ${needs}` : remedy,
    });
  }
  if (status === 401 || invalidToken || (status === 403 && !('team' in scope)))
    return problem('auth/token', `the token is not accepted ${atOrigin} (${error.message})`, {
      hint: 'it is invalid, expired or for another base URL; create a new one',
    });
  if ('team' in scope && (status === 403 || status === 404 || status === 410))
    return problem(
      'auth/team',
      `there is no team ${JSON.stringify(scope.team)} for this token ${atOrigin} (${error.message})`,
      {
        hint: "check platform.team (slug or id), and that the token's user is in the team and the token covers it",
      },
    );
  const code = status === undefined ? error.code : `http/${status}`;
  return problem(code, `cannot read the account ${atOrigin}: ${error.message}`, { hint: error.hint });
}

/**
 * Returns the owner of the account (team or user) from the answer about it. Throws `Problems` if the answer has none
 * or is about another team, because a plan must not be made for the wrong account. A name that may not be shown is replaced.
 */
function ownerOf(answer: unknown, { scope, origin, masking }: OwnerSource): Owner {
  const { team } = scope as { team?: string };
  const { id, slug, username, ...facts } = ((team === undefined ? (answer as Json | null)?.user : answer) ??
    {}) as Json;
  const name = team === undefined ? username : slug;
  if (typeof id !== 'string' || typeof name !== 'string')
    raise('auth/answer', `${origin} does not respond like the platform when asked for the account`, {
      hint: 'is the base URL correct?',
    });
  const shown = masking.safeSlugIn(name) ?? masking.safeSlugIn(id);
  if (team !== undefined && team !== id && team !== slug)
    raise(
      'auth/team',
      `${origin} answered with ${shown === undefined ? 'another team' : `the team ${shown}`} when asked for ${JSON.stringify(team)}`,
      { hint: 'check platform.team (the slug or the id)' },
    );
  // Some bodies name the team, too.
  return {
    type: team === undefined ? 'personal' : 'team',
    id,
    slug: team === name ? team : (shown ?? team ?? 'unknown'),
    facts: { ...facts, ...(team === undefined ? {} : { teamId: id }) },
  };
}
