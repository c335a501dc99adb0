import type { Host } from '../host.ts';
import type { RunFacts } from './open-recording.ts';

/** A CI system, with the variables that it sets in its jobs. */
interface CiSystem {
  name: string;
  /** The variable that is set in every job of this system. */
  marker: string;
  /** The variable that names the person who started the job. */
  actor?: string;
  /** The variable with the number or id of the job. */
  run: string;
  /** Returns the page of the job; undefined if its variables are missing. */
  urlOf(env: Host['env']): string | undefined;
}

/** The CI systems. The first one whose marker is set counts. */
const ciSystems: CiSystem[] = [
  {
    name: 'GitHub Actions',
    marker: 'GITHUB_ACTIONS',
    actor: 'GITHUB_ACTOR',
    run: 'GITHUB_RUN_ID',
    urlOf: ({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run }) =>
      server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined,
  },
  {
    name: 'GitLab CI',
    marker: 'GITLAB_CI',
    actor: 'GITLAB_USER_LOGIN',
    run: 'CI_JOB_ID',
    urlOf: ({ CI_JOB_URL }) => CI_JOB_URL,
  },
  {
    name: 'CircleCI',
    marker: 'CIRCLECI',
    actor: 'CIRCLE_USERNAME',
    run: 'CIRCLE_BUILD_NUM',
    urlOf: ({ CIRCLE_BUILD_URL }) => CIRCLE_BUILD_URL,
  },
  {
    name: 'Buildkite',
    marker: 'BUILDKITE',
    actor: 'BUILDKITE_BUILD_CREATOR',
    run: 'BUILDKITE_BUILD_NUMBER',
    urlOf: ({ BUILDKITE_BUILD_URL }) => BUILDKITE_BUILD_URL,
  },
  {
    name: 'Azure Pipelines',
    marker: 'TF_BUILD',
    actor: 'BUILD_REQUESTEDFOR',
    run: 'BUILD_BUILDID',
    urlOf: ({ SYSTEM_COLLECTIONURI: collection, SYSTEM_TEAMPROJECT: project, BUILD_BUILDID: run }) =>
      collection && project && run ? `${collection}${project}/_build/results?buildId=${run}` : undefined,
  },
  {
    name: 'Bitbucket Pipelines',
    marker: 'BITBUCKET_BUILD_NUMBER',
    actor: 'BITBUCKET_STEP_TRIGGERER_UUID',
    run: 'BITBUCKET_BUILD_NUMBER',
    urlOf: ({ BITBUCKET_GIT_HTTP_ORIGIN: repository, BITBUCKET_BUILD_NUMBER: run }) =>
      repository && run ? `${repository}/pipelines/results/${run}` : undefined,
  },
  {
    name: 'Jenkins',
    marker: 'JENKINS_URL',
    actor: 'BUILD_USER_ID',
    run: 'BUILD_NUMBER',
    urlOf: ({ BUILD_URL }) => BUILD_URL,
  },
];

/** The variables that name the user of a shell, if no CI system names one. */
const userVariables = ['USER', 'LOGNAME', 'USERNAME'];

/** Shortens a value of the environment for a record. Records show it to people, so it needs no more. */
const shorten = (text: string): string => text.trim().slice(0, 500);

/**
 * Returns who started this run and in which CI system, for its record in the history; undefined members if the
 * environment does not tell. `actor.says` is the environment variable that named the person: it is recorded because
 * anyone can set it.
 */
export function findStarter(env: Host['env']): Pick<RunFacts, 'actor' | 'ci'> {
  const system = ciSystems.find(({ marker }) => env[marker]);
  const variable = [system?.actor, ...userVariables].find((name) => name !== undefined && env[name]?.trim());
  const actor = variable === undefined ? undefined : { name: shorten(env[variable]!), says: variable };
  if (!system) return { actor };
  const run = env[system.run];
  const url = system.urlOf(env);
  const ci = {
    name: system.name,
    run: run ? shorten(run) : undefined,
    url: url ? shorten(url) : undefined,
  };
  return { actor, ci };
}
