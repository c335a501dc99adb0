import type { Address } from '../model/address.ts';
import { type Diagnostic, type Position, shellQuoted, warning } from '../model/diagnostic.ts';
import type { NotComparedCause } from '../model/not-compared.ts';
import { collectionId, groupByCollection } from '../model/resource.ts';
import { atPath } from '../model/value.ts';
import type { DeclaredComparison } from './comparison.ts';
import type { FieldDifferences } from './diff.ts';

/**
 * Reports the secrets of an object that the plan could not compare: as items of the plan's list of things that were not compared, and as
 * warnings. Otherwise an empty plan would look like a proof that the secrets in the account are the declared ones.
 *
 * `differences` has their field paths in three lists: `unavailable` (this run does not have the secret), `unverified` (the value that was
 * applied last is unknown) and `maybeOverwritten` (the platform has a later write of the object than ours, so the secret may have changed).
 * A path can be in several.
 */
export function reportUncomparedSecrets(differences: FieldDifferences, comparison: DeclaredComparison): void {
  addNotComparedItems(differences, comparison);
  warnOfUnavailable(differences.unavailable, comparison);
  warnOfDoubtful(differences, comparison);
}

/**
 * Adds each secret that was not compared (the three lists of `FieldDifferences`), with the cause, to the plan's list of things that were
 * not compared. A ledger of generation 0 was never applied, so a missing ledger key is normal then (`before-apply`).
 */
function addNotComparedItems(
  { unverified, maybeOverwritten, unavailable }: FieldDifferences,
  comparison: DeclaredComparison,
): void {
  const { desired, input, notes } = comparison;
  const { address, at, kind } = desired;
  const addFinding = (path: string, cause: NotComparedCause) =>
    notes.notCompared.push({ cause, address, kind, path, at });
  for (const path of unavailable) addFinding(path, 'unavailable');
  const causeWithoutKey = input.ledger.generation > 0 ? 'no-key' : 'before-apply';
  for (const path of new Set([...unverified, ...maybeOverwritten]))
    if (!unavailable.includes(path))
      addFinding(path, lacksKey(path, comparison) ? causeWithoutKey : 'unreadable');
}

/**
 * Warns about secrets that could not be compared (`unverified`), and about those that cannot be read back and that the
 * platform has written later than we did (`maybeOverwritten`), with the flags that send them once. If only the ledger key is
 * missing, the warning says that instead.
 */
function warnOfDoubtful(
  { unverified, maybeOverwritten }: FieldDifferences,
  comparison: DeclaredComparison,
): void {
  const { desired, input, report } = comparison;
  const { address, at } = desired;
  const wasApplied = input.ledger.generation > 0;
  const sendHint = () => `it is left as it is; to send it once, use ${formatSendFlags(comparison)}`;
  for (const path of unverified)
    if (lacksKey(path, comparison))
      report.add(
        wasApplied ? createNoKeyWarning(address, path, at) : createBeforeApplyWarning(address, path, at),
      );
    // A later write outside is reported below. That is more important than the unknown last applied value.
    else if (!maybeOverwritten.includes(path))
      report.warning(
        'secret/unverified',
        `${address}: \`${path}\` cannot be read back, and its last applied value is unknown`,
        { address, at, hint: sendHint() },
      );
  // The warning about the missing key suffices.
  const isReportedForKey = (path: string) => unverified.includes(path) && lacksKey(path, comparison);
  for (const path of maybeOverwritten.filter((doubtfulPath) => !isReportedForKey(doubtfulPath)))
    report.warning(
      'secret/changed-outside',
      `${address}: may have changed outside: the platform has a later write than the one recorded here, and \`${path}\` cannot be read back`,
      { address, at, hint: sendHint() },
    );
}

/**
 * Warns about the secrets that this run does not have. Those whose digests still need the previous ledger key get a second warning, because
 * that key must not be removed yet.
 */
function warnOfUnavailable(
  paths: readonly string[],
  { desired: { address, at }, entry, input, report }: DeclaredComparison,
): void {
  for (const path of paths)
    report.warning(
      'secret/not-compared',
      `${address}: the secret in \`${path}\` is not available here, so it was not compared`,
      { address, at },
    );
  const previousKeys = [input.key?.previous, input.key?.previous?.legacyKey].map(
    (digestKey) => digestKey?.id,
  );
  const isUnderPreviousKey = (path: string) => {
    const keyId = entry?.secrets[path]?.key;
    return keyId !== undefined && previousKeys.includes(keyId);
  };
  for (const path of paths.filter(isUnderPreviousKey))
    report.warning(
      'secret/previous-key',
      `${address}: the ledger entry for \`${path}\` stays under the previous ledger key, since the secret is not available here`,
      { address, at, hint: 'keep TRUEUP_LEDGER_KEY_PREVIOUS until it has been applied with the secret' },
    );
}

/**
 * True if a secret was not compared because the ledger key is missing. To send the secret again would not help: its new digest needs a key
 * too.
 */
const lacksKey = (path: string, { input, entry, live }: DeclaredComparison): boolean =>
  !input.key && (entry?.secrets[path] !== undefined || atPath(live?.fields ?? {}, path) !== undefined);

/**
 * Returns the flags (`--send-unverified ADDRESS`) with which the user can send an uncompared secret once.
 * They name all declared targets of a variable that are one object of the platform: if only one of them were
 * sent, it would have to leave that object.
 */
function formatSendFlags({
  desired: resource,
  live: object,
  kind,
  input: { live, desired },
}: DeclaredComparison): string {
  const isInSameObject = (address: Address) =>
    live.resources.get(address)?.ids.some((id) => object?.ids.includes(id)) ?? false;
  const collection = collectionId(kind.name, resource.parent);
  const siblings = groupByCollection(desired.resources).get(collection) ?? [];
  const addresses = siblings.map(({ address }) => address).filter(isInSameObject);
  return [...new Set([resource.address, ...addresses])]
    .sort()
    .map((address) => `--send-unverified ${shellQuoted(address)}`)
    .join(' ');
}

/**
 * Creates the warning that a secret which this stack applied is not compared, because the key of its digest
 * in the ledger is missing. Only that key helps: a secret that is sent again without a key cannot be compared
 * the next time either.
 */
export const createNoKeyWarning = (
  address: Address,
  path: string,
  position: Position | undefined,
): Diagnostic =>
  warning('secret/no-key', `TRUEUP_LEDGER_KEY is not set: \`${path}\` of ${address} is not compared`, {
    address,
    at: position,
    hint: 'set it to the key this was applied with; until then it stays as it is',
  });

/**
 * Creates the warning that a plan does not compare a live secret before the first apply: there is no ledger
 * key yet, and without one the comparison could reveal the secret.
 */
const createBeforeApplyWarning = (address: Address, path: string, position: Position): Diagnostic =>
  warning('secret/before-apply', `\`${path}\` of ${address} is not compared before the first apply`, {
    address,
    at: position,
    hint: '`trueup apply` compares it, and asks before it changes anything',
  });
