import { beforeAll, beforeEach, expect } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { until } from '../support/until.ts';

const story = oneStoryIn(4);

/* An action whose answer was lost: how it is looked for, and how that ends. */

let shell: Shell;
let twin: Twin;
beforeAll(async () => {
  shell = await new Shell().write({
    'trueup.yaml': 'stack: demo\nplatform: { team: acme }\nprojects: { web: {} }\n',
    'guards.yaml': 'deny: [{ at: "projects/web", kind: projekt, message: Ask ada. }]\n',
  });
  twin = await shell.withTwin({
    team: { id: 'team_1', slug: 'acme' },
    projects: [{ name: 'web', deployments: [{ id: 'dpl_live', target: 'production' }] }],
  });
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
});
beforeEach(() => twin.setFaults({ faults: [] }));

const redeploy = ['run', 'redeploy', 'web', '--auto-approve'];
const sent = () => twin.requests.filter(({ method }) => method === 'POST').length;
const lastLine = async () => (await shell.run(['log'])).stdout.split('\n')[0];

oneRowIn(2)([
  ['with a configuration', []],
  ['without one', ['--team', 'acme']],
])('%s Ctrl-C ends the search for a lost answer, and says that nobody knows', async (_, args) => {
  twin.setFaults({
    faults: [{ at: { operation: 'createDeployment' }, do: { type: 'connectionReset', when: 'before' } }],
  });
  const before = sent();
  const running = shell.start([...redeploy, ...args]);
  await until(() => running.said().includes('Checking whether it went through'));
  running.signal('SIGINT');
  const { status, stderr } = await running.ended;
  expect([status, sent() - before], stderr).toEqual([1, 1]);
  expect(stderr).toContain('the outcome of redeploy is unknown');
  if (args.length === 0) {
    expect(await lastLine()).toContain('has no recorded outcome');
    // The lease was given back.
    twin.setFaults({ faults: [] });
    expect((await shell.run(redeploy)).status).toBe(0);
  }
});

story('where the search fails, it is not known what became of it, and not told as failed', async () => {
  twin.setFaults({
    faults: [
      { at: { operation: 'createDeployment' }, do: { type: 'connectionReset', when: 'after' } },
      { at: { operation: 'getDeployments' }, do: { type: 'status', status: 403 } },
    ],
  });
  const before = sent();
  const { status, stderr } = await shell.run(redeploy);
  expect([status, sent() - before], stderr).toEqual([1, 1]);
  expect(stderr).toContain('the outcome of redeploy is unknown');
  expect(await lastLine()).toContain('has no recorded outcome');
});
