import apply from '../../examples/ci/github/apply.yml?raw';
import drift from '../../examples/ci/github/drift.yml?raw';
import plan from '../../examples/ci/github/plan.yml?raw';
import sign from '../../examples/ci/github/sign.yml?raw';
import validate from '../../examples/ci/github/validate.yml?raw';
import { shellWord } from '../model/diagnostic.ts';
import { type LineEdit, shellPath, withLines, withWords } from './edit-workflow.ts';
import {
  type CiFile,
  type CiRepository,
  type CiSecret,
  githubSecretName,
  namesToAllow,
} from './repository.ts';

/** The examples are the workflows of a repository with `trueup.yaml`, the secret `database` and the branch `main`. */
const githubTemplates = { validate, plan, apply, drift, sign };

/**
 * Returns the workflow files that `trueup init --ci` writes for a repository on GitHub, filled with its branch,
 * secrets, variables and paths. A workspace (several stacks) gets a variant of each.
 */
export const githubFiles = (repository: CiRepository): CiFile[] =>
  Object.entries(githubTemplates).map(([name, template]) => {
    const isOneStack = 'file' in repository.stacks;
    const variant = isOneStack ? template : withLines(template, forStacks[name]!);
    return {
      path: `.github/workflows/trueup-${name}.yml`,
      text: writeTemplate(withTests(variant, name, repository), repository),
    };
  });

/**
 * Returns the workflow that validates pull requests with a step that runs the test files, if there are any. The step needs no secret
 * either.
 */
const withTests = (template: string, name: string, { hasTests }: CiRepository): string =>
  name === 'validate' && hasTests
    ? `${template.trimEnd()}\n      - run: npm exec --no -- trueup test ../change\n`
    : template;

const sampleSecretLine = `          TRUEUP_SECRET_database: \${{ secrets.TRUEUP_SECRET_DATABASE }}\n`;

/**
 * Fills an example workflow with the names of a repository, for `init --ci`: its branch, its secrets and variables, the configuration, and
 * the folder of the tool. The examples are also documentation, so they are real workflows that are edited, not templates with placeholders.
 */
function writeTemplate(
  template: string,
  { branch, tool, stacks, secrets, variables, ledger }: CiRepository,
): string {
  const edits: LineEdit[] = [
    ['`main`', `\`${branch}\``],
    ['branches: [main]', 'branches: [PATTERN]'],
    [sampleSecretLine, workflowSecretLines(secrets)],
    ...variableEdits(variables),
  ];
  // An example has only some of these lines. `PATTERN` is replaced after them, because the branch may have to be quoted.
  const lineEdits = edits.filter(([from]) => template.includes(from));
  // In `branches: [...]`, GitHub reads a name as a glob.
  const branchPattern = branch.replaceAll(/[*?+[\]!\\]/g, '\\$&');
  return withWords(withLines(template, lineEdits), {
    wholeScalars: { main: branch, git: ledger, PATTERN: branchPattern },
    wordsInScalars: {
      ...configurationReplacements(stacks),
      ...(tool === '' ? {} : folderReplacements(shellPath(tool))),
    },
  });
}

/**
 * Returns the replacements in the commands of an example workflow after which they name the configuration or the workspace (a folder with
 * several stacks) of the repository. The example is written for a workspace at the top of a repository, so that one needs no replacement.
 */
function configurationReplacements(stacks: CiRepository['stacks']): Record<string, string> {
  if ('workspace' in stacks) return stacks.workspace === '' ? {} : workspaceReplacements(stacks.workspace);
  return {
    '-f ../change/trueup.yaml': `-f ${shellWord(`../change/${stacks.file}`)}`,
    '-f trueup.yaml': `-f ${shellPath(stacks.file)}`,
  };
}

/**
 * Returns the replacements for a repository whose package.json is in a folder: npm takes the tool from there, while
 * commands still run at the top.
 */
const folderReplacements = (folder: string): Record<string, string> => ({
  'npm ci --ignore-scripts': `npm ci --ignore-scripts --prefix ${folder}`,
  'npm exec --no --': `npm exec --prefix ${folder} --no --`,
});

/**
 * Returns the lines of a workflow of `init --ci` that pass the secrets of the configuration to a job.
 * `TRUEUP_ALLOW_ENV` permits the configuration to read those that it may not read otherwise.
 */
function workflowSecretLines(secrets: CiSecret[]): string {
  const allowed = namesToAllow(secrets);
  return [
    ...secrets.map((secret) => `${secret.env}: \${{ secrets.${githubSecretName(secret)} }}`),
    ...(allowed.length > 0
      ? [`TRUEUP_ALLOW_ENV: ${allowed.join(',')} # the environment variables that the YAML may read`]
      : []),
  ]
    .map((line) => `          ${line}\n`)
    .join('');
}

/**
 * Returns the edits of an example workflow that pass the variables of the configuration to its jobs. They are
 * variables of the repository, not of one of its environments, because pull requests are planned with them.
 */
function variableEdits(variables: CiSecret[]): LineEdit[] {
  if (variables.length === 0) return [];
  const lines = variables
    .map((variable) => `          ${variable.env}: \${{ vars.${githubSecretName(variable)} }}\n`)
    .join('');
  const validate = 'run: npm exec --no -- trueup validate';
  return [
    ['          TRUEUP_LEDGER: git', `${lines}          TRUEUP_LEDGER: git`],
    [`      - ${validate}`, `      - env:\n${lines}        ${validate}`],
  ];
}

/**
 * The edits that turn each example workflow into one for a workspace with several stacks: first the comment at its
 * top, then its commands.
 */
const forStacks: Record<string, LineEdit[]> = {
  validate: [
    [
      '# .github/workflows/trueup-validate.yml: checks the configuration of every pull request,',
      '# .github/workflows/trueup-validate.yml, of a repository with several stacks (trueup.workspace.yaml): checks all of them in every pull request,',
    ],
    ['validate -f ../change/trueup.yaml', 'validate --workspace ../change --all'],
  ],
  plan: [
    [
      '# .github/workflows/trueup-plan.yml: shows in each pull request the effect of merging it.\n',
      `# .github/workflows/trueup-plan.yml, of a repository with several stacks (trueup.workspace.yaml): shows in each pull request what merging it
# would do to the affected stacks, in one comment.
`,
    ],
    [
      '          path: change\n',
      `          path: change
          fetch-depth: 2 # the merge and its target, to find the affected stacks
`,
    ],
    ['plan -f ../change/trueup.yaml', 'plan --workspace ../change --changed-since HEAD^1'],
  ],
  apply: [
    [
      '# .github/workflows/trueup-apply.yml: plans the merged commit,',
      `# .github/workflows/trueup-apply.yml, of a repository with several stacks (trueup.workspace.yaml): one approval covers one file with the plans
# of all of them, and each stack is applied after the stacks it needs.
#
# It plans the merged commit,`,
    ],
    ['trueup plan -f trueup.yaml', 'trueup plan --all'],
    ['trueup apply plan.json -f trueup.yaml', 'trueup apply plan.json'],
  ],
  drift: [
    [
      '# .github/workflows/trueup-drift.yml: checks on a schedule',
      '# .github/workflows/trueup-drift.yml, of a repository with several stacks (trueup.workspace.yaml): checks on a schedule',
    ],
    ['trueup plan -f trueup.yaml', 'trueup plan --all'],
    [
      `"**$(grep -m 1 'changed outside since the last apply' messages.txt)**"`,
      '"**The objects under \\"Drift\\" were changed outside since the last apply.**"',
    ],
    [
      `          npm exec --no -- trueup accept -f trueup.yaml --all --auto-approve > /dev/null 2> accept.txt || true
`,
      `          # One stack after another, so that each sees the edits of the previous one.
          npm exec --no -- trueup stacks --json > stacks.json
          node -e 'for (const { file, stage } of JSON.parse(fs.readFileSync("stacks.json")).include) console.log([file, stage ?? ""].join("\\t"))' |
            while IFS=$'\\t' read -r file stage; do
              echo "$file\${stage:+, stage $stage}:" >> accept.txt
              npm exec --no -- trueup accept -f "$file" \${stage:+--stage "$stage"} --all --auto-approve > /dev/null 2>> accept.txt || true
            done
`,
    ],
  ],
  sign: [
    [
      '# .github/workflows/trueup-sign.yml: signs a ledger that',
      '# .github/workflows/trueup-sign.yml, of a repository with several stacks (trueup.workspace.yaml): signs the ledger of one of them that',
    ],
    ['# Start it without inputs first:', '# Start it with the stack alone first:'],
    ['start it again with both.', 'start it again with both, too.'],
    [
      '    inputs:\n',
      `    inputs:
      stack:
        description: the folder or file of its configuration
        type: string
        required: true
      stage:
        description: the stage, if it has stages
        type: string
`,
    ],
    [
      '          GENERATION: ',
      `          STACK: \${{ inputs.stack }}
          STAGE: \${{ inputs.stage }}
          GENERATION: `,
    ],
    ['ledger sign -f trueup.yaml', 'ledger sign -f "$STACK" ${STAGE:+--stage "$STAGE"}'],
  ],
};

/**
 * Returns what to replace in the commands of an example workflow if the workspace (a folder with several stacks) is
 * not at the top of the repository: the text of the example, and the same with `folder`.
 */
const workspaceReplacements = (folder: string): Record<string, string> => ({
  '--workspace ../change': `--workspace ${shellWord(`../change/${folder}`)}`,
  'trueup plan --all': `trueup plan --all --workspace ${shellPath(folder)}`,
  'trueup apply plan.json': `trueup apply plan.json --workspace ${shellPath(folder)}`,
  'trueup stacks --json': `trueup stacks --workspace ${shellPath(folder)} --json`,
});

/** The purpose of each workflow, by its name, for the list that `init --ci` prints. */
export const githubFilePurposes: Record<string, string> = {
  validate: 'checks every pull request, including forks',
  plan: 'plans it and comments',
  apply: 'plans the merged commit and applies the plan once it is approved',
  drift: 'checks for drift every workday',
  sign: 'signs a ledger by hand, after review',
};
