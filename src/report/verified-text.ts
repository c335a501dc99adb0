import type { SideEffect } from '../model/change.ts';
import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import type { WaitEvent } from '../model/event.ts';
import { groupLogicalChanges } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import { atPath, holdsSecret } from '../model/value.ts';
import { comparedPart, matchText, notComparedState, notSetState } from './not-compared-text.ts';
import { show, showName } from './show.ts';
import { plainly, type Style } from './style.ts';
import { cleanLine, count, cutPair, displayWidth, durationText, firstLines } from './text.ts';
import { spellOutDifferences } from './value-diff.ts';

/** The goal of a run that applies a plan: to match the configuration, to undo a run, or to delete the stack or a part of it. */
export type Goal = 'configuration' | 'undone' | 'destroyed';

/** States that the goal of an apply, an undo or a destroy is reached, as far as it was compared. A part of the line `Verified: ...`. */
function goalText(goal: Goal, plan: Plan): string {
  if (goal === 'configuration') return matchText(plan);
  const destroyedPart = plan.isNarrowed ? 'the selected part' : 'this stack';
  const text = goal === 'undone' ? 'the run is undone' : `the account has nothing left of ${destroyedPart}`;
  return `${text}${comparedPart(plan)}`;
}

/**
 * Formats the result of the verification after an apply: a second plan had no changes, so the goal is reached. Also names the limits of
 * this proof, such as secrets that cannot be read back.
 *
 * `plan` is the second plan. `sideEffects` are differences that the run did not cause. `unrestored` is the number of objects of an undone
 * run that are not as they were before it. `released` is the number of objects that a destroy left in the account.
 */
export function verifiedText(
  plan: Plan,
  {
    goal,
    sideEffects,
    unrestored = 0,
    released = 0,
  }: { goal: Goal; sideEffects: readonly SideEffect[]; unrestored?: number; released?: number },
): string {
  const secrets = countHiddenSecrets(plan);
  const exceptions = [
    ...(secrets > 0 ? [`${count(secrets, 'secret')} that cannot be read back`] : []),
    ...(unrestored > 0 ? [`${count(unrestored, 'object')} not fully as before (see the plan)`] : []),
    ...(released > 0 ? [count(released, 'released object')] : []),
  ].join(' and ');
  const parts = [
    `Verified: ${goalText(goal, plan)}${exceptions === '' ? '' : `, except ${exceptions}`}.`,
    ...notComparedState(plan),
    ...notSetState(plan),
    ...((plan.waiting ?? []).length > 0 ? [`${areNotReady(plan.waiting!.length)}.`] : []),
    ...(sideEffects.length > 0
      ? [`${count(sideEffects.length, 'other difference')} appeared in the meantime: see above.`]
      : []),
  ];
  return parts.join(' ');
}

/** Counts the objects that are not ready yet, in a clause. */
const areNotReady = (number: number) =>
  number === 1 ? '1 object is not ready yet' : `${number} objects are not ready yet`;

/**
 * Returns the number of declared secrets that the platform does not return, so that the second plan after an apply could not check them:
 * its live object (`before`) lacks them. Those that the report counts as not compared (`uncompared`) are left out. A variable with
 * several targets counts once.
 */
function countHiddenSecrets({ changes }: Plan): number {
  const hiddenSecretsOf = ([firstTarget]: Plan['changes']) => {
    const { before, after, declared = [], uncompared = [] } = firstTarget!;
    if (!before || !after) return [];
    return declared.filter(
      (path) =>
        !uncompared.includes(path) &&
        holdsSecret(atPath(after.fields, path)) &&
        atPath(before.fields, path) === undefined,
    );
  };
  return groupLogicalChanges(changes).flatMap(hiddenSecretsOf).length;
}

/**
 * Formats an event of the wait for an object that is not ready (`$wait`), as one line: `domains/example.com:
 * ready after 90 s`.
 */
export function readyText(event: WaitEvent, style: Style): string {
  const label = `${cleanLine(event.address)}:`;
  switch (event.type) {
    case 'waiting':
      return `${label} ${style.quiet(`waiting up to ${durationText(event.minutes * 60_000)}:`)} ${cleanLine(event.why)}`;
    case 'ready':
      return `${label} ${style.add('ready')} after ${durationText(event.milliseconds)}`;
    default:
      return `${label} ${style.warn(cleanLine(waitEndText(event)))}`;
  }
}

/** The end of the wait for an object that did not become ready. */
export type WaitEnd = Exclude<WaitEvent, { type: 'waiting' | 'ready' }>;

/** Returns why the wait of an apply for an object (`$wait`) ended without success, for the log and for the problem. */
function waitEndText(event: WaitEnd): string {
  if (event.type === 'gone') return 'no longer exists';
  if (event.type === 'over')
    return `not ready after ${count(event.minutes, 'minute')}, the limit of \`$wait\`: ${event.why}`;
  return `not ready, and waiting will not help: ${event.why}`;
}

/**
 * Creates the problem for an object that did not become ready while `apply` waited for it (`$wait`), with advice: a warning if only its
 * time is over, otherwise an error.
 */
export function endDiagnostic(event: WaitEnd, position: Diagnostic['at']): Diagnostic {
  const { address, type } = event;
  const message = `${address}: ${waitEndText(event)}`;
  const subject = { address, at: position };
  if (type === 'over') {
    const hint = 'everything is applied; the next apply waits again';
    return warning('apply/not-ready', message, { ...subject, hint });
  }
  if (type === 'gone') {
    const hint = 'it was deleted in the meantime; plan again';
    return problem('apply/gone', message, { ...subject, hint });
  }
  const hint = 'find out why; to recreate it, remove its block, apply, and put it back';
  return problem('apply/not-ready', message, { ...subject, hint });
}

const maxSideEffects = 20;
const minValueWidth = 12;

/**
 * Lists side effects: differences after a run that the run did not write, one on each line. Used after an apply so that people notice
 * changes by the platform or by somebody else. Empty if there are none.
 */
export function sideEffectsText(effects: SideEffect[], { style }: { style: Style }): string {
  if (effects.length === 0) return '';
  const lines = effects.map((effect) => `  ${sideEffectLine(effect, style)}`);
  const text = [
    style.warn('Also changed, by the platform or by somebody else:'),
    ...firstLines(lines, maxSideEffects, (more) => style.quiet(`  ${more}`)),
  ].join('\n');
  return plainly(text, style);
}

/**
 * Formats a side effect (a difference that appeared during an apply without its doing), for the list after the apply: `projects/web:
 * appeared`, or `projects/web: framework: nextjs → astro` with both values cut to the line.
 */
function sideEffectLine(effect: SideEffect, style: Style): string {
  const address = cleanLine(effect.address);
  if (effect.type !== 'changed')
    return `${address}: ${effect.type === 'gone' ? style.remove('is gone') : style.add('appeared')}`;
  const label = `${address}: ${showName(effect.path, 'plain')}: `;
  if (effect.secret) return `${label}(secret)`;
  const valueWidth = Math.floor((style.width - 2 - displayWidth(label) - 3) / 2);
  const [beforeText, afterText] = spellOutDifferences(effect.before, effect.after).map((value) =>
    show(value),
  );
  const [before, after] = cutPair(beforeText!, afterText!, Math.max(minValueWidth, valueWidth));
  return `${label}${style.remove(before)} ${style.quiet('→')} ${style.add(after)}`;
}
