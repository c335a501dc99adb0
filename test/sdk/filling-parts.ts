import fc from 'fast-check';
import type * as z from 'zod/v3';
import type { Hints } from './arbitrary-of.ts';

export type Body = Record<string, unknown>;

/** A sort of request that fills an account; `@project0` in its texts stands for the id of the first project, and so on. */
export interface Filling {
  operation: string;
  /** Of how many bodies, and where each goes. */
  at: Record<string, string>[];
  /** The schema, of an operation that takes bodies of many sorts. */
  schema?: z.ZodTypeAny;
  hints: Hints;
  /** Makes of a random body what the platform can mean: what its schema does not say of members that belong together. */
  fitted?(body: Body, index: number): Body;
}

/** Values to choose from. */
export const oneOf = (...values: unknown[]) => fc.constantFrom(...values);
/** Some of these values, as a list. */
export const listOf = (...values: unknown[]) => fc.subarray(values, { minLength: 1 });
/** The placeholders of the projects. */
export const projects = ['@project0', '@project1'];
/** Places in each project in turn; `name` is the parameter that names it. */
export const inProjects = (name: string, times: number, more: Record<string, string> = {}) =>
  Array.from({ length: times }, (_, index) => ({ [name]: projects[index % 2]!, ...more }));
/** Places of requests that need no parameters. */
export const anywhere = (times: number) => Array.from({ length: times }, () => ({}));
/** Gives each body one of these names. */
export const named =
  (key: string, ...names: string[]) =>
  (body: Body, index: number) => ({ ...body, [key]: names[index] });
