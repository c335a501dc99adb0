import type { Call } from '../call.ts';

/** The words that the query has under these names, each given once, several times, or with commas between them. */
export const queryValues = (call: Call, ...names: string[]): string[] =>
  names
    .flatMap((name) => call.query.getAll(name))
    .flatMap((text) => text.split(','))
    .filter((one) => one !== '');
