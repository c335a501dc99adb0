import apply from '../../examples/ci/github/apply.yml?raw';
import drift from '../../examples/ci/github/drift.yml?raw';
import plan from '../../examples/ci/github/plan.yml?raw';
import sign from '../../examples/ci/github/sign.yml?raw';
import validate from '../../examples/ci/github/validate.yml?raw';
import { shellWord } from '../config/sources/verdict.ts';
import { type LineEdit, withLines, withWords } from './edit-workflow.ts';
import { allowedNames, secretNames } from './github-secrets.ts';
import type { CiFile, CiRepository, CiSecret } from './repository.ts';

/** The examples are the workflows of a repository with `trueup.yaml`, the secret `database` and the branch `main`. */
const templates = { validate, plan, apply, drift, sign };

/** The workflows of a repository on GitHub. */
export const githubFiles = (repository: CiRepository): CiFile[] =>
  Object.entries(templates).map(([name, template]) => ({
    path: `.github/workflows/trueup-${name}.yml`,
    text: written(template, repository),
  }));

const ofSample = `          TRUEUP_SECRET_database: \${{ secrets.TRUEUP_SECRET_DATABASE }}\n`;

function written(template: string, { branch, tool, stacks, secrets }: CiRepository): string {
  const edits: LineEdit[] = [
    ['`main`', `\`${branch}\``],
    ['branches: [main]', 'branches: [PATTERN]'],
    [ofSample, secretLines(secrets)],
  ];
  const file = 'file' in stacks ? stacks.file : '';
  return withWords(
    withLines(
      template,
      edits.filter(([from]) => template.includes(from)),
    ),
    {
      whole: { main: branch, PATTERN: branch.replaceAll(/[*?+[\]!\\]/g, '\\$&') },
      part: {
        '-f ../change/trueup.yaml': `-f ${shellWord(`../change/${file}`)}`,
        '-f trueup.yaml': `-f ${shellWord(file.startsWith('-') ? `./${file}` : file)}`,
        ...(tool === '' ? {} : inFolder(shellWord(`./${tool}`))),
      },
    },
  );
}

/** npm takes the tool from a folder; commands start at the top all the same. */
const inFolder = (folder: string): Record<string, string> => ({
  'npm ci --ignore-scripts': `npm ci --ignore-scripts --prefix ${folder}`,
  'npm exec --no -- trueup': `npm exec --prefix ${folder} --no -- trueup`,
});

function secretLines(secrets: CiSecret[]): string {
  const names = secretNames(secrets);
  const allowed = allowedNames(secrets);
  return [
    ...[...names].map(([env, name]) => `${env}: \${{ secrets.${name} }}`),
    ...(allowed.length > 0
      ? [`TRUEUP_ALLOW_ENV: ${allowed.join(',')} # what the YAML may read of the environment`]
      : []),
  ]
    .map((line) => `          ${line}\n`)
    .join('');
}
