/*
 * Finds what a side of `trueup diff` names.
 *
 *   | written            | is                                                         |
 *   | ------------------ | ---------------------------------------------------------- |
 *   | `stage:staging`    | a stage of the configuration                               |
 *   | `stack:shop`       | a stack of the workspace, or the configuration of that name |
 *   | `stack:shop@live`  | a stage of that stack                                      |
 *   | `ref:main`         | the configuration at a commit                              |
 *   | `live:...`         | the account of any of these                                |
 *   | `staging`          | the only one of these that exists                          |
 */

import type { Run } from '../app/port.ts';
import { createLoadOptions } from '../app/session/load-configuration.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { findWorkspaceFolder } from '../config/find-workspace.ts';
import { load } from '../config/load.ts';
import { readWorkspace, type WorkspaceEntry } from '../config/workspace.ts';
import { doesSucceed, openRepository, readCommitId } from '../git/repository.ts';
import type { Provider } from '../kind/provider.ts';
import { raise } from '../model/diagnostic.ts';
import { cleanLine, joinAsSentence } from '../report/text.ts';

/** What a side names, before its configuration is read. */
export interface NamedSide {
  /** As the user wrote it. */
  text: string;
  /** True for the account of the side. */
  isLive: boolean;
  target: SideTarget;
}

type SideTarget =
  | { type: 'stage'; stage: string }
  /** `workspace`: absent for the configuration of the working directory. */
  | { type: 'stack'; name: string; workspace: WorkspaceStackPlace | undefined; stage: string | undefined }
  | { type: 'ref'; ref: string };

/** A stack of a workspace, and the folder of the workspace. */
interface WorkspaceStackPlace {
  folder: string;
  entry: WorkspaceEntry;
}

/** The configuration of the working directory as it is now, with the stage of the options. It is the second side if there is only one. */
export const presentSide: NamedSide = {
  text: 'now',
  isLive: false,
  target: { type: 'stack', name: '', workspace: undefined, stage: undefined },
};

/** The names that sides can have. */
export interface SideNames {
  /** The stages of the configuration. */
  stages: readonly string[];
  /** The name of the stack of the configuration, without a stage; empty without a configuration. */
  stack: string;
  /** The stacks of the workspace, and its folder. Absent without a workspace. */
  workspace: { folder: string; entries: readonly WorkspaceEntry[] } | undefined;
}

/**
 * Reads the names of the stages and stacks that a side of `trueup diff A B` can name. Mistakes in the configuration are reported later,
 * when a side is read.
 */
export async function readSideNames(provider: Provider, options: StackOptions, run: Run): Promise<SideNames> {
  const { stages, writtenStack } = await load(createLoadOptions(provider, options, run));
  const isInWorkspace = findWorkspaceFolder(run.host.cwd) !== undefined;
  const workspace = isInWorkspace ? await readWorkspace(run.host.cwd) : undefined;
  return { stages, stack: writtenStack, workspace };
}

/**
 * Returns the sides that a shell offers for `trueup diff`: the stages, and the stacks of the workspace with the stages that it names or,
 * without a workspace, the stack of the configuration.
 */
export async function readSideWords(provider: Provider, options: StackOptions, run: Run): Promise<string[]> {
  const { stages, stack, workspace } = await readSideNames(provider, options, run);
  const stacks = (workspace?.entries ?? []).flatMap((entry) => [entry.path, ...wordsOfEntry(entry)]);
  const ownStack = workspace || stack === '' ? [] : [stack];
  return [...new Set([...stages, ...ownStack, ...stacks])];
}

/** Returns the sides that a stack of a workspace can be: its stages, if the workspace names them. */
const wordsOfEntry = ({ path, stages = [] }: WorkspaceEntry): string[] =>
  stages.length > 0 ? stages.map((stage) => `${path}@${stage}`) : [path];

/**
 * Returns what a side of `trueup diff A B` names: a stage, a stack or a commit. The text may say which (`stage:main`, `stack:shop`,
 * `ref:main`), and `live:` in front of it means the account instead of the files. Throws `Problems` if no stage, stack or commit fits, or
 * if several do: then the message has the names that are unambiguous. A commit after `ref:`, and a stage after `@`, are only checked when
 * the side is read.
 */
export async function findSide(text: string, names: SideNames, run: Run): Promise<NamedSide> {
  const { isLive, type, name } = parseSide(text);
  const isRef = type === 'ref' || (type === undefined && (await isCommit(name, run)));
  const targets = [
    ...(type === undefined || type === 'stage' ? findStage(name, names) : []),
    ...(type === undefined || type === 'stack' ? findStacks(name, names) : []),
    ...(isRef ? [{ type: 'ref' as const, ref: name }] : []),
  ];
  const [target, ...others] = targets;
  if (!target) raiseUnknown(text, names);
  if (others.length > 0) raiseAmbiguous(text, isLive, targets);
  return { text, isLive, target };
}

/**
 * Splits a side of `trueup diff A B` as the user wrote it: `live:stage:main` is the account (`isLive`) of the `type` stage with the `name`
 * main. `type` is undefined if the text does not say it.
 */
function parseSide(text: string): { isLive: boolean; type: string | undefined; name: string } {
  const liveText = /^live:(.+)$/s.exec(text)?.[1];
  const withoutLive = liveText ?? text;
  const explicit = /^(?<type>stage|stack|ref):(?<name>.+)$/s.exec(withoutLive)?.groups;
  return { isLive: liveText !== undefined, type: explicit?.type, name: explicit?.name ?? withoutLive };
}

/** Throws the problem that a name in `trueup diff A B` means several things, with the texts that mean one of them each. */
function raiseAmbiguous(text: string, isLive: boolean, targets: readonly SideTarget[]): never {
  const explicitTexts = targets.map((target) => `\`${isLive ? 'live:' : ''}${explicitNameOf(target)}\``);
  raise('diff/ambiguous-side', `${cleanLine(text)} can mean ${joinAsSentence(targets.map(describeTarget))}`, {
    hint: `write ${explicitTexts.join(' or ')}`,
  });
}

/** Returns the stage that one side of `trueup diff A B` means by a name, as a list; empty if the configuration has no such stage. */
const findStage = (name: string, { stages }: SideNames): SideTarget[] =>
  stages.includes(name) ? [{ type: 'stage', stage: name }] : [];

/**
 * Returns the stacks that one side of `trueup diff A B` can mean by a name, perhaps with a stage of the stack: `shop`, `shop@staging`.
 * These are the stacks of the workspace with this path or, if there is none, those whose path ends with this name. If no stack of the
 * workspace matches, the name can be that of the configuration in the working directory (`stack`). Empty if nothing matches. `findSide`
 * reports several results as ambiguous.
 */
function findStacks(name: string, { stack, workspace }: SideNames): SideTarget[] {
  const [stackName = '', stage] = splitStage(name);
  const { folder = '', entries = [] } = workspace ?? {};
  const withPath = entries.filter(({ path }) => path === stackName);
  const withLastName = entries.filter(({ path }) => path.split('/').at(-1) === stackName);
  const targets = (withPath.length > 0 ? withPath : withLastName).map(
    (entry): SideTarget => ({ type: 'stack', name: entry.path, workspace: { folder, entry }, stage }),
  );
  if (targets.length > 0) return targets;
  const isConfigurationHere = stack !== '' && stackName === stack;
  return isConfigurationHere ? [{ type: 'stack', name: stackName, workspace: undefined, stage }] : [];
}

/** Splits `shop@staging` into the name of the stack and its stage; only the name if there is no stage. */
const splitStage = (name: string): string[] => {
  const index = name.lastIndexOf('@');
  return index > 0 ? [name.slice(0, index), name.slice(index + 1)] : [name];
};

/** True if git has a commit of this name. False outside of a repository. */
const isCommit = (name: string, { host }: Run): Promise<boolean> =>
  doesSucceed(openRepository(host.cwd, host.env).then(({ git }) => readCommitId(git, name)));

/** Describes the side that a name of `trueup diff` means, for the message about a name with several meanings: `the stage production`. */
const describeTarget = (target: SideTarget): string => {
  if (target.type === 'stage') return `the stage ${cleanLine(target.stage)}`;
  if (target.type === 'ref') return `the commit ${cleanLine(target.ref)}`;
  return `the stack ${cleanLine(target.name)}`;
};

/**
 * Returns the name of a side of `trueup diff` that can mean nothing else, such as `stage:production`, for the hint about a name that means
 * several things.
 */
const explicitNameOf = (target: SideTarget): string => {
  if (target.type === 'stage') return `stage:${cleanLine(target.stage)}`;
  if (target.type === 'ref') return `ref:${cleanLine(target.ref)}`;
  const { name, stage } = target;
  return `stack:${cleanLine(name)}${stage === undefined ? '' : `@${cleanLine(stage)}`}`;
};

/** Throws the problem that a name in `trueup diff A B` is no stage, stack or commit, with the names that exist. */
function raiseUnknown(text: string, { stages, stack, workspace }: SideNames): never {
  const stacks = workspace ? workspace.entries.flatMap(wordsOfEntry) : [stack].filter(Boolean);
  const existingNames = [
    stages.length > 0 && `the stages ${joinAsSentence(stages.map(cleanLine))}`,
    stacks.length > 0 && `the stacks ${joinAsSentence(stacks.map(cleanLine))}`,
  ].filter((list) => list !== false);
  raise('diff/unknown-side', `there is no stage, stack or commit ${JSON.stringify(text)}`, {
    hint:
      existingNames.length > 0
        ? `there are ${existingNames.join(', and ')}`
        : 'a side is a stage, a stack or a commit',
  });
}
