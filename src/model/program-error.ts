/**
 * True for an error of the language, such as reading a member of `undefined`. Its message means nothing to a user, so whoever reports it
 * says instead which answer or object was not as expected.
 */
export const isProgramError = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
