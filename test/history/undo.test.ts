import { expect, it, onTestFinished } from 'vitest';
import { inFront, type PassedAnswer } from '../support/in-front.ts';
import { git } from '../support/ledger-places.ts';
import { RecordedSite } from '../support/recorded-site.ts';
import { first, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(5);

const project = (framework: string, value: string, more = '') =>
  `projects: { web: { framework: ${framework}, env: { A: { value: ${value}, type: plain } } }${more} }\n`;

const webhook =
  'webhooks: { deploys: { url: https://hooks.example.com, events: [deployment.created], $secretTo: discard } }\n';

const web = (site: RecordedSite) => site.twin.account.projects.find(({ name }) => name === 'web')!;
const undo = (site: RecordedSite, run: number, ...args: string[]) =>
  site.run(['undo', `${run}`, '--auto-approve', '--settle', '0', ...args]);
const changesIn = async (site: RecordedSite) =>
  JSON.parse((await site.run(['plan', '--json'])).stdout).changes.filter(
    ({ action }: { action: string }) => action !== 'noop',
  );

it.each(first(['file', 'git'] as const, 1))(
  'with the ledger in %s: asks, goes back, and says what to revert',
  async (ledger) => {
    const site = await RecordedSite.open(ledger);
    site.commit(project('nextjs', 'one'));
    await site.apply();
    const commit = site.commit(project('astro', 'two'));
    await site.apply();
    const nobody = await site.run(['undo', '2']);
    expect([nobody.status, nobody.stderr]).toEqual([
      1,
      expect.stringContaining('needs a terminal or --auto-approve'),
    ]);
    expect(web(site)).toMatchObject({ framework: 'astro' });
    const { status, stdout, all } = await undo(site, 2);
    expect(status, all).toBe(0);
    expect(stdout).toContain(`git revert --no-edit ${commit}`);
    expect(web(site)).toMatchObject({ framework: 'nextjs' });
    git(site.checkout, 'revert', '--no-edit', commit);
    expect(await changesIn(site)).toEqual([]);
    expect(JSON.parse((await site.run(['log', '--json'])).stdout).runs[0]).toMatchObject({
      run: 3,
      command: 'undo',
      undoes: 2,
    });
  },
);

story('says how the ledger stays where it was committed together with the configuration', async () => {
  const site = await RecordedSite.open('file');
  site.commit(project('nextjs', 'one'));
  await site.apply();
  site.edit(project('astro', 'one'));
  git(site.checkout, 'add', '--all');
  git(site.checkout, 'commit', '--quiet', '-m', 'Change, and the ledger so far');
  await site.apply();
  const { status, stdout, all } = await undo(site, 2);
  expect(status, all).toBe(0);
  const commands = [...stdout.matchAll(/^ {2}(git .*)$/gm)].map(([, command]) => command!);
  git(site.checkout, 'add', '--all');
  git(site.checkout, 'commit', '--quiet', '-m', 'The ledger as it is');
  const [revert, restore] = commands.map((command) => command.split(' ').slice(1));
  // It tells of a conflict in the ledger, which the next command settles.
  expect(() => git(site.folder, ...revert!)).toThrow();
  git(site.folder, ...restore!);
  git(site.checkout, 'commit', '--quiet', '-m', 'Taken back');
  expect(await changesIn(site)).toEqual([]);
});

story('leaves alone what other runs did, and says where they changed the same', async () => {
  const site = await RecordedSite.open('file');
  site.commit(project('nextjs', 'one'));
  await site.apply();
  site.commit(project('astro', 'one'));
  await site.apply();
  site.commit(project('remix', 'two', ', api: { framework: hugo }'));
  await site.apply();
  const { status, stderr, all } = await undo(site, 2);
  expect(status, all).toBe(0);
  expect(stderr).toContain('projects/web: #3 changed it since; that is reverted too');
  expect(web(site)).toMatchObject({ framework: 'nextjs', env: [{ value: 'two' }] });
  expect(site.twin.account.projects.map(({ name }) => name).sort()).toEqual(['api', 'web']);
});

story('brings back what was set outside, from the record', async () => {
  const site = await RecordedSite.open('file');
  site.commit(project('nextjs', 'one'));
  await site.apply();
  // Drift in what is declared, and a value of what is not.
  Object.assign(web(site), { framework: 'hugo', installCommand: 'make deps' });
  site.commit(project('nextjs', 'one').replace('framework:', 'installCommand: npm ci, framework:'));
  await site.apply();
  expect(web(site)).toMatchObject({ framework: 'nextjs', installCommand: 'npm ci' });
  const { status, stderr, all } = await undo(site, 2);
  expect(status, all).toBe(0);
  expect(web(site)).toMatchObject({ framework: 'hugo', installCommand: 'make deps' });
  expect(stderr).toMatch(/`framework` is restored to the value set outside/);
  site.commit(project('nextjs', 'one'));
  // What the configuration says otherwise is all that it would change: the other field is nobody's again.
  expect(await changesIn(site)).toMatchObject([{ address: 'projects/web', fields: [{ path: 'framework' }] }]);
});

story('makes a deleted object anew with what nobody declared of it, which is nobody’s again', async () => {
  const site = await RecordedSite.open('file');
  const rule = (name: string) =>
    `{ name: ${name}, active: true, action: { mitigate: { action: deny } }, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /${name} }] }] }`;
  const body = (...names: string[]) =>
    `projects: { web: { framework: nextjs, firewall: { rules: [${names.map(rule).join(', ')}] } } }\n`;
  site.commit(body('a', 'b'));
  await site.apply();
  const live = () => web(site).firewall.active!.rules.find(({ name }) => name === 'b')!;
  Object.assign(live(), { description: 'asked for by finance' });
  const { id: _, ...was } = live();
  site.commit(body('a'));
  expect(await changesIn(site)).toMatchObject([{ action: 'delete', undo: 'wholly' }]);
  await site.apply();
  expect(live()).toBeUndefined();
  const { status, all } = await undo(site, 2);
  expect(status, all).toBe(0);
  expect(live()).toMatchObject(was);
  // What nobody declares may be changed outside, and is no drift.
  site.commit(body('a', 'b'));
  Object.assign(live(), { description: 'another' });
  expect(await changesIn(site)).toEqual([]);
});

it('lets go of what a run took over, as it was, and never deletes it', async () => {
  const site = await RecordedSite.open('file', {
    projects: [
      { name: 'web' },
      { name: 'old', framework: 'hugo', env: [{ key: 'X', value: 'theirs', type: 'plain' }] },
      { name: 'adopted' },
    ],
  });
  site.commit(project('nextjs', 'one'));
  await site.apply();
  site.commit(
    project(
      'nextjs',
      'one',
      ', old: { framework: astro, env: { X: { value: ours, type: plain } } }, adopted: {}',
    ),
  );
  await site.apply();
  const old = () => site.twin.account.projects.find(({ name }) => name === 'old')!;
  expect(old()).toMatchObject({ framework: 'astro', env: [{ value: 'ours' }] });
  const { status, stdout, all } = await undo(site, 2);
  expect(status, all).toBe(0);
  expect(stdout).toContain('# that run adopted it; it stays as it is, and is no longer managed');
  expect(stdout).not.toContain('$forget');
  expect(old()).toMatchObject({ framework: 'hugo', env: [{ value: 'theirs' }] });
  site.commit(project('nextjs', 'one'));
  expect(await changesIn(site)).toEqual([]);
  expect((await site.run(['ledger', 'list'])).stdout).not.toMatch(/projects\/(old|adopted)/);
});

it('names the lines that delete all containers which the run created', async () => {
  const site = await RecordedSite.open('file');
  site.commit('projects: { kept: {} }\n');
  await site.apply();
  const names = ['a', 'b', 'c', 'd'];
  const projects = names.map((name) => `${name}: {}`).join(', ');
  site.commit(`projects: { kept: {}, ${projects} }\ndomains: { example.com: {} }\n`);
  await site.apply();
  const { stderr } = await undo(site, 2);
  expect(stderr.split('\n\n').filter((paragraph) => paragraph.startsWith('Warning: '))).toEqual([
    [
      'Warning: 5 created objects with contents stay, because an undo deletes no such object: domains/example.com, projects/a, projects/b and 2 more [undo/container]',
      '  -> to delete them with their contents, remove their blocks, and add under `removed:` of the header:',
      '  | - { at: domains/example.com, delete: true }',
      ...names.map((name) => `  | - { at: projects/${name}, delete: true }`),
    ].join('\n'),
  ]);
});

it('undoes the first run of all, but deletes no container, and says how to do that', async () => {
  const site = await RecordedSite.open('file');
  site.commit(project('nextjs', 'one'));
  await site.apply();
  expect((await undo(site, 1, '--target', 'projects/web')).stderr).toContain('undo does not take --target');
  expect((await undo(site, 7)).stderr).toContain('there is no record of run 7');
  const { status, all } = await undo(site, 1);
  expect(status, all).toBe(0);
  expect(all).toContain('- { at: projects/web, delete: true }');
  expect(site.twin.account.projects).toHaveLength(1);
  // The stack still owns it, so that this works.
  site.commit('projects: { other: {} }\nremoved: [{ at: projects/web, delete: true }]\n');
  await site.apply();
  expect(site.twin.account.projects.map(({ name }) => name)).toEqual(['other']);
});

it('creates a deleted project again with the contents that its configuration declared', async () => {
  const site = await RecordedSite.open('file');
  site.commit(project('nextjs', 'one'));
  await site.apply();
  await site.run(['destroy', '--confirm', 'shop', 'projects/web', '--settle', '0']);
  expect(site.twin.account.projects).toEqual([]);
  const { status, all } = await undo(site, 2);
  expect(status, all).toBe(0);
  expect(all).toContain('of its contents, only the declared objects are created again');
  expect(all).toContain('Verified: the run is undone, except 1 object not fully as before (see the plan).');
  expect(web(site).env).toMatchObject([{ key: 'A', value: 'one' }]);
  expect(await changesIn(site)).toEqual([]);
});

it('reads the secrets of the configuration from before from their files in the work tree', async () => {
  const site = await RecordedSite.open('file');
  const env = 'env: { A: { value: "${secret.tracked}" }, B: { value: "${secret.ignored}" } }';
  const body = (fields: string) => `secrets: { tracked: { file: a.txt }, ignored: { file: b.txt } }
projects: { web: { framework: nextjs, ${fields} } }\n`;
  await site.write({ 'a.txt': 'canary-tracked', 'b.txt': 'canary-ignored', '.gitignore': 'b.txt\n' });
  site.commit(body(env));
  await site.apply('--allow-files', 'b.txt');
  site.commit(body(''));
  await site.apply();
  const { status, all } = await undo(site, 2, '--allow-files', 'b.txt');
  expect(status, all).toBe(0);
  expect(all).not.toContain('allow/unused');
  const values = web(site).env.map(({ value }) => value);
  expect(values.sort()).toEqual(['canary-ignored', 'canary-tracked']);
});

story('every plan says beforehand how far each change can be undone', async () => {
  const site = await RecordedSite.open('file');
  site.env.TRUEUP_SECRET_db = 'canary-first';
  const body = (framework: string) =>
    `secrets: { db: {} }\nprojects: { web: { framework: ${framework}, env: { DB: "\${secret.db}" } } }\n`;
  site.commit(body('nextjs'));
  await site.apply();
  site.env.TRUEUP_SECRET_db = 'canary-second';
  site.commit(body('astro'));
  const changes = await changesIn(site);
  expect(changes.map(({ kind, undo, undoLost }: Record<string, unknown>) => [kind, undo, undoLost])).toEqual([
    ['project', 'wholly', undefined],
    ...['development', 'preview', 'production'].map(() => ['projectEnvVar', 'but for a value', ['value']]),
  ]);
  const { stdout } = await site.run(['plan']);
  expect(stdout.match(/[Uu]ndo/g)).toHaveLength(1);
  expect(stdout).toContain('A later undo cannot restore every value of: projects/web/env/DB.');
});

story('blame says of each field its value, since when, by whom and from which commit', async () => {
  const site = await RecordedSite.open('git');
  const first = site.commit(
    project('nextjs', 'one').replace('framework:', 'installCommand: npm ci, framework:'),
  );
  await site.apply();
  site.env.USER = 'grace';
  const second = site.commit(
    project('astro', 'one').replace('framework:', 'installCommand: npm ci, framework:'),
  );
  await site.apply();
  Object.assign(web(site), { buildCommand: 'make' });
  const { stdout } = await site.run(['blame', 'projects/web']);
  expect(stdout).toMatch(new RegExp(`framework +astro +\\S+Z +grace +${second.slice(0, 12)} +#2`));
  expect(stdout).toMatch(new RegExp(`installCommand +npm ci +\\S+Z +ada +${first.slice(0, 12)} +#1`));
  expect(stdout).toMatch(/buildCommand +make +outside/);
  delete site.env.TRUEUP_TOKEN;
  const unread = await site.run(['blame', 'projects/web', '--json']);
  expect(unread.stderr).toContain('the account was not read');
  expect(JSON.parse(unread.stdout).fields).toMatchObject([
    { path: 'framework', by: 'grace', run: 2, commit: second },
    { path: 'installCommand', by: 'ada', run: 1 },
  ]);
  expect((await site.run(['blame', 'projects/nope'])).status).toBe(1);
  site.env.TRUEUP_TOKEN = 'a-token';
  site.commit('projects: { web: { customEnvironments: { qa: {} } } }');
  await site.apply();
  const bare = await site.run(['blame', 'projects/web/customEnvironments/qa']);
  expect([bare.status, bare.stdout]).toEqual([0, expect.stringContaining('has no fields that')]);
});

story('deletes an object without a name of its own whose creation was not answered', async () => {
  const created = `${project('nextjs', 'one')}${webhook}`;
  const site = await RecordedSite.open('file');
  let isBreaking = false;
  let isDown = false;
  const front = await inFront(
    () => site.twin.url,
    async ({ method }, pass) => {
      if (isDown) return undefined;
      const answer = await pass();
      isDown = isBreaking && method === 'POST';
      return isDown ? undefined : answer;
    },
  );
  onTestFinished(front.close);
  site.env.TRUEUP_BASE_URL = front.url;
  site.commit(project('nextjs', 'one'));
  await site.apply();
  const count = () => site.twin.account.projects.length + site.twin.account.webhooks.length;
  const before = count();
  const commit = site.commit(created);
  isBreaking = true;
  expect((await site.run(['apply', '--auto-approve', '--settle', '0'])).status).not.toBe(0);
  isBreaking = false;
  isDown = false;
  expect(count()).toBe(before + 1);
  const { status, stdout, all } = await undo(site, 2);
  expect(status, all).toBe(0);
  expect(count()).toBe(before);
  expect(stdout).toContain('Verified: the run is undone.');
  expect(stdout).toContain(`git revert --no-edit ${commit}`);
});

story('does not call a run undone while a project that it created stays', async () => {
  const site = await RecordedSite.open('file');
  site.commit(project('nextjs', 'one'));
  await site.apply();
  site.commit(project('nextjs', 'one', ', api: {}'));
  await site.apply();
  const { status, stdout, all } = await undo(site, 2);
  expect(status, all).toBe(0);
  expect(stdout).toContain('An undo reverts nothing that run 2 changed. The account was not read.');
  expect(all).toContain('- { at: projects/api, delete: true }');
  expect(all).not.toContain('undone');
  expect(site.twin.account.projects.map(({ name }) => name)).toContain('api');
});

story('is not verified while the account still shows a deleted object', async () => {
  const site = await RecordedSite.open('file');
  let shown: PassedAnswer | undefined;
  let isStale = false;
  const front = await inFront(
    () => site.twin.url,
    async ({ method, path }, pass) => {
      if (!/webhooks(\?|$)/.test(path) || method !== 'GET') return pass();
      if (!isStale) shown = await pass();
      return shown;
    },
  );
  onTestFinished(front.close);
  site.env.TRUEUP_BASE_URL = front.url;
  site.commit(project('nextjs', 'one'));
  await site.apply();
  site.commit(`${project('nextjs', 'one')}${webhook}`);
  await site.apply();
  await site.run(['plan']);
  isStale = true;
  const { status, stdout, stderr } = await undo(site, 2);
  expect(site.twin.account.webhooks).toEqual([]);
  expect(status).toBe(1);
  expect(stderr).toContain('Applied, but not verified: the account still shows webhooks/deploys.');
  expect(stdout).not.toContain('Verified');
});
