import { standingOf } from '../action/rows.ts';
import type { Lookup } from '../kind/lookup.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { pairsOf } from './api-request.ts';
import { followLookup } from './follow-lookup.ts';
import { openReading } from './open-reading.ts';
import { printRows } from './print-rows.ts';
import { lookupReader, refuseUnknown } from './read-lookup.ts';
import type { Terminal } from './terminal.ts';
import { type GetOptions, noneOf } from './wanted-options.ts';

/** Prints what a lookup tells; with `--watch` once what is in motion rests. Throws `Problems`. */
export async function getLookup(
  provider: Provider,
  lookup: Lookup,
  name: string | undefined,
  options: GetOptions,
  terminal: Terminal,
): Promise<void> {
  const { name: what, items, output } = lookup;
  refuseUnknown(options.fields ?? [], Object.keys(output), { what });
  if (options.watch && !lookup.end)
    throw new Problems([
      problem('wait/endless', `${what} has no end state, so there is nothing to watch`, {
        hint: 'drop --watch',
      }),
    ]);
  const reading = await openReading(provider, options, terminal);
  try {
    const wanted = { name, of: options.of, where: pairsOf(options.where), limit: options.limit };
    const read = await lookupReader(lookup, wanted, reading);
    const columns = lookup.columns ?? Object.keys(output);
    const found = options.watch
      ? await followLookup(lookup, read, {
          terminal,
          columns: options.fields ?? columns,
          within: options.timeout * 1000,
          // Until all of them rest.
          stand: (rows) =>
            rows.some((row) => standingOf(row, lookup, []) === 'under way') ? 'under way' : 'reached',
        })
      : await read();
    const { rows, isMore } = found;
    const isOne = items === undefined || rows.length === 1;
    printRows({ what, key: 'lookup', rows, columns, isMore, isOne }, options, reading.masking, terminal);
    if (rows.length === 0 && name !== undefined) throw noneOf(what, name);
  } finally {
    await reading.close();
  }
}
