import type { LimitedCall } from '../../src/http/call-queues.ts';
import { type Client, type ClientOptions, openClient } from '../../src/http/client.ts';
import { type Clock, systemClock } from '../../src/http/clock.ts';
import { createOperationFinder, fillEndpoint, formatQuery } from '../../src/http/endpoint.ts';
import { HttpError, RateLimited, RequestError } from '../../src/http/errors.ts';
import { type Bounds, parseBoundedJson, standardBounds } from '../../src/http/exchange.ts';
import { createLimiter, type Limiter } from '../../src/http/limiter.ts';
import { openPages } from '../../src/http/pages.ts';
import { openReservations } from '../../src/http/reservations.ts';
import { announceOnce, createConfirmation, type RetryOptions, retry } from '../../src/http/retry.ts';
import { checkBaseUrl, checkToken } from '../../src/http/settings.ts';
import type { Connection, ConnectOptions, Owner, Scope } from '../../src/kind/provider.ts';
import type { Budget } from '../../src/model/budget.ts';
import { type Diagnostic, problem, raise } from '../../src/model/diagnostic.ts';
import {
  type ApiAnswer,
  type ApiCall,
  type Endpoint,
  isTeamEndpoint,
  type Method,
  type Request,
  readAllPages,
} from '../../src/model/request.ts';
import { catalog } from './catalog.ts';
import { eventsIn } from './events.ts';
import { extraOperations } from './extra-operations.ts';
import { billingPlanOf, createLimitFinder, paceOf } from './limits/pace.ts';
import { lookups } from './lookups.ts';
import { listRules } from './paging.ts';

type Json = Record<string, unknown>;

/** Test seams: the clock, the random numbers and the bounds that a test replaces. Absent members get their defaults. */
export interface Surroundings {
  clock?: Clock;
  random?: () => number;
  bounds?: Partial<Bounds>;
}

// Operations that take no teamId: they are about the user, name the team in the path or belong to an integration's own token.
const unscoped = [
  /^\S+ \/v\d+\/user$/,
  /^(GET|DELETE) \/v\d+\/user\/tokens/,
  /^\S+ \/v\d+\/teams(\/|$)/,
  /^\S+ \/v\d+\/installations\//,
  /^\S+ \/v\d+\/integrations\/(sso\/token|git-namespaces)$/,
  /^PATCH \/v\d+\/deployments\/[^/]+\/integrations\//,
  /^\S+ \/v2\/(\{teamSlug\}\/.*)?$/,
];

const match = createOperationFinder([...catalog, ...extraOperations]);

/**
 * Returns the problem that explains a failed read of the account: a wrong token, a wrong team, or another error with
 * its HTTP status. The read of the account is the first request, so most users meet these mistakes here.
 */
function ownerProblem(error: RequestError, scope: Scope, origin: string): Diagnostic {
  const status = error instanceof HttpError ? error.status : undefined;
  const isInvalid = error instanceof HttpError && error.invalidToken;
  const atOrigin = `at ${origin}`;
  if (status === 401 || isInvalid || (status === 403 && !('team' in scope)))
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

/**
 * Opens a connection to one account. Nothing is sent until the first call, which first reads the account. Throws `Problems`
 * for a base URL, token, proxy or CA setting that cannot work or would show the token to others.
 */
export function connect(options: ConnectOptions, surroundings: Surroundings = {}): Connection {
  const { scope, maxWait, budget, env, masking, onExchange } = options;
  const { clock = systemClock, random, bounds } = surroundings;
  const baseUrl = checkBaseUrl(options.baseUrl);
  const token = checkToken(options.token);
  const onAnswer = passAnswersTo(options.onAnswer);
  const client: Client = openClient({ baseUrl, token, env, bounds, clock, masking, onExchange, onAnswer });
  const onWait = announceOnce(options.onWait, clock);
  let limits = limitsOfAccount();
  const limiter = createLimiter({
    ...{ concurrency: bounds?.connections, clock, maxWait, onWait },
    budget: budget && { share: (bucket, needs) => budget.share(limits.sharedAs(bucket), needs) },
  });
  const reservations = openReservations(limiter);

  /**
   * Sends one request, waits for rate limits and repeats it where that is safe. Returns the body. `confirm` checks
   * again that a write may be sent, if it had to wait.
   */
  async function once(
    request: Request,
    query: Record<string, string>,
    confirm?: () => Promise<void>,
  ): Promise<unknown> {
    const filled = fillEndpoint(request.endpoint, request.params, query);
    const { name } = match(request.endpoint);
    const documented = limits.limitsOf(name, request.body);
    const call = { method: filled.method, path: filled.shown.split('?')[0]!, documented };
    const reservation =
      request.reserved === undefined ? undefined : reservations.take(request.reserved, name);
    const inTime = createConfirmation(confirm, clock);
    const answer = await retry(
      filled.method,
      (attempt) =>
        inTime((before) => {
          const send = async () => {
            before();
            return client.call(filled, request.body, attempt);
          };
          return limiter.run(name, call, send, reservation);
        }),
      { clock, random, maxWait, onWait, bucket: name, late: request.late },
    ).finally(() => reservation?.release());
    return request.etag ? { ...(answer.body as Json), etag: answer.etag } : answer.body;
  }

  /** Reads the owner of the account. Throws `Problems` that explain a wrong token or team. */
  async function readOwner(): Promise<Owner> {
    try {
      const read = ownerOf(await once(ownerRequest(scope), {}), scope, baseUrl.origin);
      limits = limitsOfAccount(read);
      return read;
    } catch (error) {
      if (!(error instanceof RequestError) || error instanceof RateLimited) throw error;
      raise(ownerProblem(error, scope, baseUrl.origin));
    }
  }

  /**
   * Returns the query parameter `teamId` for operations of a team's account. Empty if the account is personal, the
   * operation does not take it, or the endpoint already has it.
   */
  async function scopeOf(name: string, endpoint: string): Promise<Record<string, string>> {
    if (unscoped.some((pattern) => pattern.test(name))) return {};
    const account = await owner();
    return account.type === 'team' && !/[?&](teamId|slug)=/.test(endpoint) ? { teamId: account.id } : {};
  }

  let ownerRead: Promise<Owner> | undefined;
  function owner(): Promise<Owner> {
    ownerRead ??= readOwner().catch((error) => {
      // A failure may pass; only a success is remembered.
      ownerRead = undefined;
      throw error;
    });
    return ownerRead;
  }

  return {
    owner,
    async send(unscoped, confirm) {
      const request = isTeamEndpoint(unscoped.endpoint) ? inTeam(unscoped, await owner()) : unscoped;
      const { name, path } = match(request.endpoint);
      const scope = await scopeOf(name, request.endpoint);
      if (request.items === undefined) return once(request, scope, confirm);
      const filled = fillEndpoint(request.endpoint, request.params);
      const pages = await openPages({
        call: { method: filled.method, path: filled.shown.split('?')[0]! },
        ...listRules(name, path),
        items: request.items,
        get: (query) => once(request, { ...scope, ...query }),
      });
      return request.pages ? pages : readAllPages(pages);
    },
    async events(since) {
      const asked = { limit: '100', since: new Date(since).toISOString(), withPayload: 'true' };
      const scope = await scopeOf('GET /v3/events', 'GET /v3/events');
      return eventsIn(await once({ endpoint: 'GET /v3/events' }, { ...scope, ...asked }));
    },
    call: (call) =>
      answered(call, {
        ...{ scopeOf, limiter, client, retrying: { clock, random, maxWait, onWait } },
        limitsOf: (name) => limits.limitsOf(name),
      }),
    reserve: (name, endpoints) => {
      const calls = endpoints.map((endpoint) => calledAt(endpoint, limits));
      return reservations.reserve(name, calls);
    },
    release: reservations.release,
    ...sharing(budget, () => limits),
    close: () => client.close(),
  };
}

/** Returns the observer of a client's answers that passes them on with the operation of the catalog and the parsed body. */
const passAnswersTo = (onAnswer: ConnectOptions['onAnswer']): ClientOptions['onAnswer'] =>
  onAnswer &&
  (({ method, path }, { status, headers, text }) => {
    const [pathname, query] = path.split('?') as [string, string?];
    const { name: operation } = match(`${method} ${pathname}` as Endpoint);
    const texts = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    );
    const body = parseBoundedJson(text, standardBounds.maxDepth);
    onAnswer({
      ...{ operation, status, query: Object.fromEntries(new URLSearchParams(query)) },
      headers: Object.fromEntries(texts),
      body: typeof body === 'string' ? undefined : body.json,
    });
  });

/** A call of an endpoint as limiters know it. */
function calledAt(endpoint: Endpoint, { limitsOf }: AccountLimits) {
  const { name: operation, path } = match(endpoint);
  const call = { method: operation.split(' ')[0] as Method, path, documented: limitsOf(operation) };
  return { operation, call };
}

type AccountLimits = ReturnType<typeof limitsOfAccount>;

/**
 * Returns the documented rate limits of an account, for pacing and for the forecast of plans. `sharedAs`: the name under which runs with `--limits`
 * share a bucket; the platform counts some for each user, the others for each account. Without an owner (it is not read yet) the lowest limits.
 */
function limitsOfAccount(owner?: Owner) {
  const pace = paceOf(owner && billingPlanOf(owner.facts));
  const userBuckets = new Set(pace.limits.flatMap(({ isOfUser, name }) => (isOfUser ? [name] : [])));
  return {
    pace,
    limitsOf: createLimitFinder(pace),
    sharedAs: (bucket: string) => (!owner || userBuckets.has(bucket) ? bucket : `${owner.id} ${bucket}`),
  };
}

const ownerRequest = (scope: Scope): Request =>
  'team' in scope ? { endpoint: lookups.team, params: { teamId: scope.team } } : { endpoint: lookups.user };

/**
 * Returns the methods of a connection that share rate limits with other runs of the same token. `announce` tells
 * them the planned requests, `paceNow` adds the current state of each limit. Without a `budget` nothing is shared.
 */
function sharing(
  budget: Budget | undefined,
  currentLimits: () => AccountLimits,
): Pick<Connection, 'announce' | 'paceNow'> {
  return {
    announce(endpoints) {
      if (!budget) return;
      const { limitsOf, sharedAs } = currentLimits();
      const counts = new Map<string, number>();
      for (const endpoint of endpoints) {
        const { name } = match(endpoint);
        // Runs share only the first bucket of an operation, like the limiter.
        const bucket = sharedAs(limitsOf(name)[0]?.name ?? name);
        counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
      }
      budget.announce(counts);
    },
    async paceNow() {
      const { pace, sharedAs } = currentLimits();
      if (!budget) return pace;
      const states = await budget.states(pace.limits.map(({ name }) => sharedAs(name)));
      return {
        ...pace,
        limits: pace.limits.map((limit) => ({ ...limit, now: states.get(sharedAs(limit.name)) })),
      };
    },
  };
}

/**
 * Returns a request with the team in its path. For a personal account it throws an error like a refusal of the
 * platform (403), because the object needs a team.
 */
function inTeam({ params, ...request }: Request, { type, id }: Owner): Request {
  if (type === 'team') return { ...request, params: { teamId: id, ...params } };
  throw Object.assign(
    new Error(
      'it belongs to a team, but this is a personal account; name the team in `platform: { team: ... }`',
    ),
    { status: 403 },
  );
}

interface Calling {
  client: Client;
  limiter: Limiter;
  retrying: RetryOptions;
  limitsOf(name: string): LimitedCall['documented'];
  scopeOf(name: string, endpoint: string): Promise<Record<string, string>>;
}

/**
 * Makes a call that a user wrote for `trueup api`. Repeats it like other requests, but only while `open` can provide
 * its body again: a stream has only one use.
 */
async function answered(
  { method, path, params, query, headers, open, secrets = [] }: ApiCall,
  { client, limiter, retrying, limitsOf, scopeOf }: Calling,
): Promise<ApiAnswer> {
  const name = `${method} ${path}`;
  const search = formatQuery(query);
  const endpoint = `${name}${search && `?${search}`}` as Endpoint;
  const filled = fillEndpoint(endpoint, params, await scopeOf(name, endpoint));
  const call = { method: filled.method, path: filled.shown.split('?')[0]!, documented: limitsOf(name) };
  let last: unknown;
  const once = async (attempt: number) => {
    const body = open?.();
    if (open && body === undefined) throw last;
    const sent = { headers, secrets, body };
    return client.open(filled, sent, attempt).catch((error) => {
      last = error;
      throw error;
    });
  };
  return retry(
    method === 'HEAD' ? 'GET' : method,
    (attempt) => limiter.run(name, call, () => once(attempt)),
    { ...retrying, bucket: name },
  );
}
