import type { Address } from './address.ts';
import { byText } from './graph.ts';
import type { NamedSecret } from './secret-families.ts';
import { dropUndefined } from './walk.ts';

/*
 * Three words for places:
 *
 *   | word         | place of                                                  | example                           |
 *   | ------------ | --------------------------------------------------------- | --------------------------------- |
 *   | `at`         | a text in a file (`Position`, or a `Place` that has one)  | `trueup.yaml:4:7`                 |
 *   | `position`   | an item in an ordered list (`ItemPosition`), or of the    | from 3 to 1; `$position: last`    |
 *   |              | items of a stack among those of others (`ListPosition`)   |                                   |
 *   | row position | a unit in its row (`Shape.rowPositionsOf`)                | `@production` of a variable       |
 */

/** A place in a file; line and column count from 1. `text` is the quoted line, already safe to show. */
export interface Position {
  file: string;
  line: number;
  column: number;
  /** The column after the end of the text in question, in the same line, if reading determined it. */
  endColumn?: number;
  text?: string;
  /** The index in `text`, from 0, at which the column appears. It differs from the column if text before it is masked or cut. */
  caret?: number;
}

/** What a plan does to a finding: its changes cause it, it exists already and stays, or they remove it. */
export type FindingState = 'new' | 'unchanged' | 'fixed';

/**
 * A problem as data. `code` is stable, so tests and users can rely on it. `message` describes the mistake, `hint` says what to do. An error
 * stops the command, a warning and a note stop nothing. A note is about something that could be better, or that this run did not check.
 */
export interface Diagnostic {
  severity: 'error' | 'warning' | 'note';
  code: string;
  message: string;
  hint?: string;
  address?: Address;
  /** The secret that is the subject, and the resources that need it. */
  secret?: NamedSecret & { users?: Address[] };
  at?: Position;
  /** Other places that belong to the problem, for example the first of two declarations. */
  related?: { message: string; at: Position }[];
  /**
   * Only a finding of a plan (harm that valid configuration does) has it: its state, and the addresses of the changes that cause or fix it.
   */
  finding?: { state: FindingState; causes: readonly Address[] };
  /** A rule of `findings:` turns it off. Only code scanning gets such findings, because it marks them as suppressed. */
  isSuppressed?: true;
  /** Nothing has to be fixed: the same command succeeds later, when a rate limit allows it. */
  isForLater?: true;
  /** The text as one of several equal problems; see `foldDiagnostics`. */
  alike?: Alike;
  /** The equal problems that this one represents; absent if it represents only itself. */
  folded?: readonly Diagnostic[];
}

/** The common part of equal problems, which `foldDiagnostics` shows as one. */
interface Alike {
  /** Equal for problems with one cause. Default: the message and the hint without the names of the subject. */
  cause: string;
  /** The text behind the number of problems: `resources are owned by the stack web`. */
  are?: string;
  /** The hint for several problems. */
  hint?: string;
}

/** A stretch of a text that can compute its own position. */
interface SourceStretch {
  source: { position(offset: number): Position };
  start: number;
}

/** The place of a problem: a position, a stretch of a file, or something with a place (a YAML node, a resource). */
export type Place = Position | SourceStretch | { at: Position | SourceStretch };

/**
 * The code of the warning that a declared object exists and does not work, because something is missing elsewhere, such as a DNS record.
 * Apply repeats it at its end, and no approval of a plan depends on it.
 */
export const notReadyCode = 'plan/not-ready';

/** The code of the problem that a write removes members which the account has and no configuration can declare. */
export const lostMembersCode = 'write/loses';

/** The members of a problem besides its code and message. Undefined members are left out of the diagnostic. */
export type Details = Omit<Diagnostic, 'severity' | 'code' | 'message' | 'at' | 'related'> & {
  at?: Place;
  related?: { message: string; at: Place }[];
};

/** Returns the position of a place. Computes it from the offset if the place is a stretch of a file. */
function toPosition(place: Place): Position {
  if ('at' in place) return toPosition(place.at);
  return 'source' in place ? place.source.position(place.start) : place;
}

/** Creates a diagnostic (a problem or warning that commands print), with its places as positions. Shared by `problem` and `warning`. */
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

/*
 * Ways to report a problem. All of them take the same code, message and details.
 *
 *   | The caller                                             | writes                                   |
 *   | ------------------------------------------------------ | ---------------------------------------- |
 *   | returns the problem, or compares it first              | `return problem(code, message, details)` |
 *   | goes on, and reports all problems together at the end  | `report.error(code, message, details)`   |
 *   | goes on, and has problems of another function          | `report.add(problems)`                   |
 *   | cannot continue                                        | `raise(code, message, details)`          |
 *   | cannot continue because of problems that exist already | `raise(problems)`                        |
 *   | cannot continue if one of some diagnostics is an error | `raiseErrors(diagnostics)`               |
 *
 * `warning` and `report.warning` create warnings, which stop nothing. Undefined details are left out of the diagnostic.
 */

/** Creates an error as data: its message, hint and place. */
export const problem = (code: string, message: string, details?: Details): Diagnostic =>
  diagnosticOf('error', code, message, details);

/** Creates a warning as data, like `problem`. A warning stops nothing. */
export const warning = (code: string, message: string, details?: Details): Diagnostic =>
  diagnosticOf('warning', code, message, details);

/** Returns a problem as a warning, for a run that goes on although something is wrong or missing. */
export const asWarning = (diagnostic: Diagnostic): Diagnostic => ({ ...diagnostic, severity: 'warning' });

/** Returns a problem as a note, for a command that does not need the missing value. */
export const asNote = (diagnostic: Diagnostic): Diagnostic => ({ ...diagnostic, severity: 'note' });

const severityRank = { error: 0, warning: 1, note: 2 } as const;

/** Compares problems by their severity, to sort errors before warnings and warnings before notes. */
export const bySeverity = (a: Pick<Diagnostic, 'severity'>, b: Pick<Diagnostic, 'severity'>): number =>
  severityRank[a.severity] - severityRank[b.severity];

/**
 * Turns the error about a collection that could not be read into a warning. For `--allow-incomplete`, since the plan then covers the rest,
 * and for reports, because they must not depend on that option. Other diagnostics stay as they are.
 */
export const downgradeIncomplete = (diagnostic: Diagnostic): Diagnostic =>
  diagnostic.code === 'observe/incomplete' ? asWarning(diagnostic) : diagnostic;

/** Collects problems, for a step that goes on and a caller that reports all of them together. */
export class Reporter {
  readonly diagnostics: Diagnostic[];
  readonly #common: Details;

  /** Adds to an existing list if one is passed. `common`: details of all its problems, such as the address of their block. */
  constructor(diagnostics: Diagnostic[] = [], common: Details = {}) {
    this.diagnostics = diagnostics;
    this.#common = common;
  }

  /** Returns a reporter that adds to the same list. Its problems have these details if they have no others. */
  withDetails(common: Details): Reporter {
    return new Reporter(this.diagnostics, { ...this.#common, ...common });
  }

  /** Reports a problem. Returns undefined, so that a reader without a result can `return report.error(...)`. */
  error(code: string, message: string, details?: Details): undefined {
    this.add(problem(code, message, { ...this.#common, ...details }));
  }

  warning(code: string, message: string, details?: Details): undefined {
    this.add(warning(code, message, { ...this.#common, ...details }));
  }

  /** Reports a problem, or all of a list, that another function has created. */
  add(diagnostics: Diagnostic | readonly Diagnostic[]): undefined {
    // `push(...)` would fail: a large configuration has more problems than a call takes arguments.
    for (const diagnostic of [diagnostics].flat()) this.diagnostics.push(diagnostic);
  }
}

/** True if a list contains an error. Warnings do not stop a command. */
export const hasErrors = (diagnostics: Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === 'error');

/** Returns a value as JSON without the places in it (members `at`), to compare values that may be written elsewhere. */
export const jsonWithoutPlaces = (value: unknown): string =>
  JSON.stringify(value, (key, member) => (key === 'at' ? undefined : member));

/** Returns the message of a problem with its place, for a list of messages. */
export const messageWithPlace = ({ message, at }: Pick<Diagnostic, 'message' | 'at'>): string =>
  at ? `${message} (${at.file}:${at.line})` : message;

/** Compares two positions for sorting. A missing position comes last. */
export function byPlace(a: Position | undefined, b: Position | undefined): number {
  if (!a || !b) return Number(!a) - Number(!b);
  return byText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/**
 * Returns problems sorted by their place in the files, as commands print them, those without a place first. The same problem at the same
 * place is kept once; it occurs twice if several aliases refer to one line.
 */
export function sortDiagnostics(diagnostics: Diagnostic[]): Diagnostic[] {
  const identities = new Set<string>();
  const distinct = diagnostics.filter(({ code, message, at }) => {
    const identity = JSON.stringify([code, message, at?.file, at?.line, at?.column]);
    const isFirst = !identities.has(identity);
    identities.add(identity);
    return isFirst;
  });
  return distinct.sort(
    (a, b) =>
      byText(a.at?.file ?? '', b.at?.file ?? '') ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      (a.at?.column ?? 0) - (b.at?.column ?? 0) ||
      byText(a.code, b.code),
  );
}

/** The error that ends a step of a command, with all problems to print for the user. Thrown by `raise`; its message joins theirs. */
export class Problems extends Error {
  readonly diagnostics: Diagnostic[];

  constructor(diagnostics: Diagnostic[]) {
    super(diagnostics.map(({ message }) => message).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/**
 * Throws `Problems`, which ends the command unless a caller handles it. Takes a problem or a list of them, or the parameters of `problem`
 * for one that is not created yet.
 */
export function raise(problems: Diagnostic | Diagnostic[]): never;
export function raise(code: string, message: string, details?: Details): never;
/**
 * Throws `Problems`, the error that ends a command with these problems unless a caller handles it. Takes one problem, a list of them, or
 * the code, message and details of one that is not created yet.
 */
export function raise(
  codeOrProblems: string | Diagnostic | Diagnostic[],
  message = '',
  details?: Details,
): never {
  if (typeof codeOrProblems === 'string') return raise(problem(codeOrProblems, message, details));
  throw new Problems(Array.isArray(codeOrProblems) ? codeOrProblems : [codeOrProblems]);
}

/**
 * Throws all diagnostics of a list, with its warnings, if one of them is an error. Used at the end of a check that reports all problems at
 * once instead of only the first.
 */
export function raiseErrors(diagnostics: Diagnostic[]): void {
  if (hasErrors(diagnostics)) raise(diagnostics);
}

/** A key or a value of YAML, up to its end. */
const word = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,:[\]{}#]+)/;
/** The placeholder for a hidden part of a quoted line. Its length differs from that of the hidden part. */
const hiddenSecret = /^["']?\(secret\)/;

/**
 * Returns the column, from 1, after the end of the text at a position: as reading determined it, otherwise by the
 * quoted line. Returns undefined if neither tells, for example at a hidden secret. Used by reports that mark the text
 * (GitHub, SARIF).
 */
export function endColumnOf({ column, endColumn, text, caret }: Position): number | undefined {
  if (endColumn !== undefined) return endColumn;
  const textFromCaret = caret === undefined ? undefined : text?.slice(caret);
  if (textFromCaret === undefined || hiddenSecret.test(textFromCaret)) return undefined;
  const [firstWord = ''] = word.exec(textFromCaret) ?? [];
  // The quoted line may be cut (`…`).
  const isComplete = firstWord !== '' && !firstWord.includes('…') && !firstWord.includes('(secret)');
  return isComplete ? column + firstWord.length : undefined;
}

/** Returns a text in quotes for a shell, which then interprets nothing in it. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns a word of a command that people copy from a message, in quotes if necessary. Names in an account or a ledger
 * are chosen by others, who may want them to run something.
 */
export const shellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word));

/** Returns the flag behind the name of an option: `--send-unverified` for `sendUnverified`. */
export const flagOf = (name: string): string =>
  `--${name === 'actions' ? 'no-' : ''}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
