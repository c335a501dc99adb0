import { digest, keyedDigest, type LedgerKey } from '../model/digest.ts';
import type { SavedPlan } from './saved-plan.ts';

/** The document with its seal and its checksum. */
export function signed(body: Omit<SavedPlan, 'seal' | 'checksum'>, key: LedgerKey | undefined): SavedPlan {
  const sealed = { ...body, ...(key ? { seal: sealOf(body, key) } : {}) };
  return { ...sealed, checksum: checksumOf(sealed) };
}

/** Of a document as it was read; whatever it says of itself does not count. */
export function checksumOf({ checksum: _, ...rest }: Partial<SavedPlan>): string {
  return digest('trueup plan', rest);
}

function sealOf({ seal: _, checksum: __, ...rest }: Partial<SavedPlan>, key: LedgerKey): string {
  return keyedDigest(key, 'trueup plan', rest);
}

/** Whether the file is as it was when its plan was saved, as far as the key can tell. */
export const isUntouched = (saved: SavedPlan, key: LedgerKey | undefined): boolean =>
  saved.key === undefined ? saved.seal === undefined : key !== undefined && saved.seal === sealOf(saved, key);
