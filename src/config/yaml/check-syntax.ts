/*
 * Finds syntax errors with the document layer of the YAML parser. That layer takes as long as the rest of reading a file, so it is loaded
 * and run only for text that may hold an error.
 */
import { Composer, Parser, type YAMLParseError, type YAMLWarning } from 'yaml';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { readNodes } from './node-reader.ts';
import { type ParsedYaml, parsedYaml } from './reading.ts';
import type { Source } from './source.ts';
import { describeYamlError } from './yaml-problems.ts';

/** Like `parseYaml`, for callers that load this file anyway and need the result at once. */
export function parseYamlNow(source: Source): ParsedYaml {
  const reading = readNodes(source);
  return parsedYaml(source, reading, reading.isSuspicious ? findSyntaxErrors(source) : []);
}

const maxDiagnostics = 50;

const bareExpression = {
  code: 'yaml/expression',
  message: 'in brackets, `${...}` needs quotes',
  hint: 'write "${...}"; `trueup fmt` does this',
};

/** Reports the syntax errors of a text, one for each line, because one mistake often causes several errors. */
export function findSyntaxErrors(source: Source): Diagnostic[] {
  const diagnostics = syntaxErrorsIn(source.text)
    .slice(0, maxDiagnostics)
    .map((error) => {
      const { code, message, hint } = isBareExpression(source.text, error.pos[0])
        ? bareExpression
        : describeYamlError(error.code);
      return problem(code, message, { hint, at: source.position(error.pos[0]) });
    });
  const lines = diagnostics.map(({ at }) => at?.line);
  return diagnostics.filter(({ at }, index) => lines.indexOf(at?.line) === index);
}

function syntaxErrorsIn(text: string): (YAMLParseError | YAMLWarning)[] {
  const composer = new Composer({
    prettyErrors: false,
    // The reader of nodes names both places of a repeated key; the check of the composer takes quadratic time.
    uniqueKeys: false,
    stringKeys: false,
    version: '1.2',
    logLevel: 'silent',
  });
  return [...composer.compose(new Parser().parse(text))].flatMap(({ errors, warnings }) => [
    ...errors,
    ...warnings,
  ]);
}

/** True if the parser failed at the `${` of an expression: in brackets it takes the `{` for the start of a map. */
const isBareExpression = (text: string, index: number): boolean =>
  (text[index] === '{' && text[index - 1] === '$') || text.startsWith('${', index);

const maxQuoted = 10_000;

/** Puts quotes around each `${...}` in brackets that lacks them, so that `fmt` can read and repair such a file. */
export function quoteExpressions(text: string): string {
  let quotedText = text;
  for (let count = 0; count < maxQuoted; count++) {
    const errors = syntaxErrorsIn(quotedText);
    const error = errors.find(({ pos }) => isBareExpression(quotedText, pos[0]));
    const nextText = error && quoteScalarAt(quotedText, error.pos[0]);
    if (nextText === undefined) break;
    quotedText = nextText;
  }
  return quotedText;
}

/** Puts quotes around the scalar at an offset that holds an expression; undefined if the scalar does not end on its line. */
function quoteScalarAt(text: string, index: number): string | undefined {
  let start = index;
  while (
    start > 0 &&
    !'[{,\n'.includes(text[start - 1]!) &&
    !/[:?-]\s/.test(text.slice(start - 1, start + 1))
  ) {
    start--;
    if (text[start] === '{' && text[start - 1] !== '$') return undefined;
  }
  start += /^\s*/.exec(text.slice(start, index))![0].length;
  let end = start;
  while (end < text.length && !',]}\n'.includes(text[end]!)) {
    if (!text.startsWith('${', end)) {
      end++;
      continue;
    }
    const close = text.indexOf('}', end);
    if (close === -1 || text.slice(end, close).includes('\n')) return undefined;
    end = close + 1;
  }
  const scalar = text.slice(start, end).trimEnd();
  if (!scalar.includes('${') || /^["']/.test(scalar)) return undefined;
  return text.slice(0, start) + JSON.stringify(scalar) + text.slice(start + scalar.length);
}
