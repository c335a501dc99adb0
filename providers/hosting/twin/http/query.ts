import * as z from 'zod';

// A parameter is required if its schema takes no undefined.

/** Any text. */
export const text = z.string().optional();
/** Several texts: the parameter repeated, or commas between them. */
export const several = z.array(z.string()).optional();
/** The word `true`; any other text counts as false. */
export const boolean = z.boolean().optional();
/** A whole number, 0 or more. */
export const wholeNumber = z.int().min(0).optional();
/** A parameter that the operation refuses to be without. */
export const required = z.string().min(1);
/** One of a few words. */
export const choice = <const T extends readonly string[]>(words: T) => z.enum(words).optional();
