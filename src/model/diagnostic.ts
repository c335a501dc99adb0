import type { Address } from './address.ts';

/** A place in a file; line and column count from 1. `text` is that line, already safe to show. */
export interface Position {
  file: string;
  line: number;
  column: number;
  /** The column behind what is meant, in the same line, where that was found while reading. */
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
  /** The secret that it is about, the environment variable that this comes from, and what needs it. */
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

/** Thrown by steps that cannot go on: carries every problem found, for people. */
export class Problems extends Error {
  readonly diagnostics: Diagnostic[];

  constructor(diagnostics: Diagnostic[]) {
    super(diagnostics.map((d) => d.message).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/** A key or a value as it stands in YAML, up to where it ends. */
const word = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,:[\]{}#]+)/;
/** Stands in a quoted line for a part that is hidden: nobody can tell from it where that part ends in the file. */
const hidden = /^["']?\(secret\)/;

/**
 * The column behind what stands at a position, from 1, in its line: as it was found while reading, else as far as the quoted line tells.
 * Undefined where neither does.
 */
export function endColumnOf({ column, endColumn, text, caret }: Position): number | undefined {
  if (endColumn !== undefined) return endColumn;
  const rest = caret === undefined ? undefined : text?.slice(caret);
  if (rest === undefined || hidden.test(rest)) return undefined;
  const [found = ''] = word.exec(rest) ?? [];
  const isWhole = found !== '' && !found.includes('…') && !found.includes('(secret)');
  return isWhole ? column + found.length : undefined;
}
