import pipeline from '../../examples/ci/gitlab-ci.yml?raw';
import pipelineOfStacks from '../../examples/ci/gitlab-stacks.yml?raw';
import { shellWord } from '../model/diagnostic.ts';
import { type LineEdit, withLines, withWords } from './edit-workflow.ts';
import {
  type CiFile,
  type CiNeeds,
  type CiRepository,
  type CiStep,
  formatSettings,
  namesToAllow,
  type Setting,
  secretSettings,
} from './repository.ts';

/**
 * The example pipelines for GitLab, for a project with the tool at `acme/trueup-ci`: for one stack, and the changes
 * for several.
 */
const gitlabTemplates = { pipeline, pipelineOfStacks };

/** The project with the tool in the examples. */
const samplePath = ['acme', 'trueup-ci'].join('/');

/**
 * Returns the files for the separate GitLab project that holds the tool, for `init --ci`. A merge request could
 * change a pipeline in its own repository, so none of the files is there.
 * @param project the path of that project on the server: letters, digits, `_`, `.`, `-` and `/`
 */
export function gitlabFiles({ stacks, ledger, hasTests }: CiRepository, project: string): CiFile[] {
  const { pipeline, pipelineOfStacks } = gitlabTemplates;
  const withProject = (text: string) => withPlace(withLines(text, [[samplePath, project]]), ledger);
  const text = withProject(hasTests ? withLines(pipeline, [testEdit]) : pipeline);
  const ignored = { path: '.gitignore', text: 'node_modules/\n' };
  if ('file' in stacks) return [{ path: 'gitlab-ci.yml', text: withFile(text, stacks.file) }, ignored];
  const { workspace } = stacks;
  const stacksText = withProject(pipelineOfStacks);
  return [
    { path: 'gitlab-ci.yml', text },
    { path: 'gitlab-stacks.yml', text: workspace === '' ? stacksText : withWorkspace(stacksText, workspace) },
    ignored,
  ];
}

/** Adds a job that runs the test files wherever merge requests are validated. It needs no secret either. */
const testEdit: LineEdit = [
  '\nvalidate:\n',
  '\ntest:\n  extends: validate\n  script:\n    - npm exec --no -- trueup test ../change\n\nvalidate:\n',
];

/** Returns a pipeline with the place of the ledgers. In the jobs, the remote with the YAML is called `site`. */
const withPlace = (text: string, ledger: string) =>
  ledger === 'git' ? text : withWords(text, { wholeScalars: { 'git:site': ledger } });

/** Returns a pipeline with the path of the configuration instead of `trueup.yaml`. */
const withFile = (text: string, file: string) =>
  withWords(text, { wordsInScalars: { '-f ../change/trueup.yaml': `-f ${shellWord(`../change/${file}`)}` } });

/** Returns a pipeline with the folder of the workspace instead of the top of the repository. */
const withWorkspace = (text: string, folder: string) =>
  withWords(text, {
    wordsInScalars: { '--workspace ../change': `--workspace ${shellWord(`../change/${folder}`)}` },
  });

/** The purpose of each file, by its name, for the list that `init --ci` prints. */
export const gitlabFilePurposes: Record<string, string> = {
  'gitlab-ci.yml': 'the jobs: validate, plan, apply, drift, sign',
  'gitlab-stacks.yml': 'the same jobs, for all stacks of the workspace',
  '.gitignore': 'keeps node_modules out of that project',
};

/**
 * Returns the steps that a person has to do on GitLab after `trueup init --ci` has written the files: clicks and
 * commands, each step with its lines. `project`: the separate GitLab project for the tool; `folder`: where its
 * files were written.
 */
export function gitlabSteps(
  repository: CiRepository,
  needs: CiNeeds,
  { project, folder, version }: { project: string; folder: string; version: string },
): CiStep[] {
  const { stacks, secrets, variables } = repository;
  const pipeline = 'file' in stacks ? 'gitlab-ci.yml' : 'gitlab-stacks.yml';
  const allowed = namesToAllow(secrets).join(',');
  const settings: Setting[] = [
    ...secretSettings(repository, needs, ({ env }) => env),
    ['TRUEUP_PUSH_TOKEN', 'production', 'a project access token with `write_repository`, for the ledger'],
    ['TRUEUP_COMMENT_TOKEN', 'production', 'one with `api` and the role Reporter, to report the result'],
    ['TRUEUP_DRIFT_TOKEN', 'plan-main', 'one with the role Developer, for merge requests about drift'],
  ];
  const unmaskedSettings: Setting[] = [
    ...(allowed === '' ? [] : [['TRUEUP_ALLOW_ENV', 'plan-main, production', allowed] as const]),
    ...variables.map(({ name, env }) => [env, '*', `the variable ${name}, shown in plans`] as const),
  ];
  const step = (topic: CiStep['topic'], ...lines: string[]): CiStep => ({ topic, lines });
  return [
    step(
      'note',
      `Create the project ${project}, writable only by people you trust with the account, and move`,
      `${folder} there: no code that runs may come from a merge request.`,
      `  mv ${folder} ../trueup-ci && cd ../trueup-ci && git init -b main`,
      `  npm install --save-exact ./trueup-${version}.tgz`,
    ),
    step(
      'note',
      `In ${project}: Settings, CI/CD, Job token permissions: let the project with the YAML read it.`,
    ),
    step(
      'note',
      'In the project with the YAML, here and below: Settings, CI/CD, General pipelines,',
      `CI/CD configuration file: ${pipeline}@${project}`,
    ),
    step(
      'secrets',
      'Settings, CI/CD, Variables, each masked, and protected unless its environment scope is `plan`:',
      ...formatSettings(settings),
    ),
    ...(unmaskedSettings.length === 0
      ? []
      : [
          step(
            'variables',
            'Also set, neither masked nor protected (they are not secrets):',
            ...formatSettings(unmaskedSettings),
          ),
        ]),
    ...needs.notes.map((lines) => step('note', ...lines)),
    step('note', 'Settings, CI/CD, Variables: the minimum role to use pipeline variables is Maintainer.'),
    step(
      'branch',
      'Protect the default branch, and the environment `production`; turn on merged results pipelines.',
    ),
    step('note', 'Build, Pipeline schedules: one every workday on the default branch, for drift.'),
  ];
}
