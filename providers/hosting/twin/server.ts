import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { findOwner, makeId, tick } from './account.ts';
import { Answer, type Call } from './call.ts';
import { ApiError, badRequest, errorBody, forbidden, notImplemented } from './errors.ts';
import { handlers } from './handlers.ts';
import { openApi, openApiPath } from './open-api.ts';
import { RateLimited, rateLimits } from './rate-limits.ts';
import { type LoggedRequest, loggedBody, loggedPath } from './request-log.ts';
import { nameOf, type Route, route } from './router.ts';
import { addSeed, newAccount } from './seed-account.ts';
import { loadAccount, saveAccount } from './state-file.ts';
import { defaultSwitches, type Switches } from './switches.ts';
import type { Twin, TwinOptions } from './twin.ts';
import { version } from './version.ts';

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('Invalid JSON.');
  }
}

function checkToken(header: string | undefined, token: string | undefined): void {
  const given = /^Bearer\s+(\S+)$/i.exec(header ?? '')?.[1];
  if (given === undefined) {
    throw new ApiError(401, 'forbidden', 'The request is missing an authentication token', {
      missingToken: true,
    });
  }
  if (token !== undefined && given !== token) throw forbidden('Not authorized', { invalidToken: true });
}

/** Starts a local server that behaves like the platform's REST API. */
export async function startTwin(options: TwinOptions = {}): Promise<Twin> {
  const now = options.now ?? Date.now;
  const switches: Switches = { ...defaultSwitches, ...options.switches };
  const saved = options.statePath === undefined ? undefined : loadAccount(options.statePath);
  const account = saved ?? newAccount(options.seed ?? {}, switches, now);
  const limits = options.rateLimits === 'real' ? rateLimits(now) : undefined;
  const requests: LoggedRequest[] = [];

  function handle(
    found: Route,
    url: URL,
    body: unknown,
    request: IncomingMessage,
    headers: Record<string, string>,
  ): Answer {
    const { operation, params } = found;
    const inPath = operation.path.includes('{teamId}');
    const scope = url.searchParams.get('teamId') ?? url.searchParams.get('slug');
    const owner = inPath ? findOwner(account, null) : findOwner(account, scope);
    if (owner === undefined) {
      throw forbidden(`Not authorized: Trying to access resource under scope "${scope}".`);
    }
    const name = nameOf(operation);
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (handler === undefined) throw notImplemented(`${name} (${operation.method} ${operation.path})`);
    const writes = operation.method !== 'GET';
    if (writes && limits !== undefined) Object.assign(headers, limits.count(owner.id, name));
    const call: Call = {
      account,
      owner,
      params,
      query: url.searchParams,
      body,
      switches,
      pageSize: options.pageSize ?? Number.POSITIVE_INFINITY,
      id: (prefix, length = 24) => makeId(account, prefix, length),
      time: () => tick(account, now),
      now,
      headers: request.headers,
    };
    const result = handler(call);
    const answer = result instanceof Answer ? result : new Answer(200, result);
    if (writes && options.statePath !== undefined) saveAccount(options.statePath, account);
    return answer;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET';
    const url = new URL(request.url ?? '/', 'http://twin');
    const text = await readText(request);
    if (options.latencyMs !== undefined) await sleep(options.latencyMs);
    if (method === 'GET' && url.pathname === '/__twin/requests') return send(response, 200, requests, {});
    if (method === 'GET' && url.pathname === openApiPath) return send(response, 200, openApi(version), {});
    const headers: Record<string, string> = {};
    let answer: Answer;
    let found: Route | undefined;
    let body: unknown;
    try {
      // Found before the token is checked, so that the log names the operation of refused requests too.
      found = route(method, url.pathname);
      checkToken(request.headers.authorization, options.token);
      if (found === undefined) throw new ApiError(404, 'not_found', `There is no ${method} ${url.pathname}.`);
      body = parseJson(text);
      answer = handle(found, url, body, request, headers);
    } catch (error) {
      if (error instanceof RateLimited) Object.assign(headers, error.headers);
      const known =
        error instanceof ApiError
          ? error
          : new ApiError(500, 'internal_server_error', `A fault of the twin: ${(error as Error).stack}`);
      const registrar = found?.operation.group === 'domains-registrar';
      const style = registrar ? 'registrar' : switches.errorBodyUnwrapped ? 'unwrapped' : 'wrapped';
      answer = new Answer(known.status, errorBody(known, style));
    }
    const operationId = found?.operation.operationId ?? null;
    requests.push({
      method,
      path: loggedPath(operationId, url.pathname + url.search),
      ...(operationId === null ? {} : { operationId }),
      status: answer.status,
      ...(body === undefined ? {} : { body: loggedBody(operationId, body) }),
    });
    send(response, answer.status, answer.body, { ...headers, ...answer.headers });
  }

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
    add: (seed) => addSeed(account, seed, switches, now),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string>,
): void {
  if (body === undefined || status === 204) {
    response.writeHead(status, headers).end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}
