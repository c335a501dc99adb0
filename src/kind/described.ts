import * as z from 'zod';
import { secret } from './traits.ts';

/** The usual fields of actions and lookups, each with its sentence for people. */
export const described = {
  text: (doc: string) => z.string().min(1).describe(doc),
  number: (doc: string) => z.number().describe(doc),
  whole: (doc: string) => z.int().describe(doc),
  flag: (doc: string) => z.boolean().describe(doc),
  /** Told as ISO 8601, whether the platform has it so or in milliseconds. */
  time: (doc: string) => z.iso.datetime().describe(doc),
  texts: (doc: string) => z.array(z.string().min(1)).min(1).describe(doc),
  /** Whatever the platform has there. */
  json: (doc: string) => z.any().describe(doc),
  secret: (doc: string) => secret(z.string().min(1).describe(doc)),
};
