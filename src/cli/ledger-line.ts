import type { LedgerStore } from '../ledger/ledger-store.ts';
import { isVerified, type Proof } from '../ledger/proof.ts';
import type { Ledger } from '../model/ledger.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';

/**
 * The ledger that a run stands on, in a line: `Ledger: PLACE, generation 12, written 3 hours ago (2026-01-01T10:00:00Z), signed by
 * the key ID.` It exposes an older ledger put in the place of the newest one. Empty if there is no ledger yet.
 */
export function ledgerLine(store: LedgerStore, ledger: Ledger, now: number): string {
  const proof = store.proof();
  if (!proof) return '';
  const { generation, writtenAt } = ledger;
  const written = writtenAt
    ? `, written ${ageText(now - Date.parse(writtenAt))} (${writtenAt.replace(/\.\d+Z$/, 'Z')})`
    : '';
  return cleanLine(`Ledger: ${store.place}, generation ${generation}${written}, ${proofText(proof)}.`);
}

/** Tells who wrote the ledger, as far as the keys here can say. */
function proofText(proof: Proof): string {
  if (isVerified(proof))
    return proof.previous
      ? `signed by the previous key ${proof.by}: an apply signs it anew`
      : `signed by the key ${proof.by}`;
  switch (proof.doubt) {
    case 'no-key':
      return 'not verified here: no key';
    case 'unsigned':
      return 'not signed';
    case 'other-key':
      return `not verified: signed by another key, ${proof.key}`;
    case 'altered':
      return `not verified: changed after the key ${proof.key} signed it`;
  }
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long ago, in whole units of the largest that fits; by the clock of whoever wrote it. */
function ageText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 0) return 'in the future, by the clock here';
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? units[3];
  return `${count(Math.floor(seconds / length), unit)} ago`;
}
