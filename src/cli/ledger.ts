import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import type { Documents } from '../ledger/documents.ts';
import { makeKeyFile, newKeyText } from '../ledger/key.ts';
import { keyless } from '../ledger/proof.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { count } from '../report/count.ts';
import { jsonText } from '../report/json-value.ts';
import { holdLease } from './hold-lease.ts';
import { makeHome } from './home.ts';
import { pathOn, type Run } from './host.ts';
import { ledgerLine } from './ledger-line.ts';
import { documentsFor, keyOf, keyPathOf, storeFor } from './ledger-place.ts';
import { loadConfiguration, sourcesFor } from './load-configuration.ts';
import { makeKey } from './make-key.ts';
import {
  ledgerHelp,
  number,
  type StackOptions,
  withConfiguration,
  withLockWait,
  withSources,
} from './options.ts';
import { type HeldLedger, type SignOptions, signLedger } from './sign-ledger.ts';
import { terminalFor } from './terminal.ts';
import { unlockLedger } from './unlock-ledger.ts';

/** What the ledger knows: read here without an account, and corrected in the one way that is safe. */
export function ledgerCommand(ledger: Command, provider: Provider, run: Run): void {
  const { host } = run;
  const stackOf = async (options: StackOptions) =>
    (await loadConfiguration(provider, options, run, { sources: sourcesFor(options, host) })).desired.stack;
  const open = async (stack: string, options: StackOptions, key?: LedgerKey): Promise<HeldLedger> => {
    let text = '';
    const place = documentsFor(stack, options, host);
    const documents: Documents = {
      ...place,
      read: async (name) => {
        const found = await place.read(name);
        if (name === 'ledger') text = found?.text ?? '';
        return found;
      },
    };
    const store = await storeFor(stack, options, host, key ?? (await keyOf(options, host)), documents);
    const ledger = await store.read();
    if (!ledger)
      throw new Problems([
        problem('ledger/none', `there is no ledger yet at ${store.place}`, {
          hint: 'the first `trueup apply` makes it',
        }),
      ]);
    if (ledger.stack !== stack)
      throw new Problems([
        problem(
          'ledger/foreign',
          `the ledger ${store.place} belongs to another stack: ${ledger.stack}, not ${stack}`,
          {
            hint: 'check --file and --ledger; for another stack use another place',
          },
        ),
      ]);
    return { documents, text, store, ledger };
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
    withSources(withConfiguration(command))
      .option('--ledger <path>', ledgerHelp)
      .option('--twin', "the embedded twin's ledger");

  withLedger(ledger.command('list'))
    .description('the addresses that this stack owns')
    .action(async (options: StackOptions) => {
      const terminal = terminalFor(run, options);
      const { store, ledger: held } = await open(await stackOf(options), options);
      const { quiet } = terminal.outStyle;
      for (const [address, { kind, ids, origin, existing }] of Object.entries(held.entries))
        terminal.out(
          `${address}  ${quiet(`${kind}, ${existing ? 'not ours' : origin}, ${ids.join(' ') || 'no id of its own'}`)}`,
        );
      terminal.err(`${count(Object.keys(held.entries).length, 'object')}.`);
      terminal.err(ledgerLine(store, held, host.clock.now()));
    });
  withLedger(ledger.command('show'))
    .argument('<address>')
    .description('what it keeps of one')
    .action(async (address: string, options: StackOptions) => {
      const { ledger: held } = await open(await stackOf(options), options);
      terminalFor(run, options).out(jsonText({ address, ...entryOf(held, address) }));
    });
  withLockWait(withLedger(ledger.command('forget')))
    .argument('<address>')
    .description('stop owning one, without touching the object')
    .action(async (address: string, options: StackOptions) => {
      const terminal = terminalFor(run, options);
      const stack = await stackOf(options);
      const key = await keyOf(options, host);
      if (!key) throw new Problems([keyless]);
      const lease = await holdLease(documentsFor(stack, options, host), options, terminal);
      try {
        const { store, ledger: held } = await open(stack, options, key);
        entryOf(held, address);
        store.requireVerified();
        const { [address]: _, ...entries } = held.entries;
        await lease.confirm();
        await store.write({ ...held, entries });
        terminal.out(`Forgotten: ${address}. The object stays as it is.`);
      } finally {
        await lease.release();
      }
    });
  ledger
    .command('key')
    .description('make the key that signs the ledger: .trueup/key, which stays out of git')
    .option('--twin', "the embedded twin's key")
    .option('--print', 'print a new one and keep it nowhere, for the secrets of a CI system')
    .action(async (options: Pick<StackOptions, 'twin'> & { print?: boolean }) => {
      const terminal = terminalFor(run, {});
      // A key in the log of a job is known to all who read it, and a file is gone with the machine.
      if (host.env.CI && !options.twin)
        throw new Problems([
          problem('key/in-ci', 'no key is made in CI: it would stand in a log, or be gone with the machine', {
            hint: 'make it at a desk with `trueup ledger key --print`, and keep it as a secret of the CI system',
          }),
        ]);
      if (options.print) return terminal.out(newKeyText());
      const path = keyPathOf(options);
      // A key of before says nothing of whether there is one now.
      const found = await keyOf(options, {
        ...host,
        env: { ...host.env, TRUEUP_LEDGER_KEY_PREVIOUS: undefined },
      });
      if (found)
        return terminal.out(
          `There is a key already, ${found.id}: ${options.twin || !host.env.TRUEUP_LEDGER_KEY?.trim() ? path : 'TRUEUP_LEDGER_KEY'}. It stays.`,
        );
      await makeHome(host);
      const key = await makeKeyFile(pathOn(host, path));
      terminal.out(
        `Made the key ${key.id}: ${path}. Keep a copy where you keep secrets; in CI, TRUEUP_LEDGER_KEY is the content of this file.`,
      );
    });
  withLockWait(withLedger(ledger.command('sign')))
    .description('sign a ledger that the key here did not sign, after a person has looked at it')
    .option('--generation <n>', 'the generation that was looked at, where nobody can be asked', number(0))
    .option('--digest <sha256>', 'the digest that was looked at')
    .action(async (options: StackOptions & SignOptions) => {
      const terminal = terminalFor(run, options);
      const stack = await stackOf(options);
      const key = (await keyOf(options, host)) ?? (await makeKey(await open(stack, options), options, host));
      const done = await signLedger(
        host.clock.now,
        () => open(stack, options, key),
        () => holdLease(documentsFor(stack, options, host), options, terminal),
        options,
        terminal,
      );
      if (!done) run.exitCode = 1;
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
