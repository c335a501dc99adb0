import { warning } from '../model/diagnostic.ts';
import type { Difference } from './diff.ts';
import type { Wanted } from './wanted.ts';

/** Says which secrets could not be compared, and what to do about it. */
export function noteSecrets(
  { unverified, unavailable }: Difference,
  { want, entry, input, report }: Wanted,
): void {
  const { address, at } = want;
  for (const path of unavailable)
    report(
      warning(
        'secret/not-compared',
        `${address}: the secret in \`${path}\` is not available here, so it was not compared`,
        { address, at },
      ),
    );
  const previous = input.key?.previous;
  for (const path of unavailable.filter((one) => previous && entry?.secrets[one]?.key === previous.id))
    report(
      warning(
        'secret/previous-key',
        `${address}: what the ledger knows of \`${path}\` stays under the previous ledger key, since the secret is not available here`,
        { address, at, hint: 'keep TRUEUP_LEDGER_KEY_PREVIOUS until it was applied with the secret' },
      ),
    );
  for (const path of unverified)
    report(
      warning(
        'secret/unverified',
        `${address}: \`${path}\` cannot be read back, and nothing here says what it was last set to`,
        { address, at, hint: `it is left as it is; send it once with --send-unverified '${address}'` },
      ),
    );
}
