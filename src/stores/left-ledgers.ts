import type { Host } from '../host.ts';
import { tryParseJson } from '../model/read-json.ts';
import { isLedgerFile, type LedgerChoice } from './ledger-choice.ts';
import { openLedgerDocuments } from './open-ledger.ts';

/** A ledger that no stack of the workspace has. `stack`: the stack that it belongs to. */
interface LeftLedger {
  place: string;
  stack: string;
}

/**
 * Finds the ledgers beside those of a workspace that none of its stacks has, for `trueup stacks`: the objects of a stack that was removed
 * from the workspace stay in the account. Finds none if the name of a stack is unknown, because a ledger could be its own. Returns an
 * error if the ledgers cannot be listed.
 */
export async function findLeftLedgers(
  names: ReadonlySet<string>,
  options: LedgerChoice,
  host: Host,
): Promise<LeftLedger[] | { place: string; error: Error }> {
  const [firstName] = names;
  if (firstName === undefined || names.has('')) return [];
  const documents = await openLedgerDocuments(firstName, options, host);
  const ledgers = await documents.readOtherLedgers().catch((error: Error) => error);
  if (ledgers instanceof Error) {
    const folderOrStore = isLedgerFile(options, host)
      ? 'the folder of the ledgers'
      : documents.place.replace(/^.* at /, '');
    return { place: folderOrStore, error: ledgers };
  }
  return ledgers.flatMap(({ place, text = '' }) => {
    const stack = owningStackOf(text);
    return stack === undefined || names.has(stack) ? [] : [{ place, stack }];
  });
}

/** Returns the stack that a ledger's text names. Undefined if the ledger owns no object, so that it needs no attention, or if the text is no ledger. */
function owningStackOf(text: string): string | undefined {
  const { stack, entries } = (tryParseJson(text) ?? {}) as { stack?: unknown; entries?: object };
  if (Object.keys(entries ?? {}).length === 0) return undefined;
  return typeof stack === 'string' ? stack : undefined;
}
