import { expect, it, onTestFinished } from 'vitest';
import { openClient } from '../../src/http/client.ts';
import { fillEndpoint } from '../../src/http/endpoint.ts';
import { HttpError, OutOfBounds, Redirected, TimedOut } from '../../src/http/errors.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import { createMasking } from '../../src/model/masking.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { call, failure, json, serve, serveBytes } from '../http/serve.ts';
import { Shell } from '../support/cli.ts';
import { inFront } from '../support/in-front.ts';
import { keyText } from '../support/keys.ts';

const yaml = (env: string) => `stack: demo
platform: { team: acme }
projects: { web: { framework: nextjs, env: { ${env} } } }
`;

it('Responses are bounded in time, size and depth; beyond that, the outcome of a write is looked up, and it is never sent again blindly.', async () => {
  const write = { body: {} };
  const slow = await serveBytes((socket) => {
    socket.once('data', () => ring());
  });
  let ring = () => {};
  const alarm = (_: number, rung: () => void) => {
    ring = rung;
    return () => {};
  };
  expect((await failure(call(slow, 'POST /x', { ...write, alarm }), TimedOut)).mayBeCarriedOut).toBe(true);
  const large = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`"${'x'.repeat(2000)}"`);
  });
  const bounds = { maxBytes: 1000 };
  expect((await failure(call(large, 'POST /x', { ...write, bounds }), OutOfBounds)).mayBeCarriedOut).toBe(
    true,
  );

  // The platform does what was asked, and its answer is a pit.
  const shell = await new Shell().write({
    'trueup.yaml': yaml('A: { value: a, type: plain, target: [production] }'),
  });
  const twin = await shell.withTwin();
  const front = await inFront(
    () => twin.url,
    async ({ method, path }, pass) => {
      const answer = await pass();
      if (method !== 'POST' || !path.includes('/env')) return answer;
      return { status: 200, body: Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) };
    },
  );
  onTestFinished(front.close);
  shell.env = { ...shell.env, TRUEUP_BASE_URL: front.url, TRUEUP_LEDGER_KEY: keyText() };
  const apply = ['apply', '--auto-approve', '--settle', '0'];
  const { status, stdout } = await shell.run(apply);
  expect([status, stdout]).toEqual([0, expect.stringContaining('Verified: the account matches')]);
  shell.clock = { ...shell.clock, now: () => Date.now() + 120_000 };
  expect((await shell.run(apply)).stdout).toContain('No changes.');
  expect(twin.account.projects[0]!.env).toHaveLength(1);
  const posts = twin.requests.filter(({ method, path }) => method === 'POST' && path.includes('/env'));
  expect(posts).toHaveLength(1);
});

it('Redirects are not followed: the token reaches no other host.', async () => {
  let reached = 0;
  const other = await serve((_, response) => {
    reached++;
    json(response, 200, {});
  });
  for (const status of [301, 302, 303, 307, 308]) {
    const url = await serve((_, response) => json(response, status, {}, { location: `${other}/x` }));
    for (const endpoint of ['GET /x', 'POST /x'] as const) await failure(call(url, endpoint), Redirected);
  }
  expect(reached).toBe(0);
});

it('No eight consecutive characters of a secret of the run are shown from a message of the platform, plain, in capitals or small letters, or in a common encoding, unless the plan shows them anyway.', async () => {
  const [token, sent, unsent] = ['tok-1234567890', 'first "secret" of this run', 'Never-Sent-At-All-7'];
  const spellings = (text: string) => [
    text,
    text.slice(2),
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('hex'),
    encodeURIComponent(text),
    JSON.stringify(JSON.stringify(text)).slice(3, -3),
    text.replaceAll('"', '&quot;'),
    // Platforms write host names and addresses in small letters, and names of variables in capitals.
    text.toUpperCase(),
    `First${text.toLowerCase()}`,
  ];
  const said = [token, sent, unsent].flatMap(spellings);
  const url = await serve((_, response) =>
    json(response, 400, { error: { code: 'bad_request', message: said.join(' | ') } }),
  );
  const masking = createMasking();
  masking.addSecret(new Sealed(unsent));
  const client = openClient({ baseUrl: new URL(url), token: new Sealed(token), masking });
  onTestFinished(() => client.close());
  const error = await failure(
    client.call(fillEndpoint('POST /x'), { value: new Sealed(sent) }, 1),
    HttpError,
  );
  const shown = `${error.message}${error.stack}${JSON.stringify(error)}`;
  for (const text of said)
    for (let at = 0; at + 8 <= text.length; at++) expect(shown).not.toContain(text.slice(at, at + 8));
});

it('If certificates are not checked, nothing is sent.', async () => {
  let connections = 0;
  const url = await serveBytes(() => {
    connections++;
  });
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const error = await failure(call(url.replace('http:', 'https:'), 'POST /x', { env }), Problems);
  expect(error.diagnostics[0]).toMatchObject({ code: 'http/unverified' });
  expect(connections).toBe(0);
});
