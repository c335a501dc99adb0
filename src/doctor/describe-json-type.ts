import { jsonTypeOf } from '../kind/find-other-type.ts';

/**
 * Returns a value's type in the words of the reports of `trueup doctor`: `list`, `text`, `null`, `nothing` for a
 * missing value. The value itself is never reported.
 */
export const describeJsonType = (value: unknown): string =>
  value === undefined ? 'nothing' : jsonTypeOf(value);
