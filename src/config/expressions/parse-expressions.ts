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

/** A piece of a text: plain text, an expression, or an invalid expression. `nth`: the number of `${` before it, escaped ones included. */
export type ParsedPart = string | (ExpressionPath & { nth: number }) | { error: string; nth: number };

/**
 * Splits a text of the configuration at its `${...}` into plain text and expressions, so that the expressions can be replaced by values.
 * `$${` is a literal `${`.
 */
export function parseExpressions(text: string): ParsedPart[] {
  const parts: ParsedPart[] = [];
  let literal = '';
  let index = 0;
  let openCount = 0;
  for (;;) {
    const openIndex = text.indexOf('${', index);
    if (openIndex === -1) break;
    const isEscaped = openIndex > index && text[openIndex - 1] === '$';
    if (isEscaped) {
      literal += `${text.slice(index, openIndex - 1)}\${`;
      index = openIndex + 2;
      openCount++;
      continue;
    }
    literal += text.slice(index, openIndex);
    if (literal !== '') parts.push(literal);
    literal = '';
    const parsed = parseInside(text, openIndex + 2);
    if ('error' in parsed) {
      parts.push({ error: parsed.error, nth: openCount });
      const closeIndex = text.indexOf('}', openIndex);
      index = closeIndex === -1 ? text.length : closeIndex + 1;
    } else {
      const { steps, isOptional, filters } = parsed;
      parts.push({
        steps: shiftSteps(steps, openIndex),
        isOptional: isOptional || undefined,
        filters: filters.length > 0 ? shiftSteps(filters, openIndex) : undefined,
        nth: openCount,
      });
      index = parsed.end + 1;
    }
    openCount += text.slice(openIndex, index).split('${').length - 1;
  }
  literal += text.slice(index);
  return literal !== '' || parts.length === 0 ? [...parts, literal] : parts;
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
 * Parses the content of an expression `${...}` from `start`: a path, an optional `?` (the value may be missing), and filters such as `|
 * lower`. `end` of the result is the offset of the closing brace, behind which the text around it goes on.
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
 * Returns the reason why an expression does not end at `index`, although its path does, as the end of the message about its syntax: a
 * missing brace, for example.
 */
const faultAtEnd = (text: string, index: number): SyntaxFault => ({
  error:
    index >= text.length
      ? 'the closing `}` is missing'
      : 'join names with dots; put names with other characters in brackets',
});

const bracketed = /\[(?:"([^"]*)"|'([^']*)'|([^\]"']+))\]/y;
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
 * Reads the path of an expression, such as `a.b["c.d"][e]`, from `start`: it says which variable, secret or resource is meant. A name in
 * brackets may be quoted, and can then contain any character except its quote. `end` of the result is the offset behind the path and its
 * blanks.
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
 * Returns the step for a name in brackets. Used for names that have other characters than letters and digits, or
 * that depend on an input. A name without quotes that begins with a root, like `[input.country]`, is another path,
 * whose value is the name.
 */
function bracketStep([, doubleQuoted, singleQuoted, unquoted]: RegExpExecArray, index: number): PathStep {
  if (unquoted === undefined) {
    const text = doubleQuoted ?? singleQuoted!;
    return { name: text, start: index + 2, computed: text.includes('${') ? { text } : undefined };
  }
  const name = unquoted.trim();
  const path = /^(?:(?:var|input|each)\.|stage$)/.test(name) ? readPath(name, 0) : undefined;
  const isPath = path !== undefined && 'steps' in path && path.end === name.length;
  return { name, start: index + 1, computed: isPath ? { path: path.steps } : undefined };
}

/** Escapes a text for the YAML, so that the configuration reads none of it as an expression. Used for texts of the account. */
export const escapeExpressions = (text: string): string => text.replaceAll('${', () => '$${');
