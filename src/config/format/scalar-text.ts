import { CST, Document } from 'yaml';

type FlowScalar = CST.FlowScalar;

/**
 * The lines of a scalar, without indentation. Double quotes, unless single ones save escapes; a scalar without quotes gets none,
 * and one with quotes keeps them, since what reads as a number or a boolean depends on who reads it.
 */
export function scalarLines(token: FlowScalar): string[] {
  const [first, ...rest] = requoted(token).split('\n');
  if (rest.length === 0) return [first!];
  // Blanks around a line end mean nothing, unless a backslash makes them mean something.
  const trimmed = [first!, ...rest.map((line) => line.replace(/^[ \t]+/, ''))];
  return trimmed.map((line, at) =>
    at === trimmed.length - 1 ? line : line.replace(/((?:^|[^\\])(?:\\\\)*(?:\\[ \t])?)[ \t]*$/, '$1'),
  );
}

/** A scalar on one line: one that was folded is unfolded. */
export function scalarOnOneLine(token: FlowScalar): string {
  const lines = scalarLines(token);
  if (lines.length === 1) return lines[0]!;
  const value = textOf(token);
  if (token.type === 'scalar' && !value.includes('\n')) return lines.join(' ');
  return new Document(value)
    .toString({ defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity })
    .trimEnd();
}

/**
 * The header of a block scalar with its comment, and its lines with `indent` blanks in front. Blank lines behind it that are no
 * part of its value are left out.
 */
export function blockScalarLines(
  { props, source, indent: outer }: CST.BlockScalar,
  indent: number,
): { header: string; lines: string[]; hasBlankBehind: boolean } {
  const tokenOf = (type: string) => (props as CST.SourceToken[]).find((prop) => prop.type === type)?.source;
  const [, style = '|', flags = ''] = /^([|>])(.*)$/.exec(tokenOf('block-scalar-header') ?? '') ?? [];
  const digit = /[1-9]/.exec(flags)?.[0];
  const chomp = /[-+]/.exec(flags)?.[0] ?? '';
  const written = source.split('\n');
  const isBlank = (line: string) => /^ *$/.test(line);
  const first = written.find((line) => !isBlank(line));
  const depth = digit
    ? Math.max(outer, 0) + Number(digit)
    : first === undefined
      ? Number.POSITIVE_INFINITY
      : /^ */.exec(first)![0].length;
  const isEmpty = (line: string) => isBlank(line) && line.length <= depth;
  // What follows the last line end is a line only if something stands on it.
  if (isEmpty(written.at(-1)!)) written.pop();
  // The parser takes a last line of blanks for one after all where there is nothing else.
  if (chomp === '+' && written.length === 0 && source !== '') written.push('');
  const count = written.length;
  while (chomp !== '+' && written.length > 0 && isEmpty(written.at(-1)!)) written.pop();
  const lines = written.map((line) => (isEmpty(line) ? '' : ' '.repeat(indent) + line.slice(depth)));
  const comment = tokenOf('comment');
  return {
    header: `${style}${digit ? 2 : ''}${chomp}${comment === undefined ? '' : ` ${comment.trimEnd()}`}`,
    lines,
    hasBlankBehind: written.length < count,
  };
}

const textOf = (token: FlowScalar): string => CST.resolveAsScalar(token)?.value ?? '';

function requoted(token: FlowScalar): string {
  const { type, source } = token;
  const inner = source.slice(1, -1);
  if (type === 'single-quoted-scalar') {
    const text = inner.replaceAll("''", "'");
    if (!/["\\]/.test(text)) return `"${text}"`;
    return text.includes("'") && !text.includes('\n') ? `"${text.replace(/["\\]/g, '\\$&')}"` : source;
  }
  if (type !== 'double-quoted-scalar') return source;
  const isWritableInSingle = /^(?:[^'\\\n]|\\["\\])*$/.test(inner) && /\\/.test(inner);
  return isWritableInSingle ? `'${inner.replace(/\\(["\\])/g, '$1')}'` : source;
}
