import type { Diagnostic } from '../../model/diagnostic.ts';
import { readNodes } from './node-reader.ts';
import type { Node } from './nodes.ts';
import type { Source } from './source.ts';

/**
 * Parses a YAML text into nodes with places, for everything that reads a configuration. A text with a problem is marked as `broken`.
 *
 * The check for syntax errors is loaded only for a text that may have some: most commands never need it.
 */
export async function parseYaml(source: Source): Promise<ParsedYaml> {
  const reading = readNodes(source);
  if (!reading.isSuspicious) return parsedYaml(source, reading, []);
  const { findSyntaxErrors } = await import('./check-syntax.ts');
  return parsedYaml(source, reading, findSyntaxErrors(source));
}

/** The nodes of a YAML text before its syntax was checked. They must not be used if the text has problems. */
export interface Reading {
  documents: Node[];
  /** Problems that are no syntax errors: repeated keys, wrong aliases, custom tags. */
  problems: Diagnostic[];
  /** True if the text may have syntax errors, so that `findSyntaxErrors` must check it. */
  isSuspicious: boolean;
}

/** The documents of a YAML text. A text with a problem has none, because half of it could mean anything. */
export interface ParsedYaml {
  documents: Node[];
  diagnostics: Diagnostic[];
}

/**
 * Combines the nodes of a text with the problems in it. If there are any, marks the source as broken and returns no
 * documents. Syntax errors are reported alone, because they cause other problems.
 */
export function parsedYaml(
  source: Source,
  { documents, problems }: Reading,
  syntaxErrors: Diagnostic[],
): ParsedYaml {
  const diagnostics = syntaxErrors.length > 0 ? syntaxErrors : problems;
  if (diagnostics.length > 0) source.broken = true;
  return { documents: source.broken ? [] : documents, diagnostics };
}
