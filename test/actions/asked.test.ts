import { beforeEach, expect } from 'vitest';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { ThenStand, web } from './then-stand.ts';

const story = oneStoryIn(4);

/* Which changes ask for an action, and how many are under way at once. */

const stand = new ThenStand();
beforeEach(() => stand.begin());
const project = (rest: string, then = '[{ redeploy: { target: production } }]') =>
  `stack: demo\nplatform: { team: acme }\nprojects:\n  web:\n    framework: nextjs\n    $then: ${then}\n${rest
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('')}`;

const listed = 'env: { A: one, B: two }\ndomains: { www.shop.example: {} }';

/** What follows, of the plan. */
async function follows(text: string): Promise<boolean> {
  await stand.write(text);
  const { stdout } = await stand.plan();
  return /^ *redeploy projects\/web/m.test(stdout);
}

oneRowIn(5)([
  ['a creation in it', 'env: { A: one, B: two, C: three }\ndomains: { www.shop.example: {} }', true],
  ['an update in it', 'env: { A: two, B: two }\ndomains: { www.shop.example: {} }', true],
  ['a deletion in it', 'env: { A: one }\ndomains: { www.shop.example: {} }', true],
  ['a field of its own', `${listed}\nnodeVersion: 22.x`, true],
  [
    'what a run lets go of',
    'env: { A: one }\ndomains: { www.shop.example: {} }',
    false,
    'removed: [{ at: projects/web/env/B, delete: false }]',
  ],
  ['nothing', listed, false],
] as [string, string, boolean, string?][])(
  'without `when` all of it asks: %s',
  async (_, rest, isAsked, removed = '') => {
    await stand.write(project(listed));
    expect((await stand.apply()).status).toBe(0);
    expect(await follows(`${project(rest)}${removed}\n`)).toBe(isAsked);
  },
);

const inEnv = '[{ redeploy: { target: production }, when: [env, buildCommand] }]';
oneRowIn(4)([
  ['a section that it names', 'env: { A: two, B: two }\ndomains: { www.shop.example: {} }', true],
  ['a field that it names', `${listed}\nbuildCommand: make`, true],
  [
    'another section',
    'env: { A: one, B: two }\ndomains: { www.shop.example: {}, b.shop.example: {} }',
    false,
  ],
  ['another field', `${listed}\nnodeVersion: 22.x`, false],
])('with `when` only that asks: %s', async (_, rest, isAsked) => {
  await stand.write(project(listed, inEnv));
  expect((await stand.apply()).status).toBe(0);
  expect(await follows(project(rest, inEnv))).toBe(isAsked);
});

story('a place among others asks, too', async () => {
  const rules = (names: string[]) =>
    `firewall:\n  firewallEnabled: true\n  rules: [${names
      .map(
        (name) =>
          `{ name: ${name}, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /${name} }] }], action: { mitigate: { action: deny } } }`,
      )
      .join(', ')}]`;
  await stand.write(project(rules(['a', 'b', 'c'])));
  const done = await stand.apply();
  expect(done.status, done.all).toBe(0);
  await stand.write(project(rules(['c', 'a', 'b'])));
  const { stdout } = await stand.plan();
  expect(stdout).toContain('redeploy projects/web');
  expect(stdout).toContain('after projects/web/firewall/rules/c');
});

story('what is there already, and is only recorded, does not ask', async () => {
  await stand.write(project('nodeVersion: 22.x'));
  expect((await stand.apply()).status).toBe(0);
  await stand.shell.run([
    'api',
    'PATCH',
    '/v9/projects/web',
    '--field',
    'buildCommand=make',
    '--auto-approve',
  ]);
  expect(await follows(project('nodeVersion: 22.x\nbuildCommand: make'))).toBe(false);
});

story('no more are under way at once than --parallelism says', async () => {
  const all = ['site-de', 'site-fr', 'web'];
  const text = (value: string) =>
    `stack: demo\nplatform: { team: acme }\nprojects: { ${all.map((name) => `${name}: {}`).join(', ')} }\nsharedEnv:\n  DSN: { value: ${value}, projectId: [web], $then: [{ redeploy: { project: ['*'] } }] }\n`;
  /** How many were under way at once: each waits for so many of them. */
  const most = async (value: string, atOnce: number, ...args: string[]) => {
    await stand.write(text(value));
    let [now, highest] = [0, 0];
    let open = () => {};
    const gate = new Promise<void>((done) => {
      open = done;
    });
    const before = stand.made().length;
    const { provider } = stand.shell;
    stand.shell.provider = {
      ...provider,
      connect: async (settings) => {
        const connection = await provider.connect(settings);
        return {
          ...connection,
          send: async (request, confirm) => {
            if (!request.endpoint.startsWith('POST /v13/deployments'))
              return connection.send(request, confirm);
            highest = Math.max(highest, ++now);
            if (now === atOnce) open();
            await gate;
            return connection.send(request, confirm).finally(() => now--);
          },
        };
      },
    };
    const done = await stand.apply(...args);
    stand.shell.provider = provider;
    expect([done.status, stand.made().length - before], done.all).toEqual([0, 3]);
    return highest;
  };
  expect(await most('one', 1, '--parallelism', '1')).toBe(1);
  expect(await most('two', 2, '--parallelism', '2')).toBe(2);
  expect(await most('three', 3)).toBe(3);
});

story('what an action is given may be of the very resource that it stands on', async () => {
  await stand.write(
    web(
      'one',
      '',
      '[{ invalidateByTags: { tags: ["${projects.web.framework}", "p-${projects.web.id}"] }, when: [env] }]',
    ),
  );
  const done = await stand.apply();
  expect([done.status, done.stdout.includes('sent invalidateByTags')], done.all).toEqual([0, true]);
  const request = stand.twin.requests.find(({ path }) => path.includes('invalidate-by-tags'));
  expect(request?.body).toEqual({ tags: ['nextjs', `p-${stand.twin.account.projects[0]!.id}`] });
});
