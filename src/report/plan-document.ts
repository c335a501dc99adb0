import * as z from 'zod';
import { actions, fieldCauses, grades, permissions, undoable } from '../model/change.ts';
import type { Account } from '../model/plan.ts';
import { actionStates } from '../model/planned-action.ts';

const count = z.int().min(0);
const address = z.string().describe("A resource's place in the YAML, and its identity everywhere.");

const place = z
  .strictObject({ file: z.string(), line: z.int().min(1), column: z.int().min(1) })
  .describe('A place in the configuration; lines and columns count from 1.');

const account = z
  .strictObject({
    type: z.enum(['team', 'personal'] satisfies Account['type'][]),
    name: z.string(),
    baseUrl: z.string().optional().describe('Only where it is not that of the platform.'),
  })
  .describe('Whose account the plan is about. Absent where that is not known.');

const summary = z
  .strictObject({
    create: count,
    adopt: count,
    adoptAndUpdate: count.describe('Of those to adopt, how many are also changed.'),
    update: count,
    replace: count,
    delete: count,
    move: count,
    release: count.describe('No longer managed, and not deleted.'),
    noop: count,
    renew: count.describe(
      'The account is as the configuration says, and only the ledger is to learn of it. No other number counts these.',
    ),
    unmanaged: count.describe('In the account, and not managed here. Without the kinds in `unlisted`.'),
  })
  .describe(
    'How many changes of each sort there are, as people count them: a variable in several targets is one, though `changes` has each target.',
  );

const side = z
  .unknown()
  .optional()
  .describe(
    'Any JSON. A secret reads "(secret)" or { "$secret": NAME }, another resource\'s attribute { "$ref": ADDRESS, "attr": NAME }.',
  );

const field = z.strictObject({
  path: z.string().describe('Dotted.'),
  before: side,
  after: side,
  cause: z
    .enum(fieldCauses)
    .describe(
      'edit: changed in the configuration. drift: changed outside, and put back. conflict: both. unknown: cannot be told. recorded: already so. released: no longer managed. unverified: a secret that cannot be compared.',
    ),
  secret: z.boolean().describe('At least one side is a secret.'),
  replaces: z.boolean().describe('The platform cannot change it in place.'),
});

const change = z.strictObject({
  address,
  kind: z.string(),
  action: z.enum(actions),
  id: z.string().optional().describe('The id on the platform, where there is one already.'),
  reason: z.string().optional().describe('For people.'),
  grade: z.enum(grades).describe('How much the change can hurt.'),
  gradeReason: z.string().optional().describe('For people.'),
  permissions: z
    .array(z.enum(permissions))
    .optional()
    .describe('What has to be allowed: it costs money, or takes access away.'),
  moves: z
    .boolean()
    .describe(
      'Changes place among its ordered siblings, or goes to another parent, alone or beside other changes.',
    ),
  renews: z
    .literal(true)
    .optional()
    .describe(
      'Nothing is sent, and nothing is new: the ledger learns that the account is as the configuration says.',
    ),
  undo: z
    .enum(undoable)
    .describe(
      'Whether `trueup undo` will bring back what is there now. `wholly` also of a container that --delete has to name for it.',
    ),
  undoLost: z.array(z.string()).optional().describe('The fields whose values it will not bring back.'),
  undoReason: z.string().optional().describe('For people; where it is not wholly.'),
  fields: z.array(field),
  source: place.optional(),
});

const request = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().describe('What is not known yet stands in braces.'),
  body: z.unknown().optional(),
});

const operation = z
  .strictObject({
    id: z.string(),
    kind: z.string(),
    changes: z.array(address),
    dependsOn: z.array(z.string()).describe('Ids of operations that come before.'),
    requests: z.array(request),
  })
  .describe('Requests that belong together, in order.');

const action = z
  .strictObject({
    id: z.string().describe('Once in a plan.'),
    action: z.string().describe('What `trueup run` calls it.'),
    about: address.optional(),
    input: z.record(z.string(), z.unknown()),
    state: z
      .enum(actionStates)
      .describe(
        'due: it is sent. busy: it cannot be sent now, and stays owed. over: there is nothing to do. unknown: sent before, without an answer, and not sent again. left: no part of this plan.',
      ),
    why: z.string().optional().describe('For people; where it is not due.'),
    starts: z.string().optional().describe('What it sets going: `build`.'),
    grade: z.enum(grades),
    gradeReason: z.string().optional().describe('For people.'),
    after: z.array(address).describe('The changes that ask for it; none where an earlier run owes it.'),
    owedBy: z.string().optional().describe('The run that owes it, for people.'),
    waits: count.optional().describe('How many minutes an apply waits for it to end.'),
    request: request
      .optional()
      .describe('As it would be sent now: what it takes from the account is taken when it is sent.'),
  })
  .describe('What is done once all changes are done.');

const forecast = z
  .strictObject({
    requests: count,
    seconds: count.describe('About how long it will take, waits for rate limits included.'),
    limits: z
      .array(
        z.strictObject({
          what: z.string(),
          requests: count.describe('How many requests of this plan count.'),
          allowed: z.int().min(1).describe('How many are let through in a window.'),
          window: z.int().min(1).describe('In seconds.'),
          shared: z
            .strictObject({
              left: count.describe('How many requests are left in this window.'),
              reserved: z
                .array(count)
                .describe('How many requests each of the other runs has reserved, or will send by its plan.'),
              endsIn: count
                .optional()
                .describe('Seconds until the window ends; absent while it has not begun.'),
            })
            .optional()
            .describe('What is known where runs share their limits; absent without `--limits`.'),
        }),
      )
      .describe('The published rate limits that the plan comes under.'),
  })
  .describe('What carrying the plan out will take.');

export const diagnostic = z.strictObject({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  address: address.optional(),
  source: place.optional(),
  related: z.array(z.strictObject({ message: z.string(), source: place })),
});

const source = z
  .strictObject({
    name: z.string().describe('`secret NAME` or `variable NAME`.'),
    source: z.string().describe('`env NAME`, `file PATH` or `command WORDS`. Never a value.'),
    since: z
      .enum(['new', 'changed'])
      .optional()
      .describe('Compared with the last apply; absent where it is the same.'),
    before: z.string().optional().describe('What it was at the last apply, if that was something else.'),
  })
  .describe('Where a secret or a variable of the configuration is read.');

const waiting = z
  .strictObject({
    address,
    why: z.string().describe('For people.'),
    minutes: z.int().min(1).optional().describe('How long an apply waits for it: `$wait`.'),
    failed: z.literal(true).optional().describe('It will not be ready by waiting.'),
  })
  .describe('What is declared and not ready, or will not be at once when it is made. That is no change.');

const changedBy = z
  .strictObject({
    address,
    who: z.string(),
    when: z.string().describe('ISO 8601, UTC.'),
    through: z.string().optional(),
  })
  .describe(
    'Who changed what was changed outside, as the platform says. That nobody is named means nothing.',
  );

const guards = z
  .strictObject({
    file: z.string().optional().describe('The file of guards, as it was named.'),
    digest: z.string().optional().describe('Of its text.'),
    checks: z.array(z.string()).optional().describe('The programs that were asked.'),
    verdict: z.enum(['allowed', 'refused']),
  })
  .describe("What the operator's guards say; what they refuse is among the diagnostics.");

/** The public form of a plan. `formatVersion`: the first number changes when something goes or means something else. */
export const planDocument = z
  .strictObject({
    formatVersion: z.literal('1.8'),
    stack: z.string().optional().describe('Absent where the configuration could not be read.'),
    account: account.optional(),
    complete: z.boolean().describe('Everything could be read and planned.'),
    summary,
    changes: z.array(change),
    operations: z.array(operation),
    actions: z
      .array(action)
      .optional()
      .describe('What `$then` asks for, or an earlier run owes; absent where nothing does.'),
    forecast,
    unlisted: z
      .array(z.string())
      .optional()
      .describe(
        'Kinds of which only what is mentioned here was read, in place of a long list: how many more there are was not counted.',
      ),
    reads: count
      .optional()
      .describe('How many requests it took to make the plan. Absent where that is not known: a saved plan.'),
    waiting: z.array(waiting).optional(),
    changedBy: z.array(changedBy).optional(),
    guards: guards.optional(),
    sources: z.array(source).optional(),
    diagnostics: z.array(diagnostic),
  })
  .describe('A plan of trueup.');

export type PlanDocument = z.infer<typeof planDocument>;
export type JsonField = z.infer<typeof field>;
export type JsonPlace = z.infer<typeof place>;
export type JsonDiagnostic = z.infer<typeof diagnostic>;

/** The JSON Schema of what `plan --json` prints. */
export const planSchema = (): object => ({
  title: 'trueup plan',
  ...z.toJSONSchema(planDocument),
});
