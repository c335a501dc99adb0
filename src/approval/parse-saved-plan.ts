import * as z from 'zod';
import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';
import {
  canonicalParts,
  digestOfParts,
  findSigningKey,
  isValidSignature,
  type LedgerKey,
  signatureOf,
} from '../model/digest.ts';
import { findRepeatedKey, tryParseJson } from '../model/read-json.ts';
import type { StackReport } from '../report/stacks/stack-report.ts';
import { type SavedPlan, savedPlan } from './saved-plan.ts';
import { shownPlan } from './shown-plan.ts';

/** True if a text begins like a saved plan, complete or truncated. Used to tell plan files from configurations. */
const isSavedPlan = (text: string): boolean => /^\s*\{\s*"format"\s*:\s*"trueup plan"/.test(text);

/**
 * Parses and checks the text of one saved plan, for all commands that take a file of plans and for the
 * workers of a fleet. Throws `Problems` if it is another file, has another format version, or was damaged.
 * The seal (signature) is checked elsewhere, because it needs the ledger key. `fileName`: the name of the
 * file for messages.
 */
export function parseSavedPlan(text: string, fileName: string): SavedPlan {
  const json = tryParseJson(text);
  // Text that is no JSON, but begins like a saved plan. Any other text is refused by `requirePlanFormat`.
  if (json === undefined && isSavedPlan(text))
    raise(
      problem(
        'approval/damaged',
        `${fileName}: this plan is truncated or damaged: it is not valid JSON`,
        newPlanHint,
      ),
    );
  requirePlanFormat(json, fileName);
  requireDistinctMembers(text, (reason) => damagedPlan(fileName, reason));
  return requireIntactPlan(json, fileName);
}

const newPlanHint = { hint: 'create a new plan with `trueup plan --out FILE` and have it approved' };

/** Returns the problem that a plan file was damaged or edited. */
const damagedPlan = (fileName: string, reason: string): Diagnostic =>
  problem('approval/damaged', `${fileName}: this plan was damaged or edited: ${reason}`, newPlanHint);

/**
 * Throws `Problems` if parsed JSON is no saved plan, or one of a format that this version does not read, so that `apply FILE` never
 * misreads a file.
 */
function requirePlanFormat(json: unknown, fileName: string): void {
  const { format, formatVersion } = (json ?? {}) as Partial<Record<keyof SavedPlan, unknown>>;
  if (format !== 'trueup plan')
    raise('approval/not-a-plan', `${fileName}: this is not a saved plan`, {
      hint: 'pass a file written by `trueup plan --out FILE`; name a configuration with --file',
    });
  if (formatVersion === 1 || formatVersion === 2)
    raise(
      'approval/older',
      `${fileName}: this plan was saved by an older trueup, in a form that this one does not read`,
      newPlanHint,
    );
  if (typeof formatVersion === 'number' && formatVersion > 3)
    raise(
      'approval/newer',
      `${fileName}: this plan was saved by a newer version of trueup (format ${formatVersion})`,
      { hint: 'upgrade trueup' },
    );
}

/**
 * Returns a saved plan from parsed JSON. Throws `Problems` unless it has the form of its schema, a correct checksum, and all changes that
 * its operations name: a damaged plan must not be applied.
 */
function requireIntactPlan(json: unknown, fileName: string): SavedPlan {
  const damagedProblem = (reason: string) => damagedPlan(fileName, reason);
  const plan = requireIntact(savedPlan, json, damagedProblem);
  // Reports look up the changes of each operation.
  const addresses = new Set(plan.changes.map(({ address }) => address));
  if (!plan.operations.every(({ changes }) => changes.every((address) => addresses.has(address))))
    raise(damagedProblem('an operation is about a change that the plan does not have'));
  return plan;
}

/**
 * Returns the content of a plan file if it has the form of its schema and a correct checksum, so that a damaged file is never applied.
 * Throws `Problems` otherwise, with the problem that `damagedProblem` makes for the reason.
 */
function requireIntact<T extends { checksum: string }>(
  schema: z.ZodType<T>,
  json: unknown,
  damagedProblem: (reason: string) => Diagnostic,
): T {
  if (hasMoreLevels(json, mostLevels)) raise(damagedProblem('its values are nested too deep'));
  const { success, data, error } = schema.safeParse(json);
  if (!success) raise(damagedProblem(`${invalidMember(error.issues[0])} is not in the form trueup writes`));
  if (data.checksum !== checksumOf(json as T)) raise(damagedProblem('the checksum does not match'));
  return data;
}

/** More levels than a plan of the most deeply nested configuration has. Recursive functions would fail on far deeper files. */
const mostLevels = 500;

/**
 * True if a parsed plan file has more than `levels` levels of lists and maps. Such a file is refused, because deeper values could exceed
 * the call stack of the code that reads them.
 */
function hasMoreLevels(json: unknown, levels: number): boolean {
  // The values of one level. A value that is neither a list nor a map is a level of its own, hence `levels + 1` steps.
  let values = [json];
  for (let step = 0; step < levels + 1 && values.length > 0; step++)
    values = values.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  return values.length > 0;
}

/**
 * Returns the path of the first member of a plan file that has a wrong form, for the message about a damaged file. An
 * unknown member counts, too.
 */
function invalidMember(issue: z.core.$ZodIssue | undefined): string {
  const unknownKeys = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  return [...(issue?.path ?? []), ...unknownKeys].map(String).join('.') || 'the document';
}

/**
 * Returns a plan file with its checksum and, if there is a key, its seal. The checksum shows damage, the seal shows
 * that the file was not edited without the key.
 */
export function signPlan(body: Omit<SavedPlan, 'seal' | 'checksum'>, key: LedgerKey | undefined): SavedPlan {
  const sealed = key ? { ...body, seal: signatureOf(key, 'plan', sealedParts(body)) } : body;
  return { ...sealed, checksum: checksumOf(sealed) };
}

/** Returns the checksum of a file with plans, without the one in it. It only detects damage, because it can be made without a key. */
export function checksumOf({ checksum: _, ...otherMembers }: { format?: string; checksum?: string }): string {
  return digestOfParts(otherMembers.format ?? '', canonicalParts(otherMembers, splitLevelsOf(otherMembers)));
}

/**
 * Returns the text, in parts, of a plan file that its seal (signature with the ledger key) signs, to make the seal and to check it:
 * everything but the seal and the checksum, because they are made from this text.
 */
const sealedParts = ({
  seal: _,
  checksum: __,
  ...sealedMembers
}: {
  format?: string;
  seal?: string;
  checksum?: string;
}): Iterable<string> => canonicalParts(sealedMembers, splitLevelsOf(sealedMembers));

/**
 * Returns the text, in parts, that the seal of a file with several stacks signs. Its first word tells it from the seal of a single plan.
 */
function* sealedPartsOfStacks(stacks: Parameters<typeof sealedParts>[0]): Generator<string> {
  yield 'stacks';
  yield* sealedParts(stacks);
}

/**
 * Returns the level at which a plan file has its changes and operations, as items of lists; in a file with several stacks, they are deeper.
 * The text that is signed is made in parts down to this level, so that a large plan needs no text of its whole length.
 */
const splitLevelsOf = ({ format }: { format?: string }): number => (format === 'trueup plans' ? 5 : 2);

/**
 * Whether a file is as its maker sealed it:
 *
 *   | state     | meaning                                              |
 *   | `sealed`  | the seal is valid for the named key                  |
 *   | `broken`  | the file was changed after it was sealed             |
 *   | `unknown` | the named key is not available here                  |
 *   | `none`    | there is no seal, so it may come from anywhere       |
 */
export type Sealing = { state: 'sealed' | 'unknown' | 'broken'; key: string } | { state: 'none' };

/**
 * Checks the seal of a saved plan with the current and the previous ledger key. Apply only accepts sealed plans,
 * because the file may have passed through other hands.
 */
export const checkSeal = (saved: SavedPlan, key: LedgerKey | undefined): Sealing =>
  checkSealOf(saved, key, sealedParts(saved));

/**
 * Checks the seal (signature with the ledger key) of a plan file, by which `apply` recognizes that the plan was edited after it was made.
 * `signedParts`: the parts of the text that it signs.
 */
function checkSealOf(
  saved: { key?: string; seal?: string },
  key: LedgerKey | undefined,
  signedParts: Iterable<string>,
): Sealing {
  if (saved.key === undefined || saved.seal === undefined) return { state: 'none' };
  const signer = findSigningKey(key, saved.key);
  if (!signer) return { state: 'unknown', key: saved.key };
  const isIntact = isValidSignature(saved.seal, signer, 'plan', signedParts);
  return { state: isIntact ? 'sealed' : 'broken', key: saved.key };
}

const savedPart = z.strictObject({
  /** `shop`, or `shop@staging`. */
  id: z.string(),
  path: z.string(),
  stage: z.string().optional(),
  needs: z.array(z.string()),
  /** The objects that other stacks of the file create first. The plan takes them for missing, and only they may differ later. */
  awaits: z.array(z.strictObject({ address: z.string(), stack: z.string() })).optional(),
  plan: savedPlan,
});

/**
 * Refuses a plan file in which an object has the same member twice. Its seal covers the last one, so that an added first one would not
 * break the seal, but would mislead a person who reads the file.
 */
function requireDistinctMembers(text: string, damagedProblem: (reason: string) => Diagnostic): void {
  const repeated = findRepeatedKey(text);
  if (repeated) raise(damagedProblem(`line ${repeated.line}: ${repeated.message}`));
}

/**
 * The plans of several stacks that are approved together, in the order in which they are applied. Each is sealed, and all together are,
 * too.
 */
const savedStacks = z.strictObject({
  format: z.literal('trueup plans'),
  formatVersion: z.literal(1),
  parts: z.array(savedPart).min(1),
  key: z.string().optional(),
  seal: z.string().optional(),
  checksum: z.string(),
});

type SavedStacks = z.infer<typeof savedStacks>;
export type SavedPart = SavedStacks['parts'][number];

/** The plans of a file: one plan, or those of several stacks of a workspace. They are approved together. */
export interface SavedPlans {
  /** True for a file with one plan. Its part has no id. */
  isOne: boolean;
  /** The plans in the order in which they are applied. */
  parts: SavedPart[];
  /** Checks the seal of the file, and those of the plans in it. The one of the file comes first. */
  checkSeals(key: LedgerKey | undefined): Sealing[];
}

/** True if a text begins like a file with saved plans, complete or truncated. Used to tell them from other files. */
export const isSavedPlans = (text: string): boolean => isSavedPlan(text) || isSavedStacks(text);

/** True if a text begins like a file with the plans of several stacks. */
const isSavedStacks = (text: string): boolean => /^\s*\{\s*"format"\s*:\s*"trueup plans"/.test(text);

/**
 * Returns the content of the file that `plan --all --out FILE` writes: the plans of several stacks, with a checksum and, if there is a
 * ledger key, a seal (signature) over all of them. The seal prevents that a plan is removed from the file or taken from another one.
 */
export function sealStacks(parts: SavedPart[], key: LedgerKey | undefined): SavedStacks {
  const body = { format: 'trueup plans' as const, formatVersion: 1 as const, parts };
  const withKeyId = key ? { ...body, key: key.id } : body;
  const sealed = key
    ? { ...withKeyId, seal: signatureOf(key, 'plan', sealedPartsOfStacks(withKeyId)) }
    : withKeyId;
  return { ...sealed, checksum: checksumOf(sealed) };
}

/**
 * Parses and checks the text of a file with saved plans, for one stack or several, which `apply` and reports take. Throws `Problems` if it
 * is another file, has another format version, or was damaged. The caller checks the seals (signatures) with `checkSeals`, because only it
 * knows the ledger key.
 */
export function parseSavedPlans(text: string, fileName: string): SavedPlans {
  if (isSavedStacks(text)) {
    const stacks = parseSavedStacks(text, fileName);
    const { parts } = stacks;
    const checkSeals = (key: LedgerKey | undefined) => [
      checkStacksSeal(stacks, key),
      ...parts.map(({ plan }) => checkSeal(plan, key)),
    ];
    return { isOne: false, parts, checkSeals };
  }
  const plan = parseSavedPlan(text, fileName);
  const only: SavedPart = { id: '', path: '', needs: [], plan };
  return { isOne: true, parts: [only], checkSeals: (key) => [checkSeal(plan, key)] };
}

/**
 * Parses and checks a file with the plans of several stacks, which `plan --all --out FILE` wrote. Throws `Problems` if it was damaged, was
 * edited, or has a later format version.
 */
function parseSavedStacks(text: string, fileName: string): SavedStacks {
  const damagedProblem = (reason: string) =>
    problem('approval/damaged', `${fileName}: these plans were damaged or edited: ${reason}`, {
      hint: 'create new plans with `trueup plan --all --out FILE` and have them approved',
    });
  const json = tryParseJson(text);
  if (json === undefined) raise(damagedProblem('it is not valid JSON'));
  if (((json as SavedStacks | null)?.formatVersion as number) > 1)
    raise('approval/newer', `${fileName}: these plans were saved by a newer version of trueup`, {
      hint: 'upgrade trueup',
    });
  requireDistinctMembers(text, damagedProblem);
  const stacks = requireIntact(savedStacks, json, damagedProblem);
  for (const { id, plan } of stacks.parts) {
    requirePlanFormat(plan, `${fileName}, ${id}`);
    requireIntactPlan(plan, `${fileName}, ${id}`);
  }
  return stacks;
}

/**
 * Checks the seal over the plans of several stacks. Each plan has a seal of its own, too, but only this one shows a
 * missing or exchanged plan.
 */
const checkStacksSeal = (saved: SavedStacks, key: LedgerKey | undefined): Sealing =>
  checkSealOf(saved, key, sealedPartsOfStacks(saved));

/**
 * Converts the plans of a file to reports, one per stack, so that `trueup show FILE` and `report merge` show them like plans that were made
 * just now.
 */
export const savedPlanReports = ({ parts }: SavedPlans): StackReport[] =>
  parts.map(({ plan, awaits, ...head }) => ({
    ...head,
    stack: plan.stack,
    plan: { ...shownPlan(plan), ...(awaits ? { awaits } : {}) },
  }));
