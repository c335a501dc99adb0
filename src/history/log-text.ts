import { isVerified, type Proof } from '../ledger/proof.ts';
import type { ChangeAction } from '../model/change.ts';
import type { ActionOutcome } from '../model/planned-action.ts';
import { show } from '../report/show.ts';
import { plainly, type Style } from '../report/style.ts';
import { cleanLine, cutCounted } from '../report/text.ts';
import { formatRunCounts } from './compose-record.ts';
import {
  isActionRecord,
  isLedgerRecord,
  type RecordedChange,
  type RecordedField,
  type RecordHead,
  type RunRecord,
} from './record.ts';

/** A run of a history, with those of its changes that `trueup log` shows (all, or those of the requested addresses). */
export interface LogEntry {
  record: RunRecord;
  changes: RecordedChange[];
}

const actionSigns: Record<ChangeAction, string> = {
  create: '+',
  adopt: '=',
  update: '~',
  replace: '±',
  move: '>',
  release: 'o',
  forget: 'o',
  delete: '-',
  noop: ' ',
};

/**
 * Formats the runs of a history for `trueup log`, in the order of `entries`. `details`: also shows the changes, fields and actions of each
 * run. `hasKey`: false if this machine has no key. Then no record can be verified, which the caller says once, so the runs are shown
 * without such doubts.
 */
export function formatLog(
  entries: readonly LogEntry[],
  { style, details, hasKey }: { style: Style; details: boolean; hasKey: boolean },
): string {
  const texts = entries.map(({ record, changes }) => {
    const lines = [
      ...runHeadLines(record, style, hasKey),
      ...(details ? [...recordedChangeLines(record, changes, style), ...actionLines(record, style)] : []),
    ];
    return lines.join('\n');
  });
  return plainly(texts.join(details ? '\n\n' : '\n'), style);
}

/**
 * Returns the first two lines about a run in `trueup log`: what it did and how it ended, then who started it,
 * where, and from which commit. `hasKey`: false if this machine has no key, so that no record can be verified.
 */
function runHeadLines({ head, proof }: RunRecord, style: Style, hasKey: boolean): string[] {
  const { run, start, was, actor, ci, commit, stage } = head;
  const command = commandText(head);
  // Without a key no record can be verified. The caller says so once for all of them.
  const doubt = hasKey && !isVerified(proof) ? [style.alarm(`not verified: ${formatDoubt(proof)}`)] : [];
  // `was` is set if the stack was renamed. A renaming, a signature or an action changes no objects that could be counted.
  const hasCounts = was === undefined && head.command !== 'sign' && !isActionRecord(head);
  const firstLine = [
    style.strong(`#${run}`),
    start.replace(/\.\d+Z$/, 'Z'),
    `${cleanLine(command)}${stage === undefined ? '' : ` (${cleanLine(stage)})`}`,
    ...(hasCounts ? [formatRunCounts(head)] : []),
    ...runEndText(head).map(style.warn),
    ...doubt,
  ];
  const secondLine = [
    actor ? `by ${cleanLine(actor.name)} (as ${cleanLine(actor.says)} says)` : 'author unknown',
    ...(ci ? [cleanLine([ci.name, ci.run, ci.url].filter(Boolean).join(' '))] : []),
    ...(isLedgerRecord(head) ? ['no object was changed'] : [commitText(commit)]),
  ];
  return [firstLine.join('  '), style.quiet(`    ${secondLine.join('; ')}`)];
}

/** Returns a line for each action that followed the changes of a run, with its result in words. */
const actionLines = ({ details }: RunRecord, style: Style): string[] =>
  (details?.actions ?? []).map(
    ({ id, result }) => `    ${style.quiet('>')} ${cleanLine(id)}: ${actionWords[result]}`,
  );

const actionWords: Record<ActionOutcome['result'], string> = {
  done: 'sent',
  owed: 'owed',
  refused: 'failed, still pending',
  unknown: 'unknown',
  nothing: 'nothing to do',
};

/**
 * Formats the commit of the configuration that a run applied, for `trueup log`. Says so if the checkout had
 * uncommitted changes, because then the commit does not show all that was applied.
 */
const commitText = (commit: RecordHead['commit']): string =>
  commit
    ? `commit ${commit.id.slice(0, 12)}${commit.dirty ? ', with uncommitted changes' : ''}`
    : 'no commit';

/**
 * Returns what a run did in a few words for `trueup log`, from the head of its record: `apply`, `undo of #3`,
 * `ledger move to growth`.
 */
function commandText(head: RecordHead): string {
  const { command, action, undoes, was, to, from } = head;
  if (action !== undefined) return `${command} ${action}`;
  if (undoes !== undefined) return `${command} of #${undoes}`;
  if (was !== undefined) return `renamed from ${was}`;
  if (!isLedgerRecord(head)) return command;
  if (to !== undefined) return `ledger ${command} to ${to}`;
  return from === undefined ? `ledger ${command}` : `ledger ${command} from ${from}`;
}

/**
 * Returns texts for `trueup log` about how a run ended (none if it did everything), and about the interrupted run
 * that it continued (`resumes`).
 */
function runEndText({ outcome, resumes }: RecordHead): string[] {
  const texts = {
    begun: ['has no recorded outcome: it is running, or was killed'],
    done: [],
    renamed: [],
    failed: ['failed'],
    'not finished': ['not finished: a rate limit, or an action that is still owed'],
    interrupted: ['interrupted'],
  }[outcome];
  return [...texts, ...(resumes === undefined ? [] : [`went on with #${resumes}`])];
}

/** Returns the reason why the signature of a history record is not verified, for the messages of `trueup log`, `blame` and `undo`. */
export function formatDoubt(proof: Exclude<Proof, { by: string }>): string {
  switch (proof.doubt) {
    case 'no-key':
      return 'no key here';
    case 'unsigned':
      return 'it is not signed';
    case 'other-key':
      return `signed by a different key, ${proof.key}`;
    case 'altered':
      return `changed after the key ${proof.key} signed it`;
  }
}

/**
 * Returns the lines about the changes of a run, each with its fields, for `trueup log` with details. Says what the
 * record does not contain: all changes of an old run, the fields of a large change, or further changes.
 */
function recordedChangeLines(
  { details }: RunRecord,
  changes: readonly RecordedChange[],
  style: Style,
): string[] {
  if (!details) return [style.quiet('    its changes are no longer kept: the run is too old')];
  const lines = changes.flatMap(({ address, action, result, fields, omitted }) => {
    const state = result === 'done' ? '' : `  ${style.warn(`(${result})`)}`;
    const omittedNote = omitted ? [style.quiet('        its fields were not kept: there were too many')] : [];
    return [
      `    ${actionSigns[action]} ${cleanLine(address)}${state}`,
      ...fields.map((field) => `        ${fieldText(field, style)}`),
      ...omittedNote,
    ];
  });
  const more = details.more ?? 0;
  return more > 0 ? [...lines, style.quiet(`    ... and ${more} more, which were not kept`)] : lines;
}

/** The widest value of a field that is shown, in characters. */
const maxValueWidth = 60;

/**
 * Formats a changed field of a recorded run in one line for `trueup log`: `name: old → new`. Only one value is
 * shown if the field was added or removed, none if the record does not keep values. `cause`: why the field differed
 * from the account; after `drift` and `conflict`, the line says that it was changed outside.
 */
function fieldText({ path, before, after, cause, omitted, secret }: RecordedField, { quiet }: Style): string {
  const shownValue = (side: unknown) =>
    cutCounted(cleanLine(side === '(secret)' ? side : show(side)), maxValueWidth);
  const note = cause === 'drift' || cause === 'conflict' ? quiet('  (was changed outside)') : '';
  const name = cleanLine(path);
  if (omitted) return `${name}: ${secret ? '(secret)' : quiet('value not kept')}${note}`;
  if (before === undefined || after === undefined) return `${name}: ${shownValue(after ?? before)}${note}`;
  return `${name}: ${shownValue(before)} → ${shownValue(after)}${note}`;
}

/**
 * Converts the runs of a history to the JSON of `trueup log --json`. `doubts`: the faults of the history. A
 * run whose changes are no longer kept is marked `summarised`.
 */
export const toLogJson = (
  entries: readonly LogEntry[],
  doubts: readonly string[],
  stack: string,
): object => ({
  formatVersion: '1.0',
  stack,
  doubts,
  runs: entries.map(({ record: { head, proof, details }, changes }) => {
    const { formatVersion: _, details: __, previous: ___, ...facts } = head;
    return {
      ...facts,
      verified: isVerified(proof),
      notVerified: isVerified(proof) ? undefined : formatDoubt(proof),
      changes: details && changes,
      summarised: details ? undefined : true,
    };
  }),
});
