import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import { ledgerSchema } from './ledger-schema.ts';

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
  if (typeof version === 'number' && version > 2)
    throw refuse('ledger/newer', `it was written by a newer trueup (format ${version})`, 'update trueup');
  // The first format did not know what a run had begun.
  const current = version === 1 ? { ...(json as object), formatVersion: 2 } : json;
  const parsed = ledgerSchema.safeParse(current);
  if (parsed.success) {
    // It is about the bytes, and no part of what is known.
    const { signature: _, ...ledger } = parsed.data;
    return ledger as Ledger;
  }
  const [issue] = parsed.error.issues;
  throw refuse(
    'ledger/corrupt',
    `this is no ledger: ${issue?.path.join('.') || 'the document'}: ${issue?.message}`,
    'restore an earlier version, for example from git',
  );
}
