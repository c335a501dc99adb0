import * as z from 'zod';
import { isEntry } from './is-entry.ts';

/** An entry as it is kept. Members that a later version adds are kept. */
export const entrySchema = z.looseObject({
  kind: z.string(),
  ids: z.array(z.string()),
  origin: z.enum(['created', 'adopted']),
  salt: z.string(),
  form: z.number(),
  fields: z.record(z.string(), z.string()),
  secrets: z.record(z.string(), z.object({ key: z.string(), digest: z.string() })),
  hidden: z.array(z.string()).optional(),
  updatedAt: z.number().optional(),
  protect: z.literal(true).optional(),
  onRemove: z.literal('delete').optional(),
  existing: z.literal(true).optional(),
  tainted: z.literal(true).optional(),
  dependsOn: z.array(z.string()).optional(),
});

/** The same, for very many of them. */
const manyEntries = z.record(
  z.string(),
  z.unknown().superRefine((value, { addIssue }) => {
    if (isEntry(value)) return;
    for (const { path, message } of entrySchema.safeParse(value).error?.issues ?? [])
      addIssue({ code: 'custom', path, message });
  }),
);

export const begunSchema = z.looseObject({
  entry: entrySchema,
  seen: z.array(z.string()),
  sent: z.literal(true).optional(),
});

const stagedContentSchema = z.object({
  ids: z.array(z.string()),
  entry: entrySchema.pick({ form: true, salt: true, fields: true, secrets: true }).optional(),
});

export const stagedSchema = z.record(
  z.string(),
  z.object({
    base: z.string().optional(),
    // Once it was only known which addresses it changed: of that nothing can be told.
    of: z.preprocess(
      (value) => (Array.isArray(value) ? {} : value),
      z.record(z.string(), stagedContentSchema),
    ),
  }),
);

/** A ledger as it is kept. */
export const ledgerSchema = z.looseObject({
  formatVersion: z.literal(2),
  baseUrl: z.string(),
  owner: z.string(),
  stack: z.string(),
  generation: z.number(),
  inputs: z.array(z.string()),
  sources: z.record(z.string(), z.string()).optional(),
  entries: manyEntries,
  begun: z.record(z.string(), begunSchema).optional(),
  staged: stagedSchema.optional(),
  lastWrite: z.iso.datetime().optional(),
  writtenAt: z.iso.datetime().optional(),
  plan: z.string().optional(),
});
