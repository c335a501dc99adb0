import { secretIdOf } from '../kind/define-kind.ts';
import { warning } from '../model/diagnostic.ts';
import { makerOfId } from '../model/ledger-key.ts';
import type { LiveResource } from '../model/resource.ts';
import { holesIn } from '../model/value.ts';
import type { Case } from './case.ts';
import { withoutKey } from './note-secrets.ts';
import { matchesAny } from './select.ts';

/**
 * True if nobody can tell which object is meant: its id is a secret that is not available here, or that the ledger keeps as a
 * digest made with a missing key. Reports it. Such an entry stays as it is, and nothing is created or deleted for it unless
 * somebody asks for that.
 */
export function unidentifiable(one: Case): boolean {
  const { kind, found, entry, input, address, want, report } = one;
  const secretId = secretIdOf(kind);
  if (secretId === undefined || found) return false;
  if (!entry) return isNotCompared(one, secretId);
  if (entry.ids.some((id) => makerOfId(input.key, id))) return false;
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

/** True if an object of the account may be the wanted one: its secret would tell, and is not available here. */
function isNotCompared({ kind, parent, input, address, want, report }: Case, secretId: string): boolean {
  const { desired, live, ledger, secrets } = input;
  const value = want?.fields[secretId];
  if (
    !want ||
    value === undefined ||
    holesIn(value).every((hole) => '$secret' in hole && secrets.has(hole.$secret))
  )
    return false;
  const isFree = (one: LiveResource) =>
    one.kind === kind.name &&
    one.parent === parent &&
    !desired.resources.has(one.address) &&
    !ledger.entries[one.address];
  if (![...live.resources.values()].some(isFree)) return false;
  report(
    warning(
      'secret/not-compared',
      `${address}: the secret in \`${secretId}\` is not available here, so it was not compared: it may be one that is in the account`,
      { address, at: want.at },
    ),
  );
  return true;
}
