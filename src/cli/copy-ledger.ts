import type { Command } from 'commander';
import { copiedHistory } from '../history/ledger-record.ts';
import { copyLedger } from '../ledger/copy-ledger.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { cleanLine } from '../report/clean.ts';
import { startedBy } from './about-run.ts';
import type { Run } from './host.ts';
import { withLedgersAt } from './leased-ledgers.ts';
import { documentsFor, keyOf } from './ledger-place.ts';
import {
  ledgerIndexOption,
  type StackOptions,
  withConfiguration,
  withLockWait,
  withSources,
} from './options.ts';

/** Adds `trueup ledger copy`. */
export function addCopy(
  ledger: Command,
  stackOf: (options: StackOptions) => Promise<string>,
  run: Run,
): void {
  withLockWait(withSources(withConfiguration(ledger.command('copy'))))
    .argument('<from>', 'where the ledger is now, in the form --ledger takes')
    .argument('<to>', 'where to move it')
    .description('copy the ledger of a stack to another place, which is authoritative from then on')
    .addOption(ledgerIndexOption())
    .action(async (from: string, to: string, options: StackOptions) => {
      const stack = await stackOf(options);
      const { host } = run;
      const place = (ledger: string) => ({ stack, options: { ...options, ledger } });
      const [here, there] = [from, to].map((one) => documentsFor(stack, place(one).options, host).place);
      if (here === there)
        throw new Problems([
          problem('ledger/same', `source and destination are the same: ${here}`, {
            hint: 'trueup ledger copy git postgres://db.example.com/trueup',
          }),
        ]);
      await withLedgersAt(
        new Map([
          [from, place(from)],
          [to, place(to)],
        ]),
        options,
        run,
        async (ledgers, terminal) => {
          const [old, next] = [ledgers.get(from)!, ledgers.get(to)!];
          const key = (await keyOf(options, host))!;
          const isDone = await copyLedger(old, next, (kept) =>
            copiedHistory({
              from: old.documents,
              to: next.documents,
              ledger: kept,
              key,
              by: startedBy(host.env),
              now: host.clock.now,
            }),
          );
          terminal.out(
            cleanLine(
              `${isDone ? 'Copied' : 'Already copied'}: the ledger of ${stack} is at ${there}. The one at ${here} points there and can no longer be applied to.`,
            ),
          );
        },
      );
    });
}
