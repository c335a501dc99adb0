/**
 * True for an error of the language, such as reading a member of `undefined`. Its message means nothing to users, so
 * callers report the unexpected answer or object instead.
 */
export const isProgramError = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
