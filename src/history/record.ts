import { hash } from 'node:crypto';
import * as z from 'zod';
import { type Proof, verifyBySigner } from '../ledger/proof.ts';
import { actions, fieldCauses } from '../model/change.ts';
import {
  canonicalJson,
  isValidSignature,
  type LedgerKey,
  type SigningKey,
  signatureOf,
} from '../model/digest.ts';
import { actionResults } from '../model/planned-action.ts';
import { tryParseJson } from '../model/read-json.ts';

const recordCount = z.int().min(0);
const anyText = z.string();
const recordText = anyText.max(2000);
const optionalRecordText = recordText.optional();
const recordFlag = z.literal(true).optional();
const recordTime = z.iso.datetime();
const runNumber = z.int().min(1);

/*
 * The record of one run: a signed JSON file in the history of a stack. It says who did what when, so that `trueup log`, `blame` and `undo`
 * can answer from it.
 *
 *   head     the facts of the run. The signature covers only the head.
 *   details  the changes. The head has their digest, so they are protected too, and can be dropped when the record is old.
 *   chain    each head has the digest of the record before it, so a removed or replaced record is noticed.
 */

/** One field of a change as the plan showed it. Secrets read `(secret)`. */
const recordField = z.strictObject({
  path: anyText,
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  cause: z.enum(fieldCauses),
  secret: recordFlag,
  /** True if its values were left out: they were too large, or the run records only paths. */
  omitted: recordFlag,
});

const changeResults = ['done', 'failed', 'left', 'not tried', 'planned'] as const;

const recordChange = z.strictObject({
  address: anyText,
  kind: anyText,
  action: z.enum(actions),
  /** Its outcome. `planned`: the run had not reached it, or was killed before it recorded the outcome. */
  result: z.enum(changeResults),
  fields: z.array(recordField),
  /** True if its fields were left out, because the record would have become too large. */
  omitted: recordFlag,
});

/** How a run ended. `begun`: the run is under way, or was killed before it recorded its end. */
const runOutcomes = ['begun', 'done', 'failed', 'not finished', 'interrupted', 'renamed'] as const;

const runCommands = ['apply', 'destroy', 'undo', 'run'] as const;
/** The commands that change a ledger and no object: `trueup ledger rename` and so on. */
const ledgerCommands = ['rename', 'move', 'forget', 'sign', 'retire', 'copy'] as const;

const head = z.strictObject({
  formatVersion: z.literal(1),
  /** The number of the run: each stack counts its own, from 1. */
  run: runNumber,
  /** The digest of the record before it; null for the first one. */
  previous: anyText.nullable(),
  baseUrl: anyText,
  owner: anyText,
  stack: anyText,
  stage: optionalRecordText,
  command: z.enum([...runCommands, ...ledgerCommands]),
  /** The action of `trueup run`. Its input may be confidential, so it is not recorded. */
  action: optionalRecordText,
  /** The run that an undo reverts. */
  undoes: runNumber.optional(),
  /** The old name of the stack, in the record of its rename. */
  was: anyText.optional(),
  /** The stack (or place) that entries were moved to, or from. */
  to: anyText.optional(),
  from: anyText.optional(),
  /** The run before, if it was killed and this run continues its work. */
  resumes: runNumber.optional(),
  /** The person who started it, and the environment variable that says so. */
  actor: z.strictObject({ name: recordText, says: recordText }).optional(),
  ci: z.strictObject({ name: recordText, run: optionalRecordText, url: optionalRecordText }).optional(),
  /** The commit that the configuration was read at; `dirty`: it was not all committed. */
  commit: z.strictObject({ id: anyText.regex(/^[0-9a-f]{40,64}$/), dirty: recordFlag }).optional(),
  version: recordText,
  /** The digest of the plan: of a saved one, its own. */
  plan: anyText,
  /** How the run was approved: by a person at a terminal, by a flag, or by the approval of a saved plan. */
  approval: z.enum(['asked', 'flag', 'saved plan']).optional(),
  /** Set if the run covered only a part of the configuration. */
  partial: recordFlag,
  start: recordTime,
  end: recordTime.optional(),
  outcome: z.enum(runOutcomes),
  /** Counts of created objects, updated objects and so on, as people count. */
  done: z.record(anyText, recordCount),
  failed: recordCount,
  notDone: recordCount,
  /** False if the values of the fields are not recorded. */
  values: z.literal(false).optional(),
  /** The digest of the details, so that the signature of the head covers them, and stays valid when old details are dropped. */
  details: anyText,
});

const details = z.strictObject({
  changes: z.array(recordChange),
  /** The number of further changes. */
  more: recordCount.optional(),
  /** The actions that followed the changes, each with its result. */
  actions: z.array(z.strictObject({ id: recordText, result: z.enum(actionResults) })).optional(),
});

const file = head.extend({
  signature: anyText.optional(),
  changes: details.shape.changes.optional(),
  more: recordCount.optional(),
  actions: details.shape.actions,
});

/** True if a record is of a command that changed only the ledger, such as `trueup ledger move`. */
export const isLedgerRecord = ({ command }: Pick<RecordHead, 'command'>): boolean =>
  (ledgerCommands as readonly string[]).includes(command);

/** True if a record is of an action (`trueup run`), which applies no fields. */
export const isActionRecord = ({ command }: Pick<RecordHead, 'command'>): boolean => command === 'run';

export type RecordHead = z.infer<typeof head>;
export type RecordDetails = z.infer<typeof details>;
export type RecordedChange = RecordDetails['changes'][number];
export type RecordedField = RecordedChange['fields'][number];
export type ChangeResult = RecordedChange['result'];

/** A record that was read, with the proof of its signature. */
export interface RunRecord {
  head: RecordHead;
  /** Missing if the record is old and its details were dropped. */
  details?: RecordDetails;
  proof: Proof;
  /** The digest that the next record calls `previous`. */
  digest: string;
}

/**
 * Returns the digest of a value in a record. It links each record to the one before it, and the head to its details.
 */
const recordDigestOf = (value: unknown): string => hash('sha256', canonicalJson(value), 'base64url');

/**
 * Signs the record of a run and formats it as the JSON of its file. The head gets the digest of the details, so
 * that the signature of the head covers both. Details can be dropped later, when the record is old, and the
 * signature stays valid.
 */
export function formatRecord(
  unsignedHead: Omit<RecordHead, 'details'>,
  details: RecordDetails,
  key: SigningKey,
): string {
  const head: RecordHead = { ...unsignedHead, details: recordDigestOf(details) };
  const signatureText = `${key.id}.${signatureOf(key, 'history', [canonicalJson(head)])}`;
  return `${JSON.stringify({ ...head, signature: signatureText, ...details }, undefined, 1)}\n`;
}

/**
 * Removes the details from the text of a record, to keep old histories small. The signature stays valid, because it covers only the head.
 * Returns a text that is no JSON unchanged.
 */
export function dropRecordDetails(text: string): string {
  try {
    const { changes: _, more: __, actions: ___, ...signedHead } = JSON.parse(text) as Record<string, unknown>;
    return `${JSON.stringify(signedHead, undefined, 1)}\n`;
  } catch {
    return text;
  }
}

/**
 * Parses the record of a run for `trueup log`, `blame` and `undo`, and verifies its signature, because anybody who
 * can write to the store of the history may edit it. Undefined if the text is no record. The signature covers the
 * head, and the head has the digest of the details (`changes`, `more`, `actions`): if that differs, the proof is
 * `altered`. `place` names the record in messages.
 */
export function parseRecord(text: string, key: LedgerKey | undefined, place: string): RunRecord | undefined {
  const parsed = file.safeParse(tryParseJson(text));
  if (!parsed.success) return undefined;
  const { signature: signatureText = '', changes, more, actions, ...parsedHead } = parsed.data;
  const [keyId = '', mac = ''] = signatureText.split('.');
  const headProof =
    keyId === '' || mac === ''
      ? { doubt: 'unsigned' as const, place }
      : verifyBySigner(keyId, key, place, (signer) =>
          isValidSignature(mac, signer, 'history', [canonicalJson(parsedHead)]),
        );
  const parsedDetails = changes && { changes, more, actions };
  const areDetailsSigned = !parsedDetails || recordDigestOf(parsedDetails) === parsedHead.details;
  return {
    head: parsedHead,
    details: parsedDetails,
    proof: areDetailsSigned ? headProof : { doubt: 'altered', place, key: keyId },
    digest: recordDigestOf([parsedHead, signatureText]),
  };
}
