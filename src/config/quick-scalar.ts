import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { ScalarNode } from './nodes.ts';
import { plainValue } from './plain-value.ts';
import type { Source, Spot } from './source.ts';
import { unusual } from './unusual.ts';

/** A scalar that is written; throws `unusual` for one that is not, and where the parsers differ. */
export function quickScalar(source: Source, event: ScalarEvent): ScalarNode {
  const { valueStart, valueEnd, style } = event;
  if (valueStart < 0) throw unusual;
  const text = getScalarValue(source.text, event);
  if (style === SCALAR_STYLE.PLAIN)
    return {
      type: 'scalar',
      at: { source, start: valueStart, end: valueEnd },
      value: plainValue(text),
      text,
    };
  const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  if (style === SCALAR_STYLE.DOUBLE_QUOTED && !event.fast)
    checkEscapes(source.text.slice(valueStart, valueEnd));
  const at = isQuoted ? { source, start: valueStart - 1, end: valueEnd + 1 } : spotOfBlock(source, event);
  return { type: 'scalar', at, value: text, text };
}

// What a backslash at the end of a line does, and what becomes of a code that no character has, is read differently.
function checkEscapes(written: string): void {
  if (written.includes('\\') && (written.includes('\n') || written.includes('\\U'))) throw unusual;
}

/** From the `|` or `>` to the end of the last line with something on it. An event tells neither. */
function spotOfBlock(source: Source, { valueStart, valueEnd }: ScalarEvent): Spot {
  const { text } = source;
  const line = text.slice(text.lastIndexOf('\n', valueStart - 2) + 1, valueStart);
  const header = /[|>]-? *\r?\n$/.exec(line);
  const last = /\S *[\r\n]*$/.exec(text.slice(valueStart, valueEnd));
  // A `#` may begin a comment, with another `|` in it.
  if (!header || !last || line.includes(' #')) throw unusual;
  const end = text.indexOf('\n', valueStart + last.index);
  return {
    source,
    start: valueStart - line.length + header.index,
    end: end === -1 ? text.length : end + 1,
  };
}
