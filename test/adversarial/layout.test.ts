import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hostileBranch, installable, npmEnv } from '../support/hostile-branch.ts';
import { git, temporary } from '../support/ledger-places.ts';
import { canaries, exampleWorkflow, site } from '../support/site.ts';
import { checkoutToken, pushedWorkflow, runWorkflow, type Trigger } from '../support/workflow.ts';

/* The example workflows, real npm, and a branch that changes all that it can reach. */

it('In CI, the tool, its lockfile and the workflow come from the default branch; only YAML and data are read from a pull request, and nothing in it runs.', async () => {
  const { bare, desk, push, pull, machine, comments, writes } = await site();
  const place = temporary();
  const ran = join(place, 'ran');
  push('main', installable());
  const { files, finish } = hostileBranch(ran);
  const event = pull(push('change', files, () => finish(desk)));

  // The bait is good: npm, started in the pull request's folder, runs what it finds there.
  const control = join(place, 'control');
  git(place, 'clone', '--quiet', '--branch=change', `file://${bare}`, control);
  const env = { PATH: process.env.PATH, HOME: place, ...npmEnv() };
  spawnSync('npm', ['exec', '--no', '--', 'trueup'], { cwd: control, env, stdio: 'ignore' });
  expect(readFileSync(ran, 'utf8')).toMatch(/^(node-options|script-shell|trueup|tool)$/m);
  writeFileSync(ran, '');

  // Which workflow runs is GitHub's business: for `pull_request` the pushed one, for `pull_request_target` that of `main`.
  const start = (name: string, trigger: Trigger, own = false) => {
    const on = machine({
      trigger,
      event,
      env: { ...machine().env, ...npmEnv(), VAULT_TOKEN: canaries.database },
      isNpmReal: true,
    });
    return runWorkflow(own ? exampleWorkflow(name) : pushedWorkflow(on, name), on);
  };
  const stolen = [await start('validate', 'pull_request'), await start('plan', 'pull_request')];
  for (const { steal } of stolen)
    expect(steal).toMatchObject({ ok: false, log: expect.stringContaining('is not allowed to use') });
  const { plan } = await start('plan', 'pull_request_target');
  expect(plan).toMatchObject({ ok: true, summary: expect.stringContaining('<code>projects/web</code>') });
  // Where the branch has left the workflow as it is.
  const { validate } = await start('validate', 'pull_request', true);
  expect(validate).toMatchObject({ ok: true });

  expect(readFileSync(ran, 'utf8')).toBe('');
  expect(comments()).toEqual([expect.stringContaining('projects/web')]);
  expect(writes()).toBe(0);
  const said = JSON.stringify([stolen, plan, validate, comments()]);
  for (const secret of [...Object.values(canaries), checkoutToken]) expect(said).not.toContain(secret);

  // The file itself is a link, to what the other checkout fetches with.
  const linked = pull(
    push('change', {}, () => symlinkSync('../base/.git/config', join(desk, 'trueup.yaml'))),
  );
  const on = machine({ trigger: 'pull_request_target', event: linked });
  const refused = await runWorkflow(exampleWorkflow('plan'), on);
  expect(refused.plan!.ok).toBe(false);
  expect(comments()).toEqual([expect.stringContaining('leads outside the repository')]);
  expect(JSON.stringify([refused, comments()])).not.toContain(checkoutToken);
});
