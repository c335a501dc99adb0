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
  /** Nothing has to be fixed: the same command succeeds later, when a rate limit allows it. */
  isForLater?: true;
  /** The text as one of several equal problems; see `foldDiagnostics`. */
  alike?: Alike;
  /** The equal problems that this one stands for; absent if it stands for itself. */
  folded?: readonly Diagnostic[];
}

/** What a problem has in common with its equals. */
interface Alike {
  /** Equal for problems with one cause. Default: the message and the hint without the names of the subject. */
  cause: string;
  /** The text behind the number of several: `resources are owned by the stack web`. */
  are?: string;
  /** The hint for several. */
  hint?: string;
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

/** Returns problems by place, those without a place first. The same problem at the same place (seen through several aliases) is kept once. */
export function sortDiagnostics(diagnostics: Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  const distinct = diagnostics.filter(({ code, message, at }) => {
    const identity = JSON.stringify([code, message, at?.file, at?.line, at?.column]);
    return !seen.has(identity) && seen.add(identity);
  });
  return distinct.sort(
    (a, b) =>
      byText(a.at?.file ?? '', b.at?.file ?? '') ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      (a.at?.column ?? 0) - (b.at?.column ?? 0) ||
      byText(a.code, b.code),
  );
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
