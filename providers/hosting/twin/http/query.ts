import * as z from 'zod';
import type { Call } from '../call.ts';
import { badRequest } from '../errors.ts';

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

/** Returns a parameter of the query as a whole number; undefined if it is absent. Throws 400 for another text. */
export function integer(call: Call, name: string): number | undefined {
  const text = call.query.get(name);
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0)
    throw badRequest(`Invalid request: \`${name}\` should be integer.`);
  return value;
}

/** Returns a parameter of the query that has to be one of a few words; undefined if it is absent. Throws 400 for another word. */
export function queryChoice<const T extends string>(
  call: Call,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const asked = call.query.get(name);
  if (asked === null || asked === '') return undefined;
  const choice = allowed.find((value) => value === asked);
  if (choice !== undefined) return choice;
  const list = allowed.map((value) => JSON.stringify(value)).join(', ');
  throw badRequest(`Invalid request: \`${name}\` should be equal to one of the allowed values ${list}.`);
}

/**
 * Returns all words that the query of a request has under these names. Clients send several words as `a=x&a=y` or as `a=x,y`, and the
 * platform accepts both.
 */
export const queryValues = (call: Call, ...names: string[]): string[] =>
  names
    .flatMap((name) => call.query.getAll(name))
    .flatMap((text) => text.split(','))
    .filter((word) => word !== '');
