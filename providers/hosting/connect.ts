import { parseBoundedJson } from '../../src/http/bounded-json.ts';
import { type Client, type ClientOptions, openClient } from '../../src/http/client.ts';
import { type Clock, systemClock } from '../../src/http/clock.ts';
import { callNameOf, fillEndpoint, formatQuery } from '../../src/http/endpoint.ts';
import { type Bounds, standardBounds } from '../../src/http/exchange.ts';
import type { ParsedError } from '../../src/http/faults.ts';
import { openPages } from '../../src/http/pages.ts';
import { createLimiter, type Limiter, openReservations } from '../../src/http/reservations.ts';
import { announceOnce, createConfirmation, type RetryOptions, retry } from '../../src/http/retry.ts';
import { checkBaseUrl, checkToken } from '../../src/http/settings.ts';
import type { AccountEvent, Connection, ConnectOptions, Owner } from '../../src/kind/provider.ts';
import { createMasking } from '../../src/model/masking.ts';
import {
  type ApiAnswer,
  type ApiCall,
  type Dispatch,
  type Endpoint,
  isTeamEndpoint,
  type Request,
  readAllPages,
} from '../../src/model/request.ts';
import { limitedCallOf, limitsOfAccount, match, shareLimits } from './connection-limits.ts';
import { eventsIn } from './events.ts';
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

/**
 * Operations for which the platform first calls an endpoint of the user (fact PF74), and refuses (400) if that does not answer as it must.
 */
const verifyingEndpoints = ['POST /v1/drains', 'PATCH /v1/drains/{id}'];

/** What to do about refusals with these codes. The domain codes are fact PF38. */
const hintsByCode: ReadonlyMap<string | undefined, string> = new Map([
  [
    'domain_already_in_use',
    'another project, of this account or of another one, has this domain: remove it there first, then apply again',
  ],
  ['domain_already_in_use_by_project', 'this project has this domain by now: plan again'],
]);

/**
 * Returns what a refused operation needs, for the hint of its error; undefined if the answer says enough, as one about a member of the body
 * does.
 */
const findHint = (
  endpoint: Endpoint,
  status: number,
  { code, message = '' }: ParsedError,
): string | undefined =>
  status === 400 &&
  verifyingEndpoints.includes(match(endpoint).name) &&
  !message.startsWith('Invalid request')
    ? 'its endpoint must answer 200 with the header x-vercel-verify: `trueup get endpointCode` prints the value'
    : hintsByCode.get(code);

/**
 * Opens a connection to one account. Nothing is sent until the first call, which first reads the account unless its operation takes
 * no team. Throws `Problems` for a base URL, token, proxy or CA setting that cannot work or would show the token to others.
 */
export function connect(options: ConnectOptions, surroundings: Surroundings = {}): Connection {
  const account = new AccountConnection(options, surroundings);
  return {
    owner: () => account.owner(),
    send: (request, confirm, dispatch) => account.send(request, confirm, dispatch),
    events: (since) => account.events(since),
    call: (call) => account.call(call),
    reserve: (name, endpoints) => account.reserve(name, endpoints),
    release: (name) => account.release(name),
    ...shareLimits(options.budget, () => account.limits),
    close: () => account.close(),
  };
}

/** The calls of one run to one account: within its rate limits, with the team in each request, and repeated where that is safe. */
class AccountConnection {
  /** The documented rate limits of the account: the lowest until its owner was read. */
  limits = limitsOfAccount();
  readonly #clock: Clock;
  readonly #retryOptions: RetryOptions;
  readonly #client: Client;
  readonly #limiter: Limiter;
  readonly #reservations: ReturnType<typeof openReservations>;
  readonly #findOwner: ReturnType<typeof createOwnerReader>;

  /** Checks the settings and opens the client. Nothing is sent yet. See `connect`. */
  constructor(options: ConnectOptions, { clock = systemClock, random, bounds }: Surroundings) {
    const { scope, maxWait, budget, declared, env, masking = createMasking(), onExchange } = options;
    const baseUrl = checkBaseUrl(options.baseUrl);
    const token = checkToken(options.token);
    const onAnswer = passAnswersTo(options.onAnswer);
    const onWait = announceOnce(options.onWait, clock);
    this.#clock = clock;
    this.#retryOptions = { clock, random, maxWait, onWait };
    this.#client = openClient({
      baseUrl,
      token,
      env,
      bounds,
      clock,
      masking,
      onExchange,
      onAnswer,
      findHint,
    });
    this.#findOwner = createOwnerReader({
      scope,
      origin: baseUrl.origin,
      declared,
      masking,
      read: (request, query) => this.#sendWithRetry(request, query),
      onRead: (owner) => {
        this.limits = limitsOfAccount(owner);
      },
    });
    this.#limiter = createLimiter({
      concurrency: bounds?.connections,
      clock,
      maxWait,
      onWait,
      budget: budget && { share: (bucket, needs) => budget.share(this.limits.sharedAs(bucket), needs) },
    });
    this.#reservations = openReservations(this.#limiter);
  }

  /** Reads the owner of the account (a team or a user), once. See `Connection.owner`. */
  async owner(): Promise<Owner> {
    return (await this.#findOwner()).owner;
  }

  /**
   * Sends a request of a plan or an apply, with the team that owns the account, and returns the body of the answer; for a list, all items
   * or its first page. A token of one project gets an error for reads beyond that project, without sending them. `confirm` and `dispatch`:
   * see `#sendWithRetry`.
   */
  async send(
    requestWithoutTeam: Request,
    confirm?: () => Promise<void>,
    dispatch?: Dispatch,
  ): Promise<unknown> {
    if (requestWithoutTeam.items === undefined) dispatch?.onInFlight(false);
    const request = isTeamEndpoint(requestWithoutTeam.endpoint)
      ? withTeamInPath(requestWithoutTeam, await this.owner())
      : requestWithoutTeam;
    const { items } = request;
    const { name } = match(request.endpoint);
    if (isBeyondProject(request)) refuseToken(await this.#findOwner(), request);
    if (items === undefined)
      return this.#sendWithRetry(request, await this.#scopeOf(name, request.endpoint), { confirm, dispatch });
    const { projectId } = await this.#findOwner();
    const list = () => this.#readList(request, items);
    if (projectId === undefined || name !== projectsEndpoint) return list();
    return readProjects(projectId, { list, readSingle: (single) => this.#sendWithRetry(single, {}) });
  }

  /** Reads the account's events since a time in milliseconds, to name the authors of changes made outside. */
  async events(since: number): Promise<AccountEvent[]> {
    const query = { limit: '100', since: new Date(since).toISOString(), withPayload: 'true' };
    const scope = await this.#scopeOf('GET /v3/events', 'GET /v3/events');
    return eventsIn(await this.#sendWithRetry({ endpoint: 'GET /v3/events' }, { ...scope, ...query }));
  }

  /**
   * Makes a call that a user wrote for `trueup api`, or that an action needs. Repeats it like other requests, but only while `open` can
   * provide its body again: a stream has only one use, so then the error of the first attempt is thrown.
   */
  async call({ method, path, params, query, headers, open, secrets = [] }: ApiCall): Promise<ApiAnswer> {
    const name = `${method} ${path}`;
    const search = formatQuery(query);
    const endpoint = `${name}${search && `?${search}`}` as Endpoint;
    const filled = fillEndpoint(endpoint, params, await this.#scopeOf(name, endpoint));
    const limitedCall = { ...callNameOf(filled), documented: this.limits.limitsOf(name) };
    let lastError: unknown;
    const sendAttempt = async (attempt: number) => {
      const body = open?.();
      if (open && body === undefined) throw lastError;
      return this.#client.open(filled, { headers, secrets, body }, attempt).catch((error: unknown) => {
        lastError = error;
        throw error;
      });
    };
    return retry(
      method === 'HEAD' ? 'GET' : method,
      (attempt) => this.#limiter.run(name, limitedCall, () => sendAttempt(attempt)),
      { ...this.#retryOptions, bucket: name },
    );
  }

  /** Reserves room in the rate limits for calls that must follow each other without a stop, under a name. */
  reserve(name: string, endpoints: readonly Endpoint[]): Promise<void> {
    return this.#reservations.reserve(
      name,
      endpoints.map((endpoint) => limitedCallOf(endpoint, this.limits)),
    );
  }

  /** Releases the reservations of a name that were not used. */
  release(name: string): void {
    this.#reservations.release(name);
  }

  /** Closes the connections to the platform. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /**
   * Sends one request with these query parameters when the rate limits allow it, repeats it where that is safe, and returns the body of the
   * answer. `confirm`: called if a write had to wait long; it checks again that the write may be sent, and throws if not. `dispatch`: ends
   * the wait of a request that is not in flight.
   */
  async #sendWithRetry(
    request: Request,
    query: Record<string, string>,
    { confirm, dispatch }: { confirm?: () => Promise<void>; dispatch?: Dispatch } = {},
  ): Promise<unknown> {
    const signal = dispatch?.signal;
    const filled = fillEndpoint(request.endpoint, request.params, query);
    const { name } = match(request.endpoint);
    const call = { ...callNameOf(filled), documented: this.limits.limitsOf(name, request.body), signal };
    const reservation =
      request.reserved === undefined ? undefined : this.#reservations.take(request.reserved, name);
    const confirmFirst = createConfirmation(confirm, this.#clock);
    const sendAttempt = (attempt: number) =>
      confirmFirst((beforeSending) => {
        const send = async () => {
          beforeSending();
          signal?.throwIfAborted();
          dispatch?.onInFlight(true);
          return this.#client.call(filled, request.body, attempt).catch((error: unknown) => {
            const { mayBeCarriedOut } = error as { mayBeCarriedOut?: boolean };
            if (mayBeCarriedOut === false) dispatch?.onInFlight(false);
            throw error;
          });
        };
        return this.#limiter.run(name, call, send, reservation);
      });
    const answer = await retry(filled.method, sendAttempt, {
      ...this.#retryOptions,
      bucket: name,
      late: request.late,
      signal,
    }).finally(() => reservation?.release());
    return request.etag ? { ...(answer.body as Json), etag: answer.etag } : answer.body;
  }

  /**
   * Returns the query parameter `teamId` for operations of a team's account. Empty if the account is personal, the operation does not take
   * it, or the endpoint already has it. Also empty for a token of one project: the platform knows its team.
   */
  async #scopeOf(name: string, endpoint: string): Promise<Record<string, string>> {
    if (unscoped.some((pattern) => pattern.test(name))) return {};
    const { owner, projectId } = await this.#findOwner();
    const isScoped = owner.type === 'team' && projectId === undefined;
    return isScoped && !/[?&](teamId|slug)=/.test(endpoint) ? { teamId: owner.id } : {};
  }

  /** Reads a list of the account: all pages, or only the first if the request has `pages`. */
  async #readList(request: Request, items: NonNullable<Request['items']>): Promise<unknown> {
    const { name, path } = match(request.endpoint);
    const scope = await this.#scopeOf(name, request.endpoint);
    const pages = await openPages({
      call: callNameOf(fillEndpoint(request.endpoint, request.params)),
      ...listRules(name, path),
      items,
      get: (query) => this.#sendWithRetry(request, { ...scope, ...query }),
    });
    return request.pages ? pages : readAllPages(pages);
  }
}

/**
 * Returns the function which a client calls with each answer, to check what trueup assumes about the platform (`trueup doctor`). It passes
 * the answer on with the name of its operation and the parsed body. Undefined without `onAnswer`.
 */
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
      operation,
      status,
      query: Object.fromEntries(new URLSearchParams(query)),
      headers: Object.fromEntries(texts),
      body: typeof body === 'string' ? undefined : body.json,
    });
  });

/**
 * Returns a request with the id of the team that owns the account in its path. Throws an error for a personal account, because the object
 * needs a team. The error has the status of a refusal (403), so that a plan treats it like one.
 */
function withTeamInPath({ params, ...request }: Request, { type, id }: Owner): Request {
  if (type === 'team') return { ...request, params: { teamId: id, ...params } };
  throw Object.assign(
    new Error(
      'it belongs to a team, but this is a personal account; name the team in `platform: { team: ... }`',
    ),
    { status: 403 },
  );
}
