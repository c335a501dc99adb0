import { isTransferable } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, warning } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { addressAfter, type Move, renameInLedger } from '../model/move.ts';
import {
  collectionId,
  type Desired,
  groupByCollection,
  type Live,
  type LiveResource,
  type Resource,
} from '../model/resource.ts';
import { addressesByNameIn } from './find-dependencies.ts';
import type { RecordedAddresses } from './input.ts';

interface Around {
  desired: Desired;
  live: Live;
  ledger: Ledger;
  kinds: Kinds;
}

interface Transferred extends Pick<Around, 'ledger' | 'live'> {
  moves: Move[];
  /** The addresses whose object the ledger knows under another parent, those already moved included. */
  recordedAddresses: RecordedAddresses;
  /** Objects that are deleted and then recreated under another parent, since only one of them can exist. */
  recreatedElsewhere: ReadonlyMap<Address, Address>;
  /** The reasons. */
  diagnostics: Diagnostic[];
}

/** An object of ours that is declared under another parent than the one it lies in. */
interface Candidate {
  kind: Kind;
  want: Resource;
  found: LiveResource;
  /** The parent that it lies in. */
  parent: Address;
}

/**
 * Finds objects of ours that are now declared under another parent, of kinds that the platform can hand over. They and their ledger
 * entries get the new addresses; until the platform has moved one, `LiveResource.transfer` says where it is. If it is under the new parent
 * already, since a run was interrupted or somebody else moved it, only its entry moves.
 */
export function followTransfers(
  { ledger, moves }: { ledger: Ledger; moves: Move[] },
  live: Live,
  { desired, kinds }: Pick<Around, 'desired' | 'kinds'>,
): Transferred {
  const around = { desired, live, ledger, kinds };
  const candidates = new Map<Address, Candidate>();
  const more: Move[] = [];
  for (const [from, want] of redeclared(around)) {
    const kind = kinds.get(want.kind)!;
    const resource = live.resources.get(from);
    const entry = ledger.entries[from]!;
    const is = (resource: LiveResource | undefined) =>
      resource?.ids.some((id) => entry.ids.includes(id)) ?? false;
    const there = live.resources.get(want.address);
    if (!resource && is(there)) more.push({ from, to: want.address, by: want.address });
    if (!resource || there || resource.alternatives || !is(resource) || isOther(resource.parent!, around))
      continue;
    candidates.set(from, { kind, want, found: resource, parent: resource.parent! });
  }
  const asked = [...candidates];
  const diagnostics = leaveOutStuck(candidates, around);
  const stuck = asked.filter(([from]) => !candidates.has(from));
  const resources = new Map(live.resources);
  for (const [from, { want, found, parent, kind }] of candidates) {
    const leader = namedBy(found, kind, parent, kinds).find((name) => candidates.has(name));
    const along = leader === undefined ? {} : { with: candidates.get(leader)!.want.address };
    resources.delete(from);
    const now = { address: want.address, parent: want.parent!, transfer: { from, parent, ...along } };
    resources.set(want.address, { ...found, ...now });
    more.push({ from, to: want.address, by: want.address });
  }
  return {
    ledger: more.length === 0 ? ledger : renameInLedger(ledger, (old) => addressAfter(old, more)),
    moves: [...moves, ...more],
    live: candidates.size === 0 ? live : { ...live, resources },
    recordedAddresses: new Map(more.map(({ from, to }) => [to, from])),
    recreatedElsewhere: new Map(stuck.map(([from, { want }]) => [from, want.address])),
    diagnostics,
  };
}

/** The entries that are no longer declared, each with the resource declared by the same name under another parent. */
function redeclared({ desired, ledger, kinds }: Omit<Around, 'live'>): [from: Address, want: Resource][] {
  const isFree = ([address, { kind, existing }]: [Address, LedgerEntry]) =>
    isTransferable(kinds.get(kind)) && !existing && !desired.resources.has(address);
  const free = groupBy(Object.entries(ledger.entries).filter(isFree), ([address, { kind }]) =>
    nameOf(kind, address),
  );
  if (free.size === 0) return [];
  return [...desired.resources.values()].flatMap((want) => {
    const { address, kind, meta } = want;
    if (meta.existing || meta.forget || ledger.entries[address]) return [];
    return (free.get(nameOf(kind, address)) ?? []).map(([from]): [Address, Resource] => [from, want]);
  });
}

const nameOf = (kind: string, address: Address) => `${kind} ${address.slice(address.lastIndexOf('/'))}`;

/** True if the object at an address is the one in the ledger. */
const isAsKnown = (address: Address, { ledger, live }: Around): boolean =>
  ledger.entries[address]?.ids.some((id) => live.resources.get(address)?.ids.includes(id)) ?? false;

/** True if the object at an address is not the one in the ledger. */
const isOther = (address: Address, around: Around): boolean =>
  around.ledger.entries[address] !== undefined && !isAsKnown(address, around);

const namedBy = (one: Pick<LiveResource, 'fields'>, kind: Kind, parent: Address, kinds: Kinds): Address[] =>
  addressesByNameIn(one.fields, kind, parent, kinds, true);

/** Removes candidates that cannot be handed over, and those that need them; returns the reasons. */
function leaveOutStuck(candidates: Map<Address, Candidate>, around: Around): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (let before = -1; before !== candidates.size; ) {
    before = candidates.size;
    for (const [from, one] of candidates) {
      const why = obstacle(from, one, candidates, around);
      if (why === undefined) continue;
      candidates.delete(from);
      const { address, at } = one.want;
      diagnostics.push(
        warning(
          'transfer/anew',
          `${from} is deleted and recreated as ${address}: it cannot be moved, since ${why}`,
          {
            address,
            at,
          },
        ),
      );
    }
  }
  return diagnostics;
}

/** Why an object cannot be handed over. Objects that name it go along, so they must be about to move, or must not name it any more by then. */
function obstacle(
  from: Address,
  { kind, want, found, parent }: Candidate,
  candidates: ReadonlyMap<Address, Candidate>,
  around: Around,
): string | undefined {
  const { desired, live, ledger, kinds } = around;
  const fixed = Object.keys(want.fields).find(
    (name) =>
      !kind.key.includes(name) && want.fields[name] !== null && traitsOf(kind.fields[name]!).immutable,
  );
  if (fixed !== undefined) return `a move cannot set \`${fixed}\``;
  const isComing = (address: Address) => candidates.get(address)?.want.parent === want.parent;
  for (const [field, value] of Object.entries(found.fields))
    for (const named of namedBy({ fields: { [field]: value } }, kind, parent, kinds)) {
      const there = want.parent + named.slice(parent.length);
      const isThere = desired.resources.has(there) || live.resources.has(there);
      const isMadeAnew = live.resources.has(named) && isThere;
      if (!isComing(named) && (isMadeAnew || (want.fields[field] === undefined && !isThere)))
        return `its \`${field}\` names ${named}, which does not move with it`;
    }
  const siblings = (groupByCollection(live.resources).get(collectionId(kind.name, parent)) ??
    []) as LiveResource[];
  const namersOf = (address: Address) =>
    siblings.filter((sibling) => namedBy(sibling, kind, parent, kinds).includes(address));
  const staying = namersOf(from).find((namer) => {
    if (isComing(namer.address)) return namersOf(namer.address).length > 0;
    const next = desired.resources.get(namer.address);
    if (!next) return !isAsKnown(namer.address, around) || !desired.resources.has(parent);
    const fields = { ...namer.fields, ...next.fields };
    return !ledger.entries[namer.address] || namedBy({ fields }, kind, parent, kinds).includes(from);
  });
  return staying && `${staying.address} refers to it and would move along`;
}
