import { hash } from 'node:crypto';
import * as z from 'zod';
import { type Proof, verifyBySigner } from '../ledger/proof.ts';
import { canonical } from '../model/canonical.ts';
import { actions, fieldCauses } from '../model/change.ts';
import { jsonIn } from '../model/json-in.ts';
import { isSignature, type LedgerKey, type SigningKey, signature } from '../model/ledger-key.ts';
import { actionResults } from '../model/planned-action.ts';

const count = z.int().min(0);
const text = z.string().max(2000);

/** One field of a change as the plan showed it; secrets read `(secret)`. */
const field = z.strictObject({
  path: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  cause: z.enum(fieldCauses),
  secret: z.literal(true).optional(),
  /** Its values were left out: they were too large, or were not to be kept. */
  omitted: z.literal(true).optional(),
});

const results = ['done', 'failed', 'left', 'not tried', 'planned'] as const;

const change = z.strictObject({
  address: z.string(),
  kind: z.string(),
  action: z.enum(actions),
  /** Its outcome. `planned`: the run had not got there, or did not get to say so. */
  result: z.enum(results),
  fields: z.array(field),
  /** Its fields were left out, since the record would have grown too large. */
  omitted: z.literal(true).optional(),
});

/** The end of a run. `begun`: none recorded, since it is under way or was killed. */
const outcomes = ['begun', 'done', 'failed', 'not finished', 'interrupted', 'renamed'] as const;

const runCommands = ['apply', 'destroy', 'undo', 'run'] as const;
/** The commands that change a ledger and no object: `trueup ledger rename` and so on. */
const ledgerCommands = ['rename', 'move', 'forget', 'sign', 'retire', 'copy'] as const;

const head = z.strictObject({
  formatVersion: z.literal(1),
  /** The number of the run: each stack counts its own, from 1. */
  run: z.int().min(1),
  /** The digest of the record before it; null for the first one. */
  previous: z.string().nullable(),
  baseUrl: z.string(),
  owner: z.string(),
  stack: z.string(),
  stage: text.optional(),
  command: z.enum([...runCommands, ...ledgerCommands]),
  /** The action, if `run` did one. Its input is nobody's business. */
  action: text.optional(),
  /** The run that an undo takes back; the old name of the stack, for a rename. */
  undoes: z.int().min(1).optional(),
  was: z.string().optional(),
  /** The stack that owns it after a move, or that did before. */
  to: z.string().optional(),
  from: z.string().optional(),
  /** The run that ended without a word, and that this one goes on with. */
  resumes: z.int().min(1).optional(),
  /** The person who started it, and the environment variable that says so. */
  actor: z.strictObject({ name: text, says: text }).optional(),
  ci: z.strictObject({ name: text, run: text.optional(), url: text.optional() }).optional(),
  /** The commit that the configuration was read at; `dirty`: it was not all committed. */
  commit: z
    .strictObject({ id: z.string().regex(/^[0-9a-f]{40,64}$/), dirty: z.literal(true).optional() })
    .optional(),
  version: text,
  /** The digest of the plan: of a saved one, its own. */
  plan: z.string(),
  /** The consent: a person at a terminal, a flag, or whoever let the saved plan be applied. */
  approval: z.enum(['asked', 'flag', 'saved plan']).optional(),
  /** Only a part of the configuration was looked at. */
  partial: z.literal(true).optional(),
  start: z.iso.datetime(),
  end: z.iso.datetime().optional(),
  outcome: z.enum(outcomes),
  /** Counts of what was created, updated and so on, as people count. */
  done: z.record(z.string(), count),
  failed: count,
  notDone: count,
  /** The values of the fields are not kept. */
  values: z.literal(false).optional(),
  /** The digest of the changes: they may go when the record is old, and what is left is still signed. */
  details: z.string(),
});

const details = z.strictObject({
  changes: z.array(change),
  /** The number of further changes. */
  more: count.optional(),
  /** The actions that followed, and what became of each. */
  actions: z.array(z.strictObject({ id: text, result: z.enum(actionResults) })).optional(),
});

const file = head.extend({
  signature: z.string().optional(),
  changes: details.shape.changes.optional(),
  more: count.optional(),
  actions: details.shape.actions,
});

/** True for the record of a command that changed the ledger alone. */
export const isLedgerRecord = ({ command }: Pick<RecordHead, 'command'>): boolean =>
  (ledgerCommands as readonly string[]).includes(command);

/** True for the record of an action: something was done, and no field of any object was applied. */
export const isActionRecord = ({ command }: Pick<RecordHead, 'command'>): boolean => command === 'run';

export type RecordHead = z.infer<typeof head>;
export type RecordDetails = z.infer<typeof details>;
export type RecordedChange = RecordDetails['changes'][number];
export type RecordedField = RecordedChange['fields'][number];
export type ChangeResult = RecordedChange['result'];

/** A record of a run as it was read. `details` are absent where it was summarised, or they are not what was signed. */
export interface RunRecord {
  head: RecordHead;
  details?: RecordDetails;
  /** The key that signed it. */
  proof: Proof;
  /** The digest that the next record calls `previous`. */
  digest: string;
}

const sha = (value: unknown): string => hash('sha256', canonical(value), 'base64url');

/** The text of a record, signed. */
export function formatRecord(
  given: Omit<RecordHead, 'details'>,
  details: RecordDetails,
  key: SigningKey,
): string {
  const head: RecordHead = { ...given, details: sha(details) };
  const made = `${key.id}.${signature(key, 'history', canonical(head))}`;
  return `${JSON.stringify({ ...head, signature: made, ...details }, undefined, 1)}\n`;
}

/** A record without its changes. What is left is signed as it was. The text as it is where it is no record. */
export function dropRecordDetails(text: string): string {
  try {
    const { changes: _, more: __, actions: ___, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return `${JSON.stringify(rest, undefined, 1)}\n`;
  } catch {
    return text;
  }
}

/** Reads a record, and checks who signed it. Undefined for what is none. `place`: for people. */
export function parseRecord(text: string, key: LedgerKey | undefined, place: string): RunRecord | undefined {
  const zodSafeParseResult = file.safeParse(jsonIn(text));
  if (!zodSafeParseResult.success) return undefined;
  const { signature: made = '', changes, more, actions: followed, ...parsed } = zodSafeParseResult.data;
  const [id = '', mac = ''] = made.split('.');
  const signed =
    id === '' || mac === ''
      ? { doubt: 'unsigned' as const, place }
      : verifyBySigner(id, key, place, (signer) => isSignature(mac, signer, 'history', canonical(parsed)));
  const kept = changes && {
    changes,
    ...(more === undefined ? {} : { more }),
    ...(followed === undefined ? {} : { actions: followed }),
  };
  const isTrue = !kept || sha(kept) === parsed.details;
  return {
    head: parsed,
    ...(kept ? { details: kept } : {}),
    proof: isTrue ? signed : { doubt: 'altered', place, key: id },
    digest: sha([parsed, made]),
  };
}
