/*
 * The stacks of a command: the one that its options name, or with `--all` and `--changed-since` those of the workspace. What a stack of
 * several says comes with its id.
 */
import { join } from 'node:path';
import type { Host } from '../app/host.ts';
import type { PlannedStack, StackToPlan } from '../app/planning/plan-stacks.ts';
import type { PlanningOptions } from '../app/planning/planning.ts';
import {
  type ChosenStacks,
  chosenBy,
  type WorkspaceStack,
  withAbsolutePaths,
  workspaceStacks,
} from '../app/planning/workspace-stacks.ts';
import { type StackAccounts, stackAccounts } from '../app/session/common-accounts.ts';
import { type JointHost, jointHost } from '../app/session/leased-ledgers.ts';
import { chosenLedger, isForOne } from '../app/session/ledger-choice.ts';
import { flagOf, isOfStacks, type StacksOptions } from '../app/stack-options.ts';
import type { Provider } from '../kind/provider.ts';
import type { Pace } from '../model/budget.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { cleanLine } from '../report/clean.ts';
import { everyStack } from '../report/markdown/stacks-markdown.ts';
import { logLine, type UiLine } from '../report/terraform/ui-line.ts';
import type { CommandRun } from './command-run.ts';
import { type Format, isOfOne } from './formats.ts';
import { ledgerLineOf } from './ledger-line.ts';
import { formatOfOne } from './show-stacks.ts';
import type { Terminal } from './terminal.ts';

/** The stacks of a command, with what several of them have in common. */
export interface CommandStacks {
  stacks: StackToPlan<Terminal>[];
  /** Absent for one stack. */
  several?: { chosen: ChosenStacks; accounts: StackAccounts; joint: JointHost };
}

type Options = PlanningOptions & StacksOptions;

/**
 * Finds the stacks of a command and does something with them. What several have in common is closed afterwards. `narrow`: selects stacks
 * of the workspace in another way than by the options, as a file of saved plans does. Throws `Problems`.
 */
export async function withCommandStacks(
  provider: Provider,
  options: Options,
  terminal: Terminal,
  use: (commandStacks: CommandStacks) => Promise<void>,
  narrow?: (chosen: ChosenStacks) => Promise<ChosenStacks>,
): Promise<void> {
  if (!narrow && !isOfStacks(options))
    return use({ stacks: [{ id: '', path: '', needs: [], options, port: terminal }] });
  const all = await workspaceStacks(provider, options, terminal.run);
  const chosen = narrow ? await narrow(all) : all;
  if (!narrow) for (const note of chosen.notes) terminal.say(cleanLine(note));
  const common = withAbsolutePaths(options, terminal.run);
  const accounts = stackAccounts(provider, common, inWorkspace(terminal, chosen.folder));
  const joint = jointHost(terminal.run.host);
  const stacks = chosen.chosen.map((stack) => stackToPlan(stack, common, terminal, { chosen, joint }));
  try {
    await use({ stacks, several: { chosen, accounts, joint } });
  } finally {
    joint.close();
    await accounts.close();
  }
}

/** Returns a stack of the workspace with its own options and terminal. */
function stackToPlan(
  { id, path, stage, needs, entry, look }: WorkspaceStack,
  common: Options,
  terminal: Terminal,
  { chosen, joint }: { chosen: ChosenStacks; joint: JointHost },
): StackToPlan<Terminal> {
  const { stack: name, resources } = look.desired;
  return {
    id,
    path,
    ...(stage === undefined ? {} : { stage }),
    needs,
    name,
    declared: [...resources.keys()],
    options: { ...common, ...chosenBy(entry, stage) },
    port: terminalOf(terminal, id, chosen.folder, joint.member()),
  };
}

/** Throws `Problems` for options that only one stack can have. */
export function refuseOneStacks(options: Options & { format?: Format }, { host }: CommandRun): void {
  const flags = (['file', 'stage'] as const).filter((name) => options[name] !== undefined).map(flagOf);
  const wrong = [
    ...(flags.length > 0
      ? [
          problem('all/one-stack', `${flags.join(', ')} cannot be combined with --all`, {
            hint: 'it applies to one stack: run that stack alone, with --file and --stage',
          }),
        ]
      : []),
    ...(isOfOne(options.format) ? [formatOfOne()] : []),
    ...(isForOne(options, host)
      ? [
          problem(
            'all/ledger',
            `one ${chosenLedger(options, host) === undefined ? 'address' : 'file'} cannot be the ledger of several stacks`,
            {
              hint: `leave out --ledger (the ledgers are in ${join('.trueup', 'ledger')} of the workspace), or use \`--ledger git\`; in a URL write {stack} for the name of the stack`,
            },
          ),
        ]
      : []),
  ];
  if (wrong.length > 0) throw new Problems(wrong);
}

/** Notes that a run is about several stacks: the report of a failure then stands where their plans did. */
export function noteSeveral(run: CommandRun): void {
  run.stack = everyStack;
}

/** Returns the same terminal for a run in the folder of the workspace. */
export const inWorkspace = (terminal: Terminal, folder: string): Terminal => ({
  ...terminal,
  run: { ...terminal.run, host: { ...terminal.run.host, cwd: folder } },
});

/** Closes the session of the only stack. The sessions of several stacks are closed with their accounts. */
export async function closeOne(planned: readonly PlannedStack[], { several }: CommandStacks): Promise<void> {
  if (!several) await planned[0]?.session?.close();
}

/** Says which ledger each plan was made on. */
export async function sayLedgers(planned: readonly PlannedStack[]): Promise<void> {
  for (const { session, stack } of planned) if (session) stack.port.say(await ledgerLineOf(session));
}

/** Returns the pace of the platform for the plans of a command. */
export const paceOf = async (
  planned: readonly PlannedStack[],
  { several }: CommandStacks,
  { pace }: Provider,
): Promise<Pace> =>
  several ? several.accounts.paceNow(pace) : planned[0]!.session!.connection.paceNow(pace);

/** Returns the terminal of one of several stacks: its messages and events come with its id, and its exit code is its own. */
export function terminalOf(terminal: Terminal, id: string, folder: string, host?: Host): Terminal {
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
