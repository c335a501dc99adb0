import type { Command } from 'commander';
import { indexLedger } from '../app/session/index-claims.ts';
import type { FindStack } from '../app/session/leased-ledgers.ts';
import { createSources, loadConfiguration } from '../app/session/load-configuration.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { forgetEntry, openHeldLedger, requireEntry } from '../history/held-ledger.ts';
import { formatEntryCount, formatEntryFacts, ledgerLine } from '../history/ledger-line.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { Conflict, type Documents } from '../ledger/documents.ts';
import { removeLease } from '../ledger/lease.ts';
import { formatLeaseHolder, parseLease } from '../ledger/lease-record.ts';
import { settleLedger } from '../ledger-place/settle-ledger.ts';
import { problem, raise } from '../model/diagnostic.ts';
import { jsonText } from '../report/show.ts';
import { cleanLine } from '../report/text.ts';
import { formatDecider } from '../stores/ledger-choice.ts';
import { openLedgerDocuments } from '../stores/open-ledger.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { isYes, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { addIndexCommand } from './index-ledgers.ts';
import { addCopy, addMove, addRename, addRetire } from './move-ledger.ts';
import { withConfiguration, withLedgerPlace, withLockWait, withSources } from './options.ts';
import { addKeyCommand, addSignCommand } from './sign-ledger.ts';

/** Adds the subcommands of `trueup ledger`: they show, sign, move, unlock and correct ledgers, and create the key. None needs an account. */
export function ledgerCommand(ledger: Command, provider: Provider, run: CommandRun): void {
  const findStack: FindStack = async (options) => {
    const sources = createSources(options, run.host);
    const configuration = await loadConfiguration(provider, options, run, { sources });
    const choice = await settleLedger(
      options,
      { configuration, sources },
      { run, say: terminalFor(run, options).say, asksOrigin: true },
    );
    return { stack: configuration.desired.stack, choice };
  };
  addList(ledger, findStack, run);
  addShow(ledger, findStack, run);
  addForget(ledger, provider, findStack, run);
  addKeyCommand(ledger, run);
  addSignCommand(withLockWait(withStackLedger(ledger.command('sign'))), provider, findStack, run);
  addUnlock(ledger, findStack, run);
  addRename(ledger, provider, run);
  addMove(ledger, provider, findStack, run);
  addRetire(ledger, provider, run);
  addCopy(ledger, provider, findStack, run);
  addIndexCommand(withStackLedger(ledger.command('index')), provider, findStack, run);
}

/** Adds the options that find the ledger of a configuration's stack. */
const withStackLedger = (command: Command): Command =>
  withLedgerPlace(withSources(withConfiguration(command)));

/** Declares `trueup ledger list`, which shows the entries of the ledger: the objects that the stack owns or refers to. */
function addList(ledger: Command, findStack: FindStack, run: CommandRun): void {
  withStackLedger(ledger.command('list'))
    .description('list the addresses that this stack owns')
    .action(async (options: StackOptions) => {
      const terminal = terminalFor(run, options);
      const { stack, choice } = await findStack(options);
      const held = await openHeldLedger(stack, choice, run.host);
      const entries = Object.entries(held.ledger.entries);
      for (const [address, entry] of entries)
        terminal.out(`${cleanLine(address)}  ${terminal.outStyle.quiet(formatEntryFacts(entry))}`);
      terminal.say(`${formatEntryCount(held.ledger.entries)}.`);
      terminal.say(ledgerLine(held.store, held.ledger, run.host.clock.now()));
      terminal.say(cleanLine(`Place decided by: ${formatDecider(choice, run.host)}.`));
    });
}

/** Declares `trueup ledger show`, which prints one entry as JSON: all that the ledger remembers about an object. */
function addShow(ledger: Command, findStack: FindStack, run: CommandRun): void {
  withStackLedger(ledger.command('show'))
    .argument('<address>', 'the address of the entry, such as `projects/web`')
    .description('show one entry')
    .action(async (address: string, options: StackOptions) => {
      const { stack, choice } = await findStack(options);
      const held = await openHeldLedger(stack, choice, run.host);
      terminalFor(run, options).out(jsonText({ address, ...requireEntry(held.ledger, address) }));
    });
}

/** Declares `trueup ledger forget`, for an object that this stack should neither change nor delete any more. */
function addForget(ledger: Command, provider: Provider, findStack: FindStack, run: CommandRun): void {
  withLockWait(withStackLedger(ledger.command('forget')))
    .argument('<address>', 'the address of the entry, such as `projects/web`')
    .description('stop owning an object, without touching it')
    .action(async (address: string, options: StackOptions) => {
      const terminal = terminalFor(run, options);
      const { stack, choice } = await findStack(options);
      const { documents, key } = await forgetEntry(stack, address, choice, terminal);
      await indexLedger({ documents, host: run.host, kinds: kindsOf(provider.kinds), key });
      terminal.out(`Forgotten: ${address}. The object stays as it is.`);
    });
}

/** Declares `trueup ledger unlock`, which removes the lease (the lock of a ledger) that a killed run has left. */
function addUnlock(ledger: Command, findStack: FindStack, run: CommandRun): void {
  withStackLedger(ledger.command('unlock'))
    .description('remove the lease of a run that is gone')
    .option('--force', 'skip the confirmation')
    .action(async (options: StackOptions & { force?: boolean }) => {
      const { stack, choice } = await findStack(options);
      const documents = await openLedgerDocuments(stack, choice, run.host);
      await unlockLedger(documents, options.force ?? false, terminalFor(run, options));
    });
}

/**
 * Asks if the run that holds a lock is really gone, because otherwise two runs would write at once. `done`: the changes of this command
 * until now. Throws `Problems` without a terminal.
 */
const isRunGone = (terminal: Terminal, done = 'nothing was changed'): Promise<boolean> =>
  isYes(terminal, {
    question: 'Is that run really gone? If not, two runs would work at once.',
    no: `${done[0]!.toUpperCase()}${done.slice(1)}.`,
    unattended: problem('ledger/unattended', `ledger unlock needs a terminal or --force; ${done}`, {
      hint: 'pass --force once you are sure that the run is gone',
    }),
  });

/**
 * Removes the lease of a ledger (the lock of the run that writes it) for `trueup ledger unlock`, and before it the lock of the place, if
 * that is held. Each time a person confirms that the run is gone, unless `isForced`. A run that is still there notices the loss and writes
 * nothing more. Throws `Problems` if that run renews its lease in the meantime.
 */
async function unlockLedger(documents: Documents, isForced: boolean, terminal: Terminal): Promise<void> {
  const { place } = documents;
  const { now } = terminal.run.host.clock;
  const lock = await documents.findHeldLock?.();
  // Read before the lock is removed, so that an unreadable ledger leaves everything as it was.
  const storedLease = await documents.read('lease');
  if (lock) {
    terminal.say(cleanLine(`The place ${place} itself is locked by ${lock.holder}.`));
    // A run holds this lock only for moments, so a lock that stays is of a run that was killed.
    if (!isForced && !(await isRunGone(terminal))) return;
    await lock.take();
    terminal.out('Its lock was removed.');
  }
  const done = lock ? 'only the lock of the place was removed' : 'nothing was changed';
  if (!storedLease) return terminal.out(`No run holds the lease of the ledger ${place}.`);
  const lease = parseLease(storedLease.text);
  terminal.say(
    `The ledger ${place} is ${lease ? `in use by ${formatLeaseHolder(lease, now())}` : 'locked by a lease in an unknown format'}.`,
  );
  // An expired lease is asked about, too, because its dates come from the clock of another machine.
  if (!isForced && !(await isRunGone(terminal, done))) return;
  await removeLease(documents, storedLease).catch((error) => {
    if (!(error instanceof Conflict)) throw error;
    raise('unlock/changed', `the lease of the ledger ${place} just changed: its holder is still working`, {
      hint: `wait for it; ${done}`,
    });
  });
  terminal.out(`The ledger ${place} is unlocked.`);
}
