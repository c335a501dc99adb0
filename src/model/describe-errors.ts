import { type Diagnostic, hasErrors, Problems, problem } from './diagnostic.ts';
import { foldDiagnostics } from './fold-diagnostics.ts';

/**
 * Returns the problems to report for any error that was thrown. Used for a failed run, and for a failed stack among others. Similar ones
 * are folded.
 */
export const problemsOf = (error: unknown): Diagnostic[] =>
  error instanceof Problems && hasErrors(error.diagnostics)
    ? foldDiagnostics(error.diagnostics)
    : [unexpectedProblem(error)];

/** The hint of an error that only a change of the program can prevent. */
const bugHint =
  'this is a bug in trueup: report it with the file of `trueup doctor --bug FILE`, which has no names of your account, or with what TRUEUP_DEBUG=1 prints';

/**
 * Converts an error that is not `Problems` to a problem that a command can print. It comes from the operating system or the platform, or it
 * is a bug in trueup.
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
        hint: bugHint,
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
      (status === undefined ? bugHint : 'the platform refused this request: check the names and ids in it'),
  });
}

/**
 * True for an error of the language, such as reading a member of `undefined`. Its message means nothing to users, so
 * callers report the unexpected answer or object instead.
 */
export const isProgramError = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;

const systemErrorTexts: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it already exists',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk reported an error',
};

/**
 * Returns an error of the operating system in plain words, with its code: `permission denied (EACCES)`. For any other
 * error, returns its message.
 */
export function describeSystemError(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && Object.hasOwn(systemErrorTexts, code)
    ? `${systemErrorTexts[code]} (${code})`
    : error.message;
}
