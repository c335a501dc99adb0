const ledger = 'the ledger records what was applied and maintains itself; `trueup ledger list` shows it';

/** Words that people bring from other tools, each with a sentence on how the same is done here. */
export const foreignWords: Record<string, string> = {
  import:
    'there is nothing to import. Declare what exists and `plan` finds it by name; `trueup export` writes the YAML.',
  refresh: 'every plan reads the live account: `trueup plan`.',
  state: `${ledger}; \`trueup ledger\` also moves, forgets and renames entries.`,
  diff: '`trueup plan` shows how the account differs from the configuration; `trueup render --diff REF` shows what a commit changes.',
  preview: '`trueup plan` shows what would change, without changing anything.',
  up: '`trueup apply` makes the account match the configuration.',
  deploy:
    '`trueup apply` makes the account match the configuration; it does not deploy code. `trueup run redeploy` rebuilds what is deployed.',
  push: '`trueup apply` makes the account match the configuration.',
  pull: '`trueup export` writes the account as YAML; `trueup accept` writes outside changes into it.',
  sync: '`trueup apply` makes the account match the configuration; `trueup accept` writes outside changes into it.',
  login: 'there is no login. Set TRUEUP_TOKEN to a platform token, or pass a file with --token-file.',
  logout: 'there is no login: the token comes from TRUEUP_TOKEN or --token-file.',
  taint: 'nothing is marked. To recreate an object, remove it from the YAML, apply, and put it back.',
  untaint: 'nothing is marked, so there is nothing to unmark.',
  workspace:
    'trueup.workspace.yaml lists the stacks of a repository (`trueup stacks`); --stage selects a stage.',
  output: "`trueup get` shows what is in the account; `trueup ledger show ADDRESS` shows an object's id.",
  console: '`trueup render` prints the result of templates and expressions.',
  providers: 'there is one platform, built in.',
  lint: '`trueup validate` checks the configuration; `trueup fmt --check` checks its formatting.',
  history: '`trueup log` shows the runs, newest first.',
  rollback: '`trueup undo RUN` reverts a run; `trueup run rollback` serves an earlier deployment.',
  'force-unlock': 'leases expire on their own; `trueup ledger unlock` removes one early.',
  unlock: '`trueup ledger unlock` removes a lease that was never released.',
  drift: '`trueup plan --drift-exitcode` detects changes made outside.',
};
