import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Shell } from '../support/cli.ts';

const people = [
  { uid: 'user_1', email: 'grace@example.com' },
  { uid: 'user_2', email: 'alan@example.com' },
];
const yaml = (members: string, header = '') =>
  `stack: demo\nplatform: { team: acme }\n${header}\naccessGroups: { Frontend: { members: { ${members} } } }\n`;

it('No change that costs money or removes somebody’s access is made unless the YAML around it, or the operator, allows it.', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml('user_1: {}, user_2: {}') });
  const twin = await shell.withTwin({ team: { slug: 'acme', members: people } } as never);
  const apply = (...args: string[]) => shell.run(['apply', '--auto-approve', ...args]);
  expect((await apply()).status).toBe(0);
  const removals = () =>
    twin.requests.filter(({ body }) => JSON.stringify(body ?? '').includes('membersToRemove')).length;
  await shell.write({ 'trueup.yaml': yaml('user_1: {}') });
  const refused = await apply('--max-deletions', '10');
  expect([refused.status, removals()]).toEqual([1, 0]);
  expect(refused.all).toContain('--allow remove-access');
  // A file that was saved with less than it takes does not bring it along.
  expect((await shell.run(['plan', '--out', 'saved.plan', '--max-deletions', '10'])).status).toBe(1);
  expect([(await shell.run(['apply', 'saved.plan'])).status, removals()]).toEqual([1, 0]);
  const allowed = await apply('--max-deletions', '10', '--allow', 'remove-access');
  expect([allowed.status, removals()]).toEqual([0, 1]);
  expect(allowed.all).toContain("1 change removes somebody's access.");
});

const secret = 'a-value-that-nobody-may-see';

it('Secrets of the configuration that trueup api sends, and the token, never appear in its output.', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': 'stack: demo\nplatform: { personal: true }\nsecrets: { database: {} }\n',
  });
  const token = 'token-that-nobody-may-see';
  const echo = JSON.stringify({
    user: { id: 'u', username: 'ada' },
    said: `${secret} ${encodeURIComponent(token)}`,
  });
  // Says everything back that it hears: in headers, in text, in an error.
  let mode = 'json';
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const heard = `${request.headers.authorization} ${Buffer.concat(parts)}`;
      const isAccount = request.url!.startsWith('/v2/user');
      response.statusCode = mode === 'error' && !isAccount ? 400 : 200;
      response.setHeader('x-heard', encodeURIComponent(heard));
      const said: Record<string, [type: string, body: string]> = {
        text: ['text/plain', heard],
        bytes: ['application/octet-stream', `\0${heard}`],
        'no json': ['application/json', heard],
      };
      const usual = JSON.stringify({ error: { code: 'odd', message: heard }, heard });
      const [type, body] = isAccount
        ? ['application/json', echo]
        : (said[mode] ?? ['application/json', usual]);
      response.setHeader('content-type', type);
      response.end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  shell.env = {
    TRUEUP_BASE_URL: `http://127.0.0.1:${port}`,
    TRUEUP_TOKEN: token,
    TRUEUP_SECRET_database: secret,
  };
  const send = [
    'api',
    'createProject',
    '--secret-field',
    'name=database',
    '--auto-approve',
    '--verbose',
    '--include',
  ];
  for (const asked of ['json', 'text', 'error', 'bytes', 'no json']) {
    mode = asked;
    const { all, status } = await shell.run(send);
    expect([asked, status]).toEqual([asked, asked === 'error' || asked === 'bytes' ? 1 : 0]);
    expect(all).toContain('(secret)');
    for (const hidden of [secret, token]) expect(all).not.toContain(hidden);
  }
  for (const name of readdirSync(shell.folder, { recursive: true, encoding: 'utf8' }))
    if (name.includes('.trueup') && /\.\w+$/.test(name))
      expect(readFileSync(join(shell.folder, name), 'utf8')).not.toContain(secret);
});

it('In CI, responses are printed only as JSON, since a runner obeys lines of text.', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': 'stack: demo\nplatform: { personal: true }\n' });
  let answer: [type: string, body: string] = ['', ''];
  const server = createServer((request, response) => {
    const isAccount = request.url!.startsWith('/v2/user');
    const [type, body] = isAccount ? ['application/json', '{"user":{"id":"u","username":"ada"}}'] : answer;
    response.setHeader('content-type', type);
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  shell.env = { TRUEUP_BASE_URL: `http://127.0.0.1:${port}`, TRUEUP_TOKEN: 'token', TF_BUILD: 'True' };
  const long = `"${'x'.repeat(5_000_000)}"`;
  for (const given of [
    ['application/json', '1234567890123456\n::add-path::/tmp'],
    ['application/json', `${long}\n::add-path::/tmp`],
    ['text/plain', 'text\n::add-path::/tmp'],
    ['application/octet-stream', '\0\n::add-path::/tmp'],
  ] as const) {
    answer = [...given];
    const { stdout, stderr } = await shell.run(['api', 'getProjects']);
    expect([given[0], stdout]).toEqual([given[0], '']);
    expect(stderr).toContain('--output FILE');
  }
  answer = ['application/json', '{"said":"\\n::add-path::/tmp"}'];
  expect((await shell.run(['api', 'getProjects'])).stdout).not.toMatch(/^::/m);
});
