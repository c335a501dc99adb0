import type { Command } from 'commander';
import { type LookupRow, progressOf } from '../action/lookup-rows.ts';
import { splitPairs } from '../app/actions/call-input.ts';
import { createLookupReader, refuseUnknownFields } from '../app/actions/create-lookup-reader.ts';
import { openReadOnlyAccount, requireNamed } from '../app/actions/read-only-account.ts';
import type { Lookup } from '../kind/lookup.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems } from '../model/diagnostic.ts';
import type { CommandRun } from './command-run.ts';
import { exitCodes } from './exit-codes.ts';
import { followLookup } from './follow-lookup.ts';
import { collectPair } from './options.ts';
import { type GetOptions, noneOf, printRows, timeoutOption, withWanted } from './print-rows.ts';
import { terminalFor } from './terminal.ts';

interface WaitOptions extends Omit<GetOptions, 'limit' | 'fields'> {
  for?: string[];
}

/** The exit code of a wait: as was wished, at another end, still under way, or called off. */
export const waitCodes = {
  reached: exitCodes.done,
  ended: exitCodes.failed,
  'under way': exitCodes.tryAgainLater,
  stopped: exitCodes.interrupted,
} as const;

/** Waits until something in motion has come to rest, or its fields have certain values. */
export function waitCommand(command: Command, provider: Provider, run: CommandRun): void {
  withWanted(command)
    .argument('<lookup>', 'the lookup to wait for: `deployment`')
    .argument('[name]', 'which one; the newest if several match')
    .option(
      '--for <field=value>',
      'wait until a field has this value; repeatable (all must match)',
      collectPair,
    )
    .option('--json', 'print the final result as one JSON document')
    .addOption(timeoutOption())
    .action(async (what: string, name: string | undefined, options: WaitOptions) => {
      const terminal = terminalFor(run, options);
      const { lookups } = await provider.dayTwo();
      const lookup = requireNamed(what, lookups, 'lookup', 'trueup get --list');
      const wished = splitPairs(options.for);
      refuseUnknownFields(
        wished.map(([field]) => field),
        Object.keys(lookup.output),
        { what },
      );
      refuseEndless(lookup, wished);
      const reading = await openReadOnlyAccount(provider, options, terminal);
      try {
        const where = splitPairs(options.where);
        const read = await createLookupReader(lookup, { name, of: options.of, where, limit: 1 }, reading);
        const columns = lookup.columns ?? Object.keys(lookup.output);
        let isFirst = true;
        const look = async () => {
          const found = await read();
          // Of what has no name yet another one may come.
          if (isFirst && name !== undefined && found.rows.length === 0) throw noneOf(what, name);
          isFirst = false;
          return found;
        };
        const { rows, standing } = await followLookup(lookup, look, {
          terminal,
          columns,
          within: options.timeout * 1000,
          stand: standOf(lookup, wished),
        });
        printRows({ what, key: 'lookup', rows, columns, isOne: true }, options, reading.masking, terminal);
        if (standing === 'under way')
          terminal.say(`${rows.length === 0 ? 'None found' : 'Still running'} after ${options.timeout} s.`);
        run.exitCode = waitCodes[standing];
      } finally {
        await reading.close();
      }
    });
}

/** Judges what is seen. Something absent may still come; something that was there and is gone has ended. */
export function standOf(lookup: Lookup, wished: readonly (readonly [string, string])[]) {
  let isSeen = false;
  return ([row]: readonly LookupRow[]) => {
    if (!row) return isSeen ? 'ended' : 'under way';
    isSeen = true;
    return progressOf(row, lookup, wished);
  };
}

function refuseEndless({ name, end }: Lookup, wished: unknown[]): void {
  if (end || wished.length > 0) return;
  throw new Problems('wait/endless', `${name} has no end state, so it is unclear what to wait for`, {
    hint: 'pass --for FIELD=VALUE',
  });
}
