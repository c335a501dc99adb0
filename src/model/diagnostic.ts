import type { Address } from './address.ts';
import { byText } from './graph.ts';
import { dropUndefined } from './walk.ts';

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

/** A place in a file that knows its position: a stretch of a text that was read. */
interface SourceStretch {
  source: { position(offset: number): Position };
  start: number;
}

/** Where a problem is: a position, a stretch of a file, or what was read there (a YAML node, a resource). */
export type Place = Position | SourceStretch | { at: Position | SourceStretch };

/** What a problem has besides its code and message. Members that are undefined are left out of the diagnostic. */
export type Details = Omit<Diagnostic, 'severity' | 'code' | 'message' | 'at' | 'related'> & {
  at?: Place;
  related?: { message: string; at: Place }[];
};

function toPosition(place: Place): Position {
  if ('at' in place) return toPosition(place.at);
  return 'source' in place ? place.source.position(place.start) : place;
}

const diagnosticOf = (
  severity: Diagnostic['severity'],
  code: string,
  message: string,
  { at, related, ...details }: Details = {},
): Diagnostic =>
  dropUndefined({
    severity,
    code,
    message,
    ...details,
    at: at && toPosition(at),
    related: related?.map((place) => ({ message: place.message, at: toPosition(place.at) })),
  });

/**
 * Returns an error as data: what is wrong (`message`), what to do (`hint`) and where it is (`at`, `address`). It is the one way to make a
 * problem; `Reporter` collects it, and `new Problems(...)` throws it, with the same parameters.
 */
export const problem = (code: string, message: string, details?: Details): Diagnostic =>
  diagnosticOf('error', code, message, details);

/** Returns a warning as data, like `problem`. A warning stops nothing. */
export const warning = (code: string, message: string, details?: Details): Diagnostic =>
  diagnosticOf('warning', code, message, details);

/** Collects in `diagnostics` what a step reports. `common`: details that all its problems share, such as the address of their block. */
export class Reporter {
  readonly diagnostics: Diagnostic[];
  readonly #common: Details;

  constructor(diagnostics: Diagnostic[], common: Details = {}) {
    this.diagnostics = diagnostics;
    this.#common = common;
  }

  /** Reports a problem. Returns undefined, so that a reader without a result can `return report.error(...)`. */
  error(code: string, message: string, details?: Details): undefined {
    this.add(problem(code, message, { ...this.#common, ...details }));
  }

  warning(code: string, message: string, details?: Details): undefined {
    this.add(warning(code, message, { ...this.#common, ...details }));
  }

  add(diagnostic: Diagnostic): undefined {
    this.diagnostics.push(diagnostic);
  }

  addAll(diagnostics: readonly Diagnostic[]): undefined {
    addDiagnostics(this.diagnostics, diagnostics);
  }
}

/** Adds diagnostics to a list. `push(...)` would fail: a large configuration has more problems than a call takes arguments. */
export function addDiagnostics(diagnostics: Diagnostic[], added: readonly Diagnostic[]): void {
  for (const diagnostic of added) diagnostics.push(diagnostic);
}

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

/** Thrown by steps that cannot go on: carries every problem found, for people. A single problem is given like to `problem`. */
export class Problems extends Error {
  readonly diagnostics: Diagnostic[];

  constructor(diagnostics: Diagnostic[]);
  constructor(code: string, message: string, details?: Details);
  constructor(codeOrDiagnostics: string | Diagnostic[], message = '', details?: Details) {
    const diagnostics =
      typeof codeOrDiagnostics === 'string'
        ? [problem(codeOrDiagnostics, message, details)]
        : codeOrDiagnostics;
    super(diagnostics.map((d) => d.message).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/** A key or a value of YAML, up to its end. */
const word = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,:[\]{}#]+)/;
/** Replaces a hidden part of a quoted line: it does not tell where that part ends in the file. */
const hiddenSecret = /^["']?\(secret\)/;

/**
 * The column, from 1, after the end of the text at a position: as reading has found it, else judging by the quoted line. Undefined if
 * neither tells.
 */
export function endColumnOf({ column, endColumn, text, caret }: Position): number | undefined {
  if (endColumn !== undefined) return endColumn;
  const rest = caret === undefined ? undefined : text?.slice(caret);
  if (rest === undefined || hiddenSecret.test(rest)) return undefined;
  const [found = ''] = word.exec(rest) ?? [];
  const isWhole = found !== '' && !found.includes('…') && !found.includes('(secret)');
  return isWhole ? column + found.length : undefined;
}
