import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { globFault } from '../model/glob.ts';
import { globHint } from '../model/glob-syntax.ts';
import type { ScalarNode } from './yaml/nodes.ts';

/** Returns the problem of a glob that is not valid, at its place; none if it is. */
export function checkGlob({ text, at }: ScalarNode): Diagnostic[] {
  const fault = globFault(text);
  return fault === undefined ? [] : [problem('glob/syntax', fault, { at, hint: globHint })];
}
