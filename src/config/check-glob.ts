import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { globFault } from '../model/glob.ts';
import { globHint } from '../model/glob-syntax.ts';
import type { ScalarNode } from './yaml/nodes.ts';

/**
 * Returns the problem with a glob that is not valid, at its place in the YAML; empty if it is valid. Called where `owns` and workspaces are
 * read, because the place is unknown later, when the globs are applied.
 */
export function checkGlob({ text, at }: ScalarNode): Diagnostic[] {
  const fault = globFault(text);
  return fault === undefined ? [] : [problem('glob/syntax', fault, { at, hint: globHint })];
}
