/*
 * Words that `trueup` does not know, but people try: commands of other tools, and options of earlier versions.
 */

/** Options of earlier versions, each with what to do instead. */
export const removedOptions: Record<string, string> = {
  '--actions-at-once': 'use --parallelism, which also limits actions',
  '--catalog-only': 'leave it out, the twin refuses unknown members; --lenient records them',
  '--color': 'set FORCE_COLOR=1',
  '--delete':
    'write `removed: [{ at: ADDRESS, delete: true }]` in the YAML; `trueup destroy ADDRESS` deletes it and its contents',
  '--history': 'set TRUEUP_HISTORY=no-values',
  '--no-unicode': 'set TRUEUP_NO_UNICODE=1',
  '--strict': 'leave it out, the twin refuses unknown members; --lenient records them',
  '--twin': 'leave it out, this command contacts no account',
};

/** The answer to words about a state file, because trueup has none. */
const ledger = 'the ledger records the applied objects and maintains itself; `trueup ledger list` shows it';

/** Words that people bring from other tools, each with an answer: how trueup does the same. */
export const foreignWords: Record<string, string> = {
  import:
    'there is nothing to import. Declare the existing objects and `plan` finds them by name; `trueup export` writes the YAML.',
  refresh: 'every plan reads the live account: `trueup plan`.',
  state: `${ledger}; \`trueup ledger\` also moves, forgets and renames entries.`,
  preview: '`trueup plan` shows what would change, without changing anything.',
  up: '`trueup apply` makes the account match the configuration.',
  deploy:
    '`trueup apply` makes the account match the configuration; it does not deploy code. `trueup run redeploy` rebuilds the deployed code.',
  push: '`trueup apply` makes the account match the configuration.',
  pull: '`trueup export` writes the account as YAML; `trueup accept` writes outside changes into it.',
  sync: '`trueup apply` makes the account match the configuration; `trueup accept` writes outside changes into it.',
  login: 'there is no login. Set TRUEUP_TOKEN to a platform token, or pass a file with --token-file.',
  logout: 'there is no login: the token comes from TRUEUP_TOKEN or --token-file.',
  taint: 'nothing is marked. To recreate an object, remove it from the YAML, apply, and put it back.',
  untaint: 'nothing is marked, so there is nothing to unmark.',
  workspace:
    'trueup.workspace.yaml lists the stacks of a repository (`trueup stacks`); --stage selects a stage.',
  output: "`trueup get` shows objects of the account; `trueup ledger show ADDRESS` shows an object's id.",
  console: '`trueup render` prints the result of templates and expressions.',
  providers: 'there is one platform, built in.',
  lint: '`trueup validate` checks the configuration; `trueup fmt --check` checks its formatting.',
  history: '`trueup log` shows the runs, newest first.',
  rollback: '`trueup undo RUN` reverts a run; `trueup run rollback` serves an earlier deployment.',
  'force-unlock': 'leases expire on their own; `trueup ledger unlock` removes one early.',
  unlock: '`trueup ledger unlock` removes a lease that was never released.',
  drift: '`trueup plan --drift-exitcode` detects changes made outside.',
};
