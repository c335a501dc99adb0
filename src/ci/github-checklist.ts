import { type CiNeeds, type CiRepository, secretName, secretSettings, settingLines } from './repository.ts';

/** The purpose of each workflow, by its name. */
export const githubDoes: Record<string, string> = {
  validate: 'checks every pull request, including forks',
  plan: 'plans it and comments',
  apply: 'plans what was merged and applies it once approved',
  drift: 'checks for drift every workday',
  sign: 'signs a ledger by hand, after review',
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
            `Add trueup to the lockfile ${folder}; the workflows run the version it pins:`,
            `  npm install --save-dev --save-exact ./trueup-${version}.tgz`,
          ],
        ]),
    [
      `Settings, Environments: create \`plan\`, \`plan-main\` and \`production\`, each restricted to the branch ${branch};`,
      '`production` with required reviewers, who approve each plan.',
    ],
    [
      'Set these as environment secrets, never as repository secrets: gh secret set NAME --env ENVIRONMENT',
      ...settingLines(secretSettings(repository, needs, secretName)),
    ],
    ...(variables.length === 0
      ? []
      : [
          [
            'Set the repository variables that the configuration needs: gh variable set NAME',
            ...settingLines(
              variables.map((one) => [secretName(one), '', `the variable ${one.name}, shown in plans`]),
            ),
          ],
        ]),
    ...needs.notes,
    [`Settings, Branches: protect ${branch}, and require pull requests with a review.`],
    ['Settings, Actions, General: "Allow GitHub Actions to create and approve pull requests", for drift.'],
    [`Commit all of this to ${branch}: pull requests are planned from then on.`],
  ];
}
