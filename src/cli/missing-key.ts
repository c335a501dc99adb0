import { handlesSecrets } from '../kind/digests.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import type { Host } from './host.ts';

/**
 * What is wrong with a plan that has to send or record a secret in CI without a key: one that is made up there would be lost
 * with the machine, and every secret would be unverified next time. Undefined elsewhere, where a key is made.
 */
export function missingKey(
  { changes }: Pick<Plan, 'changes'>,
  { key, kinds, ledger, host }: { key: LedgerKey | undefined; kinds: Kinds; ledger: Ledger; host: Host },
): Diagnostic | undefined {
  if (key || !host.env.CI || !changes.some((change) => handlesSecrets(change, kinds))) return undefined;
  return problem('key/missing', 'there is no key for the digests of secrets, and this plan has secrets', {
    hint: hasKeyed(ledger)
      ? 'set TRUEUP_LEDGER_KEY to the key that the ledger was written with; apply refuses without it'
      : 'set TRUEUP_LEDGER_KEY to a secret of the CI system, for example from `openssl rand -base64 32`; apply refuses without it',
  });
}

/** Whether there was a key: a new one would make all that was recorded with it worthless. */
const hasKeyed = ({ entries }: Ledger) =>
  Object.values(entries).some(({ secrets }) => Object.keys(secrets).length > 0);
