import { shellWord } from '../config/sources/verdict.ts';
import { listed } from '../report/count.ts';
import { secretName } from './github-secrets.ts';
import type { CiNeeds, CiRepository } from './repository.ts';

/** What each workflow does, by its file. */
export const githubDoes: Record<string, string> = {
  validate: 'checks each pull request, forks too',
  plan: 'plans it, and comments',
  apply: 'plans what was merged, and applies it once somebody approves',
  drift: 'looks each workday for what was changed outside',
  sign: 'signs a ledger by hand, after a look at it',
};

/** What is left to click and to run, each a step with its lines. */
export function githubSteps(
  { branch, secrets, tool }: CiRepository,
  { accounts, hasTool, notes }: CiNeeds,
): string[][] {
  const folder = tool === '' ? 'the top of the repository' : tool;
  const both = (name: string) => `for env in plan-main production; do gh secret set ${name} --env $env; done`;
  return [
    ...(hasTool
      ? []
      : [
          [
            `Put trueup into the lockfile, in ${folder}; the workflows run the version that it names:`,
            '  npm install --save-dev --save-exact trueup-VERSION.tgz',
          ],
        ]),
    [
      `Settings, Environments: make \`plan\`, \`plan-main\` and \`production\`, each for the branch ${branch} only;`,
      '`production` with required reviewers, who approve each plan.',
    ],
    [
      `Give these environments their secrets, never the repository. The tokens are for ${listed(accounts)}:`,
      '  gh secret set TRUEUP_TOKEN --env plan   # one that can only read',
      `  ${both('TRUEUP_TOKEN')}`,
      '  key=$(trueup ledger key --print)   # keep it in a safe place, too',
      '  for env in plan-main production; do gh secret set TRUEUP_LEDGER_KEY --env $env <<< "$key"; done',
      ...secrets.map((secret) => `  ${both(secretName(secret))}   # the secret ${secret.name}`),
    ],
    ...notes.map((note) => [note]),
    [`Settings, Branches: protect ${branch}, and require pull requests with a review.`],
    ['Settings, Actions, General: "Allow GitHub Actions to create and approve pull requests", for drift.'],
    [`Commit all this and push it to ${shellWord(branch)}: a pull request is planned by what is there.`],
  ];
}
