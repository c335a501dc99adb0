import { type Diagnostic, hasErrors, Problems, problem } from './diagnostic.ts';
import { foldDiagnostics } from './fold-diagnostics.ts';
import { isProgramError } from './program-error.ts';

/** Returns the problems to report for any error that was thrown. Used for a failed run, and for a failed stack among others. Similar ones are folded. */
export const problemsOf = (error: unknown): Diagnostic[] =>
  error instanceof Problems && hasErrors(error.diagnostics)
    ? foldDiagnostics(error.diagnostics)
    : [unexpectedProblem(error)];

/**
 * Converts an error that is not `Problems` to a problem that a command can print. It comes from the operating system or the platform, or it is a bug
 * in trueup.
 */
function unexpectedProblem(error: unknown) {
  const { message, hint, code, syscall, status } = error as {
    message?: string;
    hint?: string;
    code?: string;
    syscall?: string;
    /** The HTTP status, if the platform refused a request. */
    status?: number;
  };
  if (isProgramError(error))
    return problem(
      'internal',
      'trueup met an answer, a file or a state of the account that it does not expect',
      {
        hint: 'this is a bug in trueup: run again with TRUEUP_DEBUG=1 and report what it prints',
      },
    );
  // For example a full disk, too many open files, or a folder without permission.
  if (syscall !== undefined && code !== undefined)
    return problem(`system/${code.toLowerCase()}`, `the system reported an error: ${message}`, {
      hint: 'fix that and run it again; the changes that were done so far are recorded',
    });
  return problem(code ?? 'internal', message ?? String(error), {
    hint:
      hint ??
      (status === undefined
        ? 'this is a bug in trueup: run again with TRUEUP_DEBUG=1 and report what it prints'
        : 'the platform refused this request: check the names and ids in it'),
  });
}
