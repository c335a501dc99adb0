import type { Configuration } from '../../config/configuration.ts';
import {
  findMissingCommit,
  isAncestor,
  listFirstParents,
  type MainlineCommit,
} from '../../git/first-parents.ts';
import type { RecordedChange, RunRecord } from '../../history/record.ts';
import type { Kinds } from '../../kind/kind.ts';
import { type Diagnostic, Problems, warning } from '../../model/diagnostic.ts';
import { declaresBefore, hasValuesBefore, serializeDeclarations } from '../../plan/match-undo-base.ts';
import type { Host } from '../host.ts';
import { type ConfigurationReader, withoutResources } from './configuration-reader.ts';
import type { UndoTarget } from './undo-target.ts';

interface BaseOptions {
  target: Pick<UndoTarget, 'record' | 'previous' | 'lastCompleteRun' | 'changes'>;
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

/** Finds the newest commit before a run that declares what the run changed as it was. Throws `Problems`. */
export async function findUndoBase(options: BaseOptions): Promise<UndoBase> {
  const { target, reader, host } = options;
  const { record, previous, lastCompleteRun, changes } = target;
  const { run, commit } = record.head;
  const to = commit!.id;
  const from = lastCompleteRun?.head.commit?.id;
  const needed = [record, previous, lastCompleteRun].flatMap((needing) => needing?.head.commit?.id ?? []);
  const missingId = await findMissingCommit([...new Set(needed)], host.cwd, host.env);
  if (missingId !== undefined) throw missing(missingId, run);
  const configuration = await reader.read(to);
  const isBefore = from === undefined || (await isAncestor(from, to, host.cwd, host.env));
  const line = isBefore ? await listFirstParents(from, to, host.cwd, host.env) : { commits: [] };
  reader.rememberParents(line.commits);
  const previousConfiguration = from === undefined ? undefined : await reader.read(from);
  const input = {
    changes,
    desiredOfRun: configuration.desired,
    desiredOfPreviousRun: previousConfiguration?.desired,
    kinds: options.kinds,
  };
  const candidates = [
    ...line.commits.filter(({ id }) => id !== to).map(({ id }) => id),
    ...(from === undefined ? [] : [from]),
  ];
  const hasValues = record.head.values !== false && !record.details!.more && hasValuesBefore(changes);
  let exact: string | undefined;
  if (hasValues)
    for (const id of candidates) {
      const candidate = await reader.tryToRead(id);
      if (!candidate || !declaresBefore(candidate.desired, input)) continue;
      exact = id;
      break;
    }
  if (exact === undefined && line.cutAt !== undefined) throw missing(line.cutAt, run);
  const base = exact ?? previous?.head.commit?.id;
  if (exact === undefined && base !== undefined)
    refuseSame(await reader.read(base), configuration, changes, run);
  const reverts = await findReverts(base, configuration, options);
  if (from === undefined)
    return {
      configuration: withoutResources(configuration),
      configurationOfRun: configuration,
      reverts,
      notes: [],
    };
  const notes = exact === undefined ? [notExact(run, previous!, hasValues)] : [];
  return {
    commit: base!,
    configuration: await reader.read(base!),
    configurationOfRun: configuration,
    reverts,
    notes,
  };
}

/** Lists the commits after the base that changed the declared values at the addresses; none if HEAD declares the same as the base. */
async function findReverts(
  base: string | undefined,
  own: Configuration,
  { target: { changes }, reader, host }: BaseOptions,
): Promise<MainlineCommit[]> {
  const { commits } = await listFirstParents(base, 'HEAD', host.cwd, host.env);
  reader.rememberParents(commits);
  const textAt = async (id: string | undefined) => {
    if (id === undefined) return serializeDeclarations(changes, withoutResources(own).desired);
    const configuration = await reader.tryToRead(id);
    return configuration && serializeDeclarations(changes, configuration.desired);
  };
  const [head] = commits;
  if (head && (await textAt(head.id)) === (await textAt(base))) return [];
  const reverts: MainlineCommit[] = [];
  // Commits whose configuration cannot be read: they count with the next one that changes something.
  let unreadable: MainlineCommit[] = [];
  let text = await textAt(base);
  for (const commit of commits.toReversed()) {
    if (!commit.changesFiles) continue;
    const next = await textAt(commit.id);
    if (next === undefined) {
      unreadable.push(commit);
      continue;
    }
    if (next !== text) reverts.push(...unreadable, commit);
    unreadable = [];
    text = next;
  }
  return reverts.reverse();
}

/** Throws `Problems` if a configuration declares what the run itself declared: going back to it would undo nothing. */
function refuseSame(
  base: Configuration,
  configuration: Configuration,
  changes: readonly RecordedChange[],
  run: number,
): void {
  const edited = changes.filter(
    ({ action, fields }) =>
      ['create', 'delete', 'move'].includes(action) || fields.some(({ cause }) => cause === 'edit'),
  );
  if (
    edited.length === 0 ||
    serializeDeclarations(edited, base.desired) !== serializeDeclarations(edited, configuration.desired)
  )
    return;
  throw new Problems(
    'undo/impossible',
    `run ${run} cannot be undone: no commit before it declares the earlier values`,
    {
      hint: 'edit the files and apply; `trueup log --run N` shows the earlier values as far as they were recorded',
    },
  );
}

const missing = (id: string, run: number): Problems =>
  new Problems(
    'undo/impossible',
    `run ${run} cannot be undone: the commit ${id} is not in the history of HEAD`,
    {
      hint: 'a shallow clone lacks older commits: `git fetch --unshallow`; on another branch, switch to the one that was applied; if the history was rewritten, edit the files and apply',
    },
  );

/** Warns that the base is only the commit of the previous recorded run. */
function notExact(run: number, { head }: RunRecord, hasValues: boolean): Diagnostic {
  const reason = hasValues
    ? `no commit between runs ${head.run} and ${run} declares all values from before run ${run}`
    : `the record of run ${run} does not contain the values from before it`;
  return warning(
    'undo/base',
    `${reason}, so this goes back to the configuration of run ${head.run} (${head.commit!.id.slice(0, 12)})`,
    { hint: 'check the plan: changes of other commits since then may be among those that it reverts' },
  );
}
