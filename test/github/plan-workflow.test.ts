import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { startTwin } from '../../providers/hosting/twin/index.ts';
import { inFront } from '../support/in-front.ts';
import { exampleWorkflow, site, siteYaml as yaml } from '../support/site.ts';
import { oneStoryIn } from '../support/sweep.ts';
import type { Machine } from '../support/workflow.ts';

const story = oneStoryIn(4);

story('whatever a push breaks, the comment does not go on showing the plan of an earlier one', async () => {
  const { push, pull, run, onPull, machine, comments } = await site();
  const plan = (event: unknown, more: Partial<Machine> = {}) =>
    run('plan', { trigger: 'pull_request_target', event, ...more });
  await plan(pull(push('change', yaml('info'))));
  expect(comments()[0]).toContain('2 to create');

  const broken = await onPull(pull(push('change', { 'trueup.yaml': 'stack: [site\n' })));
  expect(broken).toMatchObject({ validate: { ok: false }, plan: { ok: false } });
  // Marked where GitHub shows it: by the path in the repository, not by where it was checked out.
  expect(broken.validate!.log).toMatch(/^::error file=trueup\.yaml,line=/m);
  expect(comments()).toEqual([expect.stringContaining('**This could not be planned: ')]);

  // A token that is gone; a file that is gone; a merge that GitHub has not made, or only that of an earlier push.
  const head = push('change', yaml('debug'));
  const { environments } = machine();
  const tokenless = await plan(pull(head), { environments: { ...environments, plan: {} } });
  expect(tokenless.plan).toMatchObject({
    ok: false,
    summary: expect.stringContaining('could not be planned'),
  });
  expect(comments()).toEqual([expect.stringContaining('TRUEUP_TOKEN')]);
  await plan(pull(head));
  expect(comments()).toEqual([expect.stringContaining('value: debug')]);
  const conflicting = push('change', yaml('trace'));
  const unmerged = await plan(pull(conflicting, { merge: false }));
  expect(unmerged.plan!.log).toContain(`::error::GitHub has not merged ${conflicting}`);
  expect(comments()).toEqual([expect.stringContaining('**This could not be planned: 1 error.**')]);
  expect(comments()[0]).toContain(`Plan of \`${conflicting.slice(0, 7)}\``);
});

story('a plan with errors is told in the comment, and fails', async () => {
  const { push, pull, run, comments } = await site();
  const many = Array.from({ length: 12 }, (_, i) => `V${i}: { value: x, type: plain, target: [production] }`);
  push('main', yaml(`x, type: plain }, ${many.join(', ')}, LAST: { value: x`));
  await run('apply');
  const { plan } = await run('plan', {
    trigger: 'pull_request_target',
    event: pull(push('change', yaml('info'))),
  });
  expect(plan).toMatchObject({ ok: false, log: expect.stringMatching(/^::error /m) });
  expect(comments()).toEqual([expect.stringContaining('**This cannot be applied: ')]);
});

story(
  'what the token of the pull request’s job may not read is named, and the job is not red for it',
  async () => {
    const { twin, push, pull, run, machine, comments } = await site();
    const front = await inFront(
      () => twin.url,
      async ({ path }, pass) =>
        path.includes('/domains')
          ? { status: 403, body: Buffer.from('{"error":{"code":"forbidden"}}') }
          : pass(),
    );
    onTestFinished(front.close);
    twin.account.projects.push(
      ...(await startTwin({ seed: { projects: [{ name: 'web' }] } })).account.projects,
    );
    const wanted = `${yaml('info')['trueup.yaml']}    domains: { www.example.com: {} }\n`;
    const { plan } = await run('plan', {
      trigger: 'pull_request_target',
      event: pull(push('change', { 'trueup.yaml': wanted })),
      env: { ...machine().env, TRUEUP_BASE_URL: front.url },
    });
    expect(plan!.ok).toBe(true);
    expect(comments()).toEqual([
      expect.stringMatching(/This plan is incomplete[\s\S]*projects\/web\/domains could not be read/),
    ]);
  },
);

it('what comes from a pull request is checked out beside the tool, after it is installed, without credentials', () => {
  for (const name of ['validate', 'plan']) {
    const { on, jobs } = parse(exampleWorkflow(name));
    expect(Object.keys(on)).toEqual([name === 'plan' ? 'pull_request_target' : 'pull_request']);
    const { steps, defaults, environment } = jobs[name];
    expect(defaults.run['working-directory']).toBe('base');
    expect(environment).toBe(name === 'plan' ? 'plan' : undefined);
    const install = steps.findIndex(({ run = '' }: { run?: string }) => run.startsWith('npm ci'));
    const checkouts = steps
      .map(({ uses = '', with: given = {} }: { uses?: string; with?: object }, at: number) => ({
        uses,
        given,
        at,
      }))
      .filter(({ uses }: { uses: string }) => uses.startsWith('actions/checkout@'));
    expect(checkouts).toMatchObject([
      { given: { path: 'base', ref: 'main' } },
      { given: { path: 'change', 'persist-credentials': false } },
    ]);
    expect(checkouts[1].at).toBeGreaterThan(install);
    expect(checkouts[0].at).toBeLessThan(install);
    const text = exampleWorkflow(name).replaceAll(/^ *#.*$/gm, '');
    expect(text).not.toContain('TRUEUP_LEDGER_KEY');
    expect(text.match(/secrets\.\w+/g) ?? []).toEqual(name === 'plan' ? ['secrets.TRUEUP_TOKEN'] : []);
  }
});
