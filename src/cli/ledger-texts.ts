import type { OpenHistory } from '../app/undoing/open-history.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { isVerified, type Proof } from '../ledger/proof.ts';
import { ageText, type Ledger } from '../model/ledger.ts';
import { cleanLine } from '../report/clean.ts';
import type { RunSession } from '../run/session.ts';
import type { Terminal } from './terminal.ts';

/**
 * The ledger that a run stands on, in a line: `Ledger: PLACE, generation 12, written 3 hours ago (2026-01-01T10:00:00Z), signed by
 * the key ID.` It exposes an older ledger put in the place of the newest one. `others`: how many stacks the store knows beside this one. Empty
 * if there is no ledger at all yet.
 */
export function ledgerLine(store: LedgerStore, ledger: Ledger, now: number, others?: number): string {
  const proof = store.proof();
  const beside = others
    ? `; ${others} other ${others === 1 ? 'stack' : 'stacks'} of this account in the same store`
    : '';
  if (!proof) return beside && cleanLine(`Ledger: none yet at ${store.place}${beside}.`);
  const { generation, writtenAt } = ledger;
  const written = writtenAt
    ? `, written ${ageText(now - Date.parse(writtenAt))} (${writtenAt.replace(/\.\d+Z$/, 'Z')})`
    : '';
  return cleanLine(
    `Ledger: ${store.place}, generation ${generation}${written}, ${formatLedgerProof(proof)}${beside}.`,
  );
}

/** The line of the ledger that a plan was made on, with how many stacks it knows of. */
export async function ledgerLineOf({ store, ledger, others, clock }: RunSession): Promise<string> {
  // What went wrong with them is told by the plan.
  const { length } = await others.catch(() => []);
  return ledgerLine(store, ledger, clock.now(), length);
}

/** Tells who wrote the ledger, as far as the keys here can say. */
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

/** Says what a reader of a history has to know before believing it. */
export function sayDoubts({ doubts, key, records }: OpenHistory, terminal: Terminal): void {
  const { warn } = terminal.errStyle;
  if (records.length > 0 && !key)
    terminal.say(
      warn('Not verified: no key here. Anyone with write access to the store could have written this.'),
    );
  for (const doubt of doubts) terminal.say(warn(cleanLine(`The history is incomplete: ${doubt}.`)));
}
