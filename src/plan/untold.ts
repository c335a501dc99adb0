import { warning } from '../model/diagnostic.ts';
import { makerOfId } from '../model/ledger-key.ts';
import type { Case } from './case.ts';
import { matchesAny } from './select.ts';
import { withoutKey } from './without-key.ts';

/**
 * Whether it cannot be told which object the ledger means: its id is a secret, kept as the digest of a key that is not here.
 * Such an entry stays as it is, and nothing is created or deleted for it, unless that is asked for; reports it.
 */
export function untold({ kind, found, entry, input, address, want, report }: Case): boolean {
  if (!kind.secretId || found || !entry || entry.ids.some((id) => makerOfId(input.key, id))) return false;
  if (want && matchesAny(input.options?.sendUnverified, address)) return false;
  if (!input.key) {
    report(withoutKey(address, 'id', want?.at));
    return true;
  }
  report(
    warning(
      'secret/unverified',
      `${address}: the ledger knows it by the digest of another key, so nobody can tell which object it is`,
      {
        address,
        ...(want ? { at: want.at } : {}),
        hint: want
          ? `run with the key that it was applied with, or have a new one made with --send-unverified '${address}'`
          : 'run with the key that it was applied with; until then it stays',
      },
    ),
  );
  return true;
}
