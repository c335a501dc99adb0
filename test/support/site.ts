import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { startTwin } from '../../providers/hosting/twin/index.ts';
import { startGithub } from './github.ts';
import { keyText } from './keys.ts';
import { git, repository, temporary } from './ledger-places.ts';
import { pushHead, writeRef } from './push-head.ts';
import { withoutSockets } from './without-sockets.ts';
import { type Machine, runWorkflow } from './workflow.ts';

/** The files of the site, with this value of its one variable. */
export const siteYaml = (level: string) => ({
  'trueup.yaml': `stack: site
platform: { team: acme }
projects:
  web:
    framework: nextjs
    env: { LEVEL: { value: ${level}, type: plain } }
`,
});

/** The secrets that CI holds; no output may show one. */
export const canaries = {
  reads: 'canary-token-that-reads',
  writes: 'canary-token-that-writes',
  key: keyText(),
  database: 'canary-database-password',
};

const workflows = resolve('examples/ci/github');
export const exampleWorkflow = (name: string): string => readFileSync(join(workflows, `${name}.yml`), 'utf8');

/** Returns the paths of the files of a checkout, without those of git. */
const filesIn = (checkout: string): string[] =>
  readdirSync(checkout).flatMap((name) => {
    const place = join(checkout, name);
    if (name === '.git') return [];
    if (!lstatSync(place).isDirectory()) return [place];
    const entries = readdirSync(place, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  });

/** A repository with the example workflows' environments, an account and GitHub, and somebody who works there. */
export async function site() {
  const twin = withoutSockets(await startTwin());
  onTestFinished(() => twin.close());
  const github = await startGithub();
  const { bare, clone } = repository();
  const desk = clone();
  const logs = temporary();
  let pushedFiles = filesIn(desk);

  /** Commits these files, in place of those of the last commit, and pushes them to a branch. */
  const push = (branch: string, files: Record<string, string>, more: () => void = () => {}) => {
    for (const file of pushedFiles) rmSync(file, { force: true });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(desk, name)), { recursive: true });
      writeFileSync(join(desk, name), text);
    }
    more();
    git(desk, 'add', '--force', '.');
    git(desk, 'commit', '--quiet', '--allow-empty', '-m', branch);
    pushedFiles = filesIn(desk);
    return pushHead(desk, bare, branch);
  };
  /** Has the pull request of a commit merged as GitHub does for its runs; without `merge` it has not come to that. */
  const pull = (head: string, { from = 'acme/site', sender = 'ada', merge = true } = {}) => {
    if (merge) {
      const merged = git(bare, 'commit-tree', `${head}^{tree}`, '-p', 'main', '-p', head, '-m', 'merge');
      writeRef(bare, 'refs/pull/7/merge', merged);
    }
    return {
      repository: { default_branch: 'main' },
      sender: { login: sender },
      pull_request: {
        number: 7,
        head: { sha: head, repo: { full_name: from } },
        base: { ref: 'main', repo: { full_name: 'acme/site' } },
      },
    };
  };
  const machine = (more: Partial<Machine> = {}): Machine => ({
    bare,
    trigger: 'push',
    event: { ref: 'refs/heads/main', repository: { default_branch: 'main' } },
    expressions: {
      'github.repository': 'acme/site',
      'github.ref_name': 'main',
      'github.actor': 'ada',
      'github.token': 'token',
    },
    environments: {
      plan: { TRUEUP_TOKEN: canaries.reads },
      'plan-main': {
        TRUEUP_TOKEN: canaries.writes,
        TRUEUP_LEDGER_KEY: canaries.key,
        DATABASE: canaries.database,
      },
      production: {
        TRUEUP_TOKEN: canaries.writes,
        TRUEUP_LEDGER_KEY: canaries.key,
        DATABASE: canaries.database,
      },
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
  const run = (name: string, more: Partial<Machine> = {}) =>
    runWorkflow(exampleWorkflow(name), machine(more));
  /** What a push to a pull request starts. */
  const onPull = async (event: unknown, more: Partial<Machine> = {}) => ({
    ...(await run('validate', { trigger: 'pull_request', event, ...more })),
    ...(await run('plan', { trigger: 'pull_request_target', event, ...more })),
  });
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return {
    twin,
    github,
    bare,
    clone,
    desk,
    push,
    pull,
    machine,
    run,
    onPull,
    writes: () => twin.requests.filter(({ method }) => method !== 'GET').length,
    /** What `gh` was asked for, and the last body that it was given. */
    asked: () => read(join(logs, 'gh')),
    body: () => read(join(logs, 'gh.body')),
    anIssueIsOpen: () => writeFileSync(join(logs, 'open'), '12\n'),
    /** The same of a pull request. */
    pullBody: () => read(join(logs, 'gh.pull')),
    aPullIsOpen: () => writeFileSync(join(logs, 'open.pull'), '8\n'),
    comments: () => github.comments.get(7)?.map(({ body }) => body) ?? [],
  };
}
