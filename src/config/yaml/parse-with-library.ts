/*
 * Parses any YAML text with the library `yaml`. That takes several times as long as reading ordinary text (`ordinary-reader.ts`), so the
 * readers of a configuration load this file only for text that is not ordinary.
 */
import { Parser } from 'yaml';
import { findDeepNesting, findSyntaxErrors } from './check-syntax.ts';
import { type ParsedYaml, readNodes } from './node-reader.ts';
import { readOrdinary } from './ordinary-reader.ts';
import type { Source } from './source.ts';

/**
 * Returns the documents of a YAML text, or the problems with it. If there are any, marks the source as broken
 * and returns no documents, so that no wrong value is used. Syntax errors are returned alone, because they
 * cause other problems.
 */
export function parseWithLibrary(source: Source): ParsedYaml {
  const tokens = [...new Parser().parse(source.text)];
  const syntaxErrors = findDeepNesting(source, tokens) ?? findSyntaxErrors(source, tokens);
  const { documents, diagnostics } =
    syntaxErrors.length > 0 ? { documents: [], diagnostics: syntaxErrors } : readNodes(source, tokens);
  if (diagnostics.length === 0) return { documents, diagnostics };
  source.broken = true;
  return { documents: [], diagnostics };
}

/** Like `parseYaml`, for the formatter, which loads the library anyway and needs the result at once. */
export function parseYamlNow(source: Source): ParsedYaml {
  const ordinary = readOrdinary(source);
  return ordinary ? { documents: [ordinary], diagnostics: [] } : parseWithLibrary(source);
}
