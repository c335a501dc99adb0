import type { Kind } from '../kind/kind.ts';
import { type Address, isWithin } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { problem } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { addressOfWhole } from '../model/wholes.ts';
import { listContents } from './find-dependencies.ts';
import type { PlanInput, Report } from './input.ts';
import type { LocatedDraft } from './lower.ts';

const most = 10;
const share = 0.3;
const shareFrom = 10;

/** Refuses to delete too much at once. Objects deleted outside count, too; a container counts with everything in it. */
export function limitDeletions(
  changes: Change[],
  losses: ReadonlyMap<Address, number>,
  input: PlanInput,
  report: Report,
): void {
  const { ledger, options = {} } = input;
  if (options.destroy) return;
  const gone = listDeletedObjects(changes, losses, input);
  const byKind = groupBy(gone, ({ kind }) => kind);
  const limit = options.maxDeletions ?? most;
  const hint = `if this is intended, run with --max-deletions ${gone.length}`;
  const what = 'would be deleted, replaced or recreated';
  if (gone.length > limit) {
    const counts = [...byKind].map(([kind, of]) => `${of.length} ${kind}`).sort();
    report(
      problem(
        'guard/deletions',
        `${gone.length} objects ${what} (${counts.join(', ')}); the limit is ${limit}`,
        { hint },
      ),
    );
  }
  if (options.maxDeletions !== undefined) return;
  for (const [kind, of] of byKind) {
    const ours = new Set(
      Object.entries(ledger.entries)
        .filter(([, one]) => one.kind === kind && !one.existing)
        .map(([address]) => wholeIn(address, input)),
    ).size;
    if (ours >= shareFrom && of.length > ours * share)
      report(
        problem(
          'guard/share',
          `${of.length} of ${ours} ${kind} objects ${what}; the limit is 30 % of a kind`,
          { hint },
        ),
      );
  }
}

/** An object as people count it: all units of one name in a row are one. */
function wholeIn(address: Address, { ledger, live }: PlanInput): string {
  const whole = addressOfWhole(address);
  if (whole === address) return address;
  const ids = ledger.entries[address]?.ids ?? live.resources.get(address)?.ids;
  return ids ? `${whole} ${ids.join(' ')}` : address;
}

/** The objects that are deleted, each once and with its content; of a variable in several targets, the first. `losses`: see `lossesIn`. */
export function listDeletedObjects(
  changes: Change[],
  losses: ReadonlyMap<Address, number>,
  input: PlanInput,
): { address: Address; kind: string }[] {
  const { kinds, ledger, live } = input;
  const kindOf = ({ kind }: Change): Kind => kinds.get(kind)!;
  const isRecreated = ({ address, action }: Change) =>
    action === 'create' && ledger.entries[address] !== undefined && !ledger.entries[address].existing;
  const recreated = changes.filter(isRecreated);
  const containers = recreated.filter((change) => kindOf(change).lifecycle.container);
  const gone = new Map<string, { address: Address; kind: string }>();
  const add = (address: Address, kind: string) => {
    const whole = wholeIn(address, input);
    if (!gone.has(whole)) gone.set(whole, { address, kind });
  };
  for (const change of changes) {
    const { address, action, kind } = change;
    // A container that is created again brings its content back with it: it counts once.
    const isBrought = containers.some(
      (container) => container !== change && isWithin(address, container.address),
    );
    if (action === 'delete' || action === 'replace' || (isRecreated(change) && !isBrought))
      add(address, kind);
    if (action !== 'delete' || !kindOf(change).lifecycle.container) continue;
    for (const inside of listContents(address, input))
      add(inside, (ledger.entries[inside] ?? live.resources.get(inside))!.kind);
  }
  const parts = changes.flatMap(({ address, kind }) =>
    Array.from({ length: losses.get(address) ?? 0 }, () => ({ address, kind })),
  );
  return [...gone.values(), ...parts];
}

/**
 * Counts the objects that are deleted behind an address that itself stays: records of a DNS set, second copies of a rule. It goes by the
 * requests: an object that only moves to another row, or is replaced by a new copy, is not lost.
 */
export function countLosses(drafts: LocatedDraft[], changes: Change[]): Map<Address, number> {
  const stays = new Set(
    changes.filter(({ action }) => action !== 'delete' && action !== 'replace').map(({ address }) => address),
  );
  const balance = new Map<Address, number>();
  const count = (address: Address, by: number) => balance.set(address, (balance.get(address) ?? 0) + by);
  for (const { requests } of drafts)
    for (const { drops = [], returns = [], batch = [] } of requests) {
      for (const { address } of drops) count(address, 1);
      for (const { address } of returns) count(address, -1);
      for (const address of batch.flat()) count(address, -1);
    }
  return new Map([...balance].filter(([address, lost]) => lost > 0 && stays.has(address)));
}
