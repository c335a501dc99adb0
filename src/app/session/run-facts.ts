import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readCheckoutCommit } from '../../git/checkout-commit.ts';
import { workTreeOf } from '../../git/work-tree.ts';
import type { RunFacts } from '../../history/open-recording.ts';
import { standardInput } from '../../model/resource.ts';
import type { Host } from '../host.ts';
import type { WritingOptions } from '../planning/plan-options.ts';
import type { Session } from './session.ts';

/** CI systems, with the variables that name the person who started a run. The first system whose variable is set counts. */
const systems: {
  name: string;
  is: string;
  actor?: string;
  run: string;
  url(env: Host['env']): string | undefined;
}[] = [
  {
    name: 'GitHub Actions',
    is: 'GITHUB_ACTIONS',
    actor: 'GITHUB_ACTOR',
    run: 'GITHUB_RUN_ID',
    url: ({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run }) =>
      server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined,
  },
  {
    name: 'GitLab CI',
    is: 'GITLAB_CI',
    actor: 'GITLAB_USER_LOGIN',
    run: 'CI_JOB_ID',
    url: ({ CI_JOB_URL }) => CI_JOB_URL,
  },
  {
    name: 'CircleCI',
    is: 'CIRCLECI',
    actor: 'CIRCLE_USERNAME',
    run: 'CIRCLE_BUILD_NUM',
    url: ({ CIRCLE_BUILD_URL }) => CIRCLE_BUILD_URL,
  },
  {
    name: 'Buildkite',
    is: 'BUILDKITE',
    actor: 'BUILDKITE_BUILD_CREATOR',
    run: 'BUILDKITE_BUILD_NUMBER',
    url: ({ BUILDKITE_BUILD_URL }) => BUILDKITE_BUILD_URL,
  },
  {
    name: 'Azure Pipelines',
    is: 'TF_BUILD',
    actor: 'BUILD_REQUESTEDFOR',
    run: 'BUILD_BUILDID',
    url: ({ SYSTEM_COLLECTIONURI: at, SYSTEM_TEAMPROJECT: project, BUILD_BUILDID: run }) =>
      at && project && run ? `${at}${project}/_build/results?buildId=${run}` : undefined,
  },
  {
    name: 'Bitbucket Pipelines',
    is: 'BITBUCKET_BUILD_NUMBER',
    actor: 'BITBUCKET_STEP_TRIGGERER_UUID',
    run: 'BITBUCKET_BUILD_NUMBER',
    url: ({ BITBUCKET_GIT_HTTP_ORIGIN: at, BITBUCKET_BUILD_NUMBER: run }) =>
      at && run ? `${at}/pipelines/results/${run}` : undefined,
  },
  {
    name: 'Jenkins',
    is: 'JENKINS_URL',
    actor: 'BUILD_USER_ID',
    run: 'BUILD_NUMBER',
    url: ({ BUILD_URL }) => BUILD_URL,
  },
];

const users = ['USER', 'LOGNAME', 'USERNAME'];

/** Cuts a fact of the environment, which is only for people to read. */
const short = (text: string): string => text.trim().slice(0, 500);

/** Returns who started a run, and in which CI system, as the environment has it. */
export function findStarter(env: Host['env']): Pick<RunFacts, 'actor' | 'ci'> {
  const system = systems.find(({ is }) => env[is]);
  const says = [system?.actor, ...users].find((name) => name !== undefined && env[name]?.trim());
  const actor = says === undefined ? {} : { actor: { name: short(env[says]!), says } };
  if (!system) return actor;
  const [run, url] = [env[system.run], system.url(env)];
  const ci = { name: system.name, ...(run ? { run: short(run) } : {}), url: url ? short(url) : undefined };
  return { ...actor, ci };
}

/** Returns the facts for the record of a run, apart from its changes. `more`: the facts that the command knows. */
export async function collectRunFacts(
  { configuration, host }: Session,
  options: Pick<WritingOptions, 'stage' | 'history'>,
  more: Partial<RunFacts>,
): Promise<RunFacts> {
  const commit = 'commit' in more ? undefined : await findConfigurationCommit(configuration, host);
  return {
    command: 'apply',
    ...(options.stage === undefined ? {} : { stage: options.stage }),
    ...findStarter(host.env),
    ...(commit ? { commit: { id: commit.id, dirty: commit.dirty ? true : undefined } } : {}),
    ...more,
    values: keepsValues(options, host),
  };
}

/** True unless the values of fields are to be left out of records: `--history no-values`, or TRUEUP_HISTORY. */
const keepsValues = ({ history }: Pick<WritingOptions, 'history'>, { env }: Host): boolean =>
  (history ?? env.TRUEUP_HISTORY) !== 'no-values';

/** Returns the commit of a configuration, with whether its files differ from it. Files of secrets do not count. */
export async function findConfigurationCommit(
  { fileDependencies, files, secrets, desired }: Session['configuration'],
  { cwd, env }: Host,
) {
  const [first] = files;
  const folder = first === undefined || first === standardInput ? cwd : resolve(cwd, first, '..');
  const withSecrets = new Set(
    await Promise.all(
      [...secrets.values()].flatMap((origin) =>
        'file' in origin ? [realpath(resolve(cwd, origin.folder, origin.file)).catch(() => '')] : [],
      ),
    ),
  );
  const top = workTreeOf(await realpath(folder).catch(() => folder));
  const commit = await readCheckoutCommit(
    folder,
    {
      files: fileDependencies.filter((file) => !withSecrets.has(file)),
      folders: desired.folders.flatMap((name) => (top && name.startsWith('/') ? [join(top, name)] : [])),
    },
    env,
  );
  // What came on standard input is in no commit.
  return commit && desired.inputs.includes(standardInput) ? { ...commit, dirty: true } : commit;
}
