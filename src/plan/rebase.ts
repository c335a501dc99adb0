import { namesOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import { type Move, moved, renamed } from '../model/move.ts';
import type { Desired, Live, LiveResource, Resource } from '../model/resource.ts';
import { holesIn, isRef, mapHoles } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';

/** The ledger as the configuration calls things now. */
interface Rebased {
  ledger: Ledger;
  /** The renames, in order: the kept ledger follows once they are done. */
  moves: Move[];
  /** New addresses by the old natural ones, for units without an id of their own and for objects that the ledger never knew. */
  aliases: Map<Address, Address>;
  diagnostics: Diagnostic[];
}

/**
 * Follows every `$was`: the entry under the old address and all below it move to the new one. Happens once: where the new
 * address has an entry already, the `$was` is history. Without an old entry only `adoptRenamed` lets it count.
 */
export function rebase(
  ledger: Ledger,
  desired: Desired,
  { adoptRenamed = false, kinds }: { adoptRenamed?: boolean; kinds?: Kinds } = {},
): Rebased {
  const aliases = new Map<Address, Address>();
  const diagnostics: Diagnostic[] = [];
  const moves: Move[] = [];
  let now = ledger;
  // An entry of several units may have one more than under its old name.
  const knownGroups = new Set(
    [...desired.resources.values()]
      .filter(
        ({ address, meta }) =>
          ledger.entries[address] || (meta.was !== undefined && ledger.entries[meta.was]),
      )
      .map(({ group }) => group),
  );
  for (const { address, meta, at, group } of desired.resources.values()) {
    if (meta.was === undefined || now.entries[address]) continue;
    const { was } = meta;
    if (desired.resources.has(was))
      diagnostics.push(
        problem('was/both-declared', `${address} has \`$was\` ${was}, which is also declared`, {
          address,
          at,
          hint:
            desired.resources.get(was)!.meta.was === undefined
              ? 'remove the old block, or the `$was`'
              : `a chain of renames takes one run each, last one first: wait with ${was} until ${address} is renamed`,
        }),
      );
    else if (now.entries[was]) {
      aliases.set(was, address);
      moves.push({ from: was, to: address, by: address });
      now = renamed(now, (old) => moved(old, moves.slice(-1)));
    } else if (adoptRenamed) aliases.set(was, address);
    // Done, where it is to be forgotten: the ledger has neither name any more.
    else if (!meta.forget && (group === undefined || !knownGroups.has(group)))
      diagnostics.push(
        problem('was/unknown', `${address} has \`$was\` ${was}, which this stack never applied`, {
          address,
          at,
          hint: 'remove the `$was`, or run with --adopt-renamed to rename the object of that name in the account',
        }),
      );
  }
  if (!kinds || moves.length === 0) return { ledger: now, moves, aliases, diagnostics };
  const wanted = namedAfter(desired.resources.values(), { ledger: now, moves }, kinds).filter(
    ({ from }) => !desired.resources.has(from),
  );
  return { ...followed({ ledger: now, moves }, wanted), aliases, diagnostics };
}

/**
 * Does the same for found objects that nobody wants any more. If an object's name is made from a reference, the name changed with
 * the target; the ledger still knows the object by its id.
 */
export function rebaseFound(
  rebased: Pick<Rebased, 'ledger' | 'moves'>,
  live: Live,
  kinds: Kinds,
): Pick<Rebased, 'ledger' | 'moves'> {
  if (rebased.moves.length === 0) return rebased;
  const { entries } = rebased.ledger;
  const isSame = ({ from, to }: Move) =>
    !live.resources.has(from) && live.resources.get(to)!.ids.some((id) => entries[from]!.ids.includes(id));
  return followed(rebased, namedAfter(live.resources.values(), rebased, kinds).filter(isSame));
}

/** The moves of entries whose names are made from references to objects that were moved. */
function namedAfter(
  objects: Iterable<Resource | LiveResource>,
  { ledger: { entries }, moves }: Pick<Rebased, 'ledger' | 'moves'>,
  kinds: Kinds,
): Move[] {
  const oldOf = new Map(moves.map(({ from, to }) => [to, from]));
  return [...objects].flatMap(({ address, kind: name, parent, fields }) => {
    if (entries[address]) return [];
    const by = holesIn(fields).find((hole) => isRef(hole) && oldOf.has(hole.$ref));
    if (!by || !isRef(by)) return [];
    const kind = kinds.get(name)!;
    const before = mapMembers(fields, (value) =>
      mapHoles(value, (hole) => (isRef(hole) ? { ...hole, $ref: oldOf.get(hole.$ref) ?? hole.$ref } : hole)),
    ) as typeof fields;
    const from = addressOf(parent, kind.section, namesOf(kind, before));
    return entries[from] ? [{ from, to: address, by: by.$ref }] : [];
  });
}

const followed = ({ ledger, moves }: Pick<Rebased, 'ledger' | 'moves'>, more: Move[]) => ({
  ledger: more.length === 0 ? ledger : renamed(ledger, (old) => moved(old, more)),
  moves: [...moves, ...more],
});
