import { formatDoubt } from '../../history/log-text.ts';
import {
  isActionRecord,
  isLedgerRecord,
  type RecordedChange,
  type RecordHead,
  type RunRecord,
} from '../../history/record.ts';
import { isVerified, missingKeyProblem } from '../../ledger/proof.ts';
import { isWithin } from '../../model/address.ts';
import { Problems, warning } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/resource.ts';
import { shellWord } from '../../model/shell-word.ts';
import { serializeDeclarations } from '../../plan/match-undo-base.ts';
import type { PreparedUndo } from '../../plan/prepare-undo.ts';
import { type OpenHistory, unknownRunProblems } from './open-history.ts';

/** The run to undo, or the part of it that one commit brought. */
export interface UndoTarget {
  /** For people: `run 12`, or `commit 1a2b3c4d5e6f (run 12)`. */
  name: string;
  record: RunRecord;
  /** The run before it; absent for the first one. */
  previous: RunRecord | undefined;
  /** The newest run before it that applied a whole configuration completely; the search for older commits ends there. */
  lastCompleteRun: RunRecord | undefined;
  /** The changes to undo, from its record. */
  changes: RecordedChange[];
}

/** Finds a run, with all its changes that may have reached the account. Throws `Problems`. */
export function findRunTarget(number: number, history: OpenHistory): UndoTarget {
  const [record, previous] = findUndoableRun(number, history);
  const changes = record.details!.changes.filter((change) => isAttempted(change, history));
  const lastWhole = wholeRunBefore(record, previous, history);
  return { name: `run ${number}`, record, previous, lastCompleteRun: lastWhole, changes };
}

/** A commit, and what it changed. */
export interface UndoneCommit {
  id: string;
  /** The commits of HEAD's history that contain it, itself included. */
  containing: ReadonlySet<string>;
  /** The configuration at the commit, and at its first parent. */
  configurations: [after: Desired, before: Desired];
}

/**
 * Finds the first run that applied a commit, with the changes of the addresses that the commit changed. Later runs may have applied a part of
 * it, or what the first one did not get to. Throws `Problems`.
 */
export function findCommitTarget(commit: UndoneCommit, history: OpenHistory): UndoTarget {
  const { id, containing, configurations } = commit;
  const short = id.slice(0, 12);
  const applied = history.records.filter(
    ({ head }) =>
      !appliesNothing(head) && head.command !== 'undo' && head.commit && containing.has(head.commit.id),
  );
  if (applied.length === 0)
    throw new Problems(noRunCode, `no recorded run of this stack applied the commit ${short}`, {
      hint: 'it planned to nothing, or was never applied; `trueup log` lists the runs',
    });
  // The commit is applied completely once a run finishes that was about the whole stack.
  const last = applied.findIndex(({ head }) => !head.partial && head.outcome === 'done');
  const runs = last < 0 ? applied : applied.slice(0, last + 1);
  const changesOf = ({ details }: RunRecord) =>
    details?.changes.filter((change) => isAttempted(change, history)) ?? [];
  const isBrought = broughtBy(configurations, runs.flatMap(changesOf));
  const first = runs.find((run) => !run.details || changesOf(run).some(isBrought)) ?? runs[0]!;
  const number = first.head.run;
  const [record, previous] = findUndoableRun(number, history);
  const attempts = runs.filter(({ proof }) => isVerified(proof)).flatMap(changesOf);
  const addresses = new Set(attempts.filter(isBrought).map(({ address }) => address));
  const brought = [...addresses].flatMap(
    (address) => attempts.find((change) => change.address === address) ?? [],
  );
  if (brought.length === 0)
    throw new Problems(noRunCode, `run ${number} applied the commit ${short}, but changed nothing for it`, {
      hint: `to undo all of that run: \`trueup undo ${number}\``,
    });
  const lastWhole = wholeRunBefore(record, previous, history);
  return {
    name: `commit ${short} (run ${number})`,
    record,
    previous,
    lastCompleteRun: lastWhole,
    changes: brought,
  };
}

/** Returns a test for changes of addresses whose declared values a commit changed. */
function broughtBy(
  [after, before]: UndoneCommit['configurations'],
  changes: readonly RecordedChange[],
): (change: RecordedChange) => boolean {
  const isEdited = (change: RecordedChange) =>
    serializeDeclarations([change], after) !== serializeDeclarations([change], before);
  const edited = new Set(changes.filter(isEdited).map(({ address }) => address));
  // The contents of an object that was made or removed come and go with it.
  const wholes = changes.filter(
    ({ address, action }) => edited.has(address) && ['create', 'replace', 'delete'].includes(action),
  );
  return ({ address }) => edited.has(address) || wholes.some((whole) => isWithin(address, whole.address));
}

/** The code of the problem that a commit has nothing to undo in a stack. */
export const noRunCode = 'undo/commit';

/**
 * Returns the newest earlier run that applied a whole configuration completely. A run that failed, or was about a part, left the account
 * with values of older commits. Stops at a record that cannot be trusted or has no commit, and returns the run after it.
 */
function wholeRunBefore(
  { head: { run } }: RunRecord,
  previous: RunRecord | undefined,
  { records }: OpenHistory,
): RunRecord | undefined {
  let lastWhole = previous;
  const earlier = records.filter(({ head }) => head.run < run && !appliesNothing(head)).reverse();
  for (const record of earlier) {
    const { commit, outcome, partial, command } = record.head;
    if (!isVerified(record.proof) || !commit || commit.dirty) return lastWhole;
    lastWhole = record;
    if (outcome === 'done' && (!partial || command === 'undo')) return lastWhole;
  }
  return lastWhole;
}

/** True if a change may have reached the account: a stopped operation may have sent the first of its requests. */
const isAttempted = ({ result, address }: RecordedChange, { ledger }: OpenHistory): boolean =>
  (result !== 'not tried' && result !== 'left') || ledger?.begun?.[address]?.sent === true;

/** Warns that later changes of the same objects are taken back, too. */
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

/** Warns that the configuration may have more than a run about a part ever applied. */
export const warnOfPartialRun = (before: RunRecord | undefined) =>
  before?.head.partial && before.head.command !== 'undo'
    ? [
        warning(
          'undo/part',
          `run ${before.head.run} covered only a part of the stack: the rest of its configuration may never have been applied`,
        ),
      ]
    : [];

/** The run and the one before it, if all that it takes to go back is there and verified. Throws `Problems`. */
function findUndoableRun(number: number, history: OpenHistory): [RunRecord, RunRecord | undefined] {
  const { records, key } = history;
  if (!key) throw new Problems([missingKeyProblem]);
  const position = records.findIndex(({ head }) => head.run === number);
  const record = records[position];
  if (!record) throw unknownRunProblems(number, history);
  const refuse = (why: string, hint: string): never => {
    throw new Problems('undo/impossible', `run ${number} cannot be undone: ${why}`, { hint });
  };
  if (isLedgerRecord(record.head)) refuse(...ofLedger(record.head));
  if (isActionRecord(record.head))
    refuse(
      `it ran the action ${record.head.action}, and actions cannot be undone`,
      'if another action does the opposite, run that: `trueup run --list`',
    );
  // What only changed the ledger has no configuration: that of the run before it still held.
  let first = position;
  while (first > 0 && appliesNothing(records[first - 1]!.head)) first--;
  const before = records[first - 1];
  const since = records.slice(Math.max(first - 1, 0), position + 1);
  const isWhole =
    since.every(
      ({ head }, index) =>
        index === 0 ||
        (head.run === since[index - 1]!.head.run + 1 && head.previous === since[index - 1]!.digest),
    ) &&
    (before !== undefined || since[0]!.head.run === 1);
  const byHand = 'revert its commit, and apply';
  for (const runRecord of since) {
    const { run, commit } = runRecord.head;
    if (!isVerified(runRecord.proof))
      refuse(
        `the record of run ${run} is not verified: ${formatDoubt(runRecord.proof)}`,
        `unsigned records are not acted on; ${byHand}`,
      );
    if (appliesNothing(runRecord.head)) continue;
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
  if (!isWhole) refuse(`the record of the run before it is gone`, byHand);
  if (!before && since.some(({ head }) => head.from !== undefined))
    refuse(
      'it was the first to apply what another stack handed over, so no commit of this stack has the configuration from before',
      'edit the files and apply',
    );
  if (!record.details) refuse('it is too old: its changes are no longer kept', byHand);
  return [record, before];
}

/** It changed no field of an object, so the configuration of the run before it still held. */
const appliesNothing = (head: RecordHead): boolean => isLedgerRecord(head) || isActionRecord(head);

/** Why a record of what only changed the ledger is not undone, and what to do. */
function ofLedger({ command, was, to, from, stack }: RecordHead): [why: string, hint: string] {
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
