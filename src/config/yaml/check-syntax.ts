/*
 * Finds syntax errors with the document layer of the YAML parser.
 */
import { Composer, type CST, Parser, type YAMLParseError, type YAMLWarning } from 'yaml';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { keyWithoutSpace, maxDepth } from './nodes.ts';
import { describeYamlError } from './scalar-reader.ts';
import type { Source } from './source.ts';

/** An error or a warning of the parser. Both make a configuration invalid. */
type YamlError = YAMLParseError | YAMLWarning;

const maxDiagnostics = 50;

const bareExpression = {
  code: 'yaml/expression',
  message: 'in brackets, `${...}` needs quotes',
  hint: 'write "${...}"; `trueup fmt` does this',
};

/**
 * Returns the syntax errors of a YAML text, for messages: at most 50, and one for each line, because one mistake often causes several.
 * `tokens`: those of the parser. An expression without quotes in brackets, `[${var.a}]`, and a quote or bracket that is never closed
 * get messages of their own. After the first such expression, only further ones are returned.
 */
export function findSyntaxErrors(source: Source, tokens: Iterable<CST.Token>): Diagnostic[] {
  const errors = syntaxErrorsIn(tokens).slice(0, maxDiagnostics);
  const unclosed = errors.some(isAboutClosing) ? findUnclosed(source.text) : [];
  const diagnostics = errors.map((error) => {
    const index = error.pos[0];
    if (isBareExpression(source.text, index))
      return problem(bareExpression.code, bareExpression.message, {
        hint: bareExpression.hint,
        at: source.position(index),
      });
    const cause = findCause(error, source.text);
    // Errors come from the inside to the outside, and the innermost opening is the last one in front of the error.
    const isUnclosed = !cause && isAboutClosing(error);
    const opening = isUnclosed ? unclosed.findLast(({ offset }) => offset < index) : undefined;
    if (opening) {
      unclosed.splice(unclosed.indexOf(opening), 1);
      return unclosedProblem(opening, source);
    }
    const { code, message, hint } = describeYamlError(cause?.code ?? error.code);
    return problem(code, message, { hint, at: source.position(cause?.index ?? index) });
  });
  const lines = diagnostics.map(({ at }) => at?.line);
  return withoutConsequences(diagnostics.filter(({ at }, index) => lines.indexOf(at?.line) === index));
}

/**
 * Returns the syntax errors of a text up to the first expression without quotes in brackets, and all such expressions: the parser takes the
 * `{` of one for the start of a map, so the other errors after it are usually its consequences.
 */
function withoutConsequences(diagnostics: Diagnostic[]): Diagnostic[] {
  const firstExpression = diagnostics.findIndex(({ code }) => code === bareExpression.code);
  return diagnostics.filter(
    ({ code }, index) => firstExpression === -1 || index < firstExpression || code === bareExpression.code,
  );
}

/**
 * Returns the syntax errors and the depth problem of a YAML text with values that are nested far deeper than a configuration may be;
 * undefined if it has none. The composer calls itself for each level: such a text would use up the call stack, and Node.js 20 can abort
 * after that happened several times. So these values are removed from `tokens` before the composer checks them. A mistake like `a: b: c` in
 * many lines also looks like deep nesting, and is reported as what it is. The reader of nodes has the exact limit.
 */
export function findDeepNesting(source: Source, tokens: readonly CST.Token[]): Diagnostic[] | undefined {
  const deepest = cutDeepValues(tokens);
  if (!deepest) return undefined;
  // Only outside of brackets, a mistake such as `a: b: c` can look like deep nesting.
  const syntaxErrors = deepest.type === 'flow-collection' ? [] : findSyntaxErrors(source, tokens);
  const message = `this is nested more than ${maxDepth} levels deep`;
  return syntaxErrors.length > 0
    ? syntaxErrors
    : [problem('yaml/depth', message, { at: source.position(deepest.offset) })];
}

/**
 * Removes the content of values that are nested too deep from the tokens of a YAML text, because functions that call themselves for each
 * level could not handle them. Returns one of these values for the message; undefined if there are none. The limit is higher than that of a
 * configuration, because a level of values may have two levels of tokens.
 */
function cutDeepValues(tokens: readonly CST.Token[]): CST.Token | undefined {
  let cutToken: CST.Token | undefined;
  for (const { token, depth } of tokensIn(tokens)) {
    if (depth < 2 * maxDepth || !('items' in token) || token.items.length === 0) continue;
    cutToken ??= token;
    token.items = [];
  }
  return cutToken;
}

/** A mistake in a YAML text: the code of the parser that describes it best, and its offset. */
interface Mistake {
  code: YAMLParseError['code'];
  index: number;
}

/**
 * Returns the mistake of a person that made the parser complain about another line, with the code that describes it; undefined for any
 * other error. The message then points at the line that has to be changed.
 */
function findCause(error: YamlError, text: string): Mistake | undefined {
  return error.code === 'BAD_INDENT' ? findMissingSpace(error, text) : findDeeperLine(error, text);
}

/** The beginning of a line: blanks, and the dashes of lists. */
const lineLead = /^\s*(?:- +)*/;

const lineStartBefore = (text: string, offset: number) => text.lastIndexOf('\n', offset - 1) + 1;

/**
 * Returns the place of an entry without a space after its colon, such as `LOG_LEVEL:info # comment`, in the line above a wrong indentation;
 * undefined if that line has none. YAML reads such an entry as a text, which ends at the comment. So the parser complains about the
 * indentation of the next line.
 */
function findMissingSpace({ pos: [errorOffset] }: YamlError, text: string): Mistake | undefined {
  const endOfTextBefore = text.slice(0, errorOffset).trimEnd().length;
  const lineStart = lineStartBefore(text, endOfTextBefore);
  const [lead] = lineLead.exec(text.slice(lineStart, errorOffset))!;
  const entryStart = lineStart + lead.length;
  const lacksSpace = keyWithoutSpace.test(text.slice(entryStart, errorOffset));
  // The message of this code asks for a colon and a space behind the key.
  return lacksSpace ? { code: 'MULTILINE_IMPLICIT_KEY', index: entryStart } : undefined;
}

/**
 * Returns the place of a line that is indented too far, for an error about the text above it; undefined for any other error. In
 *
 *     framework: nextjs
 *       name: web
 *
 * YAML reads `nextjs name` as one text, and complains at `nextjs` about a second `: ` or a key on two lines.
 */
function findDeeperLine({ code, pos: [errorOffset] }: YamlError, text: string): Mistake | undefined {
  const textBefore = text.slice(lineStartBefore(text, errorOffset), errorOffset).replace(lineLead, '');
  // The parser complains about a value, if a key is in front of it on the line.
  const isAtValue = /\S/.test(textBefore);
  const isTwoLineKey = code === 'MULTILINE_IMPLICIT_KEY' && isAtValue;
  if (code !== 'BLOCK_AS_IMPLICIT_KEY' && !isTwoLineKey) return undefined;
  // The value up to its line end, and the blanks in front of the next line.
  const [valueAndBlanks, value] = /^([^\n]*)\n\s*/.exec(text.slice(errorOffset)) ?? [];
  if (valueAndBlanks === undefined) return undefined;
  // If the value itself has the second `: `, its own text is the mistake.
  const hasColon = /:(\s|$)/.test(value!);
  return hasColon ? undefined : { code: 'BAD_INDENT', index: errorOffset + valueAndBlanks.length };
}

/**
 * True if the parser of YAML misses a closing quote or bracket (`Missing closing "quote`, `Flow map must end with a }`), so that our
 * message points at where it was opened. The parser's error codes do not tell this from other mistakes.
 */
const isAboutClosing = ({ message }: YamlError): boolean =>
  /^Missing closing .quote|end with a [\]}]$/.test(message);

/**
 * Returns the problem with a quote or bracket of a YAML file that is never closed, at the place where it
 * opens. The parser itself would report it at the end of the text, where the user finds no mistake.
 * `closing`: the sign that is missing.
 */
function unclosedProblem({ offset, closing }: Opening, source: Source): Diagnostic {
  const isQuote = closing === '"' || closing === "'";
  const hint = `close it with ${closing}`;
  return problem('yaml/syntax', `this ${isQuote ? 'quote' : 'bracket'} is never closed`, {
    hint: isQuote ? hint : `${hint}; lines in brackets are indented further than the key in front of them`,
    at: source.position(offset),
  });
}

/**
 * Returns the errors and warnings that the complete check of the YAML library finds in a text, in the form of the library.
 * `findSyntaxErrors` turns them into messages.
 */
function syntaxErrorsIn(tokens: Iterable<CST.Token>): YamlError[] {
  const composer = new Composer({
    prettyErrors: false,
    // The reader of nodes names both places of a repeated key; the check of the composer takes quadratic time.
    uniqueKeys: false,
    stringKeys: false,
    version: '1.2',
    logLevel: 'silent',
  });
  const documents = [...composer.compose(tokens)];
  return documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
}

/**
 * True if the parser failed at the `${` of an expression without quotes in brackets, where it takes the `{` for the start of a map. The
 * message then says to quote it, and `trueup fmt` does that.
 */
const isBareExpression = (text: string, index: number): boolean =>
  (text[index] === '{' && text[index - 1] === '$') || text.startsWith('${', index);

const maxQuoted = 10_000;

/**
 * Returns a YAML text with quotes around each expression in brackets that lacks them: `[${var.a}]` becomes
 * `["${var.a}"]`, because YAML reads the former as a map. `trueup fmt` repairs files with it. Checks the
 * syntax again after each repair, because one error can hide the next, and stops at an expression that it
 * cannot repair.
 */
export function quoteExpressions(text: string): string {
  let quotedText = text;
  for (let count = 0; count < maxQuoted; count++) {
    const errors = syntaxErrorsIn(new Parser().parse(quotedText));
    const error = errors.find(({ pos }) => isBareExpression(quotedText, pos[0]));
    const nextText = error && quoteScalarAt(quotedText, error.pos[0]);
    if (nextText === undefined) break;
    quotedText = nextText;
  }
  return quotedText;
}

/**
 * Returns the YAML text with quotes around the scalar at an offset, which contains an expression:
 * `[${var.a}]` becomes `["${var.a}"]`. `trueup fmt` repairs files like this. Returns undefined if the scalar
 * has quotes already, contains no expression, or has one that does not end on its line, so that it cannot be
 * repaired safely.
 */
function quoteScalarAt(text: string, index: number): string | undefined {
  const start = scalarStart(text, index);
  const end = scalarEnd(text, start);
  if (end === undefined) return undefined;
  const scalar = text.slice(start, end).trimEnd();
  if (!scalar.includes('${') || /^["']/.test(scalar)) return undefined;
  return text.slice(0, start) + JSON.stringify(scalar) + text.slice(start + scalar.length);
}

/**
 * Returns the offset at which the scalar around `index` begins: behind the last bracket, comma or line end in front of it, or the last
 * `:`, `-` or `?` with a blank behind it, and behind the blanks there. `trueup fmt` puts an opening quote there, to turn `[${var.a}]`,
 * which YAML reads as a map, into `["${var.a}"]`.
 */
function scalarStart(text: string, index: number): number {
  let start = index;
  const isBehindSeparator = () =>
    '[{,\n'.includes(text[start - 1]!) || /[:?-]\s/.test(text.slice(start - 1, start + 1));
  while (start > 0 && !isBehindSeparator()) start--;
  const [leadingBlanks] = /^\s*/.exec(text.slice(start, index))!;
  return start + leadingBlanks.length;
}

/**
 * Returns the offset behind a scalar in brackets that begins at `start`. `trueup fmt` puts a closing quote
 * there, to turn `[${var.a}]`, which YAML reads as a map, into `["${var.a}"]`. Commas inside `${...}` do not
 * end the scalar. Returns undefined if an expression does not end on its line.
 */
function scalarEnd(text: string, start: number): number | undefined {
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
  return end;
}

/** A quote or bracket that the text opens and does not close. */
interface Opening {
  offset: number;
  /** The character that would close it. */
  closing: string;
}

/** A text in quotes that ends with the quote it began with. Inside, `\"` and `''` stand for quotes. */
const closedQuotes = /^(?:"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:''[^']*)*')$/s;

const closingOf: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/**
 * Returns the quotes and brackets of a YAML text that are never closed, in their order, for the message about
 * a syntax error. The parser notices them only where the text or the surrounding block ends. That may be
 * hundreds of lines further down, but a user has to see where they begin.
 */
function findUnclosed(text: string): Opening[] {
  const openings: Opening[] = [];
  for (const { token } of tokensIn(new Parser().parse(text))) {
    if (token.type === 'flow-collection') {
      const closing = closingOf[token.start.source]!;
      const isClosed = token.end.some(({ source }) => source === closing);
      if (!isClosed) openings.push({ offset: token.start.offset, closing });
    } else if (token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar') {
      if (!closedQuotes.test(token.source))
        openings.push({ offset: token.offset, closing: token.source[0]! });
    }
  }
  return openings.sort((a, b) => a.offset - b.offset);
}

/**
 * Yields the tokens of all values and keys of a YAML text with their depth, in no particular order, to find the quote or bracket that is
 * never closed, and values that are nested too deeply. `topTokens`: what the parser made of the text. Uses a list of pending tokens instead
 * of recursion, because a hostile text is nested more deeply than calls may be.
 */
function* tokensIn(topTokens: Iterable<CST.Token>): Generator<{ token: CST.Token; depth: number }> {
  const pending: { token: CST.Token | null | undefined; depth: number }[] = [];
  for (const topToken of topTokens) {
    if (topToken.type === 'document') pending.push({ token: topToken.value, depth: 1 });
    while (pending.length > 0) {
      const { token, depth } = pending.pop()!;
      if (!token) continue;
      yield { token, depth };
      if (!('items' in token)) continue;
      for (const { key, value } of token.items)
        pending.push({ token: key, depth: depth + 1 }, { token: value, depth: depth + 1 });
    }
  }
}
