/*
 * Finds the configuration from before a run, its base. `undo` plans that configuration for the changed objects.
 *
 * A run is recorded with the commit that it applied, but other commits may lie between the commits of two runs. So the base is
 *   1. the newest commit between the last complete run and this run that declares the values from before the run (an exact base), or
 *   2. without such a commit, or without recorded values, the commit of the previous recorded run, with a warning.
 */
import type { Configuration } from '../config/configuration.ts';
import { findMissingCommit, isAncestor, listFirstParents, type MainlineCommit } from '../git/commits.ts';
import type { Host } from '../host.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Diagnostic, problem, raise, warning } from '../model/diagnostic.ts';
import { declaresBefore, hasValuesBefore, serializeDeclarations } from '../plan/match-undo-base.ts';
import { type ConfigurationReader, withoutResources } from './configuration-reader.ts';
import type { RecordedChange, RunRecord } from './record.ts';
import type { UndoTarget } from './undo-target.ts';

/** The run to undo, and the means to read its commits. */
interface BaseOptions {
  target: Pick<UndoTarget, 'record' | 'previous' | 'searchStart' | 'changes'>;
  kinds: Kinds;
  host: Pick<Host, 'cwd' | 'env'>;
  reader: ConfigurationReader;
}

/** The configuration from before a run, and the commits that brought the changes. */
export interface UndoBase {
  /** The commit with that configuration; absent if the run was the first one. */
  commit?: string;
  /** Without resources if the run was the first one. */
  configuration: Configuration;
  /** The configuration of the run. */
  configurationOfRun: Configuration;
  /** The commits to revert, newest first. */
  reverts: MainlineCommit[];
  notes: Diagnostic[];
}

/**
 * Finds the configuration that `trueup undo` restores, with the commits that the user should revert. It is the configuration of the base:
 * the newest commit before the run that declares exactly the values from before the run (exact), else the commit of the previous run, with
 * a warning. Before the first run, nothing was declared. Throws `Problems` if git no longer has a needed commit, or if the base declares
 * the same as the run.
 */
export async function findUndoBase(options: BaseOptions): Promise<UndoBase> {
  const { target, reader } = options;
  const { record, previous, changes } = target;
  const { run, commit } = record.head;
  await refuseMissingCommits(options);
  const configurationOfRun = await reader.read(commit!.id);
  const exactBase = await findExactBase(configurationOfRun, options);
  const isExact = exactBase !== undefined;
  const base = exactBase ?? previous?.head.commit?.id;
  if (!isExact && base !== undefined) refuseSame(await reader.read(base), configurationOfRun, changes, run);
  const reverts = await findReverts(base, configurationOfRun, options);
  const isFirstRun = previous === undefined;
  if (isFirstRun)
    return {
      configuration: withoutResources(configurationOfRun),
      configurationOfRun,
      reverts,
      notes: [],
    };
  const notes = isExact ? [] : [warnOfInexactBase(run, previous, recordsValuesBefore(target))];
  return { commit: base!, configuration: await reader.read(base!), configurationOfRun, reverts, notes };
}

/**
 * Throws `Problems` if the commit of the run to undo, of the run before it, or of the run at which the search of `undo` starts is not in
 * the history of HEAD, for example in a shallow clone.
 */
async function refuseMissingCommits({ target, host }: BaseOptions): Promise<void> {
  const { record, previous, searchStart } = target;
  const ids = [record, previous, searchStart].flatMap((runRecord) => runRecord?.head.commit?.id ?? []);
  const missingId = await findMissingCommit([...new Set(ids)], host.cwd, host.env);
  if (missingId !== undefined) raise(missingCommitProblem(missingId, record.head.run));
}

/**
 * Lists the commits to which `trueup undo` may go back, newest first: those between `searchStart` (the newest complete run before the run
 * to undo, or an older one) and the run to undo, then the commit of `searchStart`. That is the only one if it is no ancestor of the run's
 * commit, as after a change of branches. `cutAt`: the commit where a shallow clone ends, if the list is incomplete.
 */
async function listCommitsBeforeRun({
  target,
  reader,
  host,
}: BaseOptions): Promise<{ commits: string[]; cutAt?: string | undefined }> {
  const runCommit = target.record.head.commit!.id;
  const startCommit = target.searchStart?.head.commit?.id;
  const isOnLine =
    startCommit === undefined || (await isAncestor(startCommit, runCommit, host.cwd, host.env));
  const line = isOnLine
    ? await listFirstParents(startCommit, runCommit, host.cwd, host.env)
    : { commits: [], cutAt: undefined };
  reader.rememberParents(line.commits);
  const between = line.commits.map(({ id }) => id).filter((id) => id !== runCommit);
  return { commits: [...between, ...(startCommit === undefined ? [] : [startCommit])], cutAt: line.cutAt };
}

/** True if the record of a run has all values from before it. Otherwise no commit can be compared with them. */
const recordsValuesBefore = ({ record, changes }: BaseOptions['target']): boolean =>
  record.head.values !== false && !record.details!.more && hasValuesBefore(changes);

/**
 * Returns the newest commit before the run that declares the values from before it, so that `undo` can go back to
 * it; undefined if none does, or if these values were not recorded. The search begins at the run `searchStart` (see `findSearchStart`),
 * whose configuration the candidates are compared with, too. Throws `Problems` if that cannot be read, or if a shallow clone lacks some of
 * the commits to search.
 */
async function findExactBase(
  configurationOfRun: Configuration,
  options: BaseOptions,
): Promise<string | undefined> {
  const { target, reader, kinds } = options;
  const { commits, cutAt } = await listCommitsBeforeRun(options);
  const startCommit = target.searchStart?.head.commit?.id;
  // Read in any case: without this configuration the undo is refused, even if no commit can be compared.
  const configurationBefore = startCommit === undefined ? undefined : await reader.read(startCommit);
  const input = {
    changes: target.changes,
    desiredOfRun: configurationOfRun.desired,
    desiredOfPreviousRun: configurationBefore?.desired,
    kinds,
  };
  const comparableCommits = recordsValuesBefore(target) ? commits : [];
  for (const id of comparableCommits) {
    const candidate = await reader.tryToRead(id);
    if (candidate && declaresBefore(candidate.desired, input)) return id;
  }
  // A commit that the clone lacks may declare the values.
  if (cutAt !== undefined) raise(missingCommitProblem(cutAt, target.record.head.run));
  return undefined;
}

/**
 * Lists the commits after the base (the commit to which `undo` goes back; undefined: before the first) that changed
 * the declared values at the undone addresses, newest first, so that users can revert them, too; otherwise the next
 * apply would do the undone changes again. None if HEAD declares the same as the base. A commit whose configuration
 * cannot be read is listed if the next readable one has other values, because either may have changed them.
 */
async function findReverts(
  base: string | undefined,
  configurationOfRun: Configuration,
  { target: { changes }, reader, host }: BaseOptions,
): Promise<MainlineCommit[]> {
  const { commits } = await listFirstParents(base, 'HEAD', host.cwd, host.env);
  reader.rememberParents(commits);
  const readDeclarations = async (id: string | undefined) => {
    if (id === undefined) return serializeDeclarations(changes, withoutResources(configurationOfRun).desired);
    const configuration = await reader.tryToRead(id);
    return configuration && serializeDeclarations(changes, configuration.desired);
  };
  const [head] = commits;
  if (head && (await readDeclarations(head.id)) === (await readDeclarations(base))) return [];
  const reverts: MainlineCommit[] = [];
  let unreadable: MainlineCommit[] = [];
  let declarations = await readDeclarations(base);
  const oldestFirst = commits.toReversed().filter(({ changesFiles }) => changesFiles);
  for (const commit of oldestFirst) {
    const nextDeclarations = await readDeclarations(commit.id);
    if (nextDeclarations === undefined) unreadable.push(commit);
    else {
      // Any of the unreadable commits just before this one may have made the change.
      if (nextDeclarations !== declarations) reverts.push(...unreadable, commit);
      unreadable = [];
      declarations = nextDeclarations;
    }
  }
  return reverts.reverse();
}

/**
 * Throws `Problems` if the base (the configuration to which `undo` would go back) declares the same as the run for
 * the objects that the run edited, because going back to it would undo nothing.
 */
function refuseSame(
  base: Configuration,
  configurationOfRun: Configuration,
  changes: readonly RecordedChange[],
  run: number,
): void {
  const edited = changes.filter(
    ({ action, fields }) =>
      ['create', 'delete', 'move'].includes(action) || fields.some(({ cause }) => cause === 'edit'),
  );
  if (edited.length === 0) return;
  const isSame =
    serializeDeclarations(edited, base.desired) === serializeDeclarations(edited, configurationOfRun.desired);
  if (!isSame) return;
  raise('undo/impossible', `run ${run} cannot be undone: no commit before it declares the earlier values`, {
    hint: 'edit the files and apply; `trueup log --run N` shows the earlier values as far as they were recorded',
  });
}

/**
 * Returns the problem with which `trueup undo` stops if git does not have a commit that the search for the base (the commit to go back to)
 * needs.
 */
const missingCommitProblem = (id: string, run: number): Diagnostic =>
  problem('undo/impossible', `run ${run} cannot be undone: the commit ${id} is not in the history of HEAD`, {
    hint: 'a shallow clone lacks older commits: `git fetch --unshallow`; on another branch, switch to the one that was applied; if the history was rewritten, edit the files and apply',
  });

/**
 * Returns the warning of `trueup undo` that it goes back to the commit of the previous recorded run, because no commit is known to declare
 * the exact values from before the undone run.
 */
function warnOfInexactBase(run: number, { head }: RunRecord, hasValues: boolean): Diagnostic {
  const reason = hasValues
    ? `no commit between runs ${head.run} and ${run} declares all values from before run ${run}`
    : `the record of run ${run} does not contain the values from before it`;
  return warning(
    'undo/base',
    `${reason}, so this goes back to the configuration of run ${head.run} (${head.commit!.id.slice(0, 12)})`,
    { hint: 'check the plan: changes of other commits since then may be among those that it reverts' },
  );
}
