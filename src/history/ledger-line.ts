import type { LedgerStore } from '../ledger/ledger-store.ts';
import { isVerified, type Proof } from '../ledger/proof.ts';
import type { Address } from '../model/address.ts';
import { ageText, type Ledger, type LedgerEntry } from '../model/ledger.ts';
import { countObjects } from '../model/logical-changes.ts';
import { cleanLine, count } from '../report/text.ts';

/**
 * Formats the ledger that a run uses, so that people notice an older ledger that replaced the newest one, or one without a valid signature.
 * `generation` counts its writes. The end says what the signature proves here, for example:
 *
 *   Ledger: PLACE, generation 12, written 3 hours ago (2026-01-01T10:00:00Z), signed by the key ID.
 *
 * `others`: the number of other stacks of the account in the same store. Without a ledger, the text says so if there are other stacks, and
 * is empty otherwise.
 */
export function ledgerLine(store: LedgerStore, ledger: Ledger, now: number, others?: number): string {
  const proof = store.proof();
  const otherStacks = others
    ? `; ${others} other ${others === 1 ? 'stack' : 'stacks'} of this account in the same store`
    : '';
  if (!proof) return otherStacks === '' ? '' : cleanLine(`Ledger: none yet at ${store.place}${otherStacks}.`);
  const { generation, writtenAt } = ledger;
  const written = writtenAt
    ? `, written ${ageText(now - Date.parse(writtenAt))} (${writtenAt.replace(/\.\d+Z$/, 'Z')})`
    : '';
  return cleanLine(
    `Ledger: ${store.place}, generation ${generation}${written}, ${formatLedgerProof(proof)}${otherStacks}.`,
  );
}

/** The part of a session that names its ledger. */
interface LedgerOfRun {
  store: LedgerStore;
  ledger: Ledger;
  otherStacks: { count(): Promise<number> };
  clock: { now(): number };
}

/**
 * Formats the ledger that a plan was made on. If the other stacks of the store cannot be read, the plan has a problem, and none is counted
 * here.
 */
export async function ledgerLineOf({ store, ledger, otherStacks, clock }: LedgerOfRun): Promise<string> {
  const otherCount = await otherStacks.count().catch(() => 0);
  return ledgerLine(store, ledger, clock.now(), otherCount);
}

/** Formats whether a key of this machine proves who wrote a ledger, so that people notice a ledger that somebody else changed. */
function formatLedgerProof(proof: Proof): string {
  if (isVerified(proof))
    return proof.previous
      ? `signed by the previous key ${proof.by}: the next apply signs it again`
      : `signed by the key ${proof.by}`;
  switch (proof.doubt) {
    case 'no-key':
      return 'not verified here: no key';
    case 'unsigned':
      return 'not signed';
    case 'other-key':
      return `not verified: signed by a different key, ${proof.key}`;
    case 'altered':
      return `not verified: changed after the key ${proof.key} signed it`;
  }
}

/**
 * Formats the facts of a ledger entry in one line: kind, origin (created or adopted), ids, and the stack to which it is handed over. An
 * entry with `existing` is a container that the stack does not own, kept for the objects in it. `notes`: facts that only the review for a
 * signature shows.
 */
export const formatEntryFacts = (
  { kind, ids, origin, existing, handover }: LedgerEntry,
  notes: string[] = [],
): string =>
  [
    kind,
    existing ? 'not ours' : origin,
    ids.join(' ') || 'no id of its own',
    ...notes,
    ...(handover === undefined ? [] : [`handed over to ${handover}`]),
  ].join(', ');

/** Counts the objects of a ledger as plans count them: `45 objects in 53 entries`. A variable has an entry for each of its targets. */
export function formatEntryCount(entries: Readonly<Record<Address, LedgerEntry>>): string {
  const objects = countObjects(Object.entries(entries).map(([address, { ids }]) => ({ address, ids })));
  const entryCount = Object.keys(entries).length;
  return `${count(objects, 'object')}${entryCount === objects ? '' : ` in ${entryCount} entries`}`;
}
