import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Ran, Shell } from '../support/cli.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const header = 'stack: demo\nplatform: { team: acme }\n';
const body = `${header}projects:\n  web: { framework: nextjs }\n`;

/** A clear refusal: exit 1, the code's place, a hint or a message, and no stack. */
function refused(ran: Ran, ...texts: (string | RegExp)[]): void {
  expect(ran.status).toBe(1);
  for (const text of texts) expect(ran.stderr).toMatch(text);
  expect(ran.stderr).toMatch(/^Error: /m);
  expect(ran.all).not.toMatch(/^\s+at (.*\(.*:\d+:\d+\)|(file|node):.*)$/m);
}

describe('bad input is refused clearly, and nothing is changed', () => {
  const cases: [name: string, yaml: string | Buffer, ...RegExp[]][] = [
    ['broken YAML', `${header}projects: { web: [\n`, /trueup\.yaml:\d+:\d+/],
    ['a tab', `${header}projects:\n\tweb: {}\n`, /trueup\.yaml:4:1/],
    ['a duplicate key', `${header}projects:\n  web: {}\n  web: {}\n`, /trueup\.yaml:5:3/],
    ['a wrong type', `${header}projects:\n  web: { gitLFS: 7 }\n`, /trueup\.yaml:4:18/],
    [
      'an unknown key',
      `${header}projects:\n  web: { frameworc: nextjs }\n`,
      /trueup\.yaml:4:10/,
      /framework/,
    ],
    ['an unknown kind', `${header}project:\n  web: {}\n`, /trueup\.yaml:3:1/, /projects/],
    ['a dangling reference', `${header}projects:\n  web: { env: { ID: "\${projects.wep.id}" } }\n`, /web/],
    [
      'a cycle',
      `${header}projects:\n  a: { env: { X: "\${projects.b.id}" }, $dependsOn: [projects/b] }\n  b: { $dependsOn: [projects/a] }\n`,
      /projects\/a/,
    ],
    [
      'two resources with one identity',
      `${header}domains:\n  Example.com: {}\n  example.com: {}\n`,
      /trueup\.yaml:4:3/,
      /trueup\.yaml:5:3/,
    ],
    ['a missing variable', `${header}variables: { x: {} }\nprojects:\n  "\${var.x}": {}\n`, /TRUEUP_VAR_x/],
    [
      'an undeclared secret',
      `${header}projects:\n  web: { env: { A: "\${secret.nope}" } }\n`,
      /trueup\.yaml:4:\d+/,
    ],
    ['a token in the YAML', `${header}token: abc\n`, /TRUEUP_TOKEN|--token-file/],
    [
      'a YAML bomb',
      `${header}x-a: &a [1,1,1,1,1,1,1,1,1,1]\nx-b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nx-c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nx-d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\nprojects: { web: { skewProtectionAllowedDomains: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d] } }\n`,
      /alias/i,
    ],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x81]), /trueup\.yaml/],
  ];
  oneRowIn(5)(cases)('%s', async (_name, yaml, ...texts) => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml });
    const twin = await shell.withTwin();
    refused(await shell.run(['apply', '--auto-approve']), ...texts);
    expect(twin.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('every problem at once, also in several files', async () => {
    const shell = await new Shell().write({
      'trueup/a.yaml': `${header}projects:\n  web: { frameworc: x }\n`,
      'trueup/b.yaml': 'domains: { "example.com": { zone: maybe } }\n',
      'trueup/c.yaml': 'nonsense: {}\n',
    });
    const ran = await shell.run(['validate']);
    refused(ran, /a\.yaml:4:10/, /b\.yaml:1:/, /c\.yaml:1:1/, /3 errors/);
  });

  test('a line of 5 MB is quoted in part', async () => {
    const shell = await new Shell().write({
      'trueup.yaml': `${header}projects: { web: { buildCommand: "${'x'.repeat(5_000_000)}", nope: 1 } }\n`,
    });
    const ran = await shell.run(['validate']);
    refused(ran, /nope/);
    expect(ran.stderr.length).toBeLessThan(2_000);
  });

  test('no file, a folder without YAML, an unreadable file', async () => {
    const shell = await new Shell().write({ 'empty/readme.txt': 'x', 'locked.yaml': body });
    refused(await shell.run(['validate']), /trueup\.yaml|trueup init/);
    refused(await shell.run(['validate', '-f', 'nope.yaml']), /nope\.yaml/);
    refused(await shell.run(['validate', '-f', 'empty']), /empty/);
    chmodSync(join(shell.folder, 'locked.yaml'), 0);
    // Root reads everything.
    if (process.getuid?.() !== 0) refused(await shell.run(['validate', '-f', 'locked.yaml']), /locked\.yaml/);
  });

  test('unknown flags and commands, wrong values', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': body });
    for (const args of [
      ['plan', '--dry-run'],
      ['plann'],
      ['plan', '--parallelism', 'many'],
      ['plan', '--var', 'x'],
      ['plan', 'extra'],
    ]) {
      const ran = await shell.run(args);
      expect(ran.status).toBe(1);
      expect(ran.stderr).toMatch(/^error: /);
    }
  });
});

describe('an account that cannot be reached or does not fit', () => {
  const stack = () => new Shell().write({ 'trueup.yaml': body });

  test('no token, a token file that is missing or empty, a wrong token', async () => {
    const shell = await stack();
    refused(await shell.run(['plan']), /TRUEUP_TOKEN/);
    refused(await shell.run(['plan', '--token-file', 'nope']), /token file/);
    await shell.write({ empty: '\n', wrong: 'wrong-token-of-mine\n' });
    refused(await shell.run(['plan', '--token-file', 'empty']), /empty/);
    const twin = await shell.withTwin(undefined, { token: 'the-right-one' });
    const ran = await shell.run(['plan', '--token-file', 'wrong']);
    refused(ran, /token/);
    expect(ran.all).not.toContain('wrong-token-of-mine');
    expect(twin.account.projects).toEqual([]);
  });

  test("another account than the ledger's, another team than the token's", async () => {
    const shell = await stack();
    await shell.withTwin({ team: { slug: 'acme' } });
    expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
    const other = await shell.withTwin({ team: { slug: 'acme', id: 'team_other' } });
    refused(await shell.run(['apply', '--auto-approve']), /belongs to a different/);
    expect(other.account.projects).toEqual([]);
    await shell.withTwin({ team: { slug: 'globex' } });
    refused(await shell.run(['plan', '--ledger', 'new.json']), /acme/);
  });

  test('an unreachable server', async () => {
    const shell = await stack();
    shell.env = { TRUEUP_TOKEN: 'x', TRUEUP_BASE_URL: 'http://127.0.0.1:9' };
    refused(await shell.run(['plan', '--max-wait', '0']), /127\.0\.0\.1:9/);
  });

  test('a base URL that would send the token in the clear', async () => {
    const shell = await stack();
    shell.env = { TRUEUP_TOKEN: 'x', TRUEUP_BASE_URL: 'http://api.example.com' };
    refused(await shell.run(['plan']), /https/);
  });

  const answering = async (answer: (server: Server) => void) => {
    const server = createServer();
    answer(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  test('a server that answers HTML', async () => {
    const shell = await stack();
    const url = await answering((server) =>
      server.on('request', (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<html><body>Please log in</body></html>'),
      ),
    );
    shell.env = { TRUEUP_TOKEN: 'x', TRUEUP_BASE_URL: url };
    refused(await shell.run(['plan']), /JSON/);
  });

  story('a server that cuts the connection', async () => {
    const shell = await stack();
    const url = await answering((server) => server.on('request', (request) => request.socket.destroy()));
    shell.env = { TRUEUP_TOKEN: 'x', TRUEUP_BASE_URL: url };
    refused(await shell.run(['plan']), /connection/i);
  });

  test('errors come as JSON too', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': `${header}nope: {}\n` });
    const ran = await shell.run(['plan', '--json']);
    expect(ran.status).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({ complete: false, diagnostics: [{ severity: 'error' }] });
  });
});
