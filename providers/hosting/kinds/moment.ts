import * as z from 'zod';

/** A moment in time, as ISO 8601 text with its offset or in milliseconds since 1970; the latter is what the platform takes. */
export const moment = () =>
  z.union([z.int().min(0), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]);
