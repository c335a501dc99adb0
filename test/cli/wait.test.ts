import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../providers/hosting/connect.ts';
import type { Seed, TwinOptions } from '../../providers/hosting/twin/index.ts';
import { systemClock } from '../../src/http/clock.ts';
import { type Running, Shell } from '../support/cli.ts';
import { gateTo } from '../support/gate.ts';
import { manualClock } from '../support/manual-clock.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { until } from '../support/until.ts';

const story = oneStoryIn(7);

const project = (section: string, more = '') => `stack: demo
platform: { team: acme }
projects:
  web:
    ${section}
${more}`;
const link = (keys = '$wait: { minutes: 10 }') =>
  project(
    `privateLinks: { database: { vercelRegion: iad1, awsServiceName: com.amazonaws.vpce.svc-1, $allow: [cost], ${keys} } }`,
  );
const database = 'projects/web/privateLinks/database';
const apply = ['apply', '--auto-approve', '--settle', '0'];

/** A folder and a platform that share a clock, which stands until it is put forward. */
async function start(yaml: string, { seed, ...options }: TwinOptions & { seed?: Seed } = {}) {
  const clock = manualClock();
  let pauses = 0;
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  shell.clock = {
    ...clock,
    sleep: (milliseconds, signal) => {
      // A look is given more time than any pause has.
      if (milliseconds <= 30_000) pauses += 1;
      return clock.sleep(milliseconds, signal);
    },
  };
  const twin = await shell.withTwin(seed, { now: clock.now, ...options });
  /** Starts an apply, and comes back when it waits. */
  const waiting = async (args = apply): Promise<Running> => {
    const run = shell.start(args);
    await heard(run, 'waiting up to');
    return run;
  };
  /** Puts the clock forward to the next look, and comes back when that is over. */
  const pass = async (run: Running, seconds: number): Promise<void> => {
    const before = pauses;
    let isOver = false;
    void run.ended.then(() => {
      isOver = true;
    });
    clock.advance(seconds * 1000);
    await until(() => isOver || pauses > before);
  };
  const passAll = async (run: Running, pauses: number[]) => {
    for (const seconds of pauses) await pass(run, seconds);
  };
  return { shell, twin, clock, waiting, passAll };
}

/** Comes back once a run has said something; fails where it ends without. */
async function heard(run: Running, text: string): Promise<void> {
  let isOver = false;
  void run.ended.then(() => {
    isOver = true;
  });
  await until(() => isOver || run.said().includes(text));
  expect(run.said()).toContain(text);
}

/** The lines that tell of an address. */
const linesOf = (text: string, address: string) =>
  text.split('\n').filter((line) => line.startsWith(`${address}: `));

story('apply waits for what has `$wait`, with reads of its list alone, and without the lease', async () => {
  const { shell, twin, waiting, passAll } = await start(link(), { switches: { privateLinkAccepted: true } });
  const run = await waiting();
  expect(run.said()).toContain('Verified: the account matches the configuration');
  expect(existsSync(join(shell.folder, '.trueup/ledger/demo.json'))).toBe(true);
  expect(existsSync(join(shell.folder, '.trueup/ledger/demo.lock'))).toBe(false);
  const before = twin.requests.length;
  await passAll(run, [5, 7, 10, 15, 20, 30, 30, 30]);
  const { status, stdout, stderr } = await run.ended;
  expect(status).toBe(0);
  expect(stdout).toContain(`Not ready yet (not a change):
  ${database}: ready once the owner of the service in AWS has accepted it (apply waits for it, up to 10 minutes)
`);
  expect(linesOf(stderr, database).slice(-3)).toEqual([
    `${database}: waiting up to 10 min: the platform is still setting it up`,
    `${database}: waiting up to 10 min: the owner of the service in AWS has not accepted it yet`,
    `${database}: ready after 3 min`,
  ]);
  const asked = twin.requests.slice(before).map(({ method, path }) => `${method} ${path.split('?')[0]}`);
  expect(asked).toEqual(Array(8).fill('GET /v1/networking/privatelink/endpoints'));
});

story(
  'its time is over: told, 75, and the next apply waits again, until Ctrl-C or until it is ready',
  async () => {
    const { shell, twin, waiting, passAll } = await start(link('$wait: { minutes: 1 }'));
    const run = await waiting();
    await passAll(run, [5, 7, 10, 15, 20, 3]);
    const over = await run.ended;
    expect(over.status).toBe(75);
    expect(over.stderr).toContain(
      `Warning: ${database}: not ready after 1 minute, the limit of \`$wait\`: the owner of the service in AWS has not accepted it yet`,
    );
    expect(over.stderr).toContain('-> everything is applied; the next apply waits again');

    // What waits is shown, and nothing that anybody has to do.
    const plan = await shell.run(['plan', '--detailed-exitcode']);
    expect(plan.status).toBe(0);
    expect(plan.stdout).toContain(`Not ready yet (not a change):
  ${database}: the owner of the service in AWS has not accepted it yet (apply waits for it, up to 1 minute)
`);
    expect(plan.stdout).toContain('No changes. The account matches the configuration.');
    expect((await shell.run(['plan', '--drift-exitcode'])).status).toBe(0);

    const writes = () => twin.requests.filter(({ method }) => method !== 'GET').length;
    const sent = writes();
    const stopped = await waiting();
    await passAll(stopped, [5]);
    stopped.signal('SIGINT');
    const { status, stderr } = await stopped.ended;
    expect(status).toBe(130);
    expect(stderr).toContain('Stopped waiting. Everything is applied and recorded');
    expect(existsSync(join(shell.folder, '.trueup/ledger/demo.lock'))).toBe(false);

    const resumed = await waiting();
    twin.account.projects[0]!.privateLinks[0]!.status = 'available';
    await passAll(resumed, [5]);
    expect(await resumed.ended).toMatchObject({ status: 0 });
    expect(resumed.said()).toContain(`${database}: ready after 5 s`);
    const last = await shell.run(apply);
    expect([last.status, last.all.includes('waiting'), last.all.includes('Not ready')]).toEqual([
      0,
      false,
      false,
    ]);
    expect(writes()).toBe(sent);
  },
);

story('nothing is waited for that does not ask for it, and what failed is not waited for', async () => {
  const { shell, twin } = await start(link('$protect: true'));
  const { status, stdout, stderr } = await shell.run(apply);
  expect([status, stderr.includes('waiting')]).toEqual([0, false]);
  // What is not ready is told once more, as it is by now.
  expect(stdout.split('Applied ')[1]).toContain(`${database}: the platform is still setting it up`);

  await shell.write({ 'trueup.yaml': link() });
  const [made] = twin.account.projects[0]!.privateLinks;
  made!.status = 'rejected';
  const failed = await shell.run(apply);
  expect(failed.status).toBe(1);
  expect(failed.stderr).toContain(
    `Error: ${database}: not ready, and waiting will not help: the owner of the service in AWS has rejected it`,
  );
});

story('Ctrl-C ends it at once, whatever a look waits for', async () => {
  const { shell, twin, clock, waiting } = await start(link());
  let isHeld = false;
  const gate = await gateTo(twin.url, (_, path) => isHeld && path.includes('/privatelink/'));
  shell.env = { ...shell.env, TRUEUP_BASE_URL: gate.url };
  const run = await waiting();
  isHeld = true;
  clock.advance(5000);
  await gate.firstHeld;
  run.signal('SIGINT');
  const { status, stderr } = await run.ended;
  expect([status, stderr.trimEnd().split('\n').at(-1)]).toEqual([
    130,
    'Stopped waiting. Everything is applied and recorded; the next apply waits again for the objects that are not ready.',
  ]);
});

story(
  'a network of somebody else is waited for, too; on a terminal each has a line that goes when it is ready',
  async () => {
    const networks = ['front', 'back'].map((name) => `  ${name}: { $existing: true, $wait: { minutes: 5 } }`);
    const yaml = `stack: demo\nplatform: { team: acme }\nnetworks:\n${networks.join('\n')}\n`;
    const seed = (name: string) => ({
      name,
      region: 'iad1',
      cidr: '10.0.0.0/16',
      status: 'create_in_progress' as const,
    });
    const { shell, twin, passAll } = await start(yaml, { seed: { networks: [seed('front'), seed('back')] } });
    shell.env = { ...shell.env, NO_COLOR: '1' };
    const run = shell.start(apply, { isTerminal: true });
    await heard(run, 'networks/front: waiting up to');
    const [front] = twin.account.networks;
    front!.status = 'ready';
    await passAll(run, [5]);
    await heard(run, 'networks/front: ready after 5 s');
    const shown = run.said().split('networks/front: ready after 5 s')[1]!;
    expect(shown).toContain('networks/back: waiting up to 5 min: the platform is still setting it up');
    expect(shown).not.toContain('networks/front');
    await passAll(run, [7, 10, 15, 20, 30]);
    expect(await run.ended).toMatchObject({ status: 0 });
    expect(run.said()).toContain('networks/back: ready after 87 s');
  },
);

story('the wait of one stack holds up none that changes the same list', async () => {
  const { shell, twin, waiting, passAll } = await start('', {
    seed: { projects: [{ name: 'web' }] },
    switches: { privateLinkAccepted: true },
  });
  const stack = (name: string, more = '') => `stack: ${name}
platform: { team: acme }
projects: { web: { $existing: true, bulkRedirects: { /${name}: { destination: /to } }${more} } }
`;
  const slow =
    ', privateLinks: { database: { vercelRegion: iad1, awsServiceName: com.amazonaws.vpce.svc-1, $allow: [cost], $wait: { minutes: 10 } } }';
  await shell.write({
    'trueup.workspace.yaml': 'stacks: [one, two]\n',
    'one/trueup.yaml': stack('one', slow),
    'two/trueup.yaml': stack('two'),
  });
  const run = await waiting(['apply', '--all', ...apply.slice(1)]);
  await heard(run, 'two: Verified: the account matches the configuration.');
  const live = twin.account.projects[0]!.bulkRedirects.find(({ isLive }) => isLive);
  expect(live?.items.map(({ source }) => source)).toEqual(['/one', '/two']);
  expect(run.said()).not.toContain('ready after');
  await passAll(run, [5, 7, 10, 15, 20, 30, 30, 30]);
  expect(await run.ended).toMatchObject({ status: 0 });
});

story('somebody deletes it meanwhile', async () => {
  const { twin, waiting, passAll } = await start(link());
  const run = await waiting();
  twin.account.projects[0]!.privateLinks = [];
  await passAll(run, [5]);
  expect(await run.ended).toMatchObject({ status: 1 });
  expect(run.said()).toContain(`${database}: no longer exists`);
});

story(
  'a project domain under the domain of others: the record is told, and the platform is asked to look',
  async () => {
    const domain = 'projects/web/domains/www.other.example';
    const { twin, waiting, passAll } = await start(
      project('domains: { www.other.example: { $wait: { minutes: 10 } } }'),
      { seed: { domains: [{ name: 'other.example', owner: 'personal' }] } },
    );
    const run = await waiting();
    expect(run.said()).toContain(
      `${domain}: waiting up to 10 min: the platform has not verified it yet: it needs "TXT" at "_vercel.other.example" with "vc-domain-verify=www.other.example,twin"`,
    );
    await passAll(run, [5]);
    const [zone] = twin.account.domains;
    zone!.records.push({
      ...{ id: 'rec_1', type: 'TXT', name: '_vercel', value: 'vc-domain-verify=www.other.example,twin' },
      ...{ ttl: 60, comment: '', creator: 'user', createdAt: 0, updatedAt: 0 },
    } as (typeof zone & object)['records'][number]);
    await passAll(run, [7]);
    expect(await run.ended).toMatchObject({ status: 0 });
    expect(run.said()).toContain(`${domain}: ready after 12 s`);
  },
);

story(
  'a verified domain is waited for until its DNS points to the platform, and is not verified again',
  async () => {
    const domain = 'projects/web/domains/www.example.com';
    const { twin, waiting, passAll } = await start(
      project('domains: { www.example.com: { $wait: { minutes: 1 } } }'),
      {
        seed: {
          domains: [
            { name: 'example.com', records: [{ type: 'CNAME', name: 'www', value: 'a.example.net' }] },
          ],
        },
      },
    );
    const first = await waiting();
    expect(first.said()).toContain(
      `${domain}: waiting up to 60 s: its DNS does not point to the platform, so it serves nothing; it needs the DNS record CNAME with "cname.vercel-dns.com."`,
    );
    await passAll(first, [5, 7, 10, 15, 20, 3]);
    expect(await first.ended).toMatchObject({ status: 75 });
    expect(first.said()).toContain(`Warning: ${domain}: not ready after 1 minute`);
    expect(first.said()).not.toContain('[plan/not-ready]');
    const second = await waiting();
    await passAll(second, [5]);
    twin.account.domains[0]!.records = [];
    await passAll(second, [7]);
    expect(await second.ended).toMatchObject({ status: 0 });
    expect(second.said()).toContain(`${domain}: ready after 12 s`);
    expect(twin.requests.filter(({ path }) => path.includes('/verify'))).toEqual([]);
  },
);

const builds = (...states: ('BUILDING' | 'READY')[]): Seed => ({
  projects: [
    {
      name: 'web',
      deployments: states.map((state, at) => ({ state, meta: { trueup: `v${at}` } })),
    },
  ],
});
const deployments = (keys: string) => project(`deployments: { v0: { ${keys} }, v1: { ${keys} } }`);

story(
  'a deployment is ready once it is built; one whose build failed is told, and built anew by the next apply',
  async () => {
    const { shell, twin, waiting, passAll } = await start(deployments('$wait: { minutes: 10 }'), {
      seed: builds('BUILDING', 'BUILDING'),
    });
    const plan = await shell.run(['plan']);
    expect(plan.stdout).toContain(
      'projects/web/deployments/v0: the platform is still building it (apply waits',
    );
    const run = await waiting();
    const [first, second] = twin.account.projects[0]!.deployments;
    first!.state = 'READY';
    await passAll(run, [5]);
    second!.state = 'ERROR';
    await passAll(run, [7]);
    const { status, stderr } = await run.ended;
    expect(status).toBe(1);
    expect(stderr).toContain('projects/web/deployments/v0: ready after 5 s');
    expect(stderr).toContain(
      'Error: projects/web/deployments/v1: not ready, and waiting will not help: its build failed or was canceled, or it was deleted; the next apply builds it again',
    );
  },
);

test('a new deployment is ready later, and what it is made of is applied by then', async () => {
  const { shell } = await start(
    project('deployments: { v1: { gitSource: { type: github, org: acme, repo: web, ref: main } } }'),
  );
  const { stdout } = await shell.run(['plan']);
  expect(stdout).toContain(`Not ready yet (not a change):
  projects/web/deployments/v1: ready once it is built`);
});

story(
  'a saved plan is still the approved one when something became ready, and waits like any other',
  async () => {
    const { shell, twin, waiting, passAll } = await start(link());
    const first = await waiting();
    first.signal('SIGTERM');
    expect((await first.ended).status).toBe(130);
    await shell.write({ 'trueup.yaml': `${link()}    buildCommand: make\n` });
    expect((await shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
    const shown = await shell.run(['show', 'plan.json']);
    expect(shown.stdout).toContain(`${database}: the platform is still setting it up (apply waits`);
    twin.account.projects[0]!.privateLinks[0]!.status = 'pending-acceptance';
    const run = await waiting(['apply', 'plan.json', '--settle', '0']);
    twin.account.projects[0]!.privateLinks[0]!.status = 'available';
    await passAll(run, [5]);
    expect(await run.ended).toMatchObject({ status: 0 });
    expect(twin.account.projects[0]!.buildCommand).toBe('make');
  },
);

test('text from outside is masked, and is no more than text', async () => {
  const { shell, twin } = await start(
    `${link('$wait: { minutes: 5 }')}    env: { A: "\${secret.a}" }\nsecrets: { a: {} }\n`,
  );
  shell.env = { ...shell.env, TRUEUP_SECRET_a: 'canary-3f9a1c77' };
  const run = shell.start(apply);
  await heard(run, 'waiting up to');
  run.signal('SIGINT');
  await run.ended;
  const [made] = twin.account.projects[0]!.privateLinks;
  Object.assign(made!, { status: 'failed', statusMessage: 'see canary-3f9a1c77\u001b[2J\n::error::x' });
  const formats = ['text', 'json', 'html', 'markdown', 'terraform'];
  for (const format of formats) {
    const { stdout } = await shell.run(['plan', '--format', format]);
    expect(stdout, format).toContain('the platform could not set it up');
    expect(stdout, format).not.toContain('canary-3f9a1c77');
    expect(stdout, format).not.toContain('\u001b');
    expect(stdout, format).not.toMatch(/^::error/m);
  }
  const { all } = await shell.run(apply);
  expect(all).not.toContain('canary-3f9a1c77');
  expect(all).not.toMatch(/^::error/m);
});

const certificate = `stack: demo
platform: { team: acme }
certificates: { www: { cns: [www.example.com] } }
`;
const issuing = (seconds: number) => ({ domains: [{ name: 'example.com' }], issuing: { seconds } });

story(
  'a certificate is asked for again while its names are validated; one that takes longer is made by the next apply',
  async () => {
    // Pauses between requests take no time, on the clock of the twin.
    let time = Date.parse('2026-03-01T12:00:00Z');
    const clock = {
      ...systemClock,
      now: () => time,
      sleep: async (milliseconds: number) => {
        time += milliseconds;
      },
    };
    const shell = await new Shell().write({ 'trueup.yaml': certificate });
    shell.provider = { ...shell.provider, connect: async (settings) => connect(settings, { clock }) };
    const twin = await shell.withTwin(issuing(1), { now: () => time });
    const asked = () =>
      twin.requests.flatMap(({ method, path, status }) =>
        method === 'POST' && path.startsWith('/v8/certs') ? [status] : [],
      );
    const done = await shell.run(apply);
    expect(done.status, done.all).toBe(0);
    expect(new Set(asked())).toEqual(new Set([449, 200]));
    expect(twin.account.certificates).toHaveLength(1);

    twin.account.certificates = [];
    twin.account.paces = { issuing: { seconds: 100_000 } };
    const late = await shell.run(apply);
    expect(late.status, late.all).toBe(1);
    expect(late.all).toMatch(/validation_running: There is a validation in course[\s\S]*run again later/);
    time += 100_000_000;
    expect((await shell.run(apply)).status).toBe(0);
    expect(twin.account.certificates).toHaveLength(1);
  },
);
