import * as z from 'zod';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';

const entry = z.looseObject({
  kind: z.string(),
  ids: z.array(z.string()),
  origin: z.enum(['created', 'adopted']),
  salt: z.string(),
  form: z.number(),
  fields: z.record(z.string(), z.string()),
  secrets: z.record(z.string(), z.object({ key: z.string(), digest: z.string() })),
  updatedAt: z.number().optional(),
  protect: z.literal(true).optional(),
  onRemove: z.literal('delete').optional(),
  existing: z.literal(true).optional(),
  tainted: z.literal(true).optional(),
  dependsOn: z.array(z.string()).optional(),
});

const schema = z.looseObject({
  formatVersion: z.literal(1),
  baseUrl: z.string(),
  owner: z.string(),
  stack: z.string(),
  generation: z.number(),
  inputs: z.array(z.string()),
  entries: z.record(z.string(), entry),
  staged: z.record(z.string(), z.object({ id: z.string().optional(), of: z.array(z.string()) })).optional(),
  pending: z.array(z.string()).optional(),
  plan: z.string().optional(),
});

/** Text as a ledger; throws `Problems` that say what to do where it is none. It is never silently reset. */
export function parseLedger(text: string, place: string): Ledger {
  const refuse = (code: string, message: string, hint: string) =>
    new Problems([problem(code, `${place}: ${message}`, { hint })]);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refuse(
      'ledger/corrupt',
      'this is no valid JSON',
      'restore an earlier version, for example from git; without it nothing is deleted and existing objects are adopted again',
    );
  }
  const version = (json as { formatVersion?: unknown } | null)?.formatVersion;
  if (typeof version === 'number' && version > 1)
    throw refuse('ledger/newer', `it was written by a newer trueup (format ${version})`, 'update trueup');
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data as Ledger;
  const [issue] = parsed.error.issues;
  throw refuse(
    'ledger/corrupt',
    `this is no ledger: ${issue?.path.join('.') || 'the document'}: ${issue?.message}`,
    'restore an earlier version, for example from git',
  );
}
