import type { Command } from 'commander';
import type { FindStack } from '../app/session/leased-ledgers.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { missingKeyProblem } from '../ledger/proof.ts';
import { type BuiltIndex, rebuildOwnershipIndex } from '../ledger/write-ownership-index.ts';
import { raise } from '../model/diagnostic.ts';
import { summarizeClaims } from '../plan/summarize-claims.ts';
import { cleanLine, count } from '../report/text.ts';
import { findLedgerKey, openLedgerDocuments } from '../stores/open-ledger.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';

/** The most ledgers that are named because they have no record. */
const maxListedLedgers = 10;

/**
 * Declares `trueup ledger index`, which builds the ownership index of the store that has the ledger of this stack. `command`: with the options that find
 * that ledger.
 */
export function addIndexCommand(
  command: Command,
  provider: Provider,
  findStack: FindStack,
  run: CommandRun,
): void {
  command
    .description('build the ownership index of the store, so that plans read fewer ledgers of other stacks')
    .action(async (options: StackOptions) => {
      const terminal = terminalFor(run, options);
      const { stack, choice } = await findStack(options);
      const key = (await findLedgerKey(choice, run.host)) ?? raise(missingKeyProblem);
      const { ownership, place } = await openLedgerDocuments(stack, choice, run.host);
      if (!ownership)
        raise('ledger/no-index', `the store of the ledger ${place} cannot have an ownership index`, {
          hint: 'it cannot list its ledgers: name a document that lists them with --ledger-index',
        });
      const kinds = kindsOf(provider.kinds);
      const built = await rebuildOwnershipIndex(ownership, (entries) => summarizeClaims(entries, kinds), key);
      for (const line of describeIndex(built)) terminal.out(line);
    });
}

/**
 * Formats the result of `trueup ledger index`: how much less a plan reads now, and the ledgers that it still reads because they are not in
 * the index.
 */
function describeIndex({ covered, uncovered, size }: BuiltIndex): string[] {
  const summary = `Indexed: ${count(covered.count, 'ledger')}. A plan reads ${formatSize(size)} of index instead of ${formatSize(covered.size)} of ledgers.`;
  if (uncovered.length === 0) return [summary];
  const hiddenCount = uncovered.length - maxListedLedgers;
  return [
    summary,
    'Read by each plan as before, because the key did not sign it or a run has not finished:',
    ...uncovered.slice(0, maxListedLedgers).map((place) => cleanLine(`  ${place}`)),
    ...(hiddenCount > 0 ? [`  and ${hiddenCount} more`] : []),
  ];
}

/** Formats a size in whole kilobytes. */
const formatSize = (characters: number): string => `${Math.ceil(characters / 1000)} kB`;
