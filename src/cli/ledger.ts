import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import { count } from '../report/count.ts';
import { jsonText } from '../report/json-value.ts';
import { holdLease } from './hold-lease.ts';
import type { Run } from './host.ts';
import { documentsFor, storeFor } from './ledger-place.ts';
import { loadConfiguration } from './load-configuration.ts';
import { ledgerHelp, type StackOptions, withConfiguration, withLockWait } from './options.ts';
import { terminalFor } from './terminal.ts';
import { unlockLedger } from './unlock-ledger.ts';

/** What the ledger knows: read here without an account, and corrected in the one way that is safe. */
export function ledgerCommand(ledger: Command, provider: Provider, run: Run): void {
  const stackOf = async (options: StackOptions) =>
    (await loadConfiguration(provider, options, run)).desired.stack;
  const open = async (
    stack: string,
    options: StackOptions,
  ): Promise<{ store: LedgerStore; held: Ledger }> => {
    const store = await storeFor(stack, options, run.host);
    const held = await store.read();
    if (!held)
      throw new Problems([
        problem('ledger/none', `there is no ledger yet at ${store.place}`, {
          hint: 'the first `trueup apply` makes it',
        }),
      ]);
    return { store, held };
  };
  const entryOf = (held: Ledger, address: string) => {
    const entry = held.entries[address];
    if (!entry)
      throw new Problems([
        problem('ledger/unknown', `the ledger does not know ${address}`, {
          hint: '`trueup ledger list` shows what it knows',
        }),
      ]);
    return entry;
  };
  const withLedger = (command: Command) =>
    withConfiguration(command)
      .option('--ledger <path>', ledgerHelp)
      .option('--twin', "the embedded twin's ledger");

  withLedger(ledger.command('list'))
    .description('the addresses that this stack owns')
    .action(async (options: StackOptions) => {
      const terminal = terminalFor(run, options);
      const { store, held } = await open(await stackOf(options), options);
      const { quiet } = terminal.outStyle;
      for (const [address, { kind, ids, origin, existing }] of Object.entries(held.entries))
        terminal.out(
          `${address}  ${quiet(`${kind}, ${existing ? 'not ours' : origin}, ${ids.join(' ') || 'no id of its own'}`)}`,
        );
      terminal.err(
        `${count(Object.keys(held.entries).length, 'object')} in ${store.place}, generation ${held.generation}`,
      );
    });
  withLedger(ledger.command('show'))
    .argument('<address>')
    .description('what it keeps of one')
    .action(async (address: string, options: StackOptions) => {
      const { held } = await open(await stackOf(options), options);
      terminalFor(run, options).out(jsonText({ address, ...entryOf(held, address) }));
    });
  withLockWait(withLedger(ledger.command('forget')))
    .argument('<address>')
    .description('stop owning one, without touching the object')
    .action(async (address: string, options: StackOptions) => {
      const terminal = terminalFor(run, options);
      const stack = await stackOf(options);
      const lease = await holdLease(documentsFor(stack, options, run.host), options, terminal);
      try {
        const { store, held } = await open(stack, options);
        entryOf(held, address);
        const { [address]: _, ...entries } = held.entries;
        await lease.confirm();
        await store.write({ ...held, entries });
        terminal.out(`Forgotten: ${address}. The object stays as it is.`);
      } finally {
        await lease.release();
      }
    });
  withLedger(ledger.command('unlock'))
    .description('take the lease away from a run that is gone')
    .option('--force', 'do not ask')
    .action(async (options: StackOptions & { force?: boolean }) =>
      unlockLedger(
        documentsFor(await stackOf(options), options, run.host),
        options,
        terminalFor(run, options),
      ),
    );
}
