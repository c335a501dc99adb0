import * as z from 'zod';

/** A field that takes any JSON, null included, but must be there. */
export const anyJson = () => z.any().refine((value) => value !== undefined, 'a value is missing');
