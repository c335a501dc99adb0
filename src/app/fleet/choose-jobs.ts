import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { readWorkspace } from '../../config/workspace.ts';
import { isRepositoryName, type StackJob } from '../../fleet/job.ts';
import { matchesStack } from '../../fleet/refusal.ts';
import { GitError } from '../../git/git.ts';
import { findOriginPath } from '../../git/origin.ts';
import { openRepository } from '../../git/repository.ts';
import { workTreeOf } from '../../git/work-tree.ts';
import type { Provider } from '../../kind/provider.ts';
import { Problems } from '../../model/diagnostic.ts';
import { cleanLine } from '../../report/clean.ts';
import { currentPullRequest } from '../ci-job.ts';
import type { Host, Port, Run } from '../host.ts';
import { type ChosenStacks, readWorkspaceStacks, type WorkspaceStack } from '../planning/workspace-stacks.ts';
import { findStarter } from '../session/run-facts.ts';
import { type StackOptions, type StacksOptions, standardOptions } from '../stack-options.ts';
import type { QueueOptions } from './fleet-queue.ts';

/** The options that choose jobs. */
export interface JobsOptions extends QueueOptions, Partial<StackOptions>, StacksOptions {
  glob?: string;
  commit?: string;
  repository?: string;
  pullRequest?: number;
}

/** The stacks that jobs are to be about, and what all these jobs have in common. */
interface ChosenJobs {
  stacks: WorkspaceStack[];
  /** The folder of the ledgers. */
  folder: string;
  common: Pick<StackJob, 'format' | 'batch' | 'repository' | 'folder' | 'commit' | 'by' | 'pull'>;
}

/** The stacks of this checkout that the options name. Throws `Problems`. */
export async function chooseJobs(provider: Provider, options: JobsOptions, port: Port): Promise<ChosenJobs> {
  const { run } = port;
  refuseUnclearChoice(options);
  const commit = await checkedOut(options.commit, run.host);
  const repository = await findRepositoryName(options.repository, run.host);
  const chosenStacks = await readWorkspaceStacks(provider, { ...standardOptions, ...options }, run);
  for (const note of chosenStacks.notes) port.say(cleanLine(note));
  const pull = options.pullRequest ?? currentPullRequest(run.host)?.number;
  const { actor } = findStarter(run.host.env);
  return {
    stacks: meant(chosenStacks, options.glob),
    folder: chosenStacks.folder,
    common: {
      ...{ format: 1, batch: randomUUID(), repository, commit },
      folder: await folderInside(options.workspace, run),
      ...(actor ? { by: actor.name.slice(0, 300) } : {}),
      ...(pull === undefined ? {} : { pull }),
    },
  };
}

function refuseUnclearChoice({ all, glob, changedSince }: JobsOptions): void {
  const given = [all, glob, changedSince].filter(
    (selection) => selection !== undefined && selection !== false,
  );
  if (given.length === 1) return;
  throw new Problems(
    'fleet/which',
    given.length === 0 ? 'no stacks were named' : 'more than one selection of stacks was given',
    {
      hint: 'pass one of --all, a glob such as `sites/*`, or --changed-since REF',
    },
  );
}

function meant({ chosen }: ChosenStacks, glob: string | undefined): WorkspaceStack[] {
  const stacks = glob === undefined ? chosen : chosen.filter(({ id }) => matchesStack(glob, id));
  if (glob !== undefined && stacks.length === 0)
    throw new Problems('fleet/which', `no stack of this workspace matches ${JSON.stringify(glob)}`, {
      hint: '`trueup stacks` lists them',
    });
  return stacks;
}

/** The commit that is checked out; another one cannot be meant, since what stacks there are is read here. */
async function checkedOut(wanted: string | undefined, host: Host): Promise<string> {
  const wrong = (message: string, hint: string) => new Problems('fleet/commit', message, { hint });
  const here = await openRepository(host.cwd, host.env)
    .then(({ git }) => git(['rev-parse', '--verify', 'HEAD^{commit}']))
    .catch((error: unknown) => {
      if (!(error instanceof GitError)) throw error;
      throw wrong(
        'a job needs a commit, and none is checked out here',
        'run this in a checkout of the repository',
      );
    });
  const id = here.trim();
  if (wanted === undefined || (wanted.length >= 7 && id.startsWith(wanted.toLowerCase()))) return id;
  throw wrong(
    `the commit that is checked out here is ${id}, not ${cleanLine(wanted)}`,
    'check out that commit: the list of stacks comes from the files here',
  );
}

/** The name that workers know a repository by. Throws `Problems`. */
export async function findRepositoryName(given: string | undefined, host: Host): Promise<string> {
  const name = given ?? (await findOriginPath(host.cwd, host.env).catch(() => undefined));
  if (name !== undefined && isRepositoryName(name)) return name;
  throw new Problems(
    'fleet/repository',
    name === undefined
      ? "the repository's name is not known"
      : `${JSON.stringify(name)} is not a valid repository name`,
    { hint: "give the name that it has in the workers' files: --repository acme/shop" },
  );
}

/** The folder of the workspace from the top of its repository, with `/`. */
async function folderInside(workspace: string | undefined, { host }: Run): Promise<string> {
  const { folder } = await readWorkspace(host.cwd, workspace);
  const real = await realpath(folder);
  return relative(workTreeOf(real) ?? real, real)
    .split(sep)
    .join('/');
}

/** A job for each stack, after those of this batch that it needs. */
export function createJobs<J extends StackJob>(
  { stacks, common }: ChosenJobs,
  more: (stack: WorkspaceStack) => Pick<J, 'action'> & Partial<J>,
): J[] {
  const ids = new Map(stacks.map(({ id }) => [id, randomUUID()]));
  return stacks.map(
    (stack) =>
      ({
        ...common,
        ...more(stack),
        id: ids.get(stack.id)!,
        stack: stack.id,
        ledger: stack.configuration.desired.stack || stack.id,
        needs: stack.needs.flatMap((need) => ids.get(need) ?? []),
      }) as J,
  );
}
