import { isVerified, type Proof } from '../ledger/proof.ts';
import type { Action } from '../model/change.ts';
import type { ActionOutcome } from '../model/planned-action.ts';
import { cleanLine } from '../report/clean.ts';
import { cutCounted } from '../report/cut.ts';
import { show } from '../report/show.ts';
import { plainly, type Style } from '../report/style.ts';
import { formatRunCounts } from './compose-record.ts';
import {
  isActionRecord,
  isLedgerRecord,
  type RecordedChange,
  type RecordedField,
  type RecordHead,
  type RunRecord,
} from './record.ts';

/** A run of a history, and those of its changes that were asked for. */
export interface LogEntry {
  record: RunRecord;
  changes: RecordedChange[];
}

const actionSigns: Record<Action, string> = {
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

/** Runs as text, in the order given. `details`: with their changes and fields. */
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

function runHeadLines({ head, proof }: RunRecord, style: Style, hasKey: boolean): string[] {
  const { run, start, was, actor, ci, commit, stage } = head;
  const what = commandText(head);
  // Without a key nothing is verified: that is told once.
  const doubt = hasKey && !isVerified(proof) ? [style.alarm(`not verified: ${formatDoubt(proof)}`)] : [];
  const first = [
    style.strong(`#${run}`),
    start.replace(/\.\d+Z$/, 'Z'),
    `${cleanLine(what)}${stage === undefined ? '' : ` (${cleanLine(stage)})`}`,
    ...(was === undefined && head.command !== 'sign' && !isActionRecord(head) ? [formatRunCounts(head)] : []),
    ...runEndText(head).map(style.warn),
    ...doubt,
  ];
  const second = [
    actor ? `by ${cleanLine(actor.name)} (as ${cleanLine(actor.says)} says)` : 'author unknown',
    ...(ci ? [cleanLine([ci.name, ci.run, ci.url].filter(Boolean).join(' '))] : []),
    ...(isLedgerRecord(head) ? ['no object was changed'] : [commitText(commit)]),
  ];
  return [first.join('  '), style.quiet(`    ${second.join('; ')}`)];
}

/** The actions that followed. */
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

const commitText = (commit: RecordHead['commit']): string =>
  commit
    ? `commit ${commit.id.slice(0, 12)}${commit.dirty ? ', with uncommitted changes' : ''}`
    : 'no commit';

/** The name of a run for people: `apply`, `undo of #3`, `ledger move to growth`. */
function commandText(head: RecordHead): string {
  const { command, action, undoes, was, to, from } = head;
  if (action !== undefined) return `${command} ${action}`;
  if (undoes !== undefined) return `${command} of #${undoes}`;
  if (was !== undefined) return `renamed from ${was}`;
  const where = to !== undefined ? ` to ${to}` : from !== undefined ? ` from ${from}` : '';
  return isLedgerRecord(head) ? `ledger ${command}${where}` : command;
}

/** The ending of a run that did not do everything. */
function runEndText({ outcome, resumes }: RecordHead): string[] {
  const texts = {
    begun: ['has no recorded outcome: it is running, or was killed'],
    done: [],
    renamed: [],
    failed: ['failed'],
    'not finished': ['not finished: a rate limit'],
    interrupted: ['interrupted'],
  }[outcome];
  return [...texts, ...(resumes === undefined ? [] : [`went on with #${resumes}`])];
}

/** Why a record is not verified. */
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

function recordedChangeLines(
  { details }: RunRecord,
  changes: readonly RecordedChange[],
  style: Style,
): string[] {
  if (!details) return [style.quiet('    its changes are no longer kept: the run is too old')];
  const lines = changes.flatMap(({ address, action, result, fields, omitted }) => {
    const state = result === 'done' ? '' : `  ${style.warn(`(${result})`)}`;
    const left = omitted ? [style.quiet('        its fields were not kept: there were too many')] : [];
    return [
      `    ${actionSigns[action]} ${cleanLine(address)}${state}`,
      ...fields.map((field) => `        ${fieldText(field, style)}`),
      ...left,
    ];
  });
  const more = details.more ?? 0;
  return more > 0 ? [...lines, style.quiet(`    ... and ${more} more, which were not kept`)] : lines;
}

const room = 60;

function fieldText({ path, before, after, cause, omitted, secret }: RecordedField, { quiet }: Style): string {
  const value = (side: unknown) => cutCounted(cleanLine(side === '(secret)' ? side : show(side)), room);
  const note = cause === 'drift' || cause === 'conflict' ? quiet('  (was changed outside)') : '';
  const name = cleanLine(path);
  if (omitted) return `${name}: ${secret ? '(secret)' : quiet('value not kept')}${note}`;
  if (before === undefined || after === undefined) return `${name}: ${value(after ?? before)}${note}`;
  return `${name}: ${value(before)} → ${value(after)}${note}`;
}

/** Runs for programs. */
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
      ...(details ? { changes } : { summarised: true }),
    };
  }),
});
