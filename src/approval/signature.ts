import { canonical, digest } from '../model/digest.ts';
import { isSignature, type LedgerKey, signature, signerOf } from '../model/ledger-key.ts';
import type { SavedPlan } from './saved-plan.ts';

/** The document with its seal, where there is a key to make one, and its checksum. */
export function signed(body: Omit<SavedPlan, 'seal' | 'checksum'>, key: LedgerKey | undefined): SavedPlan {
  const sealed = key ? { ...body, seal: signature(key, 'plan', sealedText(body)) } : body;
  return { ...sealed, checksum: checksumOf(sealed) };
}

/** Of a document as it was read; whatever it says of itself does not count. Anybody can make one: it only tells damage. */
export function checksumOf({ checksum: _, ...rest }: Partial<SavedPlan>): string {
  return digest('trueup plan', rest);
}

/** All of the document but the seal itself and the checksum, which is made of it. */
const sealedText = ({ seal: _, checksum: __, ...rest }: Partial<SavedPlan>): string => canonical(rest);

/**
 * Who made a saved plan. `none`: it has no seal, so anybody who can write a file. `unknown`: the key that it names is not here.
 * `broken`: it is not what that key sealed.
 */
export type Sealing = { state: 'sealed' | 'unknown' | 'broken'; key: string } | { state: 'none' };

export function sealing(saved: SavedPlan, key: LedgerKey | undefined): Sealing {
  if (saved.key === undefined || saved.seal === undefined) return { state: 'none' };
  const signer = signerOf(key, saved.key);
  if (!signer) return { state: 'unknown', key: saved.key };
  const isIntact = isSignature(saved.seal, signer, 'plan', sealedText(saved));
  return { state: isIntact ? 'sealed' : 'broken', key: saved.key };
}
