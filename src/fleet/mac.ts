import { canonical } from '../model/canonical.ts';
import {
  findSigningKey,
  isValidSignature,
  type LedgerKey,
  type SigningKey,
  signatureOf,
} from '../model/ledger-key.ts';

/** An entry of the queue with a MAC; `key` names the key behind it. */
interface Signable {
  key?: string | undefined;
  mac?: string | undefined;
}

/** The text under the MAC: the whole record and its sort, so that no sort can pass for another. */
const signedTextOf = ({ mac: _, ...rest }: Signable, sort: SignedSort): string =>
  sort === 'job' ? canonical(rest) : `${sort}\n${canonical(rest)}`;

type SignedSort = 'job' | 'outcome';

/** A record with the MAC of a key; as it is where there is none. */
export function addMac<T extends Signable>(record: T, sort: SignedSort, key: SigningKey | undefined): T {
  if (!key) return record;
  const named = { ...record, key: key.id };
  return { ...named, mac: signatureOf(key, 'job', signedTextOf(named, sort)) };
}

/** True if the key here signed the record, all of it. */
export function hasValidMac(record: Signable, sort: SignedSort, key: LedgerKey | undefined): boolean {
  const signer = record.key === undefined ? undefined : findSigningKey(key, record.key);
  return (
    signer !== undefined && isValidSignature(record.mac ?? '', signer, 'job', signedTextOf(record, sort))
  );
}
