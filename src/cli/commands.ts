import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import type { Run } from './host.ts';

/** Gives a command its options, arguments and action. `whole` makes the program with every command declared. */
type Declare = (command: Command, provider: Provider, run: Run, whole: () => Promise<Command>) => void;

interface CommandEntry {
  does: string;
  hidden?: boolean;
  load(): Promise<Declare>;
}

/** All commands, in the order of the help. What a command needs is loaded when it is called: `--help` takes no more than this. */
export const commands: Record<string, CommandEntry> = {
  init: {
    does: 'write a first trueup.yaml, and .trueup/ with the schema for editors',
    load: async () => (await import('./init.ts')).initCommand,
  },
  validate: {
    does: 'check the configuration, without an account and without secrets',
    load: async () => (await import('./validate.ts')).validateCommand,
  },
  render: {
    does: 'print the configuration with templates and patches worked in, or what a change of them does',
    load: async () => (await import('./render.ts')).renderCommand,
  },
  fmt: {
    does: 'bring the YAML files of the configuration into their normal form',
    load: async () => (await import('./fmt.ts')).fmtCommand,
  },
  plan: {
    does: 'show how the account differs from the configuration, and change nothing',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  stacks: {
    does: 'list the stacks of trueup.workspace.yaml, or those that changes touch',
    load: async () => (await import('./stacks.ts')).stacksCommand,
  },
  show: {
    does: 'show a saved plan as plan did; takes no configuration, account or token',
    load: async () => (await import('./show.ts')).showCommand,
  },
  comment: {
    does: 'write a plan onto its pull request on GitHub: one comment for each stack, updated in place',
    load: async () => (await import('./comment.ts')).commentCommand,
  },
  apply: {
    does: 'show the plan, ask, and make the account match the configuration',
    load: async () => (await import('./apply.ts')).applyCommand,
  },
  accept: {
    does: 'write what was changed outside into the YAML, where it stands',
    load: async () => (await import('./accept.ts')).acceptCommand,
  },
  destroy: {
    does: 'delete what this stack owns; projects and domains only where --delete or `$onRemove` names them',
    load: async () => (await import('./destroy.ts')).destroyCommand,
  },
  log: {
    does: 'who changed what of this stack, and when: the runs, newest first',
    load: async () => (await import('./log.ts')).logCommand,
  },
  blame: {
    does: 'of one object: each field, its value, since when, by whom, from which commit',
    load: async () => (await import('./blame.ts')).blameCommand,
  },
  undo: {
    does: 'plan to take one run back, ask, and do it',
    load: async () => (await import('./undo.ts')).undoCommand,
  },
  secrets: {
    does: 'list the secrets of the configuration: their sources, who needs them, which are missing',
    load: async () => (await import('./secrets.ts')).secretsCommand,
  },
  export: {
    does: 'write the account as YAML that plans to no change',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  from: {
    does: 'write a configuration from what another tool has: a Terraform state, dnscontrol, a zone file',
    load: async () => (await import('./from.ts')).fromCommand,
  },
  graph: {
    does: 'draw which resources need which, as text for Graphviz or Mermaid',
    load: async () => (await import('./graph.ts')).graphCommand,
  },
  ledger: {
    does: 'look at what this stack applied: ownership and ids, no values',
    load: async () => (await import('./ledger.ts')).ledgerCommand,
  },
  api: {
    does: "call any operation of the platform's API by its name or path, or list them",
    load: async () => (await import('./api.ts')).apiCommand,
  },
  kinds: {
    does: 'what can stand in the YAML: all kinds, or a manual page for one',
    load: async () => (await import('./kinds.ts')).kindsCommand,
  },
  schema: {
    does: 'print the JSON Schema of the configuration, for editors',
    load: async () => (await import('./schema.ts')).schemaCommand,
  },
  twin: {
    does: 'run a twin of the platform on this machine, until it is stopped',
    load: async () => (await import('./twin.ts')).twinCommand,
  },
  completion: {
    does: 'print a script that completes commands, options, files, kinds and addresses in a shell',
    load: async () => (await import('./completion.ts')).completionCommand,
  },
  __complete: {
    does: 'the words that the scripts of completion ask for',
    hidden: true,
    load: async () => (await import('./complete.ts')).completeCommand,
  },
};
