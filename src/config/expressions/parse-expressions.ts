/** A name in `${a.b["c.d"]}`; `start` is its offset from the `${`. */
export interface Step {
  name: string;
  start: number;
}

/** Text, or an expression; `nth` counts the `${` before it, escaped ones included. */
export type Part = string | { steps: Step[]; nth: number } | { error: string; nth: number };

/** Splits `text` at its `${...}`; `$${` is a literal `${`. */
export function parseExpressions(text: string): Part[] {
  const parts: Part[] = [];
  let literal = '';
  let at = 0;
  for (let nth = 0; ; nth++) {
    const open = text.indexOf('${', at);
    if (open === -1) break;
    if (open > at && text[open - 1] === '$') {
      literal += `${text.slice(at, open - 1)}\${`;
      at = open + 2;
      continue;
    }
    literal += text.slice(at, open);
    if (literal !== '') parts.push(literal);
    literal = '';
    const parsed = parsePath(text, open + 2, '}');
    if ('error' in parsed) {
      parts.push({ error: parsed.error, nth });
      const close = text.indexOf('}', open);
      at = close === -1 ? text.length : close + 1;
    } else {
      parts.push({ steps: parsed.steps.map((step) => ({ ...step, start: step.start - open })), nth });
      at = parsed.end + 1;
    }
  }
  literal += text.slice(at);
  return literal !== '' || parts.length === 0 ? [...parts, literal] : parts;
}

/**
 * Reads `a.b["c.d"][e]` from `start` up to `close` (or the end of the text, if `close` is empty).
 * In brackets a name may be quoted, and may hold anything but the bracket.
 */
export function parsePath(
  text: string,
  start: number,
  close: '}' | '',
): { steps: Step[]; end: number } | { error: string } {
  const steps: Step[] = [];
  const bracketed = /\[(?:"([^"]*)"|'([^']*)'|([^\]"']+))\]/y;
  const plain = /[^\s.[\]{}"'$]+/y;
  const blanks = /\s*/y;
  const match = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(text);
  };
  let at = start + match(blanks, start)![0].length;
  for (;;) {
    const inBrackets = steps.length > 0 && text[at] === '[' ? match(bracketed, at) : null;
    if (inBrackets) {
      const name = inBrackets[1] ?? inBrackets[2] ?? inBrackets[3]!.trim();
      steps.push({ name, start: at + (inBrackets[3] === undefined ? 2 : 1) });
      at += inBrackets[0].length;
    } else {
      if (steps.length > 0 && text[at] === '.') at++;
      else if (steps.length > 0) break;
      const name = match(plain, at);
      if (!name) return { error: steps.length === 0 ? 'it is empty' : 'a name is missing in it' };
      steps.push({ name: name[0], start: at });
      at += name[0].length;
    }
  }
  at += match(blanks, at)![0].length;
  const ends = close === '' ? at === text.length : text[at] === close;
  if (ends) return { steps, end: at };
  return {
    error:
      at >= text.length
        ? 'its end, `}`, is missing'
        : 'names are joined by dots, and stand in brackets if they hold anything else',
  };
}
