import * as z from 'zod';
import { actions, fieldCauses, grades, orderCauses, undoable } from '../model/change.ts';
import { notComparedCauses } from '../model/not-compared.ts';
import type { Account } from '../model/plan.ts';
import { actionStates } from '../model/planned-action.ts';
import type { Endpoint } from '../model/request.ts';
import { permissions } from '../model/resource.ts';
import { type Encoded, isEncoded } from './encode.ts';

const savedText = z.string();
const optionalSavedText = savedText.optional();
const savedTexts = z.array(savedText);
const savedFlag = z.literal(true).optional();
const savedGlobs = savedTexts.optional();

/** The options that shape a plan, by the names of their flags. Those that are not given are left out. */
export const shapingOptions = z.strictObject({
  target: savedGlobs,
  exclude: savedGlobs,
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
const encodedValues = z.record(savedText, encodedValue);
const savedPlace = z.strictObject({
  file: savedText,
  line: z.int(),
  column: z.int(),
  text: optionalSavedText,
  caret: z.int().optional(),
});

const savedField = z.strictObject({
  path: savedText,
  before: encodedValue.optional(),
  after: encodedValue.optional(),
  cause: z.enum(fieldCauses),
  replaces: savedFlag,
  secret: savedFlag,
  notKept: savedFlag,
});

const savedChange = z.strictObject({
  address: savedText,
  kind: savedText,
  action: z.enum(actions),
  id: optionalSavedText,
  parent: optionalSavedText,
  needs: savedTexts.optional(),
  takenFrom: optionalSavedText,
  /** The stack that may take the object over, for an object that waits for that. */
  handover: optionalSavedText,
  reason: optionalSavedText,
  outside: savedFlag,
  grade: z.enum(grades),
  gradeReason: optionalSavedText,
  permissions: z.array(z.enum(permissions)).optional(),
  exclusive: savedFlag,
  /** The objects that the platform deletes with a container. */
  deletes: z
    .strictObject({ objects: z.int(), byKind: z.record(savedText, z.int()), unread: savedTexts })
    .optional(),
  moves: savedFlag,
  position: z
    .strictObject({
      from: z.number().optional(),
      to: z.number(),
      of: z.number(),
      after: optionalSavedText,
      cause: z.enum(orderCauses).optional(),
    })
    .optional(),
  reinserted: savedFlag,
  changesLedgerOnly: savedFlag,
  undo: z
    .strictObject({ can: z.enum(undoable), lost: savedTexts.optional(), why: optionalSavedText })
    .optional(),
  fields: z.array(savedField),
  /** The declared fields that stay as they are, by path. */
  unchangedFields: encodedValues.optional(),
  /** The undeclared fields of the live object, for policies, which judge the whole object. */
  undeclaredFields: encodedValues.optional(),
  /** The fields of the object that the change deletes, as they were read. */
  deletedFields: encodedValues.optional(),
  at: savedPlace.optional(),
});

const savedRequest = z.strictObject({
  endpoint: z.custom<Endpoint>((value) => /^(GET|POST|PUT|PATCH|DELETE) \//.test(String(value))),
  params: encodedValues.optional(),
  body: encodedValue.optional(),
});

const savedOperation = z.strictObject({
  id: savedText,
  kind: savedText,
  parent: optionalSavedText,
  changes: savedTexts,
  dependsOn: savedTexts,
  requests: z.array(savedRequest),
});

const savedAction = z.strictObject({
  id: savedText,
  action: savedText,
  about: optionalSavedText,
  input: encodedValues,
  grade: z.enum(grades),
  gradeReason: optionalSavedText,
  after: savedTexts,
  from: savedTexts,
  state: z.enum(actionStates),
  why: optionalSavedText,
  starts: optionalSavedText,
  wait: z.int().optional(),
  /** The name of the run that has not done the action yet. */
  owed: optionalSavedText,
  request: savedRequest.optional(),
});

const savedDiagnostic = z.strictObject({
  severity: z.enum(['error', 'warning', 'note']),
  code: savedText,
  message: savedText,
  hint: optionalSavedText,
  address: optionalSavedText,
  at: savedPlace.optional(),
  related: z.array(z.strictObject({ message: savedText, at: savedPlace })).optional(),
  /** For a finding about valid configuration: what the plan does to it. */
  finding: z.strictObject({ state: z.enum(['new', 'unchanged', 'fixed']), causes: savedTexts }).optional(),
  /** The equal problems that this one stands for. */
  folded: z
    .array(
      z.strictObject({
        message: savedText,
        address: optionalSavedText,
        secret: optionalSavedText,
        at: savedPlace.optional(),
      }),
    )
    .optional(),
});

/** A salted digest of a value. For a value with a secret: a keyed digest, or null if it could not be compared. */
const valueDigest = z.union([savedText, z.strictObject({ secret: savedText.nullable() })]);

/** The basis of one change: what the configuration wants, `$` keys included, if anything, and what the account had. */
const basis = z.strictObject({
  address: savedText,
  ids: savedTexts,
  desired: z.record(savedText, valueDigest).optional(),
  live: z.record(savedText, valueDigest),
});

/**
 * A plan that was approved: its purpose, the text for people, the requests, and the state that it was planned on. It has no
 * secret, and neither the time nor the machine of its making. Nothing of it is executed: it is only compared with the plan as
 * it is when it is applied.
 */
export const savedPlan = z.strictObject({
  format: z.literal('trueup plan'),
  formatVersion: z.literal(3),
  stack: savedText,
  baseUrl: savedText,
  owner: savedText,
  /** The account for people. Only `owner` is compared, because a team may be renamed. */
  account: z
    .strictObject({
      type: z.enum(['team', 'personal'] satisfies Account['type'][]),
      name: savedText,
      baseUrl: optionalSavedText,
    })
    .optional(),
  /** The generation of the ledger that the plan was made on. The plan is refused with an older ledger. */
  generation: z.int().min(0),
  /** The place of that ledger: `file`, or the place in git or in a store. The plan is refused with a ledger elsewhere. */
  ledger: optionalSavedText,
  options: shapingOptions,
  complete: z.boolean(),
  /** The objects and secrets that were not compared with the account, by cause. */
  notCompared: z
    .array(
      z.strictObject({
        cause: z.enum(notComparedCauses),
        why: optionalSavedText,
        items: z.array(
          z.strictObject({
            address: savedText,
            kind: savedText,
            path: optionalSavedText,
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
  firstContact: z.strictObject({ firstChange: optionalSavedText, isSplit: savedFlag }).optional(),
  /** The actions that follow the changes. The account decides then which of them are sent. */
  actions: z.array(savedAction).optional(),
  unmanaged: z.array(
    z.strictObject({ kind: savedText, address: savedText, isOfOtherStack: z.literal(true).optional() }),
  ),
  unlisted: savedTexts.optional(),
  /** The objects that were not ready. They may be ready by now, so they are not compared. */
  waiting: z
    .array(
      z.strictObject({
        address: savedText,
        why: savedText,
        minutes: z.int().optional(),
        failed: savedFlag,
      }),
    )
    .optional(),
  /** The person behind a change outside, as the platform said. */
  changedBy: z
    .array(
      z.strictObject({
        address: savedText,
        who: savedText,
        when: savedText,
        through: optionalSavedText,
      }),
    )
    .optional(),
  diagnostics: z.array(savedDiagnostic),
  /**
   * The order of lists in which order decides, for `trueup trace`. It follows from the changes and from objects of others, so it is not
   * compared.
   */
  lists: z
    .array(
      z.strictObject({ kind: savedText, parent: optionalSavedText, before: savedTexts, after: savedTexts }),
    )
    .optional(),
  /** The findings that the changes remove. Like the others, they follow from the changes, so they are not compared. */
  fixedFindings: z.array(savedDiagnostic).optional(),
  suppressedFindings: z.array(savedDiagnostic).optional(),
  /** The guards that allowed the plan. Apply needs guards again, which judge the plan once more. */
  guards: z
    .strictObject({
      file: optionalSavedText,
      digest: optionalSavedText,
      checks: savedTexts.optional(),
      verdict: z.enum(['allowed', 'refused']),
    })
    .optional(),
  /** The origins of secrets and variables. */
  sources: z
    .array(
      z.strictObject({
        name: savedText,
        source: savedText,
        since: z.enum(['new', 'changed']).optional(),
        before: optionalSavedText,
      }),
    )
    .optional(),
  basis: z.array(basis),
  /** The id of the key that made the seal and the digests of secrets. Absent: no secret could be compared. */
  key: optionalSavedText,
  /**
   * The salt of the digests. It is made from the content that an approval covers, without digests, so that
   * equal plans have equal files.
   */
  salt: savedText,
  /** A signature of all members above. Only a holder of the key can make it. */
  seal: optionalSavedText,
  /** A digest of all members above, to notice a file that was cut off or damaged. */
  checksum: savedText,
});

export type SavedPlan = z.infer<typeof savedPlan>;
export type ShapingOptions = z.infer<typeof shapingOptions>;
export type SavedRequest = z.infer<typeof savedRequest>;
export type SavedAction = z.infer<typeof savedAction>;
export type SavedChange = SavedPlan['changes'][number];
export type Basis = SavedPlan['basis'][number];
export type ValueDigest = z.infer<typeof valueDigest>;
