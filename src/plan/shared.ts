import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Action, Change } from '../model/change.ts';
import { type Diagnostic, warning } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';

/** The objects that another stack says it owns in the same account; nobody has verified it. */
export interface OtherStack {
  stack: string;
  entries: Ledger['entries'];
}

/** Warns of changes to objects that another stack owns, too: each of the two would undo what the other does. */
export function sharedWith(changes: Change[], others: OtherStack[], kinds: Kinds): Diagnostic[] {
  if (others.length === 0) return [];
  const ownerOf = ownersIn(others, kinds);
  return changes.flatMap((change) => {
    const { address, kind, action, before } = change;
    const does = words[action];
    if (does === undefined) return [];
    const stack = ownerOf({ kind, address, ids: before?.ids ?? [] });
    if (stack === undefined) return [];
    return [
      warning('stack/shared', `${address} is owned by the stack ${stack}, too, and this plan ${does} it`, {
        address,
        ...(change.at ? { at: change.at } : {}),
        hint: `let one stack have it: declare it there, and here \`$existing: true\` or nothing after \`trueup ledger forget '${address}'\``,
      }),
    ];
  });
}

/** Finds the stack that says it owns an object. */
export function ownersIn(
  others: OtherStack[],
  kinds: Kinds,
): (object: { kind: string; address: Address; ids: readonly string[] }) => string | undefined {
  const owners = new Map<string, string>();
  for (const { stack, entries } of others)
    for (const [address, entry] of Object.entries(entries)) {
      if (typeof entry !== 'object' || !entry || entry.existing || !Array.isArray(entry.ids)) continue;
      for (const id of entry.ids) owners.set(nameOf(entry.kind, id, address, kinds), stack);
    }
  return ({ kind, address, ids }) =>
    ids.map((id) => owners.get(nameOf(kind, id, address, kinds))).find((found) => found !== undefined);
}

/** Names an object across stacks. A row can hold units of several stacks, so a unit's name includes its address. */
const nameOf = (kind: string, id: string, address: Address, kinds: Kinds): string =>
  kinds.get(kind)?.shape.byAddress ? `${kind} ${id} ${address}` : `${kind} ${id}`;

const words: Partial<Record<Action, string>> = {
  adopt: 'adopts',
  update: 'changes',
  replace: 'replaces',
  move: 'moves',
  delete: 'deletes',
};
