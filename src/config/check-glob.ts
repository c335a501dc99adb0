import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { globFault } from '../model/glob.ts';
import { globHint } from '../model/glob-syntax.ts';
import type { ScalarNode } from './yaml/nodes.ts';

/**
 * Returns the problem with a glob that is not valid, at its place in the YAML; empty if it is valid. Used for the globs of `owns` and of a
 * workspace, which are only applied later, when their place is not at hand any more.
 */
export function checkGlob({ text, at }: ScalarNode): Diagnostic[] {
  const fault = globFault(text);
  return fault === undefined ? [] : [problem('glob/syntax', fault, { at, hint: globHint })];
}
