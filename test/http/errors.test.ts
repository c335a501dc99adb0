import { expect, test } from 'vitest';
import { openClient } from '../../src/http/client.ts';
import { fillEndpoint } from '../../src/http/endpoint.ts';
import {
  ConnectionCut,
  HttpError,
  NotJson,
  Redirected,
  TimedOut,
  Unreachable,
} from '../../src/http/errors.ts';
import { createMasking } from '../../src/model/masking.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { bodyOf, call, failure, json, serve, serveBytes } from './serve.ts';

const answering = (status: number, body: unknown, headers?: Record<string, string>) =>
  serve((_, response) => json(response, status, body, headers));

test.each([
  [
    'general',
    { error: { code: 'ENV_CONFLICT', message: 'It exists.', envVarKey: 'A' } },
    'ENV_CONFLICT',
    'answered 400 ENV_CONFLICT: It exists.',
  ],
  ['err', { err: { code: 'x', message: 'm' } }, 'x', 'answered 400 x: m'],
  ['unwrapped', { code: 'bad_request', message: 'No.' }, 'bad_request', 'answered 400 bad_request: No.'],
  ['registrar', { status: 400, code: 'bad_tld', message: 'No.' }, 'bad_tld', 'answered 400 bad_tld: No.'],
  [
    'issues',
    { message: 'Invalid', issues: [{ path: ['contact', 'zip'], message: 'Required' }, { message: 'Odd' }] },
    'http/400',
    'answered 400: Invalid: contact.zip: Required; Odd',
  ],
  [
    'OAuth',
    { error: 'invalid_grant', error_description: 'Expired.' },
    'invalid_grant',
    'answered 400 invalid_grant: Expired.',
  ],
  ['odd JSON', { a: 1 }, 'http/400', 'answered 400: no reason given'],
  ['a list', [{ value: 'canary' }], 'http/400', 'answered 400: no reason given'],
  ['text in JSON', 'canary', 'http/400', 'answered 400: no reason given'],
  ['empty', undefined, 'http/400', 'answered 400: no reason given'],
])('error family: %s', async (_, body, code, message) => {
  const error = await failure(
    call(await answering(400, body), 'PATCH /v9/projects/{id}?decrypt=true', {
      params: { id: 'web' },
      body: {},
    }),
    HttpError,
  );
  expect(error).toMatchObject({
    name: 'HttpError',
    method: 'PATCH',
    path: '/v9/projects/web',
    status: 400,
    code,
  });
  expect(error.message).toBe(`PATCH /v9/projects/web ${message}`);
  expect(error).toMatchObject({ mayBeCarriedOut: false, isTransient: false });
});

test.each([
  [401, /invalid or expired/],
  [402, /plan or a payment/],
  [403, /access to this team/],
  [502, /has a problem/],
])('%i has a hint', async (status, hint) => {
  const error = await failure(call(await answering(status, {}), 'GET /x'), HttpError);
  expect(error.hint).toMatch(hint);
});

test('a 403 after a success does not blame the token', async () => {
  const url = await serve((request, response) => json(response, request.url === '/ok' ? 200 : 403, {}));
  const client = openClient({ baseUrl: new URL(url), token: new Sealed('tok-1234567890') });
  const refusal = () => failure(client.call(fillEndpoint('GET /x'), undefined, 1), HttpError);
  try {
    expect((await refusal()).hint).toMatch(/token is invalid/);
    await client.call(fillEndpoint('GET /ok'), undefined, 1);
    expect((await refusal()).hint).toMatch(/^the token is valid, since other requests succeeded/);
  } finally {
    await client.close();
  }
});

test('a 5xx leaves the outcome of a write open, a 4xx does not', async () => {
  expect(await failure(call(await answering(500, {}), 'POST /x'), HttpError)).toMatchObject({
    mayBeCarriedOut: true,
  });
  expect(await failure(call(await answering(422, {}), 'POST /x'), HttpError)).toMatchObject({
    mayBeCarriedOut: false,
  });
});

const page = '<html><head><style>b{}</style><title>Oops</title></head><body><b>Bad</b> gateway</body></html>';

test('HTML: an error keeps its status, a success is none', async () => {
  const html = (status: number) =>
    serve((_, response) => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
      response.end(page);
    });
  const error = await failure(call(await html(502), 'GET /x'), HttpError);
  expect(error.message).toBe('GET /x answered 502: its body is not JSON (text/html): "Oops Bad gateway"');
  const odd = await failure(call(await html(200), 'GET /x'), NotJson);
  expect(odd).toMatchObject({ code: 'http/not-json', status: 200, isTransient: false });
  expect(odd.message).toContain('not JSON (text/html): "Oops Bad gateway"');
});

const shownOnce = '{"id":"tok_1","token":"canary-of-a-new-token"}';

test.each([
  ['cut at its end', shownOnce.slice(0, -1), 'application/json'],
  ['cut at its beginning', shownOnce.slice(1), 'application/json; charset=utf-8'],
  ['of another type', `\n ${shownOnce.slice(0, -1)}`, 'text/plain'],
  ['a cut list', `[${shownOnce}`, 'text/html'],
  ['a cut text', '"canary-of-a-value', 'text/plain'],
  ['behind a guard', `)]}',\n${shownOnce}`, 'text/plain'],
])('JSON that cannot be read is not quoted: %s', async (_, text, type) => {
  const answer = (status: number) =>
    serve((_, response) => {
      response.writeHead(status, { 'content-type': type });
      response.end(text);
    });
  for (const [status, error] of [
    [200, NotJson],
    [500, HttpError],
  ] as const) {
    const { message } = await failure(call(await answer(status), 'POST /x', { body: {} }), error);
    expect(message).not.toContain('canary');
    expect(message).toContain(`not JSON (${type.split(';')[0]}): ${text.length} characters, not shown`);
  }
});

test('success with JSON, and without a body', async () => {
  expect(await call(await answering(200, { a: [1] }), 'GET /x')).toMatchObject({
    status: 200,
    body: { a: [1] },
  });
  const none = await serve((_, response) => response.writeHead(204).end());
  expect(await call(none, 'DELETE /x')).toMatchObject({ status: 204, body: undefined });
});

test('a redirect is not followed, and only its origin is named', async () => {
  let calls = 0;
  const other = await serve(() => {
    calls += 1;
  });
  const url = await serve((_, response) => response.writeHead(307, { location: `${other}/x?token=1` }).end());
  const error = await failure(call(url, 'GET /x'), Redirected);
  expect(error.message).toBe(`GET /x answered 307, a redirect to ${other}`);
  expect(calls).toBe(0);
});

test('a connection that is cut: before the headers, within them, within the body', async () => {
  for (const bytes of [
    '',
    'HTTP/1.1 200 OK\r\nconte',
    'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":',
  ]) {
    const url = await serveBytes((socket) => {
      socket.once('data', () => socket.end(bytes));
    });
    expect(await failure(call(url, 'POST /x', { body: {} }), ConnectionCut)).toMatchObject({
      code: 'http/no-response',
      mayBeCarriedOut: true,
      isTransient: true,
    });
  }
});

test('something that is no HTTP', async () => {
  const url = await serveBytes((socket) => {
    socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
  });
  await failure(call(url, 'GET /x'), ConnectionCut);
});

test('timeouts: no headers, no more of the body', async () => {
  const silent = await serveBytes(() => {});
  const error = await failure(call(silent, 'POST /x', { bounds: { idle: 20 } }), TimedOut);
  expect(error).toMatchObject({
    code: 'http/no-response',
    mayBeCarriedOut: true,
    message: 'POST /x: no response in time',
  });

  const slow = await serveBytes((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{'));
  });
  const stuck = await failure(call(slow, 'GET /x', { bounds: { idle: 20 } }), TimedOut);
  expect(stuck.message).toBe('GET /x: the response stalled');
});

test('refused and unknown hosts: nothing was sent', async () => {
  const refused = await failure(call('http://127.0.0.1:1', 'POST /x'), Unreachable);
  expect(refused).toMatchObject({ code: 'http/unreachable', mayBeCarriedOut: false, isTransient: true });
  expect(refused.message).toBe('cannot reach http://127.0.0.1:1: the connection was refused (ECONNREFUSED)');
  expect(refused.hint).toContain('base URL');
});

test('control characters of the server do not reach the terminal', async () => {
  const error = await failure(
    call(
      await answering(400, { error: { code: 'a\u001b[2J', message: 'x\r\n\u001b[31mapplied' } }),
      'GET /x',
    ),
    HttpError,
  );
  expect(error.message).toBe('GET /x answered 400: a [2J: x [31mapplied');
});

const secret = new Sealed('pa"ss word/1');
const short = new Sealed('nope');

test('secrets are revealed to the server only, and what it echoes of them is hidden', async () => {
  const exchanges: unknown[] = [];
  let received = '';
  const url = await serve(async (request, response) => {
    for await (const part of request) received += part;
    received += request.url;
    const text = `bad value pa"ss word/1 (tok-1234567890) of ${request.url}, nope, nopes`;
    json(response, 400, { error: { code: 'bad_request', message: text, value: 'pa"ss word/1' } });
  });
  const error = await failure(
    call(url, 'POST /v1/keys/{key}?v={v}', {
      params: { key: secret, v: 1 },
      body: { a: [{ value: secret }], b: short },
      onExchange: (exchange) => exchanges.push(exchange),
    }),
    HttpError,
  );
  expect(received).toBe('{"a":[{"value":"pa\\"ss word/1"}],"b":"nope"}/v1/keys/pa%22ss%20word%2F1?v=1');
  expect(error.message).toBe(
    'POST /v1/keys/(secret) answered 400 bad_request: ' +
      'bad value (secret) ((secret)) of /v1/keys/(secret)?v=1, (secret), nopes',
  );
  expect(exchanges).toMatchObject([
    {
      method: 'POST',
      path: '/v1/keys/(secret)?v=1',
      status: 400,
      attempt: 1,
      body: { a: [{ value: secret }] },
    },
  ]);
  for (const shown of [JSON.stringify(exchanges), JSON.stringify(error), String(error.stack)]) {
    expect(shown).not.toContain('ss word');
    expect(shown).not.toContain('tok-1234567890');
  }
});

test('a page that echoes a secret', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<p>pa"ss word/1</p>');
  });
  const error = await failure(call(url, 'POST /x', { body: { a: secret } }), NotJson);
  expect(error.message).toContain('"(secret)"');
});

test('of an earlier request, of the run and of the token nothing comes back either, however it is spelled', async () => {
  const earlier = 'first-secret/of "this" run';
  const ofTheRun = 'a secret that was never sent';
  const masking = createMasking();
  masking.addSecret(new Sealed(ofTheRun));
  const said = [
    `${Buffer.from(`{"value":${JSON.stringify(earlier)}}`).toString('base64')}`,
    Buffer.from(earlier).toString('hex').toUpperCase(),
    JSON.stringify(JSON.stringify(earlier)),
    earlier.replaceAll('"', '&quot;'),
    encodeURIComponent(earlier).slice(0, 20),
    ofTheRun.slice(2),
    Buffer.from('tok-1234567890').toString('base64url'),
  ];
  const url = await serve(async (request, response) => {
    if ((await bodyOf(request)) !== '') return json(response, 200, {});
    const issues = [{ path: ['env', 'value'], message: said[1] }];
    json(response, 400, { error: { code: 'bad_request', message: said.join(' | '), issues } });
  });
  const client = openClient({ baseUrl: new URL(url), token: new Sealed('tok-1234567890'), masking });
  await client.call(fillEndpoint('POST /x'), { value: new Sealed(earlier) }, 1);
  const error = await failure(client.call(fillEndpoint('GET /x'), undefined, 1), HttpError);
  await client.close();
  expect(error.message).toMatch(/^GET \/x answered 400 bad_request: .*: env\.value: \(secret\)$/);
  expect(error.message.match(/\(secret\)/g)).toHaveLength(said.length + 1);
  for (const text of said) expect(error.message).not.toContain(text);
});

test('a code that shares words with a secret is told; the secret as a code is none', async () => {
  const masking = createMasking();
  masking.addSecret(new Sealed('invalid_environment_7'));
  const of = async (code: string) =>
    failure(
      call(await answering(400, { error: { code, message: 'No.' } }), 'GET /x', { masking }),
      HttpError,
    );
  expect(await of('invalid_environment')).toMatchObject({
    code: 'invalid_environment',
    message: 'GET /x answered 400 invalid_environment: No.',
  });
  expect(await of('invalid_environment_7')).toMatchObject({
    code: 'http/400',
    message: 'GET /x answered 400: (secret): No.',
  });
});

test('what the server gets to see', async () => {
  const seen: Record<string, unknown>[] = [];
  const url = await serve((request, response) => {
    seen.push({ url: request.url, ...request.headers });
    json(response, 200, {});
  });
  await call(`${url}/base/`, 'POST /x', { body: { a: 1 } });
  await call(url, 'DELETE /x');
  expect(seen[0]).toMatchObject({
    url: '/base/x',
    authorization: 'Bearer tok-1234567890',
    'content-type': 'application/json',
    'content-length': '7',
  });
  expect(seen[0]!['user-agent']).toMatch(/^trueup\//);
  expect(seen[1]).not.toHaveProperty('content-type');
});

test('connections are kept and bounded', async () => {
  const sockets = new Set<unknown>();
  const url = await serve((request, response) => {
    sockets.add(request.socket);
    json(response, 200, {});
  });
  const client = openClient({ baseUrl: new URL(url), token: new Sealed('t'), bounds: { connections: 2 } });
  await Promise.all(Array.from({ length: 20 }, () => client.call(fillEndpoint('GET /x'), undefined, 1)));
  await client.close();
  expect(sockets.size).toBeLessThanOrEqual(2);
  expect(await failure(client.call(fillEndpoint('GET /x'), undefined, 1), Unreachable)).toMatchObject({
    mayBeCarriedOut: false,
  });
});
