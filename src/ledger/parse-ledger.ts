import * as z from 'zod';
import { problem, raise } from '../model/diagnostic.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { tryParseJson } from '../model/read-json.ts';
import { permissions } from '../model/resource.ts';
import { isObjectValue } from '../model/value.ts';

/**
 * Parses the text of a ledger. Throws `Problems` with a remedy if it is damaged or written by a later version. A damaged ledger is
 * never replaced by an empty one, because the stack would forget what it owns.
 */
export function parseLedger(text: string, place: string): Ledger {
  const ledgerProblem = (code: string, message: string, hint: string) =>
    problem(code, `${place}: ${message}`, { hint });
  const json = tryParseJson(text);
  if (json === undefined)
    raise(
      ledgerProblem(
        'ledger/corrupt',
        'this is not valid JSON',
        'restore an earlier version, for example from git; without it nothing is deleted and existing objects are adopted again',
      ),
    );
  const version = (json as { formatVersion?: unknown } | null)?.formatVersion;
  if (typeof version === 'number' && version > 2)
    raise(
      ledgerProblem(
        'ledger/newer',
        `it was written by a newer version of trueup (format ${version})`,
        'upgrade trueup',
      ),
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
  raise(
    ledgerProblem(
      'ledger/corrupt',
      `this is not a ledger: ${issue?.path.join('.') || 'the document'} is not in the form trueup writes`,
      'restore an earlier version, for example from git',
    ),
  );
}

const ledgerText = z.string();
const optionalLedgerText = ledgerText.optional();
const ledgerTexts = z.array(ledgerText);
const optionalLedgerFlag = z.literal(true).optional();
const ledgerTime = z.iso.datetime();

/** The form of an entry in a ledger or a journal. Unknown members pass through, so that an older version does not drop them. */
export const entrySchema = z.looseObject({
  kind: ledgerText,
  ids: ledgerTexts,
  origin: z.enum(['created', 'adopted']),
  salt: ledgerText,
  form: z.number(),
  fields: z.record(ledgerText, ledgerText),
  secrets: z.record(ledgerText, z.object({ key: ledgerText, digest: ledgerText })),
  hidden: ledgerTexts.optional(),
  updatedAt: z.number().optional(),
  targets: z.record(ledgerText, ledgerTexts).optional(),
  notKept: z.record(ledgerText, ledgerText).optional(),
  protect: optionalLedgerFlag,
  onRemove: z.literal('delete').optional(),
  allow: z.array(z.enum(permissions)).optional(),
  position: z.union([z.enum(['first', 'last']), z.looseObject({ before: ledgerText })]).optional(),
  existing: optionalLedgerFlag,
  handover: optionalLedgerText,
  tainted: optionalLedgerFlag,
  secretOf: optionalLedgerText,
  dependsOn: ledgerTexts.optional(),
});

/** Entries by address. A fast check comes first. The slow schema judges only an entry that fails it, and explains its mistakes. */
const entriesSchema = z.record(
  ledgerText,
  z.unknown().superRefine((value, { addIssue }) => {
    if (isEntry(value)) return;
    for (const { path, message } of entrySchema.safeParse(value).error?.issues ?? [])
      addIssue({ code: 'custom', path, message });
  }),
);

export const intentSchema = z.looseObject({
  entry: entrySchema,
  seen: ledgerTexts,
  sent: optionalLedgerFlag,
});

const stagedContentSchema = z.object({
  ids: ledgerTexts,
  entry: entrySchema.pick({ form: true, salt: true, fields: true, secrets: true }).optional(),
});

export const stagedSchema = z.record(
  ledgerText,
  z.object({
    base: optionalLedgerText,
    // Early versions stored only a list of addresses, from which the content of the version cannot be recognized.
    of: z.preprocess(
      (value) => (Array.isArray(value) ? {} : value),
      z.record(ledgerText, stagedContentSchema),
    ),
  }),
);

export const owedActionSchema = z.looseObject({
  action: ledgerText,
  about: optionalLedgerText,
  input: z.record(ledgerText, z.unknown()),
  from: ledgerTexts,
  since: ledgerTime,
  run: optionalLedgerText,
  mark: optionalLedgerText,
  sent: ledgerTime.optional(),
});

/** The form of a ledger. */
export const ledgerSchema = z.looseObject({
  formatVersion: z.literal(2),
  baseUrl: ledgerText,
  owner: ledgerText,
  stack: ledgerText,
  generation: z.number(),
  inputs: ledgerTexts,
  sources: z.record(ledgerText, ledgerText).optional(),
  entries: entriesSchema,
  begun: z.record(ledgerText, intentSchema).optional(),
  staged: stagedSchema.optional(),
  unverifiedFirstChange: optionalLedgerText,
  lastWrite: ledgerTime.optional(),
  writtenAt: ledgerTime.optional(),
  lastRun: optionalLedgerText,
  owed: z.record(ledgerText, owedActionSchema).optional(),
  plan: optionalLedgerText,
  copiedTo: optionalLedgerText,
  orders: z.record(ledgerText, ledgerTexts).optional(),
});

const isLedgerText = (value: unknown): value is string => typeof value === 'string';
const isLedgerTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isLedgerText);
const isRecordedDigest = (value: unknown): boolean =>
  isObjectValue(value) && isLedgerText(value.key) && isLedgerText(value.digest);
const isPosition = (value: unknown): boolean =>
  value === 'first' || value === 'last' || (isObjectValue(value) && isLedgerText(value.before));
const isPermissions = (value: unknown): boolean =>
  Array.isArray(value) && value.every((permission) => permissions.includes(permission));
const isFlag = (value: unknown): boolean => value === undefined || value === true;

/**
 * True if a value certainly is an entry of a ledger (what the stack recorded about one object), as `entrySchema`
 * describes it. Checked first because it is many times as fast as the schema, and a ledger may have 100,000 entries.
 * If it is false, `parseLedger` asks the schema. For the ledgers of other stacks it decides alone.
 */
export const isEntry = (value: unknown): value is LedgerEntry =>
  isObjectValue(value) &&
  isLedgerText(value.kind) &&
  isLedgerTexts(value.ids) &&
  (value.origin === 'created' || value.origin === 'adopted') &&
  isLedgerText(value.salt) &&
  Number.isFinite(value.form) &&
  isObjectValue(value.fields) &&
  Object.values(value.fields).every(isLedgerText) &&
  isObjectValue(value.secrets) &&
  Object.values(value.secrets).every(isRecordedDigest) &&
  (value.hidden === undefined || isLedgerTexts(value.hidden)) &&
  (value.secretOf === undefined || isLedgerText(value.secretOf)) &&
  (value.updatedAt === undefined || Number.isFinite(value.updatedAt)) &&
  (value.targets === undefined ||
    (isObjectValue(value.targets) && Object.values(value.targets).every(isLedgerTexts))) &&
  (value.notKept === undefined ||
    (isObjectValue(value.notKept) && Object.values(value.notKept).every(isLedgerText))) &&
  (value.onRemove === undefined || value.onRemove === 'delete') &&
  (value.allow === undefined || isPermissions(value.allow)) &&
  (value.position === undefined || isPosition(value.position)) &&
  (value.dependsOn === undefined || isLedgerTexts(value.dependsOn)) &&
  (value.handover === undefined || isLedgerText(value.handover)) &&
  isFlag(value.protect) &&
  isFlag(value.existing) &&
  isFlag(value.tainted);
