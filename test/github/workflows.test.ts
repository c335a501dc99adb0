import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { startTwin } from '../../providers/hosting/twin/index.ts';
import { startGithub } from '../support/github.ts';
import { keyText } from '../support/keys.ts';
import { git, pushLedger, repository, temporary } from '../support/ledger-places.ts';
import { type Machine, runWorkflow } from '../support/workflow.ts';

const folder = resolve('examples/ci/github');
const workflow = (name: string) => join(folder, `${name}.yml`);
const yaml = (level: string) =>
  `stack: site\nplatform: { team: acme }\nprojects:\n  web:\n    framework: nextjs\n    env: { LEVEL: { value: ${level}, type: plain } }\n`;

/** A repository, an account and GitHub, and somebody who works there. */
async function site() {
  const twin = await startTwin();
  onTestFinished(() => twin.close());
  const github = await startGithub();
  const { bare, clone } = repository();
  const desk = clone();
  const logs = temporary();
  const push = (branch: string, level: string) => {
    writeFileSync(join(desk, 'trueup.yaml'), yaml(level));
    git(desk, 'add', '.');
    git(desk, 'commit', '--quiet', '--allow-empty', '-m', level);
    git(desk, 'push', '--quiet', '--force', 'origin', `HEAD:${branch}`);
  };
  const pull = (from: string) => ({
    pull_request: {
      number: 7,
      head: { repo: { full_name: from } },
      base: { repo: { full_name: 'acme/site' } },
    },
  });
  const machine = (more: Partial<Machine> = {}): Machine => ({
    bare,
    branch: 'main',
    event: { ref: 'refs/heads/main' },
    expressions: {
      'github.repository': 'acme/site',
      'github.actor': 'ada',
      'github.event.pull_request.head.repo.full_name': 'acme/site',
      'github.token': 'token',
      'secrets.TRUEUP_TOKEN': 'token-for-tests',
      'secrets.TRUEUP_LEDGER_KEY': keyText(),
    },
    env: {
      GITHUB_API_URL: github.url,
      GITHUB_REPOSITORY: 'acme/site',
      GITHUB_SERVER_URL: 'https://github.test',
      GITHUB_RUN_ID: '34',
      GITHUB_SHA: 'a'.repeat(40),
      TRUEUP_BASE_URL: twin.url,
      GH_LOG: join(logs, 'gh'),
      GH_OPEN: join(logs, 'open'),
    },
    ...more,
  });
  const onPull = { branch: 'change', event: pull('acme/site') };
  const writes = () => twin.requests.filter(({ method }) => method !== 'GET').length;
  const asked = () => (existsSync(join(logs, 'gh')) ? readFileSync(join(logs, 'gh'), 'utf8') : '');
  const body = () => readFileSync(join(logs, 'gh.body'), 'utf8');
  const anIssueIsOpen = () => writeFileSync(join(logs, 'open'), '12\n');
  const comments = () => github.comments.get(7)?.map(({ body }) => body) ?? [];
  return { twin, bare, clone, push, machine, onPull, pull, writes, asked, body, anIssueIsOpen, comments };
}

it('a change from its pull request to the account, and back after somebody else was there', async () => {
  const { twin, bare, push, machine, onPull, pull, writes, asked, body, anIssueIsOpen, comments } =
    await site();

  // The pull request: validated, planned, commented on; nothing is written.
  push('change', 'info');
  const planned = await runWorkflow(workflow('plan'), machine(onPull));
  expect(planned).toMatchObject({ validate: { ok: true }, plan: { ok: true } });
  expect(planned.plan!.summary).toContain('<code>projects/web</code>');
  expect(comments()).toEqual([expect.stringMatching(/^<!-- trueup:plan:site -->[\s\S]*4 to create/)]);
  expect(comments()[0]).toMatch(/\nPlan of `aaaaaaa`, \[run\]\(\S+\/actions\/runs\/34\)$/);

  // A second push updates the comment.
  push('change', 'debug');
  await runWorkflow(workflow('plan'), machine(onPull));
  expect(comments()).toEqual([expect.stringContaining('value: debug')]);
  expect(writes()).toBe(0);
  expect(git(bare, 'for-each-ref', 'refs/trueup')).toBe('');

  // From a fork: no secrets, so only validated.
  const fork = machine({ branch: 'change', event: pull('eve/site') });
  fork.expressions['github.event.pull_request.head.repo.full_name'] = 'eve/site';
  const fromFork = await runWorkflow(workflow('plan'), fork);
  expect(Object.keys(fromFork)).toEqual(['validate']);
  expect(fromFork.validate!.log).toMatch(/^This pull request comes from a fork, .* not planned\.$/m);
  expect(fromFork.validate!.summary).toContain('comes from a fork');

  // From Dependabot: neither.
  const dependabot = machine({
    branch: 'change',
    event: { ...pull('acme/site'), sender: { login: 'dependabot[bot]' } },
  });
  dependabot.expressions['github.actor'] = 'dependabot[bot]';
  const fromDependabot = await runWorkflow(workflow('plan'), dependabot);
  expect(Object.keys(fromDependabot)).toEqual(['validate']);
  expect(fromDependabot.validate!.log).toMatch(/^This pull request is Dependabot's, .* not planned\.$/m);

  // Merged: planned, approved, applied, with the ledger in the repository. Then there is nothing to approve.
  push('main', 'debug');
  const applied = await runWorkflow(workflow('apply'), machine());
  expect(applied).toMatchObject({ plan: { ok: true }, apply: { ok: true } });
  expect(twin.account.projects[0]!.env[0]!.value).toBe('debug');
  expect(git(bare, 'for-each-ref', 'refs/trueup')).toContain('refs/trueup/site');
  expect(Object.keys(await runWorkflow(workflow('apply'), machine()))).toEqual(['plan']);

  // What was not approved is not done: the account changes while the approval is waited for.
  push('main', 'warn');
  const project = twin.account.projects[0]!;
  const before = writes();
  const refused = await runWorkflow(
    workflow('apply'),
    machine({
      before: {
        apply: () => {
          project.framework = 'astro';
        },
      },
    }),
  );
  expect(refused).toMatchObject({ plan: { ok: true }, apply: { ok: false } });
  expect(refused.apply!.log).toMatch(/^::error .*projects\/web/m);
  expect(refused.apply!.summary).toContain('### trueup apply: `site`\n\n**This could not be applied: ');
  expect(writes()).toBe(before);

  // That is drift, and the merge that was not applied is not.
  expect((await runWorkflow(workflow('drift'), machine())).drift!.ok).toBe(true);
  expect(asked()).toMatch(/issue create --title .* --body-file drift\.md/);
  expect(body()).toMatch(/^\*\*1 object was changed outside since the last apply\.\*\*\n/);
  expect(body()).toContain('[this run](https://github.test/acme/site/actions/runs/34)');
  expect(body()).toContain('<code>projects/web</code>');
  anIssueIsOpen();
  await runWorkflow(workflow('drift'), machine());
  expect(asked().match(/issue create/g)).toHaveLength(1);
  expect(asked()).toContain('issue edit 12 --body-file drift.md');
  project.framework = 'nextjs';
  const since = asked();
  expect((await runWorkflow(workflow('drift'), machine())).drift!.ok).toBe(true);
  expect(asked().slice(since.length)).toMatch(/^issue list .*\nissue close 12 --comment .*runs\/34\)\.\n$/);
});

it('a plan with errors is told in the comment, and fails', async () => {
  const { push, machine, onPull, comments } = await site();
  const many = Array.from({ length: 12 }, (_, i) => `V${i}: { value: x, type: plain, target: [production] }`);
  push('main', `x, type: plain }, ${many.join(', ')}, LAST: { value: x`);
  await runWorkflow(workflow('apply'), machine());
  push('change', 'info');
  const { plan } = await runWorkflow(workflow('plan'), machine(onPull));
  expect(plan).toMatchObject({ ok: false, log: expect.stringMatching(/^::error /m) });
  expect(comments()).toEqual([expect.stringContaining('**This cannot be applied: ')]);
});

it('a change that cannot be planned takes the place of the plan in the comment', async () => {
  const { push, machine, onPull, comments } = await site();
  push('change', 'info');
  await runWorkflow(workflow('plan'), machine(onPull));
  const refused = machine(onPull);
  refused.expressions['secrets.TRUEUP_TOKEN'] = '';
  const { plan } = await runWorkflow(workflow('plan'), refused);
  expect(plan).toMatchObject({ ok: false, summary: expect.stringContaining('could not be planned') });
  expect(comments()).toEqual([expect.stringContaining('**This could not be planned: 1 error.**')]);
});

it('a ledger that nobody signed is signed by a job that is started by hand, after a person looked at it', async () => {
  const { push, machine, bare, clone } = await site();
  push('main', 'info');
  expect((await runWorkflow(workflow('apply'), machine())).apply!.ok).toBe(true);
  const { signature: _, ...ledger } = JSON.parse(git(bare, 'show', 'refs/trueup/site:ledger.json'));
  pushLedger(clone(), 'site', `${JSON.stringify(ledger, null, 2)}\n`);
  push('main', 'debug');
  expect((await runWorkflow(workflow('apply'), machine())).apply!.log).toContain('`trueup ledger sign`');

  const started = (generation: string, digest: string) => {
    const by = machine();
    Object.assign(by.expressions, {
      'github.ref_name': 'main',
      'github.event.repository.default_branch': 'main',
      'inputs.generation': generation,
      'inputs.digest': digest,
    });
    return runWorkflow(workflow('sign'), by);
  };
  const { sign: shown } = await started('', '');
  expect(shown).toMatchObject({ ok: false, log: expect.stringContaining('projects/web') });
  const [, generation, digest] = /--generation (\d+) --digest (\w{64})/.exec(shown!.log)!;
  expect((await started(generation!, '0'.repeat(64))).sign!.ok).toBe(false);
  expect((await started(generation!, digest!)).sign!.ok).toBe(true);
  expect((await runWorkflow(workflow('apply'), machine())).apply!.ok).toBe(true);
});

it('every action is named by its commit, and its version stands beside it', () => {
  for (const name of readdirSync(folder)) {
    const uses = readFileSync(join(folder, name), 'utf8').match(/uses: .*/g)!;
    for (const line of uses) expect(line).toMatch(/^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

it('on GitLab the token that pushes the ledger is used, and not kept', () => {
  const { apply } = parse(readFileSync(resolve('examples/ci/gitlab-ci.yml'), 'utf8'));
  const { clone } = repository();
  const desk = clone();
  const script = apply.script.filter((line: string) => !line.startsWith('npm exec '));
  const asked = execFileSync('bash', ['-ec', [...script, 'git remote get-url --push origin'].join('\n')], {
    cwd: desk,
    encoding: 'utf8',
    env: {
      ...process.env,
      TRUEUP_PUSH_TOKEN: 'canary-token',
      CI_SERVER_HOST: 'gitlab.test',
      CI_PROJECT_PATH: 'acme/site',
    },
  });
  expect(asked).toBe('https://trueup:canary-token@gitlab.test/acme/site.git\n');
  expect(readFileSync(join(desk, '.git/config'), 'utf8')).not.toContain('canary');
});

it('no workflow puts text from outside into a command, or runs what a fork wrote with secrets', () => {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    const { on, jobs } = parse(text);
    expect(JSON.stringify(on)).not.toContain('pull_request_target');
    for (const job of Object.values(jobs as Record<string, { steps: { run?: string }[] }>))
      for (const { run = '' } of job.steps) expect(run).not.toMatch(/\$\{\{|--allow-commands/);
  }
});
