import * as z from 'zod';
import { actions, fieldCauses, grades, orderCauses, undoable } from '../model/change.ts';
import { notComparedCauses } from '../model/not-compared.ts';
import type { Account } from '../model/plan.ts';
import { actionStates } from '../model/planned-action.ts';
import type { Endpoint } from '../model/request.ts';
import { permissions } from '../model/resource.ts';
import { type Encoded, isEncoded } from './encode.ts';

const savedFlag = z.literal(true).optional();
const savedGlobs = z.array(z.string()).optional();

/** The options that shape a plan, by the names of their flags. Those that are not given are left out. */
export const shapingOptions = z.strictObject({
  target: savedGlobs,
  exclude: savedGlobs,
  delete: savedGlobs,
  sendUnverified: savedGlobs,
  maxDeletions: z.int().min(0).optional(),
  ignoreDraft: savedFlag,
  adoptRenamed: savedFlag,
  fewerInputs: savedFlag,
  overwriteConflicts: savedFlag,
  allow: z.array(z.enum(permissions)).optional(),
  allowIncomplete: savedFlag,
  /** False if the user left out the actions that follow the changes (`--no-actions`). */
  actions: z.literal(false).optional(),
  /** False if no change is tried first (`--no-canary`). */
  canary: z.literal(false).optional(),
});

const encodedValue = z.custom<Encoded>(isEncoded, 'is not a valid plan value');
const savedPlace = z.strictObject({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  text: z.string().optional(),
  caret: z.int().optional(),
});

const savedField = z.strictObject({
  path: z.string(),
  before: encodedValue.optional(),
  after: encodedValue.optional(),
  cause: z.enum(fieldCauses),
  replaces: savedFlag,
  secret: savedFlag,
  notKept: savedFlag,
});

const savedChange = z.strictObject({
  address: z.string(),
  kind: z.string(),
  action: z.enum(actions),
  id: z.string().optional(),
  parent: z.string().optional(),
  needs: z.array(z.string()).optional(),
  takenFrom: z.string().optional(),
  /** The stack that may take the object over, for an object that waits for that. */
  handover: z.string().optional(),
  reason: z.string().optional(),
  outside: savedFlag,
  grade: z.enum(grades),
  gradeReason: z.string().optional(),
  permissions: z.array(z.enum(permissions)).optional(),
  exclusive: savedFlag,
  moves: savedFlag,
  position: z
    .strictObject({
      from: z.number().optional(),
      to: z.number(),
      of: z.number(),
      after: z.string().optional(),
      cause: z.enum(orderCauses).optional(),
    })
    .optional(),
  anew: savedFlag,
  renews: savedFlag,
  undo: z
    .strictObject({ can: z.enum(undoable), lost: z.array(z.string()).optional(), why: z.string().optional() })
    .optional(),
  fields: z.array(savedField),
  /** The declared fields that stay as they are, by path. */
  kept: z.record(z.string(), encodedValue).optional(),
  /** The undeclared fields of the live object, for policies, which judge the whole object. */
  beside: z.record(z.string(), encodedValue).optional(),
  /** The fields of the object that the change deletes, as they were read. */
  deleted: z.record(z.string(), encodedValue).optional(),
  at: savedPlace.optional(),
});

const savedRequest = z.strictObject({
  endpoint: z.custom<Endpoint>((value) => /^(GET|POST|PUT|PATCH|DELETE) \//.test(String(value))),
  params: z.record(z.string(), encodedValue).optional(),
  body: encodedValue.optional(),
});

const savedOperation = z.strictObject({
  id: z.string(),
  kind: z.string(),
  parent: z.string().optional(),
  changes: z.array(z.string()),
  dependsOn: z.array(z.string()),
  requests: z.array(savedRequest),
});

const savedAction = z.strictObject({
  id: z.string(),
  action: z.string(),
  about: z.string().optional(),
  input: z.record(z.string(), encodedValue),
  grade: z.enum(grades),
  gradeReason: z.string().optional(),
  after: z.array(z.string()),
  from: z.array(z.string()),
  state: z.enum(actionStates),
  why: z.string().optional(),
  starts: z.string().optional(),
  wait: z.int().optional(),
  /** The name of the run that has not done the action yet. */
  owed: z.string().optional(),
  request: savedRequest.optional(),
});

const savedDiagnostic = z.strictObject({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  address: z.string().optional(),
  at: savedPlace.optional(),
  related: z.array(z.strictObject({ message: z.string(), at: savedPlace })).optional(),
  /** The equal problems that this one stands for. */
  folded: z
    .array(
      z.strictObject({
        message: z.string(),
        address: z.string().optional(),
        secret: z.string().optional(),
        at: savedPlace.optional(),
      }),
    )
    .optional(),
});

/** A salted digest of a value. For a value with a secret: a keyed digest, or null if it could not be compared. */
const mark = z.union([z.string(), z.strictObject({ secret: z.string().nullable() })]);

/** The basis of one change: what the configuration wants, `$` keys included, if anything, and what the account had. */
const basis = z.strictObject({
  address: z.string(),
  ids: z.array(z.string()),
  wanted: z.record(z.string(), mark).optional(),
  found: z.record(z.string(), mark),
});

/**
 * A plan that was approved: its purpose, the text for people, the requests, and the state that it was planned on. No secret is
 * in it, no time and no name of a machine, and nothing of it is executed: it is only compared with the plan as it is when it
 * is applied.
 */
export const savedPlan = z.strictObject({
  format: z.literal('trueup plan'),
  formatVersion: z.literal(2),
  stack: z.string(),
  baseUrl: z.string(),
  owner: z.string(),
  /** The account for people. Only `owner` is compared, because a team may be renamed. */
  account: z
    .strictObject({
      type: z.enum(['team', 'personal'] satisfies Account['type'][]),
      name: z.string(),
      baseUrl: z.string().optional(),
    })
    .optional(),
  /** The generation of the ledger that the plan was made on. The plan is refused with an older ledger. */
  generation: z.int().min(0),
  options: shapingOptions,
  complete: z.boolean(),
  /** The objects and secrets that were not compared with the account, by cause. */
  notCompared: z
    .array(
      z.strictObject({
        cause: z.enum(notComparedCauses),
        why: z.string().optional(),
        items: z.array(
          z.strictObject({
            address: z.string(),
            kind: z.string(),
            path: z.string().optional(),
            undeclared: savedFlag,
            at: savedPlace.optional(),
          }),
        ),
      }),
    )
    .optional(),
  partial: savedFlag,
  changes: z.array(savedChange),
  operations: z.array(savedOperation),
  firstContact: z.strictObject({ firstChange: z.string().optional(), isSplit: savedFlag }).optional(),
  /** The actions that follow the changes. The account decides then which of them are sent. */
  actions: z.array(savedAction).optional(),
  unmanaged: z.array(z.strictObject({ kind: z.string(), address: z.string() })),
  unlisted: z.array(z.string()).optional(),
  /** The objects that were not ready. They may be ready by now, so they are not compared. */
  waiting: z
    .array(
      z.strictObject({
        address: z.string(),
        why: z.string(),
        minutes: z.int().optional(),
        failed: savedFlag,
      }),
    )
    .optional(),
  /** The person behind a change outside, as the platform said. */
  changedBy: z
    .array(
      z.strictObject({
        address: z.string(),
        who: z.string(),
        when: z.string(),
        through: z.string().optional(),
      }),
    )
    .optional(),
  diagnostics: z.array(savedDiagnostic),
  /** The guards that allowed the plan. Apply needs guards again, which judge the plan once more. */
  guards: z
    .strictObject({
      file: z.string().optional(),
      digest: z.string().optional(),
      checks: z.array(z.string()).optional(),
      verdict: z.enum(['allowed', 'refused']),
    })
    .optional(),
  /** The origins of secrets and variables. */
  sources: z
    .array(
      z.strictObject({
        name: z.string(),
        source: z.string(),
        since: z.enum(['new', 'changed']).optional(),
        before: z.string().optional(),
      }),
    )
    .optional(),
  basis: z.array(basis),
  /** The id of the key that made the seal and the digests of secrets. Absent: no secret could be compared. */
  key: z.string().optional(),
  /** The salt of the digests. It is made from all other content, so that equal plans have equal files. */
  salt: z.string(),
  /** A signature of all members above. Only a holder of the key can make it. */
  seal: z.string().optional(),
  /** A digest of all members above, to notice a file that was cut off or damaged. */
  checksum: z.string(),
});

export type SavedPlan = z.infer<typeof savedPlan>;
export type ShapingOptions = z.infer<typeof shapingOptions>;
export type SavedRequest = z.infer<typeof savedRequest>;
export type SavedAction = z.infer<typeof savedAction>;
export type SavedChange = SavedPlan['changes'][number];
export type Basis = SavedPlan['basis'][number];
export type Mark = z.infer<typeof mark>;
