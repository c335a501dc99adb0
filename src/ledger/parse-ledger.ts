import * as z from 'zod';
import { Problems } from '../model/diagnostic.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { tryParseJson } from '../model/read-json.ts';
import { permissions } from '../model/resource.ts';

/**
 * Parses the text of a ledger. Throws `Problems` with a remedy if it is damaged or written by a later version. A damaged ledger is
 * never replaced by an empty one, because the stack would forget what it owns.
 */
export function parseLedger(text: string, place: string): Ledger {
  const problemsWith = (code: string, message: string, hint: string) =>
    new Problems(code, `${place}: ${message}`, { hint });
  const json = tryParseJson(text);
  if (json === undefined)
    throw problemsWith(
      'ledger/corrupt',
      'this is not valid JSON',
      'restore an earlier version, for example from git; without it nothing is deleted and existing objects are adopted again',
    );
  const version = (json as { formatVersion?: unknown } | null)?.formatVersion;
  if (typeof version === 'number' && version > 2)
    throw problemsWith(
      'ledger/newer',
      `it was written by a newer version of trueup (format ${version})`,
      'upgrade trueup',
    );
  // Format 1 is format 2 without `begun`.
  const current = version === 1 ? { ...(json as object), formatVersion: 2 } : json;
  const parsed = ledgerSchema.safeParse(current);
  if (parsed.success) {
    // The signature covers the text and is no part of the ledger itself.
    const { signature: _, ...ledger } = parsed.data;
    return ledger as Ledger;
  }
  const [issue] = parsed.error.issues;
  throw problemsWith(
    'ledger/corrupt',
    `this is not a ledger: ${issue?.path.join('.') || 'the document'} is not in the form trueup writes`,
    'restore an earlier version, for example from git',
  );
}

/** The form of an entry in a ledger or a journal. Unknown members pass through, so that an older version does not drop them. */
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
  targets: z.record(z.string(), z.array(z.string())).optional(),
  notKept: z.record(z.string(), z.string()).optional(),
  protect: z.literal(true).optional(),
  onRemove: z.literal('delete').optional(),
  allow: z.array(z.enum(permissions)).optional(),
  position: z.union([z.enum(['first', 'last']), z.looseObject({ before: z.string() })]).optional(),
  existing: z.literal(true).optional(),
  handover: z.string().optional(),
  tainted: z.literal(true).optional(),
  secretOf: z.string().optional(),
  dependsOn: z.array(z.string()).optional(),
});

/** Entries by address. A fast check comes first, and the slow schema only explains the mistakes of an entry that fails it. */
const entriesSchema = z.record(
  z.string(),
  z.unknown().superRefine((value, { addIssue }) => {
    if (isEntry(value)) return;
    for (const { path, message } of entrySchema.safeParse(value).error?.issues ?? [])
      addIssue({ code: 'custom', path, message });
  }),
);

export const intentSchema = z.looseObject({
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
    // Early versions stored only a list of addresses, from which the content of the version cannot be recognized.
    of: z.preprocess(
      (value) => (Array.isArray(value) ? {} : value),
      z.record(z.string(), stagedContentSchema),
    ),
  }),
);

export const owedActionSchema = z.looseObject({
  action: z.string(),
  about: z.string().optional(),
  input: z.record(z.string(), z.unknown()),
  from: z.array(z.string()),
  since: z.iso.datetime(),
  run: z.string().optional(),
  mark: z.string().optional(),
  sent: z.iso.datetime().optional(),
});

/** The form of a ledger. */
const ledgerSchema = z.looseObject({
  formatVersion: z.literal(2),
  baseUrl: z.string(),
  owner: z.string(),
  stack: z.string(),
  generation: z.number(),
  inputs: z.array(z.string()),
  sources: z.record(z.string(), z.string()).optional(),
  entries: entriesSchema,
  begun: z.record(z.string(), intentSchema).optional(),
  staged: stagedSchema.optional(),
  unverifiedFirstChange: z.string().optional(),
  lastWrite: z.iso.datetime().optional(),
  writtenAt: z.iso.datetime().optional(),
  lastRun: z.string().optional(),
  owed: z.record(z.string(), owedActionSchema).optional(),
  plan: z.string().optional(),
  copiedTo: z.string().optional(),
  orders: z.record(z.string(), z.array(z.string())).optional(),
});

const isLedgerObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isLedgerText = (value: unknown): value is string => typeof value === 'string';
const isLedgerTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isLedgerText);
const isRecordedDigest = (value: unknown): boolean =>
  isLedgerObject(value) && isLedgerText(value.key) && isLedgerText(value.digest);
const isPosition = (value: unknown): boolean =>
  value === 'first' || value === 'last' || (isLedgerObject(value) && isLedgerText(value.before));
const isPermissions = (value: unknown): boolean =>
  Array.isArray(value) && value.every((permission) => permissions.includes(permission));
const isFlag = (value: unknown): boolean => value === undefined || value === true;

/**
 * True if a value certainly fits `entrySchema`. Ten times as fast as the schema, because a ledger may have 100,000
 * entries. If it is false, the schema decides.
 */
export const isEntry = (value: unknown): value is LedgerEntry =>
  isLedgerObject(value) &&
  isLedgerText(value.kind) &&
  isLedgerTexts(value.ids) &&
  (value.origin === 'created' || value.origin === 'adopted') &&
  isLedgerText(value.salt) &&
  Number.isFinite(value.form) &&
  isLedgerObject(value.fields) &&
  Object.values(value.fields).every(isLedgerText) &&
  isLedgerObject(value.secrets) &&
  Object.values(value.secrets).every(isRecordedDigest) &&
  (value.hidden === undefined || isLedgerTexts(value.hidden)) &&
  (value.secretOf === undefined || isLedgerText(value.secretOf)) &&
  (value.updatedAt === undefined || Number.isFinite(value.updatedAt)) &&
  (value.targets === undefined ||
    (isLedgerObject(value.targets) && Object.values(value.targets).every(isLedgerTexts))) &&
  (value.notKept === undefined ||
    (isLedgerObject(value.notKept) && Object.values(value.notKept).every(isLedgerText))) &&
  (value.onRemove === undefined || value.onRemove === 'delete') &&
  (value.allow === undefined || isPermissions(value.allow)) &&
  (value.position === undefined || isPosition(value.position)) &&
  (value.dependsOn === undefined || isLedgerTexts(value.dependsOn)) &&
  (value.handover === undefined || isLedgerText(value.handover)) &&
  isFlag(value.protect) &&
  isFlag(value.existing) &&
  isFlag(value.tainted);
