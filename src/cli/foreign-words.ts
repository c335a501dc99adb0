const ledger = 'what was applied is in the ledger, which keeps itself: `trueup ledger list` shows it';

/** Words that people bring from other tools, each with a sentence on how the same is done here. */
export const foreignWords: Record<string, string> = {
  import:
    'nothing is imported. Declare what exists, and `plan` finds it by its name; `trueup export` writes the YAML.',
  refresh: 'every plan reads the account anew: `trueup plan`.',
  state: `${ledger}; \`trueup ledger\` also moves, forgets and renames.`,
  diff: '`trueup plan` shows how the account differs from the configuration; `trueup render --diff REF` what a commit changes.',
  preview: '`trueup plan` shows what would be done, and changes nothing.',
  up: '`trueup apply` makes the account match the configuration.',
  deploy:
    '`trueup apply` makes the account match the configuration; it deploys no code. What is deployed is built once more by `trueup run redeploy`.',
  push: '`trueup apply` makes the account match the configuration.',
  pull: '`trueup export` writes the account as YAML; `trueup accept` takes over what was changed outside.',
  sync: '`trueup apply` makes the account match the configuration; `trueup accept` takes over what was changed outside.',
  login:
    'nobody logs in. Put a token of the platform into TRUEUP_TOKEN, or into a file that --token-file names.',
  logout: 'nobody is logged in: the token is what TRUEUP_TOKEN or --token-file says.',
  taint: 'nothing is marked. To make an object anew, take it out of the YAML, apply, and put it back.',
  untaint: 'nothing is marked, so nothing has to be unmarked.',
  workspace:
    'the stacks of a repository stand in trueup.workspace.yaml: `trueup stacks`; for stages there is --stage.',
  output: '`trueup get` shows what is in the account, and `trueup ledger show ADDRESS` the id of an object.',
  console: '`trueup render` prints what templates and expressions come to.',
  providers: 'there is one platform, and it is built in.',
  lint: '`trueup validate` checks the configuration, and `trueup fmt --check` its form.',
  history: '`trueup log` shows the runs, newest first.',
  rollback: '`trueup undo RUN` takes a run back; `trueup run rollback` gives visitors an earlier deployment.',
  'force-unlock': 'a lease ends by itself; `trueup ledger unlock` takes one away.',
  unlock: '`trueup ledger unlock` takes a lease away that nobody gives back.',
  drift: '`trueup plan --drift-exitcode` tells what was changed outside.',
};
