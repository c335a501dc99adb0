import type { FieldChange } from '../model/change.ts';
import { isHole, isSecret } from '../model/value.ts';
import { cutCounted, displayWidth } from './cut.ts';
import { layOut } from './lay-out.ts';
import type { PlanContext } from './plan-context.ts';
import { secretNames, show } from './show.ts';
import { textLines, valueDiff } from './value-diff.ts';

/** A line, and the same with colours. */
export interface Painted {
  text: string;
  painted: string;
}

/** What stands beside the label of a field, if anything, and what below it. */
export interface FieldValue {
  beside?: Painted;
  below: Painted[];
}

const most = 12;
const plain = (text: string): Painted => ({ text, painted: text });

/** Room beside the label, and the width of what stands below it. */
interface Space {
  room: number;
  width: number;
}

/**
 * The value or values of a field, beside its label if they fit there. `isWhole`: the object as a whole comes or goes, so
 * there is nothing to compare with.
 */
export function fieldValue(
  field: FieldChange,
  isWhole: boolean,
  context: PlanContext,
  space: Space,
): FieldValue {
  const { before, after, cause, secret } = field;
  if (secret || isSecret(before) || isSecret(after)) return { beside: plain(secretText(field)), below: [] };
  const isOne = isWhole && (before === undefined || after === undefined);
  if (isOne || cause === 'recorded' || cause === 'released')
    return oneValue(after === undefined ? before : after, context, space);
  return twoValues(before, after, context, space);
}

/** A value that is new, or goes, or stays. */
function oneValue(value: unknown, { style, verbose }: PlanContext, { room, width }: Space): FieldValue {
  const isText = typeof value === 'string' && value.includes('\n');
  const line = show(value);
  if (!isText && displayWidth(line) <= room) return { beside: plain(line), below: [] };
  if (!isText && (typeof value !== 'object' || value === null || isHole(value)))
    return besideOrBelow(line, verbose, { room, width });
  const lines = isText ? textLines(value).map((text) => `| ${text}`) : layOut(value, width - 2, 'plain');
  const shown = verbose ? lines : lines.slice(0, most).map((text) => cutCounted(text, width - 2));
  const more = lines.length - shown.length;
  const below = shown.map((text) => plain(`  ${text}`));
  const rest = `  ... ${more} more ${more === 1 ? 'line' : 'lines'}`;
  return { below: more > 0 ? [...below, { text: rest, painted: style.quiet(rest) }] : below };
}

/** A value of one line, cut: below its label where it would have to be cut to nothing beside it. */
function besideOrBelow(line: string, verbose: boolean, { room, width }: Space): FieldValue {
  if (verbose) return { beside: plain(line), below: [] };
  const beside = cutCounted(line, room);
  return displayWidth(beside) <= room
    ? { beside: plain(beside), below: [] }
    : { below: [plain(`  ${cutCounted(line, width - 2)}`)] };
}

function twoValues(
  before: unknown,
  after: unknown,
  context: PlanContext,
  { room, width }: Space,
): FieldValue {
  const { style, verbose } = context;
  const [a, b] = [show(before), show(after)];
  if (a === b) return { beside: plain(`${a} (a secret in it changes)`), below: [] };
  const isText = [before, after].some((value) => typeof value === 'string' && value.includes('\n'));
  const text = `${a} → ${b}`;
  if (!isText && displayWidth(text) <= room)
    return {
      beside: { text, painted: `${style.remove(a)} ${style.quiet('→')} ${style.add(b)}` },
      below: [],
    };
  const words = { '+': 'new:', '-': 'old:', '|': 'same:', '~': '' };
  const paint = { '+': style.add, '-': style.remove, '|': style.quiet, '~': style.quiet };
  return {
    // Room for the longest sign, and the blanks around it.
    below: valueDiff(before, after, width - (style.unicode ? 4 : 8), verbose).map(({ mark, text }) => {
      const sign = style.unicode ? (mark === '~' ? ' ' : mark) : words[mark];
      const line = `  ${sign} ${text}`.trimEnd();
      return { text: line, painted: paint[mark](line) };
    }),
  };
}

/** What may be said of a secret: that it changes, and its name. */
export function secretText({ before, after, cause }: FieldChange): string {
  const names = secretNames(after).map((name) => ` ${name}`);
  if (cause === 'unverified') return `(secret, not verified)${names.join('')}`;
  const isChanged = before !== undefined && after !== undefined && cause !== 'recorded';
  return `${isChanged ? '(secret, changed)' : '(secret)'}${names.join('')}`;
}
