import type { Scalar, ScalarNode } from './nodes.ts';
import { Source } from './source.ts';

const nowhere = { source: new Source('', ''), start: 0, end: 0 };

/** A value from the command line or the environment: text, that a field may also read as a number or boolean. */
export function outsideText(text: string): ScalarNode {
  let value: Scalar = text;
  if (text === 'true' || text === 'false') value = text === 'true';
  else if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)) value = Number(text);
  return { type: 'scalar', at: nowhere, text, value };
}
