import type { Change, FieldChange } from '../model/change.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { asksForNothing, type Plan, type Summary } from '../model/plan.ts';
import { shellQuoted } from '../model/shell-word.ts';
import { wholesOf } from '../model/wholes.ts';
import { followingTexts } from './action-texts.ts';
import { cleanLine, errorLines } from './clean.ts';
import { count, listed } from './count.ts';
import { fold, sumLines, wrap } from './cut.ts';
import { firstContactTexts } from './first-contact.ts';
import { nameOf } from './fold-changes.ts';
import { durationOf, readsText, waitLines } from './forecast.ts';
import {
  noChangesText,
  notComparedLine,
  notComparedState,
  notComparedTexts,
  notComparedTitle,
} from './not-compared-text.ts';
import type { PlanContext } from './plan-context.ts';
import {
  conflictText,
  fieldsWith,
  guardsTexts,
  handoverTexts,
  renewedTexts,
  unmanagedTexts,
  waitingTexts,
  waitingTitle,
} from './plan-notes.ts';
import { changedText, summaryOf } from './summary-of.ts';

/** The lines below the changes; the last one sums up. In a log it is one line, since tools look for it there. */
export function planEnd(plan: Plan, context: PlanContext): string[][] {
  return [
    waitingLines(plan, context),
    unmanaged(plan, context),
    renewed(plan, context),
    firstContact(plan, context),
    remarks(plan, context),
    undoLines(plan, context),
    guardsTexts(plan).flatMap((text) => wrap(text, context.style.width).map(context.style.quiet)),
    notCompared(plan, context),
    lastLines(plan, context),
  ].filter((lines) => lines.length > 0);
}

const most = 20;

/** The declared objects that are not ready, or will not be right after their creation. */
export function waitingLines(
  plan: Pick<Plan, 'waiting'>,
  { style, verbose }: Pick<PlanContext, 'style' | 'verbose'>,
): string[] {
  const texts = waitingTexts(plan);
  if (texts.length === 0) return [];
  const shown = verbose ? texts : texts.slice(0, most);
  return [
    `${waitingTitle}:`,
    ...shown.flatMap(({ name, text }) => fold(`  ${name}: ${text}`, style.prose, '      ')),
    ...(shown.length < texts.length ? [`  ... and ${texts.length - shown.length} more`] : []),
  ].map(style.quiet);
}

function unmanaged(plan: Plan, { style, verbose }: PlanContext): string[] {
  const counts = unmanagedTexts(plan, cleanLine);
  if (counts.length === 0) return [];
  const lines = wrap(`Not managed here, left alone: ${counts.join(', ')}.`, style.width);
  const addresses = verbose ? plan.unmanaged.map(({ address }) => `  ${cleanLine(address)}`).sort() : [];
  return [...lines, ...addresses].map(style.quiet);
}

function renewed(plan: Plan, { style, verbose }: PlanContext): string[] {
  const lines = [...renewedTexts(plan), ...handoverTexts(plan)].flatMap((text) => wrap(text, style.width));
  const names = wholesOf(plan.changes.filter(({ changesLedgerOnly }) => verbose && changesLedgerOnly)).map(
    nameOf,
  );
  return [...lines, ...names.map((name) => `  ${cleanLine(name)}`).sort()].map(style.quiet);
}

function firstContact(plan: Plan, { style }: PlanContext): string[] {
  return firstContactTexts(plan, (text) => `\`${text}\``).flatMap((text) => wrap(text, style.width));
}

/** Remarks that no single line can tell: doubts about fields. */
function remarks({ changes, diagnostics }: Plan, { style }: PlanContext): string[] {
  const [unknown, unverified] = [fieldsWith(changes, 'unknown'), secretsUnverified(changes)];
  // Where a conflict is an error, that says what to do.
  const isRefused = diagnostics.some(
    ({ code, severity }) => code === 'guard/conflict' && severity === 'error',
  );
  const told = (text: string, paint: (line: string) => string) => wrap(text, style.width).map(paint);
  return [
    ...(isRefused
      ? []
      : conflictText(changes).flatMap((text) => told(`${text} ${keepText(changes)}`, style.warn))),
    ...(unknown > 0
      ? told(
          `For ${count(unknown, 'field')} it is unclear whether the change was made here or outside: what was last applied is unknown.`,
          style.quiet,
        )
      : []),
    ...(unverified > 0
      ? told(
          `${count(unverified, 'secret')} cannot be read back and compared; sent again because of --send-unverified.`,
          style.quiet,
        )
      : []),
  ];
}

function keepText(changes: Change[]): string {
  const [first, ...others] = wholesOf(
    changes.filter(({ fields }) => fields.some(({ cause }) => cause === 'conflict')),
  );
  return others.length === 0
    ? `To keep what was changed outside, run \`trueup accept ${shellQuoted(cleanLine(nameOf(first!)))}\`.`
    : 'To keep what was changed outside, run `trueup accept ADDRESS`.';
}

const fewNames = 3;

/** The losses of an undo, but for those that are called irreversible anyway. */
function undoLines({ changes }: Plan, { style, verbose }: PlanContext): string[] {
  const told = (can: 'but for a value' | 'no', words: string) => {
    const wholes = wholesOf(
      changes.filter(({ undo, grade }) => undo?.can === can && grade !== 'irreversible'),
    );
    if (wholes.length === 0) return [];
    const names = wholes.map((changes) => cleanLine(nameOf(changes)));
    const more = verbose ? 0 : names.length - fewNames;
    const shown = names.slice(0, verbose ? names.length : fewNames).join(', ');
    return wrap(`${words}: ${shown}${more > 0 ? ` and ${more} more` : ''}.`, style.width).map(style.quiet);
  };
  return [
    ...told('but for a value', 'A later undo cannot restore every value of'),
    ...told('no', 'A later undo cannot restore'),
  ];
}

/** Also those of what is adopted: they are sent all the same. */
const secretsUnverified = (changes: Change[]): number =>
  wholesOf(changes.filter(({ fields }) => fields.some(isUnverified)))
    .flatMap(([change]) => change!.fields)
    .filter(isUnverified).length;

const isUnverified = ({ cause }: FieldChange) => cause === 'unverified';

/** Lists what was not compared, by cause. The lines are the same whether or not the operator goes on with an incomplete plan. */
function notCompared(plan: Plan, { style, verbose }: PlanContext): string[] {
  const texts = notComparedTexts(plan);
  const title = plan.complete ? notComparedTitle : 'This plan is incomplete; not compared';
  const lines = texts.flatMap((text) => [
    ...fold(`  - ${verbose ? `${text.text}:` : notComparedLine(text)}`, style.prose, '    '),
    ...(verbose ? text.names.map((name) => `      ${name}`) : []),
  ]);
  // Where a section that `$exclusive` names could not be read, no declared object is missing.
  const unread = texts.length > 0 || plan.complete ? [] : unreadMessages(plan);
  if (lines.length + unread.length === 0) return [];
  return [
    ...wrap(`${title}:`, style.width).map(plan.complete ? style.quiet : style.alarm),
    ...lines.map(plan.complete ? style.quiet : (line) => line),
    ...unread.flatMap((message) => fold(`  - ${message}`, style.prose, '    ')),
  ];
}

function unreadMessages({ diagnostics }: Plan): string[] {
  const messages = diagnostics
    .filter(({ code }) => code === 'observe/incomplete')
    .map((unread) => errorLines(unread).message.join(' '));
  return messages.length > 0 ? messages : ['not everything could be read or planned'];
}

function lastLines(plan: Plan, { style, pace }: PlanContext): string[] {
  const summary = summaryOf(plan);
  const reads = readsText(plan);
  if (asksForNothing(plan) && plan.complete) {
    const text = [nothingText(plan), ...notComparedState(plan)].join(' ');
    return [...reads.map(style.quiet), ...wrap(text, style.width).map(style.strong)];
  }

  const methods = groupBy(
    plan.operations.flatMap(({ requests }) => requests),
    ({ endpoint }) => endpoint.split(' ', 1)[0]!,
  );
  const due = (plan.actions ?? []).filter(({ state }) => state === 'due');
  const requests = [...methods.values()].flat().length + due.length;
  const sorts = listed([...methods].map(([method, { length }]) => `${length} ${method}`).sort(byMethod));
  const state = notComparedState(plan)
    .map((text) => ` ${text}`)
    .join('');
  const toSend = `To send: ${sorts} in ${count(plan.operations.length, 'operation')}${durationOf(plan, pace)}.`;
  const counts = [...reads, ...(plan.operations.length > 0 ? [toSend] : [])].join(' ');
  return [
    ...(counts === '' ? [] : wrap(counts, style.width).map(style.quiet)),
    ...waitLines(plan, pace, style.width).map(style.warn),
    ...sumLines(
      `Plan: ${[summaryWords(summary), ...followingTexts(plan)].join(', ')}. ${count(requests, 'request')}.${state}`,
      style,
    ).map(style.strong),
  ];
}

const nothingText = (plan: Plan): string =>
  hasErrors(plan.diagnostics) ? 'Nothing is planned until the errors are fixed.' : noChangesText(plan);

const byMethod = (a: string, b: string) => (a.replace(/^\d+ /, '') < b.replace(/^\d+ /, '') ? -1 : 1);

/** `3 to create, 1 to adopt, 2 to update, 0 to delete`, and what else there is. */
export function summaryWords(summary: Summary): string {
  const parts = (['create', 'adopt', 'update', 'replace', 'move', 'release', 'delete'] as const).filter(
    (action) => summary[action] > 0 || ['create', 'adopt', 'update', 'delete'].includes(action),
  );
  const also = (action: string) => (action === 'adopt' ? changedText(summary.adoptAndUpdate) : '');
  return parts.map((action) => `${summary[action]} to ${action}${also(action)}`).join(', ');
}
