import { type CiNeeds, type CiRepository, secretName } from './repository.ts';
import { secretSettings, settingLines } from './settings-table.ts';

/** The purpose of each workflow, by its name. */
export const githubDoes: Record<string, string> = {
  validate: 'checks each pull request, forks too',
  plan: 'plans it, and comments',
  apply: 'plans what was merged, and applies it once somebody approves',
  drift: 'looks each workday for what was changed outside',
  sign: 'signs a ledger by hand, after a look at it',
};

/** The remaining clicks and commands, each a step with its lines. */
export function githubSteps(repository: CiRepository, needs: CiNeeds, version: string): string[][] {
  const { branch, variables, tool } = repository;
  const folder = tool === '' ? 'at the top of the repository' : `in ${tool}`;
  return [
    ...(needs.hasTool
      ? []
      : [
          [
            `Put trueup into the lockfile ${folder}; the workflows run the version that it names:`,
            `  npm install --save-dev --save-exact ./trueup-${version}.tgz`,
          ],
        ]),
    [
      `Settings, Environments: make \`plan\`, \`plan-main\` and \`production\`, each for the branch ${branch} only;`,
      '`production` with required reviewers, who approve each plan.',
    ],
    [
      'Set the secrets of these environments, never of the repository: gh secret set NAME --env ENVIRONMENT',
      ...settingLines(secretSettings(repository, needs, secretName)),
    ],
    ...(variables.length === 0
      ? []
      : [
          [
            'Set the variables of the repository that the configuration leaves open: gh variable set NAME',
            ...settingLines(
              variables.map((one) => [secretName(one), '', `the variable ${one.name}, shown in plans`]),
            ),
          ],
        ]),
    ...needs.notes,
    [`Settings, Branches: protect ${branch}, and require pull requests with a review.`],
    ['Settings, Actions, General: "Allow GitHub Actions to create and approve pull requests", for drift.'],
    [`Commit all this to ${branch}: from then on pull requests are planned.`],
  ];
}
