import * as z from 'zod';
import { canonical } from '../model/canonical.ts';
import { Problems } from '../model/diagnostic.ts';
import { digest } from '../model/digest.ts';
import { findSigningKey, isValidSignature, type LedgerKey, signatureOf } from '../model/ledger-key.ts';
import { tryParseJson } from '../model/read-json.ts';
import { checkSeal, isSavedPlan, parseSavedPlan, type Sealing } from './parse-saved-plan.ts';
import { savedPlan } from './saved-plan.ts';

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

/** The plans of several stacks that are approved together, in the order in which they are applied. Each is sealed, and all together are, too. */
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
 * Returns the file with the plans of several stacks, with its checksum and, if there is a key, a seal over all of
 * them. The seal prevents that a plan is removed from the file or taken from another one.
 */
export function sealStacks(parts: SavedPart[], key: LedgerKey | undefined): SavedStacks {
  const body = { format: 'trueup plans' as const, formatVersion: 1 as const, parts };
  const withKeyId = key ? { ...body, key: key.id } : body;
  const sealed = key
    ? { ...withKeyId, seal: signatureOf(key, 'plan', 'stacks', sealedStacksText(withKeyId)) }
    : withKeyId;
  return { ...sealed, checksum: stacksChecksumOf(sealed) };
}

/**
 * Parses and checks the text of a file with saved plans. Throws `Problems` if it is another file, has another format
 * version, or was damaged. The seals are checked elsewhere. Used by every command that takes a plan file, for one
 * plan or several.
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
 * Parses and checks a file with the plans of several stacks. Throws `Problems` if it was damaged, was edited, or has
 * a later format version.
 */
function parseSavedStacks(text: string, fileName: string): SavedStacks {
  const damagedError = (reason: string) =>
    new Problems('approval/damaged', `${fileName}: these plans were damaged or edited: ${reason}`, {
      hint: 'create new plans with `trueup plan --all --out FILE` and have them approved',
    });
  const json = tryParseJson(text);
  if (json === undefined) throw damagedError('it is not valid JSON');
  if (((json as SavedStacks | null)?.formatVersion as number) > 1)
    throw new Problems('approval/newer', `${fileName}: these plans were saved by a newer version of trueup`, {
      hint: 'upgrade trueup',
    });
  const result = savedStacks.safeParse(json);
  const [issue] = result.error?.issues ?? [];
  if (!result.success)
    throw damagedError(`${issue?.path.join('.') || 'the document'} is not in the form trueup writes`);
  if (result.data.checksum !== stacksChecksumOf(json as SavedStacks))
    throw damagedError('the checksum does not match');
  for (const { id, plan } of result.data.parts) parseSavedPlan(JSON.stringify(plan), `${fileName}, ${id}`);
  return result.data;
}

/**
 * Checks the seal over the plans of several stacks. Each plan has a seal of its own, too, but only this one shows a
 * missing or exchanged plan.
 */
function checkStacksSeal(saved: SavedStacks, key: LedgerKey | undefined): Sealing {
  if (saved.key === undefined || saved.seal === undefined) return { state: 'none' };
  const signer = findSigningKey(key, saved.key);
  if (!signer) return { state: 'unknown', key: saved.key };
  const isIntact = isValidSignature(saved.seal, signer, 'plan', 'stacks', sealedStacksText(saved));
  return { state: isIntact ? 'sealed' : 'broken', key: saved.key };
}

/** Returns the text that the seal signs: everything but the seal and the checksum. */
const sealedStacksText = ({ seal: _, checksum: __, ...sealedMembers }: Partial<SavedStacks>): string =>
  canonical(sealedMembers);

const stacksChecksumOf = ({ checksum: _, ...otherMembers }: Partial<SavedStacks>): string =>
  digest('trueup plans', otherMembers);
