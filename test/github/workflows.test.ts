import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { git } from '../support/ledger-places.ts';
import { site, siteYaml as yaml } from '../support/site.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const folder = resolve('examples/ci/github');

story('a change from its pull request to the account, and back after somebody else was there', async () => {
  const {
    twin,
    bare,
    push,
    run,
    pull,
    onPull,
    machine,
    writes,
    asked,
    body,
    anIssueIsOpen,
    comments,
    ...more
  } = await site();
  const { expressions } = machine();

  // The pull request: validated, planned, commented on; nothing is written.
  const first = push('change', yaml('info'));
  const planned = await onPull(pull(first));
  expect(planned).toMatchObject({ validate: { ok: true }, plan: { ok: true } });
  expect(planned.plan!.summary).toContain('<code>projects/web</code>');
  expect(comments()).toEqual([expect.stringMatching(/^<!-- trueup:plan:site -->[\s\S]*2 to create/)]);
  expect(comments()[0]!.split('\n').at(-1)).toBe(
    `Plan of \`${first.slice(0, 7)}\`, [run](https://github.test/acme/site/actions/runs/34)`,
  );

  // A second push updates the comment.
  await onPull(pull(push('change', yaml('debug'))));
  expect(comments()).toEqual([expect.stringContaining('value: debug')]);
  expect(writes()).toBe(0);
  expect(git(bare, 'for-each-ref', 'refs/trueup')).toBe('');

  // From a fork: no secrets, so only validated.
  const head = push('change', yaml('warn'));
  const fork = pull(head, { from: 'eve/site' });
  const fromFork = await onPull(fork);
  expect(Object.keys(fromFork)).toEqual(['validate']);
  expect(fromFork.validate!.log).toMatch(/^This pull request comes from a fork, .* not planned\.$/m);
  expect(fromFork.validate!.summary).toContain('comes from a fork');

  // From Dependabot: neither.
  const fromDependabot = await onPull(pull(head, { sender: 'dependabot[bot]' }), {
    expressions: { ...expressions, 'github.actor': 'dependabot[bot]' },
  });
  expect(Object.keys(fromDependabot)).toEqual(['validate']);
  expect(fromDependabot.validate!.log).toMatch(/^This pull request is from Dependabot, .* not planned\.$/m);

  // Merged: planned, approved, applied, with the ledger in the repository. Then there is nothing to approve.
  push('main', yaml('debug'));
  const applied = await run('apply');
  expect(applied).toMatchObject({ plan: { ok: true }, apply: { ok: true } });
  expect(twin.account.projects[0]!.env[0]!.value).toBe('debug');
  expect(git(bare, 'for-each-ref', 'refs/trueup')).toContain('refs/trueup/site');
  expect(Object.keys(await run('apply'))).toEqual(['plan']);

  // What was not approved is not done: the account changes while the approval is waited for.
  push('main', yaml('warn'));
  const project = twin.account.projects[0]!;
  const before = writes();
  const refused = await run('apply', {
    before: {
      apply: () => {
        project.framework = 'astro';
      },
    },
  });
  expect(refused).toMatchObject({ plan: { ok: true }, apply: { ok: false } });
  expect(refused.apply!.log).toMatch(/^::error .*projects\/web/m);
  expect(refused.apply!.summary).toContain('### trueup apply: `site`\n\n**This could not be applied: ');
  expect(writes()).toBe(before);

  // That is drift, and the merge that was not applied is not.
  const drift = () => run('drift', { trigger: 'schedule' });
  expect((await drift()).drift!.ok).toBe(true);
  expect(asked()).toMatch(/issue create --title .* --body-file drift\.md/);
  expect(body()).toMatch(/^\*\*1 object was changed outside since the last apply\.\*\*\n/);
  expect(body()).toContain('[this run](https://github.test/acme/site/actions/runs/34)');
  expect(body()).toContain('<code>projects/web</code>');
  // It is taken over by a pull request, which says what is left to do: the merge that was not applied.
  expect(asked()).toMatch(/pr create --head trueup-drift --title .* --body-file pull-request\.md/);
  const branch = () => git(bare, 'show', 'trueup-drift:trueup.yaml');
  expect(branch()).toBe(yaml('warn')['trueup.yaml'].replace('nextjs', 'astro').trim());
  expect(git(bare, 'diff', '--name-only', 'main', 'trueup-drift')).toBe('trueup.yaml');
  expect(more.pullBody()).toContain('<code>projects/web/env/LEVEL</code>');
  expect(more.pullBody()).not.toContain('changed outside: reverts');
  anIssueIsOpen();
  more.aPullIsOpen();
  project.env[0]!.type = 'encrypted';
  project.env[0]!.value = 'somebody-s-secret';
  await drift();
  expect(asked()).toContain('pr edit 8 --body-file pull-request.md');
  expect(more.pullBody()).toMatch(/^ {4}projects\/web\/env\/LEVEL.*: `value` changed but is not written/m);
  expect(branch() + more.pullBody() + body()).not.toContain('somebody-s-secret');
  Object.assign(project.env[0]!, { type: 'plain', value: 'debug' });
  expect(asked().match(/issue create/g)).toHaveLength(1);
  expect(asked()).toContain('issue edit 12 --body-file drift.md');
  project.framework = 'nextjs';
  const since = asked();
  expect((await drift()).drift!.ok).toBe(true);
  expect(asked().slice(since.length)).toMatch(
    /^issue list .*\nissue close 12 --comment .*runs\/34\) found no drift\.\npr list .*\npr close 8 --delete-branch --comment .*\n$/,
  );
});

it('every action is named by its commit, and its version stands beside it', () => {
  for (const name of readdirSync(folder)) {
    const uses = readFileSync(join(folder, name), 'utf8').match(/uses: .*/g)!;
    for (const line of uses) expect(line).toMatch(/^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

it('no workflow puts text from outside into a command', () => {
  for (const name of readdirSync(folder)) {
    const { jobs } = parse(readFileSync(join(folder, name), 'utf8'));
    for (const job of Object.values(jobs as Record<string, { steps: { run?: string }[] }>))
      for (const { run = '' } of job.steps) expect(run).not.toMatch(/\$\{\{|--allow-(command|env|files)/);
  }
});
