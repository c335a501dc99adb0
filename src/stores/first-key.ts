import { type Host, isInCi, resolvePath } from '../host.ts';
import { createKeyFile } from '../ledger/key.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { isVerified, missingKeyProblem, unverifiedProblem } from '../ledger/proof.ts';
import { raise } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { createHomeFolder } from './home-folder.ts';
import type { LedgerChoice } from './ledger-choice.ts';
import { keyPathOf } from './open-ledger.ts';

/** The option that decides which key is meant: that of the twin, or that of the platform. */
type KeyOptions = Pick<LedgerChoice, 'twin'>;

/** A ledger that has no usable key yet, and the store that it was read from. */
interface UnkeyedLedger {
  store: LedgerStore;
  ledger: Pick<Ledger, 'entries'>;
}

/**
 * Throws `Problems` if this run may not create a key: in CI, where the key would be lost with the machine, and if the ledger has signatures or
 * secrets under a key that is missing here, because a new key could not verify them.
 */
export function refuseNewKey({ store, ledger }: UnkeyedLedger, { twin }: KeyOptions, { env }: Host): void {
  const proof = store.proof();
  if (proof && !isVerified(proof) && proof.key !== undefined) raise(unverifiedProblem(proof, undefined));
  const missingKey = Object.values(ledger.entries)
    .flatMap(({ secrets }) => Object.values(secrets))
    .find(({ key }) => key !== '')?.key;
  if (missingKey !== undefined)
    raise(
      'key/missing',
      `the ledger ${store.place} has secrets under the key ${missingKey}, but no key is available here`,
      {
        hint: 'set TRUEUP_LEDGER_KEY to that key; if it is lost: `trueup ledger key` creates a new one, then `trueup ledger sign`',
      },
    );
  if (isInCi({ env }) && !twin) raise(missingKeyProblem);
}

/**
 * Creates the key that signs a ledger, on a developer's machine, when the first run needs it. The folder `.trueup` with its `.gitignore` is created
 * before, so that the key cannot be committed. Throws `Problems` if this run may not create a key.
 */
export async function createFirstKey(
  unkeyed: UnkeyedLedger,
  options: KeyOptions,
  host: Host,
): Promise<LedgerKey> {
  refuseNewKey(unkeyed, options, host);
  await createHomeFolder(host);
  return createKeyFile(resolvePath(host, keyPathOf(options)));
}
