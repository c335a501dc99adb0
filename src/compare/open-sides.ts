import { type CheckOtherStacks, createCheckOfOtherStacks } from '../accept/command/check-other-stacks.ts';
import { createPlanOptions, type PlanningOptions } from '../app/planning/plan-options.ts';
import { inFolder, withAbsolutePaths } from '../app/planning/workspace-stacks.ts';
import type { Port, Run } from '../app/port.ts';
import {
  createCommitOptions,
  createLoadOptions,
  createSources,
  loadConfiguration,
} from '../app/session/load-configuration.ts';
import { openSession } from '../app/session/open-session.ts';
import type { StackOptions } from '../app/stack-options.ts';
import {
  allProblemsOf,
  type FileTexts,
  type WrittenConfiguration,
  withSecretFolders,
} from '../config/configuration.ts';
import { load } from '../config/load.ts';
import type { Sources } from '../config/sources/sources.ts';
import { extractCommit } from '../git/commits.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { findInConfigurations } from '../meaning/find.ts';
import { raiseErrors } from '../model/diagnostic.ts';
import { createSecretFinder, type SecretFinder } from '../model/secret-finder.ts';
import { openSessionPlan } from '../run/open-plan.ts';
import { compareSides, type SideComparison } from './compare-sides.ts';
import { type ComparedSide, hideStated, toDeclaredSide, toLiveSide } from './compared-side.ts';
import { findSide, type NamedSide, presentSide, readSideNames } from './find-side.ts';

/** A side that was read, with what a promotion needs. */
export interface OpenedSide {
  named: NamedSide;
  side: ComparedSide;
  configuration: WrittenConfiguration;
  /** Reads its configuration with new texts of files, or another stage of it. Absent for a commit, which no text changes. */
  reload: ReloadStage | undefined;
  /** Returns how new texts would change other stacks of the workspace, which may read the same data. */
  checkOtherStacks: CheckOtherStacks;
}

/** Reads a configuration with new texts of files. Without `stage`, in its own stage. */
type ReloadStage = (texts: FileTexts, stage?: string) => Promise<WrittenConfiguration>;

/** The two sides of `trueup diff`, and their comparison. */
export interface OpenedComparison {
  a: OpenedSide;
  b: OpenedSide;
  comparison: SideComparison;
}

/**
 * Compares the two sides of `trueup diff A B`. Without B, A is compared with the present configuration. Texts of the configuration that
 * look like secrets in clear are hidden in both sides. Throws `Problems` if a side names nothing, or if its configuration has errors or
 * reads a value that it may not: without that value the comparison would be wrong.
 */
export async function compareNamedSides(
  provider: Provider,
  names: { a: string; b: string | undefined },
  options: StackOptions,
  port: Port,
): Promise<OpenedComparison> {
  const sideNames = await readSideNames(provider, options, port.run);
  const namedA = await findSide(names.a, sideNames, port.run);
  const namedB = names.b === undefined ? presentSide : await findSide(names.b, sideNames, port.run);
  const sideOfA = await openSide(provider, namedA, namedB, options, port);
  const sideOfB = await openSide(provider, namedB, namedA, options, port);
  const isSecret = await createStatedSecretTest(provider, [sideOfA, sideOfB]);
  const a = { ...sideOfA, side: hideStated(sideOfA.side, isSecret) };
  const b = { ...sideOfB, side: hideStated(sideOfB.side, isSecret) };
  return { a, b, comparison: compareSides(a.side, b.side, kindsOf(provider.kinds)) };
}

/**
 * Returns the test whether a text holds a secret that stands in clear in the configuration of a side of `trueup diff`, as the checks of the
 * provider find them. The report hides such texts.
 */
async function createStatedSecretTest(
  provider: Provider,
  sides: readonly OpenedSide[],
): Promise<SecretFinder> {
  const configurations = sides.map(({ configuration: { desired, platform } }, index) => ({
    desired,
    platform,
    // Two sides may declare the same objects, so they are judged apart.
    stage: String(index),
  }));
  const { secrets } = await findInConfigurations(await provider.meaning(), configurations, { isPart: true });
  return createSecretFinder(secrets);
}

/** True if a configuration is compared with its own account, which is close to a plan. */
export const isConfigurationWithItsAccount = ({ a, b }: OpenedComparison): boolean =>
  a.named.isLive !== b.named.isLive && JSON.stringify(a.named.target) === JSON.stringify(b.named.target);

/**
 * Reads one of the two sides of `trueup diff A B`: its configuration and, for `live:...`, the objects in its account. A commit is read with
 * the stage and the stack of the other side, unless the options name them. `reload` and `checkOtherStacks` of the result are for
 * `--promote`, which edits the YAML of a side.
 */
async function openSide(
  provider: Provider,
  named: NamedSide,
  other: NamedSide,
  options: StackOptions,
  port: Port,
): Promise<OpenedSide> {
  const {
    configuration,
    sources,
    options: sideOptions,
    run,
    reload,
  } = await loadSide(provider, named, other, options, port);
  const declared = toDeclaredSide(named.text, configuration);
  const checkOtherStacks = createCheckOfOtherStacks(configuration, provider, options, port.run);
  const opened = { named, configuration, reload, checkOtherStacks };
  if (!named.isLive) return { ...opened, side: declared };
  const session = await openSession(
    provider,
    sideOptions,
    { ...port, run },
    { loaded: { configuration, sources } },
  );
  try {
    // A plan reads the objects of the account that the configuration and the ledger mention.
    const { live } = await openSessionPlan(
      session,
      createPlanOptions(sideOptions as PlanningOptions, run.host),
    );
    return { ...opened, side: toLiveSide(named.text, declared, live, session.ledger.entries) };
  } finally {
    await session.close();
  }
}

/** The configuration of a side, and the options and the folder with which its account is opened. */
interface LoadedSide {
  configuration: WrittenConfiguration;
  sources: Sources;
  options: StackOptions;
  run: Run;
  reload: ReloadStage | undefined;
}

/**
 * Loads the configuration of a side. A commit is read with the stack and the stage of the other side, if it knows that stage, because a
 * person who compares a commit with them means the same ones; `--file` and `--stage` go before that. Throws `Problems`.
 */
async function loadSide(
  provider: Provider,
  { target }: NamedSide,
  other: NamedSide,
  options: StackOptions,
  port: Port,
): Promise<LoadedSide> {
  if (target.type !== 'ref') return loadWorkTree(provider, target, options, port);
  // The stack of the other side says which files of the commit to read, unless `--file` does: then nothing changes for a commit.
  const targetWithFiles = options.file ? target : other.target;
  const { run, options: stackOptions } = inWorkspaceOf(targetWithFiles, options, port.run);
  return loadCommit(provider, target.ref, stageOf(other), stackOptions, { ...port, run });
}

/**
 * Loads the configuration of a stage or stack from the files of the work tree, in the folder of its workspace if it has one. Throws
 * `Problems` if it has errors. `reload` of the result reads it with new texts of files, or another stage of it, for `--promote`.
 */
async function loadWorkTree(
  provider: Provider,
  target: Exclude<NamedSide['target'], { type: 'ref' }>,
  options: StackOptions,
  port: Port,
): Promise<LoadedSide> {
  const { run, options: stackOptions, workspace } = inWorkspaceOf(target, options, port.run);
  const sideOptions = { ...stackOptions, stage: target.stage ?? options.stage };
  const sources = createSources(sideOptions, run.host, port);
  const configuration = await loadConfiguration(provider, sideOptions, run, { sources });
  const reload: ReloadStage = (texts, stage = sideOptions.stage) =>
    load({
      ...createLoadOptions(provider, { ...sideOptions, stage }, run),
      sources,
      texts,
      workspace: workspace?.entry,
    });
  return { configuration, sources, options: sideOptions, run, reload };
}

/**
 * Returns the options and the folder with which the stack of a workspace is loaded: its file, in the folder of the workspace. Unchanged for
 * any other target.
 */
function inWorkspaceOf(target: NamedSide['target'], options: StackOptions, run: Run) {
  const workspace = target.type === 'stack' ? target.workspace : undefined;
  if (!workspace) return { run, options, workspace };
  return {
    run: inFolder(run, workspace.folder),
    options: { ...withAbsolutePaths(options, run), file: [workspace.entry.file] },
    workspace,
  };
}

const stageOf = ({ target }: NamedSide): string | undefined =>
  target.type === 'ref' ? undefined : target.stage;

/**
 * Loads the configuration at a commit with its data files, as `render --diff` does. No filter and no hook of git runs. Throws `Problems`.
 */
async function loadCommit(
  provider: Provider,
  ref: string,
  otherStage: string | undefined,
  options: StackOptions,
  { run }: Port,
): Promise<LoadedSide> {
  const files = await extractCommit(ref, run.host);
  try {
    const loadOptions = await createCommitOptions(provider, options, run, files);
    // The stages of a commit are known only after it was read.
    const withoutStage = await load(loadOptions);
    const isStageOfOther = options.stage === undefined && withoutStage.stages.includes(otherStage ?? '');
    const configuration = isStageOfOther ? await load({ ...loadOptions, stage: otherStage }) : withoutStage;
    raiseErrors(allProblemsOf(configuration));
    // Files with secrets are read in the work tree, so their sources are the same ones as today.
    const withFolders = { ...configuration, ...withSecretFolders(configuration, files.toWorkTree) };
    return {
      configuration: withFolders,
      sources: createSources(options, run.host),
      options,
      run,
      reload: undefined,
    };
  } finally {
    await files.remove();
  }
}
