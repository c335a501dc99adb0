import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import type { Documents } from '../ledger/documents.ts';
import { makeKeyFile, newKeyText } from '../ledger/key.ts';
import { keyless } from '../ledger/proof.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { count } from '../report/count.ts';
import { jsonText } from '../report/json-value.ts';
import { sourcesFor } from './configuration-sources.ts';
import { holdLease } from './hold-lease.ts';
import { makeHome } from './home.ts';
import { pathOn, type Run } from './host.ts';
import { ledgerLine } from './ledger-line.ts';
import { documentsFor, keyOf, keyPathOf, storeFor } from './ledger-place.ts';
import { loadConfiguration } from './load-configuration.ts';
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

/** Commands about the ledger: it is read here without an account, and corrected in the one way that is safe. */
export function ledgerCommand(ledger: Command, provider: Provider, run: Run): void {
  listCommand(ledger, provider, run);
  showCommand(ledger, provider, run);
  forgetCommand(ledger, provider, run);
  keyCommand(ledger, run);
  signCommand(ledger, provider, run);
  unlockCommand(ledger, provider, run);
}

const withLedger = (command: Command) =>
  withSources(withConfiguration(command))
    .option('--ledger <path>', ledgerHelp)
    .option('--twin', "the embedded twin's ledger");

const stackOf = async (options: StackOptions, provider: Provider, run: Run): Promise<string> =>
  (await loadConfiguration(provider, options, run, { sources: sourcesFor(options, run.host) })).desired.stack;

/** Reads the ledger of a stack. Throws `Problems` where there is none, or another stack's. */
async function open(
  stack: string,
  options: StackOptions,
  { host }: Run,
  key?: LedgerKey,
): Promise<HeldLedger> {
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
}

function entryOf(held: Ledger, address: string): LedgerEntry {
  const entry = held.entries[address];
  if (!entry)
    throw new Problems([
      problem('ledger/unknown', `the ledger does not know ${address}`, {
        hint: '`trueup ledger list` shows what it knows',
      }),
    ]);
  return entry;
}

function listCommand(ledger: Command, provider: Provider, run: Run): void {
  withLedger(ledger.command('list'))
    .description('the addresses that this stack owns')
    .action(async (options: StackOptions) => {
      const terminal = terminalFor(run, options);
      const { store, ledger: held } = await open(await stackOf(options, provider, run), options, run);
      const { quiet } = terminal.outStyle;
      for (const [address, { kind, ids, origin, existing }] of Object.entries(held.entries))
        terminal.out(
          `${address}  ${quiet(`${kind}, ${existing ? 'not ours' : origin}, ${ids.join(' ') || 'no id of its own'}`)}`,
        );
      terminal.err(`${count(Object.keys(held.entries).length, 'object')}.`);
      terminal.err(ledgerLine(store, held, run.host.clock.now()));
    });
}

function showCommand(ledger: Command, provider: Provider, run: Run): void {
  withLedger(ledger.command('show'))
    .argument('<address>')
    .description('what it keeps of one')
    .action(async (address: string, options: StackOptions) => {
      const { ledger: held } = await open(await stackOf(options, provider, run), options, run);
      terminalFor(run, options).out(jsonText({ address, ...entryOf(held, address) }));
    });
}

function forgetCommand(ledger: Command, provider: Provider, run: Run): void {
  const { host } = run;
  withLockWait(withLedger(ledger.command('forget')))
    .argument('<address>')
    .description('stop owning one, without touching the object')
    .action(async (address: string, options: StackOptions) => {
      const terminal = terminalFor(run, options);
      const stack = await stackOf(options, provider, run);
      const key = await keyOf(options, host);
      if (!key) throw new Problems([keyless]);
      const lease = await holdLease(documentsFor(stack, options, host), options, terminal);
      try {
        const { store, ledger: held } = await open(stack, options, run, key);
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
}

function keyCommand(ledger: Command, run: Run): void {
  const { host } = run;
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
}

function signCommand(ledger: Command, provider: Provider, run: Run): void {
  const { host } = run;
  withLockWait(withLedger(ledger.command('sign')))
    .description('sign a ledger that the key here did not sign, after a person has looked at it')
    .option('--generation <n>', 'the generation that was looked at, where nobody can be asked', number(0))
    .option('--digest <sha256>', 'the digest that was looked at')
    .action(async (options: StackOptions & SignOptions) => {
      const terminal = terminalFor(run, options);
      const stack = await stackOf(options, provider, run);
      const key =
        (await keyOf(options, host)) ?? (await makeKey(await open(stack, options, run), options, host));
      const done = await signLedger(
        host.clock.now,
        () => open(stack, options, run, key),
        () => holdLease(documentsFor(stack, options, host), options, terminal),
        options,
        terminal,
      );
      if (!done) run.exitCode = 1;
    });
}

function unlockCommand(ledger: Command, provider: Provider, run: Run): void {
  withLedger(ledger.command('unlock'))
    .description('take the lease away from a run that is gone')
    .option('--force', 'do not ask')
    .action(async (options: StackOptions & { force?: boolean }) =>
      unlockLedger(
        documentsFor(await stackOf(options, provider, run), options, run.host),
        options,
        terminalFor(run, options),
      ),
    );
}
