import { createKeyFile } from '../../ledger/key.ts';
import type { LedgerStore } from '../../ledger/ledger-store.ts';
import { isVerified, missingKeyProblem, unverifiedProblem } from '../../ledger/proof.ts';
import { Problems } from '../../model/diagnostic.ts';
import type { Ledger } from '../../model/ledger.ts';
import type { LedgerKey } from '../../model/ledger-key.ts';
import { type Host, inCi, pathOn } from '../host.ts';
import type { StackOptions } from '../stack-options.ts';
import { createHomeFolder } from './home-folder.ts';
import { keyPathOf } from './open-ledger.ts';

type KeyPlaceOptions = Pick<StackOptions, 'twin'>;
interface Held {
  store: LedgerStore;
  ledger: Pick<Ledger, 'entries'>;
}

/**
 * Throws `Problems` where no run may make a key: in CI, where it would be gone with the machine, and where the ledger is under a key
 * that is not here, since a new one would make all that was recorded with that worthless.
 */
export function refuseNewKey({ store, ledger }: Held, { twin }: KeyPlaceOptions, { env }: Host): void {
  const proof = store.proof();
  if (proof && !isVerified(proof) && proof.key !== undefined)
    throw new Problems([unverifiedProblem(proof, undefined)]);
  const maker = Object.values(ledger.entries)
    .flatMap(({ secrets }) => Object.values(secrets))
    .find(({ key }) => key !== '')?.key;
  if (maker !== undefined)
    throw new Problems(
      'key/missing',
      `the ledger ${store.place} has secrets under the key ${maker}, but no key is available here`,
      {
        hint: 'set TRUEUP_LEDGER_KEY to that key; if it is lost: `trueup ledger key` creates a new one, then `trueup ledger sign`',
      },
    );
  if (inCi({ env }) && !twin) throw new Problems([missingKeyProblem]);
}

/** Makes the key of a ledger at a desk, after what keeps it out of git. Throws `Problems` where that is not for a run to do. */
export async function createFirstKey(held: Held, place: KeyPlaceOptions, host: Host): Promise<LedgerKey> {
  refuseNewKey(held, place, host);
  await createHomeFolder(host);
  return createKeyFile(pathOn(host, keyPathOf(place)));
}
