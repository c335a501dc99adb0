import { parseBoundedJson } from '../../src/http/bounded-json.ts';
import type { LimitedCall } from '../../src/http/call-queues.ts';
import { type Client, type ClientOptions, openClient } from '../../src/http/client.ts';
import { type Clock, systemClock } from '../../src/http/clock.ts';
import { createOperationFinder, fillEndpoint, formatQuery } from '../../src/http/endpoint.ts';
import { type Bounds, standardBounds } from '../../src/http/exchange.ts';
import { openPages } from '../../src/http/pages.ts';
import { createLimiter, type Limiter, openReservations } from '../../src/http/reservations.ts';
import { announceOnce, createConfirmation, type RetryOptions, retry } from '../../src/http/retry.ts';
import { checkBaseUrl, checkToken } from '../../src/http/settings.ts';
import type { Connection, ConnectOptions, Owner } from '../../src/kind/provider.ts';
import type { Budget } from '../../src/model/budget.ts';
import { digest } from '../../src/model/digest.ts';
import { createMasking } from '../../src/model/masking.ts';
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
import { billingPlanOf, pacingOf } from './limits/pace.ts';
import { listRules } from './paging.ts';
import { isBeyondProject, projectsEndpoint, readProjects, refuseToken } from './project-token.ts';
import { createOwnerReader } from './read-owner.ts';

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

/** Operations for which the platform first calls an endpoint of the user (fact PF74), and refuses (400) if that does not answer as it must. */
const verifyingEndpoints = ['POST /v1/drains', 'PATCH /v1/drains/{id}'];

/** Returns what a refused operation needs, for the hint of its error; undefined if the status says enough. */
const findHint = (endpoint: Endpoint, status: number): string | undefined =>
  status === 400 && verifyingEndpoints.includes(match(endpoint).name)
    ? 'its endpoint must answer 200 with the header x-vercel-verify: `trueup get endpointCode` prints the value'
    : undefined;

/**
 * Opens a connection to one account. Nothing is sent until the first call, which first reads the account unless its operation takes
 * no team. Throws `Problems` for a base URL, token, proxy or CA setting that cannot work or would show the token to others.
 */
export function connect(options: ConnectOptions, surroundings: Surroundings = {}): Connection {
  const { scope, maxWait, budget, declared, env, masking = createMasking(), onExchange } = options;
  const { clock = systemClock, random, bounds } = surroundings;
  const baseUrl = checkBaseUrl(options.baseUrl);
  const token = checkToken(options.token);
  const onAnswer = passAnswersTo(options.onAnswer);
  const client = openClient({ baseUrl, token, env, bounds, clock, masking, onExchange, onAnswer, findHint });
  const onWait = announceOnce(options.onWait, clock);
  let limits = limitsOfAccount();
  const findOwner = createOwnerReader({
    ...{ scope, origin: baseUrl.origin, declared, masking, read: once },
    onRead: (owner) => {
      limits = limitsOfAccount(owner);
    },
  });
  const owner = async () => (await findOwner()).owner;
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

  /**
   * Returns the query parameter `teamId` for operations of a team's account. Empty if the account is personal, the operation does not take it, or the
   * endpoint already has it. Also empty for a token of one project: the platform knows its team.
   */
  async function scopeOf(name: string, endpoint: string): Promise<Record<string, string>> {
    if (unscoped.some((pattern) => pattern.test(name))) return {};
    const { owner, projectId } = await findOwner();
    const isScoped = owner.type === 'team' && projectId === undefined;
    return isScoped && !/[?&](teamId|slug)=/.test(endpoint) ? { teamId: owner.id } : {};
  }

  /** Reads a list of the account, whole or (`pages`) its first page. */
  async function readList(request: Request, items: NonNullable<Request['items']>): Promise<unknown> {
    const { name, path } = match(request.endpoint);
    const scope = await scopeOf(name, request.endpoint);
    const filled = fillEndpoint(request.endpoint, request.params);
    const pages = await openPages({
      call: { method: filled.method, path: filled.shown.split('?')[0]! },
      ...listRules(name, path),
      items,
      get: (query) => once(request, { ...scope, ...query }),
    });
    return request.pages ? pages : readAllPages(pages);
  }

  return {
    owner,
    async send(unscoped, confirm) {
      const request = isTeamEndpoint(unscoped.endpoint) ? inTeam(unscoped, await owner()) : unscoped;
      const { items } = request;
      const { name } = match(request.endpoint);
      if (isBeyondProject(request)) refuseToken(await findOwner(), request);
      if (items === undefined) return once(request, await scopeOf(name, request.endpoint), confirm);
      const { projectId } = await findOwner();
      const list = () => readList(request, items);
      if (projectId === undefined || name !== projectsEndpoint) return list();
      return readProjects(projectId, { list, readSingle: (single) => once(single, {}) });
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
  const { pace, limitsOf } = pacingOf(owner && billingPlanOf(owner.facts));
  const userBuckets = new Set(pace.limits.flatMap(({ isOfUser, name }) => (isOfUser ? [name] : [])));
  // The database of `--limits` gets no id of the account.
  const account = owner && digest('shared limits', owner.id);
  return {
    pace,
    limitsOf,
    sharedAs: (bucket: string) => (!owner || userBuckets.has(bucket) ? bucket : `${account} ${bucket}`),
  };
}

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
