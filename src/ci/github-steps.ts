import { shellPath } from './edit-workflow.ts';
import {
  type CiNeeds,
  type CiRepository,
  type CiStep,
  formatSettings,
  githubSecretName,
  secretSettings,
} from './repository.ts';

/**
 * Returns the steps that a person has to do on GitHub after `trueup init --ci` has written the files: clicks and
 * commands, each step with its lines.
 */
export function githubSteps(repository: CiRepository, needs: CiNeeds, version: string): CiStep[] {
  const { branch, variables, tool } = repository;
  const folder = tool === '' ? 'at the top of the repository' : `in ${tool}`;
  const toolStep: CiStep = {
    topic: 'tool',
    lines: [
      `Add trueup to the lockfile ${folder}; the workflows run the version it pins:`,
      `  npm install --save-dev --save-exact ./trueup-${version}.tgz`,
    ],
  };
  const variableStep: CiStep = {
    topic: 'variables',
    lines: [
      'Set the repository variables that the configuration needs: gh variable set NAME',
      ...formatSettings(
        variables.map((variable) => [
          githubSecretName(variable),
          '',
          `the variable ${variable.name}, shown in plans`,
        ]),
      ),
    ],
  };
  return [
    ...(needs.hasTool ? [] : [toolStep]),
    {
      topic: 'environments',
      lines: [
        `Settings, Environments: create \`plan\`, \`plan-main\` and \`production\`, each restricted to the branch ${branch};`,
        '`production` with required reviewers, who approve each plan.',
      ],
    },
    {
      topic: 'secrets',
      lines: [
        'Set these as environment secrets, never as repository secrets: gh secret set NAME --env ENVIRONMENT',
        ...formatSettings(secretSettings(repository, needs, githubSecretName)),
        ...(repository.secrets.some(({ format }) => format === undefined)
          ? [
              'Several at once, from a dotenv file that git ignores: gh secret set --env-file FILE --env ENVIRONMENT',
            ]
          : []),
        ...setKey(needs.keyPlace),
      ],
    },
    ...jsonSecretSteps(repository, needs),
    ...(variables.length === 0 ? [] : [variableStep]),
    ...needs.notes.map((lines): CiStep => ({ topic: 'note', lines })),
    {
      topic: 'branch',
      lines: [`Settings, Branches: protect ${branch}, and require pull requests with a review.`],
    },
    {
      topic: 'actions',
      lines: [
        'Settings, Actions, General: "Allow GitHub Actions to create and approve pull requests", for drift.',
      ],
    },
    {
      topic: 'commit',
      lines: [`Commit all of this to ${branch}: pull requests are planned from then on.`],
    },
  ];
}

/**
 * Returns the command that stores the ledger key of this machine in CI, for the steps that `init --ci` prints; none if the machine has no
 * key. `keyPlace`: the path of its file, or the name of the variable with it.
 */
function setKey(keyPlace: string | undefined): string[] {
  const name = 'TRUEUP_LEDGER_KEY';
  if (keyPlace === undefined) return [];
  if (keyPlace !== name) return [setFromFile(name, keyPlace)];
  return [
    `  for env in plan-main production; do printenv ${name} | gh secret set ${name} --env "$env"; done`,
  ];
}

/** Returns the command that sets a secret of both environments of the default branch from a file, so that no shell remembers the value. */
const setFromFile = (name: string, file: string): string =>
  `  for env in plan-main production; do gh secret set ${name} --env "$env" < ${shellPath(file)}; done`;

/**
 * Returns the step that says how to fill secrets which are one JSON object each, without a value in a log or in the history of a shell.
 * Empty if there are none.
 */
function jsonSecretSteps({ secrets }: CiRepository, { formFolder }: CiNeeds): CiStep[] {
  const jsonSecrets = secrets.filter(({ format }) => format === 'json');
  if (jsonSecrets.length === 0) return [];
  return [
    {
      topic: 'json',
      lines: [
        `Fill each JSON secret from a file that git ignores, such as ${formFolder}/NAME.json, so that no value is in a log or in the history of a shell:`,
        ...jsonSecrets.map((secret) =>
          setFromFile(githubSecretName(secret), `${formFolder}/${githubSecretName(secret)}.json`),
        ),
        'Then delete the files, or keep them where only you can read them.',
      ],
    },
  ];
}
