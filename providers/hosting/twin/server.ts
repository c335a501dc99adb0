import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Answer } from './call.ts';
import { ApiError, errorBody } from './errors.ts';
import { type Faults, openFaults } from './faults/faults.ts';
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

// A timer alone does not keep the process.
const wait = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false });

/** Starts a local server that behaves like the platform's REST API (the twin), for tests, demos and `trueup plan --twin`. */
export async function startTwin(options: TwinOptions = {}): Promise<Twin> {
  const { now = Date.now, sleep = wait } = options;
  const switches: Switches = { ...defaultSwitches, ...options.switches };
  const saved = options.statePath === undefined ? undefined : loadAccount(options.statePath);
  const { seed = {} } = options;
  const account = saved ?? savedIn(seed) ?? newAccount(seed, switches, now);
  const requests: LoggedRequest[] = [];
  const done: DoneFault[] = [];
  const outside: Outside[] = [];
  let faults: Faults = openFaults(options.faults ?? { faults: [] }, account, now);
  const shown = (operation: string) => faults.shown(operation);
  const handle = operationServer({ account, switches, now, options, outside, shown });

  function refusal(error: unknown, route: Route | undefined, headers: Record<string, string>): Answer {
    const apiError =
      error instanceof ApiError
        ? error
        : new ApiError(500, 'internal_server_error', `A fault of the twin: ${(error as Error).stack}`);
    const registrar = route?.operation.group === 'domains-registrar';
    const style = registrar ? 'registrar' : switches.errorBodyUnwrapped ? 'unwrapped' : 'wrapped';
    const more = apiError instanceof RateLimited ? apiError.headers : {};
    return new Answer(apiError.status, errorBody(apiError, style), { ...headers, ...more });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET';
    const url = new URL(request.url ?? '/', 'http://twin');
    const bytes = await readBytes(request);
    const isFile = isOtherThanJson(request.headers['content-type']);
    const text = isFile ? '' : bytes.toString('utf8');
    if (options.latencyMs !== undefined) await sleep(options.latencyMs);
    try {
      checkHost(request.headers.host);
    } catch (error) {
      return sendAnswer(response, refusal(error, undefined, {}));
    }
    if (method === 'GET' && Object.hasOwn(ownPages, url.pathname))
      return sendAnswer(response, ownAnswer(url.pathname, request.headers.authorization));
    const fault = faults.next(method, url, text);
    const headers: Record<string, string> = {};
    let matched: Route | undefined;
    let body: unknown;
    let logged: unknown;
    let answer: Answer;
    try {
      // Found before the token is checked, so that the log names the operation of refused requests too.
      matched = route(method, url.pathname);
      fault.before(handle);
      const { authorization } = request.headers;
      checkToken(authorization, options.token, findToken(account, authorization) !== undefined);
      if (matched === undefined || matched.operation.group === clientGroup) {
        const path = matched?.operation.path ?? loggedPath(url.pathname);
        if (!path.startsWith('/__twin/')) countOutside(outside, { method, path, was: 'unknown operation' });
        if (matched === undefined) throw new ApiError(404, 'not_found', `There is no ${method} ${path}.`);
      }
      body = parseJson(text);
      // Handlers may keep parts of a body, and change them.
      logged = structuredClone(body);
      const result = handle({
        route: matched,
        query: url.searchParams,
        body: fault.body ?? body,
        ...(isFile ? { bytes } : {}),
        headers: request.headers,
        rateHeaders: headers,
      });
      answer = new Answer(result.status, result.body, { ...headers, ...result.headers });
    } catch (error) {
      answer = refusal(error, matched, headers);
    }
    const finished = fault.after(answer);
    answer = finished instanceof ApiError ? refusal(finished, matched, {}) : finished;
    const operationId = matched?.operation.operationId ?? null;
    const requestEntry = {
      method,
      path: loggedPath(url.pathname + url.search),
      ...(operationId === null ? {} : { operationId }),
    };
    done.push(...fault.done.map((text) => ({ request: fault.request, ...requestEntry, fault: text })));
    requests.push({
      ...requestEntry,
      status: fault.delivery === 'none' ? 0 : answer.status,
      ...(body === undefined ? {} : { body: logged }),
      ...(fault.done.length === 0 ? {} : { fault: fault.done.join('; ') }),
    });
    if (fault.delay !== undefined) await sleep(fault.delay);
    sendAnswer(response, answer, fault.delivery);
  }

  function ownAnswer(path: string, authorization: string | undefined): Answer {
    try {
      // The document is equal for all twins, and generators of clients fetch it without a token.
      if (path !== openApiPath) checkToken(authorization, options.token);
      return new Answer(200, ownPages[path]!());
    } catch (error) {
      return refusal(error, undefined, {});
    }
  }

  const ownPages: Record<string, () => unknown> = {
    '/__twin/requests': () => requests.map(options.logText ? (request) => request : shownRequest),
    '/__twin/faults': () => done,
    '/__twin/outside': () => outside,
    [openApiPath]: () => openApi(version),
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => {
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
    account,
    requests,
    clearRequests: () => void requests.splice(0),
    outside,
    faults: done,
    setFaults: (plan) => {
      faults = openFaults(plan, account, now);
    },
    add: (seed) => addSeed(account, seed, switches, now),
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
