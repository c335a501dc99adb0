import { canonicalJson } from '../model/canonical.ts';
import {
  findSigningKey,
  isValidSignature,
  type LedgerKey,
  type SigningKey,
  signatureOf,
} from '../model/ledger-key.ts';

/** An entry of the queue that can have a MAC. `key`: the id of the key that made it. */
interface Signable {
  key?: string | undefined;
  mac?: string | undefined;
}

/** Returns the text that the MAC covers: the whole entry and its type, so that an outcome cannot be passed off as a job. */
const signedTextOf = ({ mac: _, ...entry }: Signable, type: EntryType): string =>
  type === 'job' ? canonicalJson(entry) : `${type}\n${canonicalJson(entry)}`;

/** The type of an entry of the queue. */
type EntryType = 'job' | 'outcome';

/** Returns an entry with a MAC of a key, so that readers can verify it. Unchanged without a key. */
export function addMac<T extends Signable>(entry: T, type: EntryType, key: SigningKey | undefined): T {
  if (!key) return entry;
  const withKeyId = { ...entry, key: key.id };
  return { ...withKeyId, mac: signatureOf(key, 'job', signedTextOf(withKeyId, type)) };
}

/** True if a MAC of the key here, or of the key before it, covers all of an entry. */
export function hasValidMac(entry: Signable, type: EntryType, key: LedgerKey | undefined): boolean {
  const signer = entry.key === undefined ? undefined : findSigningKey(key, entry.key);
  return signer !== undefined && isValidSignature(entry.mac ?? '', signer, 'job', signedTextOf(entry, type));
}
