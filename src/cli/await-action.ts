import { lookupAt } from '../action/read-lookup.ts';
import type { Action, Sending } from '../kind/action.ts';
import type { ApiObject } from '../kind/kind.ts';
import type { Lookup } from '../kind/lookup.ts';
import { followLookup } from './follow-lookup.ts';
import { lookupGround } from './read-lookup.ts';
import type { RunOptions } from './run.ts';
import type { Ground } from './run-ground.ts';
import type { Terminal } from './terminal.ts';
import { standOf, waitCodes } from './wait.ts';

interface Done {
  sending: Sending;
  answer: ApiObject;
  ids: ReadonlyMap<string, string>;
  lookups: ReadonlyMap<string, Lookup>;
}

/** Waits until what an action began is over, without the lease, and sets the exit code. */
export async function awaitAction(
  { until }: Action,
  { sending, answer, ids, lookups }: Done,
  { timeout }: RunOptions,
  ground: Ground,
  terminal: Terminal,
): Promise<void> {
  const lookup = lookups.get(until!.lookup)!;
  const read = lookupAt(lookup, until!.input({ ...sending, answer }), ids, lookupGround(ground));
  const { standing } = await followLookup(lookup, () => read(), {
    terminal,
    columns: lookup.columns ?? Object.keys(lookup.output),
    within: timeout * 1000,
    stand: standOf(lookup, []),
  });
  const words = {
    reached: 'Done.',
    ended: 'It did not finish successfully.',
    'under way': `Still under way after ${timeout} s: \`trueup wait ${lookup.name}\` keeps waiting.`,
    stopped: 'Stopped waiting. The work itself continues.',
  };
  terminal.err(words[standing]);
  terminal.run.exitCode = waitCodes[standing];
}
