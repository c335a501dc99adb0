import type { Command } from 'commander';
import { inCi, pathOn } from '../app/host.ts';
import { makeHome } from '../app/session/home.ts';
import { keyOf, keyPathOf } from '../app/session/ledger-place.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { createKeyFile, createKeyText } from '../ledger/key.ts';
import { Problems } from '../model/diagnostic.ts';
import type { CommandRun } from './command-run.ts';
import { terminalFor } from './terminal.ts';

/** Adds `trueup ledger key`. */
export function addKeyCommand(ledger: Command, run: CommandRun): void {
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
