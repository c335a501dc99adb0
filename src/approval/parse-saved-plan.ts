import type * as z from 'zod';
import { Problems, problem } from '../model/diagnostic.ts';
import { canonical, digest } from '../model/digest.ts';
import { isSignature, type LedgerKey, signature, signerOf } from '../model/ledger-key.ts';
import { type SavedPlan, savedPlan } from './saved-plan.ts';

/** How every saved plan begins, whole or not. */
export const isSavedPlan = (text: string): boolean => /^\s*\{\s*"format"\s*:\s*"trueup plan"/.test(text);

/** Text as a saved plan; throws `Problems` that say what it is in place of one. */
export function parseSavedPlan(text: string, place: string): SavedPlan {
  const refuse = (code: string, message: string, hint: string) =>
    new Problems([problem(code, `${place}: ${message}`, { hint })]);
  const again = 'create a new plan with `trueup plan --out FILE` and have it approved';
  const json = parsed(text);
  const { format, formatVersion, checksum } = (json ?? {}) as Partial<Record<keyof SavedPlan, unknown>>;
  if (json === undefined && isSavedPlan(text))
    throw refuse('approval/damaged', 'this plan is truncated or damaged: it is not valid JSON', again);
  if (format !== 'trueup plan')
    throw refuse(
      'approval/not-a-plan',
      'this is not a saved plan',
      'pass a file written by `trueup plan --out FILE`; name a configuration with --file',
    );
  if (formatVersion === 1)
    throw refuse('approval/older', 'this plan was saved by an older trueup with a different seal', again);
  if (typeof formatVersion === 'number' && formatVersion > 2)
    throw refuse(
      'approval/newer',
      `this plan was saved by a newer version of trueup (format ${formatVersion})`,
      'upgrade trueup',
    );
  const result = savedPlan.safeParse(json);
  const [issue] = result.error?.issues ?? [];
  if (!result.success)
    throw refuse(
      'approval/damaged',
      `this plan was damaged or edited: ${placeOf(issue)} is not in the form trueup writes`,
      again,
    );
  if (checksum !== checksumOf(json as SavedPlan))
    throw refuse('approval/damaged', 'this plan was damaged or edited: its checksum does not match', again);
  return result.data;
}

/** The member that a schema refuses; one that it does not know, too. */
function placeOf(issue: z.core.$ZodIssue | undefined): string {
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  return [...(issue?.path ?? []), ...unknown].map(String).join('.') || 'the document';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The document with its seal, where there is a key to make one, and its checksum. */
export function signed(body: Omit<SavedPlan, 'seal' | 'checksum'>, key: LedgerKey | undefined): SavedPlan {
  const sealed = key ? { ...body, seal: signature(key, 'plan', sealedText(body)) } : body;
  return { ...sealed, checksum: checksumOf(sealed) };
}

/** The checksum of a document as it was read; the one that it names does not count. Anybody can make one: it only tells damage. */
export function checksumOf({ checksum: _, ...rest }: Partial<SavedPlan>): string {
  return digest('trueup plan', rest);
}

/** All of the document but the seal itself and the checksum, which is made of it. */
const sealedText = ({ seal: _, checksum: __, ...rest }: Partial<SavedPlan>): string => canonical(rest);

/**
 * The maker of a saved plan, as far as it is known. `none`: it has no seal, so anybody who can write a file. `unknown`: the key that it
 * names is not here. `broken`: it is not what that key sealed.
 */
export type Sealing = { state: 'sealed' | 'unknown' | 'broken'; key: string } | { state: 'none' };

export function sealing(saved: SavedPlan, key: LedgerKey | undefined): Sealing {
  if (saved.key === undefined || saved.seal === undefined) return { state: 'none' };
  const signer = signerOf(key, saved.key);
  if (!signer) return { state: 'unknown', key: saved.key };
  const isIntact = isSignature(saved.seal, signer, 'plan', sealedText(saved));
  return { state: isIntact ? 'sealed' : 'broken', key: saved.key };
}
