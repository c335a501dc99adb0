import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Node } from './nodes.ts';
import type { Source } from './source.ts';

/** What was read of a YAML text. The nodes are of no use if the text has problems or syntax errors. */
export interface Reading {
  documents: Node[];
  /** Problems that are no syntax errors: repeated keys, wrong aliases, custom tags. */
  problems: Diagnostic[];
  /** True if the text may have syntax errors, so that `findSyntaxErrors` has to look. */
  isSuspicious: boolean;
}

/** The documents of a YAML text. A text with a problem has none, because half of it could mean anything. */
export interface ParsedYaml {
  documents: Node[];
  diagnostics: Diagnostic[];
}

/** Returns what was read, unless there are problems. Syntax errors come alone, because they cause other problems. */
export function parsedYaml(
  source: Source,
  { documents, problems }: Reading,
  syntaxErrors: Diagnostic[],
): ParsedYaml {
  const diagnostics = syntaxErrors.length > 0 ? syntaxErrors : problems;
  if (diagnostics.length > 0) source.broken = true;
  return { documents: source.broken ? [] : documents, diagnostics };
}
