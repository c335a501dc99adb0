import { shellWord } from '../config/sources/verdict.ts';
import { type LineEdit, shellPath } from './edit-workflow.ts';

/** The differences in each workflow of a workspace with several stacks: first its subject, then its commands. */
export const forStacks: Record<string, LineEdit[]> = {
  validate: [
    [
      '# .github/workflows/trueup-validate.yml: checks the configuration of every pull request,',
      '# .github/workflows/trueup-validate.yml, of a repository with several stacks (trueup.workspace.yaml): checks all of them in every pull request,',
    ],
    ['validate -f ../change/trueup.yaml', 'validate --workspace ../change --all'],
  ],
  plan: [
    [
      '# .github/workflows/trueup-plan.yml: shows in each pull request what merging it would do.\n',
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
      '# .github/workflows/trueup-apply.yml: plans what was merged,',
      `# .github/workflows/trueup-apply.yml, of a repository with several stacks (trueup.workspace.yaml): one approval covers one file with the plans
# of all of them, and each stack is applied after the stacks it needs.
#
# It plans what was merged,`,
    ],
    ['trueup plan -f trueup.yaml', 'trueup plan --all'],
    ['trueup apply plan.json -f trueup.yaml', 'trueup apply plan.json'],
  ],
  drift: [
    [
      '# .github/workflows/trueup-drift.yml: looks on a schedule',
      '# .github/workflows/trueup-drift.yml, of a repository with several stacks (trueup.workspace.yaml): looks on a schedule',
    ],
    ['trueup plan -f trueup.yaml', 'trueup plan --all'],
    [
      `"**$(grep -m 1 'changed outside since the last apply' said.txt)**"`,
      '"**What is listed under \\"Drift\\" was changed outside since the last apply.**"',
    ],
    [
      `          npm exec --no -- trueup accept -f trueup.yaml --all --auto-approve > /dev/null 2> taken.txt || true
`,
      `          # One stack after the other: what is written for one is used for the next.
          npm exec --no -- trueup stacks --json > stacks.json
          node -e 'for (const { file, stage } of JSON.parse(fs.readFileSync("stacks.json")).include) console.log([file, stage ?? ""].join("\\t"))' |
            while IFS=$'\\t' read -r file stage; do
              npm exec --no -- trueup accept -f "$file" \${stage:+--stage "$stage"} --all --auto-approve > /dev/null 2>> taken.txt || true
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
        description: the stage, where it has stages
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

/** The same where the workspace lies in this folder. */
export const inWorkspace = (folder: string): Record<string, string> => ({
  '--workspace ../change': `--workspace ${shellWord(`../change/${folder}`)}`,
  'trueup plan --all': `trueup plan --all --workspace ${shellPath(folder)}`,
  'trueup apply plan.json': `trueup apply plan.json --workspace ${shellPath(folder)}`,
  'trueup stacks --json': `trueup stacks --workspace ${shellPath(folder)} --json`,
});
