import * as z from 'zod';
import { canonical } from '../model/canonical.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { digest } from '../model/digest.ts';
import { jsonIn } from '../model/json-in.ts';
import { isSignature, type LedgerKey, signature, signerOf } from '../model/ledger-key.ts';
import { parseSavedPlan, type Sealing } from './parse-saved-plan.ts';
import { savedPlan } from './saved-plan.ts';

const part = z.strictObject({
  /** `shop`, or `shop@staging`. */
  id: z.string(),
  path: z.string(),
  stage: z.string().optional(),
  needs: z.array(z.string()),
  /** The objects that other parts create before: nothing was known of them, and only they may differ. */
  awaits: z.array(z.strictObject({ address: z.string(), stack: z.string() })).optional(),
  plan: savedPlan,
});

/** The plans of several stacks that were approved together, in the order in which they are carried out. Each is sealed, and so is the list. */
const savedStacks = z.strictObject({
  format: z.literal('trueup plans'),
  formatVersion: z.literal(1),
  parts: z.array(part).min(1),
  key: z.string().optional(),
  seal: z.string().optional(),
  checksum: z.string(),
});

export type SavedStacks = z.infer<typeof savedStacks>;
export type SavedPart = SavedStacks['parts'][number];

/** The first bytes of every file that holds the plans of several stacks. */
export const isSavedStacks = (text: string): boolean => /^\s*\{\s*"format"\s*:\s*"trueup plans"/.test(text);

/** The document with the seal of all its parts, where there is a key to make one. */
export function sealedStacks(parts: SavedPart[], key: LedgerKey | undefined): SavedStacks {
  const body = { format: 'trueup plans' as const, formatVersion: 1 as const, parts };
  const named = key ? { ...body, key: key.id } : body;
  const sealed = key ? { ...named, seal: signature(key, 'plan', 'stacks', textOf(named)) } : named;
  return { ...sealed, checksum: checksumOf(sealed) };
}

/** Text as the saved plans of several stacks; throws `Problems` that say what it is in place of them. */
export function parseSavedStacks(text: string, place: string): SavedStacks {
  const damaged = (why: string) =>
    new Problems([
      problem('approval/damaged', `${place}: these plans were damaged or edited: ${why}`, {
        hint: 'create new plans with `trueup plan --all --out FILE` and have them approved',
      }),
    ]);
  const json = jsonIn(text);
  if (json === undefined) throw damaged('it is not valid JSON');
  if (((json as SavedStacks | null)?.formatVersion as number) > 1)
    throw new Problems([
      problem('approval/newer', `${place}: these plans were saved by a newer version of trueup`, {
        hint: 'upgrade trueup',
      }),
    ]);
  const result = savedStacks.safeParse(json);
  const [issue] = result.error?.issues ?? [];
  if (!result.success)
    throw damaged(`${issue?.path.join('.') || 'the document'} is not in the form trueup writes`);
  if (result.data.checksum !== checksumOf(json as SavedStacks)) throw damaged('the checksum does not match');
  for (const { id, plan } of result.data.parts) parseSavedPlan(JSON.stringify(plan), `${place}, ${id}`);
  return result.data;
}

/** The maker of the list, as far as it is known; each part says it of itself too. */
export function sealingOf(saved: SavedStacks, key: LedgerKey | undefined): Sealing {
  if (saved.key === undefined || saved.seal === undefined) return { state: 'none' };
  const signer = signerOf(key, saved.key);
  if (!signer) return { state: 'unknown', key: saved.key };
  const isIntact = isSignature(saved.seal, signer, 'plan', 'stacks', textOf(saved));
  return { state: isIntact ? 'sealed' : 'broken', key: saved.key };
}

const textOf = ({ seal: _, checksum: __, ...rest }: Partial<SavedStacks>): string => canonical(rest);
const checksumOf = ({ checksum: _, ...rest }: Partial<SavedStacks>): string => digest('trueup plans', rest);
