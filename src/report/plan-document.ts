import * as z from 'zod';
import { actions, fieldCauses, grades, orderCauses, undoable } from '../model/change.ts';
import { notComparedCauses } from '../model/not-compared.ts';
import type { Account } from '../model/plan.ts';
import { actionStates } from '../model/planned-action.ts';
import { permissions } from '../model/resource.ts';
import { rehearsalSchema } from './rehearsal-document.ts';

export const documentText = z.string();
const optionalString = documentText.optional();
const forPeople = optionalString.describe('For humans.');
const optionalFlag = z.literal(true).optional();
/** A number that counts from 1. */
export const ordinal = z.int().min(1);
export const countSchema = z.int().min(0);
const address = documentText.describe("A resource's place in the YAML, and its identity everywhere.");

const placeSchema = z
  .strictObject({ file: documentText, line: ordinal, column: ordinal })
  .describe('A place in the configuration; lines and columns count from 1.');

const account = z
  .strictObject({
    type: z.enum(['team', 'personal'] satisfies Account['type'][]),
    name: documentText,
    baseUrl: optionalString.describe("Only if it is not the platform's default."),
  })
  .describe('The account of the plan. Absent if unknown.');

export const summarySchema = z
  .strictObject({
    create: countSchema,
    adopt: countSchema,
    adoptAndUpdate: countSchema.describe('How many of the adopted ones are also changed.'),
    update: countSchema,
    replace: countSchema,
    delete: countSchema.describe('All objects that are deleted, also those in deleted containers.'),
    move: countSchema,
    release: countSchema.describe('No longer managed, and not deleted.'),
    noop: countSchema,
    renew: countSchema.describe(
      'The account already matches; only the ledger is updated. Not included in the other numbers.',
    ),
    unmanaged: countSchema.describe(
      'In the account, and managed by no stack. Does not include the kinds in `unlisted`.',
    ),
    ofOtherStacks: countSchema.describe('In the account, and managed by other stacks.'),
    notCompared: countSchema.describe('Objects that could not be compared with the account.'),
    secretsNotCompared: countSchema.describe('Secrets that could not be compared with the account.'),
  })
  .describe(
    'The number of changes by type, as people count them: a variable in several targets counts once, although `changes` lists each target.',
  );

const side = z
  .unknown()
  .optional()
  .describe(
    'Any JSON. A secret reads "(secret)" or { "$secret": NAME }, another resource\'s attribute { "$ref": ADDRESS, "attr": NAME }.',
  );

const fieldChangeSchema = z.strictObject({
  path: documentText.describe('Dotted.'),
  before: side,
  after: side,
  cause: z
    .enum(fieldCauses)
    .describe(
      'edit: changed in the configuration. drift: changed outside, will be reverted. conflict: both. unknown: cannot be determined. recorded: already set. released: no longer managed. unverified: a secret that cannot be compared.',
    ),
  secret: z.boolean().describe('At least one side is a secret.'),
  replaces: z.boolean().describe('The platform cannot change it in place.'),
  notKept: optionalFlag.describe(
    'The platform did not keep this value at the last apply; no later change of it is known.',
  ),
});

const deletionCount = z.strictObject({
  objects: countSchema.describe('The number of deleted objects, with the contents of containers.'),
  byKind: z.record(documentText, countSchema).describe('The same number by kind.'),
  unread: z
    .array(documentText)
    .optional()
    .describe('Kinds of contents that were not read: their objects are deleted, too, and not counted.'),
});

const changeSchema = z.strictObject({
  address,
  kind: documentText,
  action: z.enum(actions),
  id: optionalString.describe('The id on the platform, if there already is one.'),
  takenFrom: optionalString.describe('The stack that owned it until now (`$from`).'),
  reason: forPeople,
  grade: z.enum(grades).describe('The risk of the change.'),
  gradeReason: forPeople,
  deletes: deletionCount
    .optional()
    .describe('For a deleted container: the objects that are deleted with it, and itself.'),
  permissions: z
    .array(z.enum(permissions))
    .optional()
    .describe('The permissions it needs: it costs money, or removes access.'),
  moves: z
    .boolean()
    .describe(
      'Changes position among its ordered siblings, or moves to another parent, possibly along with other changes.',
    ),
  position: z
    .strictObject({
      from: z.int().optional().describe('The position in the live list; absent for a new item.'),
      to: z.int().describe('The position after the change.'),
      of: z.int().describe('The number of items in the list after the change.'),
      after: address.optional().describe('The item right before it after the change; absent for the first.'),
      cause: z
        .enum(orderCauses)
        .optional()
        .describe(
          'Why it moves. edit: the configuration. drift: somebody moved it outside. unknown: no order is recorded yet. not-kept: the platform did not keep the last move.',
        ),
    })
    .optional()
    .describe(
      'Where an item of an ordered list comes to stand, if it is new or moves. Positions count from 1, undeclared items included.',
    ),
  renews: optionalFlag.describe(
    'Nothing is sent: only the ledger is updated to record that the account matches.',
  ),
  undo: z
    .enum(undoable)
    .describe(
      'Whether `trueup undo` can restore the current state. Also `wholly` for a new container, although undo leaves it, so that only `removed` deletes it.',
    ),
  undoLost: z.array(documentText).optional().describe('The fields whose values it cannot restore.'),
  undoReason: optionalString.describe('For humans; present if not `wholly`.'),
  fields: z.array(fieldChangeSchema),
  source: placeSchema.optional(),
});

const requestSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: documentText.describe('Unknown values are in braces.'),
  body: z.unknown().optional(),
});

const operationSchema = z
  .strictObject({
    id: documentText,
    kind: documentText,
    changes: z.array(address),
    dependsOn: z.array(documentText).describe('Ids of operations that must come first.'),
    requests: z.array(requestSchema),
  })
  .describe('Requests that belong together, in order.');

const firstContact = z
  .strictObject({
    firstChange: z
      .strictObject({
        operation: documentText.describe('The id of its operation.'),
        changes: z.array(address),
      })
      .optional()
      .describe('The harmless change. Absent if no change is harmless.'),
  })
  .describe(
    'Nothing was applied to this account before, so one harmless change is done first and checked by a fresh read. Absent otherwise.',
  );

const actionSchema = z
  .strictObject({
    id: documentText.describe('Unique in the plan.'),
    action: documentText.describe('Its name in `trueup run`.'),
    about: address.optional(),
    input: z.record(documentText, z.unknown()),
    state: z
      .enum(actionStates)
      .describe(
        'due: it will be sent. busy: it cannot be sent now and stays pending. over: there is nothing to do. unknown: sent before without a response, and not sent again. left: not part of this plan.',
      ),
    why: optionalString.describe('For humans; present if not due.'),
    starts: optionalString.describe('What it triggers: `build`.'),
    grade: z.enum(grades),
    gradeReason: forPeople,
    after: z
      .array(address)
      .describe('The changes that trigger it; empty if it is only pending from an earlier run.'),
    owedBy: optionalString.describe('The run it is pending from, for humans.'),
    waits: countSchema.optional().describe('How many minutes apply waits for it to finish.'),
    request: requestSchema
      .optional()
      .describe('As it would be sent now; values from the account are read again when it is sent.'),
  })
  .describe('Actions that run after all changes.');

const forecastSchema = z
  .strictObject({
    requests: countSchema,
    reads: countSchema
      .optional()
      .describe('How many reads apply sends before and between them. Absent for a saved plan.'),
    seconds: countSchema.describe('Estimated duration, including waits for rate limits.'),
    limits: z
      .array(
        z.strictObject({
          what: documentText,
          requests: countSchema.describe('How many requests of this plan count towards it.'),
          allowed: ordinal.describe('How many are allowed per window.'),
          window: ordinal.describe('In seconds.'),
          probable: optionalFlag.describe(
            'Some of the requests only probably count: the documentation names no operations.',
          ),
          shared: z
            .strictObject({
              left: countSchema.describe('How many requests are left in this window.'),
              reserved: z
                .array(countSchema)
                .describe('How many requests each of the other runs has reserved, or will send by its plan.'),
              endsIn: countSchema
                .optional()
                .describe('Seconds until the window ends; absent before it starts.'),
            })
            .optional()
            .describe('The shared limits, as far as they are known; absent without `--limits`.'),
        }),
      )
      .describe('The published rate limits that apply to the plan.'),
  })
  .describe('What applying the plan will take.');

export const diagnostic = z.strictObject({
  severity: z
    .enum(['error', 'warning', 'note'])
    .describe(
      'error: it stops the command. warning: it harms, or may. note: it could be better, or was not checked.',
    ),
  code: documentText,
  message: documentText,
  hint: optionalString,
  address: address.optional(),
  source: placeSchema.optional(),
  related: z.array(z.strictObject({ message: documentText, source: placeSchema })),
  finding: z
    .strictObject({
      state: z
        .enum(['new', 'unchanged', 'fixed'])
        .describe(
          'new: the changes cause it. unchanged: the account has it, and it stays. fixed: the account has it, and the changes remove it.',
        ),
      causes: z
        .array(address)
        .describe('The objects with changes that cause or fix it, or inside changed ones. May be empty.'),
    })
    .optional()
    .describe('Set for a finding: harm that valid configuration does.'),
  count: ordinal
    .optional()
    .describe('The number of equal problems that this one stands for. Absent if it stands for itself.'),
  instances: z
    .array(
      z.strictObject({
        message: documentText,
        address: address.optional(),
        secret: optionalString.describe('The name of a secret, never its value.'),
        source: placeSchema.optional(),
      }),
    )
    .optional()
    .describe('All equal problems that this one stands for.'),
});

const sourceSchema = z
  .strictObject({
    name: documentText.describe('`secret NAME` or `variable NAME`.'),
    source: documentText.describe(
      '`env NAME`, `file PATH`, `command WORDS` or, of a reference, `field NAME of ADDRESS`. Never a value.',
    ),
    since: z
      .enum(['new', 'changed'])
      .optional()
      .describe('Compared with the last apply; absent if unchanged.'),
    before: optionalString.describe('Its value at the last apply, if different.'),
  })
  .describe('Where a secret or variable of the configuration is read from.');

const waiting = z
  .strictObject({
    address,
    why: documentText.describe('For humans.'),
    minutes: ordinal.optional().describe('How long apply waits for it: `$wait`.'),
    failed: optionalFlag.describe('It will not become ready by waiting.'),
  })
  .describe(
    'Declared objects that are not ready, or will not be ready right after creation. These are not changes.',
  );

const changedBySchema = z
  .strictObject({
    address,
    who: documentText,
    when: documentText.describe('ISO 8601, UTC.'),
    through: optionalString,
  })
  .describe('Who made changes outside, according to the platform. May be incomplete.');

const notComparedSchema = z
  .strictObject({
    cause: z
      .enum(notComparedCauses)
      .describe(
        'unread: the account could not be read there. dependency: it needs an object that was not compared. unidentified: several objects could be meant. unchecked: the read that shows whether the object works failed or was left out. unavailable: the secret has no value here. no-key: the ledger key of the secret is missing. before-apply: nothing was applied yet, and the first apply compares the secret. unreadable: the secret cannot be read back, and the last applied value is unknown or was changed since.',
      ),
    reason: optionalString.describe('What happened, such as the answer of the platform.'),
    objects: countSchema,
    secrets: countSchema,
    items: z.array(
      z.strictObject({
        address,
        kind: documentText,
        path: optionalString.describe('The field of a secret. Absent for an object.'),
        declared: z.boolean().describe('False for an object that only the ledger knows.'),
        source: placeSchema.optional(),
      }),
    ),
  })
  .describe('Objects and secrets that could not be compared for one cause.');

const guards = z
  .strictObject({
    file: optionalString.describe('The guards file, as given.'),
    digest: optionalString.describe('The digest of its text.'),
    checks: z.array(documentText).optional().describe('The check programs that ran.'),
    verdict: z.enum(['allowed', 'refused']),
  })
  .describe('The verdict of the guards; rejections are in the diagnostics.');

/** The schema of the JSON document of a plan. The first number of `formatVersion` changes if a member is removed or changes its meaning. */
export const planDocument = z
  .strictObject({
    formatVersion: z.literal('1.16'),
    stack: optionalString.describe('Absent if the configuration could not be read.'),
    account: account.optional(),
    complete: z.boolean().describe('Everything could be read and planned.'),
    summary: summarySchema,
    deletions: deletionCount.optional().describe('The deleted objects by kind. Absent if none.'),
    notCompared: z.array(notComparedSchema).optional(),
    omitted: z
      .record(documentText, countSchema)
      .optional()
      .describe('With `--changes-only`: the unchanged objects that `changes` does not list, by kind.'),
    changes: z.array(changeSchema),
    operations: z.array(operationSchema),
    firstContact: firstContact.optional(),
    actions: z
      .array(actionSchema)
      .optional()
      .describe('Actions requested by `$then` or pending from an earlier run; absent if none.'),
    forecast: forecastSchema,
    rehearsal: rehearsalSchema.optional(),
    unlisted: z
      .array(documentText)
      .optional()
      .describe('Kinds with long lists. Only their declared objects were read; others were not counted.'),
    reads: countSchema.optional().describe('How many requests planning took. Absent for a saved plan.'),
    waiting: z.array(waiting).optional(),
    changedBy: z.array(changedBySchema).optional(),
    guards: guards.optional(),
    sources: z.array(sourceSchema).optional(),
    diagnostics: z.array(diagnostic).describe('All problems, with new and unchanged findings.'),
    fixedFindings: z
      .array(diagnostic)
      .optional()
      .describe('The findings that the account has and that the changes remove. Absent if none.'),
    suppressedFindings: z
      .array(diagnostic)
      .optional()
      .describe(
        'The new and unchanged findings that `findings:` of the configuration turns off. Absent if none.',
      ),
  })
  .describe('A trueup plan.');

export type PlanDocument = z.infer<typeof planDocument>;
export type JsonField = z.infer<typeof fieldChangeSchema>;
export type JsonPlace = z.infer<typeof placeSchema>;
export type JsonDiagnostic = z.infer<typeof diagnostic>;

/** Returns the JSON Schema of the document that `plan --json` prints. */
export const planSchema = (): object => ({
  title: 'trueup plan',
  ...z.toJSONSchema(planDocument),
});
