import { readSecretValues, type SecretsContext } from '../../config/read-secret-values.ts';
import {
  type ChosenStacks,
  findPredecessors,
  stackFlagsOf,
  type WorkspaceStack,
} from '../../config/workspace-stacks.ts';
import type { Host } from '../../host.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { viewOfStacks } from '../../meaning/view.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { Sealed } from '../../model/sealed.ts';
import { everyStack } from '../../report/markdown/stacks-markdown.ts';
import type { Port } from '../port.ts';
import { createJointHost, type JointHost } from '../session/leased-ledgers.ts';
import { createNameFinder, createSources } from '../session/load-configuration.ts';
import { createStackAccounts, type StackAccounts } from '../session/stack-accounts.ts';
import type { StackOptions, StacksOptions } from '../stack-options.ts';
import type { PlanningOptions } from './plan-options.ts';
import type { StackToPlan } from './plan-stacks.ts';
import { readWorkspaceStacks, withAbsolutePaths } from './workspace-stacks.ts';

/** The stacks of a workspace for one command, and what their sessions share. Its user closes `accounts` and `joint`. */
export interface Several {
  chosen: ChosenStacks;
  /** One connection for each account, so that its rate limits hold for all stacks together. */
  accounts: StackAccounts;
  /** Makes a signal end all stacks together. */
  joint: JointHost;
}

/** The ways in which callers open several stacks differently. */
interface SeveralOptions<P extends Port> {
  /** Returns the port of one stack, which marks its messages with its id. `host`: the host of the stack in the folder of the workspace. */
  portOf(id: string, host: Host): P;
  /** Selects stacks in another way than by the options, as a file of saved plans does. */
  narrow?: ((stacks: ChosenStacks) => Promise<ChosenStacks>) | undefined;
  /** False if the command reads no secrets, because a snapshot has tokens for them. Default: true. */
  readsSecrets?: boolean;
}

/**
 * Finds the stacks of the workspace for a command such as `plan --all`, and opens what they share: the connections and the handling of
 * signals. `portOf` creates the port for the messages of one stack. `narrow` chooses among the stacks that the options name. After the
 * call, a failure of the run is reported for all stacks. Throws `Problems`, for example if the workspace file is wrong.
 */
export async function openSeveral<P extends Port>(
  provider: Provider,
  options: PlanningOptions & StacksOptions,
  port: P,
  { portOf, narrow, readsSecrets = true }: SeveralOptions<P>,
): Promise<{ stacks: StackToPlan<P>[]; several: Several }> {
  const { run } = port;
  run.stack = everyStack;
  const named = await readWorkspaceStacks(provider, options, port);
  const chosen = narrow ? await narrow(named) : named;
  const commonOptions = withAbsolutePaths(options, run);
  /** Returns a host whose working directory is the folder of the workspace, where paths of the stacks start. */
  const hostIn = (host: Host): Host => ({ ...host, cwd: chosen.folder });
  const commonPort = { ...port, run: { ...run, host: hostIn(run.host) } };
  const accounts = await openSharedAccounts(provider, chosen, commonOptions, commonPort, readsSecrets);
  const joint = createJointHost(run.host);
  // `needs` may have stacks that were not chosen. A stack waits only for chosen ones, also for those that it needs through others.
  const predecessors = findPredecessors(new Set(chosen.chosen.map(({ id }) => id)), chosen.all);
  const stacks = chosen.chosen.map(({ id, path, stage, needs, entry, configuration }) => ({
    id,
    path,
    stage,
    needs,
    waitsFor: predecessors.get(id)!,
    name: configuration.desired.stack,
    declared: [...configuration.desired.resources.keys()],
    options: { ...commonOptions, ...stackFlagsOf(entry, stage) },
    port: portOf(id, hostIn(joint.member())),
  }));
  return { stacks, several: { chosen, accounts, joint } };
}

/** Creates the accounts that the chosen stacks share. With `readsSecrets`, no output shows a secret of any of the stacks. */
async function openSharedAccounts(
  provider: Provider,
  { all, chosen }: ChosenStacks,
  options: PlanningOptions,
  port: Port,
  readsSecrets: boolean,
): Promise<StackAccounts> {
  const kinds = kindsOf(provider.kinds);
  const nameFinders = chosen.map(({ configuration }) => createNameFinder(configuration, kinds));
  // A token of one project finds the account by this project, and any of the stacks may declare it.
  const declared = (kind: string) => [...new Set(nameFinders.flatMap((findNames) => findNames(kind)))];
  // Checks of a plan for harmful configuration also look at the objects that the other stacks declare (`besides`).
  const besides = viewOfStacks(all.map(({ configuration }) => configuration));
  const accounts = createStackAccounts(provider, { ...options, declared, besides }, port);
  if (readsSecrets) {
    const context = { kinds, host: port.run.host, isTwin: options.twin, readings: accounts.readings };
    accounts.addSecrets(await readSecretsOfStacks(chosen, options, context));
  }
  return accounts;
}

/**
 * Returns the secrets of several stacks before the first of them is planned, so that none is shown: any stack can find a secret of another
 * one in the account. Does not ask for consent to new sources: the session of each stack does that later, and reports secrets that are not
 * available.
 */
async function readSecretsOfStacks(
  stacks: readonly WorkspaceStack[],
  options: StackOptions,
  context: Omit<SecretsContext, 'sources' | 'host'> & Pick<Port['run'], 'host'>,
): Promise<Sealed[]> {
  const secrets: Sealed[] = [];
  for (const { configuration, entry, stage } of stacks) {
    if (hasErrors(configuration.diagnostics)) continue;
    const sources = createSources({ ...options, ...stackFlagsOf(entry, stage) }, context.host);
    const { values } = await readSecretValues(configuration, { ...context, sources });
    secrets.push(...values.values());
  }
  return secrets;
}
