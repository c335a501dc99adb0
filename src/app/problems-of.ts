import { type Diagnostic, hasErrors, Problems, problem } from '../model/diagnostic.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import { isProgramError } from '../model/program-error.ts';

/** Returns the problems of whatever was thrown, folded. Used to report a failed run, or a failed stack among others. */
export const problemsOf = (error: unknown): Diagnostic[] =>
  error instanceof Problems && hasErrors(error.diagnostics)
    ? foldDiagnostics(error.diagnostics)
    : [unexpectedProblem(error)];

/** Returns the problem with an error that is no `Problems`: an error of the system or of the platform, or a bug. */
function unexpectedProblem(error: unknown) {
  const { message, hint, code, syscall, status } = error as {
    message?: string;
    hint?: string;
    code?: string;
    syscall?: string;
    /** Of an answer. */
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
  // A full disk, too many open files, a folder without permission: wherever it happens, it is the system's word.
  if (syscall !== undefined && code !== undefined)
    return problem(`system/${code.toLowerCase()}`, `the system reported an error: ${message}`, {
      hint: 'fix that and run it again; what was done so far is recorded',
    });
  return problem(code ?? 'internal', message ?? String(error), {
    hint:
      hint ??
      (status === undefined
        ? 'this is a bug in trueup: run again with TRUEUP_DEBUG=1 and report what it prints'
        : 'the platform refused this request: check the names and ids in it'),
  });
}
