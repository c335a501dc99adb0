import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import type { WaitEvent } from '../model/event.ts';
import { cleanLine } from './clean.ts';
import { count, durationText } from './count.ts';
import type { Style } from './style.ts';

/** An event of the wait for what is not ready, as one line. */
export function readyText(event: WaitEvent, style: Style): string {
  const label = `${cleanLine(event.address)}:`;
  switch (event.type) {
    case 'waiting':
      return `${label} ${style.quiet(`waiting up to ${durationText(event.minutes * 60_000)}:`)} ${cleanLine(event.why)}`;
    case 'ready':
      return `${label} ${style.add('ready')} after ${durationText(event.milliseconds)}`;
    default:
      return `${label} ${style.warn(cleanLine(endText(event)))}`;
  }
}

type End = Exclude<WaitEvent, { type: 'waiting' | 'ready' }>;

function endText(event: End): string {
  if (event.type === 'gone') return 'no longer exists';
  if (event.type === 'over')
    return `not ready after ${count(event.minutes, 'minute')}, the limit of \`$wait\`: ${event.why}`;
  return `not ready, and waiting will not help: ${event.why}`;
}

/** The advice for an object that did not become ready. */
export function endDiagnostic(event: End, at: Diagnostic['at']): Diagnostic {
  const { address, type } = event;
  const message = `${address}: ${endText(event)}`;
  const about = { address, ...(at ? { at } : {}) };
  if (type === 'over')
    return warning('apply/not-ready', message, {
      ...about,
      hint: 'everything is applied; the next apply waits again',
    });
  return problem(`apply/${type === 'gone' ? 'gone' : 'not-ready'}`, message, {
    ...about,
    hint:
      type === 'gone'
        ? 'it was deleted in the meantime; plan again'
        : 'find out why; to recreate it, remove its block, apply, and put it back',
  });
}
