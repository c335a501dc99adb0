import { Conflict, type Documents } from '../ledger/documents.ts';
import { holderText, parseLease } from '../ledger/lease-record.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Terminal } from './terminal.ts';

/**
 * Removes the lease of a ledger, after a person has said that its holder is gone (or with `force`).
 * A holder that is there after all writes nothing more.
 */
export async function unlockLedger(
  documents: Documents,
  { force = false }: { force?: boolean },
  terminal: Terminal,
): Promise<void> {
  const { place } = documents;
  const { run } = terminal;
  const { now } = run.host.clock;
  const found = await documents.read('lease');
  if (!found) return terminal.out(`Nobody has the lease of the ledger ${place}.`);
  const record = parseLease(found.text);
  const who = record
    ? `in use by ${holderText(record, now())}`
    : 'locked by a lease that cannot be understood';
  terminal.err(`The ledger ${place} is ${who}.`);
  // Its dates are those of another clock.
  if (!force) {
    if (!terminal.canAsk)
      throw new Problems([
        problem('unlock/unattended', 'there is nobody to ask, so nothing was changed', {
          hint: 'pass --force where a person has made sure that the run is gone',
        }),
      ]);
    const question = '\nIs that run gone for certain? If not, two would work at once. Only `yes` is a yes: ';
    if ((await terminal.ask(question)) !== 'yes') {
      terminal.err('Nothing was changed.');
      run.exitCode = 1;
      return;
    }
  }
  await documents.remove('lease', { expected: found.version }).catch((error) => {
    if (!(error instanceof Conflict)) throw error;
    throw new Problems([
      problem('unlock/changed', `the lease of the ledger ${place} changed meanwhile: its holder is at work`, {
        hint: 'wait for it; nothing was changed',
      }),
    ]);
  });
  terminal.out(`The ledger ${place} is free.`);
}
