/*
 * The owner of an account: the first request of every command. There are three sorts of tokens (the platform's page "Access tokens"):
 *
 * | Token           | The owner is read from                                                                                           |
 * | --------------- | ---------------------------------------------------------------------------------------------------------------- |
 * | full account    | the team that the scope names, or the user                                                                       |
 * | of one team     | the team                                                                                                         |
 * | of one project  | the project: it names its team in `accountId`, and the platform refuses to show the team (403 `team_unauthorized`) |
 *
 * A token that may not read the team is treated like one of a project. According to a few reports it can also be one of a team.
 */

import { HttpError, RateLimited, RequestError } from '../../src/http/errors.ts';
import type { Owner, Scope } from '../../src/kind/provider.ts';
import { type Diagnostic, problem, raise } from '../../src/model/diagnostic.ts';
import { listFew } from '../../src/model/fold-wordings.ts';
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
 * Creates the function to read the owner of an account, because all requests of a connection need the owner's id. It reads the owner once. A failure
 * may pass, so only a success is remembered. The function throws like `readOwner`.
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
  const { scope, origin, read } = source;
  try {
    const owner = ownerOf(await read(ownerRequest(scope), {}), scope, origin);
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
 * Returns the owner of the first project that the token can read; undefined if it can read none. Each request names the team, so that the
 * platform refuses a project of the same name in another team.
 */
async function findByProject(team: string, { declared, read }: OwnerSource): Promise<FoundOwner | undefined> {
  const isId = team.startsWith('team_');
  const query: Record<string, string> = isId ? { teamId: team } : { slug: team };
  const answers = await Promise.all(
    declaredProjects(declared).map((id) =>
      read({ endpoint: projectEndpoint, params: { id } }, query).catch((error) => {
        if (error instanceof HttpError && [403, 404].includes(error.status)) return undefined;
        throw error;
      }),
    ),
  );
  for (const answer of answers) {
    const { id, accountId } = (answer ?? {}) as Json;
    if (typeof id !== 'string' || typeof accountId !== 'string' || (isId && accountId !== team)) continue;
    const owner: Owner = { type: 'team', id: accountId, slug: team, facts: { teamId: accountId } };
    return { owner, projectId: id };
  }
  return undefined;
}

/**
 * Returns the owner with the team that stands in for it: users of version `northstar` have no personal account that can be used. Without a team,
 * their lists are empty, and a plan would create everything again. `SLUG` if the answers name no team.
 */
async function withStandIn(owner: Owner, { read }: OwnerSource): Promise<Owner> {
  const { version, defaultTeamId } = owner.facts;
  if (owner.type === 'team' || version !== 'northstar') return owner;
  if (typeof defaultTeamId !== 'string') return { ...owner, standIn: 'SLUG' };
  const team = (await read(ownerRequest({ team: defaultTeamId }), {}).catch(() => undefined)) as
    | Json
    | undefined;
  const names = [team?.slug, defaultTeamId].filter((name) => typeof name === 'string');
  return { ...owner, standIn: names.find((name) => /^[\w-]+$/.test(name)) ?? 'SLUG' };
}

/**
 * Returns the problem that explains a failed read of the account: a wrong token, a wrong team, a token with another scope, or another error with
 * its HTTP status. The read of the account is the first request, so most users meet these mistakes here.
 */
function ownerProblem(error: RequestError, { scope, origin, declared }: OwnerSource): Diagnostic {
  const { status, invalidToken, scopeHint } = error instanceof HttpError ? error : ({} as Partial<HttpError>);
  const atOrigin = `at ${origin}`;
  if (scopeHint !== undefined) {
    const projects = declaredProjects(declared);
    const isLimited = error.code === 'team_unauthorized';
    const tried = isLimited && projects.length > 0 ? `, nor any of these projects: ${listFew(projects)}` : '';
    const account = 'team' in scope ? `the team ${JSON.stringify(scope.team)}${tried}` : 'a personal account';
    const remedy = 'team' in scope ? scopeHint : 'name its team: `platform: { team: SLUG }` or --team SLUG';
    return problem('auth/scope', `the token cannot read ${account} ${atOrigin} (${error.message})`, {
      hint: isLimited
        ? `${remedy}; a token of one project needs a configuration that declares this project, or \`--target projects/NAME\``
        : remedy,
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
 * or is about another team, because a plan must not be made for the wrong account.
 */
function ownerOf(answer: unknown, scope: Scope, origin: string): Owner {
  const { team } = scope as { team?: string };
  const { id, slug, username, ...facts } = ((team === undefined ? (answer as Json | null)?.user : answer) ??
    {}) as Json;
  const name = team === undefined ? username : slug;
  if (typeof id !== 'string' || typeof name !== 'string')
    raise('auth/answer', `${origin} does not respond like the platform when asked for the account`, {
      hint: 'is the base URL correct?',
    });
  if (team !== undefined && team !== id && team !== slug)
    raise(
      'auth/team',
      `${origin} answered with the team ${name} (${id}) when asked for ${JSON.stringify(team)}`,
      {
        hint: 'check platform.team (the slug or the id)',
      },
    );
  // Some bodies name the team, too.
  return {
    type: team === undefined ? 'personal' : 'team',
    id,
    slug: name,
    facts: { ...facts, ...(team === undefined ? {} : { teamId: id }) },
  };
}
