import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CatalogOperation, catalog } from '../../providers/hosting/catalog.ts';
import { extraOperations } from '../../providers/hosting/extra-operations.ts';
import { paged } from '../../providers/hosting/paging.ts';
import { documentedOnly } from '../../providers/hosting/twin/documented.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(5);

const yaml = `stack: demo
platform: { team: acme }
secrets: { database: {}, missing: {} }
projects: {}
`;
const seed = {
  team: { id: 'team_1', slug: 'acme' },
  projects: [
    { id: 'prj_1', name: 'web', env: [{ key: 'A', value: 'one', target: ['production'] }] },
    ...Array.from({ length: 7 }, (_, index) => ({ name: `p${index}` })),
  ],
} as const;

async function account(options = {}) {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin(seed as never, options);
  const api = (...args: string[]) => shell.run(['api', ...args]);
  const ask = (answer: string, ...args: string[]) =>
    shell.run(['api', ...args], { input: `${answer}\n`, isTerminal: true });
  return { shell, twin, api, ask };
}

describe('trueup api', () => {
  story('lists every operation with its name and the kinds that use it, without an account', async () => {
    const api = (...args: string[]) => new Shell().run(['api', ...args]);
    const all = await api('--list');
    for (const { path, operationId } of catalog) {
      expect(all.stdout).toContain(path);
      if (operationId) expect(all.stdout).toContain(operationId);
    }
    for (const { method, path } of extraOperations)
      expect(
        all.stdout.split('\n').map((line) => line.trim().split(/ +/).slice(0, 2).join(' ')),
      ).not.toContain(`${method} ${path}`);
    const one = await api('--list', 'webhooks');
    expect(one.stdout).toMatch(/POST +\/v1\/webhooks +createWebhook +webhook \(create\)/);
    expect(one.stdout).not.toContain('/v9/projects');
    const json = JSON.parse((await api('--list', 'webhooks', '--json')).stdout);
    expect(json.groups[0].operations).toHaveLength(4);
    expect((await api('--list', 'webhook')).stderr).toContain('did you mean `webhooks`?');
    expect((await api('--list', 'no-such-thing')).stderr).toMatch(/-> There are access-groups, /);
    // The operation that the help names is one.
    const [, named] = /Its name \(`(\w+)`\)/.exec(readFileSync('docs/commands/api.md', 'utf8'))!;
    expect(catalog.map(({ operationId }) => operationId)).toContain(named);
    expect((await api()).stderr).toContain('no operation given');
  });

  story('reads what it is asked for: by path, by name, by project, by address', async () => {
    const { api } = await account();
    expect(JSON.parse((await api('GET', '/v9/projects/web')).stdout).id).toBe('prj_1');
    expect(JSON.parse((await api('getProject', '--project', 'web')).stdout).id).toBe('prj_1');
    const row = await api('getProjectEnv', '--resource', 'projects/web/env/A@production', '--include');
    expect(row.stdout).toMatch(/^HTTP 200\ncontent-type: application\/json/);
    expect(JSON.parse(row.stdout.slice(row.stdout.indexOf('{'))).value).toBe('one');
    const wrong = await api('getProjectEnv', '--resource', 'projects/web/env/B@production');
    expect(wrong.stderr).toContain('did you mean projects/web/env/A@production?');
    expect((await api('getProjectEnv', '--project', 'web')).stderr).toContain('--param id=VALUE');
  });

  story('reads all pages as one list', async () => {
    const { api } = await account({ pageSize: 3 });
    const { stdout } = await api('getProjects', '--paginate');
    expect(JSON.parse(stdout)).toHaveLength(8);
    expect(JSON.parse((await api('getProjects')).stdout).projects).toHaveLength(3);
    const none = await api('getProject', '--project', 'web', '--paginate', 'nothing');
    expect(none.stderr).toContain('no list "nothing"');
  });

  story('comes to the end of every list, also of those that only their form is known of', async () => {
    const { api } = await account();
    const isPaged = ({ method, path }: CatalogOperation) => method === 'GET' && Object.hasOwn(paged, path);
    const lists = documentedOnly().filter(isPaged);
    expect(lists.length).toBeGreaterThan(5);
    for (const { path } of lists) {
      const words = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => ['--param', `${name}=x`]);
      const ran = await api('GET', path, ...words, '--query', 'projectId=x', '--paginate');
      expect([path, ran.status, ran.stdout.trim()]).toEqual([path, 0, '[]']);
    }
  });

  test('sends query parameters as they are written, each as often', async () => {
    const { api, twin } = await account();
    const asked = () => twin.requests.at(-1)!.path;
    const words = ['--query', 'target=a', '--query', 'target={id}&b', '--query', 'limit=2'];
    await api('GET', '/v7/deployments?target=c&state=READY&state=ERROR', ...words);
    const sent = 'target=c&state=READY&state=ERROR&target=a&target=%7Bid%7D%26b&limit=2';
    expect(asked()).toMatch(new RegExp(`\\?${sent}&teamId=team_1$`));
    await api('GET', '/v7/deployments?state=READY', '--query', 'state=ERROR', '--paginate');
    expect(asked()).toContain('state=READY&state=ERROR&');
    // What an object implies gives way to what is asked for.
    await api('getBypassIp', '--project', 'web', '--query', 'projectId=prj_2');
    expect(asked()).toContain('?projectId=prj_2&');
    await api('getBypassIp', '--project', 'web', '--query', 'slug=acme');
    expect(asked()).not.toContain('teamId');
  });

  story('asks before a write, and sends nothing without a yes', async () => {
    const { api, ask, twin } = await account();
    const writes = () => twin.requests.filter(({ method }) => method !== 'GET').length;
    const alone = await api('DELETE', '/v9/projects/web');
    expect([alone.status, writes()]).toEqual([1, 0]);
    expect(alone.stderr).toContain('DELETE /v9/projects/web was not sent');
    const no = await ask('no', 'DELETE', '/v9/projects/web');
    expect([no.status, writes()]).toEqual([1, 0]);
    expect(no.stderr).toContain('Nothing was sent.');
    const yes = await ask('yes', 'DELETE', '/v9/projects/web');
    expect([yes.status, yes.stdout, writes()]).toEqual([0, '', 1]);
  });

  test('sends fields, and secrets by their names, which it never prints', async () => {
    const { api, shell, twin } = await account();
    const create = [
      'createProjectEnv',
      '--project',
      'web',
      '--auto-approve',
      '--verbose',
      '--field',
      'key=B',
    ];
    const rest = ['--field', 'target=["production"]', '--field', 'type=plain'];
    shell.env.TRUEUP_SECRET_database = 'a-value-that-nobody-sees';
    const made = await api(...create, '--secret-field', 'value=database', ...rest);
    expect(made.status, made.all).toBe(0);
    expect(made.stdout).toContain('"value": "(secret)"');
    expect(made.all).not.toContain('nobody-sees');
    expect(twin.account.projects[0]!.env.find(({ key }) => key === 'B')!.value).toBe(
      'a-value-that-nobody-sees',
    );
    const without = await api(...create, '--secret-field', 'value=missing', ...rest);
    expect(without.stderr).toContain('set TRUEUP_SECRET_missing in the environment');
    const unknown = await api(...create, '--secret-field', 'value=other', ...rest);
    expect(unknown.stderr).toContain('it has database, missing');
  });

  story('sends a file or standard input as it is, and writes an answer into a file', async () => {
    const { api, shell, twin } = await account();
    await shell.write({ 'body.json': '{"name":"from-file"}' });
    const made = await api(
      'createProject',
      '--input',
      'body.json',
      '--auto-approve',
      '--output',
      'made.json',
    );
    expect([made.status, made.stdout]).toEqual([0, '']);
    const file = join(shell.folder, 'made.json');
    expect(JSON.parse(readFileSync(file, 'utf8')).name).toBe('from-file');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const piped = await shell.run(['api', 'createProject', '--input', '-', '--auto-approve'], {
      input: '{"name":"from-input"}',
    });
    expect(piped.status, piped.all).toBe(0);
    expect(twin.account.projects.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['from-file', 'from-input']),
    );
    const none = await api('createProject', '--input', 'nothing.json', '--auto-approve');
    expect(none.stderr).toContain('there is no file nothing.json');
    await shell.write({ 'site.tgz': Buffer.from([0, 255, 254, 0]) });
    const digest = ['--header', 'x-vercel-digest:abc', '--auto-approve'];
    const uploaded = await api('uploadFile', '--input', 'site.tgz', ...digest);
    expect(uploaded.status, uploaded.all).toBe(0);
    const folder = await api('getProjects', '--output', '.');
    expect(folder.stderr).toContain('. is a folder');
    expect((await api('getProjects', '--output', 'new/folder/all.json')).status).toBe(0);
    expect(readFileSync(join(shell.folder, 'new/folder/all.json'), 'utf8')).toContain('prj_1');
    const before = twin.requests.length;
    const inFile = await api(
      'createProject',
      '--input',
      'body.json',
      '--auto-approve',
      '--output',
      'made.json/all',
    );
    expect(inFile.stderr).toMatch(
      /made\.json\/all cannot be written.*\n.*choose a file in a writable folder/,
    );
    expect(twin.requests.length).toBe(before);
  });

  story('says what does not go together, and what the platform refused', async () => {
    const { api } = await account();
    expect((await api('getProjects', '--field', 'a=1')).stderr).toContain('takes no body');
    expect((await api('createProject', '--paginate')).stderr).toContain('--paginate is for lists');
    expect((await api('getProjects', '--header', 'authorization: x')).stderr).toContain(
      'set by trueup itself',
    );
    const up = await api('getProject', '--param', 'idOrName=..');
    expect(up.stderr).toContain('{idOrName} cannot be ".."');
    expect(up.stderr).not.toContain('fault of trueup');
    const refused = await api('createProject', '--field', 'name=web', '--auto-approve');
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/POST \/v11\/projects answered 409 /);
  });
});
