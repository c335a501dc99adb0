import type { Address } from './address.ts';
import { byText } from './graph.ts';

/** A place in a file; line and column count from 1. `text` is that line, already safe to show. */
export interface Position {
  file: string;
  line: number;
  column: number;
  /** The column after the end of the text meant, in the same line, if reading has found it. */
  endColumn?: number;
  text?: string;
  /** The index in `text`, from 0, at which the column appears. It differs from the column if text before it is masked or cut. */
  caret?: number;
}

/** A problem as data. `code` is stable and what tests look at; `message` says what is wrong, `hint` what to do. */
export interface Diagnostic {
  severity: 'error' | 'warning';
  code: string;
  message: string;
  hint?: string;
  address?: Address;
  /** The secret that is the subject, the environment variable that it comes from, and the resources that need it. */
  secret?: { name: string; variable?: string; users?: Address[] };
  at?: Position;
  /** Other places that belong to the problem, for example the first of two declarations. */
  related?: { message: string; at: Position }[];
}

type Details = Omit<Diagnostic, 'severity' | 'code' | 'message'>;

export const problem = (code: string, message: string, details: Details = {}): Diagnostic => ({
  severity: 'error',
  code,
  message,
  ...details,
});

export const warning = (code: string, message: string, details: Details = {}): Diagnostic => ({
  severity: 'warning',
  code,
  message,
  ...details,
});

export const hasErrors = (diagnostics: Diagnostic[]): boolean =>
  diagnostics.some((d) => d.severity === 'error');

/** The order of places; what has none comes last. */
export function byPlace(a: Position | undefined, b: Position | undefined): number {
  if (!a || !b) return a ? -1 : b ? 1 : 0;
  return byText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/** Thrown by steps that cannot go on: carries every problem found, for people. */
export class Problems extends Error {
  readonly diagnostics: Diagnostic[];

  constructor(diagnostics: Diagnostic[]) {
    super(diagnostics.map((d) => d.message).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/** A key or a value of YAML, up to its end. */
const word = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,:[\]{}#]+)/;
/** Replaces a hidden part of a quoted line: it does not tell where that part ends in the file. */
const hidden = /^["']?\(secret\)/;

/**
 * The column, from 1, after the end of the text at a position: as reading has found it, else judging by the quoted line. Undefined if
 * neither tells.
 */
export function endColumnOf({ column, endColumn, text, caret }: Position): number | undefined {
  if (endColumn !== undefined) return endColumn;
  const rest = caret === undefined ? undefined : text?.slice(caret);
  if (rest === undefined || hidden.test(rest)) return undefined;
  const [found = ''] = word.exec(rest) ?? [];
  const isWhole = found !== '' && !found.includes('…') && !found.includes('(secret)');
  return isWhole ? column + found.length : undefined;
}
