/*
 * The form of a snapshot that was read from a file. Anybody may have made the file, so everything that planning relies on is checked here, once. Answers of
 * the account may have any form: planning checks these as it checks those of the platform.
 */
import * as z from 'zod';
import { isEntry, parseLedger } from '../ledger/parse-ledger.ts';
import { Problems } from '../model/diagnostic.ts';
import { tryParseJson } from '../model/read-json.ts';

/** The most levels of lists and objects inside each other. Answers of the platform have about ten. */
const maxSnapshotDepth = 200;

const text = z.string();
const texts = z.array(text);
const count = z.int().min(0);
const keyIds = z.object({ id: text.optional(), legacy: text.optional() });

const diagnosticForm = z.looseObject({
  severity: z.enum(['error', 'warning', 'note']),
  code: text,
  message: text,
  hint: text.optional(),
  address: text.optional(),
  secret: z.looseObject({ name: text }).optional(),
  at: z.looseObject({ file: text, line: count, column: count, text: text.optional() }).optional(),
  related: z.array(z.looseObject({ message: text })).optional(),
});

const recordedError = z.object({
  message: text,
  // Other names would replace methods of errors.
  members: z.record(text.regex(/^(?!constructor$|stack$|cause$)[a-z][A-Za-z]*$/), z.unknown()),
  problems: z.array(diagnosticForm).optional(),
});

const request = z.object({
  endpoint: text.startsWith('GET /'),
  params: z.record(text, z.unknown()).optional(),
  items: z.union([text, texts]).optional(),
  pages: z.literal(true).optional(),
  etag: z.literal(true).optional(),
});

const pages = z
  .object({
    items: z.array(z.unknown()),
    counts: z.array(count).min(1),
    hasMore: z.boolean(),
    error: recordedError.optional(),
  })
  .refine(({ items, counts }) =>
    counts.every((itemCount, index) => itemCount >= (counts[index - 1] ?? 0) && itemCount <= items.length),
  );

const answer = z.union([
  pages,
  z.object({ error: recordedError }).strict(),
  // An answer without a body is undefined, which JSON leaves out.
  z.object({ value: z.unknown().optional() }).strict(),
]);

const event = z.looseObject({
  when: z.number(),
  by: z.looseObject({ name: text, id: text.optional() }),
  through: text.optional(),
  about: texts,
});

const otherStack = z
  .looseObject({
    stack: text,
    entries: z.record(text, z.unknown()),
    begun: z.record(text, z.unknown()).optional(),
    generation: count.optional(),
    writtenAt: z.number().optional(),
    lastRun: text.optional(),
    inputs: texts,
    isVerified: z.boolean(),
    isWellFormed: z.boolean(),
  })
  .refine(({ entries, isWellFormed }) => !isWellFormed || Object.values(entries).every(isEntry));

const stackPartForm = z.looseObject({
  stack: text,
  time: z.number().min(0).max(8.64e15),
  owner: z.looseObject({
    type: z.enum(['team', 'personal']),
    id: text,
    slug: text,
    facts: z.record(text, z.unknown()),
  }),
  account: z.looseObject({ type: z.enum(['team', 'personal']), name: text, baseUrl: text.optional() }),
  baseUrl: text,
  ledgerPlace: text,
  ledger: z.looseObject({}),
  proof: z
    .union([
      z.object({ by: text }),
      z.object({ doubt: z.enum(['no-key', 'unsigned', 'other-key', 'altered']), place: text }),
    ])
    .optional(),
  keyIds: keyIds.extend({ previous: keyIds.optional() }),
  digests: z.array(
    z.object({
      key: text,
      text: text.includes('\n'),
      digest: text,
      unordered: z.literal(true).optional(),
    }),
  ),
  otherStacks: z.array(otherStack),
  readWithoutIndex: count,
  areOthersUnknown: z.boolean(),
  ledgerWarnings: z.object({ first: z.array(diagnosticForm), last: z.array(diagnosticForm) }),
  secrets: z.array(z.object({ name: text, source: text.optional(), token: text })),
  literals: z.object({ salt: text, tokens: z.array(z.object({ digest: text, token: text })) }).optional(),
  secretProblems: z.array(diagnosticForm),
  unusedFlags: texts.optional(),
  reads: z.array(z.object({ request, answer })),
  events: z.union([z.object({ value: z.array(event) }), z.object({ error: recordedError })]).optional(),
  counts: z.array(z.object({ begun: count, sent: z.array(z.tuple([text, count])) })),
  configuration: z.looseObject({}).optional(),
});

const snapshotForm = z.looseObject({
  trueup: text,
  madeAt: z.iso.datetime(),
  anonymous: z.literal(true).optional(),
  stacks: z.record(text, stackPartForm),
});

/** Returns the format of a document that may be a snapshot, and the version of trueup that it names; undefined if it names none. */
export function formatOf(content: unknown): { formatVersion: number; trueup: string } | undefined {
  const head = z.looseObject({ formatVersion: z.number(), trueup: text.max(100) }).safeParse(content);
  return head.success ? head.data : undefined;
}

/** Returns the first place at which a document is not in the form of a snapshot; undefined if it is one. `name`: the file, for problems of its ledgers. */
export function findWrongForm(content: unknown, name: string): string | undefined {
  if (isTooDeep(content)) return `more than ${maxSnapshotDepth} levels`;
  const parsed = snapshotForm.safeParse(content);
  if (!parsed.success) return parsed.error.issues[0]!.path.join('.') || 'the document';
  for (const [id, { ledger, digests }] of Object.entries(parsed.data.stacks)) {
    if (
      !digests.every((digest) => tryParseJson(digest.text.slice(digest.text.indexOf('\n') + 1)) !== undefined)
    )
      return `stacks.${id}.digests`;
    try {
      parseLedger(JSON.stringify(ledger), name);
    } catch (error) {
      if (error instanceof Problems) return `stacks.${id}.ledger`;
      throw error;
    }
  }
  return undefined;
}

/** True if a value has too many levels for functions that call themselves for each level. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxSnapshotDepth) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
