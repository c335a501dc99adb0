/*
 * Several stacks of a workspace, for one command. What one of them says comes with its id.
 */
import type { Host } from '../app/host.ts';
import type { PlanningOptions } from '../app/planning/plan-options.ts';
import type { StackToPlan } from '../app/planning/plan-stacks.ts';
import {
  type ChosenStacks,
  readWorkspaceStacks,
  stackFlagsOf,
  type WorkspaceStack,
  withAbsolutePaths,
} from '../app/planning/workspace-stacks.ts';
import { createJointHost, type JointHost } from '../app/session/joint-host.ts';
import { createStackAccounts, type StackAccounts } from '../app/session/stack-accounts.ts';
import type { StacksOptions } from '../app/stack-options.ts';
import type { Provider } from '../kind/provider.ts';
import { cleanLine } from '../report/clean.ts';
import { everyStack } from '../report/markdown/stacks-markdown.ts';
import { logLine, type UiLine } from '../report/terraform/ui-line.ts';
import type { CommandRun } from './command-run.ts';
import type { Terminal } from './terminal.ts';

type SeveralStacksOptions = PlanningOptions & StacksOptions;

/** The stacks of a workspace, and what their sessions share. */
export interface Several {
  chosen: ChosenStacks;
  accounts: StackAccounts;
  joint: JointHost;
}

/**
 * Finds the stacks of the workspace that a command is about, and opens what they have in common. A failure of the run is then reported
 * where their plans were. `narrow`: selects stacks in another way than by the options. Throws `Problems`.
 */
export async function openSeveral(
  provider: Provider,
  options: SeveralStacksOptions,
  terminal: Terminal,
  narrow?: (chosen: ChosenStacks) => Promise<ChosenStacks>,
): Promise<{ stacks: StackToPlan<Terminal>[]; several: Several }> {
  terminal.run.stack = everyStack;
  const all = await readWorkspaceStacks(provider, options, terminal.run);
  const chosen = narrow ? await narrow(all) : all;
  if (!narrow) for (const note of chosen.notes) terminal.say(cleanLine(note));
  const common = withAbsolutePaths(options, terminal.run);
  const accounts = createStackAccounts(provider, common, inWorkspace(terminal, chosen.folder));
  const joint = createJointHost(terminal.run.host);
  const stacks = chosen.chosen.map((stack) => stackToPlan(stack, common, terminal, { chosen, joint }));
  return { stacks, several: { chosen, accounts, joint } };
}

/** Returns a stack of the workspace with its own options and terminal. */
function stackToPlan(
  { id, path, stage, needs, entry, configuration }: WorkspaceStack,
  common: SeveralStacksOptions,
  terminal: Terminal,
  { chosen, joint }: { chosen: ChosenStacks; joint: JointHost },
): StackToPlan<Terminal> {
  const { stack: name, resources } = configuration.desired;
  return {
    id,
    path,
    stage,
    needs,
    name,
    declared: [...resources.keys()],
    options: { ...common, ...stackFlagsOf(entry, stage) },
    port: terminalOf(terminal, id, chosen.folder, joint.member()),
  };
}

/** Returns the same terminal for a run in the folder of the workspace. */
const inWorkspace = (terminal: Terminal, folder: string): Terminal => ({
  ...terminal,
  run: { ...terminal.run, host: { ...terminal.run.host, cwd: folder } },
});

/** Returns the terminal of one of several stacks: its messages and events come with its id, and its exit code is its own. */
function terminalOf(terminal: Terminal, id: string, folder: string, host?: Host): Terminal {
  const run: CommandRun = { host: { ...terminal.run.host, ...host, cwd: folder }, exitCode: 0 };
  const named = (write: (text: string) => void) => (text: string) => {
    const lines = text.replace(/\n$/, '').split('\n');
    if (text.trim() !== '') write(lines.map((line) => `${id}: ${line}`).join('\n'));
  };
  const member = { ...terminal, run, isLive: false };
  if (terminal.stream) return { ...member, ...streamOf(id, terminal.stream) };
  return { ...member, out: named(terminal.out), say: named(terminal.say) };
}

/** Returns the outputs of one of several stacks in a stream of events, in which each event has the id of its stack. */
function streamOf(
  id: string,
  write: NonNullable<Terminal['stream']>,
): Required<Pick<Terminal, 'stream' | 'out' | 'say'>> {
  const stream = (lines: UiLine[]) => write(lines.map((line) => ({ ...line, stack: id })));
  const say = (text: string) => stream(text.trim() ? [logLine(text)] : []);
  return { stream, out: say, say };
}
