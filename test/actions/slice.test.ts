import { beforeAll, expect, test } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

/* One action, from the command line to the account and back: what serves a target is built once more. */

const seed = {
  team: { id: 'team_1', slug: 'acme' },
  projects: [
    {
      name: 'web',
      deployments: [
        { id: 'dpl_live', target: 'production' },
        { id: 'dpl_broken', target: 'production', state: 'ERROR' as const },
      ],
    },
    { name: 'empty' },
  ],
};

let shell: Shell;
let twin: Twin;
beforeAll(async () => {
  shell = await new Shell().write({
    'trueup.yaml': 'stack: demo\nplatform: { team: acme }\nprojects: { web: {} }\n',
  });
  twin = await shell.withTwin(seed);
});

const writes = () => twin.requests.filter(({ method }) => method !== 'GET');

story('redeploy builds what serves the target, never the newest; waits for it, and is recorded', async () => {
  const done = await shell.run(['run', 'redeploy', 'web', '--auto-approve', '--wait', '--json']);
  expect(done.status, done.all).toBe(0);
  const { action, address, result } = JSON.parse(done.stdout);
  expect({ action, address }).toEqual({ action: 'redeploy', address: 'projects/web' });
  expect(writes().map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([
    'POST /v13/deployments',
  ]);
  expect(writes()[0]!.path).toContain('forceNew=1');
  // The newest is one that failed.
  expect(done.stderr).toContain('"deploymentId": "dpl_live"');
  expect(done.stderr).toContain(`deployment ${result.id}: READY`);
  const log = await shell.run(['log', 'projects/web']);
  expect(log.stdout).toMatch(/^#1 .* run redeploy\n/);
  expect((await shell.run(['undo', '1', '--auto-approve'])).stderr).toContain(
    'run 1 cannot be undone: it ran the action redeploy',
  );
});

test('where nothing serves the target, nothing is sent, and that is told', async () => {
  const before = writes().length;
  const done = await shell.run(['run', 'redeploy', 'empty', '--auto-approve']);
  expect([done.status, done.stderr]).toEqual([
    0,
    'Nothing to do: no deployment of empty serves production.\n',
  ]);
  expect(writes()).toHaveLength(before);
});

story('get shows deployments, and wait ends as the one did that it waits for', async () => {
  const got = await shell.run([
    'get',
    'deployment',
    '--of',
    'web',
    '--where',
    'state=ERROR',
    '--fields',
    'id,state',
  ]);
  expect(got.stdout).toBe('id     dpl_broken\nstate  ERROR\n');
  expect((await shell.run(['wait', 'deployment', 'dpl_broken'])).status).toBe(1);
  expect((await shell.run(['wait', 'deployment', 'dpl_live'])).status).toBe(0);
  expect(
    (
      await shell.run([
        'wait',
        'deployment',
        'dpl_live',
        '--for',
        'state=READY',
        '--for',
        'target=production',
      ])
    ).status,
  ).toBe(0);
});
