import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startTwin } from '../../providers/hosting/twin/index.ts';
import { atEnd } from '../support/at-end.ts';
import { type Ran, Shell } from '../support/cli.ts';
import { startGithub } from '../support/github.ts';
import { git, repository, temporary } from '../support/ledger-places.ts';
import { writeRef } from '../support/push-head.ts';
import { withoutSockets } from '../support/without-sockets.ts';
import { type JobRun, type Machine, pushedWorkflow, runWorkflow, type Trigger } from '../support/workflow.ts';

/** Somebody with a clone of the repository. */
export interface Person {
  name: string;
  shell: Shell;
  /** Runs `trueup ...words`, with `yes` as the answer to a question if it is given. */
  trueup(words: string, answer?: string): Promise<Ran>;
  /** Reads a file of the clone, or writes what `change` returns. */
  read(file: string): string;
  edit(file: string, change: (text: string) => string): void;
  /** Starts a branch on the newest `main`. */
  branch(name: string): void;
  /** Commits everything. */
  commit(message: string): void;
  git(...words: string[]): string;
}

/** A pull request with the jobs that ran for it, and the last comment of CI on it. */
export interface PullRequest {
  number: number;
  jobs: Record<string, JobRun>;
  comment: string;
}

/** The repository, the account and the CI of the company. */
export async function openOffice() {
  const twin = withoutSockets(await startTwin());
  atEnd(() => twin.close());
  const github = await startGithub();
  const { bare, clone } = repository();
  const logs = temporary();
  /** The secrets that CI has, by environment. */
  const environments: Record<string, Record<string, string>> = {};
  let pulls = 0;

  const hire = (name: string): Person => {
    const folder = clone();
    git(folder, 'config', 'user.name', name);
    const shell = new Shell(folder);
    shell.env = { TRUEUP_BASE_URL: twin.url, TRUEUP_TOKEN: `token-of-${name.toLowerCase()}` };
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');
    return {
      name,
      shell,
      trueup: (words, answer) =>
        shell.run(words.split(' '), answer === undefined ? {} : { input: `${answer}\n`, isTerminal: true }),
      read,
      edit(file, change) {
        const path = join(folder, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, change(existsSync(path) ? read(file) : ''));
      },
      branch(branch) {
        git(folder, 'fetch', '--quiet', 'origin', 'main');
        git(folder, 'checkout', '--quiet', '-B', branch, 'origin/main');
      },
      git: (...words) => git(folder, ...words),
      commit(message) {
        git(folder, 'add', '--all');
        git(folder, 'commit', '--quiet', '-m', message);
      },
    };
  };

  const runJobs = async (
    workflow: string,
    trigger: Trigger,
    event: unknown,
    before: Machine['before'] = {},
  ) => {
    const machine: Machine = {
      bare,
      trigger,
      event,
      expressions: {
        'github.repository': 'acme/site',
        'github.ref_name': 'main',
        'github.actor': 'ada',
        'github.token': 'token',
      },
      environments,
      before,
      env: {
        GITHUB_API_URL: github.url,
        GITHUB_REPOSITORY: 'acme/site',
        GITHUB_SERVER_URL: 'https://github.test',
        GITHUB_RUN_ID: '34',
        GITHUB_SHA: git(bare, 'rev-parse', 'main'),
        TRUEUP_BASE_URL: twin.url,
        GH_LOG: join(logs, 'gh'),
        GH_OPEN: join(logs, 'open'),
      },
    };
    merged(machine.env.GITHUB_SHA!);
    return runWorkflow(pushedWorkflow(machine, `trueup-${workflow}`), machine);
  };

  /** Tells GitHub that the open pull request was merged as a commit. */
  const merged = (commit: string) =>
    github.pulls.set(commit, [{ number: 7, merged_at: '2026-01-01T00:00:00Z' }]);
  const commentOn = (number: number) => github.comments.get(number)?.at(-1)?.body ?? '';

  /** Pushes the branch of a person, opens a pull request for it, and runs its jobs. */
  const propose = async ({ shell: { folder } }: Person): Promise<PullRequest> => {
    const head = git(folder, 'rev-parse', 'HEAD');
    git(folder, 'push', '--quiet', '--force', 'origin', 'HEAD');
    pulls++;
    const merged = git(bare, 'commit-tree', `${head}^{tree}`, '-p', 'main', '-p', head, '-m', 'merge');
    writeRef(bare, 'refs/pull/7/merge', merged);
    const event = {
      repository: { default_branch: 'main' },
      sender: { login: 'ada' },
      pull_request: {
        number: 7,
        head: { sha: head, repo: { full_name: 'acme/site' } },
        base: { ref: 'main', repo: { full_name: 'acme/site' } },
      },
    };
    github.comments.delete(7);
    const jobs = {
      ...(await runJobs('validate', 'pull_request', event)),
      ...(await runJobs('plan', 'pull_request_target', event)),
    };
    return { number: pulls, jobs, comment: commentOn(7) };
  };

  /** Merges the branch of a person into `main`, as the button does. */
  const merge = ({ shell: { folder } }: Person) => {
    const branch = git(folder, 'rev-parse', '--abbrev-ref', 'HEAD');
    git(folder, 'fetch', '--quiet', 'origin', 'main');
    git(folder, 'checkout', '--quiet', '--detach', 'origin/main');
    git(folder, 'merge', '--quiet', '--no-ff', '-m', `Merge ${branch}`, branch);
    git(folder, 'push', '--quiet', 'origin', 'HEAD:main');
  };

  const ofMain = { ref: 'refs/heads/main', repository: { default_branch: 'main' } };
  /** Runs the jobs of a push to `main`: the plan and, if it has changes, its apply. `before` is done before a job. */
  const deploy = (before?: Machine['before']) => runJobs('apply', 'push', ofMain, before);

  /** Runs the job that looks for drift every workday. */
  const watch = () => runJobs('drift', 'schedule', ofMain);

  /** The number of requests so far that changed the account. */
  const writes = () => twin.requests.filter(({ method }) => method !== 'GET').length;

  return { writes, twin, github, bare, environments, hire, propose, merge, deploy, watch };
}
