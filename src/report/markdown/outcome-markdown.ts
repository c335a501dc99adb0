import type { Outcome } from '../../model/event.ts';
import type { Plan } from '../../model/plan.ts';
import { outcomeText } from '../outcome-text.ts';
import { styleFor } from '../style.ts';
import { code, fence } from './fence.ts';

/** For what is said of the rest, and for the frame. */
const reserved = 300;

/** What became of an apply, for the summary of a CI step. Never longer than `limit` bytes; `now`: the time, in milliseconds. */
export function outcomeMarkdown(plan: Plan, outcome: Outcome, limit: number, now: number): string {
  const lines = outcomeText(plan, outcome, { style: styleFor({ color: false, width: 100 }), now }).split(
    '\n',
  );
  const kept: string[] = [];
  // The last line tells the state.
  const last = lines.pop()!;
  let room = limit - reserved - Buffer.byteLength(last);
  for (const line of lines) {
    room -= Buffer.byteLength(line) + 1;
    if (room < 0) break;
    kept.push(line);
  }
  const more = lines.length - kept.length;
  const rest = more > 0 ? [`... and ${more} more lines, which the log has`, ''] : [];
  return `### trueup apply: ${code(plan.stack)}\n\n${fence([...kept, ...rest, last], '')}\n`;
}
