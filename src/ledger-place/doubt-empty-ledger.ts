import type { Host } from '../host.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { asWarning, type Diagnostic, raise } from '../model/diagnostic.ts';
import type { Desired } from '../model/resource.ts';
import type { SettledLedgerChoice } from '../stores/ledger-choice.ts';
import { ledgerFoldersOf } from './find-own-ledger.ts';
import { findLedgerElsewhere } from './repository-ledgers.ts';

/**
 * Returns warnings about a stack without a ledger, whose plan adopts everything: its repository may have a ledger that this run could not
 * look for, or has one elsewhere. If the YAML chose the place, which a pull request can change, throws `Problems` instead if it is elsewhere
 * or origin cannot be asked.
 */
export async function doubtEmptyLedger(
  { desired: { stack }, store }: { desired: Pick<Desired, 'stack'>; store: Pick<LedgerStore, 'proof'> },
  choice: SettledLedgerChoice,
  host: Host,
): Promise<Diagnostic[]> {
  if (store.proof()) return [];
  const elsewhere = await findLedgerElsewhere(stack, choice, host, ledgerFoldersOf(host.cwd));
  if (elsewhere?.severity === 'error') raise(elsewhere);
  return [elsewhere, choice.ledgerDoubt && asWarning(choice.ledgerDoubt)].filter(
    (doubt) => doubt !== undefined,
  );
}
