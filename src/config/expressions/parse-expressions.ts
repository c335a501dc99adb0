/** A name in `${a.b["c.d"]}`. `start`: its offset from the `${`. */
export interface PathStep {
  name: string;
  start: number;
  /**
   * Set for a name in brackets that other values determine: another path (`[input.country]`), or a text with expressions
   * (`["api-${var.x}"]`).
   */
  computed?: { path: PathStep[] } | { text: string };
}

/** The content of a `${...}`: a path, a `?` if it may have no value, and filters in the order in which they are applied. */
export interface ExpressionPath {
  steps: PathStep[];
  isOptional?: true;
  filters?: PathStep[];
}

/**
 * A piece of a text: plain text, an expression, or an invalid expression. `opensBefore`: the number of `${` before it,
 * escaped ones included. `text`: the expression as it is written, from its `${` to its `}`.
 */
export type ParsedPart = string | ((ExpressionPath | SyntaxFault) & { opensBefore: number; text: string });

/**
 * Splits a text of the configuration into plain text and expressions: `a-${var.b | upper}` becomes `a-` and
 * the parsed `var.b`. `$${` is a literal `${`. An expression with a syntax error is returned with its
 * `error`. `opensBefore` is the number of `${` in the text before it: the caller finds its place in the file by
 * that.
 */
export function parseExpressions(text: string): ParsedPart[] {
  const parts: ParsedPart[] = [];
  let literal = '';
  let index = 0;
  let opensBefore = 0;
  for (;;) {
    const openIndex = text.indexOf('${', index);
    if (openIndex === -1) break;
    const isEscaped = openIndex > index && text[openIndex - 1] === '$';
    if (isEscaped) {
      literal += `${text.slice(index, openIndex - 1)}\${`;
      index = openIndex + 2;
      opensBefore++;
      continue;
    }
    // The text in front of the expression is complete.
    literal += text.slice(index, openIndex);
    if (literal !== '') parts.push(literal);
    literal = '';
    const { expression, end } = parseExpressionAt(text, openIndex);
    const expressionText = text.slice(openIndex, end);
    parts.push({ ...expression, opensBefore, text: expressionText });
    index = end;
    // A name in brackets may contain `${`, too.
    opensBefore += expressionText.split('${').length - 1;
  }
  literal += text.slice(index);
  return literal !== '' || parts.length === 0 ? [...parts, literal] : parts;
}

/**
 * Parses the expression whose `${` is at `openIndex` of a text. Returns it, or its fault, and the offset at
 * which the text goes on: behind its closing brace, or at the end of the text if there is none. The places of
 * its names count from the `${`.
 */
function parseExpressionAt(
  text: string,
  openIndex: number,
): { expression: ExpressionPath | SyntaxFault; end: number } {
  const parsed = parseInside(text, openIndex + '${'.length);
  if ('error' in parsed) {
    const closeIndex = text.indexOf('}', openIndex);
    return { expression: { error: parsed.error }, end: closeIndex === -1 ? text.length : closeIndex + 1 };
  }
  const { steps, isOptional, filters } = parsed;
  const expression = {
    steps: shiftSteps(steps, openIndex),
    isOptional: isOptional || undefined,
    filters: filters.length > 0 ? shiftSteps(filters, openIndex) : undefined,
  };
  return { expression, end: parsed.end + '}'.length };
}

/**
 * Returns the names of a path with offsets from the `${` instead of the beginning of the text, by which messages point at a single name in
 * an expression.
 */
const shiftSteps = (steps: PathStep[], open: number) =>
  steps.map((step) => ({ ...step, start: step.start - open }));

/** The parsed content of `${...}`. `end`: the offset of its closing brace. */
type ParsedInside = { steps: PathStep[]; isOptional: boolean; filters: PathStep[]; end: number };
/** The reason why a text is no valid expression, as a part of a message. */
type SyntaxFault = { error: string };

/**
 * Parses the inside of an expression, such as `input.country? | lower}`, from the offset `start`: a path, an
 * optional `?` (the value may be missing), and filters. `end` of the result is the offset of the closing
 * brace. Returns the fault if the syntax is not valid.
 */
function parseInside(text: string, start: number): ParsedInside | SyntaxFault {
  const path = readPath(text, start);
  if ('error' in path) return path;
  let index = path.end;
  const isOptional = text[index] === '?';
  if (isOptional) index = afterBlanks(text, index + 1);
  const filters: PathStep[] = [];
  while (text[index] === '|') {
    index = afterBlanks(text, index + 1);
    const name = matchAt(plainName, text, index);
    if (!name) return { error: 'a filter is missing after `|`' };
    filters.push({ name: name[0], start: index });
    index = afterBlanks(text, index + name[0].length);
  }
  return text[index] === '}'
    ? { steps: path.steps, isOptional, filters, end: index }
    : faultAtEnd(text, index);
}

/**
 * Parses a whole text as a path, such as `projects.web["a.b"]`. Used for paths outside of `${...}`, in `$when` and
 * `$dependsOn`.
 */
export function parsePath(text: string): { steps: PathStep[] } | SyntaxFault {
  const path = readPath(text, 0);
  if ('error' in path || path.end === text.length) return path;
  return faultAtEnd(text, path.end);
}

/**
 * Returns why an expression does not end at `index`, where its path ends: the closing brace is missing, or a
 * character follows that no name may contain. The text continues the message `this ${ begins an expression,
 * but ...`.
 */
const faultAtEnd = (text: string, index: number): SyntaxFault => ({
  error:
    index >= text.length
      ? 'the closing `}` is missing'
      : 'join names with dots; put names with other characters in brackets',
});

/** Matches `["a.b"]`, `['a.b']` and `[input.c]`. */
const bracketed = /\[(?:"([^"]*)"|'([^']*)'|([^\]"']+))\]/y;
/** Matches the names `projects` and `id` in `projects.web["a.b"].id`. */
const plainName = /[^\s.[\]{}"'$|?]+/y;
const blankRun = /\s*/y;

/** Matches a sticky pattern at an offset. */
function matchAt(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** Returns the offset of the next character that is no blank. */
const afterBlanks = (text: string, index: number): number =>
  index + matchAt(blankRun, text, index)![0].length;

/**
 * Reads the path of an expression, such as `projects["a.b"][input.c].id`, from the offset `start` of a text.
 * Its steps are names behind dots, and names in brackets, with any characters. `end` of the result is the
 * offset behind the path and its blanks. Returns a fault if a name is missing.
 */
function readPath(text: string, start: number): { steps: PathStep[]; end: number } | SyntaxFault {
  const steps: PathStep[] = [];
  let index = afterBlanks(text, start);
  for (;;) {
    const inBrackets = steps.length > 0 && text[index] === '[' ? matchAt(bracketed, text, index) : null;
    if (inBrackets) {
      steps.push(bracketStep(inBrackets, index));
      index += inBrackets[0].length;
    } else {
      if (steps.length > 0 && text[index] === '.') index++;
      else if (steps.length > 0) break;
      const name = matchAt(plainName, text, index);
      if (!name) return { error: steps.length === 0 ? 'it is empty' : 'a name is missing in it' };
      steps.push({ name: name[0], start: index });
      index += name[0].length;
    }
  }
  return { steps, end: afterBlanks(text, index) };
}

/**
 * Returns the step of a path that is written in brackets, such as the second one of `projects["api.example"]`, from the match of the
 * pattern `bracketed` at `index`, the offset of its `[`.
 *
 * - A text in quotes is the name of the step.
 * - If the text in quotes has expressions (`["api-${input.x}"]`), the step is marked as `computed`: the caller replaces them to get the
 *   name.
 * - Without quotes, a path that begins with `var.`, `input.` or `each.`, or is `stage` (`[input.country]`), is `computed`, too. Its value
 *   is the name. Any other text without quotes (`[at]`) is the name.
 */
function bracketStep([, doubleQuoted, singleQuoted, unquoted]: RegExpExecArray, index: number): PathStep {
  if (unquoted === undefined) {
    const text = doubleQuoted ?? singleQuoted!;
    const start = index + '["'.length;
    return { name: text, start, computed: text.includes('${') ? { text } : undefined };
  }
  const name = unquoted.trim();
  const start = index + '['.length;
  const mayBePath = /^(?:(?:var|input|each)\.|stage$)/.test(name);
  const path = mayBePath ? readPath(name, 0) : undefined;
  const isPath = path !== undefined && 'steps' in path && path.end === name.length;
  return { name, start, computed: isPath ? { path: path.steps } : undefined };
}

/** Escapes a text for the YAML, so that the configuration reads none of it as an expression. Used for texts of the account. */
export const escapeExpressions = (text: string): string => text.replaceAll('${', () => '$${');
