import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import type { Host, Run } from './host.ts';

/** What few commands need of the program that they are a part of. */
export interface Around {
  /** Makes the program with every command declared. */
  whole(): Promise<Command>;
  /** Runs the command line once more, on a host of its own, and gives back the exit code. */
  again(argv: string[], host: Host): Promise<number>;
}

/** Gives a command its options, arguments and action. */
type Declare = (command: Command, provider: Provider, run: Run, around: Around) => void;

interface CommandEntry {
  does: string;
  hidden?: boolean;
  /** The heading of the help that it stands under; a hidden command has none. */
  group?: Group;
  /** Two lines that people would type. */
  examples?: [string, string];
  load(): Promise<Declare>;
}

type Group =
  | 'Begin:'
  | 'Write YAML:'
  | 'Change the account:'
  | 'Day two:'
  | 'Look back:'
  | 'For CI and pull requests:'
  | 'Tools:';

/** All commands, in the order of the help. What a command needs is loaded when it is called: `--help` takes no more than this. */
export const commands: Record<string, CommandEntry> = {
  init: {
    does: 'write a first trueup.yaml, or the workflows of CI for what is there',
    group: 'Begin:',
    examples: ['trueup init', 'trueup init --ci github'],
    load: async () => (await import('./init.ts')).initCommand,
  },
  validate: {
    does: 'check the configuration, without an account and without secrets',
    group: 'Write YAML:',
    examples: ['trueup validate', 'trueup validate -f stacks/shop --stage production'],
    load: async () => (await import('./validate.ts')).validateCommand,
  },
  render: {
    does: 'print the configuration with templates and patches worked in, or what a change of them does',
    group: 'Write YAML:',
    examples: ["trueup render 'projects/site-*'", 'trueup render --diff origin/main'],
    load: async () => (await import('./render.ts')).renderCommand,
  },
  fmt: {
    does: 'bring the YAML files of the configuration into their normal form',
    group: 'Write YAML:',
    examples: ['trueup fmt', 'trueup fmt --check'],
    load: async () => (await import('./fmt.ts')).fmtCommand,
  },
  plan: {
    does: 'show how the account differs from the configuration, and change nothing',
    group: 'Change the account:',
    examples: ['trueup plan', "trueup plan --target 'projects/web/**' --out web.plan.json"],
    load: async () => (await import('./plan.ts')).planCommand,
  },
  run: {
    does: 'do once what no configuration declares: redeploy, promote, roll back, verify, rotate',
    group: 'Day two:',
    examples: ['trueup run redeploy projects/web --wait', 'trueup run --list'],
    load: async () => (await import('./run.ts')).runCommand,
  },
  get: {
    does: 'show what is in the account: objects of a kind, deployments, versions, states',
    group: 'Day two:',
    examples: ['trueup get deployment --of projects/web', 'trueup get project web --format yaml'],
    load: async () => (await import('./get.ts')).getCommand,
  },
  wait: {
    does: 'wait until a deployment, a rollout or the like is done, or a field has a value',
    group: 'Day two:',
    examples: [
      'trueup wait deployment --of projects/web --where target=production',
      'trueup wait deployment dpl_1 --for state=READY',
    ],
    load: async () => (await import('./wait.ts')).waitCommand,
  },
  stacks: {
    does: 'list the stacks of trueup.workspace.yaml, or those that changes touch',
    group: 'For CI and pull requests:',
    examples: ['trueup stacks', 'trueup stacks --changed-since origin/main --json'],
    load: async () => (await import('./stacks.ts')).stacksCommand,
  },
  show: {
    does: 'show a saved plan as plan did; takes no configuration, account or token',
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
    load: async () => (await import('./report.ts')).reportCommand,
  },
  comment: {
    does: 'write a plan, or what was applied, onto its pull request: one comment for each stack, updated in place',
    group: 'For CI and pull requests:',
    examples: ['trueup comment plan.json', 'trueup comment apply.md --pull-request 12'],
    load: async () => (await import('./comment.ts')).commentCommand,
  },
  apply: {
    does: 'show the plan, ask, and make the account match the configuration',
    group: 'Change the account:',
    examples: ['trueup apply', 'trueup apply plan.json'],
    load: async () => (await import('./apply.ts')).applyCommand,
  },
  accept: {
    does: 'write what was changed outside into the YAML, where it stands',
    group: 'Change the account:',
    examples: ['trueup accept --all', "trueup accept 'projects/*/env/LOG_LEVEL'"],
    load: async () => (await import('./accept.ts')).acceptCommand,
  },
  destroy: {
    does: 'delete what this stack owns; projects and domains only where --delete or `$onRemove` names them',
    group: 'Change the account:',
    examples: ['trueup destroy --target projects/old --delete projects/old', 'trueup destroy'],
    load: async () => (await import('./destroy.ts')).destroyCommand,
  },
  log: {
    does: 'who changed what of this stack, and when: the runs, newest first',
    group: 'Look back:',
    examples: ['trueup log', 'trueup log projects/web'],
    load: async () => (await import('./log.ts')).logCommand,
  },
  blame: {
    does: 'each field of one object: its value, since when, by whom, from which commit',
    group: 'Look back:',
    examples: ['trueup blame projects/web', 'trueup blame projects/web/env/A@production'],
    load: async () => (await import('./blame.ts')).blameCommand,
  },
  undo: {
    does: 'plan to take one run back, ask, and do it',
    group: 'Change the account:',
    examples: ['trueup undo 12', "trueup undo 12 --target 'projects/web/**'"],
    load: async () => (await import('./undo.ts')).undoCommand,
  },
  secrets: {
    does: 'list the secrets of the configuration: their sources, who needs them, which are missing',
    group: 'Write YAML:',
    examples: ['trueup secrets', 'trueup secrets --check'],
    load: async () => (await import('./secrets.ts')).secretsCommand,
  },
  export: {
    does: 'write the account as YAML that plans to no change',
    group: 'Begin:',
    examples: ['trueup export --out trueup.yaml', "trueup export --target 'projects/web/**' --values omit"],
    load: async () => (await import('./export.ts')).exportCommand,
  },
  from: {
    does: 'write a configuration from what another tool has: a Terraform state, dnscontrol, a zone file',
    group: 'Begin:',
    examples: [
      'trueup from terraform terraform.tfstate --out-dir trueup',
      'trueup from zonefile example.com.zone --out-dir trueup',
    ],
    load: async () => (await import('./from.ts')).fromCommand,
  },
  graph: {
    does: 'draw which resources need which, as text for Graphviz or Mermaid',
    group: 'Tools:',
    examples: ['trueup graph', 'trueup graph --format mermaid'],
    load: async () => (await import('./graph.ts')).graphCommand,
  },
  ledger: {
    does: 'look at what this stack applied: ownership and ids, no values',
    group: 'Look back:',
    examples: ['trueup ledger list', 'trueup ledger show projects/web'],
    load: async () => (await import('./ledger.ts')).ledgerCommand,
  },
  api: {
    does: "call any operation of the platform's API by its name or path, or list them",
    group: 'Tools:',
    examples: ['trueup api --list', 'trueup api GET /v9/projects --paginate'],
    load: async () => (await import('./api.ts')).apiCommand,
  },
  kinds: {
    does: 'what can stand in the YAML: all kinds, or a manual page for one',
    group: 'Tools:',
    examples: ['trueup kinds', 'trueup kinds project'],
    load: async () => (await import('./kinds.ts')).kindsCommand,
  },
  explain: {
    does: 'what the code at the end of an error means, and what to do',
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
    does: 'run a twin of the platform on this machine, until it is stopped',
    group: 'Tools:',
    examples: ['trueup twin', 'trueup twin --seed account.json'],
    load: async () => (await import('./twin.ts')).twinCommand,
  },
  completion: {
    does: 'print a script that completes commands, options, files, kinds and addresses in a shell',
    group: 'Tools:',
    examples: ['trueup completion bash', 'trueup completion zsh'],
    load: async () => (await import('./completion.ts')).completionCommand,
  },
  __complete: {
    does: 'the words that the scripts of completion ask for',
    hidden: true,
    load: async () => (await import('./complete.ts')).completeCommand,
  },
};
