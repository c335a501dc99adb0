import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Account, Seed } from './account.ts';
import { Answer } from './call.ts';
import { ApiError, errorBody } from './errors.ts';
import type { FaultPlan } from './faults/fault-plan.ts';
import { type Faults, type Interference, openFaults } from './faults/faults.ts';
import { checkHost, checkToken, isOtherThanJson, parseJson, readBytes, sendAnswer } from './http/messages.ts';
import { RateLimited } from './http/rate-limits.ts';
import { type DoneFault, type LoggedRequest, loggedPath, shownRequest } from './http/request-log.ts';
import { openApi, openApiPath } from './open-api/document.ts';
import { countOutside, type Outside } from './outside.ts';
import { clientGroup, type Route, route } from './router.ts';
import { addSeed, newAccount } from './seed.ts';
import { operationServer } from './serve-operation.ts';
import { loadAccount, savedIn } from './state-file.ts';
import { defaultSwitches, type Switches } from './switches.ts';
import { findToken } from './team/auth-token-state.ts';
import type { Twin, TwinOptions } from './twin.ts';
import { version } from './version.ts';

// A waiting timer does not keep the process alive.
const wait = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false });

/**
 * Starts a twin: a local HTTP server that behaves like the platform's REST API, with an account of its own. Used by tests, demos and
 * `trueup plan --twin`, which then need no account of the platform.
 */
export async function startTwin(options: TwinOptions = {}): Promise<Twin> {
  const service = new TwinService(options);
  const server = createServer((request, response) => {
    service.serve(request, response).catch((error: Error) => {
      // Only the transport can fail here, for instance a client that went away.
      if (!response.headersSent) response.writeHead(500);
      response.end(error.message);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}`,
    openApiUrl: `http://127.0.0.1:${port}${openApiPath}`,
    account: service.account,
    requests: service.requests,
    clearRequests: () => void service.requests.splice(0),
    outside: service.outside,
    faults: service.doneFaults,
    setFaults: (plan) => service.setFaults(plan),
    add: (seed) => service.add(seed),
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A request as the twin received it. */
interface IncomingCall {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  /** The body if it may be JSON; otherwise empty. */
  text: string;
  /** The body if it says that it is no JSON, such as a file. */
  bytes?: Buffer;
}

/** A request that was carried out or refused, for the log. */
interface CarriedOut {
  route: Route | undefined;
  /** A copy of the parsed body, because handlers may keep parts of a body and change them. */
  loggedBody?: unknown;
  answer: Answer;
  /** The stack of a fault of the twin itself. */
  stack?: string | undefined;
}

/** Answers the requests to one twin, and remembers them. */
class TwinService {
  readonly account: Account;
  readonly requests: LoggedRequest[] = [];
  readonly doneFaults: DoneFault[] = [];
  /** The list of operations and members that clients used and the public schema does not know. */
  readonly outside: Outside[] = [];
  readonly #options: TwinOptions;
  readonly #now: () => number;
  readonly #switches: Switches;
  readonly #handle: ReturnType<typeof operationServer>;
  /** The faults of the present plan, such as a lost answer to the third request. */
  #faults: Faults;
  /** The pages about the twin itself, by path. */
  readonly #ownPages: Record<string, () => unknown>;

  /** Creates the account: the saved one of the state file if that exists, otherwise one with the content of the seed. */
  constructor(options: TwinOptions) {
    const { now = Date.now, seed = {} } = options;
    this.#options = options;
    this.#now = now;
    this.#switches = { ...defaultSwitches, ...options.switches };
    const saved = options.statePath === undefined ? undefined : loadAccount(options.statePath);
    this.account = saved ?? savedIn(seed) ?? newAccount(seed, this.#switches, now);
    this.account.made = Math.max(this.account.made, options.idsAfter ?? 0);
    this.#faults = openFaults(options.faults ?? { faults: [] }, this.account, now);
    this.#handle = operationServer({
      ...{ account: this.account, switches: this.#switches, now, options, outside: this.outside },
      shown: (operation) => this.#faults.shown(operation),
    });
    this.#ownPages = {
      '/__twin/requests': () => this.requests.map(options.logText ? (request) => request : shownRequest),
      '/__twin/faults': () => this.doneFaults,
      '/__twin/outside': () => this.outside,
      [openApiPath]: () => openApi(version),
    };
  }

  /** Replaces the plan of faults. */
  setFaults(plan: FaultPlan): void {
    this.#faults = openFaults(plan, this.account, this.#now);
  }

  /** Adds the content of a seed to the account. */
  add(seed: Seed): void {
    addSeed(this.account, seed, this.#switches, this.#now);
  }

  /**
   * Answers one HTTP request: a page about the twin, or an operation of the platform. A fault of the plan may change what happens, delay
   * the answer, or cut the connection.
   */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { latencyMs, sleep = wait } = this.#options;
    const call = await readCall(request);
    const { method, url, headers } = call;
    if (latencyMs !== undefined) await sleep(latencyMs);
    try {
      checkHost(headers.host);
    } catch (error) {
      return sendAnswer(response, this.#refusal(error, undefined));
    }
    if (method === 'GET' && Object.hasOwn(this.#ownPages, url.pathname))
      return sendAnswer(response, this.#ownAnswer(url.pathname, headers.authorization));
    const fault = this.#faults.next(method, url, call.text);
    const carriedOut = this.#carryOut(call, fault);
    const finished = fault.after(carriedOut.answer);
    const answer = finished instanceof ApiError ? this.#refusal(finished, carriedOut.route) : finished;
    this.#log(call, fault, { ...carriedOut, answer });
    if (fault.delay !== undefined) await sleep(fault.delay);
    sendAnswer(response, answer, fault.delivery);
  }

  /** Finds the operation of a request, checks the token, and lets the operation's handler answer. A refusal is an answer, too. */
  #carryOut({ method, url, headers, text, bytes }: IncomingCall, fault: Interference): CarriedOut {
    const rateHeaders: Record<string, string> = {};
    let matched: Route | undefined;
    let loggedBody: unknown;
    try {
      // Found before the token is checked, so that the log names the operation of refused requests too.
      matched = route(method, url.pathname);
      fault.before(this.#handle);
      const { authorization } = headers;
      const isListed = findToken(this.account, authorization) !== undefined;
      checkToken(authorization, this.#options.token, isListed);
      if (matched === undefined || matched.operation.group === clientGroup) {
        const path = matched?.operation.path ?? loggedPath(url.pathname);
        if (!path.startsWith('/__twin/'))
          countOutside(this.outside, { method, path, was: 'unknown operation' });
        if (matched === undefined) throw new ApiError(404, 'not_found', `There is no ${method} ${path}.`);
      }
      const body = parseJson(text);
      loggedBody = structuredClone(body);
      const result = this.#handle({
        route: matched,
        query: url.searchParams,
        body: fault.body ?? body,
        ...(bytes ? { bytes } : {}),
        headers,
        rateHeaders,
      });
      const answer = new Answer(result.status, result.body, { ...rateHeaders, ...result.headers });
      return { route: matched, loggedBody, answer };
    } catch (error) {
      const stack = error instanceof ApiError ? undefined : (error as Error).stack;
      return { route: matched, loggedBody, answer: this.#refusal(error, matched, rateHeaders), stack };
    }
  }

  /** Remembers a request with its answer and the faults that it met, for the pages about the twin and for tests. */
  #log(
    { method, url }: IncomingCall,
    fault: Interference,
    { route, loggedBody, answer, stack }: CarriedOut,
  ): void {
    const operationId = route?.operation.operationId ?? null;
    const entry = {
      method,
      path: loggedPath(url.pathname + url.search),
      ...(operationId === null ? {} : { operationId }),
    };
    this.doneFaults.push(...fault.done.map((text) => ({ request: fault.request, ...entry, fault: text })));
    this.requests.push({
      ...entry,
      status: fault.delivery === 'none' ? 0 : answer.status,
      ...(loggedBody === undefined ? {} : { body: loggedBody }),
      ...(fault.done.length === 0 ? {} : { fault: fault.done.join('; ') }),
      ...(stack === undefined ? {} : { stack }),
    });
  }

  /**
   * Returns an error as an answer, in the form of the platform's errors. The rule that the request broke is in a header, because the
   * platform's form has no place for it. An error that is no `ApiError` is a fault of the twin. The log has its stack, and the answer has
   * not, because commands show answers to people. `headers`: the rate limit headers, which refusals have as well.
   */
  #refusal(error: unknown, route: Route | undefined, headers: Record<string, string> = {}): Answer {
    const apiError =
      error instanceof ApiError
        ? error
        : new ApiError(500, 'internal_server_error', `A fault of the twin: ${(error as Error).message}`);
    const isRegistrar = route?.operation.group === 'domains-registrar';
    const style = isRegistrar ? 'registrar' : this.#switches.errorBodyUnwrapped ? 'unwrapped' : 'wrapped';
    const limitHeaders = apiError instanceof RateLimited ? apiError.headers : {};
    const allHeaders = { ...headers, ...limitHeaders };
    if (apiError.rule !== undefined) allHeaders['x-twin-rule'] = apiError.rule;
    return new Answer(apiError.status, errorBody(apiError, style), allHeaders);
  }

  /** Returns a page about the twin itself, such as the list of its requests. */
  #ownAnswer(path: string, authorization: string | undefined): Answer {
    try {
      // The document is equal for all twins, and generators of clients fetch it without a token.
      if (path !== openApiPath) checkToken(authorization, this.#options.token);
      return new Answer(200, this.#ownPages[path]!());
    } catch (error) {
      return this.#refusal(error, undefined);
    }
  }
}

/** Reads a request to the twin with its body: as text if it may be JSON, otherwise as bytes. */
async function readCall(request: IncomingMessage): Promise<IncomingCall> {
  const bytes = await readBytes(request);
  const isFile = isOtherThanJson(request.headers['content-type']);
  return {
    method: request.method ?? 'GET',
    url: new URL(request.url ?? '/', 'http://twin'),
    headers: request.headers,
    text: isFile ? '' : bytes.toString('utf8'),
    ...(isFile ? { bytes } : {}),
  };
}
