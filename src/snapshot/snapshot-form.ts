/*
 * The form of a snapshot that was read from a file. Anybody may have made the file, so everything that planning relies on is checked here,
 * once. Answers of the account may have any form: planning checks these as it checks those of the platform.
 */
import * as z from 'zod';
import { isEntry, parseLedger } from '../ledger/parse-ledger.ts';
import { Problems } from '../model/diagnostic.ts';
import { maxFileContentBytes } from '../model/value.ts';
import type { DecidingOption } from './anonymous/deciding-options.ts';

/** The most levels of lists and objects inside each other. Answers of the platform have about ten. */
const maxSnapshotDepth = 200;

const textForm = z.string();
const textsForm = z.array(textForm);
const countForm = z.int().min(0);
const keyIdsForm = z.object({ id: textForm.optional(), legacy: textForm.optional() });

const positionForm = z.looseObject({
  file: textForm,
  line: countForm,
  column: countForm,
  text: textForm.optional(),
});

const diagnosticForm = z.looseObject({
  severity: z.enum(['error', 'warning', 'note']),
  code: textForm,
  message: textForm,
  hint: textForm.optional(),
  address: textForm.optional(),
  secret: z.looseObject({ name: textForm }).optional(),
  at: positionForm.optional(),
  related: z.array(z.looseObject({ message: textForm })).optional(),
});

const errorForm = z.object({
  message: textForm,
  // Other names would replace methods of errors.
  members: z.record(textForm.regex(/^(?!constructor$|stack$|cause$)[a-z][A-Za-z]*$/), z.unknown()),
  problems: z.array(diagnosticForm).optional(),
});

const requestForm = z.object({
  endpoint: textForm.startsWith('GET /'),
  params: z.record(textForm, z.unknown()).optional(),
  items: z.union([textForm, textsForm]).optional(),
  pages: z.literal(true).optional(),
  etag: z.literal(true).optional(),
});

const pagesForm = z
  .object({
    items: z.array(z.unknown()),
    counts: z.array(countForm).min(1),
    hasMore: z.boolean(),
    error: errorForm.optional(),
  })
  .refine(({ items, counts }) =>
    counts.every((itemCount, index) => itemCount >= (counts[index - 1] ?? 0) && itemCount <= items.length),
  );

const answerForm = z.union([
  pagesForm,
  z.object({ error: errorForm }).strict(),
  // An answer without a body is undefined, which JSON leaves out.
  z.object({ value: z.unknown().optional() }).strict(),
]);

const eventForm = z.looseObject({
  when: z.number(),
  by: z.looseObject({ name: textForm, id: textForm.optional() }),
  through: textForm.optional(),
  about: textsForm,
});

const otherStackForm = z
  .looseObject({
    stack: textForm,
    entries: z.record(textForm, z.unknown()),
    begun: z.record(textForm, z.unknown()).optional(),
    generation: countForm.optional(),
    writtenAt: z.number().optional(),
    lastRun: textForm.optional(),
    inputs: textsForm,
    isVerified: z.boolean(),
    isWellFormed: z.boolean(),
  })
  .refine(({ entries, isWellFormed }) => !isWellFormed || Object.values(entries).every(isEntry));

const embeddedDesiredForm = z.looseObject({
  stack: textForm,
  resources: z.array(
    z.looseObject({
      address: textForm,
      kind: textForm,
      parent: textForm.optional(),
      fields: z.looseObject({}),
      meta: z.looseObject({}),
      index: z.number(),
      at: positionForm,
    }),
  ),
  lookups: z.array(z.tuple([textForm, z.looseObject({ lookup: textForm, at: positionForm })])),
  contents: z.array(
    z.object({ value: textForm, type: textForm, length: countForm.max(maxFileContentBytes) }),
  ),
  inputs: textsForm,
  folders: textsForm,
});

/** The options of a plan from an anonymous snapshot. Others would come from the file instead of the command line. */
const decidingOptionsForm = z.strictObject({
  target: textsForm,
  exclude: textsForm,
  sendUnverified: textsForm,
  maxDeletions: z.number(),
  ignoreDraft: z.boolean(),
  adoptRenamed: z.boolean(),
  fewerInputs: z.boolean(),
  overwriteConflicts: z.boolean(),
  allow: textsForm,
  allowIncomplete: z.boolean(),
  actions: z.boolean(),
  canary: z.boolean(),
  settle: z.number(),
  twin: z.boolean(),
} satisfies Record<DecidingOption, z.ZodType>);

const embeddedConfigurationForm = z.looseObject({
  desired: embeddedDesiredForm,
  diagnostics: z.array(diagnosticForm),
  origins: z.array(z.tuple([textForm, textForm])),
  allowLive: textsForm,
  siblings: z.array(z.looseObject({ desired: embeddedDesiredForm, isBroken: z.boolean() })),
  options: decidingOptionsForm.partial(),
  waitsFor: textsForm,
});

/** The form of the part for one stack. */
export const stackPartForm = z.looseObject({
  stack: textForm,
  time: z.number().min(0).max(8.64e15),
  owner: z.looseObject({
    type: z.enum(['team', 'personal']),
    id: textForm,
    slug: textForm,
    facts: z.record(textForm, z.unknown()),
  }),
  account: z.looseObject({
    type: z.enum(['team', 'personal']),
    name: textForm,
    baseUrl: textForm.optional(),
  }),
  ledgerPlace: textForm,
  ledger: z.looseObject({}),
  proof: z
    .union([
      z.object({ by: textForm }),
      z.object({ doubt: z.enum(['no-key', 'unsigned', 'other-key', 'altered']), place: textForm }),
    ])
    .optional(),
  keyIds: keyIdsForm.extend({ previous: keyIdsForm.optional() }),
  digests: z.array(
    z.object({
      key: textForm,
      salt: textForm,
      value: z.unknown(),
      digest: textForm,
      unordered: z.literal(true).optional(),
    }),
  ),
  otherStacks: z.array(otherStackForm),
  readWithoutIndex: countForm,
  areOthersUnknown: z.boolean(),
  ledgerWarnings: z.object({ first: z.array(diagnosticForm), last: z.array(diagnosticForm) }),
  secrets: z.array(z.object({ name: textForm, source: textForm.optional(), token: textForm })),
  literals: z.object({
    salt: textForm,
    tokens: z.array(z.object({ digest: textForm, token: textForm })),
    keptAt: textsForm,
  }),
  secretProblems: z.array(diagnosticForm),
  unusedFlags: textsForm,
  reads: z.array(z.object({ request: requestForm, answer: answerForm })),
  events: z.union([z.object({ value: z.array(eventForm) }), z.object({ error: errorForm })]).optional(),
  counts: z.array(z.object({ differentReads: countForm, sent: z.array(z.tuple([textForm, countForm])) })),
  configuration: embeddedConfigurationForm.optional(),
});

/** The state of a rate limit. */
const limitStateForm = z.object({
  name: textForm,
  state: z.object({
    limit: countForm,
    remaining: countForm,
    reserved: z.array(countForm),
    endsIn: z.number().optional(),
  }),
});

const snapshotForm = z
  .looseObject({
    trueup: textForm,
    madeAt: z.iso.datetime(),
    anonymous: z.literal(true).optional(),
    limitStates: z.array(limitStateForm).optional(),
    stacks: z.record(textForm, stackPartForm),
  })
  // Otherwise a file could bring a configuration instead of the one that the user believes to plan.
  .refine(({ anonymous, stacks }) =>
    Object.values(stacks).every(
      ({ configuration }) => (configuration !== undefined) === (anonymous === true),
    ),
  );

/** Returns the format of a document that may be a snapshot, and the version of trueup that it names; undefined if it names none. */
export function formatOf(content: unknown): { formatVersion: number; trueup: string } | undefined {
  const head = z.looseObject({ formatVersion: z.number(), trueup: textForm.max(100) }).safeParse(content);
  return head.success ? head.data : undefined;
}

/**
 * Returns the first place at which a document does not have the form of a snapshot; undefined if it is one. The file of `plan --from` may
 * come from somebody else. `name`: the file, for problems of the ledgers in it. They are checked like other ledgers.
 */
export function findWrongForm(content: unknown, name: string): string | undefined {
  if (isTooDeep(content)) return `more than ${maxSnapshotDepth} levels`;
  const parsed = snapshotForm.safeParse(content);
  if (!parsed.success) return parsed.error.issues[0]!.path.join('.') || 'the document';
  for (const [id, { ledger }] of Object.entries(parsed.data.stacks)) {
    try {
      parseLedger(JSON.stringify(ledger), name);
    } catch (error) {
      if (error instanceof Problems) return `stacks.${id}.ledger`;
      throw error;
    }
  }
  return undefined;
}

/**
 * True if a value of a snapshot has too many levels for functions that call themselves for each level. Another person may have made the
 * file of `plan --from`, so it is refused then.
 */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxSnapshotDepth) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
