import type { Command } from 'commander';
import { createLookupReader, refuseUnknownFields } from '../action/create-lookup-reader.ts';
import { type LookupResult, type LookupRow, progressOf } from '../action/read-lookup.ts';
import { splitPairs } from '../api/call-input.ts';
import { openReadOnlyAccount } from '../app/actions/read-only-account.ts';
import { requireNamed } from '../config/suggest.ts';
import type { Lookup } from '../kind/lookup.ts';
import type { Provider } from '../kind/provider.ts';
import { type Diagnostic, raise } from '../model/diagnostic.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { followLookup } from '../terminal/follow-lookup.ts';
import { type Terminal, terminalFor } from '../terminal/terminal.ts';
import { waitCodes } from './exit-codes.ts';
import { collectPair } from './options.ts';
import {
  type GetOptions,
  noMatchProblem,
  printRows,
  timeoutOption,
  withObjectSelection,
} from './print-rows.ts';

interface WaitOptions extends Omit<GetOptions, 'limit' | 'fields'> {
  for?: string[];
}

/** Declares `trueup wait`, which waits until an object, such as a deployment, is in an end state or has the values of `--for`, so that scripts need not poll. */
export function waitCommand(command: Command, provider: Provider, run: CommandRun): void {
  withObjectSelection(command)
    .argument('<lookup>', 'the lookup to wait for: `deployment`')
    .argument('[name]', 'which one; the newest if several match')
    .option(
      '--for <field=value>',
      'wait until a field has this value; repeatable (all must match)',
      collectPair,
    )
    .option('--json', 'print the final result as one JSON document')
    .addOption(timeoutOption())
    .action(async (lookupName: string, name: string | undefined, options: WaitOptions) => {
      const { lookups } = await provider.actionsAndLookups();
      const lookup = requireNamed(lookupName, lookups, 'lookup', 'trueup get --list');
      await waitForObject(provider, lookup, name, options, terminalFor(run, options));
    });
}

/**
 * Runs `trueup wait`: waits for an object of a lookup (a query, such as the deployments of a project), prints its last state, and sets the
 * exit code. Throws `Problems` if a name matches nothing at first.
 */
async function waitForObject(
  provider: Provider,
  lookup: Lookup,
  name: string | undefined,
  options: WaitOptions,
  terminal: Terminal,
): Promise<void> {
  const expected = splitPairs(options.for);
  const fields = expected.map(([field]) => field);
  refuseUnknownFields(fields, Object.keys(lookup.output), { what: lookup.name });
  refuseEndlessWait(lookup, expected);
  const account = await openReadOnlyAccount(provider, options, terminal);
  try {
    const selection = { name, subject: options.of, where: splitPairs(options.where), limit: 1 };
    const read = await createLookupReader(lookup, selection, account);
    const columns = lookup.columns ?? Object.keys(lookup.output);
    // Without a name, an object that does not exist yet may still be created.
    const missing = name === undefined ? undefined : noMatchProblem(lookup.name, name);
    const { rows, standing } = await followLookup(lookup, missing ? requireFirst(read, missing) : read, {
      terminal,
      columns,
      within: options.timeout * 1000,
      progressOf: createStandingJudge(lookup, expected),
    });
    const printed = { subject: lookup.name, subjectType: 'lookup' as const, rows, columns, isSingle: true };
    printRows(printed, options, account.masking, terminal);
    if (standing === 'under way')
      terminal.say(`${rows.length === 0 ? 'None found' : 'Still running'} after ${options.timeout} s.`);
    terminal.run.exitCode = waitCodes[standing];
  } finally {
    await account.close();
  }
}

/**
 * Returns a reader like `read` that throws `Problems` if it finds nothing at its first call. Later the object may be gone, which ends the
 * wait.
 */
function requireFirst(read: () => Promise<LookupResult>, missing: Diagnostic): () => Promise<LookupResult> {
  let isFirst = true;
  return async () => {
    const result = await read();
    if (isFirst && result.rows.length === 0) raise(missing);
    isFirst = false;
    return result;
  };
}

/**
 * Creates the function which judges the awaited object each time `trueup wait` or `run --wait` has read it: still under way, at its end
 * state, or at the `expected` values of fields. The object is the first row of the answer. If there is none, the wait goes on, because the
 * object may still be created; but if it was there before, it is gone and the wait is over.
 */
export function createStandingJudge(lookup: Lookup, expected: readonly (readonly [string, string])[]) {
  let wasSeen = false;
  return ([row]: readonly LookupRow[]) => {
    if (!row) return wasSeen ? 'ended' : 'under way';
    wasSeen = true;
    return progressOf(row, lookup, expected);
  };
}

/**
 * Throws `Problems` for a `trueup wait` if no field value is expected and the lookup (query) has no end state, because the wait would never
 * end.
 */
function refuseEndlessWait({ name, end }: Lookup, expected: unknown[]): void {
  if (end || expected.length > 0) return;
  raise('wait/endless', `${name} has no end state, so it is unclear what to wait for`, {
    hint: 'pass --for FIELD=VALUE',
  });
}
