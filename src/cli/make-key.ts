import type { Command } from 'commander';
import { createKeyFile, createKeyText } from '../ledger/key.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { isVerified, missingKeyProblem, unverifiedProblem } from '../ledger/proof.ts';
import { Problems } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { makeHome } from './home.ts';
import { type Host, inCi, pathOn, type Run } from './host.ts';
import { keyOf, keyPathOf } from './ledger-place.ts';
import type { StackOptions } from './options.ts';
import { terminalFor } from './terminal.ts';

type Place = Pick<StackOptions, 'twin'>;
interface Held {
  store: LedgerStore;
  ledger: Pick<Ledger, 'entries'>;
}

/**
 * Throws `Problems` where no run may make a key: in CI, where it would be gone with the machine, and where the ledger is under a key
 * that is not here, since a new one would make all that was recorded with that worthless.
 */
export function refuseNewKey({ store, ledger }: Held, { twin }: Place, { env }: Host): void {
  const proof = store.proof();
  if (proof && !isVerified(proof) && proof.key !== undefined)
    throw new Problems([unverifiedProblem(proof, undefined)]);
  const maker = Object.values(ledger.entries)
    .flatMap(({ secrets }) => Object.values(secrets))
    .find(({ key }) => key !== '')?.key;
  if (maker !== undefined)
    throw new Problems(
      'key/missing',
      `the ledger ${store.place} has secrets under the key ${maker}, but no key is available here`,
      {
        hint: 'set TRUEUP_LEDGER_KEY to that key; if it is lost: `trueup ledger key` creates a new one, then `trueup ledger sign`',
      },
    );
  if (inCi({ env }) && !twin) throw new Problems([missingKeyProblem]);
}

/** Makes the key of a ledger at a desk, after what keeps it out of git. Throws `Problems` where that is not for a run to do. */
export async function makeKey(held: Held, place: Place, host: Host): Promise<LedgerKey> {
  refuseNewKey(held, place, host);
  await makeHome(host);
  return createKeyFile(pathOn(host, keyPathOf(place)));
}

/** Adds `trueup ledger key`. */
export function addKeyCommand(ledger: Command, run: Run): void {
  const { host } = run;
  ledger
    .command('key')
    .description('create the key that signs the ledger: the file .trueup/key, ignored by git')
    .option('--twin', "the embedded twin's key")
    .option('--print', 'print a new key without storing it, for a CI secret')
    .action(async (options: Pick<StackOptions, 'twin'> & { print?: boolean }) => {
      const terminal = terminalFor(run, {});
      // A key in the log of a job is known to all who read it, and a file is gone with the machine.
      if (inCi(host) && !options.twin)
        throw new Problems(
          'key/in-ci',
          'keys are not created in CI: the key would end up in a log or be lost with the machine',
          {
            hint: 'create it on your machine with `trueup ledger key --print` and store it as a CI secret',
          },
        );
      if (options.print) return terminal.out(createKeyText());
      const path = keyPathOf(options);
      // A key of before says nothing of whether there is one now.
      const ledgerKey = await keyOf(options, {
        ...host,
        env: { ...host.env, TRUEUP_LEDGER_KEY_PREVIOUS: undefined },
      });
      if (ledgerKey)
        return terminal.out(
          `There is already a key, ${ledgerKey.id}: ${options.twin || !host.env.TRUEUP_LEDGER_KEY?.trim() ? path : 'TRUEUP_LEDGER_KEY'}. It stays.`,
        );
      await makeHome(host);
      const key = await createKeyFile(pathOn(host, path));
      terminal.out(
        `Created the key ${key.id}: ${path}. Keep a copy with your secrets; in CI, set TRUEUP_LEDGER_KEY to the content of this file.`,
      );
    });
}
