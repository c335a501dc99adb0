import type { Address } from '../model/address.ts';
import type { Action, Change, SideEffect } from '../model/change.ts';
import type { Outcome } from '../model/event.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import type { ActionOutcome } from '../model/planned-action.ts';
import { wholesOf } from '../model/wholes.ts';
import { actionName } from './action-texts.ts';
import { cleanLine } from './clean.ts';
import { count, tookText } from './count.ts';
import { cutPair, displayWidth, fold, sumLines, wrap } from './cut.ts';
import { hintLines } from './diagnostics-text.ts';
import { becauseText, usedUpFor } from './events-text.ts';
import { groupFailures } from './failures.ts';
import { nameOf, placesOf } from './fold-changes.ts';
import { notComparedState } from './not-compared-text.ts';
import { show, showName } from './show.ts';
import { plainly, type Style } from './style.ts';
import { changedText, sentIn } from './summary-of.ts';
import { tellApart } from './tell-apart.ts';

const few = 8;
const fewFailures = 3;
export const past: Record<Action, string> = {
  create: 'created',
  adopt: 'adopted',
  update: 'updated',
  replace: 'replaced',
  move: 'moved',
  release: 'released',
  forget: 'released',
  delete: 'deleted',
  noop: 'checked',
};

/** Names the effect of an apply in a word; what only the ledger learned is noted. */
export const deedOf = ({
  action,
  changesLedgerOnly,
}: Pick<Change, 'action' | 'changesLedgerOnly'>): string => (changesLedgerOnly ? 'noted' : past[action]);

/** All such words, in the order in which they are told. */
export const deeds = [...new Set([...Object.values(past), 'noted'])];

/**
 * The outcome of an apply as text. The last line tells the state. `now`: milliseconds since 1970; `took`: how many milliseconds it took, where
 * that was measured.
 */
export function outcomeText(
  plan: Plan,
  outcome: Outcome,
  { style, now, took }: { style: Style; now: number; took?: number },
): string {
  return [
    doneLines(doneIn(plan, outcome), style),
    actionLines(plan, outcome, style),
    failedLines(plan, outcome, style),
    leftLines(plan, outcome, style, now),
    skippedLines(plan, outcome, style),
    overwrittenLines(outcome, style),
    nextLines(outcome, style),
    [stateText(plan, outcome, { style, ...(took === undefined ? {} : { took }) })],
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

type Done = Map<string, string[]>;

/** Counts these addresses as people count changes: a variable in several targets is one. */
function wholesIn({ changes }: Plan, addresses: readonly Address[]): string[] {
  const names = new Map<Address, string>();
  const wanted = new Set(addresses);
  for (const units of wholesOf(changes)) {
    const own = units.filter(({ address }) => wanted.has(address));
    const places = placesOf(own);
    const name = own.length > 0 ? `${nameOf(own)}${places.length > 0 ? ` [${places.join(', ')}]` : ''}` : '';
    for (const { address } of own) names.set(address, name);
  }
  return [...new Set(addresses.map((address) => names.get(address) ?? address))];
}

const wholesAmong = (plan: Plan, same: { address: Address }[]): { address: string }[] =>
  wholesIn(
    plan,
    same.map(({ address }) => address),
  ).map((address) => ({ address }));

function doneIn(plan: Plan, outcome: Outcome): Done {
  const deedAt = new Map(plan.changes.map((change) => [change.address, deedOf(change)]));
  const done = groupBy(outcome.done, (address) => deedAt.get(address) ?? past.noop);
  return new Map([...done].map(([verb, addresses]) => [verb, wholesIn(plan, addresses)]));
}

function doneLines(done: Done, style: Style): string[] {
  return deeds.flatMap((verb) => {
    const addresses = done.get(verb) ?? [];
    if (addresses.length === 0) return [];
    const head = `${style.add(verb)} (${addresses.length})`;
    return addresses.length > few
      ? [head]
      : [`${head}:`, ...addresses.map((address) => `  ${cleanLine(address)}`)];
  });
}

/** The outcomes of the actions that followed; failures stand last. */
function actionLines(plan: Plan, { actions = [] }: Outcome, style: Style): string[] {
  const planned = new Map((plan.actions ?? []).map((action) => [action.id, action]));
  const told = (result: ActionOutcome['result'], head: string) =>
    actions
      .filter((action) => action.result === result)
      .flatMap(({ id, why, hint }) => {
        const action = planned.get(id);
        return [
          `${head} ${action ? actionName(action) : cleanLine(id)}`,
          ...(why === undefined ? [] : fold(`  ${cleanLine(why)}`, style.prose, '  ')),
          ...(hint === undefined ? [] : hintLines([hint], style)),
        ];
      });
  return [
    ...told('done', style.add('sent')),
    ...told('nothing', style.quiet('nothing to do for')),
    ...told('owed', style.warn('owed')),
    ...told('refused', style.alarm('refused')),
    ...told('unknown', style.alarm('not known')),
  ];
}

/** Lists the changes that failed, by cause: the first names, the error of the first one, and one hint. */
function failedLines(plan: Plan, outcome: Outcome, style: Style): string[] {
  return groupFailures(plan, outcome).flatMap(({ message, hint, failed }) => {
    const names = wholesAmong(plan, failed).map(({ address }) => address);
    const more = names.length - fewFailures;
    return [
      ...names.slice(0, fewFailures).map((name) => `${style.alarm('failed')} ${cleanLine(name)}`),
      ...(more > 0 ? [`${style.alarm('failed')} ${more} more for the same reason`] : []),
      ...message.flatMap((line, index) =>
        index === 0 ? fold(`  Error: ${line}`, style.prose, '  ') : fold(`  ${line}`, style.prose, '  | '),
      ),
      ...hintLines(hint, style),
    ];
  });
}

function skippedLines(plan: Plan, { skipped }: Outcome, style: Style): string[] {
  return [...groupBy(skipped, ({ because }) => because)].flatMap(([because, same]) => {
    const wholes = wholesAmong(plan, same);
    return listed('not tried', ` (${wholes.length}), because ${becauseText(because)}`, wholes, style);
  });
}

function overwrittenLines({ overwritten }: Outcome, style: Style): string[] {
  if (overwritten.length === 0) return [];
  const head = 'Somebody else changed these between our last read and our write; their changes may be lost:';
  return [
    ...wrap(head, style.prose).map(style.warn),
    ...named(
      overwritten.map((address) => ({ address })),
      style,
    ),
    ...wrap('Check in the dashboard who changed what, and redo it if it is missing.', style.prose),
  ];
}

/** By bucket, with when to come back. */
function leftLines(plan: Plan, { left }: Outcome, style: Style, now: number): string[] {
  return [...groupBy(left, ({ rateLimit }) => rateLimit.bucket).values()].flatMap((same) => {
    const wholes = wholesAmong(plan, same);
    return listed('left', ` (${wholes.length}), because ${usedUpFor(same, now)}`, wholes, style);
  });
}

/** One outcome of several addresses and its reason, then the addresses. */
function listed(what: string, why: string, same: { address: Address }[], style: Style): string[] {
  const [first, ...rest] = fold(`${what}${why}:`, style.prose);
  return [first!.replace(what, style.warn), ...rest, ...named(same, style)];
}

function named(same: { address: Address }[], style: Style): string[] {
  const more = same.length - few;
  return [
    ...same.slice(0, few).map(({ address }) => `  ${cleanLine(address)}`),
    ...(more > 0 ? [style.quiet(`  ... and ${more} more`)] : []),
  ];
}

/**
 * Says what the ledger holds after a run that did not finish. A request without a usable answer may have had its effect: what it may have
 * created is in the ledger, so it must not be called unrecorded.
 */
export function recordedText({
  failed,
  skipped,
  interrupted,
}: Pick<Outcome, 'failed' | 'skipped' | 'interrupted'>): string {
  const unknown = failed.filter(({ error }) => isOutcomeUnknown(error)).length;
  if (unknown === 0) return 'What was applied is recorded; what failed or was not tried is not.';
  const others =
    failed.length > unknown || skipped.length > 0 || interrupted
      ? ' Other changes that failed or were not tried are not recorded.'
      : '';
  return `What was applied is recorded. The outcome of ${count(unknown, 'change')} is unknown: the ledger notes what may have been created, and the next plan looks for it.${others}`;
}

/** True if a request may have had its effect although it ended with this error. */
const isOutcomeUnknown = (error: unknown): boolean => {
  const { sent, isUnknown } = (error ?? {}) as { sent?: boolean; isUnknown?: boolean };
  return sent === true || isUnknown === true;
};

function nextLines(
  { failed, left, skipped, interrupted, actions = [] }: Outcome,
  { prose }: Style,
): string[] {
  const isOwed = actions.some(({ result }) => result === 'owed' || result === 'refused');
  const next =
    failed.length > 0 || skipped.length > 0 || interrupted
      ? [
          recordedText({ failed, skipped, interrupted }),
          'Run `trueup plan` to see what is left; the next apply continues from there.',
        ]
      : left.length > 0
        ? [
            'What was applied is recorded, and nothing failed.',
            'Run it again then; the next apply continues from there. `--max-wait` makes it wait longer.',
          ]
        : isOwed
          ? [
              'All changes are applied and recorded. Pending actions are in the ledger: the next plan shows them and the next apply runs them.',
            ]
          : [];
  return next.flatMap((line) => wrap(line, prose));
}

/** The end of a run; in a log in one line. `took`: in milliseconds. */
export function stateText(
  plan: Plan,
  outcome: Outcome,
  { style, took }: { style: Style; took?: number },
): string {
  const done = doneIn(plan, outcome);
  const told = (text: string, paint: (line: string) => string) =>
    sumLines([text, ...notComparedState(plan)].join(' '), style)
      .map(paint)
      .join('\n');
  const number = (verb: string) => done.get(verb)?.length ?? 0;
  const [all, failed, left, skipped] = [
    outcome.done,
    ...[outcome.failed, outcome.left, outcome.skipped].map((list) => list.map(({ address }) => address)),
  ].map((addresses) => wholesIn(plan, addresses!).length) as [number, number, number, number];
  const leftToo = left > 0 ? `, ${left} left` : '';
  if (failed > 0 || skipped > 0 || outcome.interrupted) {
    const state = outcome.interrupted ? 'Apply stopped' : 'Apply failed';
    const after = took === undefined ? '' : ` after ${tookText(took)}`;
    return told(
      `${state}${after}: ${all} done, ${failed} failed${leftToo}, ${skipped} not tried.`,
      style.alarm,
    );
  }
  const { actions = [] } = outcome;
  const acted = (...results: string[]) => actions.filter(({ result }) => results.includes(result)).length;
  const [sentOut, owed, wrong] = [acted('done'), acted('owed'), acted('refused', 'unknown')];
  const follow = [
    ...(sentOut > 0 ? [`${count(sentOut, 'action')} sent`] : []),
    ...(owed > 0 ? [`${count(owed, 'action')} owed`] : []),
    ...(wrong > 0 ? [`${count(wrong, 'action')} failed`] : []),
  ];
  if (wrong > 0) return told(`Apply failed: ${[`${all} done`, ...follow].join(', ')}.`, style.alarm);
  if (left > 0) return told(`Apply not finished: ${all} done${leftToo}.`, style.warn);
  if (owed > 0) return told(`Apply not finished: ${[`${all} done`, ...follow].join(', ')}.`, style.warn);
  if (outcome.done.length === 0 && follow.length > 0) return told(`${follow.join(', ')}.`, style.strong);
  if (outcome.done.length === 0) return told('There was nothing to apply.', style.strong);
  const verbs = deeds.filter((verb) => number(verb) > 0);
  const sent = sentIn(plan);
  const actionAt = new Map(plan.changes.map(({ address, action }) => [address, action]));
  const changed = wholesIn(
    plan,
    outcome.done.filter((address) => sent.has(address) && actionAt.get(address) === 'adopt'),
  ).length;
  const also = (verb: string) => (verb === past.adopt ? changedText(changed) : '');
  const counts = verbs.map((verb) => `${number(verb)} ${verb}${also(verb)}`).join(', ');
  const within = took === undefined ? '' : ` in ${tookText(took)}`;
  return told(`Applied ${count(all, 'change')}${within}: ${[counts, ...follow].join(', ')}.`, style.strong);
}

const most = 20;
const narrowest = 12;

/** Changes beside those of the run, a line each; no text where there are none. */
export function sideEffectsText(effects: SideEffect[], { style }: { style: Style }): string {
  if (effects.length === 0) return '';
  const more = effects.length - most;
  const text = [
    style.warn('Also changed, by the platform or by somebody else:'),
    ...effects.slice(0, most).map((effect) => `  ${line(effect, style)}`),
    ...(more > 0 ? [style.quiet(`  ... and ${more} more`)] : []),
  ].join('\n');
  return plainly(text, style);
}

function line(effect: SideEffect, style: Style): string {
  const address = cleanLine(effect.address);
  if (effect.type !== 'changed')
    return `${address}: ${effect.type === 'gone' ? style.remove('is gone') : style.add('appeared')}`;
  const label = `${address}: ${showName(effect.path, 'plain')}: `;
  if (effect.secret) return `${label}(secret)`;
  const room = Math.floor((style.width - 2 - displayWidth(label) - 3) / 2);
  const [was, is] = tellApart(effect.before, effect.after).map((value) => show(value));
  const [before, after] = cutPair(was!, is!, Math.max(narrowest, room));
  return `${label}${style.remove(before)} ${style.quiet('→')} ${style.add(after)}`;
}
