import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { startGitlab } from '../support/gitlab.ts';
import { hostileBranch, installable, npmEnv } from '../support/hostile-branch.ts';
import { git, gitEnv, repository, temporary } from '../support/ledger-places.ts';
import { canaries, site } from '../support/site.ts';
import { oneStoryIn, sweepOnly } from '../support/sweep.ts';
import { bash, shims } from '../support/workflow.ts';
import { files } from '../workspace/workplace.ts';

const story = oneStoryIn(3);

interface Job {
  script: string[];
  after_script?: string[];
  environment?: string | { name: string };
}

const {
  default: all,
  variables,
  ...jobs
} = parse(readFileSync(resolve('examples/ci/gitlab-ci.yml'), 'utf8'));

/** The jobs of many stacks: those of one stack, with other scripts. GitLab lays the file over what it includes. */
const { include, ...scripts } = parse(readFileSync(resolve('examples/ci/gitlab-stacks.yml'), 'utf8'));
const stacksJobs = Object.fromEntries(
  Object.entries(jobs as Record<string, Job>).map(([name, job]) => [name, { ...job, ...scripts[name] }]),
);

const tokens = {
  CI_JOB_TOKEN: 'canary-job-token',
  TRUEUP_PUSH_TOKEN: 'canary-push-token',
  TRUEUP_DRIFT_TOKEN: 'canary-drift-token',
  TRUEUP_COMMENT_TOKEN: 'canary-comment-token',
};

/** A project with YAML, the project with the tool, and a runner for both. */
async function gitlab({ isNpmReal = false, of = jobs, more = {} as Record<string, string> } = {}) {
  const { bare, desk: checkout, push, twin } = await site();
  const { bare: tool, clone } = repository();
  const home = temporary();
  const bin = await shims(home, isNpmReal);
  // The server knows both projects, by whichever token.
  const server = (user: string, project: string, place: string) =>
    `[url "file://${place}"]\n\tinsteadOf = https://${user}@gitlab.test/${project}.git\n`;
  writeFileSync(
    join(home, 'gitconfig'),
    server(`gitlab-ci-token:${tokens.CI_JOB_TOKEN}`, 'acme/site', bare) +
      server(`gitlab-ci-token:${tokens.CI_JOB_TOKEN}`, 'acme/trueup-ci', tool) +
      server(`trueup:${tokens.TRUEUP_PUSH_TOKEN}`, 'acme/site', bare) +
      server(`trueup:${tokens.TRUEUP_DRIFT_TOKEN}`, 'acme/site', bare),
  );
  if (isNpmReal) {
    const desk = clone();
    for (const [name, text] of Object.entries(installable())) {
      mkdirSync(dirname(join(desk, name)), { recursive: true });
      writeFileSync(join(desk, name), text);
    }
    git(desk, 'add', '.');
    git(desk, 'commit', '--quiet', '-m', 'tool');
    git(desk, 'push', '--quiet', 'origin', 'HEAD:main');
  }
  /** Runs a job in a folder, an empty one or one with what other jobs have left to it. */
  const run = async (name: string, commit: string, place = temporary()) => {
    const { script, after_script: after, environment } = of[name] as Job;
    const scope = typeof environment === 'object' ? environment.name : environment;
    const { TRUEUP_PUSH_TOKEN, TRUEUP_DRIFT_TOKEN, TRUEUP_COMMENT_TOKEN, ...given } = tokens;
    const secrets: Record<string, string> =
      scope === undefined
        ? {}
        : scope === 'plan'
          ? { TRUEUP_TOKEN: canaries.reads }
          : {
              TRUEUP_TOKEN: canaries.writes,
              TRUEUP_LEDGER_KEY: canaries.key,
              ...(scope === 'production'
                ? { TRUEUP_PUSH_TOKEN, ...(more.CI_API_V4_URL ? { TRUEUP_COMMENT_TOKEN } : {}) }
                : { TRUEUP_DRIFT_TOKEN }),
            };
    const environmentOf = {
      ...gitEnv,
      GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
      PATH: `${bin}:${process.env.PATH}`,
      CI: 'true',
      GITLAB_CI: 'true',
      CI_SERVER_HOST: 'gitlab.test',
      CI_PROJECT_PATH: 'acme/site',
      CI_COMMIT_SHA: commit,
      CI_DEFAULT_BRANCH: 'main',
      CI_PIPELINE_URL: 'https://gitlab.test/acme/site/-/pipelines/9',
      CI_MERGE_REQUEST_IID: name === 'plan' || name === 'validate' ? '7' : '',
      TRUEUP_BASE_URL: twin.url,
      ...(isNpmReal ? npmEnv() : {}),
      ...variables,
      ...given,
      ...secrets,
      ...more,
    };
    const { status, text } = await bash([...all.before_script, ...script].join('\n'), place, environmentOf);
    // In a shell of its own, whatever became of the job, which it does not change.
    const said = after ? (await bash(after.join('\n'), place, environmentOf)).text : '';
    return { ok: status === 0, status, text: text + said, place };
  };
  return { bare, checkout, push, run, twin };
}

const yaml = (framework: string) => `stack: site
platform: { team: acme }
projects: { web: { framework: ${framework} } }
`;

/** The text of every file below a folder. */
const contents = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');

story(
  'on GitLab a merge request is planned by the tool of another project, and applied once it is merged',
  async () => {
    const { bare, push, run, twin } = await gitlab();
    const change = push('change', {
      'trueup.yaml': yaml('nextjs'),
      'package.json': '{"scripts":{"preinstall":"exit 1"}}',
      '.gitlab-ci.yml': 'steal: { script: [env] }',
    });
    expect(await run('validate', change)).toMatchObject({ ok: true });
    const planned = await run('plan', change);
    expect(planned).toMatchObject({ ok: true, text: expect.stringContaining('1 to create') });
    expect(JSON.parse(readFileSync(join(planned.place, 'counts.json'), 'utf8'))).toMatchObject({ create: 1 });

    const merged = await run('plan-merged', push('main', { 'trueup.yaml': yaml('nextjs') }));
    const again = temporary();
    mkdirSync(again, { recursive: true });
    writeFileSync(join(again, 'plan.json'), readFileSync(join(merged.place, 'plan.json')));
    const applied = await run('apply', git(bare, 'rev-parse', 'main'), again);
    expect(applied).toMatchObject({ ok: true });
    expect(twin.account.projects.map(({ framework }) => framework)).toEqual(['nextjs']);
    expect(git(bare, 'for-each-ref', 'refs/trueup')).toContain('refs/trueup/site');
    twin.account.projects[0]!.framework = 'astro';
    expect(await run('drift', git(bare, 'rev-parse', 'main'))).toMatchObject({ status: 2 });

    // Credentials are there for the job, and in no file and no line of it.
    for (const { place, text } of [planned, merged, applied])
      for (const secret of [...Object.values(tokens), ...Object.values(canaries)])
        expect(contents(place) + text).not.toContain(secret);
  },
);

sweepOnly('here a merged pull request on GitHub is told so, by the same command')(
  'on GitLab the merge request says what was applied, what failed and what comes next, in one note',
  async () => {
    const server = await startGitlab(tokens.TRUEUP_COMMENT_TOKEN);
    const job = 'https://gitlab.test/acme/site/-/jobs/77';
    const more = {
      CI_API_V4_URL: server.url,
      CI_PROJECT_ID: '42',
      CI_JOB_URL: job,
      CI_PROJECT_URL: 'https://gitlab.test/acme/site',
    };
    const { push, run, twin } = await gitlab({ more });
    const say = (username: string, body: string) => ({ id: 1, body, author: { username } });
    server.notes.set(7, [say('ada', '<!-- trueup:plan:site -->\nquoted')]);
    const apply = async (framework: string, before = () => {}) => {
      const commit = push('main', { 'trueup.yaml': yaml(framework) });
      server.requests.set(commit, [
        { iid: 7, state: 'merged' },
        { iid: 8, state: 'opened' },
      ]);
      const { place: planned } = await run('plan-merged', commit);
      const place = temporary();
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'plan.json'), readFileSync(join(planned, 'plan.json')));
      before();
      return { commit, ...(await run('apply', commit, place)) };
    };
    const said = () => server.notes.get(7)!.map(({ body }) => body);

    const done = await apply('nextjs');
    expect(done, done.text).toMatchObject({ ok: true, text: expect.stringContaining('Commented on !7') });
    expect(said()).toEqual([
      expect.stringContaining('quoted'),
      expect.stringMatching(
        /^<!-- trueup:plan:site -->\n\n### trueup apply: [\s\S]*\*\*Applied 1 change: 1 created/,
      ),
    ]);
    expect(said()[1]!.endsWith(`Merged as \`${done.commit.slice(0, 7)}\`, [run](${job})`)).toBe(true);
    expect(server.notes.get(8)).toBeUndefined();

    const refused = await apply('remix', () => {
      twin.account.projects[0]!.framework = 'astro';
    });
    expect(refused.ok).toBe(false);
    expect(said()[1]).toMatch(
      /\*\*This could not be applied: 2 errors\.\*\*[\s\S]*`framework` was changed outside/,
    );
    expect(said()).toHaveLength(2);
    for (const secret of [...Object.values(tokens), ...Object.values(canaries)])
      expect(contents(refused.place) + refused.text + said().join()).not.toContain(secret);
  },
);

sweepOnly('here drift comes as a pull request on GitHub, by the same commands')(
  'on GitLab drift comes as a merge request that takes it over, and goes once nothing differs',
  async () => {
    const { bare, push, run, twin } = await gitlab();
    const options = join(temporary(), 'options');
    git(bare, 'config', 'receive.advertisePushOptions', 'true');
    mkdirSync(join(bare, 'hooks'), { recursive: true });
    writeFileSync(
      join(bare, 'hooks/pre-receive'),
      `#!/bin/bash\nfor ((i = 0; i < GIT_PUSH_OPTION_COUNT; i++)); do o=GIT_PUSH_OPTION_$i; echo "\${!o}" >> '${options}'; done\n`,
      { mode: 0o755 },
    );
    const files = { 'trueup.yaml': `# ours\n${yaml('nextjs')}` };
    const commit = push('main', files);
    const planned = await run('plan-merged', commit);
    const place = temporary();
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'plan.json'), readFileSync(join(planned.place, 'plan.json')));
    const applied = await run('apply', commit, place);
    expect(applied.ok, applied.text).toBe(true);

    twin.account.projects[0]!.framework = 'astro';
    const drifted = await run('drift', commit);
    expect(drifted.status, drifted.text).toBe(2);
    const taken = await run('open-drift-merge-request', commit);
    expect(taken.ok, taken.text).toBe(true);
    expect(git(bare, 'show', 'trueup-drift:trueup.yaml')).toBe(
      files['trueup.yaml'].replace('nextjs', 'astro').trim(),
    );
    expect(git(bare, 'diff', '--name-only', 'main', 'trueup-drift')).toBe('trueup.yaml');
    expect(readFileSync(options, 'utf8').trim().split('\n')).toEqual([
      'merge_request.create',
      'merge_request.target=main',
      'merge_request.title=Accept changes made outside',
      'merge_request.description=Found by https://gitlab.test/acme/site/-/pipelines/9',
    ]);
    // It is planned as any other merge request, and there is nothing left to do.
    const left = await run('plan', git(bare, 'rev-parse', 'trueup-drift'));
    expect(left).toMatchObject({ ok: true, text: expect.stringContaining('No changes.') });
    for (const secret of [...Object.values(tokens), ...Object.values(canaries)])
      expect(contents(taken.place) + taken.text).not.toContain(secret);

    // A second look is the same merge request; once nothing differs it is over.
    const again = await run('open-drift-merge-request', commit);
    expect(again, again.text).toMatchObject({ ok: true });
    twin.account.projects[0]!.framework = 'nextjs';
    const calm = await run('drift', commit);
    expect(calm.status, calm.text).toBe(0);
    expect(await run('close-drift-merge-request', commit)).toMatchObject({ ok: true });
    expect(git(bare, 'branch', '--list')).not.toContain('trueup-drift');
    expect(await run('close-drift-merge-request', commit)).toMatchObject({ ok: true });
  },
);

it('on GitLab nothing of a merge request runs, whatever it brings along', async () => {
  const { checkout, push, run } = await gitlab({ isNpmReal: true });
  const ran = join(temporary(), 'ran');
  const { files, finish } = hostileBranch(ran);
  const change = push('change', { ...files, '.gitlab-ci.yml': 'steal: { script: [env] }' }, () =>
    finish(checkout),
  );
  const planned = await run('plan', change);
  expect(planned).toMatchObject({ ok: true, text: expect.stringContaining('to create') });
  expect(existsSync(ran)).toBe(false);
  for (const secret of [...Object.values(tokens), ...Object.values(canaries)])
    expect(planned.text + readFileSync(join(planned.place, 'plan.json'), 'utf8')).not.toContain(secret);
});

it('on GitLab no job of a merge request has the key, or a token that writes', () => {
  for (const [name, { environment }] of Object.entries(jobs as Record<string, Job>).filter(
    ([, job]) => job.script !== undefined,
  )) {
    const scope = typeof environment === 'object' ? environment.name : environment;
    const isMerge = JSON.stringify(jobs[name].rules).includes('merge_request_event');
    expect([name, isMerge ? ['plan', undefined] : ['plan-main', 'production']]).toEqual([
      name,
      expect.arrayContaining([scope]),
    ]);
    expect(variables.GIT_STRATEGY).toBe('empty');
    const commands = jobs[name].script.filter((line: string) => /^npm exec .*trueup /.test(line));
    for (const line of commands)
      expect(line).toMatch(
        /^npm exec --no -- trueup (.*-f \.\.\/change\/trueup\.yaml|show \.\.\/plan\.json)/,
      );
  }
});

sweepOnly('here run the jobs of one stack on GitLab, and those of many on GitHub')(
  'on GitLab many stacks are planned where a merge request touches them, and applied with one click',
  async () => {
    expect(include).toEqual([{ project: 'acme/trueup-ci', file: 'gitlab-ci.yml' }]);
    expect(Object.keys(scripts).filter((name) => !(name in jobs))).toEqual([]);
    const more: Record<string, string> = {};
    const { bare, push, run, twin } = await gitlab({ of: stacksJobs, more });
    const base = push('main', files);
    more.CI_MERGE_REQUEST_DIFF_BASE_SHA = base;
    const change = push('change', {
      ...files,
      'stacks/tools/trueup.yaml': `${files['stacks/tools/trueup.yaml']}# more\n`,
    });
    expect(await run('validate', change)).toMatchObject({ ok: true });
    const planned = await run('plan', change);
    expect(planned).toMatchObject({ ok: true, text: expect.stringContaining('1 stack: 1 with changes') });
    expect(JSON.parse(readFileSync(join(planned.place, 'counts.json'), 'utf8'))).toMatchObject({ create: 1 });
    const untouched = await run('plan', base);
    expect(untouched.ok, untouched.text).toBe(true);

    const merged = await run('plan-merged', base);
    expect(merged).toMatchObject({ ok: true, text: expect.stringContaining('4 stacks: 4 with changes') });
    const again = temporary();
    writeFileSync(join(again, 'plan.json'), readFileSync(join(merged.place, 'plan.json')));
    expect(await run('apply', git(bare, 'rev-parse', 'main'), again)).toMatchObject({ ok: true });
    expect(twin.account.projects.map(({ name }) => name)).toContain('shop-production');
    expect(git(bare, 'for-each-ref', 'refs/trueup')).toContain('refs/trueup/shop%40staging');
    const calm = await run('drift', base);
    expect(calm.ok, calm.text).toBe(true);
    twin.account.projects.find(({ name }) => name === 'hub')!.framework = 'astro';
    expect(await run('drift', base)).toMatchObject({ status: 2 });
    git(bare, 'config', 'receive.advertisePushOptions', 'true');
    const taken = await run('open-drift-merge-request', base);
    expect(taken.ok, taken.text).toBe(true);
    expect(git(bare, 'diff', '--name-only', base, 'trueup-drift')).toBe('dns/trueup.yaml');
  },
);
