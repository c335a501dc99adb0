import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import type { CommandRun, ProgramAccess } from '../terminal/command-run.ts';
import type { CommandExitCodes } from './exit-codes.ts';

/** Declares a command: adds its options, arguments and action. */
type DeclareCommand = (
  command: Command,
  provider: Provider,
  run: CommandRun,
  programAccess: ProgramAccess,
) => void;

/** A command as `trueup --help` shows it. */
interface CommandEntry {
  /** The description, without a subject. */
  does: string;
  /** True for a command that the help does not show. */
  hidden?: boolean;
  /** The heading in the help; absent for a hidden command. */
  group?: CommandGroup;
  /** Two typical command lines. */
  examples?: [string, string];
  /** The meanings of its exit codes, if they are not obvious from those in `trueup --help`. */
  exits?: CommandExitCodes;
  /** Loads the code that declares the command. */
  load(): Promise<DeclareCommand>;
}

/** The headings of the help. */
type CommandGroup =
  | 'Begin:'
  | 'Write YAML:'
  | 'Change the account:'
  | 'Day two:'
  | 'Look back:'
  | 'For CI and pull requests:'
  | 'Tools:';

/** All commands, in the order of the help. The code of a command is loaded when it is called, so that `--help` is fast. */
export const commands: Record<string, CommandEntry> = {
  init: {
    does: 'write a first trueup.yaml, or CI workflows for an existing configuration',
    group: 'Begin:',
    examples: ['trueup init', 'trueup init --ci github'],
    load: async () => (await import('./init.ts')).initCommand,
  },
  validate: {
    does: 'check the configuration, without an account or secrets',
    group: 'Write YAML:',
    examples: ['trueup validate', 'trueup validate -f stacks/shop --stage production'],
    load: async () => (await import('./validate.ts')).validateCommand,
  },
  test: {
    does: 'run the test files beside the configuration, without an account, a token or secrets',
    group: 'Write YAML:',
    examples: ['trueup test', 'trueup test shop.test.yaml --only redirect'],
    exits: { done: 'every test passed', failed: 'a test failed, or a test file has an error' },
    load: async () => (await import('./test.ts')).testCommand,
  },
  render: {
    does: 'print the configuration with templates and patches expanded, or compare two versions of it',
    group: 'Write YAML:',
    examples: ["trueup render 'projects/site-*'", 'trueup render --diff origin/main'],
    load: async () => (await import('./render.ts')).renderCommand,
  },
  diff: {
    does: 'compare two stages, stacks, commits or accounts',
    group: 'Write YAML:',
    examples: ['trueup diff staging production', 'trueup diff main shop'],
    load: async () => (await import('./diff.ts')).diffCommand,
  },
  fmt: {
    does: 'format the YAML files of the configuration',
    group: 'Write YAML:',
    examples: ['trueup fmt', 'trueup fmt --check'],
    load: async () => (await import('./fmt.ts')).fmtCommand,
  },
  plan: {
    does: 'show what apply would change, without changing anything',
    group: 'Change the account:',
    examples: ['trueup plan', "trueup plan --target 'projects/web/**' --out web.plan.json"],
    load: async () => (await import('./plan.ts')).planCommand,
  },
  run: {
    does: 'run a one-off action: redeploy, promote, roll back, verify, rotate',
    group: 'Day two:',
    examples: ['trueup run redeploy projects/web --wait', 'trueup run --list'],
    load: async () => (await import('./run.ts')).runCommand,
  },
  get: {
    does: 'show objects of the account: those of a kind, deployments, versions, status',
    group: 'Day two:',
    examples: ['trueup get deployment --of projects/web', 'trueup get project web --format yaml'],
    load: async () => (await import('./get.ts')).getCommand,
  },
  wait: {
    does: 'wait until a deployment or rollout finishes, or a field has a value',
    group: 'Day two:',
    examples: [
      'trueup wait deployment --of projects/web --where target=production',
      'trueup wait deployment dpl_1 --for state=READY',
    ],
    load: async () => (await import('./wait.ts')).waitCommand,
  },
  stacks: {
    does: 'list the stacks of trueup.workspace.yaml, or those affected by changes',
    group: 'For CI and pull requests:',
    examples: ['trueup stacks', 'trueup stacks --changed-since origin/main --json'],
    load: async () => (await import('./stacks.ts')).stacksCommand,
  },
  show: {
    does: 'show a saved plan; needs no configuration, account or token',
    group: 'For CI and pull requests:',
    examples: ['trueup show plan.json', 'trueup show plan.json --format markdown'],
    load: async () => (await import('./show.ts')).showCommand,
  },
  fleet: {
    does: 'plan and apply many stacks on many machines, from a queue',
    group: 'For CI and pull requests:',
    examples: ['trueup fleet enqueue plan --all', 'trueup fleet work --file fleet.yaml'],
    load: async () => (await import('./fleet.ts')).fleetCommand,
  },
  report: {
    does: 'make one report of the parts of a CI matrix',
    group: 'For CI and pull requests:',
    examples: ['trueup report merge parts/*.json', 'trueup report merge parts/*.json --format markdown'],
    load: async () => (await import('./show.ts')).reportCommand,
  },
  comment: {
    does: 'post a plan or an apply report to its pull request: one comment per stack, updated in place',
    group: 'For CI and pull requests:',
    examples: ['trueup comment plan.json', 'trueup comment apply.md --pull-request 12'],
    load: async () => (await import('./comment.ts')).commentCommand,
  },
  rehearse: {
    does: 'apply a saved plan to a local twin of the account, and report what would fail',
    group: 'Change the account:',
    examples: ['trueup rehearse plan.json', 'trueup rehearse plan.json --crash-points all'],
    load: async () => (await import('./rehearse.ts')).rehearseCommand,
  },
  apply: {
    does: 'show the plan, ask for confirmation, and apply it',
    group: 'Change the account:',
    examples: ['trueup apply', 'trueup apply plan.json'],
    load: async () => (await import('./apply.ts')).applyCommand,
  },
  accept: {
    does: 'write changes made outside into the YAML and its data files',
    group: 'Change the account:',
    examples: ['trueup accept --all', "trueup accept 'projects/*/env/LOG_LEVEL'"],
    load: async () => (await import('./accept.ts')).acceptCommand,
  },
  remove: {
    does: 'remove objects from the YAML, so that the next apply deletes or releases them',
    group: 'Write YAML:',
    examples: ['trueup remove projects/old', 'trueup remove projects/old domains/old.example.com'],
    load: async () => (await import('./remove.ts')).removeCommand,
  },
  destroy: {
    does: 'delete everything that this stack owns; projects and domains only if they are named',
    group: 'Change the account:',
    examples: ['trueup destroy', 'trueup destroy projects/old domains/old.example.com'],
    load: async () => (await import('./destroy.ts')).destroyCommand,
  },
  log: {
    does: 'list the runs of this stack, newest first: who changed what, and when',
    group: 'Look back:',
    examples: ['trueup log', 'trueup log projects/web'],
    load: async () => (await import('./log.ts')).logCommand,
  },
  blame: {
    does: 'show for each field of an object its value, and when, by whom and in which commit it was set',
    group: 'Look back:',
    examples: ['trueup blame projects/web', 'trueup blame projects/web/env/A@production'],
    load: async () => (await import('./blame.ts')).blameCommand,
  },
  undo: {
    does: 'revert one run or commit: show the plan, ask for confirmation, and apply it',
    group: 'Change the account:',
    examples: ['trueup undo 12', 'trueup undo --commit 1a2b3c4 --all'],
    load: async () => (await import('./undo.ts')).undoCommand,
  },
  secrets: {
    does: 'list the secrets of the configuration with their sources and uses, and name the missing ones',
    group: 'Write YAML:',
    examples: ['trueup secrets', 'trueup secrets --check'],
    load: async () => (await import('./secrets.ts')).secretsCommand,
  },
  export: {
    does: 'export the account as YAML that plans to no changes',
    group: 'Begin:',
    examples: ['trueup export --out trueup.yaml', "trueup export --target 'projects/web/**' --values omit"],
    load: async () => (await import('./export.ts')).exportCommand,
  },
  from: {
    does: 'convert a Terraform state, a dnscontrol configuration or a zone file into a configuration',
    group: 'Begin:',
    examples: [
      'trueup from terraform terraform.tfstate --out-dir trueup',
      'trueup from zonefile example.com.zone --out-dir trueup',
    ],
    load: async () => (await import('./from.ts')).fromCommand,
  },
  trace: {
    does: 'show which firewall rule, redirect or route decides about a request of a visitor',
    group: 'Write YAML:',
    examples: [
      'trueup trace GET https://shop.example.com/admin --ip 203.0.113.9',
      'trueup trace GET https://shop.example.com/old --plan plan.trueup',
    ],
    load: async () => (await import('./trace.ts')).traceCommand,
  },
  graph: {
    does: 'print the dependency graph for Graphviz or Mermaid',
    group: 'Tools:',
    examples: ['trueup graph', 'trueup graph --format mermaid'],
    load: async () => (await import('./graph.ts')).graphCommand,
  },
  ledger: {
    does: 'inspect and repair the ledger: what this stack owns, with ids and no values',
    group: 'Look back:',
    examples: ['trueup ledger list', 'trueup ledger show projects/web'],
    load: async () => (await import('./ledger.ts')).ledgerCommand,
  },
  api: {
    does: "call any operation of the platform's API by name or path, or list them",
    group: 'Tools:',
    examples: ['trueup api --list', 'trueup api GET /v9/projects --paginate'],
    load: async () => (await import('./api.ts')).apiCommand,
  },
  kinds: {
    does: 'list all kinds that can be declared, or show the manual page of one',
    group: 'Tools:',
    examples: ['trueup kinds', 'trueup kinds project'],
    load: async () => (await import('./kinds.ts')).kindsCommand,
  },
  doctor: {
    does: 'check that the token and the answers of the account are as trueup expects; only reads',
    group: 'Tools:',
    examples: ['trueup doctor --report doctor.json', 'trueup doctor --calibrate recording.har'],
    exits: {
      done: 'everything that is declared could be read, and is as expected',
      failed:
        'the account or a part of it could not be read, an answer differs in a member that a kind reads, a documented or measured fact is contradicted, the token is refused as by `permissions --check`, or with --calibrate the twin answers in another way than the platform',
      tryAgainLater: 'only a rate limit that asks for a longer wait than --max-wait is in the way',
    },
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  permissions: {
    does: 'list the operations that each command needs with this configuration, and the least token',
    group: 'Tools:',
    examples: ['trueup permissions', 'trueup permissions --check'],
    exits: {
      done: 'with --check: no command for this configuration is refused; `not certain` is no refusal',
      failed:
        'an error; with --check: the token is refused for plan, apply, doctor or an action. export needs the whole account, so it is shown and does not count',
    },
    load: async () => (await import('./permissions.ts')).permissionsCommand,
  },
  explain: {
    does: 'explain an error code and what to do about it',
    group: 'Tools:',
    examples: ['trueup explain', 'trueup explain ledger/unsigned'],
    load: async () => (await import('./explain.ts')).explainCommand,
  },
  schema: {
    does: 'print the JSON Schema of the configuration, for editors',
    group: 'Tools:',
    examples: ['trueup schema', 'trueup schema --guards'],
    load: async () => (await import('./schema.ts')).schemaCommand,
  },
  twin: {
    does: 'run a local twin of the platform until stopped',
    group: 'Tools:',
    examples: ['trueup twin', 'trueup twin --seed account.json'],
    load: async () => (await import('./twin.ts')).twinCommand,
  },
  completion: {
    does: 'print a shell completion script for commands, options, files, kinds and addresses',
    group: 'Tools:',
    examples: ['trueup completion bash', 'trueup completion zsh'],
    load: async () => (await import('./completion.ts')).completionCommand,
  },
  __complete: {
    does: 'print completions, for the completion scripts',
    hidden: true,
    load: async () => (await import('./completion.ts')).completeCommand,
  },
};
