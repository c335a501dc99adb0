import { listCommitsSince, resolveCommit } from '../git/commits.ts';
import type { Host } from '../host.ts';
import { isVerified, missingKeyProblem } from '../ledger/proof.ts';
import { isWithin } from '../model/address.ts';
import { raise, shellWord, warning } from '../model/diagnostic.ts';
import type { Desired } from '../model/resource.ts';
import { serializeDeclarations } from '../plan/match-undo-base.ts';
import type { PreparedUndo } from '../plan/prepare-undo.ts';
import { type ConfigurationReader, withoutResources } from './configuration-reader.ts';
import { formatDoubt } from './log-text.ts';
import { type OpenHistory, unknownRunProblem } from './read-history.ts';
import {
  isActionRecord,
  isLedgerRecord,
  type RecordedChange,
  type RecordHead,
  type RunRecord,
} from './record.ts';

/** The run to undo, or the part of a run that one commit brought. */
export interface UndoTarget {
  /** The name for messages: `run 12`, or `commit 1a2b3c4d5e6f (run 12)`. */
  name: string;
  record: RunRecord;
  /** The run before it that applied something; undefined for the first run. */
  previous: RunRecord | undefined;
  /** The run at whose commit the search for an older configuration starts; see `findSearchStart`. Undefined for the first run. */
  searchStart: RunRecord | undefined;
  /** The changes to undo, from its record. */
  changes: RecordedChange[];
}

/**
 * Finds the run that `trueup undo NUMBER` shall undo, with all its changes that may have reached the account, and
 * the earlier runs that show the state before it. Throws `Problems` if it cannot be undone.
 */
export function findRunTarget(number: number, history: OpenHistory): UndoTarget {
  const [record, previous] = findUndoableRun(number, history);
  const changes = record.details!.changes.filter((change) => isAttempted(change, history));
  const searchStart = findSearchStart(record, previous, history);
  return { name: `run ${number}`, record, previous, searchStart, changes };
}

/** A commit to undo, with the configurations that show what it changed. */
interface UndoneCommit {
  id: string;
  /** The commit itself and the commits of HEAD's history that contain it. */
  containing: ReadonlySet<string>;
  /** The configuration at the commit, and at its first parent. */
  configurations: [after: Desired, before: Desired];
}

/**
 * Finds the run that applied a commit, for `trueup undo COMMIT`, with the changes at the addresses where the configurations at the commit
 * and before it differ (`configurations`). If several runs applied it in parts, the first of them is the target, and the changes of the
 * others are included. Throws `Problems` if no run applied the commit, or if it cannot be undone.
 */
export function findCommitTarget(commit: UndoneCommit, history: OpenHistory): UndoTarget {
  const { id, configurations } = commit;
  const shortId = id.slice(0, 12);
  const runs = findApplyingRuns(commit, history);
  if (runs.length === 0)
    raise(noRunCode, `no recorded run of this stack applied the commit ${shortId}`, {
      hint: 'it planned to nothing, or was never applied; `trueup log` lists the runs',
    });
  const changesOf = ({ details }: RunRecord) =>
    details?.changes.filter((change) => isAttempted(change, history)) ?? [];
  const isOfCommit = createCommitTest(configurations, runs.flatMap(changesOf));
  // An old run without details may have made such a change. Then `findUndoableRun` refuses it.
  const firstRun = runs.find((run) => !run.details || changesOf(run).some(isOfCommit)) ?? runs[0]!;
  const number = firstRun.head.run;
  const [record, previous] = findUndoableRun(number, history);
  const verifiedRuns = runs.filter(({ proof }) => isVerified(proof));
  const changes = firstOfEachAddress(verifiedRuns.flatMap(changesOf).filter(isOfCommit));
  if (changes.length === 0)
    raise(noRunCode, `run ${number} applied the commit ${shortId}, but changed nothing for it`, {
      hint: `to undo all of that run: \`trueup undo ${number}\``,
    });
  return {
    name: `commit ${shortId} (run ${number})`,
    record,
    previous,
    searchStart: findSearchStart(record, previous, history),
    changes,
  };
}

/**
 * Returns the runs that applied a commit, oldest first: those with the commit or a later one (`containing`), up to the first that covered
 * the whole stack and succeeded. That one has applied the commit completely, and later runs bring other commits. Undos do not count,
 * because they apply an older configuration.
 */
function findApplyingRuns({ containing }: UndoneCommit, { records }: OpenHistory): RunRecord[] {
  const runs = records.filter(({ head }) => {
    const hasCommit = head.commit !== undefined && containing.has(head.commit.id);
    return hasCommit && !appliesNothing(head) && head.command !== 'undo';
  });
  const lastIndex = runs.findIndex(({ head }) => !head.partial && head.outcome === 'done');
  return lastIndex < 0 ? runs : runs.slice(0, lastIndex + 1);
}

/** Returns the first change at each address, which has the values from before the runs that made these changes. */
function firstOfEachAddress(changes: readonly RecordedChange[]): RecordedChange[] {
  const firstChanges = new Map<string, RecordedChange>();
  for (const change of changes)
    if (!firstChanges.has(change.address)) firstChanges.set(change.address, change);
  return [...firstChanges.values()];
}

/**
 * Creates the test that tells, for `trueup undo` of a commit, if a change of a run came from that commit: the
 * commit changed the declared values at its address, or created, replaced or deleted an object that contains it.
 * `after` and `before`: what the configuration declares at the commit and at its parent.
 */
function createCommitTest(
  [after, before]: UndoneCommit['configurations'],
  changes: readonly RecordedChange[],
): (change: RecordedChange) => boolean {
  const isEdited = (change: RecordedChange) =>
    serializeDeclarations([change], after) !== serializeDeclarations([change], before);
  const edited = new Set(changes.filter(isEdited).map(({ address }) => address));
  // An object that is created or deleted takes its contents with it.
  const containers = changes.filter(
    ({ address, action }) => edited.has(address) && ['create', 'replace', 'delete'].includes(action),
  );
  return ({ address }) =>
    edited.has(address) || containers.some((container) => isWithin(address, container.address));
}

/** The code of the problem that a commit changed nothing in a stack. `undo --all` skips such stacks. */
export const noRunCode = 'undo/commit';

/**
 * Returns the run at which the search of `undo` for the commit to go back to starts: the newest one before the run to undo that applied a
 * whole configuration, because the account has no values of older commits after it. Goes back from the run right before (`previous`). If it
 * meets a record that is not verified or has no clean commit, it stops at the run after that. If no run was complete, returns the oldest.
 */
function findSearchStart(
  { head: { run } }: RunRecord,
  previous: RunRecord | undefined,
  { records }: OpenHistory,
): RunRecord | undefined {
  let nearestKnownRun = previous;
  const earlier = records.filter(({ head }) => head.run < run && !appliesNothing(head)).reverse();
  for (const record of earlier) {
    const { commit, outcome, partial, command } = record.head;
    // The configuration of such a run is unknown, because its record may be forged, or no commit has its files. `previous` is none, because
    // `findUndoableRun` refuses it.
    if (!isVerified(record.proof) || !commit || commit.dirty) return nearestKnownRun;
    nearestKnownRun = record;
    // An undo always covers only a part, the objects that it restores, but applies all of its configuration there.
    if (outcome === 'done' && (!partial || command === 'undo')) return nearestKnownRun;
  }
  return nearestKnownRun;
}

/** True if a change may have reached the account: a stopped operation may have sent the first of its requests. */
const isAttempted = ({ result, address }: RecordedChange, { ledger }: OpenHistory): boolean =>
  (result !== 'not tried' && result !== 'left') || ledger?.begun?.[address]?.sent === true;

/**
 * Returns a warning for each object of an undo (`addresses`) that runs after the undone run (`number`) changed as
 * well, because the undo reverts these changes, too.
 */
export function warnOfLaterChanges({ addresses }: PreparedUndo, number: number, { records }: OpenHistory) {
  const later = records.filter(({ head }) => head.run > number && !appliesNothing(head));
  return addresses.flatMap((address) => {
    const runs = later.filter(({ details }) =>
      details?.changes.some((change) => change.address === address && change.result === 'done'),
    );
    if (runs.length === 0) return [];
    const names = runs.map(({ head }) => `#${head.run}`).join(', ');
    return [
      warning('undo/later', `${address}: ${names} changed it since; that is reverted too`, { address }),
    ];
  });
}

/**
 * Returns a warning for an undo if the previous run, whose configuration it goes back to, was limited to targets:
 * that configuration may declare more than was ever applied. Not after another undo, because each undo is limited.
 */
export const warnOfPartialRun = (previous: RunRecord | undefined) =>
  previous?.head.partial && previous.head.command !== 'undo'
    ? [
        warning(
          'undo/part',
          `run ${previous.head.run} covered only a part of the stack: the rest of its configuration may never have been applied`,
        ),
      ]
    : [];

/**
 * Returns the run that `trueup undo` shall undo and the run before it that applied something (undefined for the
 * first run), if everything that the undo needs is recorded and verified. Throws `Problems` that say why the run
 * cannot be undone.
 */
function findUndoableRun(number: number, history: OpenHistory): [RunRecord, RunRecord | undefined] {
  const { records, key } = history;
  if (!key) raise(missingKeyProblem);
  const position = records.findIndex(({ head }) => head.run === number);
  const record = records[position] ?? raise(unknownRunProblem(number, history));
  const refuse: Refuse = (reason, hint) => {
    raise('undo/impossible', `run ${number} cannot be undone: ${reason}`, { hint });
  };
  if (isLedgerRecord(record.head)) refuse(...explainLedgerRecord(record.head));
  if (isActionRecord(record.head))
    refuse(
      `it ran the action ${record.head.action}, and actions cannot be undone`,
      'if another action does the opposite, run that: `trueup run --list`',
    );
  // A run that only changed the ledger has no configuration, and that of the run before it was still valid.
  const previousIndex = records.findLastIndex(({ head }, index) => index < position && !appliesNothing(head));
  const previous = records[previousIndex];
  // The previous run, the records of commands that applied nothing, and the run itself.
  const recordsSince = records.slice(Math.max(previousIndex, 0), position + 1);
  for (const runRecord of recordsSince) refuseUnusableRecord(runRecord, refuse);
  const hasStart = previous !== undefined || recordsSince[0]!.head.run === 1;
  if (!areConsecutive(recordsSince) || !hasStart)
    refuse('the record of the run before it is gone', revertHint);
  if (!previous && recordsSince.some(({ head }) => head.from !== undefined))
    refuse(
      'it was the first to apply what another stack handed over, so no commit of this stack has the configuration from before',
      'edit the files and apply',
    );
  if (!record.details) refuse('it is too old: its changes are no longer kept', revertHint);
  return [record, previous];
}

/** Throws the problem that a run cannot be undone. */
type Refuse = (reason: string, hint: string) => never;

const revertHint = 'revert its commit, and apply';

/**
 * True if each record follows the one before: its number is the next one, and it has the digest of the other, so none was removed in
 * between.
 */
const areConsecutive = (records: readonly RunRecord[]): boolean =>
  records.slice(1).every(({ head }, index) => {
    const earlier = records[index]!;
    return head.run === earlier.head.run + 1 && head.previous === earlier.digest;
  });

/**
 * Refuses a `trueup undo` that needs this record: if it is not verified, because it may be forged, or if its run
 * applied a configuration that no commit has. `refuse` throws the problem.
 */
function refuseUnusableRecord({ head, proof }: RunRecord, refuse: Refuse): void {
  const { run, commit } = head;
  if (!isVerified(proof))
    refuse(
      `the record of run ${run} is not verified: ${formatDoubt(proof)}`,
      `unsigned records are not acted on; ${revertHint}`,
    );
  if (appliesNothing(head)) return;
  if (!commit)
    refuse(
      `run ${run} was not started in a repository, so its configuration is not available`,
      'edit the files and apply',
    );
  if (commit?.dirty)
    refuse(
      `run ${run} was applied from uncommitted files, so its configuration is not available`,
      'edit the files and apply; CI always applies a commit',
    );
}

/** True for the record of a run that changed no field of an object: an action, or a change of the ledger alone. */
const appliesNothing = (head: RecordHead): boolean => isLedgerRecord(head) || isActionRecord(head);

/** Returns the reason why `trueup undo` cannot undo a command that only changed the ledger, and how to revert it by hand. */
function explainLedgerRecord({ command, was, to, from, stack }: RecordHead): [reason: string, hint: string] {
  const noObject = 'it changed no object';
  switch (command) {
    case 'rename':
      return [
        `it only renamed the stack, and ${noObject}`,
        `to go back: \`trueup ledger rename ${shellWord(stack)} ${shellWord(String(was))}\``,
      ];
    case 'move':
      return to !== undefined
        ? [
            `it only transferred ownership to the stack ${to}, and ${noObject}`,
            `to go back: \`trueup ledger move ADDRESS --to ${shellWord(stack)}\` in the configuration of ${to}`,
          ]
        : [
            `it only took over ownership from the stack ${from}, and ${noObject}`,
            `to go back: \`trueup ledger move ADDRESS --to ${shellWord(String(from))}\``,
          ];
    case 'copy':
      return [
        `it only copied the ledger to ${to}, and ${noObject}`,
        'to go back: `trueup ledger copy` from there to here',
      ];
    case 'sign':
      return [
        `it only signed the ledger, and ${noObject}`,
        '`trueup ledger list` shows its entries; `trueup ledger forget ADDRESS` removes one',
      ];
    default:
      return [
        `it only dropped what the stack owned, and ${noObject}`,
        'declare the objects and apply: they are adopted as they are',
      ];
  }
}

/**
 * Returns the full id of the commit that a user named, for example for `trueup undo`. Throws `Problems` if the repository does not have it.
 */
export async function requireCommit(name: string, { cwd, env }: Pick<Host, 'cwd' | 'env'>): Promise<string> {
  const id = await resolveCommit(name, cwd, env);
  if (id !== undefined) return id;
  raise('git/ref', `there is no commit ${JSON.stringify(name)} in this repository`, {
    hint: 'name a commit that exists here; a shallow checkout has only the latest commits: git fetch --unshallow',
  });
}

/**
 * Reads what the configuration declares at a commit and at its first parent; `trueup undo` of the commit takes back
 * the difference. Also returns the commits that contain it (`containing`), to find the runs that applied it.
 * Without a parent, nothing was declared before.
 */
export async function readUndoneCommit(
  id: string,
  reader: ConfigurationReader,
  { cwd, env }: Pick<Host, 'cwd' | 'env'>,
): Promise<UndoneCommit> {
  const parent = await resolveCommit(`${id}^1`, cwd, env);
  const containing = await listCommitsSince(id, cwd, env);
  const after = await reader.readOrEmpty(id);
  const before = parent === undefined ? withoutResources(after) : await reader.readOrEmpty(parent);
  return { id, containing, configurations: [after.desired, before.desired] };
}
