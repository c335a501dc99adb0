import { type Beside, type Documents, recordName } from '../ledger/documents.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { version } from '../model/version.ts';
import { latest, messageOf } from './open-recording.ts';
import { type RecordHead, recordText } from './record.ts';

interface RenameOptions {
  from: Pick<Documents, 'history' | 'place'>;
  to: Pick<Documents, 'history' | 'place'>;
  /** The ledger under its old name. */
  ledger: Ledger;
  /** The new name. */
  stack: string;
  key: LedgerKey;
  by: Pick<RecordHead, 'actor' | 'ci'>;
  now(): number;
}

/**
 * The history of a stack that gets another name: what arrives in the new place, with a record that vouches for the old name, and what goes
 * from the old one. Undefined where there is none.
 */
export async function renamedHistory(
  options: RenameOptions,
): Promise<{ arriving: Beside; leaving: Beside } | undefined> {
  const { from, to, ledger, stack, key, by, now } = options;
  const names = await from.history.names();
  if (names.length === 0) return undefined;
  const { last, run } = await latest(from, key);
  const time = new Date(now()).toISOString();
  const head: Omit<RecordHead, 'details'> = {
    formatVersion: 1,
    run,
    previous: last?.digest ?? null,
    baseUrl: ledger.baseUrl,
    owner: ledger.owner,
    stack,
    command: 'rename',
    was: ledger.stack,
    ...by,
    version,
    plan: '',
    start: time,
    end: time,
    outcome: 'renamed',
    done: {},
    failed: 0,
    notDone: 0,
  };
  const record = recordText(head, { changes: [] }, key);
  const message = messageOf(head);
  if (from.place === to.place)
    return {
      arriving: { history: new Map([[recordName(run), record]]), message },
      leaving: { history: new Map(), message },
    };
  const texts = await from.history.read(names);
  // Of a stack that had this name before nothing is left.
  const others = (await to.history.names()).map((name) => [name, undefined] as const);
  return {
    arriving: { history: new Map([...others, ...texts, [recordName(run), record]]), message },
    leaving: { history: new Map(names.map((name) => [name, undefined])), message },
  };
}
