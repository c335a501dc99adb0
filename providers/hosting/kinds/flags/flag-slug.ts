import * as z from 'zod';

/** The slug of a flag or a segment. */
export const flagSlug = () =>
  z.string().regex(/^[\w-]+$/, 'a slug can have letters, digits, underscores and hyphens');
