import { listed } from '../report/count.ts';
import { allowedNames } from './github-secrets.ts';
import type { CiNeeds, CiRepository } from './repository.ts';

/** What each file does. */
export const gitlabDoes: Record<string, string> = {
  'gitlab-ci.yml': 'the jobs: validate, plan, apply, drift, sign',
  'gitlab-stacks.yml': 'the same jobs for all stacks of the workspace',
};

/** What is left to click and to run on GitLab, each a step with its lines. */
export function gitlabSteps(
  { stacks, secrets }: CiRepository,
  { accounts, notes }: CiNeeds,
  { project, folder, version }: { project: string; folder: string; version: string },
): string[][] {
  const pipeline = 'file' in stacks ? 'gitlab-ci.yml' : 'gitlab-stacks.yml';
  const allowed = allowedNames(secrets);
  const variables: [name: string, scopes: string, about: string][] = [
    ['TRUEUP_TOKEN', 'plan', `not protected: one that can only read; for ${listed(accounts)}`],
    ['TRUEUP_TOKEN', 'plan-main, production', 'one that may write'],
    [
      'TRUEUP_LEDGER_KEY',
      'plan-main, production',
      'from `trueup ledger key --print`; keep it in a safe place, too',
    ],
    ...secrets.map(({ name, env }): [string, string, string] => [
      env,
      'plan-main, production',
      `the secret ${name}`,
    ]),
    ...(allowed.length > 0
      ? [
          ['TRUEUP_ALLOW_ENV', 'plan-main, production', `\`${allowed.join(',')}\`, not masked`] as [
            string,
            string,
            string,
          ],
        ]
      : []),
    ['TRUEUP_PUSH_TOKEN', 'production', 'a project access token with `write_repository`, for the ledger'],
    ['TRUEUP_DRIFT_TOKEN', 'plan-main', 'the same with the role Developer, for merge requests about drift'],
  ];
  const width = Math.max(...variables.map(([name]) => name.length));
  return [
    [
      `Make the project ${project}, where only people may push whom you trust with the account, and move ${folder} there:`,
      '  the tool, its lockfile and the pipeline may not come from a merge request.',
      `  mv ${folder} ../trueup-ci && cd ../trueup-ci && git init -b main`,
      `  npm install --save-exact ./trueup-${version}.tgz   # committed beside it; or from a registry of your own`,
    ],
    [`In ${project}: Settings, CI/CD, Job token permissions: let the project with the YAML read it.`],
    [
      'In the project with the YAML, and so in all that follows: Settings, CI/CD, General pipelines,',
      `CI/CD configuration file: \`${pipeline}@${project}\`.`,
    ],
    [
      'Settings, CI/CD, Variables: masked, and protected but for the first one, each with its environment scopes:',
      ...variables.map(([name, scopes, about]) => `  ${name.padEnd(width)}  ${scopes.padEnd(21)}  ${about}`),
    ],
    ...notes.map((note) => [note]),
    ['Settings, CI/CD, Variables: the minimum role to use pipeline variables is Maintainer.'],
    ['Protect the default branch, and the environment `production`; turn on merged results pipelines.'],
    ['Build, Pipeline schedules: one each workday, on the default branch, for drift.'],
  ];
}
