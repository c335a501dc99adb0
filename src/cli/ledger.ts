import type { Command } from 'commander';
import type { Host } from '../app/host.ts';
import { createFirstKey } from '../app/session/first-key.ts';
import { holdLease } from '../app/session/hold-lease.ts';
import { composeCommandRecord } from '../app/session/leased-ledgers.ts';
import { loadConfiguration } from '../app/session/load-configuration.ts';
import {
  findLedgerKey,
  openLedgerDocuments,
  openLedgerStore,
  readStackLedger,
} from '../app/session/open-ledger.ts';
import { sourcesFor } from '../app/session/sources-for.ts';
import type { StackOptions } from '../app/stack-options.ts';
import type { Provider } from '../kind/provider.ts';
import { Conflict, type Documents } from '../ledger/documents.ts';
import { formatLeaseHolder, parseLease } from '../ledger/lease-record.ts';
import { removeLease } from '../ledger/lease-watch.ts';
import { missingKeyProblem } from '../ledger/proof.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import { jsonText } from '../report/json-value.ts';
import type { CommandRun } from './command-run.ts';
import { addKeyCommand, type HeldLedger, type SignOptions, signLedger } from './ledger-keys.ts';
import { ledgerLine } from './ledger-texts.ts';
import { addCopy, addMoving, addRename } from './move-ledger.ts';
import {
  ledgerHelp,
  ledgerIndexOption,
  number,
  withConfiguration,
  withLockWait,
  withSources,
} from './options.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';

/** Adds the commands that look at the ledger, without an account, and correct it in the ways that are safe. */
export function ledgerCommand(ledger: Command, provider: Provider, run: CommandRun): void {
  const stackOf = async (options: StackOptions) =>
    (await loadConfiguration(provider, options, run, { sources: sourcesFor(options, run.host) })).desired
      .stack;
  addLooking(ledger, stackOf, run);
  addForget(ledger, stackOf, run);
  addKeyCommand(ledger, run);
  addSigning(ledger, stackOf, run);
  addRename(ledger, run);
  addMoving(ledger, stackOf, run);
  addCopy(ledger, stackOf, run);
}

type StackOf = (options: StackOptions) => Promise<string>;

function addLooking(ledger: Command, stackOf: StackOf, run: CommandRun): void {
  withLedger(ledger.command('list'))
    .description('list the addresses that this stack owns')
    .action(async (options: StackOptions) => {
      const terminal = terminalFor(run, options);
      const { store, ledger: held } = await openLedgerOf(await stackOf(options), options, run.host);
      const { quiet } = terminal.outStyle;
      for (const [address, { kind, ids, origin, existing, handover }] of Object.entries(held.entries)) {
        const mark = handover === undefined ? '' : `, handed over to ${handover}`;
        terminal.out(
          `${address}  ${quiet(`${kind}, ${existing ? 'not ours' : origin}, ${ids.join(' ') || 'no id of its own'}${mark}`)}`,
        );
      }
      terminal.say(`${count(Object.keys(held.entries).length, 'object')}.`);
      terminal.say(ledgerLine(store, held, run.host.clock.now()));
    });
  withLedger(ledger.command('show'))
    .argument('<address>', 'the address of the entry, such as `projects/web`')
    .description('show one entry')
    .action(async (address: string, options: StackOptions) => {
      const { ledger: held } = await openLedgerOf(await stackOf(options), options, run.host);
      terminalFor(run, options).out(jsonText({ address, ...requireEntry(held, address) }));
    });
}

function addForget(ledger: Command, stackOf: StackOf, run: CommandRun): void {
  const { host } = run;
  withLockWait(withLedger(ledger.command('forget')))
    .argument('<address>', 'the address of the entry, such as `projects/web`')
    .description('stop owning an object, without touching it')
    .action(async (address: string, options: StackOptions) => {
      const terminal = terminalFor(run, options);
      const stack = await stackOf(options);
      const key = await findLedgerKey(options, host);
      if (!key) throw new Problems([missingKeyProblem]);
      const lease = await holdLease(await openLedgerDocuments(stack, options, host), options, terminal);
      try {
        const { documents, store, ledger: held } = await openLedgerOf(stack, options, host, key);
        const entry = requireEntry(held, address);
        store.requireVerified();
        const { [address]: _, ...entries } = held.entries;
        const historyUpdate = await composeCommandRecord({ ...held, documents }, options, run, {
          command: 'forget',
          changes: { action: 'forget', entries: { [address]: entry } },
        });
        await lease.confirm();
        await store.write({ ...held, entries }, { historyUpdate });
        terminal.out(`Forgotten: ${address}. The object stays as it is.`);
      } finally {
        await lease.release();
      }
    });
}

function addSigning(ledger: Command, stackOf: StackOf, run: CommandRun): void {
  const { host } = run;
  withLockWait(withLedger(ledger.command('sign')))
    .description('sign a ledger that this key did not sign, after reviewing it')
    .option('--generation <n>', 'the reviewed generation, for non-interactive use', number(0))
    .option('--digest <sha256>', 'the reviewed digest')
    .action(async (options: StackOptions & SignOptions) => {
      const terminal = terminalFor(run, options);
      const stack = await stackOf(options);
      const key =
        (await findLedgerKey(options, host)) ??
        (await createFirstKey(await openLedgerOf(stack, options, host), options, host));
      const done = await signLedger(
        host.clock.now,
        () => openLedgerOf(stack, options, host, key),
        async () => holdLease(await openLedgerDocuments(stack, options, host), options, terminal),
        ({ documents, ledger: held }) =>
          composeCommandRecord({ ...held, documents }, options, run, { command: 'sign' }),
        options,
        terminal,
      );
      if (!done) run.exitCode = 1;
    });
  withLedger(ledger.command('unlock'))
    .description('remove the lease of a run that is gone')
    .option('--force', 'skip the confirmation')
    .action(async (options: StackOptions & { force?: boolean }) =>
      unlockLedger(
        await openLedgerDocuments(await stackOf(options), options, run.host),
        options,
        terminalFor(run, options),
      ),
    );
}

/** Opens the ledger of a stack; throws `Problems` where there is none, or that of another stack. */
async function openLedgerOf(
  stack: string,
  options: StackOptions,
  host: Host,
  key?: LedgerKey,
): Promise<HeldLedger> {
  let text = '';
  const place = await openLedgerDocuments(stack, options, host);
  const documents: Documents = {
    ...place,
    read: async (name) => {
      const storedDocument = await place.read(name);
      if (name === 'ledger') text = storedDocument?.text ?? '';
      return storedDocument;
    },
  };
  const store = await openLedgerStore(
    stack,
    options,
    host,
    key ?? (await findLedgerKey(options, host)),
    documents,
  );
  const ledger = await readStackLedger(stack, store);
  if (!ledger)
    throw new Problems('ledger/none', `there is no ledger at ${store.place}`, {
      hint: 'the first `trueup apply` creates it',
    });
  return { documents, text, store, ledger };
}

const requireEntry = (held: Ledger, address: string) => {
  const entry = held.entries[address];
  if (!entry)
    throw new Problems('ledger/unknown', `the ledger has no entry for ${address}`, {
      hint: '`trueup ledger list` shows its entries',
    });
  return entry;
};

const withLedger = (command: Command) =>
  withSources(withConfiguration(command))
    .option('--ledger <path>', ledgerHelp)
    .addOption(ledgerIndexOption())
    .option('--twin', "the embedded twin's ledger");

const unattendedUnlock = problem(
  'ledger/unattended',
  'ledger unlock needs a terminal or --force; nothing was changed',
  {
    hint: 'pass --force once you are sure that the run is gone',
  },
);
const question = 'Is that run really gone? If not, two runs would work at once.';

/** A run holds the lock of the place itself for moments only: if it stays, that run was killed just then. */
async function takeLeftLock(documents: Documents, force: boolean, terminal: Terminal): Promise<void> {
  const left = await documents.findHeldLock?.();
  if (!left) return;
  terminal.say(cleanLine(`The place ${documents.place} itself is locked by ${left.holder}.`));
  if (!force && !(await isYes(terminal, { question, unattended: unattendedUnlock }))) return;
  await left.take();
  terminal.out('Its lock was removed.');
}

/**
 * Removes the lease of a ledger, after a person has said that its holder is gone (or with `force`).
 * A holder that is there after all writes nothing more.
 */
async function unlockLedger(
  documents: Documents,
  { force = false }: { force?: boolean },
  terminal: Terminal,
): Promise<void> {
  const { place } = documents;
  const { run } = terminal;
  const { now } = run.host.clock;
  await takeLeftLock(documents, force, terminal);
  const storedDocument = await documents.read('lease');
  if (!storedDocument) return terminal.out(`No run holds the lease of the ledger ${place}.`);
  const record = parseLease(storedDocument.text);
  const who = record
    ? `in use by ${formatLeaseHolder(record, now())}`
    : 'locked by a lease in an unknown format';
  terminal.say(`The ledger ${place} is ${who}.`);
  // Its dates are those of another clock.
  if (!force && !(await isYes(terminal, { question, unattended: unattendedUnlock }))) return;
  await removeLease(documents, storedDocument).catch((error) => {
    if (!(error instanceof Conflict)) throw error;
    throw new Problems(
      'unlock/changed',
      `the lease of the ledger ${place} just changed: its holder is still working`,
      {
        hint: 'wait for it; nothing was changed',
      },
    );
  });
  terminal.out(`The ledger ${place} is unlocked.`);
}
