import { shellWord } from '../config/sources/verdict.ts';
import { type LineEdit, shellPath, withLines, withWords } from './edit-workflow.ts';
import { forStacks, inWorkspace } from './github-stacks.ts';
import { allowedNames, type CiFile, type CiRepository, type CiSecret, secretName } from './repository.ts';
import { githubTemplates } from './templates.ts';

/** The workflows of a repository on GitHub. */
export const githubFiles = (repository: CiRepository): CiFile[] =>
  Object.entries(githubTemplates).map(([name, template]) => ({
    path: `.github/workflows/trueup-${name}.yml`,
    text: written('file' in repository.stacks ? template : withLines(template, forStacks[name]!), repository),
  }));

const ofSample = `          TRUEUP_SECRET_database: \${{ secrets.TRUEUP_SECRET_DATABASE }}\n`;

function written(template: string, { branch, tool, stacks, secrets, variables }: CiRepository): string {
  const edits: LineEdit[] = [
    ['`main`', `\`${branch}\``],
    ['branches: [main]', 'branches: [PATTERN]'],
    [ofSample, secretLines(secrets)],
    ...variableEdits(variables),
  ];
  const there = edits.filter(([from]) => template.includes(from));
  return withWords(withLines(template, there), {
    whole: { main: branch, PATTERN: branch.replaceAll(/[*?+[\]!\\]/g, '\\$&') },
    part: { ...ofStacks(stacks), ...(tool === '' ? {} : inFolder(shellPath(tool))) },
  });
}

function ofStacks(stacks: CiRepository['stacks']): Record<string, string> {
  if ('workspace' in stacks) return stacks.workspace === '' ? {} : inWorkspace(stacks.workspace);
  return {
    '-f ../change/trueup.yaml': `-f ${shellWord(`../change/${stacks.file}`)}`,
    '-f trueup.yaml': `-f ${shellPath(stacks.file)}`,
  };
}

/** npm takes the tool from a folder; commands start at the top all the same. */
const inFolder = (folder: string): Record<string, string> => ({
  'npm ci --ignore-scripts': `npm ci --ignore-scripts --prefix ${folder}`,
  'npm exec --no --': `npm exec --prefix ${folder} --no --`,
});

function secretLines(secrets: CiSecret[]): string {
  const allowed = allowedNames(secrets);
  return [
    ...secrets.map((secret) => `${secret.env}: \${{ secrets.${secretName(secret)} }}`),
    ...(allowed.length > 0
      ? [`TRUEUP_ALLOW_ENV: ${allowed.join(',')} # what the YAML may read of the environment`]
      : []),
  ]
    .map((line) => `          ${line}\n`)
    .join('');
}

/** Variables of the repository, since a pull request is planned with them. */
function variableEdits(variables: CiSecret[]): LineEdit[] {
  if (variables.length === 0) return [];
  const lines = variables.map((one) => `          ${one.env}: \${{ vars.${secretName(one)} }}\n`).join('');
  const validate = 'run: npm exec --no -- trueup validate';
  return [
    ['          TRUEUP_LEDGER: git', `${lines}          TRUEUP_LEDGER: git`],
    [`      - ${validate}`, `      - env:\n${lines}        ${validate}`],
  ];
}
