import type { DigestKey, LedgerKey } from '../model/digest.ts';
import { Sealed } from '../model/sealed.ts';
import type { KeyIds, StackPart } from './snapshot.ts';

/** The secret of all keys of snapshots. It protects nothing: what these keys digest equals no digest of a real key. */
const noSecret = new Sealed('snapshot');

/**
 * Returns a ledger key with the ids of the real one, for a plan from a snapshot. It has the digests that the snapshot recorded; all others equal no
 * recorded digest, so that the value counts as another one. Undefined if the run that made the snapshot had no key.
 */
export function keyOfPart({ keyIds, digests }: Pick<StackPart, 'keyIds' | 'digests'>): LedgerKey | undefined {
  const known = new Map(digests.map(({ key, text, digest }) => [`${key} ${text}`, digest]));
  const digestKey = (id: string): DigestKey => ({
    id,
    secret: noSecret,
    known: { get: (text) => known.get(`${id} ${text}`) },
  });
  const fullKey = ({ id, legacy, previous }: KeyIds): LedgerKey | undefined =>
    id === undefined
      ? undefined
      : {
          ...digestKey(id),
          signing: {
            ledger: noSecret,
            plan: noSecret,
            history: noSecret,
            job: noSecret,
            ownership: noSecret,
            snapshot: noSecret,
          },
          ...(legacy !== undefined && { legacyKey: digestKey(legacy) }),
          ...(previous && { previous: fullKey(previous) }),
        };
  return fullKey(keyIds);
}
