import type { Address } from '../model/address.ts';
import { type Diagnostic, type Position, warning } from '../model/diagnostic.ts';
import type { NotComparedCause } from '../model/not-compared.ts';
import { collectionId, groupByCollection } from '../model/resource.ts';
import { shellQuoted } from '../model/shell-word.ts';
import { atPath } from '../model/value.ts';
import type { DeclaredComparison } from './comparison.ts';
import type { Difference } from './diff.ts';

/** Reports the secrets that could not be compared, and what to do about them. */
export function reportUncomparedSecrets(
  { unverified, touched, unavailable }: Difference,
  comparison: DeclaredComparison,
): void {
  const { desired, entry, live, input, report, decisions } = comparison;
  const { address, at, kind } = desired;
  const addFinding = (path: string, cause: NotComparedCause) =>
    decisions.notCompared.push({ cause, address, kind, path, at });
  for (const path of unavailable) addFinding(path, 'unavailable');
  for (const path of unavailable)
    report(
      warning(
        'secret/not-compared',
        `${address}: the secret in \`${path}\` is not available here, so it was not compared`,
        { address, at },
      ),
    );
  const previous = [input.key?.previous, input.key?.previous?.former].map((digestKey) => digestKey?.id);
  const isUnderPrevious = (path: string) => {
    const key = entry?.secrets[path]?.key;
    return key !== undefined && previous.includes(key);
  };
  for (const path of unavailable.filter(isUnderPrevious))
    report(
      warning(
        'secret/previous-key',
        `${address}: the ledger entry for \`${path}\` stays under the previous ledger key, since the secret is not available here`,
        { address, at, hint: 'keep TRUEUP_LEDGER_KEY_PREVIOUS until it has been applied with the secret' },
      ),
    );
  // The key is missing: sending the secret again would not bring it back.
  const isKeyless = (path: string) =>
    !input.key && (entry?.secrets[path] !== undefined || atPath(live?.fields ?? {}, path) !== undefined);
  const wasApplied = input.ledger.generation > 0;
  const keylessCause = wasApplied ? 'no-key' : 'before-apply';
  for (const path of new Set([...unverified, ...touched]))
    if (!unavailable.includes(path)) addFinding(path, isKeyless(path) ? keylessCause : 'unreadable');
  for (const path of unverified)
    if (isKeyless(path))
      report(wasApplied ? createNoKeyWarning(address, path, at) : beforeApply(address, path, at));
    // That it was written since is worth more than that nobody knows what it was.
    else if (!touched.includes(path))
      report(
        warning(
          'secret/unverified',
          `${address}: \`${path}\` cannot be read back, and its last applied value is unknown`,
          { address, at, hint: `it is left as it is; to send it once, use ${flags(comparison)}` },
        ),
      );
  for (const path of touched.filter((path) => !(unverified.includes(path) && isKeyless(path))))
    report(
      warning(
        'secret/changed-outside',
        `${address}: may have changed outside: the platform has a later write than the one recorded here, and \`${path}\` cannot be read back`,
        { address, at, hint: `it is left as it is; to send it once, use ${flags(comparison)}` },
      ),
    );
}

/** The flags that send a secret once. They name everything in the same object of the platform: a part that is sent alone would have to leave it. */
function flags({ desired: want, live: found, kind, input: { live, desired } }: DeclaredComparison): string {
  const shares = (address: Address) =>
    live.resources.get(address)?.ids.some((id) => found?.ids.includes(id)) ?? false;
  const collection = collectionId(kind.name, want.parent);
  const siblings = groupByCollection(desired.resources).get(collection) ?? [];
  const together = siblings.map(({ address }) => address).filter(shares);
  return [...new Set([want.address, ...together])]
    .sort()
    .map((address) => `--send-unverified ${shellQuoted(address)}`)
    .join(' ');
}

/**
 * The warning for a secret that was applied from here, if the key of its digest is missing. Only that key helps: after sending it again,
 * the secret would be unverified the next time.
 */
export const createNoKeyWarning = (
  address: Address,
  path: string,
  position: Position | undefined,
): Diagnostic =>
  warning('secret/no-key', `TRUEUP_LEDGER_KEY is not set: \`${path}\` of ${address} is not compared`, {
    address,
    ...(position ? { at: position } : {}),
    hint: 'set it to the key this was applied with; until then it stays as it is',
  });

/** The warning for a live secret that a plan without a key does not compare, while there is no ledger that a key could belong to. */
const beforeApply = (address: Address, path: string, position: Position): Diagnostic =>
  warning('secret/before-apply', `\`${path}\` of ${address} is not compared before the first apply`, {
    address,
    at: position,
    hint: '`trueup apply` compares it, and asks before it changes anything',
  });
