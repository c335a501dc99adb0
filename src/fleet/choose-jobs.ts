import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { currentPullRequest } from '../ci/ci-job.ts';
import { readWorkspace } from '../config/workspace.ts';
import { type ChosenStacks, findPredecessors, type WorkspaceStack } from '../config/workspace-stacks.ts';
import { findOriginPath } from '../git/checkout.ts';
import { GitError } from '../git/git.ts';
import { openRepository } from '../git/repository.ts';
import { workTreeOf } from '../git/work-tree.ts';
import { findStarter } from '../history/find-starter.ts';
import type { Host } from '../host.ts';
import { raise } from '../model/diagnostic.ts';
import { pathFrom } from '../paths.ts';
import { cleanLine } from '../report/text.ts';
import { isRepositoryName, type StackJob } from './job.ts';
import { matchesStack } from './refusal.ts';

/** The options that choose jobs. */
export interface JobChoice {
  all?: boolean;
  changedSince?: string;
  workspace?: string;
  glob?: string;
  commit?: string;
  repository?: string;
  pullRequest?: number;
}

/** The stacks that get a job, and the members that all of these jobs share. */
interface ChosenJobs {
  stacks: WorkspaceStack[];
  /** All stacks of the workspace. A job waits for the jobs of stacks that its stack needs, even through stacks without a job. */
  all: WorkspaceStack[];
  /** The folder where paths of stacks and ledgers start; `fleet enqueue apply` reads the approved plans there. */
  folder: string;
  /** The members that all jobs share. `folder`: that of the workspace, from the top of the repository. */
  common: Pick<StackJob, 'format' | 'batch' | 'repository' | 'folder' | 'commit' | 'by' | 'pull'>;
}

/**
 * Selects the stacks of this checkout for which `fleet enqueue` makes jobs. Workers check out the `repository` at
 * the `commit`, and plan or apply one stack per job. Returns the stacks with the members that all of their jobs
 * share (`common`). Throws `Problems` if the options do not say which stacks, if a glob matches none, if another
 * commit is checked out, or if the repository has no name. `readStacks`: reads the stacks of the workspace.
 */
export async function chooseJobs(
  options: JobChoice,
  host: Host,
  readStacks: () => Promise<ChosenStacks>,
): Promise<ChosenJobs> {
  refuseUnclearChoice(options);
  const commit = await readCheckedOutCommit(options.commit, host);
  const repository = await findRepositoryName(options.repository, host);
  const chosenStacks = await readStacks();
  const pull = options.pullRequest ?? currentPullRequest(host)?.number;
  const { actor } = findStarter(host.env);
  return {
    stacks: selectByGlob(chosenStacks, options.glob),
    all: chosenStacks.all,
    folder: chosenStacks.folder,
    common: {
      format: 1,
      batch: randomUUID(),
      repository,
      commit,
      folder: await workspacePathOf(options.workspace, host),
      // A worker refuses jobs with a longer name.
      by: actor?.name.slice(0, 300),
      pull,
    },
  };
}

/**
 * Throws `Problems` unless exactly one of `--all`, a glob and `--changed-since` says which stacks get a job, so
 * that no stack is selected by accident.
 */
function refuseUnclearChoice({ all, glob, changedSince }: JobChoice): void {
  const selections = [all, glob, changedSince].filter(
    (selection) => selection !== undefined && selection !== false,
  );
  if (selections.length === 1) return;
  raise(
    'fleet/which',
    selections.length === 0 ? 'no stacks were named' : 'more than one selection of stacks was given',
    {
      hint: 'pass one of --all, a glob such as `sites/*`, or --changed-since REF',
    },
  );
}

/**
 * Returns the stacks of a workspace that match the glob of `fleet enqueue plan 'shop@*'`, or all of them without a
 * glob. Throws `Problems` if none matches.
 */
function selectByGlob({ chosen }: ChosenStacks, glob: string | undefined): WorkspaceStack[] {
  const stacks = glob === undefined ? chosen : chosen.filter(({ id }) => matchesStack(glob, id));
  if (glob !== undefined && stacks.length === 0)
    raise('fleet/which', `no stack of this workspace matches ${JSON.stringify(glob)}`, {
      hint: '`trueup stacks` lists them',
    });
  return stacks;
}

/**
 * Returns the id of the commit that is checked out, for the jobs of `fleet enqueue`. Throws `Problems` if the user
 * named another one, because the list of stacks is read from the files here. `wanted`: a commit id or its first
 * digits.
 */
async function readCheckedOutCommit(wanted: string | undefined, host: Host): Promise<string> {
  const output = await openRepository(host.cwd, host.env)
    .then(({ git }) => git(['rev-parse', '--verify', 'HEAD^{commit}']))
    .catch((error: unknown) => {
      if (!(error instanceof GitError)) throw error;
      raise('fleet/commit', 'a job needs a commit, and none is checked out here', {
        hint: 'run this in a checkout of the repository',
      });
    });
  const id = output.trim();
  if (wanted === undefined || (wanted.length >= 7 && id.startsWith(wanted.toLowerCase()))) return id;
  raise('fleet/commit', `the commit that is checked out here is ${id}, not ${cleanLine(wanted)}`, {
    hint: 'check out that commit: the list of stacks comes from the files here',
  });
}

/**
 * Returns the name of the repository for a job of `fleet enqueue` or `fleet schedule`; workers look it up in their
 * file. It is the one of `--repository`, or else the path of the git remote `origin`, such as `acme/shop`. Throws
 * `Problems` if there is none or it is not valid.
 */
export async function findRepositoryName(namedByUser: string | undefined, host: Host): Promise<string> {
  const name = namedByUser ?? (await findOriginPath(host.cwd, host.env).catch(() => undefined));
  if (name !== undefined && isRepositoryName(name)) return name;
  raise(
    'fleet/repository',
    name === undefined
      ? "the repository's name is not known"
      : `${JSON.stringify(name)} is not a valid repository name`,
    { hint: "give the name that it has in the workers' files: --repository acme/shop" },
  );
}

/**
 * Returns the path of the workspace folder from the top of its repository, with `/`, for a job of `fleet enqueue`:
 * the worker looks for the workspace there in its own checkout.
 */
async function workspacePathOf(workspace: string | undefined, host: Host): Promise<string> {
  const { folder } = await readWorkspace(host.cwd, workspace);
  const realFolder = await realpath(folder);
  return pathFrom(workTreeOf(realFolder) ?? realFolder, realFolder);
}

/**
 * Creates the jobs that `fleet enqueue` adds to the queue together, one for each stack. A job waits (`needs`) for
 * the jobs of the stacks that its stack depends on, directly or through stacks without a job. `ledger` is the
 * stack's name in its configuration, by which a worker finds the ledger; `stack` is its id in the workspace.
 * `membersOf`: returns the members that differ by stack, such as the action.
 */
export function createJobs<J extends StackJob>(
  { stacks, all, common }: Omit<ChosenJobs, 'folder'>,
  membersOf: (stack: WorkspaceStack) => Pick<J, 'action'> & Partial<J>,
): J[] {
  const ids = new Map(stacks.map(({ id }) => [id, randomUUID()]));
  const predecessors = findPredecessors(new Set(ids.keys()), all);
  return stacks.map(
    (stack) =>
      ({
        ...common,
        ...membersOf(stack),
        id: ids.get(stack.id)!,
        stack: stack.id,
        ledger: stack.configuration.desired.stack || stack.id,
        needs: predecessors.get(stack.id)!.map((id) => ids.get(id)!),
      }) as J,
  );
}
