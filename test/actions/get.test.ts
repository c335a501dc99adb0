import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { inFront } from '../support/in-front.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(7);

/* `trueup get` and `trueup wait`, on an account whose builds take a minute by a clock of their own. */

const canary = 'canary-of-a-variable-5731';
const seed = {
  team: { id: 'team_1', slug: 'acme' },
  domains: [{ name: 'example.com', records: [{ name: 'www', type: 'A', value: '192.0.2.1' }] }],
  projects: [
    {
      name: 'web',
      env: [{ key: 'TOKEN', value: canary, target: ['production'], type: 'encrypted' }],
      domains: [{ name: 'www.example.com' }],
      deployments: Array.from({ length: 30 }, (_, at) => ({ id: `dpl_${at}`, target: 'production' })),
    },
    { name: 'site-a' },
    { name: 'site-b' },
  ],
};

/** A clock that is put forward by whoever sleeps. */
let time = Date.parse('2026-01-01T00:00:00Z');
const clock = {
  now: () => time,
  monotonic: () => time,
  sleep: async (milliseconds: number) => {
    time += milliseconds;
    await new Promise((done) => setImmediate(done));
  },
};

let shell: Shell;
let twin: Twin;
beforeAll(async () => {
  shell = await new Shell().write({ 'trueup.yaml': 'stack: demo\nplatform: { team: acme }\n' });
  shell.clock = clock;
  twin = await shell.withTwin(seed as never, { now: clock.now, switches: { buildSeconds: 60 } });
});

const got = async (...args: string[]) => {
  const done = await shell.run(['get', ...args]);
  expect(done.status, done.all).toBe(0);
  return done;
};
/** Begins a build, as a push would. */
async function build(): Promise<string> {
  const body = ['--field', 'name=web', '--field', 'target=production', '--field', 'deploymentId=dpl_0'];
  const { stdout } = await shell.run([
    'api',
    'createDeployment',
    '--query',
    'forceNew=1',
    ...body,
    '--auto-approve',
  ]);
  return JSON.parse(stdout).id;
}

story('a kind is a lookup: one object, several by a glob, as a table, JSON or YAML', async () => {
  const { stdout } = await got('project', 'site-*', '--fields', 'address,name,nodeVersion');
  expect(stdout).toBe(
    'ADDRESS          NAME    NODEVERSION\nprojects/site-a  site-a  24.x\nprojects/site-b  site-b  24.x\n',
  );
  const json = JSON.parse((await got('project', 'web', '--json', '--fields', 'address,name')).stdout);
  expect(json).toEqual({
    formatVersion: '1.0',
    kind: 'project',
    objects: [{ address: 'projects/web', name: 'web' }],
  });
  expect(
    (await got('projectDomain', 'projects/web/**', '--format', 'yaml', '--fields', 'address')).stdout,
  ).toBe(
    'formatVersion: "1.0"\nkind: projectDomain\nobjects:\n  - address: projects/web/domains/www.example.com\n',
  );
});

story('an address may be spelled in another way, as elsewhere', async () => {
  const { stdout } = await got('dnsRecord', 'domains/EXAMPLE.com/records/www/A', '--fields', 'address');
  expect(stdout).toBe('address  domains/example.com/records/www/A\n');
  for (const subject of [
    ['--of', 'EXAMPLE.com'],
    ['--where', 'domain=domains/EXAMPLE.com'],
  ])
    expect((await got('domainUse', ...subject, '--json')).status).toBe(0);
});

story('conditions hold for an object that is named, too', async () => {
  expect(
    (await got('deployment', 'dpl_0', '--where', 'target=production', '--where', 'state=READY')).stdout,
  ).toContain('dpl_0');
  for (const condition of ['state=ERROR', 'target=staging'])
    expect((await shell.run(['get', 'deployment', 'dpl_0', '--where', condition])).stderr).toContain(
      'there is no deployment "dpl_0"',
    );
});

story('a named object of another subject is not there', async () => {
  expect((await got('deployment', 'dpl_0', '--of', 'web')).stdout).toContain('dpl_0');
  for (const command of ['get', 'wait'])
    expect((await shell.run([command, 'deployment', 'dpl_0', '--of', 'site-a'])).stderr).toContain(
      'there is no deployment "dpl_0"',
    );
  // Its own request cannot ask for a project, and its answer does not name one, so the list is asked.
  twin.clearRequests();
  await shell.run(['get', 'sandboxSession', 'none', '--where', 'project=web']);
  const last = twin.requests.at(-1)!;
  expect(last.path).toMatch(/^\/v2\/sandboxes\/sessions\?.*project=web/);
});

test('what is secret in the account is never printed', async () => {
  for (const args of [[], ['--json'], ['--format', 'yaml']]) {
    const { all } = await got('projectEnvVar', 'projects/web/**', ...args);
    expect(all).toContain('TOKEN');
    expect(all).not.toContain(canary);
  }
});

test('a secret field of a lookup is neither printed nor confirmed to whoever guesses it', async () => {
  const asked = ['domainAuthCode', '--where', 'domain=a.com'];
  const { objects } = JSON.parse((await got(...asked, '--json')).stdout);
  expect(objects).toEqual([{ authCode: '(secret)' }]);
  expect((await got(...asked)).stdout).toBe('authCode  (secret)\n');
  // That is the text that the twin has for it.
  const guess = await shell.run(['wait', ...asked, '--for', 'authCode=authCode', '--timeout', '0']);
  expect(guess.status).toBe(75);
});

story('what is not there, or not known, is told', async () => {
  const wrong = async (...args: string[]) => {
    const done = await shell.run(args);
    expect(done.status, `${args.join(' ')}: ${done.all}`).toBe(1);
    return done.stderr;
  };
  expect(await wrong('get', 'deploymnet')).toContain('did you mean `deployment`?');
  expect(await wrong('get', 'project', 'none')).toContain('there is no project "none" in the account');
  expect(await wrong('get', 'deployment', '--fields', 'stat')).toContain('did you mean `state`?');
  expect(await wrong('get', 'deployment', '--where', 'taret=production')).toContain('did you mean `target`?');
  expect(await wrong('get', 'rollout')).toContain('rollout needs to know which project');
  for (const first of [
    ['--of', 'site-a'],
    ['--where', 'project=site-a'],
  ])
    expect(await wrong('get', 'deployment', ...first, '--where', 'project=web')).toContain(
      'deployment is about one project, but 2 are given',
    );
  expect(await wrong('get', 'tld', '--of', 'web')).toContain('tld is about the account');
  for (const command of ['get', 'wait'])
    expect(await wrong(command, 'deployment', 'dpl_none')).toContain('there is no deployment "dpl_none"');
  expect(await wrong('get', 'metric', 'none')).toContain('there is no metric "none"');
  expect(await wrong('get', 'tld', '--watch')).toContain('there is nothing to watch');
  expect(await wrong('wait', 'tld')).toContain('tld has no end state');
});

test('a long list is cut, newest first, and that is said; the platform is asked for no more than that', async () => {
  const done = await got('deployment', '--of', 'web', '--fields', 'id', '--limit', '2');
  expect(done.stdout).toBe('ID\ndpl_29\ndpl_28\n');
  expect(done.stderr).toContain('There are more: raise --limit to show them.');
  const before = twin.requests.length;
  await got('deployment', '--where', 'project=web', '--where', 'target=production', '--where', 'state=READY');
  const asked = twin.requests.slice(before).find(({ path }) => path.startsWith('/v7/deployments'))!;
  // What the platform can be asked for it is; the rest is compared here.
  expect(asked.path).toContain('target=production');
  expect(asked.path).not.toContain('state=');
});

story(
  'wait ends with 0 once it is reached, 1 where it ended otherwise, and 75 where it is still under way',
  async () => {
    const id = await build();
    const wait = ['wait', 'deployment', id];
    const late = await shell.run([...wait, '--timeout', '20']);
    expect([late.status, late.stderr.split('\n').slice(0, 1)]).toEqual([75, [`deployment ${id}: QUEUED`]]);
    expect(late.stderr).toContain('Still running after 20 s.');
    const reached = await shell.run([...wait, '--json']);
    expect([reached.status, JSON.parse(reached.stdout).objects[0].state]).toEqual([0, 'READY']);
    expect(reached.stderr).toContain(`deployment ${id}: BUILDING\ndeployment ${id}: READY\n`);
    // It rests, and is not what was wished: waiting on is of no use.
    expect((await shell.run([...wait, '--for', 'state=READY', '--for', 'target=preview'])).status).toBe(1);
  },
);

story('of several, the newest is waited for', async () => {
  const id = await build();
  const done = await shell.run(['wait', 'deployment', '--of', 'web', '--where', 'target=production']);
  expect([done.status, done.stdout.split('\n')[0]]).toEqual([0, `id         ${id}`]);
});

story('get --watch goes on until what is in motion rests', async () => {
  const id = await build();
  const { stdout, stderr } = await got('deployment', '--of', 'web', '--limit', '1', '--watch');
  expect(stderr).toContain(`deployment ${id}: QUEUED\ndeployment ${id}: BUILDING\ndeployment ${id}: READY\n`);
  expect(stdout).toContain('READY');
});

test('a state with line ends and colours is one line of plain text', async () => {
  const id = await build();
  const front = await inFront(
    () => twin.url,
    async (_, pass) => {
      const answer = (await pass())!;
      const text = answer.body.toString().replaceAll('QUEUED', 'ERROR\\u001b[8m\\nDone: all');
      return { ...answer, body: Buffer.from(text) };
    },
  );
  onTestFinished(front.close);
  const behind = await new Shell().write({ 'trueup.yaml': 'stack: demo\nplatform: { team: acme }\n' });
  behind.clock = clock;
  behind.env = { ...shell.env, TRUEUP_BASE_URL: front.url };
  const { stderr } = await behind.run(['wait', 'deployment', id, '--timeout', '1']);
  expect(stderr).toContain(`deployment ${id}: ERROR\\u001b[8m Done: all\n`);
});

story('at a terminal it is one table, drawn anew until all rests', async () => {
  const id = await build();
  const args = ['get', 'deployment', '--of', 'web', '--limit', '1', '--watch', '--fields', 'id,state'];
  const { status, stderr, stdout } = await shell.run(args, { isTerminal: true });
  const shown = stripVTControlCharacters(stderr);
  expect(status, stderr).toBe(0);
  expect(shown).toMatch(new RegExp(`${id} +QUEUED[\\s\\S]*${id} +BUILDING[\\s\\S]*${id} +READY`));
  // What was drawn is taken away again; the last look stays.
  expect(stderr).toContain('\u001b[2K');
  expect(stripVTControlCharacters(stdout)).toMatch(new RegExp(`${id}[\\s\\S]*READY`));
});

test('Ctrl-C ends a wait with 130', async () => {
  const id = await build();
  const standing = new Shell(shell.folder);
  standing.env = shell.env;
  standing.clock = {
    ...clock,
    sleep: (_: number, stop?: AbortSignal) =>
      new Promise((__, no) => stop?.addEventListener('abort', () => no(new Error('over')))),
  };
  const run = standing.start(['wait', 'deployment', id]);
  while (!run.said().includes('QUEUED')) await new Promise((done) => setTimeout(done, 5));
  run.signal('SIGINT');
  expect((await run.ended).status).toBe(130);
});

story('completion knows actions, lookups, and kinds where they can be read', async () => {
  const words = async (kind: string) => (await shell.run(['__complete', kind])).stdout.trim().split('\n');
  expect(await words('action')).toContain('redeploy');
  expect(await words('lookup')).not.toContain('project');
  expect(await words('readable')).toEqual(expect.arrayContaining(['deployment', 'project']));
  expect((await shell.run(['completion', 'fish'])).stdout).toContain('__trueup_words action');
});

story('the manual has all of an action and of a lookup', async () => {
  const { stdout } = await shell.run(['run', 'redeploy', '--list']);
  for (const part of [
    'INPUT',
    'target',
    'Disruptive: visitors see it',
    '`--wait` follows it with the lookup deployment until it ends',
    'POST /v13/deployments',
  ])
    expect(stdout).toContain(part);
  expect((await shell.run(['get', 'deployment', '--list'])).stdout).toContain(
    '`trueup wait` ends once `state` is READY',
  );
  const { actions } = JSON.parse((await shell.run(['run', '--list', '--json'])).stdout);
  expect(actions.length).toBeGreaterThan(50);
});
