import { type ParsedYaml, parsedYaml, readNodes } from './node-reader.ts';
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
