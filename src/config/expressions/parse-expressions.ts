/** A name in `${a.b["c.d"]}`; `start` is its offset from the `${`. */
export interface Step {
  name: string;
  start: number;
  /** In brackets: another path, whose value is the name (`[input.country]`), or a text with expressions (`["api-${var.x}"]`). */
  computed?: { path: Step[] } | { text: string };
}

/** The inside of a `${...}`: a path, `?` behind it if it may lead to nothing, and filters in the order in which they apply. */
export interface Path {
  steps: Step[];
  isOptional?: true;
  filters?: Step[];
}

/** Text, or an expression; `nth` counts the `${` before it, escaped ones included. */
export type ParsedPart = string | (Path & { nth: number }) | { error: string; nth: number };

/** Splits `text` at its `${...}`; `$${` is a literal `${`. */
export function parseExpressions(text: string): ParsedPart[] {
  const parts: ParsedPart[] = [];
  let literal = '';
  let index = 0;
  let nth = 0;
  for (;;) {
    const open = text.indexOf('${', index);
    if (open === -1) break;
    if (open > index && text[open - 1] === '$') {
      literal += `${text.slice(index, open - 1)}\${`;
      index = open + 2;
      nth++;
      continue;
    }
    literal += text.slice(index, open);
    if (literal !== '') parts.push(literal);
    literal = '';
    const parsed = parseInside(text, open + 2);
    if ('error' in parsed) {
      parts.push({ error: parsed.error, nth });
      const close = text.indexOf('}', open);
      index = close === -1 ? text.length : close + 1;
    } else {
      const { steps, isOptional, filters } = parsed;
      parts.push({
        steps: relativeTo(steps, open),
        ...(isOptional ? { isOptional } : {}),
        ...(filters.length > 0 ? { filters: relativeTo(filters, open) } : {}),
        nth,
      });
      index = parsed.end + 1;
    }
    nth += text.slice(open, index).split('${').length - 1;
  }
  literal += text.slice(index);
  return literal !== '' || parts.length === 0 ? [...parts, literal] : parts;
}

const relativeTo = (steps: Step[], open: number) =>
  steps.map((step) => ({ ...step, start: step.start - open }));

type ParsedInside = { steps: Step[]; isOptional: boolean; filters: Step[]; end: number };
type SyntaxFault = { error: string };

function parseInside(text: string, start: number): ParsedInside | SyntaxFault {
  const path = readPath(text, start);
  if ('error' in path) return path;
  let index = path.end;
  const isOptional = text[index] === '?';
  if (isOptional) index = afterBlanks(text, index + 1);
  const filters: Step[] = [];
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

/** Reads a path that is the whole of `text`, such as `projects.web["a.b"]`. */
export function parsePath(text: string): { steps: Step[] } | SyntaxFault {
  const path = readPath(text, 0);
  if ('error' in path || path.end === text.length) return path;
  return faultAtEnd(text, path.end);
}

const faultAtEnd = (text: string, index: number): SyntaxFault => ({
  error:
    index >= text.length
      ? 'the closing `}` is missing'
      : 'join names with dots; put names with other characters in brackets',
});

const bracketed = /\[(?:"([^"]*)"|'([^']*)'|([^\]"']+))\]/y;
const plainName = /[^\s.[\]{}"'$|?]+/y;
const blanks = /\s*/y;

function matchAt(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

const afterBlanks = (text: string, index: number): number => index + matchAt(blanks, text, index)![0].length;

/** Reads `a.b["c.d"][e]` from `start`. In brackets a name may be quoted, and may hold anything but the bracket. */
function readPath(text: string, start: number): { steps: Step[]; end: number } | SyntaxFault {
  const steps: Step[] = [];
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

function bracketStep([, double, single, bare]: RegExpExecArray, index: number): Step {
  if (bare === undefined) {
    const text = double ?? single!;
    return { name: text, start: index + 2, ...(text.includes('${') ? { computed: { text } } : {}) };
  }
  const name = bare.trim();
  const path = /^(?:(?:var|input|each)\.|stage$)/.test(name) ? readPath(name, 0) : undefined;
  const isPath = path !== undefined && 'steps' in path && path.end === name.length;
  return { name, start: index + 1, ...(isPath ? { computed: { path: path.steps } } : {}) };
}
